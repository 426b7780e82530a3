"""Every solver stays below the error that theory promises, on a problem that fits."""

import numpy as np
import pytest

from infimum import solvers
from infimum.errors import IncompatibleError
from infimum.losses import (
    Absolute,
    AdditiveMulticlassHinge,
    Hinge,
    Logistic,
    MulticlassHinge,
    Ramp,
    Squared,
)
from infimum.penalties import Ball, ElasticNet, Lasso, Ridge, Simplex
from infimum.solvers import Solver
from infimum.solvers.concave_convex import _model
from infimum.study.convexity import mirror_decaying_bound, newton_constant
from infimum.study.solvers import rate_of, trace
from infimum.study.solvers._mirrors import mirror_of
from tests.laws.parts import EVERY_SOLVER
from tests.study.solvers.known_risks import (
    excess,
    linear,
    longest_row,
    moduli,
    optimum,
    risk_of,
)
from tests.study.solvers.structured_promises import block_frank_wolfe, orthant_wise

ROUNDING = 1e-12
SEEDS = range(5)
#: The largest third derivative of the logistic loss.
THIRD = 1.0 / (6.0 * np.sqrt(3.0))


def steepest_descent():
    risk = risk_of(Logistic(), Ridge(0.1))
    exact = linear(solvers.SteepestDescent(1e-9), risk)
    fixed = linear(solvers.SteepestDescent(1e-9, step="fixed"), risk)
    return np.concatenate([exact, fixed], axis=1)


def spectral_gradient():
    risk, c = risk_of(Logistic(), Ridge(0.1)), 0.25
    solver = solvers.SpectralGradient(window=1, decrease=c)
    return linear(solver, risk, 2 * c * (1 - c))


def spectral_projected_gradient():
    risk, c = risk_of(Squared(), Ball(0.8, 1)), 0.25
    solver = solvers.SpectralProjectedGradient(window=1, decrease=c)
    return linear(solver, risk, c * (1 - c))


def limited_memory():
    return linear(solvers.LBFGS(), risk_of(Logistic(), Ridge(0.1)))


def coordinate_descent():
    return linear(solvers.CoordinateDescent(), risk_of(Squared(), Lasso(0.1)))


def proximal_gradient():
    risk = risk_of(Logistic(), Lasso(0.02))
    k, errors, _ = excess(solvers.ProximalGradient(), risk)
    away = np.sum((risk.null - optimum(risk).point) ** 2)
    return errors, 2.0 * risk.smoothness * away / (k + 1.0) ** 2


def quadratic(solver):
    risk = risk_of(Logistic(), Ridge(0.05))
    best, seen = optimum(risk).point, trace(solver, risk)
    lengths = np.linalg.norm(risk.design.toarray(), axis=1)
    constant = newton_constant(THIRD * float(np.mean(lengths**3)), 1.0 / 0.05)
    errors = np.linalg.norm(seen.points - best, axis=1)
    assert errors[-1] < 1e-8
    return errors[1:], constant * errors[:-1] ** 2


def primal_dual():
    risk = risk_of(Absolute(), Lasso(0.05))
    best, seen = optimum(risk), trace(solvers.PrimalDual(1e-4), risk)
    errors = np.minimum.accumulate(seen.values)[1:] - best.certificate.primal
    pace = max(1.0, float(np.abs(risk.y).mean()))
    slopes = risk.evaluate(risk.null).slopes - best.slopes
    away = np.sum((risk.null - best.point) ** 2) * risk.largest_eigenvalue / pace
    away += pace * float(risk.weights @ slopes**2)
    return errors, away / (2.0 * seen.numbers[1:])


def dual_coordinate_ascent():
    risk = risk_of(Squared(), Ridge(0.05))
    n, least = len(risk.y), optimum(risk).certificate.primal
    fitting = 0.05 * n / (longest_row(risk) ** 2 + 0.05 * n)
    pace, gaps = 1.0 - fitting / n, []
    for seed in SEEDS:
        solver = solvers.DualCoordinateAscent(1e-15, 30, random_state=seed)
        gaps.append(trace(solver, risk).gaps[:31])
    k = np.arange(1, min(map(len, gaps)))
    mean = np.mean([gap[1 : len(k) + 1] for gap in gaps], axis=0)
    return mean, n / fitting * pace ** (n * k) * least


