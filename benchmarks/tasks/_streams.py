"""Streams that Vowpal Wabbit and River can read, too, and one judge for all."""

import atexit
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from scipy import sparse

from benchmarks.peers import quietly
from benchmarks.task import Contender, present

WABBIT = (
    "--loss_function logistic --noconstant -b 18 --quiet --cache_file {cache} -d {file}"
)
#: No intercept: the labels are drawn without one, and the libraries step differently.
STEPS = {
    "fit_intercept": False,
    "penalty": None,
    "learning_rate": "constant",
    "max_iter": 1,
    "tol": None,
    "shuffle": False,
}
#: Lengths of steps to try; Vowpal Wabbit finds its own.
LENGTHS = (0.01, 0.1, 1.0)


class StreamTask:
    """A logistic model after one pass, judged on rows that no one has learnt.

    Every contender gets the rows in the form it likes best, made beforehand: arrays,
    Vowpal Wabbit's own binary cache, dictionaries for River. The excess is that of
    its share of errors over the share of the scores that the labels were drawn from.
    """

    tolerance = 0.02
    #: Rows that Vowpal Wabbit gets as text (None for all), and how often it reads them
    #: to take as many steps as the others.
    readable, passes = None, 1

    def made(self, X, scores, y):
        """Return the problem; the last tenth of the rows are for the judge."""
        kept = X.shape[0] * 9 // 10
        learnt = SimpleNamespace(X=X[:kept], y=y[:kept], rest=X[kept:])
        learnt.truth = y[kept:]
        learnt.least = float(np.mean(np.sign(scores[kept:]) != learnt.truth))
        learnt.folder = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, learnt.folder, ignore_errors=True)
        some = learnt.X[: self.readable], learnt.y[: self.readable]
        if present("vowpalwabbit"):
            _write(learnt, *some, self.passes)
        if present("river") and self.passes == 1:
            learnt.rows = list(_dictionaries(some[0]))
            learnt.labels = [bool(label > 0) for label in some[1]]
        return learnt

    def contenders(self):
        """Return ours and the peers."""
        yield Contender("infimum", fit_ours, LENGTHS)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn, LENGTHS)
        if present("vowpalwabbit"):
            yield Contender("Vowpal Wabbit", fit_wabbit)
        if present("river"):
            yield Contender("River", fit_river, LENGTHS)

    def excess(self, problem, answer):
        """Return how many errors more than the truth, as a share of the rows."""
        weights = answer(problem.X.shape[1])
        labels = np.where(problem.rest @ weights > 0, 1, -1)
        return float(np.mean(labels != problem.truth)) - problem.least


def _dictionaries(X):
    rows = sparse.csr_matrix(X)
    for begin, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True):
        places, values = rows.indices[begin:end], rows.data[begin:end]
        yield dict(zip(places.tolist(), values.tolist(), strict=True))


def _write(problem, X, y, passes):
    """Write the rows as Vowpal Wabbit's text, and let it make its cache from them."""
    from vowpalwabbit import Workspace

    places = {"file": problem.folder / "rows.vw", "cache": problem.folder / "cache"}
    problem.wabbit = WABBIT.format(**places)
    if passes > 1:
        problem.wabbit += f" --passes {passes} --holdout_off"
    with places["file"].open("w") as file:
        for row, label in zip(_dictionaries(X), y, strict=True):
            words = " ".join(f"{j}:{value:.7g}" for j, value in row.items())
            file.write(f"{label} | {words}\n")
    reader = Workspace(problem.wabbit)
    reader.run_parser()
    reader.finish()


def _linear(model):
    return lambda _: model.coef_[0]


@quietly
def fit_ours(problem, eta):
    from infimum.models.online import SGDClassifier

    model = SGDClassifier("log_loss", eta0=eta, **STEPS)
    return _linear(model.fit(problem.X, problem.y))


@quietly
def fit_sklearn(problem, eta):
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(loss="log_loss", eta0=eta, **STEPS)
    return _linear(model.fit(problem.X, problem.y))


def fit_wabbit(problem, _):
    from vowpalwabbit import Workspace

    model = Workspace(problem.wabbit)
    model.run_parser()

    def read(d):
        weights = [model.get_weight_from_name(str(j)) for j in range(d)]
        return np.array(weights)

    return read


def fit_river(problem, eta):
    from river.linear_model import LogisticRegression
    from river.optim import SGD

    model = LogisticRegression(SGD(eta), intercept_lr=0.0)
    for row, label in zip(problem.rows, problem.labels, strict=True):
        model.learn_one(row, label)

    def read(d):
        found = model.weights
        return np.array([found.get(j, 0.0) for j in range(d)])

    return read
