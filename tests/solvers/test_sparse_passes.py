"""Fast passes over sparse rows and columns find what the plain ones find."""

import numpy as np
import pytest
from scipy import sparse

from infimum.compiled import threads
from infimum.compiled.callbacks import compile_prox
from infimum.compiled.descent.dual_coordinate_ascent import ascend
from infimum.compiled.rows import rows_of
from infimum.data.designs import DenseDesign, SparseDesign
from infimum.data.designs import sparse as sparse_design
from infimum.losses import Hinge, Squared
from infimum.objectives import LinearRisk
from infimum.penalties import Lasso, Ridge
from infimum.solvers import CoordinateDescent, DualCoordinateAscent
from infimum.solvers.dual_coordinate_ascent import (
    LONGEST_WAIT,
    MANY_ROWS,
    RARELY,
    TOGETHER,
    _order,
    _Outlook,
)

RNG = np.random.default_rng(0)
N, D = MANY_ROWS + 500, 12
TABLE = RNG.standard_normal((N, D)) * (RNG.random((N, D)) < 0.5)
#: Close to nothing, but not the null model, from which tall tables start differently.
NEAR_NULL = np.append(np.full(D, 1e-3), 0.0)
SIGNS = np.where(TABLE @ RNG.standard_normal(D) + RNG.standard_normal(N) > 0, 1.0, -1.0)


def hinge(design):
    return LinearRisk(design, SIGNS, Hinge(), Ridge(1e-2), intercept=False)


def lasso():
    X = sparse.random_array((3_000, 2_000), density=0.05, format="csc", rng=1)
    y = X[:, :20] @ np.ones(20) + 0.1 * np.random.default_rng(2).standard_normal(3_000)
    return LinearRisk(SparseDesign(X), y, Squared(), Lasso(1e-3), intercept=False)


def test_an_order_visits_every_sample_once_and_neighbours_together():
    draw = np.random.default_rng(0)
    first, second = _order(draw, 1_003, TOGETHER), _order(draw, 1_003, TOGETHER)
    assert np.array_equal(np.sort(first), np.arange(1_003))
    assert np.array_equal(np.sort(second), np.arange(1_003))
    assert not np.array_equal(first, second)
    assert np.mean(np.diff(first) == 1) > 0.9
    assert np.mean(np.diff(_order(draw, 1_003, 1)) == 1) < 0.1


def test_many_sparse_rows_have_the_optimum_of_the_dense_table():
    found = DualCoordinateAscent(tolerance=1e-4).solve(
        hinge(SparseDesign(sparse.csr_array(TABLE))), start=NEAR_NULL
    )
    dense = DualCoordinateAscent(tolerance=1e-4).solve(hinge(DenseDesign(TABLE)))
    assert found.certified
    assert dense.certified
    assert found.here.value == pytest.approx(dense.here.value, rel=2e-4)
    np.testing.assert_allclose(found.point, dense.point, atol=2e-2)


def test_rows_sorted_by_class_do_not_mislead_the_passes():
    ranked = np.argsort(SIGNS, kind="stable")
    design = SparseDesign(sparse.csr_array(TABLE[ranked]))
    risk = LinearRisk(design, SIGNS[ranked], Hinge(), Ridge(1e-2), intercept=False)
    solution = DualCoordinateAscent(tolerance=1e-3).solve(risk, NEAR_NULL)
    assert solution.certified


@pytest.mark.parametrize("pass_", ["rows", "columns"])
def test_the_number_of_threads_changes_no_digit(monkeypatch, pass_):
    def solve():
        if pass_ == "columns":
            return CoordinateDescent(tolerance=1e-8).solve(lasso())
        rows = SparseDesign(sparse.csr_array(TABLE))
        solver = DualCoordinateAscent(tolerance=1e-3)
        return solver.solve(hinge(rows), NEAR_NULL)

    monkeypatch.setattr(sparse_design, "WORTH_THREADS", 1_000)
    monkeypatch.setattr(threads, "SHORT", 0.0)  # short work wakes the pool as well
    many = solve()
    monkeypatch.setattr(threads._here, "enlisted", True, raising=False)
    one = solve()
    assert many.certified
    assert np.array_equal(one.point, many.point)
    assert one.certificate.gap == many.certificate.gap


