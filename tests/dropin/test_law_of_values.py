"""The law by export: what scikit-learn's class accepts, and what it refuses.

Values of every parameter are drawn from what scikit-learn says of it. One that its
class fits with, ours fits with; one that it refuses, ours refuses, with an error that
is caught alike. What differs has a row in docs/dropin.md, by ``values.toml``.
"""

import pytest

from benchmarks.conformance.__main__ import DOCS, rows_of
from infimum.parameters import check_parameters
from tests.dropin import alike, drawn_values

CLASSES = alike.classes()
#: What scikit-learn's classes accept, and then fail with on every table.
IDLE = {"TheilSenRegressor.max_iter=0"}
#: Of what scikit-learn itself no longer recommends.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@pytest.mark.parametrize("name", CLASSES)
def test_values_that_are_accepted(name):
    ours, theirs = CLASSES[name]
    X, y = alike.table_for(theirs)
    told = []
    for key, value in drawn_values.accepted(theirs):
        found = alike.fitted(ours, X, y, **{key: value})
        if not isinstance(found, Exception) or alike.explained(
            f"{name}.{key}={value!r}", alike.VALUES
        ):
            continue
        if not isinstance(alike.fitted(theirs, X, y, **{key: value}), Exception):
            told.append(f"{key}={value!r}: {found!r}"[:150])
    assert told == []


@pytest.mark.parametrize("name", CLASSES)
def test_values_that_no_table_was_needed_for(name):
    ours, theirs = CLASSES[name]
    refused = set()
    for key, value in drawn_values.accepted(theirs):
        try:
            check_parameters(alike.made(ours).set_params(**{key: value}))
        except ValueError:
            refused.add(f"{name}.{key}={value!r}")
    assert {each for each in refused if not alike.explained(each, alike.VALUES)} <= IDLE


@pytest.mark.parametrize("name", CLASSES)
def test_values_that_are_refused(name):
    ours, theirs = CLASSES[name]
    X, y = alike.table_for(theirs)
    told = []
    for key, value in drawn_values.refused(theirs):
        found = alike.fitted(ours, X, y, **{key: value})
        alike_caught = isinstance(found, ValueError) and isinstance(found, TypeError)
        if not alike_caught and not alike.explained(
            f"{name}.{key}={value!r}", alike.VALUES
        ):
            told.append(f"{key}={value!r}: {found!r}"[:150])
    assert told == []


def test_every_difference_is_a_row():
    rows = rows_of((DOCS / "dropin.md").read_text(encoding="utf-8"))
    assert set(alike.VALUES) <= rows
