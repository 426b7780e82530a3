"""Basis pursuit: the least ℓ₁ norm from 300 measurements of 1,000 numbers."""

import numpy as np

from benchmarks.task import Contender, present


class BasisPursuits:
    """Judged by the norm above that of the sparse signal, plus what is contradicted."""

    title = "Basis pursuit, 300 × 1,000, 50 entries"
    tolerance = 1e-6

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        k, d, s = (60, 150, 8) if quick else (300, 1_000, 50)
        W = rng.standard_normal((k, d)) / np.sqrt(k)
        x = np.zeros(d)
        x[rng.choice(d, s, replace=False)] = rng.standard_normal(s)
        return W, W @ x, float(np.abs(x).sum())

    def contenders(self):
        yield Contender("infimum", fit_ours)
        yield Contender("HiGHS", fit_highs)
        if present("cvxpy"):
            yield Contender("cvxpy + Clarabel", fit_cvxpy)
        if present("spgl1"):
            yield Contender("spgl1", fit_spgl1, (1e-4, 1e-6, 1e-8, 1e-9))

    def excess(self, problem, answer):
        W, y, least = problem
        off = np.linalg.norm(W @ answer - y) / np.linalg.norm(y)
        return float(abs(np.abs(answer).sum() - least) / least + off)


def fit_ours(problem, _):
    from infimum.models.sensing import BasisPursuit

    return BasisPursuit().fit(*problem[:2]).coef_


def fit_highs(problem, _):
    from scipy.optimize import linprog

    W, y = problem[:2]
    d = W.shape[1]
    both = np.hstack([W, -W])
    found = linprog(np.ones(2 * d), A_eq=both, b_eq=y, bounds=(0, None)).x
    return found[:d] - found[d:]


def fit_cvxpy(problem, _):
    import cvxpy as cp

    W, y = problem[:2]
    x = cp.Variable(W.shape[1])
    cp.Problem(cp.Minimize(cp.norm1(x)), [W @ x == y]).solve(solver="CLARABEL")
    return x.value


def fit_spgl1(problem, tol):
    import spgl1

    return spgl1.spg_bp(*problem[:2], opt_tol=tol, bp_tol=tol)[0]


TASK = BasisPursuits()
