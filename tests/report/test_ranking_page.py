"""The page of a ranking, in a real browser, wide and on a phone."""

import numpy as np
import polars as pl
import pytest

from infimum.evaluation.ranked_games import Columns, rank_games
from infimum.report import render_ranking


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(0)
    u = np.linspace(1.5, -1.5, 9)
    i, j = np.array([rng.choice(9, 2, replace=False) for _ in range(300)]).T
    won = rng.random(300) < 1 / (1 + np.exp(u[j] - u[i]))
    names = np.array([f"player <{k}>" for k in range(9)])
    table = pl.DataFrame({"a": names[i], "b": names[j], "w": won.astype(int)})
    return rank_games(table, Columns("a", "b", "w")).result


@pytest.mark.parametrize("width", [1400, 390])
def test_the_page_draws_sorts_and_asks_for_nothing(chromium, result, tmp_path, width):
    path = tmp_path / "ranking.html"
    path.write_text(render_ranking(result), encoding="utf-8")
    page = chromium.page(path, width=width)
    page.wait("document.querySelectorAll('.figure .main-svg').length > 0")
    names = "[...document.querySelectorAll('#scores tbody th')].map(h => h.textContent)"
    assert page.ask(names)[0] == result["items"][0]["name"]
    asked = [e["request"]["url"] for e in page.happened("Network.requestWillBeSent")]
    assert [url for url in asked if url.startswith("http")] == []
    assert page.happened("Runtime.exceptionThrown") == []
    assert page.ask("document.documentElement.scrollWidth") <= width


def test_the_page_shows_names_as_text_and_all_of_its_parts(result):
    text = render_ranking(result)
    assert "player &lt;0&gt;" in text
    assert "Who beat whom" in text
    assert "no order contradicts fewer than" in text
    assert "Games that would tell the most" in text
    assert "proved" in text
    assert len(result["next"]) == 5
    assert result["contradictions"]["bound"] <= result["contradictions"]["violations"]
