"""The search for a point that is better than any certificate allows.

Clarabel solves the friendly form of a problem, Newton's method in long doubles improves
smooth ones further. Whatever is found is only a witness: what counts is its risk on
the data as they were given.
"""

import warnings

import numpy as np

from benchmarks.adversary.frame import Frame
from benchmarks.adversary.newton import newton
from benchmarks.adversary.precision import LD

__all__ = ["best_witness", "conic_point", "solve_conic"]

SETTINGS = {
    "tol_gap_abs": 1e-13, "tol_gap_rel": 1e-13, "tol_feas": 1e-13, "max_iter": 200,
    "time_limit": 10.0,
}  # fmt: skip


def best_witness(risk, points=()):
    """Return the best point found, with its risk and the name of who found it."""
    own = [("the model itself", point) for point in points]
    found = []
    for name, point in [*own, *risk.search(points)]:
        inside = risk.mended(point)
        value = risk.value(inside)
        if not np.isnan(value.risk):
            found.append((value, inside, name))
    return min(found, key=lambda each: each[0].risk + each[0].error)


def search(risk, points):
    """Yield candidates of a linear risk."""
    frame = Frame(risk)
    start = conic_point(risk, frame)
    if start is not None:
        yield "Clarabel", start
        if risk.outputs == 1 and risk.intercept:
            yield "Clarabel, best intercept", _with_best_intercept(risk, start)
    yield "null", risk.null()
    starts = ([] if start is None else [start]) + list(points)
    for begin in starts[:2]:
        better = newton(frame, begin)
        if better is not None:
            yield "Newton", better


def _with_best_intercept(risk, point):
    from benchmarks.adversary.precision import scores_of

    high, low = scores_of(risk.X, point.W, np.zeros(1, LD))
    b = risk.best_intercept((high + low)[:, 0])
    return point._replace(b=np.array([b], LD))


def conic_point(risk, frame=None):
    """Return Clarabel's solution of the friendly form, or None."""
    import cvxpy as cp

    frame = Frame(risk) if frame is None else frame
    d, k = frame.shape
    V = cp.Variable((d, k)) if d else np.zeros((0, k))
    beta = cp.Variable((1, k)) if risk.intercept else np.zeros((1, k))
    n = len(frame.phi)
    scores = np.ones((n, 1)) @ beta
    if d:
        scores = scores + frame.phi.astype(float) @ V
    if frame.risk.loss.reads == "residual":
        scores = scores - frame.y.reshape(n, -1).astype(float)
    if frame.risk.loss.reads == "margin":
        scores = cp.multiply(frame.y.reshape(n, -1).astype(float), scores)
    z = scores if k > 1 or frame.loss.reads == "scores" else scores[:, 0]
    try:
        losses = frame.loss.conic(frame.y, z)
    except NotImplementedError:
        return None
    share = (risk.q * LD(frame.factor)).astype(float)
    price, rules = _price(frame, V)
    objective = cp.sum(cp.multiply(share, losses)) + price
    if not solve_conic(objective, rules, _unit(risk)):
        return None
    coefficients = V.value if d else V
    offsets = beta.value if risk.intercept else beta
    if coefficients is None or not np.isfinite(coefficients).all():
        return None
    return frame.back(np.asarray(coefficients), np.asarray(offsets)[0].astype(LD))


def _price(frame, V):
    if frame.free or not frame.shape[0]:
        return 0, []
    factors = np.diag((frame.s / frame.sizes).astype(float))
    return frame.risk.penalty.conic(factors @ V)


def _unit(risk):
    """Return the size of the risks that matter, for the solver's tolerances."""
    zero = np.zeros((len(risk.y), risk.outputs), LD)
    if risk.loss.reads == "residual" and risk.intercept:
        y = risk.y.reshape(len(risk.y), -1)
        zero = zero + (risk.q[:, None] * y).sum(axis=0)
    with np.errstate(invalid="ignore"):
        size = float(abs(risk.empirical(risk._argument(zero, 0 * zero))[0]))
    return size if np.isfinite(size) and size > 0 else 1.0


def solve_conic(objective, rules, unit):
    """Minimise; return whether there is a solution of any kind."""
    import cvxpy as cp

    problem = cp.Problem(cp.Minimize(objective / unit), rules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            problem.solve(solver=cp.CLARABEL, **SETTINGS)
        except (cp.error.SolverError, ValueError, ArithmeticError):
            return False
    return problem.status not in {"infeasible", "unbounded"}