def interior_point():
    risk = risk_of(Hinge(), Ridge(0.05))
    seen = trace(solvers.InteriorPoint(), risk)
    gaps = seen.gaps[np.isfinite(seen.gaps)]
    pairs = 2.0 * len(risk.y)
    return gaps, gaps[0] * (1.0 - 0.4 / np.sqrt(pairs)) ** np.arange(len(gaps))


def bundle():
    strength, risk = 0.05, risk_of(Hinge(), Ridge(0.05))
    seen, G = trace(solvers.Bundle(), risk), longest_row(risk)
    k = seen.numbers - max(np.log2(strength * risk.value(risk.null) / G**2), 0.0)
    used = k > 0
    return seen.gaps[used], 8.0 * G**2 / (strength * k[used])


def concave_convex():
    risk = risk_of(Ramp(), Ridge(0.05))
    seen = trace(solvers.ConcaveConvex(), risk)
    falls = []
    for point in seen.points[:-1]:
        model = _model(risk.evaluate(point))
        falls.append(model.value(point) - optimum(model).certificate.primal)
    k = np.arange(1, len(falls) + 1)
    assert len(k) >= 2
    return np.minimum.accumulate(falls), (seen.values[0] - seen.best) / k


def frank_wolfe():
    L, D = moduli(risk_of(Squared(), Simplex()))[1], np.sqrt(2.0)
    plain, corners = solvers.FrankWolfe(1e-4, pairwise=False), solvers.FrankWolfe()
    risk = risk_of(Squared(), Simplex())
    k, errors, _ = excess(plain, risk)
    cases = [(errors, 2.0 * L * D**2 / (k + 2.0))]
    k, errors, _ = excess(corners, risk)
    used = np.count_nonzero(optimum(risk).point > 1e-9)
    pace = moduli(risk)[0] / (8.0 * L * D**2 * used)
    cases.append((errors, 0.5 * L * D**2 * np.exp(-pace * k)))
    k, errors, _ = excess(plain, risk_of(Squared(), Ball(0.7)))
    cases.append((errors, 2.0 * L * 1.4**2 / (k + 2.0)))
    return np.concatenate(cases, axis=1)


def mirror_descent():
    smooth, kinked = (risk_of(loss, Simplex()) for loss in (Squared(), Absolute()))
    mirror = mirror_of(Simplex(), 2.0)
    equal, best = np.full(5, 0.2), optimum(smooth).point[:-1]
    k, errors, _ = excess(solvers.MirrorDescent(1e-5), smooth)
    bend = smooth.design.squared_norms(smooth.weights).max()
    cases = [(errors[1:], bend * mirror.divergence(best, equal) / k[1:])]
    steepest = float(np.abs(kinked.design.toarray()).mean(axis=0).max())
    away = mirror.divergence(optimum(kinked).point[:-1], equal)
    first = np.sqrt(2.0 * away) / steepest
    solver = solvers.MirrorDescent(1e-4, max_iterations=300, rate=first)
    k, errors, _ = excess(solver, kinked)
    # The bound speaks of the points before each step: the k-th of them is number k - 1.
    bound = [mirror_decaying_bound(away, 1.0, steepest, int(i) + 1) for i in k]
    return np.concatenate([*cases, (errors, np.array(bound))], axis=1)


def averaged(solver, risk, steps_per_pass):
    """Compare the mean over seeds with 2G²/(σ(k + 1)), G = 2·longest row."""
    least, strength = optimum(risk).certificate.primal, risk.penalty.quadratic
    runs = [trace(solver(seed), risk).values[1:] - least for seed in SEEDS]
    k = steps_per_pass * np.arange(1, len(runs[0]) + 1)
    bound = 2.0 * (2.0 * longest_row(risk)) ** 2 / (strength * (k + 1.0))
    return np.mean(runs, axis=0), bound


def stochastic_gradient():
    def solver(seed):
        fading = {"step": "inverse", "rate": 10.0, "delay": 2.0, "replacement": True}
        return solvers.StochasticGradient(
            1e-12, 20, batch_size=4, random_state=seed, **fading
        )

    return averaged(solver, risk_of(Hinge(), Ridge(0.1)), 15)


