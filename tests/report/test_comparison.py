"""The page that puts runs side by side, in a real browser."""

import copy

import pytest

from infimum.report import comparison, render_comparison


@pytest.fixture
def pair(results):
    other = copy.deepcopy(results["binary"])
    other["seed"] = 1
    other["choice"]["score"] += 0.01
    other["exam"]["metrics"]["error"] += 0.02
    return {"one": results["binary"], "two": other}


@pytest.mark.parametrize("width", [1400, 390])
def test_the_page_draws_sorts_and_asks_for_nothing(chromium, pair, tmp_path, width):
    path = tmp_path / "comparison.html"
    path.write_text(render_comparison(pair), encoding="utf-8")
    page = chromium.page(path, width=width)
    page.wait("document.querySelectorAll('.figure .main-svg').length > 0")
    names = "[...document.querySelectorAll('tbody th')].map(h => h.textContent)"
    page.click("thead th:nth-child(4) button")
    assert page.ask(names) == ["one", "two"]
    page.click("thead th:nth-child(4) button")
    assert page.ask(names) == ["two", "one"]
    asked = [e["request"]["url"] for e in page.happened("Network.requestWillBeSent")]
    assert [url for url in asked if url.startswith("http")] == []
    assert page.happened("Runtime.exceptionThrown") == []
    assert page.ask("document.documentElement.scrollWidth") <= width


def test_every_number_has_its_uncertainty(pair):
    told = comparison(pair)
    for row in told["rows"]:
        assert "±" in row["cv"]["text"]
        assert " to " in row["interval"]["text"]
        assert "(" in row["coverage"]["text"]
