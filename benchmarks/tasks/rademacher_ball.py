"""Rademacher complexity of the Euclidean ball by 1,000 draws of signs."""

import numpy as np

from benchmarks.task import Contender

DRAWS = 1000


class RademacherBall:
    """Judged by Jensen's bound √(Σ‖x‖²)/n, of which normal rows reach nearly all."""

    title = "Rademacher complexity, ℓ₂ ball, 1,000 draws, 100,000 × 100"
    tolerance = 0.02

    def problem(self, *, quick):
        n, d = (5_000, 50) if quick else (100_000, 100)
        return np.random.default_rng(0).standard_normal((n, d))

    def contenders(self):
        yield Contender("infimum", fit_ours)
        yield Contender("loop of X.T @ sigma", fit_loop)

    def excess(self, problem, answer):
        bound = np.sqrt(np.sum(problem**2)) / len(problem)
        return abs(answer / bound - 1.0)


class UnitBall:
    """Weights of length 1 at most, as `rademacher` asks about them."""

    centre, radius, order = 0.0, 1.0, 2

    def support(self, direction):
        return float(np.linalg.norm(direction))


def fit_ours(problem, _):
    from infimum.theory import rademacher

    return rademacher(UnitBall(), problem, draws=DRAWS).value


def fit_loop(problem, _):
    rng = np.random.default_rng(0)
    n = len(problem)
    total = 0.0
    for _ in range(DRAWS):
        sigma = rng.choice([-1.0, 1.0], n)
        total += np.linalg.norm(problem.T @ sigma) / n
    return total / DRAWS


TASK = RademacherBall()
