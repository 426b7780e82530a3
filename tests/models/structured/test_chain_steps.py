"""Dual steps over chains: brute force, their own sums, ends of runs."""

from itertools import product

import numpy as np
import pytest

from infimum.models.structured import StructuredSVM
from infimum.models.structured._chain_steps import COLUMNS
from infimum.models.warnings import UncertifiedWarning
from infimum.solvers import Bundle

RNG = np.random.default_rng(3)
SIZES = [3, 1, 4, 2, 5, 3, 2, 1, 4, 3]
X = [RNG.standard_normal((n, 3)) for n in SIZES]
Y = [RNG.integers(3, size=n).tolist() for n in SIZES]


def risk_of(C=1.0, weights=None, rescaling="margin"):
    model = StructuredSVM(C=C, rescaling=rescaling)
    return model._risk(X, Y, [], weights)


def dual(risk, steps):
    w, cost = steps.settle()
    return cost - 0.5 * risk.penalty.quadratic * float(w @ w)


@pytest.mark.parametrize("C", [0.01, 0.3, 3.0])
def test_every_round_raises_the_dual_and_never_above_the_minimum(C):
    risk = risk_of(C)
    steps, order = risk.dual_steps(), np.arange(len(X))
    best = Bundle(tolerance=1e-6).solve(risk).here.value
    heights = [0.0]
    for _ in range(300):
        steps.round(order)
        heights.append(dual(risk, steps))
    assert (np.diff(heights) >= -1e-12).all()
    assert heights[-1] <= best + 1e-9
    assert heights[-1] == pytest.approx(best, abs=1e-3 * risk.scale)


def test_weights_that_were_carried_along_are_those_of_the_shares():
    risk = risk_of(2.0)
    steps = risk.dual_steps()
    for _ in range(15):
        steps.round(RNG.permutation(len(X)))
    walked = np.concatenate([steps.W.T.ravel(), steps.across.ravel()])
    w, cost = steps.settle()
    np.testing.assert_allclose(walked, w, atol=1e-12)
    plane = risk.rebuild(steps.witness())
    np.testing.assert_allclose(
        -plane.slope[:-1] / risk.penalty.quadratic, w, atol=1e-12
    )
    assert plane.height == pytest.approx(cost, abs=1e-12)
    assert (steps.shares >= 0.0).all()
    np.testing.assert_allclose(steps.shares.sum(axis=1), 1.0, atol=1e-12)


def test_what_samples_could_gain_is_the_gap_of_the_weights_they_meet():
    risk = risk_of()
    steps = risk.dual_steps()
    steps.round(np.arange(len(X)))
    w, _ = steps.settle()
    height = dual(risk, steps)
    total = 0.0
    for place in range(len(X)):
        fresh = risk.dual_steps()
        fresh.labels, fresh.shares = steps.labels.copy(), steps.shares.copy()
        fresh.settle()
        total += fresh.round(np.array([place]))
    gap = risk.evaluate(np.append(w, 0.0)).value - height
    assert total == pytest.approx(gap, rel=1e-9)


def test_one_chain_meets_every_labelling_and_its_columns_grow():
    rows, labels = RNG.standard_normal((4, 2)), [0, 1, 2, 0]
    model = StructuredSVM(C=50.0, tol=1e-9, max_iter=400)
    classes = []
    risk = model._risk([rows, rows[:1]], [labels, [2]], classes, None)
    steps = risk.dual_steps()
    rng, most = np.random.default_rng(0), 3**4
    fresh = [list(each) for each in product(range(3), repeat=4) if list(each) != labels]
    rng.shuffle(fresh)
    width = len(fresh) + 1
    steps.labels = np.zeros((5, width), dtype=np.int32)
    steps.labels[:, 0] = steps.right
    steps.labels[:4, 1:] = np.array(fresh).T
    steps.shares = np.zeros((2, width))
    steps.shares[0], steps.shares[1, 0] = 1.0 / most, 1.0
    before = dual(risk, steps)
    steps.round(np.arange(2))  # no column is free: there are twice as many
    assert steps.shares.shape[1] == 2 * width > COLUMNS
    assert dual(risk, steps) > before
    found = model.fit([rows, rows[:1]], [labels, [2]])
    assert found.certificate_.closed


@pytest.mark.parametrize("scale", [1e-3, 1e2])
def test_any_scale_of_the_rows_is_proved(scale):
    tables = [scale * each for each in X]
    model = StructuredSVM(C=0.1, tol=1e-4).fit(tables, Y)
    assert model.certificate_.closed
    assert model.certify(tables, Y).closed
    other = StructuredSVM(C=0.1, tol=1e-4, solver="bundle").fit(tables, Y)
    assert model.certificate_.primal == pytest.approx(
        other.certificate_.primal, abs=2e-4 * model.certificate_.scale
    )


def test_the_order_of_chains_and_weights_of_0_change_nothing_that_is_proved():
    weights = np.array([1, 0, 2, 1, 3, 1, 0, 1, 1, 2])
    turned = RNG.permutation(len(X))
    one = StructuredSVM(C=0.1, tol=1e-4).fit(X, Y, sample_weight=weights)
    other = StructuredSVM(C=0.1, tol=1e-4).fit(
        [X[k] for k in turned], [Y[k] for k in turned], sample_weight=weights[turned]
    )
    assert 1 not in one.planes_[0]
    assert one.certificate_.primal == pytest.approx(
        other.certificate_.primal, abs=2e-4 * one.certificate_.scale
    )


def test_who_takes_chains_and_who_does_not(monkeypatch):
    assert risk_of().dual_steps() is not None
    assert risk_of(rescaling="slack").dual_steps() is None
    monkeypatch.setattr("infimum.models.structured._pairwise.LONGEST", 4)
    assert risk_of().dual_steps() is None
    slow = StructuredSVM(solver="frank_wolfe", tol=0.05).fit(X, Y)
    assert slow.certificate_.closed


def test_where_dual_steps_do_not_do_planes_go_on():
    one = StructuredSVM(C=1e4, tol=1e-3, max_iter=3_000).fit(X, Y)
    assert one.n_iter_ > 300
    assert one.certificate_.closed
    assert one.certify(X, Y).closed
    steps = [record.iteration for record in one.history_]
    assert steps == sorted(steps)


def test_a_run_that_is_cut_off_keeps_its_proof():
    with pytest.warns(UncertifiedWarning, match="iteration limit"):
        model = StructuredSVM(C=10.0, tol=1e-9, max_iter=3).fit(X, Y)
    assert model.n_iter_ == 3
    again = model.certify(X, Y)
    assert 0.0 < again.gap < again.scale
    assert again.dual == pytest.approx(model.certificate_.dual, abs=1e-9)
