"""The law by export: after a fit a class of ours shows what scikit-learn's own does.

The same attributes are there, of the same kinds, shapes and widths. What differs has a
row in docs/dropin.md, by ``differences.toml``; what is single precision on one side and
double on the other has the row of samples in single precision.
"""

import numpy as np
import pytest
from sklearn.base import is_classifier

from benchmarks.conformance.__main__ import DOCS, rows_of
from tests.dropin import alike

CLASSES = alike.classes()


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", CLASSES)
def test_what_is_shown_after_a_fit(name):
    ours, theirs = CLASSES[name]
    many = is_classifier(alike.made(theirs))
    told = {}
    for several, wide in [(False, True), (False, False), *[(True, True)] * many]:
        X, y = alike.table_for(theirs, several=several)
        X = X if wide else X.astype(np.float32)
        model, known = alike.fitted(ours, X, y), alike.fitted(theirs, X, y)
        assert not isinstance(model, Exception), model
        assert not isinstance(known, Exception), known
        for key, value in alike.shown(known).items():
            wanted, found = alike.kind_of(value, wide=wide), "nothing"
            if hasattr(model, key):
                found = alike.kind_of(getattr(model, key), wide=wide)
            same = found == wanted or (wanted, found) == ("float", "float64")
            if not same and not alike.explained(f"{name}.{key}"):
                told[key] = f"{found}, there {wanted}"
    assert told == {}


def test_every_difference_is_a_row_and_of_a_class():
    rows = rows_of((DOCS / "dropin.md").read_text(encoding="utf-8"))
    assert set(alike.DIFFERENCES) <= rows
    named = {each.split(".")[0] for what in alike.DIFFERENCES.values() for each in what}
    assert {name for name in named if "*" not in name} <= set(CLASSES)
