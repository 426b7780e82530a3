"""The report of every kind of task: what can be done on one page can on all."""

import json
import re

import pytest

from infimum.report import render
from tests.report.conftest import WISHES

EVERY = "[...document.querySelectorAll('%s')]"
RANGES = f"""{EVERY % ".figure"}.map(f => {{
  const l = f._fullLayout;
  return [...l.xaxis.range, ...l.yaxis.range].map(Number);
}})"""


@pytest.fixture(scope="module", params=WISHES)
def page(request, opened):
    return opened(request.param)


def test_every_table_sorts_by_every_heading(page):
    told = page.ask(f"""{EVERY % "table.sortable"}.map(table => {{
      const before = table.tBodies[0].rows.length;
      const buttons = [...table.querySelectorAll('thead button.sort')];
      const sorted = buttons.map(b => {{
        b.click();
        return b.closest('th').getAttribute('aria-sort');
      }});
      return [before, table.tBodies[0].rows.length, buttons.length, sorted];
    }})""")
    assert len(told) >= 2
    for before, after, buttons, sorts in told:
        assert before == after
        assert sorts == ["ascending"] * buttons


def test_every_figure_zooms_in_and_comes_back(page):
    whole = page.ask(RANGES)
    page.ask(f"{EVERY % 'button[data-act=in]'}.forEach(b => b.click())")
    near = page.ask(RANGES)
    assert all(a != b for a, b in zip(near, whole, strict=True))
    page.ask(f"{EVERY % 'button[data-act=reset]'}.forEach(b => b.click())")
    for again, first in zip(page.ask(RANGES), whole, strict=True):
        assert again == pytest.approx(first)


def test_the_theme_changes_the_page_and_no_error_is_said(page):
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.ask(paper)
    page.click("button.theme")
    assert page.ask(paper) != before
    page.click("button.theme")
    assert page.ask(paper) == before
    assert page.happened("Runtime.exceptionThrown") == []
    assert page.happened("Log.entryAdded") == []


def test_the_numbers_of_every_figure_are_there_to_take(page):
    tables = page.ask(
        "Object.values(JSON.parse(document.getElementById('figures').textContent))"
        ".map(f => [f.table.columns.length, f.table.rows.length])"
    )
    buttons = page.ask("document.querySelectorAll('button[data-act=csv]').length")
    assert len(tables) == buttons
    assert all(columns >= 2 and rows >= 1 for columns, rows in tables)
    page.ask(f"{EVERY % 'button[data-act=table]'}.forEach(b => b.click())")
    shown = page.ask(f"{EVERY % '.numbers table'}.map(t => t.tBodies[0].rows.length)")
    page.ask(f"{EVERY % 'button[data-act=table]'}.forEach(b => b.click())")
    assert sorted(shown) == sorted(rows for _, rows in tables)


def test_everything_has_a_name_and_sections_are_linked(page):
    nameless = f"{EVERY} .filter(e => !%s).length"
    assert page.ask(nameless % (".figure", "e.getAttribute('aria-label')")) == 0
    assert page.ask(nameless % ("main table", "e.caption")) == 0
    assert page.ask(nameless % (".scroll, pre", "e.getAttribute('aria-label')")) == 0
    assert page.ask(f"{EVERY % 'nav a'}.every(a => document.querySelector(a.hash))")
    linked = page.ask(f"{EVERY % 'nav a'}.map(a => a.hash.slice(1))")
    sections = page.ask(f"{EVERY % 'main > section'}.map(s => s.id)")
    assert [each for each in sections if each not in linked] == []


def test_no_score_stands_without_its_uncertainty(page):
    scores = page.ask(
        f"{EVERY % '#contenders tbody tr'}.map(r => r.cells[1].textContent)"
    )
    assert all("±" in text or "one fold" in text for text in scores)
    notes = page.ask(f"{EVERY % '.tile'}.map(t => t.textContent)")
    assert len(notes) == 4
    measured = [note for note in notes if "test rows" in note]
    assert all("% sure" in note or "asked for" in note for note in measured)


@pytest.mark.parametrize("task", WISHES)
def test_a_page_of_every_task_is_small_whole_and_free_of_markup(results, task):
    text = render(results[task])
    assert 10_000 < len(text.encode()) < 6e6
    visible = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.S)
    assert "window.broken" in visible
    assert "<i>target" not in visible
    assert not re.search(r"\b(nan|None|undefined)\b", visible)
    figures = re.search(r'id="figures">(.*?)</script>', text, flags=re.S)
    assert json.loads(figures[1])
