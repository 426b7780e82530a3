"""Files to give to the command."""

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from infimum.cli import app


@pytest.fixture(scope="session")
def csv(tmp_path_factory):
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=(2, 120))
    y = np.where(2 * x + rng.normal(size=120) > 0, "good", "bad")
    path = tmp_path_factory.mktemp("data") / "table.csv"
    pl.DataFrame({"x": x, "z": z, "quality": y}).write_csv(path)
    return path


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    """Run the command in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def refused(invoke):
    """Run the command, see that it refuses in one sentence, and return that.

    Usage errors begin with how the verb is used; their last line is the sentence.
    """

    def sentence(*words):
        result = invoke(*words)
        assert result.exit_code == 2, result.output
        assert "Traceback" not in result.output
        *usage, last = result.stderr.strip().splitlines()
        own = last.startswith("infimum: ") and last.endswith((".", "?"))
        assert (own and not usage) or (last.startswith("Error: ") and usage)
        return last

    return sentence


@pytest.fixture(scope="session")
def run(csv, tmp_path_factory):
    """Return the directory of a run that was learned once for all tests."""
    out = tmp_path_factory.mktemp("runs") / "run"
    words = ["learn", str(csv), "--target", "quality", "--out", str(out)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    return out


@pytest.fixture(scope="session", autouse=True)
def one_sweep():
    """Race one sweep of five strengths instead of three: the same job, sooner done."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infimum.learn.compare.race.SWEEPS", 1)
        yield
