"""The command when something is wrong: one sentence, an exit code, no debris."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import infimum
from infimum.cli import app, main
from infimum.cli import learn as verb
from infimum.learn import job

SOURCE = Path(infimum.__file__).parent.parent


def is_one_sentence(result):
    lines = result.stderr.strip().splitlines()
    return (
        len(lines) == 1
        and lines[0].startswith("infimum: ")
        and lines[0].endswith((".", "?"))
        and "Traceback" not in result.output
    )


def make(path, content):
    if content is not None:
        path.write_text(content)
    return path


@pytest.mark.parametrize(
    "content, words, message",
    [
        ("price,y\n" + "1.5,a\n2.5,b\n" * 9, ["--target", "prise"], "'price'"),
        ("", ["--target", "y"], "empty"),
        ("x,y\n", ["--target", "y"], "no rows"),
        ("x,y\n" + "1.5,a\n2.5,a\n" * 9, ["--target", "y"], "one class"),
        (None, ["--target", "y"], "No file"),
        ("x,y\n" + "1.5,a\n2.5,b\n" * 9, [], "which column"),
    ],
)
def test_bad_data_is_refused_in_a_sentence(invoke, tmp_path, content, words, message):
    path = make(tmp_path / "t.csv", content)
    before = set(tmp_path.iterdir())
    result = invoke("learn", path, *words)
    assert result.exit_code == 2
    assert is_one_sentence(result), result.stderr
    assert message.lower() in result.stderr.lower()
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [["learn", "--budget", "soon"], ["learn", "--nonsense"], ["dance"], ["predict"]],
)
def test_bad_usage_is_exit_code_two(invoke, words):
    result = invoke(*words)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_an_unknown_task_is_refused(invoke, csv):
    result = invoke("learn", csv, "--target", "quality", "--task", "poetry")
    assert result.exit_code == 2
    assert "'poetry'" in result.stderr


def test_a_file_in_the_place_of_the_run_is_kept(invoke, csv, tmp_path):
    place = make(tmp_path / "out", "precious")
    result = invoke("learn", csv, "--target", "quality", "--out", place)
    assert result.exit_code == 2
    assert is_one_sentence(result), result.stderr
    assert place.read_text() == "precious"


def test_a_damaged_model_is_refused(invoke, run, csv, tmp_path):
    damaged = tmp_path / "damaged.infimum"
    damaged.write_bytes((run / "model.infimum").read_bytes()[:-200])
    for words in (
        ["certify", damaged, csv],
        ["predict", damaged, csv, "--out", "p.csv"],
    ):
        result = invoke(*words)
        assert result.exit_code == 2
        assert is_one_sentence(result), result.stderr
    assert not (tmp_path / "p.csv").exists()


def test_a_table_without_a_needed_column_is_refused(invoke, run, tmp_path):
    table = make(tmp_path / "t.csv", "z,w\n1.5,2.5\n2.5,3.5\n")
    result = invoke("predict", run / "model.infimum", table, "--out", "p.csv")
    assert result.exit_code == 2
    assert "no column 'x'" in result.stderr
    assert not (tmp_path / "p.csv").exists()


def test_names_of_columns_may_be_strange(invoke, tmp_path, csv):
    header, *lines = csv.read_text().splitlines()
    strange = '"<script>alert(1)</script>","é, ""q""\t",quality'
    table = make(tmp_path / "t.csv", "\n".join([strange, *lines]) + "\n")
    words = ["--target", "quality", "--budget", "0.001"]
    result = invoke("learn", table, *words, "--out", "run")
    assert result.exit_code == 0, result.output
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert header == "x,z,quality"


def test_a_bug_says_how_to_report_it(invoke, csv, monkeypatch):
    def broken(*args, **kwargs):
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(job, "pose", broken)
    result = invoke("learn", csv, "--target", "quality")
    assert result.exit_code == 1
    assert "of all things" in result.stderr
    assert "Please report" in result.stderr


def test_ctrl_c_before_the_race_ends_with_130(invoke, csv, monkeypatch, tmp_path):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(job, "pose", interrupted)
    result = invoke("learn", csv, "--target", "quality", "--budget", "0.001")
    assert result.exit_code == 130
    assert "Nothing was written" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_after_the_race_says_what_is_kept(invoke, csv, monkeypatch, tmp_path):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    words = ["learn", csv, "--target", "quality", "--budget", "0.001"]
    with monkeypatch.context() as patch:
        patch.setattr(job, "examine", interrupted)
        result = invoke(*words)
    assert result.exit_code == 130
    assert "kept in infimum-run; the same command with --resume" in result.stderr
    assert [entry.name for entry in (tmp_path / "infimum-run").iterdir()] == ["journal"]
    assert invoke(*words, "--resume").exit_code == 0
    assert not (tmp_path / "infimum-run" / "journal").exists()


def test_a_signal_while_reading_leaves_nothing(csv, tmp_path):
    # The reader is held up, so that the signal surely arrives while it reads.
    code = (
        "import time\n"
        "from infimum.learn import job\n"
        "def wait(*a, **k):\n"
        "    print('reading', flush=True)\n"
        "    time.sleep(60)\n"
        "job.pose = wait\n"
        "from infimum.cli import main\n"
        "main()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "learn", str(csv), "--target", "quality"],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline().strip() == "reading"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted" in said
    assert list(tmp_path.iterdir()) == []


def test_the_entry_point_is_the_app(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["infimum", "version"])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 0
    assert "infimum" in capsys.readouterr().out
    assert CliRunner().invoke(app, []).exit_code == 2
    assert callable(verb)
