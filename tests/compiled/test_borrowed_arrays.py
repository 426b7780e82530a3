"""Loops that borrow arrays count no references, so they must not make or return any."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numba import config, njit
from numba.core.errors import NumbaError

from infimum.compiled.inner_loop import inner_loop


@inner_loop(borrows=True)
def total(x):
    out = 0.0
    for t in range(x[1:].size):
        out += x[1:][t]
    return out


@inner_loop(borrows=True)
def tail(x):
    return x[1:], 1.0


@inner_loop(borrows=True)
def ones(x):
    return np.ones(x.size)[0]


def asked(loop):
    @njit
    def caller(x):
        return loop(x)

    return caller(np.arange(4.0))


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("loop", "words"), [(tail, "must not return"), (ones, "NRT required|Only accept")]
)
def test_a_loop_that_borrows_neither_returns_arrays_nor_makes_them(loop, words):
    assert asked(total) == 6.0
    with pytest.raises((NumbaError, TypeError), match=words):
        asked(loop)


COUNTS = """
import sys
import numpy as np
from infimum.models.ensembles import HistGradientBoostingRegressor
from infimum.models.trees import DecisionTreeClassifier
from numba.core.runtime import rtsys
X = np.random.default_rng(0).normal(size=(400, 5))
X[:, 0] = np.round(np.abs(X[:, 0]) * 4)
models = [
    DecisionTreeClassifier(random_state=0, categorical_features=[0]),
    HistGradientBoostingRegressor(max_iter=4, categorical_features=[0]),
]
for model in models:
    model.fit(X, X[:, 1] > 0)
    before = rtsys.get_allocation_stats()
    for _ in range(5):
        model.fit(X, X[:, 1] > 0)
    after = rtsys.get_allocation_stats()
    made = after.mi_alloc - before.mi_alloc
    print(made > 0, made - (after.mi_free - before.mi_free))
"""


def test_all_arrays_that_growing_trees_makes_are_given_back():
    env = {
        **os.environ,
        "NUMBA_NRT_STATS": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run(
        [sys.executable, "-c", COUNTS],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[:2] == ["True 0", "True 0"]
