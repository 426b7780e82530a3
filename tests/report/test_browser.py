"""The report in a real browser: it draws, sorts, zooms, and asks for nothing."""

import csv
import time
from itertools import pairwise

import pytest

#: How many figures the report of a task has at least.
FIGURES = {
    "binary": 12,
    "multiclass": 12,
    "regression": 12,
    "counts": 10,
    "quantile": 9,
    "ordinal": 10,
    "multilabel": 2,
    "novelty": 1,
}
EVERY = "[...document.querySelectorAll('%s')]"
ZOOMED = """(() => {
  const axis = document.querySelector('[data-figure="%s"]')._fullLayout.xaxis;
  return Math.abs(axis.range[1] - axis.range[0]);
})()"""


@pytest.fixture(scope="module")
def page(opened):
    return opened()


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("task, figures", FIGURES.items())
def test_figures_draw_and_nothing_is_fetched(opened, task, figures, width):
    page = opened(task, width)
    places = page.ask("document.querySelectorAll('.figure').length")
    assert places >= figures
    drawn = f"{EVERY % '.figure'}.filter(f => f.querySelector('svg')).length"
    assert page.ask(drawn) == places
    asked = [
        each["request"]["url"] for each in page.happened("Network.requestWillBeSent")
    ]
    assert [
        url for url in asked if not url.startswith(("file:", "data:", "blob:"))
    ] == []
    assert len([url for url in asked if url.startswith("file:")]) == 1
    assert page.happened("Runtime.exceptionThrown") == []
    assert page.happened("Log.entryAdded") == []
    loud = [e["type"] for e in page.happened("Runtime.consoleAPICalled")]
    assert not {"error", "warning", "assert"} & set(loud)
    assert page.ask("window.broken") is None
    # Nothing is wider than the page: a phone scrolls one way only.
    assert page.ask("document.documentElement.scrollWidth") <= width


def test_tables_sort_by_click_and_by_keyboard(page):
    rows = EVERY % "#contenders tbody tr"
    column = f"{rows}.map(r => Number(r.cells[1].dataset.value))"
    button = "#contenders thead th:nth-child(2) button"
    page.click(button)
    scores = page.ask(column)
    assert scores == sorted(scores)
    assert len(set(scores)) > 1
    page.ask(f"document.querySelector('{button}').focus()")
    page.press("Enter")
    assert page.ask(column) == sorted(scores, reverse=True)
    heading = "document.querySelector('#contenders th[aria-sort]')"
    assert page.ask(f"{heading}.getAttribute('aria-sort')") == "descending"
    assert "descending" in page.ask("document.querySelector('.news').textContent")


def test_texts_sort_too(page):
    names = f"{EVERY % '#data tbody tr'}.map(r => r.cells[1].textContent)"
    page.click("#data thead th:nth-child(2) button")
    kinds = page.ask(names)
    assert kinds == sorted(kinds)


@pytest.mark.parametrize("name", ["roc", "importance", "score_path"])
def test_figures_zoom_by_button_and_come_back(page, name):
    whole = page.ask(ZOOMED % name)
    page.click(f'button[data-act="in"][data-of="{name}"]')
    assert page.ask(ZOOMED % name) == pytest.approx(0.6 * whole)
    page.click(f'button[data-act="out"][data-of="{name}"]')
    page.click(f'button[data-act="in"][data-of="{name}"]')
    page.click(f'button[data-act="reset"][data-of="{name}"]')
    assert page.ask(ZOOMED % name) == pytest.approx(whole)


def test_figures_zoom_by_drawing_a_box(page):
    page.ask(
        "document.querySelector('[data-figure=roc]').scrollIntoView({block: 'center'})"
    )
    box = page.ask(
        "(() => { const b = document.querySelector('[data-figure=roc] .nsewdrag')"
        ".getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()"
    )
    whole = page.ask(ZOOMED % "roc")
    x, y, width, height = box
    page.drag((x + 0.2 * width, y + 0.2 * height), (x + 0.6 * width, y + 0.7 * height))
    page.wait(f"{ZOOMED % 'roc'} < {0.5 * whole}")
    # A zoomed figure keeps its view when the theme changes.
    near = page.ask(ZOOMED % "roc")
    page.click("button.theme")
    page.click("button.theme")
    assert page.ask(ZOOMED % "roc") == pytest.approx(near)
    page.click('button[data-act="reset"][data-of="roc"]')
    assert page.ask(ZOOMED % "roc") == pytest.approx(whole)


