"""Partial dependence, single curves and accumulated local effects."""

import json

import numpy as np
import polars as pl
import pytest
from sklearn.inspection import partial_dependence as reference_dependence
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError
from infimum.explanation import accumulated_local_effects, partial_dependence
from infimum.features import TableEncoder
from infimum.models.kernel import KernelRidge
from infimum.models.linear import LinearSVC, LogisticRegression


def test_partial_dependence_agrees_with_an_independent_program(rng):
    X = rng.standard_normal((80, 3))
    model = KernelRidge(kernel="rbf").fit(X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2])
    found = partial_dependence(model, X, 0, points=6, rows=80)
    theirs = reference_dependence(
        model, X, [0], custom_values={0: np.array(found.values)}, kind="both"
    )
    np.testing.assert_allclose(found.mean, theirs["average"][0], atol=1e-10)
    np.testing.assert_allclose(found.individual, theirs["individual"][0], atol=1e-10)


def test_the_effect_of_a_sum_is_its_own_part(rng):
    X = rng.standard_normal((300, 2))

    def answer(X):
        return np.exp(X[:, 0]) + 5 * X[:, 1]

    found = partial_dependence(answer, X, "x0", points=10, rows=300)
    expected = np.exp(found.values)
    gaps = found.mean - expected
    np.testing.assert_allclose(gaps, gaps[0])
    assert found.heterogeneity == pytest.approx(0.0, abs=1e-12)
    effects = accumulated_local_effects(answer, X, "x0", stretches=15)
    shifts = effects.effects - np.exp(effects.edges)
    np.testing.assert_allclose(shifts, shifts[0])
    assert effects.counts.sum() == 300


def test_single_curves_show_what_the_average_hides(rng):
    X = np.column_stack([rng.standard_normal(400), rng.choice([-1.0, 1.0], 400)])
    found = partial_dependence(lambda X: X[:, 0] * X[:, 1], X, 0, rows=400)
    assert np.ptp(found.mean) < 0.15 * np.ptp(found.individual)
    assert found.heterogeneity > 0.95
    assert (found.error > 0).any()


def test_local_effects_do_not_ask_about_rows_that_cannot_occur(rng):
    # Two columns that are nearly equal; far from their diagonal the model is absurd.
    x = rng.uniform(0, 1, 2000)
    X = np.column_stack([x, x + 0.01 * rng.standard_normal(2000)])

    def answer(X):
        return X[:, 0] + 1000 * np.maximum(np.abs(X[:, 0] - X[:, 1]) - 0.2, 0)

    local = accumulated_local_effects(answer, X, 0, stretches=20)
    assert np.ptp(local.effects) == pytest.approx(1.0, abs=0.05)
    assert np.ptp(partial_dependence(answer, X, 0).mean) > 50
    assert (local.errors[1:] >= 0).all()
    # Centred: the effect averages to 0 over the rows.
    at_rows = np.interp(x, local.edges, local.effects)
    assert at_rows.mean() == pytest.approx(0.0, abs=0.01)


def test_categories_words_and_missing_values_are_tried_as_they_occur(rng):
    frame = pl.DataFrame(
        {
            "town": rng.choice(["Rome", "Oslo", "Lima"], 120, p=[0.6, 0.3, 0.1]),
            "size": [None if i % 7 == 0 else float(i % 11) for i in range(120)],
        }
    )
    y = (frame["town"] == "Oslo").to_numpy().astype(int)
    model = make_pipeline(TableEncoder(), LogisticRegression()).fit(frame, y)
    found = partial_dependence(model, frame, "town", response="probability")
    assert found.values == ("Rome", "Oslo", "Lima")
    assert not found.numeric
    assert np.argmax(found.mean) == 1
    assert found.response == "probability"
    first = partial_dependence(model, frame, "town", target=0)
    np.testing.assert_allclose(first.mean, 1 - found.mean)
    sizes = partial_dependence(model, frame, "size", points=5)
    assert all(np.isfinite(sizes.values))
    json.dumps(sizes.to_dict())
    with pytest.raises(DataError, match="no order"):
        accumulated_local_effects(model, frame, "town")


def test_scores_stand_in_where_there_are_no_probabilities(rng):
    X = rng.standard_normal((60, 2))
    model = LinearSVC().fit(X, X[:, 0] > 0)
    found = partial_dependence(model, X, 0, points=2, rows=60)
    assert found.response == "score"
    slope = np.diff(found.mean) / np.diff(found.values)
    assert slope[0] == pytest.approx(model.coef_[0, 0])


def test_pictures_show_the_curves(rng):
    X = rng.standard_normal((30, 2))
    found = partial_dependence(lambda X: X[:, 0], X, 0, rows=30)
    figure = found.plot(curves=4)
    assert len(figure.data) == 5
    np.testing.assert_allclose(figure.data[-1].y, found.mean)
    effects = accumulated_local_effects(lambda X: X[:, 0], X, 0)
    np.testing.assert_allclose(effects.plot().data[0].y, effects.effects)
    with pytest.raises(DataError, match="one value"):
        accumulated_local_effects(lambda X: X[:, 0], np.ones((5, 1)), 0)
