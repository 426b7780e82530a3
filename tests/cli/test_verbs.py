"""The verbs, when all goes well."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
import typer

import infimum
from infimum.cli.duration import parse_duration

SOURCE = Path(infimum.__file__).parent.parent
FAST = 0.5


def fresh(*words, **options):
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "infimum", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_learn_writes_a_run_and_says_the_answer(run, csv, invoke):
    assert {entry.name for entry in run.iterdir()} == {
        "model.infimum",
        "report.html",
        "result.json",
    }
    result = json.loads((run / "result.json").read_text())
    assert result["command"].startswith(f"infimum learn {csv} --target quality")
    assert "--seed 0" in result["command"]


def test_learn_alone_uses_the_bundled_data_and_says_so(invoke, tmp_path):
    result = invoke("learn", "--budget", "0.001s")
    assert result.exit_code == 0, result.output
    assert "Boston mortgage" in result.output
    assert "predict denied" in result.output
    kept = json.loads((tmp_path / "infimum-run" / "result.json").read_text())
    assert kept["data"]["rows"] == 2380
    assert kept["ended"] == "budget"
    assert kept["budget"] == 0.001


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_predict_writes_a_row_for_each_row(run, csv, invoke, tmp_path, ending):
    out = tmp_path / f"p.{ending}"
    result = invoke("predict", run / "model.infimum", csv, "--out", out)
    assert result.exit_code == 0, result.output
    assert "120 predictions" in result.output
    readers = {
        "csv": pl.read_csv,
        "parquet": pl.read_parquet,
        "jsonl": pl.read_ndjson,
    }
    predictions = readers[ending](out)["prediction"]
    truth = pl.read_csv(csv)["quality"]
    assert (predictions == truth).mean() > 0.75


def test_certify_checks_the_proof_again(run, csv, invoke):
    result = invoke("certify", run / "model.infimum", csv)
    assert result.exit_code == 0, result.output
    assert "is the data the model was trained on" in result.output
    assert "proved optimal" in result.output
    for word in ("primal", "dual", "gap"):
        assert word in result.output


def test_certify_says_which_of_two_kinds_of_proof_was_given(run, csv, invoke):
    fast = invoke("certify", run / "model.infimum", csv)
    slow = invoke("certify", run / "model.infimum", csv, "--rigorous")
    assert "fast: checked" in fast.output
    assert "rigorous: audited, rounding counted" in slow.output
    assert fast.exit_code == slow.exit_code == 0, slow.output
    assert "proved optimal" in slow.output


def test_certify_does_not_pass_on_altered_data(run, csv, invoke, tmp_path):
    other = tmp_path / "other.csv"
    swapped = csv.read_text().replace("good", "G").replace("bad", "good")
    other.write_text(swapped.replace("G", "bad"))
    result = invoke("certify", run / "model.infimum", other)
    assert result.exit_code == 2
    assert "is NOT the data" in result.output
    assert "NOT proved optimal" in result.output


def test_report_is_written_again(run, invoke):
    before = (run / "report.html").read_bytes()
    (run / "report.html").unlink()
    result = invoke("report", run)
    assert result.exit_code == 0, result.output
    assert (run / "report.html").read_bytes() == before


def test_version_and_help_are_quick_and_light():
    fresh("version")
    for words in (["version"], ["--help"]):
        began = time.perf_counter()
        done = fresh(*words)
        assert done.returncode == 0
        # Four times the promise, for machines that are busy with other tests.
        assert time.perf_counter() - began < 4 * FAST
    assert infimum.__version__ in fresh("version").stdout
    code = (
        "import sys, infimum.cli; print({'numba','sklearn','polars'} & {*sys.modules})"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout.strip() == "set()"


@pytest.mark.parametrize(
    "text, seconds",
    [("60", 60), ("60s", 60), ("2m", 120), ("1h", 3600), ("0.5 M", 30)],
)
def test_durations_are_read_as_people_type_them(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "-3", "0", "3d", "nan"])
def test_other_durations_are_usage_errors(text):
    with pytest.raises(typer.BadParameter, match="no duration"):
        parse_duration(text)
