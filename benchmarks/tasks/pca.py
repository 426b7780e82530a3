"""PCA: twenty components of 100,000 points in 300 dimensions."""

import numpy as np

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

COMPONENTS = 20


class PCATask:
    """Judged by the variance that the axes found miss, relative to the best axes."""

    title = "PCA, 100,000 × 300, 20 components"
    tolerance = 1e-6

    def problem(self, *, quick):
        draw = np.random.default_rng(13)
        n = 5_000 if quick else 100_000
        X = draw.standard_normal((n, 30)) @ draw.standard_normal((30, 300))
        X += draw.standard_normal((n, 300))
        centred = X - X.mean(axis=0)
        scatter = centred.T @ centred
        best = float(np.linalg.eigvalsh(scatter)[-COMPONENTS:].sum())
        return X, scatter, best

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            for solver in ("covariance_eigh", "arpack", "randomized", "full"):
                yield Contender(f"scikit-learn ({solver})", fit_theirs(solver))
        if present("sklearnex"):
            yield Contender("sklearnex", fit_sklearnex)

    def excess(self, problem, axes):
        _, scatter, best = problem
        frame = np.linalg.qr(np.asarray(axes, dtype=np.float64).T)[0]
        return 1.0 - float(np.sum(frame * (scatter @ frame))) / best


def fit_ours(problem, _):
    from infimum.models.embedding import PCA

    return PCA(COMPONENTS, random_state=0).fit(problem[0]).components_


def fit_theirs(solver):
    @quietly
    def fit(problem, _):
        from sklearn.decomposition import PCA

        model = PCA(COMPONENTS, svd_solver=solver, random_state=0)
        return model.fit(problem[0]).components_

    return fit


@quietly
def fit_sklearnex(problem, _):
    from sklearnex.decomposition import PCA

    return PCA(COMPONENTS, random_state=0).fit(problem[0]).components_


TASK = PCATask()
