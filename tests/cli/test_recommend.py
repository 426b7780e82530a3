"""``infimum recommend``: a table of ratings in, lists and a page out."""

import numpy as np
import pytest
from typer.testing import CliRunner

import infimum
from infimum.cli import app


@pytest.fixture
def ratings(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["who,what,stars"]
    for user in range(12):
        lines.extend(
            f"u{user},item {item},{rng.integers(1, 6)}"
            for item in rng.choice(9, 5, replace=False)
        )
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_ratings_become_lists_a_page_and_a_model(ratings, tmp_path):
    out = tmp_path / "out"
    given = ["recommend", str(ratings), "--user", "who", "--item", "what"]
    done = CliRunner().invoke(
        app, [*given, "--rating", "stars", "--factors", "2", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert "recommended" in done.output
    assert "Proved" in done.output
    page = (out / "recommendations.html").read_text(encoding="utf-8")
    for words in ("root mean squared error", "What the factors mean", "any rank"):
        assert words in page
    model = infimum.load(out / "recommender.infimum")
    assert len(model.recommend(["u0"], 3)[0]) == 3


def test_without_a_rating_a_row_says_that_it_was_used(ratings, tmp_path):
    given = ["recommend", str(ratings), "--user", "who", "--item", "what"]
    done = CliRunner().invoke(app, [*given, "--out", str(tmp_path / "o")])
    assert done.exit_code == 0, done.output
    assert infimum.load(tmp_path / "o" / "recommender.infimum").implicit


def test_a_column_that_is_not_there_is_named(ratings, tmp_path):
    given = ["recommend", str(ratings), "--user", "nobody", "--item", "what"]
    done = CliRunner().invoke(app, [*given, "--out", str(tmp_path / "o")])
    assert done.exit_code != 0
    assert "nobody" in done.output
