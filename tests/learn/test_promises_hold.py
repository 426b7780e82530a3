"""Promises on repeated draws of a population: bounds hold, coverage is in band."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from infimum.learn.evidence import gather
from infimum.learn.evidence import gathering as shelf
from infimum.learn.folds import split_off_test
from infimum.learn.problem import pose
from infimum.models.linear import LogisticRegression, Ridge

DRAWS, ROWS, ALL, MODELS = 25, 250, 20_000, 30


def population(seed=11):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, ALL))
    signal = 1.5 * x - z + rng.standard_t(5, size=ALL)
    words = np.where(signal > 0, "yes", "no")
    return pl.DataFrame({"x": x, "z": z, "signal": signal, "verdict": words})


@pytest.fixture(scope="module", params=["verdict", "signal"])
def kept(request):
    """Learn from draws of a population; return what was promised and what is true."""
    everybody = population().select("x", "z", request.param)
    whole = pose(everybody, request.param)
    made = []
    with pytest.MonkeyPatch.context() as patch:
        owed = {name: shelf.SECTIONS[name] for name in ("guarantees", "conformal")}
        patch.setattr(shelf, "SECTIONS", owed)
        for seed in range(DRAWS):
            order = np.random.default_rng(seed).permutation(ALL)
            made.append(_promised(whole, order[:ROWS], order[ROWS:], seed))
    return made


def _promised(whole, given, fresh, seed):
    drawn = whole.only(given)
    split = split_off_test(drawn, seed)
    training, test = drawn.only(split.train), drawn.only(split.held_back)
    model = LogisticRegression() if len(whole.classes) else Ridge()
    steps = [("encoder", clone(training.encoder)), ("model", model)]
    pipeline = Pipeline(steps).fit(training.rows, training.y)
    options = {"classes": whole.classes, "task": whole.task, "seed": seed}
    options |= {"models_compared": MODELS, "expected_error": 0.2}
    found = gather(pipeline, training, test.rows, test.y, **options)
    said, y = pipeline.predict(whole.rows[fresh]), whole.y[fresh]
    if len(whole.classes):
        chances = pipeline.predict_proba(whole.rows[fresh])
        half = 0.5 * np.square(chances - (y[:, None] == whole.classes)).sum(axis=1)
        truth = {"error rate": np.mean(said != y), "squared error": half.mean()}
    else:
        off = np.minimum(np.abs(y - said), np.ptp(training.y))
        truth = {"mean absolute error": off.mean()}
    return found, truth


def _broken(kept, *, alone):
    broken = total = 0
    for found, truth in kept:
        for each in found["guarantees"]["bounds"]:
            if (each["comparisons"] == 1) == alone:
                key = next(key for key in truth if each["quantity"].startswith(key))
                broken += each["bound"] < truth[key]
                total += 1
    return broken, total


def test_bounds_that_pay_for_all_models_are_never_exceeded(kept):
    broken, total = _broken(kept, alone=False)
    assert total >= DRAWS
    assert broken == 0


def test_bounds_for_the_chosen_model_fail_no_more_often_than_stated(kept):
    broken, total = _broken(kept, alone=True)
    assert total >= DRAWS
    assert broken <= binom.ppf(0.999, total, 0.05)


def test_coverage_lies_in_its_band_as_often_as_the_band_says(kept):
    covers = [found["conformal"]["coverage"] for found, _ in kept]
    inside = [
        each["band_low"] <= each["measured"] <= each["band_high"] for each in covers
    ]
    assert sum(inside) >= binom.ppf(0.001, DRAWS, 0.95)
    # Calibration rows and test rows are 25 each: averages over all draws are closer.
    assert np.mean([each["measured"] for each in covers]) == pytest.approx(
        0.9, abs=0.05
    )


def test_the_promises_are_not_idle(kept):
    bounds = [each for found, _ in kept for each in found["guarantees"]["bounds"]]
    assert np.mean([each["bound"] < 0.9 * each["largest"] for each in bounds]) > 0.9
