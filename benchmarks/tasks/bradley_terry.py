"""Bradley and Terry's scores of a large league without a penalty."""

import numpy as np
import scipy.sparse as sp

from benchmarks.task import Contender, present


class BradleyTerry:
    """Judged by the mean log-likelihood that an answer lacks, by the task's formula."""

    title = "Bradley–Terry, 1,000 items, 100,000 comparisons"
    tolerance = 1e-8

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, m = (60, 3_000) if quick else (1_000, 100_000)
        u = rng.standard_normal(n)
        i = rng.integers(0, n, m)
        j = (i + rng.integers(1, n, m)) % n
        won = rng.random(m) < 1 / (1 + np.exp(u[j] - u[i]))
        pairs = np.column_stack([np.where(won, i, j), np.where(won, j, i)])
        return pairs, n, surprise(fit_ours((pairs, n), None), pairs)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn, (1e-4, 1e-6, 1e-8))
        if present("choix"):
            yield Contender("choix", fit_choix, (1e-4, 1e-6, 1e-8))
        if present("evalica"):
            yield Contender("evalica", fit_evalica, (1e-4, 1e-6, 1e-8))

    def excess(self, problem, answer):
        pairs, _, least = problem
        return float((surprise(answer, pairs) - least) / least)


def surprise(scores, pairs):
    """Return the mean of -log P over all games."""
    return np.logaddexp(0.0, scores[pairs[:, 1]] - scores[pairs[:, 0]]).mean()


def fit_ours(problem, _):
    from infimum.models.ranking import BradleyTerryRanker

    model = BradleyTerryRanker().fit(problem[0])
    scores = np.zeros(problem[1])
    scores[model.items_] = model.scores_
    return scores


def fit_sklearn(problem, tol):
    from sklearn.linear_model import LogisticRegression

    pairs, n = problem[:2]
    m = len(pairs)
    first = np.where(np.arange(m) % 2 == 0, 1.0, -1.0)
    rows = np.tile(np.arange(m), 2)
    X = sp.csr_array((np.r_[first, -first], (rows, pairs.T.ravel())), shape=(m, n))
    how = {"fit_intercept": False, "solver": "newton-cg", "tol": tol}
    return LogisticRegression(C=1e9, **how).fit(X, first > 0).coef_[0]


def fit_choix(problem, tol):
    import choix

    return choix.ilsr_pairwise(problem[1], problem[0].tolist(), tol=tol)


def fit_evalica(problem, tol):
    import evalica

    pairs, n = problem[:2]
    names = [str(k) for k in range(n)]
    left, right = ([names[k] for k in column] for column in pairs.T)
    won = [evalica.Winner.X] * len(left)
    found = evalica.bradley_terry(left, right, won, tolerance=tol).scores
    return np.log([found[name] for name in names])


TASK = BradleyTerry()