def test_a_proof_waits_while_the_gap_is_wide_but_not_for_long():
    outlook = _Outlook(goal=1e-4, check_every=3)
    assert outlook.next_check == 3
    outlook.note(3, 1e-1)
    assert outlook.next_check == 6
    outlook.note(6, 1e-1 / 4)  # a power of 2: 1e-4 is far away
    assert outlook.next_check == 6 + LONGEST_WAIT
    outlook.note(14, 1.1e-4)
    assert outlook.next_check == 17
    outlook.note(17, 1.2e-4)  # no trend to follow
    assert outlook.next_check == 20


def test_a_proof_is_tried_when_a_guess_gives_hope_or_after_many_passes():
    outlook = _Outlook(goal=1e-4, check_every=3)
    assert not outlook.hopeful(1e-3, 3)
    assert outlook.hopeful(0.9e-4, 6)
    assert not outlook.hopeful(1e-3, 6 + RARELY - 1)
    assert outlook.hopeful(1e-3, 6 + RARELY)
    assert outlook.hopeful(-np.inf, 7 + RARELY)  # no guess was made


def test_the_guess_at_a_gap_is_the_gap():
    risk = hinge(SparseDesign(sparse.csr_array(TABLE)))
    solution = DualCoordinateAscent(tolerance=1e-3).solve(risk, NEAR_NULL)
    pulled = risk.design.pull_back(risk.weights * solution.slopes)
    guess = DualCoordinateAscent()._guessed_gap(
        solution.here, solution.slopes, -pulled / 1e-2
    )
    assert guess == pytest.approx(solution.certificate.gap, rel=1e-6)
    # Passes that had no chance were not proved: the first proof is the last.
    assert len(solution.history) == 1


def test_few_columns_are_multiplied_as_scipy_would(monkeypatch):
    rng = np.random.default_rng(3)
    X = sparse.random_array((200, 50), density=0.2, format="csc", rng=4)
    s, some = rng.random(200), np.array([7, -1, 7, 0])
    left, right = SparseDesign(X), SparseDesign(X).columns(some)
    np.testing.assert_array_equal(right.toarray(), X.toarray()[:, some])
    fast = left.cross(right, s)
    monkeypatch.setattr(sparse_design, "FEW_READINGS", 0)
    np.testing.assert_allclose(fast, left.cross(right, s), rtol=1e-13, atol=1e-15)


def test_the_formula_of_the_hinge_in_the_loop_is_that_of_the_loss():
    rows = sparse.csr_array(TABLE[:300])
    prox, order = compile_prox(Hinge.prox_formula), np.arange(300)
    lengths = rows.power(2).sum(axis=1)
    shares, steps = np.full(300, 1 / 300), np.maximum(lengths / 3.0, 1e-300)
    found = []
    for inline in (True, False):
        slopes, w, idle = np.zeros(300), np.zeros(D), np.zeros(300, dtype=np.int64)
        samples = SIGNS[:300], shares, steps
        for _ in range(3):
            moved = (slopes, idle, w), 0.0, (100.0, 0.0, 2)
            ascend(rows_of(rows), samples, order, *moved, prox, np.empty(0), inline)
        found.append((slopes, w))
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-12)
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-12)
    assert np.ptp(found[0][0]) > 1.0


@pytest.mark.parametrize("intercept", [False, True])
def test_single_precision_gives_way_where_many_digits_are_asked_for(intercept):
    design = SparseDesign(sparse.csr_array(TABLE))
    risk = LinearRisk(design, SIGNS, Hinge(), Ridge(1e-2), intercept=intercept)
    rough, fine = (
        DualCoordinateAscent(tolerance=tolerance).solve(risk, NEAR_NULL)
        for tolerance in (1e-3, 1e-6)
    )
    assert rough.certified
    assert fine.certified
    assert 0.0 <= rough.here.value - fine.here.value <= rough.certificate.gap


def test_a_first_gap_is_waited_for_by_the_usual_power():
    outlook = _Outlook(goal=1e-3, check_every=1, power=2.0)
    outlook.note(4, 4e-3)  # needs twice as many passes
    assert outlook.next_check == 8
    outlook.note(8, 5e-3)  # no trend to follow
    assert outlook.next_check == 9
