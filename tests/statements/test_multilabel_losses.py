"""Additive and maximum margins over classes and over sets of labels, stated."""

from itertools import product

import numpy as np
import pytest

from infimum.data.designs import as_design
from infimum.losses import (
    AdditiveMulticlassHinge,
    AdditiveMultilabelHinge,
    CorrelatedMultilabelHinge,
    HeteroscedasticGaussian,
    Hinge,
    MulticlassHinge,
    MultilabelHinge,
)
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge
from infimum.solvers import choose

P = ((2.0, 0.8, 0.0), (0.8, 1.0, -0.3), (0.0, -0.3, 1.5))


@pytest.fixture
def scored(rng):
    """Return sets of labels, single labels and scores of 60 samples."""
    sets = rng.integers(0, 2, size=(60, 3)).astype(float)
    return sets, rng.integers(0, 3, size=60).astype(float), 2 * rng.normal(size=(60, 3))


@pytest.mark.syllabus("S0B-199")
def test_the_additive_hinge_sums_over_all_wrong_labels(scored):
    _, y, f = scored
    loss = AdditiveMulticlassHinge(3)
    for target, scores, value in zip(y, f, loss.value(y, f), strict=True):
        rivals = np.delete(scores, int(target))
        expected = np.maximum(0, 1 - scores[int(target)] + rivals).sum()
        assert value == pytest.approx(expected)
    assert np.all(loss.value(y, f) >= MulticlassHinge(3).value(y, f) - 1e-12)


@pytest.mark.syllabus("S0B-199")
def test_with_two_classes_and_opposite_scores_it_is_the_binary_hinge(rng):
    y, f = rng.choice([-1.0, 1.0], size=50), rng.normal(size=50)
    both = np.column_stack([-f / 2, f / 2])
    value = AdditiveMulticlassHinge(2).value((y + 1) / 2, both)
    np.testing.assert_allclose(value, Hinge().value(y, f))


@pytest.mark.syllabus("S0B-201")
def test_the_additive_multilabel_hinge_sums_over_pairs(scored):
    sets, y, f = scored
    loss = AdditiveMultilabelHinge(3)
    for row, scores, value in zip(sets, f, loss.value(sets, f), strict=True):
        pairs = product(scores[row > 0], scores[row == 0])
        assert value == pytest.approx(sum(max(0, 1 - a + b) for a, b in pairs))
    single = np.eye(3)[y.astype(int)]
    np.testing.assert_allclose(
        loss.value(single, f), AdditiveMulticlassHinge(3).value(y, f)
    )


@pytest.mark.syllabus("S0B-202")
def test_the_maximum_multilabel_hinge_counts_the_worst_pair(scored):
    sets, y, f = scored
    loss = MultilabelHinge(3)
    for row, scores, value in zip(sets, f, loss.value(sets, f), strict=True):
        pairs = product(scores[row > 0], scores[row == 0])
        worst = max((1 - a + b for a, b in pairs), default=0.0)
        assert value == pytest.approx(max(0.0, worst))
    single = np.eye(3)[y.astype(int)]
    np.testing.assert_allclose(loss.value(single, f), MulticlassHinge(3).value(y, f))
    clear = np.where(sets > 0, 1.0, 0.0) * 1.0
    np.testing.assert_array_equal(loss.value(sets, clear), np.zeros(60))


@pytest.mark.syllabus("S0B-203", "S0B-204", "S0B-205")
def test_the_correlated_hinge_beats_all_wrong_sets_without_listing_them(scored):
    sets, _, f = scored
    loss = CorrelatedMultilabelHinge(3, P)
    everyone = np.array(list(product([-1.0, 1.0], repeat=3)))
    for row, scores, value in zip(sets, f, loss.value(sets, f), strict=True):
        z = 2 * row - 1
        heights = everyone @ (np.array(P) @ scores)
        right = z @ np.array(P) @ scores
        wrong = heights[np.any(everyone != z, axis=1)]
        assert value == pytest.approx(max(0.0, 1 - right + wrong.max()))
    best = everyone[(f @ np.array(P) @ everyone.T).argmax(axis=1)]
    np.testing.assert_array_equal(2 * loss.decide(f) - 1, best)
    alone = CorrelatedMultilabelHinge(3)
    np.testing.assert_array_equal(alone.decide(f), (f > 0).astype(float))


@pytest.mark.parametrize(
    "loss",
    [
        AdditiveMulticlassHinge(3),
        AdditiveMultilabelHinge(3),
        MultilabelHinge(3),
        CorrelatedMultilabelHinge(3, P),
    ],
    ids=lambda loss: type(loss).__name__,
)
@pytest.mark.parametrize("intercept", [True, False])
def test_margins_over_labels_are_minimised_with_a_proof(loss, intercept, rng):
    X, W = rng.normal(size=(40, 2)), rng.normal(size=(2, 3))
    noisy = X @ W + 0.5 * rng.normal(size=(40, 3))
    y = (noisy > 0).astype(float) if loss.target == "labels" else noisy.argmax(1) + 0.0
    risk = LinearRisk(as_design(X), y, loss, Ridge(0.1), intercept=intercept)
    solution = choose(risk)().solve(risk)
    assert solution.certified
    for _ in range(20):
        elsewhere = solution.point + 0.1 * rng.normal(size=solution.point.shape)
        elsewhere[-1] *= intercept
        assert risk.value(elsewhere) >= solution.certificate.dual


@pytest.mark.syllabus("S0B-100")
def test_mean_and_variance_are_learnt_together_and_proved(rng):
    x = rng.uniform(0.0, 1.0, size=3000)
    spread = 1.0 / np.sqrt(1.0 + 8.0 * x)  # the precision is linear in x
    y = (1.0 + 4.0 * x) * spread**2 + spread * rng.normal(size=3000)
    risk = LinearRisk(as_design(x[:, None]), y, HeteroscedasticGaussian(), Ridge(1e-8))
    solution = choose(risk)().solve(risk)
    assert solution.certified
    np.testing.assert_allclose(
        solution.point, [[4.0, 8.0], [1.0, 1.0]], rtol=0.25, atol=0.3
    )
