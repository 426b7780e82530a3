"""Tables from standard input, predictions to standard output."""

import io
import os
import shutil
import sys
from pathlib import Path

import polars as pl
import pytest
import typer
from typer.testing import CliRunner

from infimum.cli import app
from infimum.cli.predict import predict


@pytest.fixture
def pipe(tmp_path, monkeypatch):
    """Run the command with a table on standard input."""
    monkeypatch.chdir(tmp_path)
    return lambda content, *words: CliRunner().invoke(
        app, [str(word) for word in words], input=content
    )


def test_predictions_go_through_pipes(run, csv, pipe, tmp_path):
    model, content = run / "model.infimum", csv.read_bytes()
    done = pipe(content, "predict", model, "-", "--out", "-")
    assert done.exit_code == 0, done.output
    piped = pl.read_csv(io.BytesIO(done.stdout_bytes))
    assert pipe("", "predict", model, csv, "--out", "p.csv").exit_code == 0
    assert piped.equals(pl.read_csv(tmp_path / "p.csv"))


def test_a_reader_that_has_gone_hears_no_complaint(run, csv, monkeypatch, capsys):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        with pytest.raises(typer.Exit) as ended:
            predict(run / "model.infimum", csv, Path("-"))
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == ""


def test_a_proof_is_checked_on_a_table_from_a_pipe(run, csv, pipe):
    done = pipe(csv.read_bytes(), "certify", run / "model.infimum", "-")
    assert done.exit_code == 0, done.output
    assert "is the data the model was trained on" in done.stdout


def test_learn_reads_a_pipe_and_is_wrong_about_none(run, csv, pipe, tmp_path):
    words = ["learn", "-", "--target", "quality", "--budget", "0.001"]
    assert pipe(csv.read_bytes(), *words).exit_code == 0
    assert {place.name for place in tmp_path.iterdir()} == {"infimum-run"}
    shutil.rmtree(tmp_path / "infimum-run")
    nothing = pipe(b"", *words)
    assert nothing.exit_code == 2
    assert nothing.stderr == "infimum: standard input is empty.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_misspelt_verb_is_answered_with_the_nearest(pipe):
    done = pipe("", "lern")
    assert done.exit_code == 2
    assert "Did you mean 'learn'?" in done.stderr
