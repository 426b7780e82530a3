"""Attack every error bound of graphs and rankings with small random problems.

``python -m benchmarks.bounds_of_graphs [problems]``

Each bound is held against an answer in extended precision: linear systems by
elimination, leading vectors by inverse iteration, orders by trying all of them, convex
risks by what more Newton steps reach. A row tells how many bounds were below the true
error, how large they are, and how many times the true error, in the middle.
"""

import sys
import warnings
from itertools import pairwise, permutations

import numpy as np

__all__ = ["ATTACKS", "attack", "main"]

#: Items whose orders are all tried.
FEW = 6
LONG = np.longdouble


def main(problems=1000):
    """Run all attacks and print a table."""
    print("| bound | problems | broken | largest | times the error |")
    print("|---|---|---|---|---|")
    broken = 0
    for name in ATTACKS:
        pairs = attack(name, problems)
        worst, middle, wrong = _summary(pairs)
        broken += wrong
        print(
            f"| {name} | {len(pairs)} | {wrong} | {worst:.1e} | {middle} |", flush=True
        )
    return int(broken > 0)


def attack(name, problems, seed=0):
    """Return the error and its bound in each of many problems."""
    rng = np.random.default_rng([seed, *name.encode()])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [ATTACKS[name](rng) for _ in range(problems)]


def _summary(pairs):
    off, bound = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    wrong = int(np.sum(~(off <= bound)))
    seen = (off > 0) & np.isfinite(bound)
    middle = f"{np.median(bound[seen] / off[seen]):.3g}" if seen.any() else "–"
    return bound[np.isfinite(bound)].max(initial=0.0), middle, wrong


def _directed(rng, least=1):
    n = int(rng.integers(least, 9))
    W = rng.random((n, n)) * (rng.random((n, n)) < rng.uniform(0.2, 0.9))
    return W * 10.0 ** rng.uniform(-3, 3)


def _undirected(rng, least=2):
    """Return a connected graph, whose weights differ by up to six digits."""
    n = int(rng.integers(least, 9))
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.5), 1)
    order = rng.permutation(n)
    for i, j in pairwise(order):
        W[min(i, j), max(i, j)] = rng.random() + 0.01
    W *= 10.0 ** rng.uniform(-3, 3, W.shape)
    return W + W.T


def eliminated(A, b):
    """Solve in extended precision, by elimination with pivots."""
    A, b = np.array(A, LONG), np.array(b, LONG)
    n = len(b)
    for i in range(n):
        top = i + int(np.argmax(np.abs(A[i:, i])))
        A[[i, top]], b[[i, top]] = A[[top, i]], b[[top, i]]
        for j in range(i + 1, n):
            factor = A[j, i] / A[i, i]
            A[j] -= factor * A[i]
            b[j] -= factor * b[i]
    for i in reversed(range(n)):
        b[i] = (b[i] - A[i, i + 1 :] @ b[i + 1 :]) / A[i, i]
    return b


def _off(values, exact):
    return np.abs(np.asarray(values, LONG) - exact)


def _largest(off, bound):
    """Return the entry whose error is the largest share of its bound."""
    off, bound = np.ravel(off), np.ravel(np.broadcast_to(bound, np.shape(off)))
    with np.errstate(all="ignore"):
        shares = np.where(off > 0, off / bound, 0.0)
    k = int(np.argmax(shares))
    return off[k], bound[k]


def _surfers(W, alpha, jump):
    n = len(W)
    W = np.array(W, LONG)
    sums = W.sum(axis=1)
    P = np.array([w / s if s > 0 else jump for w, s in zip(W, sums, strict=True)])
    return eliminated(np.eye(n) - alpha * P.T, (1 - LONG(alpha)) * jump)


def page_rank(rng):
    from infimum.models.graph import pagerank

    W = _directed(rng)
    alpha = float(rng.choice([0.0, 0.3, 0.85, 0.99]))
    jumps = rng.dirichlet(np.ones(len(W)), size=2)
    found = pagerank(W, alpha, jumps, tol=10.0 ** -rng.integers(1, 13))
    k = int(rng.integers(2))
    jump = np.array(jumps[k], LONG)
    exact = _surfers(W, LONG(alpha), jump / jump.sum())
    return _off(found.scores[k], exact).sum(), np.asarray(found.error)[k]


