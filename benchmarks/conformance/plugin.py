"""A plugin of pytest: scikit-learn's tests meet our classes, and each is written down.

``pytest -p benchmarks.conformance.plugin`` patches scikit-learn before its tests are
imported, notes which of our classes and functions every test called, and writes a line
of JSON for each test into the file that ``CONFORMANCE_REPORT`` names. An error or a
warning of the right class in other words is noted, and the test goes on. With
``CONFORMANCE_BARE`` set nothing is patched: so a test is known to fail without us.
``CONFORMANCE_SHARE=10`` keeps a tenth of the tests, always the same, without those that
``left_out_of_the_tenth.txt`` names because they take long or fail on scikit-learn's own
classes too; ``CONFORMANCE_ONLY`` names a file of the tests to keep.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import os
import re
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sklearn.base import BaseEstimator

import infimum
from infimum.dropin.replacement import ROOMS, patch

__all__ = [
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_runtest_logreport",
    "pytest_runtest_makereport",
    "pytest_runtest_setup",
]

OURS = Path(infimum.__file__).parent
LEFT_OUT = Path(__file__).with_name("left_out_of_the_tenth.txt")
#: Names of ours that the running test has called, and messages it expected otherwise.
_called: set[str] = set()
_worded: list[str] = []


def pytest_configure(config: pytest.Config) -> None:
    """Patch scikit-learn, and watch what tests make of it."""
    if os.environ.get("CONFORMANCE_BARE"):
        return
    _watch_estimators()
    _watch_functions()
    pytest.raises = _forgiving(pytest.raises)
    pytest.warns = _forgiving(pytest.warns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch()


def _watch_estimators() -> None:
    """Note every estimator of ours that is made."""

    def made(kind: Any, *given: Any, **named: Any) -> Any:
        if kind.__module__.startswith("infimum."):
            _called.add(kind.__name__)
        return object.__new__(kind)

    BaseEstimator.__new__ = made


def _watch_functions() -> None:
    """Note every call of a function, or of a class that is no estimator."""
    for room in ROOMS:
        ours = importlib.import_module(f"infimum.dropin.{room}")
        for name in ours.__all__:
            value = getattr(ours, name)
            if inspect.isfunction(value):
                setattr(ours, name, _noted(value, name))
            elif inspect.isclass(value) and not issubclass(value, BaseEstimator):
                value.__init__ = _noted(value.__init__, name)  # type: ignore[method-assign]


def _forgiving(asked: Any) -> Any:
    """Ask for the class of an error or warning, and note where its words differ."""

    @contextmanager
    def told(*given: Any, match: Any = None, **named: Any) -> Iterator[Any]:
        with asked(*given, **named) as met:
            yield met
        found = [str(w.message) for w in met] if hasattr(met, "list") else [met.value]
        if match is not None and not any(re.search(match, str(f)) for f in found):
            _worded.append(getattr(match, "pattern", match))

    def ask(*given: Any, **named: Any) -> Any:
        """Leave calls with a function to pytest: they carry no words."""
        if len(given) > 1 and callable(given[1]):
            return asked(*given, **named)
        return told(*given, **named)

    return ask


def _noted(function: Any, name: str) -> Any:
    if not function.__module__.startswith("infimum."):
        return function

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        _called.add(name)
        return function(*given, **named)

    return call


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Keep the share that is asked for, by a checksum, or the names that are."""
    share = int(os.environ.get("CONFORMANCE_SHARE", "1"))
    if share > 1:
        left_out = LEFT_OUT.read_bytes().split(b"\n")
        items[:] = [
            each
            for each in items
            if zlib.crc32(_name(each.nodeid)) % share == 0
            and _name(each.nodeid) not in left_out
        ]
    if "CONFORMANCE_ONLY" in os.environ:
        only = Path(os.environ["CONFORMANCE_ONLY"]).read_bytes().split(b"\n")
        items[:] = [each for each in items if _name(each.nodeid) in {*only}]


def _name(node: str) -> bytes:
    """Return a test's identity, whatever folder scikit-learn lies in."""
    return node[max(node.find("sklearn/"), 0) :].encode()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin a test with a clean sheet."""
    _called.clear()
    _worded.clear()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Any:
    """Put what the test called on its report, which goes between processes."""
    outcome = yield
    outcome.get_result().called = sorted(_called)
    outcome.get_result().worded = list(_worded)


def pytest_runtest_logreport(report: Any) -> None:
    """Write a line for a test that has run, or did not get so far."""
    place = os.environ.get("CONFORMANCE_REPORT")
    if place is None or "PYTEST_XDIST_WORKER" in os.environ:
        return
    if report.when != "call" and report.outcome == "passed":
        return
    last = str(getattr(report, "longreprtext", "")).strip().splitlines()
    said = [each[1:].strip() for each in last if each.startswith("E ")]
    crash = getattr(report.longrepr, "reprcrash", None)
    line = {
        "test": _name(report.nodeid).decode(),
        "outcome": "error"
        if report.failed and report.when != "call"
        else report.outcome,
        "expected": bool(getattr(report, "wasxfail", "")),
        "called": getattr(report, "called", []),
        "worded": getattr(report, "worded", []),
        "said": " ".join(said)[:300],
        "inside": crash is not None and OURS in Path(crash.path).parents,
        "seconds": round(report.duration, 3),
    }
    with Path(place).open("a", encoding="utf-8") as sheet:
        sheet.write(json.dumps(line) + "\n")