def test_the_theme_switches_figures_and_page(page):
    paper = "getComputedStyle(document.body).backgroundColor"
    line = (
        "document.querySelector('[data-figure=roc] .scatterlayer "
        ".trace:last-child path.js-line').style.stroke"
    )
    before = (
        page.ask(paper),
        page.ask(line),
        page.ask("document.documentElement.dataset.theme"),
    )
    page.click("button.theme")
    after = (
        page.ask(paper),
        page.ask(line),
        page.ask("document.documentElement.dataset.theme"),
    )
    assert all(a != b for a, b in zip(before, after, strict=True))
    page.click("button.theme")
    assert page.ask(paper) == before[0]


def test_the_numbers_of_every_figure_can_be_downloaded(page, tmp_path):
    page.downloads_to(tmp_path)
    figures = page.ask(
        "[...document.querySelectorAll('.figure')].map(f => f.dataset.figure)"
    )
    buttons = page.ask("document.querySelectorAll('button[data-act=csv]').length")
    assert buttons == len(figures)
    page.click('button[data-act="csv"][data-of="importance"]')
    path = tmp_path / "importance.csv"
    end = time.monotonic() + 60
    while not (path.exists() and path.stat().st_size):
        assert time.monotonic() < end, list(tmp_path.iterdir())
        time.sleep(0.05)
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[-2:] == ["low", "high"]
    assert len(rows) == 3
    assert all(float(row[-2]) <= float(row[-1]) for row in rows)


def test_the_numbers_of_a_figure_can_be_read_in_place(page):
    button = 'button[data-act="table"][data-of="calibration"]'
    page.click(button)
    assert page.ask("document.querySelectorAll('.numbers tbody tr').length") > 1
    assert page.ask(f"document.querySelector('{button}').ariaExpanded") == "true"
    page.click(button)
    assert page.ask("document.querySelectorAll('.numbers').length") == 0


def test_on_paper_figures_fit_the_sheet_and_come_back(page):
    widths = f"{EVERY % '.figure'}.map(f => f._fullLayout.width)"
    dark = "document.documentElement.dataset.theme = 'dark'"
    screen = page.ask(widths)
    page.ask(f"{dark}; window.dispatchEvent(new Event('beforeprint'))")
    paper = page.ask(widths)
    assert max(paper) == 700
    assert 222 in paper
    assert page.ask("document.documentElement.dataset.theme") == "light"
    page.ask("window.dispatchEvent(new Event('afterprint'))")
    assert page.ask(widths) == screen


def test_the_keyboard_reaches_the_answer_first(opened):
    page = opened("regression")
    page.press("Tab")
    assert page.ask("document.activeElement.className") == "skip"
    page.press("Enter")
    page.wait("location.hash === '#main'")
    page.press("Tab")
    # The next stop is inside the answer, not in the navigation above it.
    assert page.ask("Boolean(document.activeElement.closest('main'))")


def test_headings_figures_and_tables_have_names(page):
    levels = page.ask(
        "[...document.querySelectorAll('h1,h2,h3')].map(h => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    nameless = "[...document.querySelectorAll('%s')].filter(e => !%s).length"
    assert page.ask(nameless % (".figure", "e.getAttribute('aria-label')")) == 0
    assert page.ask(nameless % ("main table", "e.caption")) == 0
    assert page.ask(nameless % ("button", "(e.textContent.trim() || e.ariaLabel)")) == 0
    assert (
        page.ask(
            nameless
            % ("section", "document.getElementById(e.getAttribute('aria-labelledby'))")
        )
        == 0
    )
    assert page.ask(f"{EVERY % 'nav a'}.every(a => document.querySelector(a.hash))")