def katz(rng):
    from infimum.models.graph import katz as scores

    W = _directed(rng, 2)
    top = float(np.abs(np.linalg.eigvals(W)).max())
    alpha = float(rng.uniform(0.1, 0.99)) / top if top > 0 else 0.5
    tol = 10.0 ** -rng.integers(1, 13)
    found = scores(W, alpha, normalized=False, tol=tol)
    exact = eliminated(np.eye(len(W)) - LONG(alpha) * W.T, np.ones(len(W)))
    return _largest(_off(found.scores, exact), found.error)


def hubs(rng):
    from infimum.models.graph import hits

    W = _directed(rng, 2)
    W[0, 0] += 0.1 * W.max() + 0.1
    found = hits(W)
    A = np.array(W, LONG)
    v = np.array(found.authorities, LONG)
    square = A.T @ A
    for _ in range(4):  # each inverse iteration triples the digits
        v = v / np.sqrt(v @ v)
        value = v @ square @ v
        shift = value * (1 + LONG(1e-17))
        v = eliminated(square - shift * np.eye(len(v)), v)
    v = np.abs(v)
    u = np.abs(A @ v)
    off = _off(found.authorities, v / v.sum()).sum()
    return max(off, _off(found.hubs, u / u.sum()).sum()), found.error


def _laplacian(W):
    L = -np.array(W, LONG)
    np.fill_diagonal(L, 0)
    np.fill_diagonal(L, -L.sum(axis=1))
    return L


def hitting_time(rng):
    from infimum.models.graph import hitting_times

    W = _undirected(rng)
    aim = int(rng.integers(len(W)))
    found = hitting_times(W, aim)
    free = np.delete(np.arange(len(W)), aim)
    sums = np.array(W, LONG).sum(axis=1)
    exact = eliminated(_laplacian(W)[np.ix_(free, free)], sums[free])
    return _largest(_off(found.values[free], exact), found.error[free])


def _resistances(W):
    n, L = len(W), _laplacian(W)
    inverse = np.zeros((n, n), LONG)
    for k in range(n - 1):
        inverse[:-1, k] = eliminated(L[:-1, :-1], np.eye(n - 1)[k])
    own = np.diag(inverse)
    return own[:, None] + own[None, :] - 2 * inverse


def resistances(rng):
    from infimum.models.graph import resistance

    W = _undirected(rng)
    found = resistance(W)
    return _largest(_off(found.values, _resistances(W)), found.error)


def commuting(rng):
    from infimum.models.graph import commute_times

    W = _undirected(rng)
    found = commute_times(W)
    exact = np.array(W, LONG).sum() * _resistances(W)
    return _largest(_off(found.values, exact), found.error)


def _labels(how, rng):
    from infimum.models.semi_supervised import GraphLabelRegressor

    W = _undirected(rng, 3)
    n = len(W)
    y = np.where(rng.random(n) < 0.4, rng.standard_normal(n), np.nan)
    y[:2] = 1.0, -1.0
    known = ~np.isnan(y)
    spread = float(np.sum((y[known] - y[known].mean()) ** 2))
    model = GraphLabelRegressor(
        "precomputed", how=how, strength=10.0 ** rng.uniform(-3, 3),
        budget=rng.uniform(0.1, 0.9) * spread, tol=10.0 ** -rng.integers(2, 13),
    ).fit(W, y)  # fmt: skip
    L = _laplacian(W)
    if how == "exact":
        free = np.flatnonzero(~known)
        right = -L[np.ix_(free, np.flatnonzero(known))] @ y[known]
        exact = np.array(y, LONG)
        exact[free] = eliminated(L[np.ix_(free, free)], right)
    else:
        J = np.diag(known * LONG(model.strength_))
        exact = eliminated(L + J, J @ np.nan_to_num(y))
    return _largest(_off(model.values_, exact), model.error_)


def exact_labels(rng):
    return _labels("exact", rng)


def penalized_labels(rng):
    return _labels("penalized", rng)


def constrained_labels(rng):
    """Judge at the strength that was found."""
    return _labels("constrained", rng)


