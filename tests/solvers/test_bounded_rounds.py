"""Wide least squares: bounds on correlations replace most of the reading."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from infimum.certificates import certify
from infimum.data.designs import as_design, centred
from infimum.losses import Squared
from infimum.objectives import LinearRisk
from infimum.penalties import ElasticNet, Lasso, Ridge
from infimum.solvers import CoordinateDescent
from infimum.solvers.coordinates import _bounded_rounds, coordinate_descent
from infimum.solvers.coordinates._bounded_correlations import BoundedCorrelations
from infimum.solvers.coordinates._bounded_rounds import may_be_bounded

SAMPLES, FEATURES = 120, 1_200
STRENGTHS = np.geomspace(0.04, 0.01, 6)
PENALTIES = {"lasso": Lasso, "elastic net": lambda s: ElasticNet(s, 0.8)}


def table():
    rng = np.random.default_rng(3)
    X = sparse.random(SAMPLES, FEATURES, 0.03, "csc", random_state=5)
    w = np.zeros(FEATURES)
    w[:10] = rng.standard_normal(10) * 3
    return X, X @ w + 0.2 * rng.standard_normal(SAMPLES) + 1.0, rng.random(SAMPLES)


def risk_of(penalty, *, intercept=False, weighted=False, dense=False):
    X, y, weight = table()
    X = np.asfortranarray(X.toarray()) if dense else X
    design, shares = as_design(X), np.full(SAMPLES, 1.0 / SAMPLES)
    if weighted:
        shares = weight / weight.sum()
    if intercept:
        design, _ = centred(design, shares)
    return LinearRisk(design, y, Squared(), penalty, shares, intercept=intercept)


def followed(risk, make, strengths=STRENGTHS):
    start, found = None, []
    for strength in strengths:
        risk = risk.with_penalty(make(float(strength)))
        found.append(CoordinateDescent(tolerance=1e-8).solve(risk, start))
        start = found[-1].here
    return found


@pytest.mark.parametrize("name", PENALTIES)
@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_every_proof_on_a_path_holds_for_all_columns(name, intercept, weighted, dense):
    make = PENALTIES[name]
    risk = risk_of(make(1.0), intercept=intercept, weighted=weighted, dense=dense)
    assert may_be_bounded(risk)
    for solution in followed(risk, make):
        here = solution.here
        afresh = certify(here.risk.afresh(), here.point)
        assert solution.certified
        np.testing.assert_allclose(afresh.primal, here.value, rtol=1e-12)
        # What was proved from bounds is no more than all columns together prove.
        assert solution.certificate.dual <= afresh.dual + afresh.slack
        assert here.proven <= afresh.dual + 1e-12 * abs(afresh.dual) + afresh.slack
        assert afresh.gap <= 1.01e-8 * here.risk.scale


@pytest.mark.parametrize("name", PENALTIES)
@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_the_answers_are_those_of_the_method_that_reads_everything(
    name, dense, monkeypatch
):
    make = PENALTIES[name]
    bounded = followed(risk_of(make(1.0), intercept=True, dense=dense), make)
    monkeypatch.setattr(coordinate_descent, "may_be_bounded", lambda _: False)
    whole = followed(risk_of(make(1.0), intercept=True, dense=dense), make)
    for one, other in zip(bounded, whole, strict=True):
        np.testing.assert_allclose(one.here.value, other.here.value, rtol=1e-7)
        np.testing.assert_allclose(one.point, other.point, atol=2e-3)


@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
@pytest.mark.parametrize("most", [30, 60])
def test_too_many_columns_are_left_to_the_method_that_reads_everything(
    most, dense, monkeypatch
):
    monkeypatch.setattr(_bounded_rounds, "MOST_MEMBERS", most)
    for solution in followed(risk_of(Lasso(1.0), dense=dense), Lasso):
        assert solution.certified


@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_a_gram_matrix_is_right_after_a_retreat(dense):
    risk = risk_of(Lasso(0.01), intercept=True, weighted=True, dense=dense)
    columns = BoundedCorrelations(
        risk, np.sqrt(risk.design.squared_norms(risk.weights))
    )
    columns.join(np.arange(40))
    columns.retain(np.arange(0, 40, 3))
    columns.join(np.arange(50, 70))
    columns.join(np.arange(80, 85))
    X = table()[0].toarray()
    centred_columns = (X - risk.weights @ X)[:, columns.members]
    expected = centred_columns.T @ (risk.weights[:, None] * centred_columns)
    found = columns.gram[:-1, : len(expected)]
    np.testing.assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
@pytest.mark.parametrize("most", [60, 90, 120])
def test_proofs_hold_after_a_retreat(most, dense, monkeypatch):
    retreats, retain = [], BoundedCorrelations.retain

    def counted(columns, kept):
        retreats.append(len(kept))
        retain(columns, kept)

    monkeypatch.setattr(BoundedCorrelations, "retain", counted)
    monkeypatch.setattr(_bounded_rounds, "MOST_MEMBERS", most)
    risk = risk_of(Lasso(1.0), intercept=True, dense=dense)
    bounded = followed(risk, Lasso)
    assert any(retreats)
    monkeypatch.setattr(coordinate_descent, "may_be_bounded", lambda _: False)
    whole = followed(risk_of(Lasso(1.0), intercept=True, dense=dense), Lasso)
    for one, other in zip(bounded, whole, strict=True):
        afresh = certify(one.here.risk.afresh(), one.point)
        assert one.certified
        assert afresh.gap <= 1.01e-8 * one.here.risk.scale
        np.testing.assert_allclose(one.here.value, other.here.value, rtol=1e-7)


def test_a_start_from_elsewhere_is_as_good():
    risk = risk_of(Lasso(0.01))
    solver = CoordinateDescent(tolerance=1e-10)
    first = solver.solve(risk)
    elsewhere = np.random.default_rng(0).standard_normal(FEATURES + 1) * 0.01
    elsewhere[-1] = 0.0
    elsewhere[100:-1] = 0.0
    again = solver.solve(risk, elsewhere)
    assert again.certified
    np.testing.assert_allclose(again.here.value, first.here.value, rtol=1e-9)


def test_columns_that_cannot_matter_are_not_read():
    risk = risk_of(Lasso(0.01))
    norms = np.sqrt(risk.design.squared_norms(risk.weights))
    columns = BoundedCorrelations(risk, norms)
    columns.move_to(risk.y.copy())
    columns.beyond(0.0)
    exact = risk.design.pull_back(risk.weights * risk.y)
    nudged = risk.y + 1e-3
    columns.move_to(nudged)
    before = columns.known.copy()
    places, correlation = columns.beyond(0.5 * np.abs(exact).max())
    now = risk.design.pull_back(risk.weights * nudged)
    most = (columns.known + columns.reach * columns.travelled) / columns.gain
    assert np.all(np.abs(now) <= most + 1e-12)
    np.testing.assert_allclose(correlation, now[places], rtol=1e-10)
    assert np.count_nonzero(columns.known != before) < FEATURES / 10


def test_a_residual_that_only_shrinks_leaves_all_bounds_as_they_are():
    risk = risk_of(Lasso(0.01))
    columns = BoundedCorrelations(
        risk, np.sqrt(risk.design.squared_norms(risk.weights))
    )
    columns.move_to(risk.y.copy())
    columns.beyond(0.0)
    exact = np.abs(risk.design.pull_back(risk.weights * risk.y))
    before = columns.travelled
    for share in (0.9, 0.5, 1e-3, 1e-9):
        columns.move_to(share * risk.y)
        assert columns.travelled <= before * (1.0 + 1e-9)
        most = (columns.known + columns.reach * columns.travelled) / columns.gain
        np.testing.assert_allclose(most, share * exact, atol=1e-9 * share)
    columns.move_to(np.zeros_like(risk.y))
    columns.move_to(-risk.y)
    most = (columns.known + columns.reach * columns.travelled) / columns.gain
    assert np.all(exact <= most)


@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_targets_in_other_directions_do_not_wear_the_bounds_out(dense):
    risk = risk_of(Lasso(0.02), intercept=True, dense=dense)
    rng = np.random.default_rng(8)
    for _ in range(40):
        y = risk.design.scores(rng.standard_normal(FEATURES)) + rng.normal()
        other = replace(risk, y=np.asarray(y) * 10.0 ** rng.uniform(-3, 3))
        other = other.with_penalty(Lasso(0.02 * float(np.std(other.y))))
        solution = CoordinateDescent(tolerance=1e-8).solve(other)
        afresh = certify(other.afresh(), solution.point)
        assert solution.certified
        assert afresh.gap <= 1.01e-8 * other.scale


@pytest.mark.parametrize(
    "penalty", [Ridge(0.1), Lasso(0.1, positive=True), ElasticNet(0.1, 0.0)], ids=repr
)
def test_other_penalties_are_not_for_these_rounds(penalty):
    assert not may_be_bounded(risk_of(penalty))


def test_an_intercept_needs_centred_columns():
    X, y, _ = table()
    risk = LinearRisk(as_design(X), y, Squared(), Lasso(0.1), intercept=True)
    assert not may_be_bounded(risk)
    assert CoordinateDescent().solve(risk).certified
