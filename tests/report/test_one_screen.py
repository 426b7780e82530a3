"""One screen a section: in no task is anything taller or wider than it may be."""

import pytest

from infimum.report import render
from tests.report.conftest import WISHES

SCREEN = 900
#: What the bar of links at the top takes away.
BAR = 48
#: Every section with each of its parts in turn, and how high it then is.
HEIGHTS = """(() => {
  const found = [];
  document.querySelectorAll('main > section').forEach(section => {
    const tabs = [...section.querySelectorAll('[role=tab]')];
    const height = () => Math.round(section.getBoundingClientRect().height);
    if (!tabs.length) found.push([section.id, '', height()]);
    tabs.forEach(tab => { tab.click(); found.push([section.id, tab.id, height()]); });
    if (tabs.length) tabs[0].click();
  });
  return found;
})()"""
OPENING = """document.querySelector('main > section').getBoundingClientRect().top
  - document.querySelector('h1').getBoundingClientRect().top"""
#: What ends to the right of the page outside of boxes that scroll.
OUTSIDE = """[...document.querySelectorAll('body *')].filter(e => {
  const b = e.getBoundingClientRect();
  return b.width && b.right > innerWidth + 1
    && !e.closest('.scroll, pre, nav ul, .skip, .unseen, .numbers, svg');
}).map(e => e.tagName + '.' + e.className)"""


@pytest.fixture(scope="module", params=WISHES)
def task(request):
    return request.param


def test_every_section_fits_one_screen(opened, task):
    page = opened(task, 1440)
    found = page.ask(HEIGHTS)
    assert len(found) >= 4
    assert [each for each in found if each[2] > SCREEN - BAR] == []
    assert page.ask(OPENING) <= SCREEN


def test_a_phone_scrolls_one_way_only(opened, task):
    page = opened(task, 390)
    assert page.ask("document.documentElement.scrollWidth") <= 390
    assert page.ask(OUTSIDE) == []
    page.ask("document.querySelectorAll('[role=tab]').forEach(t => t.click())")
    assert page.ask("document.documentElement.scrollWidth") <= 390
    assert page.ask(OUTSIDE) == []


def test_parts_are_chosen_by_keys_and_told_as_tabs(opened):
    page = opened("binary", 1440)
    first = "#fairness [role=tab]"
    page.ask(f"document.querySelector('{first}').focus()")
    told = f"""[...document.querySelectorAll('{first}')].map(tab => [
      tab.getAttribute('aria-selected'), tab.tabIndex,
      !document.getElementById(tab.getAttribute('aria-controls')).hidden])"""
    here = ["true", 0, True]
    there = ["false", -1, False]
    count = len(page.ask(told))
    assert count >= 3
    assert page.ask(told) == [here] + [there] * (count - 1)
    page.press("ArrowRight")
    assert page.ask(told) == [there, here] + [there] * (count - 2)
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    assert page.ask(told) == [there] * (count - 1) + [here]
    assert page.ask("document.activeElement.getAttribute('role')") == "tab"
    page.press("Home")
    assert page.ask(told)[0] == here


def test_figures_of_a_part_are_as_wide_as_the_part(opened):
    page = opened("binary", 1440)
    widths = page.ask("""[...document.querySelectorAll('[role=tab]')].flatMap(tab => {
      tab.click();
      const view = document.getElementById(tab.getAttribute('aria-controls'));
      return [...view.querySelectorAll('.figure')].map(
        f => [f._fullLayout.width, f.getBoundingClientRect().width]);
    })""")
    assert len(widths) >= 4
    assert all(drawn == pytest.approx(room, abs=1) for drawn, room in widths)


def test_on_paper_every_part_is_shown_under_its_heading(opened):
    page = opened("binary", 1440)
    page.send("Emulation.setEmulatedMedia", media="print")
    page.ask("window.dispatchEvent(new Event('beforeprint'))")
    seen = page.ask("""[...document.querySelectorAll('.view')].map(v =>
      [v.getBoundingClientRect().height, v.querySelector('h3').offsetHeight])""")
    assert len(seen) >= 5
    assert all(view > 40 and heading > 10 for view, heading in seen)
    tabs = "[...document.querySelectorAll('.tabs')].every(t => !t.offsetHeight)"
    assert page.ask(tabs)
    page.ask("window.dispatchEvent(new Event('afterprint'))")
    page.send("Emulation.setEmulatedMedia", media="")
    hidden = "document.querySelectorAll('.view[hidden]').length"
    assert page.ask(hidden) >= 2


def test_without_a_script_every_part_is_there(results, chromium, tmp_path):
    path = tmp_path / "plain.html"
    path.write_text(render(results["binary"]), encoding="utf-8")
    page = chromium.page(path)
    page.send("Emulation.setScriptExecutionDisabled", value=True)
    page.send("Page.reload")
    page.wait("document.readyState === 'complete'")
    assert page.ask("document.querySelectorAll('.tabs').length") == 0
    assert page.ask(
        "[...document.querySelectorAll('.view')].every(v => v.offsetHeight)"
    )
