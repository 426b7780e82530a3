"""Networks of dense layers from the same start over the same batches."""

import warnings
from importlib import import_module

import numpy as np

from benchmarks.task import Contender, present

LIBRARIES = {"infimum": "infimum.dropin", "scikit-learn": "sklearn"}


class NetworkTask:
    """The same seed gives the same first weights and batches: the weights must agree.

    Parameters
    ----------
    title : str
    shape : tuple of int
        Rows and columns; a tenth of the rows for a quick run.
    classes : int
    settings : dict
        Of `MLPClassifier`.
    dtype : type, default=float64
        In single precision the loss is compared, not the weights.
    """

    def __init__(self, title, shape, classes, settings, dtype=np.float64):
        self.title, self.shape, self.classes = title, shape, classes
        self.settings, self.dtype = {"random_state": 0, **settings}, dtype
        self.tolerance = 1e-6 if dtype is np.float64 else 1e-2

    def problem(self, *, quick):
        n, d = self.shape
        n = n // 10 if quick else n
        rng = np.random.default_rng(0)
        X = rng.standard_normal((n, d))
        scores = np.tanh(X @ rng.standard_normal((d, 8)) / np.sqrt(d))
        y = (scores @ rng.standard_normal((8, self.classes))).argmax(axis=1)
        X = X.astype(self.dtype)
        return X, y, _fit("scikit-learn", X, y, self.settings)

    def contenders(self):
        yield Contender("infimum", self._fitter("infimum"))
        if present("sklearn"):
            yield Contender("scikit-learn", self._fitter("scikit-learn"))

    def excess(self, problem, answer):
        known = problem[2]
        if self.dtype is np.float64:
            pairs = zip(answer.coefs_, known.coefs_, strict=True)
            return max(np.abs(a - b).max() / np.abs(b).max() for a, b in pairs)
        return max(0.0, answer.loss_ / known.loss_ - 1.0)

    def _fitter(self, name):
        return lambda problem, _: _fit(name, *problem[:2], self.settings)


def _fit(name, X, y, settings):
    room = import_module(f"{LIBRARIES[name]}.neural_network")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the passes end before the loss is still
        return room.MLPClassifier(**settings).fit(X, y)
