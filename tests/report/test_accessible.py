"""The report for those who press keys or listen: order, focus, names, contrast."""

import json

import pytest

from tests.report.contrast import ratio

EVERY = "[...document.querySelectorAll('%s')]"
HERE = """(() => {
  const e = document.activeElement, s = getComputedStyle(e);
  const b = e.getBoundingClientRect();
  return {
    tag: e.tagName, act: e.dataset.act || '', of: e.dataset.of || '', name: e.className,
    place: [...document.querySelectorAll('*')].indexOf(e),
    outline: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2,
    seen: b.width * b.height > 0 && b.right > 0 && b.top < innerHeight && b.bottom > 0,
  };
})()"""
THEMES = ["light", "dark"]


@pytest.fixture
def load(opened):
    """Return a function that opens the report of a task."""
    return opened


@pytest.fixture(scope="module")
def stops(opened):
    """Return where the Tab key stops, from the top of the page to its end."""
    page, found = opened(), []
    while True:
        page.press("Tab")
        here = page.ask(HERE)
        if here["tag"] == "BODY" or (found and here["place"] == found[0]["place"]):
            return found
        found.append(here)
        assert len(found) < 1000


def test_the_tab_key_goes_through_the_page_in_the_order_of_reading(stops):
    places = [stop["place"] for stop in stops]
    assert places == sorted(places)
    assert stops[0]["name"] == "skip"
    assert len(set(places)) == len(places)


def test_every_stop_is_in_sight_and_marked(stops):
    assert [stop for stop in stops if not stop["outline"]] == []
    assert [stop for stop in stops if not stop["seen"]] == []


def test_the_tab_key_reaches_everything_that_can_be_done(stops, load):
    page = load()
    # Of the parts of a section one is shown; its tab is the stop of all its tabs.
    buttons = page.ask(
        f"{EVERY % 'button'}.filter(b => !b.closest('[hidden]') && b.tabIndex >= 0)"
        ".length"
    )
    links = page.ask("document.querySelectorAll('a[href]').length")
    assert sum(stop["tag"] == "BUTTON" for stop in stops) == buttons
    assert sum(stop["tag"] == "A" for stop in stops) == links
    assert {stop["act"] for stop in stops} >= {"in", "out", "reset", "table", "csv"}


def test_boxes_that_hide_something_are_stops_and_others_are_not(load):
    page = load(width=390)
    boxes = page.ask(
        f"{EVERY % '.scroll, pre'}.filter(b => !b.closest('[hidden]'))"
        ".map(b => [b.scrollWidth > b.clientWidth + 1 || "
        "b.scrollHeight > b.clientHeight + 1, b.tabIndex === 0])"
    )
    assert any(hides for hides, _ in boxes)
    assert all(hides == stop for hides, stop in boxes)
    named = f"{EVERY % '.scroll, pre'}.every(b => b.getAttribute('aria-label'))"
    assert page.ask(named)


@pytest.mark.parametrize("key", ["Enter", " "])
def test_headings_sort_by_either_key_and_say_so(load, key):
    page = load()
    heading = "#contenders thead th:nth-child(2)"
    page.ask(f"document.querySelector('{heading} button').focus()")
    page.press(key)
    sort = f"document.querySelector('{heading}').getAttribute('aria-sort')"
    assert page.ask(sort) == "ascending"
    assert "ascending" in page.ask("document.querySelector('.news').textContent")
    page.press(key)
    assert page.ask(sort) == "descending"
    assert page.ask("document.activeElement.className") == "sort"


