"""Conformal sets contain the true label as often as they promise."""

import numpy as np
import pytest

from infimum.errors import DataError, IncompatibleError
from infimum.evaluation import ConformalClassifier, measure_coverage
from infimum.models.linear import LinearSVC, LogisticRegression, Ridge


def clouds(rng, n, spread=0.7):
    y = rng.choice(["a", "b", "c"], n, p=[0.6, 0.3, 0.1])
    centres = {"a": [0, 0], "b": [1, 0], "c": [0, 1]}
    return np.array([centres[label] for label in y]) + spread * rng.standard_normal(
        (n, 2)
    ), y


@pytest.mark.parametrize("method", ["lac", "aps"])
def test_sets_keep_their_promise_on_unseen_rows(method, rng):
    X, y = clouds(rng, 4000)
    model = ConformalClassifier(
        LogisticRegression(), method=method, coverage=0.85, empty_sets=True
    ).fit(X[:1600], y[:1600])
    sets = model.predict_set(X[1600:])
    found = measure_coverage(
        sets, y[1600:], 0.85, classes=model.classes_, n_calibration=400
    )
    assert found.band_low <= found.measured <= found.band_high
    assert found.size == pytest.approx(sets.sum(axis=1).mean())
    assert "agrees with" in found.sentence


def test_the_least_ambiguous_sets_are_the_smallest_on_average(rng):
    X, y = clouds(rng, 4000)
    sizes = {}
    for method in ("lac", "aps"):
        model = ConformalClassifier(LogisticRegression(), method=method)
        sizes[method] = model.fit(X[:2000], y[:2000]).predict_set(X[2000:]).mean()
    assert sizes["lac"] < sizes["aps"]


def test_each_label_can_have_its_own_promise(rng):
    X, y = clouds(rng, 6000)
    whole = ConformalClassifier(LogisticRegression()).fit(X[:3000], y[:3000])
    each = ConformalClassifier(LogisticRegression(), by_label=True)
    each.fit(X[:3000], y[:3000])
    fresh, truth = X[3000:], y[3000:]
    plain = measure_coverage(
        whole.predict_set(fresh), truth, classes=whole.classes_, groups=truth
    )
    own = measure_coverage(
        each.predict_set(fresh), truth, classes=each.classes_, groups=truth
    )
    assert plain.kept
    assert not plain.groups["c"].kept
    for label in "abc":
        assert own.groups[label].measured == pytest.approx(0.9, abs=0.06)
    with pytest.raises(IncompatibleError, match="takes no groups"):
        each.calibrate(X, y, groups=y)


def test_sets_have_at_least_the_most_probable_label(rng):
    X, y = clouds(rng, 2000, spread=0.2)
    model = ConformalClassifier(LogisticRegression(), coverage=0.5).fit(X, y)
    sets = model.predict_set(X)
    assert sets.any(axis=1).all()
    best = np.searchsorted(model.classes_, model.predict(X))
    assert sets[np.arange(len(X)), best].all()
    model.set_params(empty_sets=True)
    assert not model.predict_set(X).any(axis=1).all()


def test_more_coverage_means_larger_sets_up_to_all_labels(rng):
    X, y = clouds(rng, 400)
    model = ConformalClassifier(LogisticRegression(), method="aps").fit(X, y)
    small, large = (model.predict_set(X, coverage=c) for c in (0.6, 0.95))
    assert (small <= large).all()
    assert small.sum() < large.sum()
    assert model.predict_set(X, coverage=0.999).all()
    np.testing.assert_array_equal(model.predict_set(X), model.predict_set(X))


def test_a_label_that_was_never_learned_counts_as_missed(rng):
    X, y = clouds(rng, 400)
    fitted = LogisticRegression().fit(X[y != "c"], y[y != "c"])
    model = ConformalClassifier(fitted, coverage=0.5).calibrate(X, y)
    share = np.mean(y == "c")
    strange = model.strata_.scores[0] == 1.0
    assert strange.mean() == pytest.approx(share)


def test_groups_calibrate_apart(rng):
    X, y = clouds(rng, 1000)
    groups = rng.integers(0, 2, 1000)
    model = ConformalClassifier(LogisticRegression()).fit(X, y, groups)
    assert set(model.strata_.sizes) == {0, 1}
    assert sum(model.strata_.sizes.values()) == 250
    assert model.predict_set(X[:2], groups=[0, 7])[1].all()


@pytest.mark.parametrize("classes", [2, 3])
def test_scores_serve_as_well_as_probabilities(classes, rng):
    X, y = clouds(rng, 3000)
    X, y = (X, y) if classes == 3 else (X[y != "c"], y[y != "c"])
    model = ConformalClassifier(LinearSVC(), empty_sets=True)
    model.fit(X[:1200], y[:1200])
    found = measure_coverage(
        model.predict_set(X[1200:]),
        y[1200:],
        classes=model.classes_,
        n_calibration=300,
        confidence=0.999,
    )
    assert found.band_low <= found.measured <= found.band_high


def test_models_that_say_nothing_about_labels_are_refused(rng):
    X, y = clouds(rng, 50)
    with pytest.raises(IncompatibleError, match="has neither"):
        ConformalClassifier(Ridge()).fit(X, y)
    with pytest.raises(DataError, match="one answer a row"):
        measure_coverage(np.zeros((3, 2)), [1.0])