def pegasos():
    def solver(seed):
        return solvers.Pegasos(1e-12, 20, batch_size=2, random_state=seed)

    return averaged(solver, risk_of(Hinge(), Ridge(0.1)), 30)


def variance_reduced():
    risk = risk_of(Squared(), Lasso(0.05))
    best, (sigma, _), n = optimum(risk).point, moduli(risk), len(risk.y)
    start, end = risk.evaluate(risk.null), risk.evaluate(best)
    L = longest_row(risk) ** 2
    divergence = start.empirical - end.empirical
    divergence -= float(end.risk_gradient @ (start.point - best))
    first = np.sum((start.point - best) ** 2) + 2 * n / (3 * L) * divergence
    solver = solvers.VarianceReduced
    runs = [trace(solver(1e-14, 25, random_state=s), risk).points for s in SEEDS]
    errors = np.mean([np.sum((run - best) ** 2, axis=1) for run in runs], axis=0)
    pace = 1.0 - min(1 / (4 * n), sigma / (3 * L))
    return errors, first * pace ** (n * np.arange(len(errors)))


def augmented_lagrangian():
    risk = risk_of(Absolute(), ElasticNet(0.05, 0.5))
    seen = trace(solvers.AugmentedLagrangian(), risk)
    short = optimum(risk).certificate.primal - seen.bounds[1:]
    return short, short[0] * 0.3 ** np.arange(len(short))


def multiclass_ascent():
    plain = risk_of(Squared(), Ridge(0.05))
    thirds = np.searchsorted(np.quantile(plain.y, [1 / 3, 2 / 3]), plain.y)
    runs = []
    for loss, rivals in ((MulticlassHinge(3), 1), (AdditiveMulticlassHinge(3), 2)):
        risk = plain.afresh(y=thirds.astype(float), loss=loss)
        seen = trace(solvers.MulticlassAscent(1e-10), risk)
        gaps = np.minimum.accumulate(seen.values) - seen.bounds
        runs.append((gaps[1:], rivals * 0.3 ** seen.numbers[1:]))
    return np.concatenate(runs, axis=1)


#: One entry for each solver: observed errors, and what they must stay below.
PROMISES = {
    "AugmentedLagrangian": augmented_lagrangian,
    "BlockFrankWolfe": block_frank_wolfe,
    "Bundle": bundle,
    "ConcaveConvex": concave_convex,
    "CoordinateDescent": coordinate_descent,
    "DualCoordinateAscent": dual_coordinate_ascent,
    "FrankWolfe": frank_wolfe,
    "InteriorPoint": interior_point,
    "LBFGS": limited_memory,
    "MirrorDescent": mirror_descent,
    "MulticlassAscent": multiclass_ascent,
    "Newton": lambda: quadratic(solvers.Newton(1e-15)),
    "OrthantWise": orthant_wise,
    "Pegasos": pegasos,
    "PrimalDual": primal_dual,
    "ProximalGradient": proximal_gradient,
    "ReweightedLeastSquares": lambda: quadratic(solvers.ReweightedLeastSquares(1e-15)),
    "SpectralGradient": spectral_gradient,
    "SpectralProjectedGradient": spectral_projected_gradient,
    "SteepestDescent": steepest_descent,
    "StochasticGradient": stochastic_gradient,
    "VarianceReduced": variance_reduced,
}


@pytest.mark.parametrize("solver", EVERY_SOLVER, ids=lambda s: s.__name__)
def test_the_observed_error_stays_below_the_promised_one(solver):
    observed, promised = PROMISES[solver.__name__]()
    assert len(observed) == len(promised) >= 2
    assert np.all(observed <= promised * (1.0 + 1e-9) + ROUNDING)
    assert np.min(observed) < np.max(observed)


@pytest.mark.parametrize("solver", EVERY_SOLVER, ids=lambda s: s.__name__)
def test_every_solver_states_its_rate_its_assumptions_and_its_source(solver):
    rate = rate_of(solver)
    assert rate == rate_of(solver())
    assert "k" in rate.promise
    assert len(rate.needs.split()) >= 3
    assert rate.source[-4:].isdigit()
    assert str(rate).startswith(rate.promise)


def test_a_solver_that_nobody_knows_promises_nothing():
    class Stranger(Solver):
        """A method without a theory."""

    with pytest.raises(IncompatibleError, match="Stranger promises no rate"):
        rate_of(Stranger)
