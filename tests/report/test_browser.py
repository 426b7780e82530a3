"""The report in a real browser: the figures draw, nothing is fetched."""

import re
import shutil
import subprocess

import pytest

from infimum.report import render

BROWSER = next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])),
    None,
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=8000",
]
#: Added to a copy of the page: what it asked for, and what its policy had to forbid.
WITNESS = """<script>
window.forbidden = [];
document.addEventListener("securitypolicyviolation", function (event) {
  window.forbidden.push(event.violatedDirective + " " + event.blockedURI);
});
window.addEventListener("load", function () {
  setTimeout(function () {
    var entries = performance.getEntriesByType("resource");
    var asked = entries.map(function (entry) { return entry.name; });
    asked = asked.filter(function (name) { return !/^(data|blob):/.test(name); });
    document.body.dataset.asked = JSON.stringify(asked.concat(window.forbidden));
    document.body.dataset.broken = String(Boolean(window.broken));
  }, 500);
});
</script>"""


@pytest.mark.parametrize("task", ["binary", "regression"])
@pytest.mark.parametrize("width", [1280, 390])
def test_figures_draw_and_nothing_is_fetched(results, tmp_path, task, width):
    assert BROWSER, "No Chromium found; `make test` installs it when run as root."
    page = render(results[task])
    path = tmp_path / "report.html"
    path.write_text(page.replace("</head>", WITNESS + "</head>", 1), encoding="utf-8")
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    browser = [BROWSER, *FLAGS, profile, f"--window-size={width},1400", "--dump-dom"]
    drawn = subprocess.run(
        [*browser, path.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    places = re.findall(r'<div class="figure[^>]*data-figure="(\w+)"', drawn)
    assert len(places) >= 5
    assert drawn.count('<svg class="main-svg"') >= len(places)
    assert 'data-asked="[]"' in drawn
    assert 'data-broken="false"' in drawn
