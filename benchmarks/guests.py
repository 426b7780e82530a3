"""Other people's tools at work on our classes: ``python -m benchmarks.guests``.

Each function is a short script as a user of the tool would write it, with our class
in the place of scikit-learn's. It returns what it found, and raises if it fails.
"""

from __future__ import annotations

import importlib.util
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

import infimum

__all__ = ["GUESTS", "main"]

FAMILIES = (
    "DecisionTree", "ExtraTree", "RandomForest", "ExtraTrees", "GradientBoosting",
    "HistGradientBoosting",
)  # fmt: skip


def shap() -> str:
    """Explain trees, forests and boosting; the shares add up to the answer."""
    import shap as tool

    worst, classes = 0.0, ("Classifier", "Regressor")
    for kind in (f"{family}{end}" for family in FAMILIES for end in classes):
        regression = kind.endswith("Regressor")
        X, y = (load_diabetes if regression else load_breast_cancer)(return_X_y=True)
        X = X.astype(np.float32).astype(np.float64)  # what shap reads
        model = getattr(infimum, kind)(random_state=0).fit(X[::2], y[::2])
        explainer = tool.TreeExplainer(model)
        told = explainer.shap_values(X[:20]).sum(axis=1) + explainer.expected_value
        answer = model.predict if regression else _scores(model)
        worst = max(worst, float(np.abs(told - answer(X[:20])).max()))
        assert worst < 1e-6 * float(np.abs(y).max()), kind
    return f"{2 * len(FAMILIES)} classes, shares miss the answer by {worst:.1e}"


def _scores(model: Any) -> Callable[[Any], Any]:
    boosted = hasattr(model, "decision_function")
    found: Callable[[Any], Any] = (
        model.decision_function if boosted else model.predict_proba
    )
    return found


def sklearn() -> str:
    """Partial dependence from the trees themselves, and trees in words and pictures."""
    from sklearn.inspection import partial_dependence
    from sklearn.tree import export_graphviz, export_text, plot_tree

    X, y = load_diabetes(return_X_y=True)
    worst = 0.0
    for kind in ("GradientBoosting", "HistGradientBoosting", "RandomForest"):
        model = getattr(infimum, f"{kind}Regressor")(random_state=0).fit(X, y)
        paths, asked = (
            partial_dependence(model, X, [2], method=method)["average"]
            for method in ("recursion", "brute")
        )
        apart = (paths - paths.mean()) - (asked - asked.mean())
        worst = max(worst, float(np.abs(apart).max() / np.ptp(asked)))
    tree = infimum.DecisionTreeClassifier(max_depth=3).fit(*load_iris(return_X_y=True))
    lines = export_text(tree).splitlines()
    boxes, drawn = plot_tree(tree), export_graphviz(tree)
    assert len(boxes) >= drawn.count("gini") == tree.tree_.node_count
    assert worst < 0.5
    return f"recursion within {worst:.0%} of brute; {len(lines)} lines of a tree"


def mapie() -> str:
    """Conformal intervals around a ridge cover what they promise."""
    from mapie.regression import SplitConformalRegressor

    X, y = load_diabetes(return_X_y=True)
    model = infimum.Ridge(alpha=1e-3)
    tool = SplitConformalRegressor(model, confidence_level=0.9, prefit=False)
    tool.fit(X[:200], y[:200]).conformalize(X[200:320], y[200:320])
    _, intervals = tool.predict_interval(X[320:])
    low, high = intervals[:, 0, 0], intervals[:, 1, 0]
    covered = float(((low <= y[320:]) & (y[320:] <= high)).mean())
    assert covered > 0.8
    return f"{covered:.0%} covered, 90 % asked for"


def imblearn() -> str:
    """Draw more of the few between their neighbours, in a pipeline."""
    from imblearn.over_sampling import SMOTE
    from imblearn.pipeline import make_pipeline

    X, y = load_breast_cancer(return_X_y=True)
    some = np.flatnonzero((y == 1) | (np.arange(len(y)) % 5 == 0))
    sampler = SMOTE(k_neighbors=infimum.NearestNeighbors(n_neighbors=6), random_state=0)
    model = make_pipeline(sampler, infimum.LogisticRegression()).fit(X[some], y[some])
    share = float(model.score(X, y))
    assert share > 0.9
    return f"{share:.1%} right"


def skops() -> str:
    """Write and read a model without pickles; it answers as before."""
    import skops.io as tool

    X, y = load_iris(return_X_y=True)
    model = infimum.LogisticRegression().fit(X, y)
    written = tool.dumps(model)
    known = tool.get_untrusted_types(data=written)
    again = tool.loads(written, trusted=known)
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    return f"{len(written)} bytes, {len(known)} types of ours to trust"


def mlxtend() -> str:
    """Stepwise selection of features by a scored classifier."""
    from mlxtend.feature_selection import SequentialFeatureSelector

    X, y = load_iris(return_X_y=True)
    model = infimum.KNeighborsClassifier(3)
    found = SequentialFeatureSelector(model, k_features=2, cv=3).fit(X, y)
    assert len(found.k_feature_idx_) == 2
    return f"features {found.k_feature_idx_}, {found.k_score_:.1%} right"


def feature_engine() -> str:
    """Features that a model does not miss are dropped."""
    from feature_engine.selection import SelectByShuffling

    table, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = infimum.RandomForestClassifier(n_estimators=10, random_state=0)
    tool = SelectByShuffling(model, cv=2, random_state=0).fit(table, y)
    kept = tool.transform(table).shape[1]
    assert 0 < kept < table.shape[1]
    return f"{kept} of {table.shape[1]} features kept"


#: What is to be installed, and the script that uses it.
GUESTS: dict[str, Callable[[], str]] = {
    "sklearn": sklearn,
    "shap": shap,
    "mapie": mapie,
    "imblearn": imblearn,
    "skops": skops,
    "mlxtend": mlxtend,
    "feature_engine": feature_engine,
}


def main(names: list[str] | None = None) -> int:
    """Run the scripts of the tools that are installed; return how many failed."""
    failed = 0
    for name in names or GUESTS:
        if importlib.util.find_spec(name) is None:
            sys.stdout.write(f"{name:16} not installed\n")
            continue
        start = time.perf_counter()
        told: Any
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                told = GUESTS[name]()
        except Exception as error:
            failed, told = failed + 1, f"FAILED: {error!r}"[:200]
        seconds = time.perf_counter() - start
        sys.stdout.write(f"{name:16} {seconds:5.1f} s  {told}\n")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