def test_arrow_keys_move_a_figure_that_is_zoomed_and_only_then(load):
    page = load()
    ranges = (
        "(() => { const l = document.querySelector('[data-figure=roc]')._fullLayout;"
        " return [...l.xaxis.range, ...l.yaxis.range]; })()"
    )
    page.ask("document.querySelector('button[data-act=in][data-of=roc]').focus()")
    whole = page.ask(ranges)
    page.press("ArrowRight")
    assert page.ask(ranges) == whole
    page.press("Enter")
    left, right, low, high = page.ask(ranges)
    page.press("ArrowRight")
    page.press("ArrowUp")
    moved = page.ask(ranges)
    across, up = 0.2 * (right - left), 0.2 * (high - low)
    assert moved == pytest.approx([left + across, right + across, low + up, high + up])


def test_figures_are_told_in_words(load):
    page = load()
    told = page.ask(
        f"{EVERY % '.figure'}.map(f => document.getElementById("
        "f.getAttribute('aria-describedby')).textContent)"
    )
    assert len(told) >= 12
    assert all("value" in text and "Table" in text for text in told)


def test_there_is_one_of_each_landmark(load):
    page = load()
    for landmark in ("main", "nav", "body > header", "body > footer"):
        assert page.ask(f"document.querySelectorAll('{landmark}').length") == 1
    assert page.ask("document.documentElement.lang") == "en"
    assert page.ask("document.title").endswith("Infimum")


def test_a_screen_reader_meets_names_for_everything(load):
    page = load()
    page.send("Accessibility.enable")
    tree = page.send("Accessibility.getFullAXTree")["nodes"]
    met = [node for node in tree if not node.get("ignored")]
    roles = {"button", "link", "image", "region", "table", "heading", "group"}
    nameless = [
        node["role"]["value"]
        for node in met
        if node["role"]["value"] in roles and not node["name"].get("value", "").strip()
    ]
    assert nameless == []
    kinds = [node["role"]["value"] for node in met]
    for needed in ("banner", "navigation", "main", "contentinfo", "status"):
        assert kinds.count(needed) == 1, needed


@pytest.mark.parametrize("theme", THEMES)
def test_texts_stand_out_from_what_is_behind_them(load, theme):
    page = load()
    if page.ask("document.documentElement.dataset.theme") != theme:
        page.click("button.theme")
    # Each text with its colour, size and the backgrounds under it, nearest first.
    texts = page.ask("""(() => {
      const found = {};
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const e = walk.currentNode.parentElement, s = getComputedStyle(e);
        const text = walk.currentNode.textContent.trim().slice(0, 40);
        if (!text || e.closest('script, noscript')) continue;
        if (e.closest('svg, .unseen') || !e.getClientRects().length) continue;
        const under = [];
        for (let p = e; p; p = p.parentElement) {
          under.push(getComputedStyle(p).backgroundColor);
        }
        found[JSON.stringify([s.color, under])] = text;
      }
      return found;
    })()""")
    assert len(texts) >= 5
    weak = {
        text: round(ratio(*json.loads(key)), 2)
        for key, text in texts.items()
        if ratio(*json.loads(key)) < 4.5
    }
    assert weak == {}


@pytest.mark.parametrize("theme", THEMES)
def test_lines_and_marks_stand_out_too(load, theme):
    page = load()
    if page.ask("document.documentElement.dataset.theme") != theme:
        page.click("button.theme")
    names = ["ink", "muted", "accent", "warm", *(f"series{k}" for k in range(1, 9))]
    style = "getComputedStyle(document.documentElement).getPropertyValue('--%s').trim()"
    paper = page.ask(style % "paper")
    weak = [n for n in names if ratio(page.ask(style % n), [paper]) < 3]
    assert weak == []


def test_nothing_moves_for_who_asked_for_stillness(load):
    page = load()
    asked = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    page.send("Emulation.setEmulatedMedia", features=asked)
    assert page.ask("matchMedia('(prefers-reduced-motion: reduce)').matches")
    moving = page.ask(
        f"{EVERY % 'body, body *'}.map(e => getComputedStyle(e))"
        ".filter(s => s.transitionProperty !== 'none' || s.animationName !== 'none')"
        ".length"
    )
    assert moving == 0
