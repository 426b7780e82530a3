"""The page of conformance, and its numbers as JSON."""

from __future__ import annotations

import json
import platform
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import sklearn

if TYPE_CHECKING:
    from benchmarks.conformance.__main__ import Sorted

__all__ = ["page"]

KINDS = ("passed", "intended", "bug", "skipped")
HEAD = """# Conformance: scikit-learn's own tests on our classes

`make conformance` runs the tests that scikit-learn {version} is packaged with on our
classes, without a changed line: `infimum.dropin.patch()` is on when they are imported.
Counted are tests that call a class or a function of ours; {untouched:,} others call
none, or fail on scikit-learn's own classes as well.

| | tests |
|---|---:|
{totals}

Of the tests that are neither skipped nor intended, {share:.1%} pass. Skipped: by
scikit-learn's own conditions (absent packages, failures that it expects). Intended:
the test asks for what a row of [dropin.md](dropin.md) declines. A test that passes but
for the words of a message counts as intended: errors and warnings must be of the same
class. `docs/conformance.json` has the names. A fixed tenth of the tests, without
some fifty that take long, is part of `make test`.

{states}
"""


def page(found: Sorted, docs: Path, modules: list[str], every: list[str]) -> None:
    """Write ``conformance.md`` and ``conformance.json`` of some modules, or of all."""
    count = Counter(found.kind.values())
    text = HEAD.format(
        version=sklearn.__version__,
        untouched=count["not ours"],
        totals="\n".join(f"| {kind} | {count[kind]:,} |" for kind in KINDS),
        share=count["passed"] / max(count["passed"] + count["bug"], 1),
        states=_states(found),
    )
    missing = [each for each in every if each not in modules]
    if missing:
        text += f"\nNot in this table: {', '.join(missing)}.\n"
    text += "\n## By class\n\nA test counts for every class that it calls.\n\n"
    text += "| class | passed | intended | bug | skipped |\n|---|---:|---:|---:|---:|\n"
    for name, kinds in found.by_class().items():
        text += f"| `{name}` | {' | '.join(str(kinds[kind]) for kind in KINDS)} |\n"
    text += "\n## Intended, by row of dropin.md\n\n| row | tests |\n|---|---:|\n"
    for row, tests in sorted(Counter(found.row.values()).items()):
        text += f"| {row} | {tests} |\n"
    text += "\n## Bugs\n\n" + (_bugs(found) or "None.\n")
    (docs / "conformance.md").write_text(text, encoding="utf-8")
    told = {
        "scikit-learn": sklearn.__version__,
        "python": platform.python_version(),
        "modules": modules,
        "totals": dict(sorted(count.items())),
        "classes": {k: dict(v) for k, v in found.by_class().items()},
        "intended": dict(sorted(found.row.items())),
        "bugs": dict(sorted(found.bugs().items())),
    }
    words = json.dumps(told, indent=1, ensure_ascii=False)
    (docs / "conformance.json").write_text(words + "\n", encoding="utf-8")


def _states(found: Sorted) -> str:
    """Say on which commits the modules ran, and how many tests ran again later."""
    ran: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found.records:
        ran[_module(each["test"])][each["commit"]] += 1
    state = {module: seen.most_common(1)[0][0] for module, seen in ran.items()}
    modules = {
        name: sorted(m for m in state if state[m] == name)
        for name, _ in Counter(state.values()).most_common()
    }
    told = "; ".join(
        f"on {name} {', '.join(f'`{m}`' for m in some)}"
        for name, some in modules.items()
    )
    again = sum(seen.total() - seen[state[module]] for module, seen in ran.items())
    later = f" {again} tests ran again on a later one, after a mend." if again else ""
    return f"Commits that the modules ran on: {told}.{later}"


def _module(test: str) -> str:
    """Return the module of scikit-learn that a test belongs to."""
    _, folder, rest = test.split("/", 2)
    within = rest.partition(".py")[0].removeprefix("test_")
    return within if folder == "tests" else folder


def _bugs(found: Sorted) -> str:
    """List the bugs by test, with how many of its parameters fail and what is said."""
    bugs = found.bugs()
    count = Counter(name.partition("[")[0] for name in bugs)
    said = {name.partition("[")[0]: text for name, text in reversed(bugs.items())}
    lines = [
        f"| `{name.removeprefix('sklearn/')}` | {tests} | {_cell(said[name])} |"
        for name, tests in sorted(count.items())
    ]
    head = "| test | fails | first words |\n|---|---:|---|\n"
    return head + "\n".join(lines) + "\n" if lines else ""


def _cell(text: str) -> str:
    """Return the beginning of a message, fit for a cell of a table."""
    return "`" + text[:100].replace("|", "¦").replace("`", "'") + "`"
