"""``infimum rank``: a table of games in, a table, a page and a proof out."""

import polars as pl
import pytest

CITED = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]]
NAMES = ["Biometrika", "Comm. Statist.", "JASA", "JRSS-B"]


@pytest.fixture
def games(tmp_path):
    rows = [
        {"a": NAMES[i], "b": NAMES[j], "w": "win", "n": CITED[i][j]}
        for i in range(4)
        for j in range(4)
        if i != j
    ]
    path = tmp_path / "games.csv"
    pl.DataFrame(rows).write_csv(path)
    return path


def ranked(invoke, games, *more):
    words = ("--left", "a", "--right", "b", "--outcome", "w", "--weight", "n")
    return invoke("rank", games, *words, *more)


def test_a_table_is_ranked_written_and_proved_again(invoke, games, tmp_path):
    result = ranked(invoke, games)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert "JRSS-B" in lines[1]
    assert "proved optimal" in result.output
    assert "3,727 games of 4 items" in result.output
    out = tmp_path / "infimum-ranking"
    assert {p.name for p in out.iterdir()} == {"ranking.infimum", "ranking.html"}
    again = invoke("certify", out / "ranking.infimum", games)
    assert again.exit_code == 0, again.output
    assert "is the data the model was trained on" in again.output
    assert "proved optimal" in again.output


def test_other_games_do_not_prove_a_ranking(invoke, games, tmp_path):
    ranked(invoke, games)
    frame = pl.read_csv(games).with_columns(n=pl.col("n").reverse())
    frame.write_csv(tmp_path / "other.csv")
    model = tmp_path / "infimum-ranking" / "ranking.infimum"
    again = invoke("certify", model, tmp_path / "other.csv")
    assert again.exit_code == 2
    assert "is NOT the data" in again.output
    assert "NOT proved optimal" in again.output


def test_ties_and_home_advantage_are_options(invoke, tmp_path):
    rows = [("a", "b", 1), ("b", "a", 0.5), ("b", "c", 1), ("c", "a", 1), ("a", "c", 1)]
    path = tmp_path / "games.csv"
    pl.DataFrame(rows, schema=["x", "y", "z"], orient="row").write_csv(path)
    words = ("--left", "x", "--right", "y", "--outcome", "z")
    result = invoke(
        "rank", path, *words, "--ties", "davidson", "--home", "--strength", "0.1"
    )
    assert result.exit_code == 0, result.output
    assert "The left side has an advantage" in result.output


def test_bad_games_are_refused_in_one_sentence(refused, games, tmp_path):
    words = ("--left", "a", "--right", "b")
    told = refused("rank", games, *words, "--outcome", "v")
    assert "v" in told
    path = tmp_path / "lost.csv"
    path.write_text("a,b\nx,y\nx,y\n")
    told = refused("rank", path, *words)
    assert "'x' never lost to the others, and 'y' never won" in told
    told = refused("rank", games, *words, "--ties", "never")
    assert "ties must be one of" in told
    path.write_text("a,b,w\nx,y,perhaps\ny,x,win\n")
    told = refused("rank", path, *words, "--outcome", "w")
    assert "outcome of 'x' against 'y'" in told
