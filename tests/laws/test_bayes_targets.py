"""What each loss makes its learner estimate: the score of least expected loss."""

import numpy as np
import pytest
from scipy.special import logit, ndtri

from infimum.errors import IncompatibleError
from infimum.losses import (
    Exponential,
    Hinge,
    Logistic,
    MulticlassHinge,
    Poisson,
    Probit,
    Softmax,
    Squared,
    SquaredHinge,
    VectorLoss,
)
from tests.laws.parts import EVERY_LOSS, EVERY_VECTOR_LOSS

CHANCES = np.array([0.02, 0.2, 0.45, 0.7, 0.97])
SIGNED = [loss for loss in EVERY_LOSS if loss.target in {"sign", "real"}]
LABELLED = [loss for loss in EVERY_VECTOR_LOSS if loss.target == "class"]


def expected(loss, chance, scores):
    ones = np.ones_like(scores)
    return chance * loss.value(ones, scores) + (1 - chance) * loss.value(-ones, scores)


@pytest.mark.parametrize("loss", SIGNED, ids=repr)
def test_the_bayes_target_has_the_least_expected_loss(loss):
    targets = loss.bayes_target(CHANCES)
    assert targets.shape == CHANCES.shape
    grid = np.linspace(-8.0, 8.0, 3_201)
    for chance, target in zip(CHANCES, targets, strict=True):
        here = expected(loss, chance, np.array([target]))[0]
        assert here <= expected(loss, chance, grid).min() + 1e-9
        own = loss.best_constant(np.array([-1.0, 1.0]), np.array([1 - chance, chance]))
        assert here == pytest.approx(expected(loss, chance, np.array([own]))[0])


@pytest.mark.parametrize("loss", LABELLED, ids=repr)
def test_the_bayes_target_of_several_labels_beats_every_move(loss, rng):
    chances = rng.dirichlet(np.ones(loss.outputs), size=4)
    labels = np.arange(loss.outputs, dtype=float)
    for row, target in zip(chances, loss.bayes_target(chances), strict=True):
        moves = np.vstack(
            [np.zeros(loss.outputs), rng.normal(size=(200, loss.outputs))]
        )
        for size in (1.0, 0.05):
            costs = [
                row @ loss.value(labels, np.tile(target + size * move, (len(row), 1)))
                for move in moves
            ]
            assert costs[0] <= min(costs) + 1e-9


def test_the_well_known_ones_are_what_the_texts_say():
    p = CHANCES
    assert Logistic().bayes_target(p) == pytest.approx(logit(p))
    assert Exponential().bayes_target(p) == pytest.approx(logit(p) / 2)
    assert Probit().bayes_target(p) == pytest.approx(ndtri(p))
    assert Hinge().bayes_target(p) == pytest.approx(np.sign(2 * p - 1))
    assert SquaredHinge().bayes_target(p) == pytest.approx(2 * p - 1)
    assert Squared().bayes_target(p) == pytest.approx(2 * p - 1)
    pair = np.column_stack([1 - p, p])
    scores = Softmax(2).bayes_target(pair)
    assert scores[:, 1] - scores[:, 0] == pytest.approx(logit(p))


def test_a_loss_that_reads_neither_says_so():
    with pytest.raises(IncompatibleError, match="Poisson reads no signs"):
        Poisson().bayes_target(CHANCES)
    other = next(loss for loss in EVERY_VECTOR_LOSS if loss.target != "class")
    with pytest.raises(IncompatibleError, match="reads no single label"):
        other.bayes_target(np.eye(2))


def test_the_multiclass_hinge_names_a_likely_label_only():
    sure = MulticlassHinge(3).bayes_target(np.array([[0.7, 0.2, 0.1]]))
    assert sure.argmax() == 0
    torn = MulticlassHinge(3).bayes_target(np.array([[0.4, 0.35, 0.25]]))
    assert np.ptp(torn) == pytest.approx(0.0)
    assert isinstance(MulticlassHinge(3), VectorLoss)