def proved_signs(rng):
    """Count proved classes that the exact function does not have."""
    from infimum.models.semi_supervised import GraphLabelClassifier

    W = _undirected(rng, 3)
    y = np.full(len(W), -1)
    y[:2] = 0, 1
    model = GraphLabelClassifier("precomputed", tol=10.0 ** -rng.integers(1, 6))
    model.fit(W, y)
    free = np.arange(2, len(W))
    exact = eliminated(_laplacian(W)[2:, 2:], np.array(W[2:, 1], LONG))
    other = (exact > 0.5) != (model.transduction_[free] == 1)
    return float(np.sum(other & model.proved_[free])), 0.0


def kemeny(rng):
    """Hold the bound of disjoint rings against all orders."""
    from infimum.models.ranking import Comparisons, KemenyRanker

    n = int(rng.integers(3, FEW + 1))
    W = rng.integers(0, 5, (n, n)) * (1 - np.eye(n))
    W[0, 1] += 1
    model = KemenyRanker(exact_items=0).fit(Comparisons.of_matrix(W))
    least = min(
        sum(W[order[b], order[a]] for b in range(n) for a in range(b))
        for order in permutations(range(n))
    )
    # The bound of the gap, and what the order found really violates above the least.
    return model.violations_ - least, model.violations_ - model.lower_bound_


def _league(rng, ties):
    n = int(rng.integers(2, 7))
    u = rng.standard_normal(n) * rng.uniform(0, 3)
    games = []
    for _ in range(int(rng.integers(10, 60))):
        i, j = rng.choice(n, 2, replace=False).tolist()
        won = float(rng.random() < 1 / (1 + np.exp(u[j] - u[i])))
        games.append((i, j, 0.5 if rng.random() < ties else won))
    return (
        games
        + [(i, (i + 1) % n, 1.0) for i in range(n) if n > 2]
        + ([(0, 1, 0.5)] if n == 2 else [])
    )


def _rankers(rng, tied, **settings):
    from infimum.errors import DataError
    from infimum.models.ranking import BradleyTerryRanker

    settings["strength"] = float(rng.choice([0.0, 1e-4, 0.1]))
    settings["home"] = bool(rng.random() < 0.3)
    steps = int(rng.integers(1, 6))
    while True:
        games = _league(rng, tied)
        try:
            early, best = (
                BradleyTerryRanker(**settings, max_iter=most, tol=1e-13).fit(games)
                for most in (steps, 200)
            )
        except DataError:  # no scores are likeliest
            continue
        return _risks(early, best)


def _risks(early, best):
    proof, least = early.certificate_, best.certificate_.primal
    # No risk, however rounded, may be below the bound.
    return proof.primal - least, proof.primal + proof.slack - proof.dual


def logistic_league(rng):
    return _rankers(rng, 0.1)


def probit_league(rng):
    return _rankers(rng, 0.0, link="probit")


def davidson_league(rng):
    return _rankers(rng, 0.2, ties="davidson")


def rao_kupper_league(rng):
    return _rankers(rng, 0.2, ties="rao_kupper")


def plackett_luce(rng):
    from infimum.models.ranking import PlackettLuceRanker

    n = int(rng.integers(3, 7))
    u = rng.standard_normal(n) * rng.uniform(0, 2)
    rows = [
        np.argsort(-(u + rng.gumbel(size=n))).tolist()
        for _ in range(int(rng.integers(5, 25)))
    ]
    rows += [row[::-1] for row in rows[:5]]
    strength = float(rng.choice([0.0, 1e-4, 0.1]))
    early, best = (
        PlackettLuceRanker(strength=strength, tol=1e-13, max_iter=steps).fit(rows)
        for steps in (int(rng.integers(1, 5)), 200)
    )
    return _risks(early, best)


#: What each bound is called, and a function that draws one problem for it.
ATTACKS = {
    "`pagerank`, sum of errors": page_rank,
    "`katz`, each score": katz,
    "`hits`, sum of errors": hubs,
    "`hitting_times`, each": hitting_time,
    "`resistance`, all pairs": resistances,
    "`commute_times`, all pairs": commuting,
    "labels, exact, each vertex": exact_labels,
    "labels, penalised": penalized_labels,
    "labels, constrained": constrained_labels,
    "`proved_` classes": proved_signs,
    "`KemenyRanker`, violations": kemeny,
    "Bradley–Terry": logistic_league,
    "… probit": probit_league,
    "… Davidson's ties": davidson_league,
    "… Rao and Kupper's ties": rao_kupper_league,
    "Plackett–Luce": plackett_luce,
}

if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
