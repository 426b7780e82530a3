"""Classes that scikit-learn does not have, on ordinary input, for `signatures`.

Sequences, ratings and tagged tokens are those of the specimens of model files; classes
of tables are asked with more rows, in double and single precision, and sparse. Last
comes the main job, `infimum learn` of the bundled table.
"""

import tempfile
import warnings
from contextlib import suppress
from typing import Any

import numpy as np

from benchmarks.fuzz.specimens import specimen_of
from benchmarks.ordinary_calls import table

__all__ = ["OTHERS", "answer_other"]

#: Classes that call loops of their own.
OTHERS = (
    *("ApproximateNeighbors", "BradleyTerryRanker", "CRF"),
    *("FactorRecommender", "GMMHMM", "GaussianHMM", "HardImpute", "HashedText"),
    *("LevelSetClustering", "MulticlassPerceptron", "NeighborRecommender"),
    *("PlackettLuceRanker", "SoftImpute", "StructuredPerceptron", "StructuredSVM"),
    "learn",
)
_TABLES = {
    *("ApproximateNeighbors", "GMMHMM", "GaussianHMM", "HardImpute", "SoftImpute"),
    *("LevelSetClustering", "MulticlassPerceptron"),
}
_KINDS = ("float64 C", "float64 F", "float32 C", "csr 64")
#: Copies of a few sequences that make many.
_MANY = 1_000
_ANSWERS = (
    *("predict", "predict_proba", "predict_marginals", "decision_function"),
    *("transform", "kneighbors", "score_samples"),
)


def answer_other(name: str) -> int:
    """Fit and ask one of the `OTHERS`; return how many calls were answered."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name == "learn":
            return _learn()
        model, queries, _ = specimen_of(name)
        answered = 1 + _asked(model, queries)
        if name == "CRF":  # which has a way of its own for many sequences
            model.predict(_MANY * [[{"a": "b"}, {"a": "c"}]])
        for kind in _KINDS if name in _TABLES else ():
            X, t = table(kind, (300, 10))
            labels = np.digitize(t, np.quantile(t, [0.3, 0.7]))
            with suppress(TypeError, ValueError):
                model.fit(*((X,) if name.endswith("HMM") else (X, labels)))
                answered += 1 + _asked(model, X)
    return answered


def _learn() -> int:
    """Do what `infimum learn` does without arguments."""
    from infimum import learn
    from infimum.data import bundled

    with tempfile.TemporaryDirectory() as folder:
        learn(bundled("boston_mortgages"), "denied", out=folder, force=True)
    return 1


def _asked(model: Any, queries: Any) -> int:
    verbs = {name: (queries,) for name in _ANSWERS if hasattr(model, name)}
    answered = 0
    for verb, given in (queries if isinstance(queries, dict) else verbs).items():
        with suppress(TypeError, ValueError, NotImplementedError):
            getattr(model, verb)(*given)
            answered += 1
    return answered
