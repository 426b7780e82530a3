"""Scikit-learn's boosted trees with the usual preprocessing, on infimum's own split."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

__all__ = ["peer_score"]

#: Boosted trees of scikit-learn take at most 255 categories.
_MOST_LEVELS = 254


def peer_score(
    path: Path, target: str, task: str, drop: tuple[str, ...], seed: int, metric: str
) -> float:
    """Return the peer's score on the test rows that `infimum learn` put aside."""
    from infimum.learn.problem import pose, split_off_test
    from infimum.learn.wishes import Wishes

    problem = pose(path, target, task, Wishes(drop=drop))
    split = split_off_test(problem, seed)
    rows = _plain(problem.rows.drop(drop))
    model = _model(rows, classify=bool(len(problem.classes)), counts=task == "counts")
    model.fit(rows.iloc[split.train], problem.y[split.train])
    held, truth = rows.iloc[split.held_back], problem.y[split.held_back]
    return _score(model, held, truth, metric)


def _plain(rows: pl.DataFrame) -> Any:
    """Return pandas columns: numbers, words, and dates as days."""
    days = [pl.col(name).cast(pl.Datetime("us")).cast(pl.Int64) / 86_400e6
            for name, kind in rows.schema.items() if kind.is_temporal()]  # fmt: skip
    return rows.with_columns(days).to_pandas()


def _model(rows: Any, *, classify: bool, counts: bool) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import (
        HistGradientBoostingClassifier,
        HistGradientBoostingRegressor,
    )
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    words = [name for name in rows if rows[name].dtype.kind not in "fiub"]
    codes = OrdinalEncoder(
        handle_unknown="use_encoded_value",
        unknown_value=np.nan,
        encoded_missing_value=np.nan,
        max_categories=_MOST_LEVELS,
    )
    table = make_column_transformer((codes, words), remainder="passthrough")
    settings = {"categorical_features": list(range(len(words))), "random_state": 0}
    if classify:
        return make_pipeline(table, HistGradientBoostingClassifier(**settings))
    loss = "poisson" if counts else "squared_error"
    return make_pipeline(table, HistGradientBoostingRegressor(loss=loss, **settings))


def _score(model: Any, rows: Any, truth: Any, metric: str) -> float:
    from sklearn.metrics import (
        accuracy_score,
        mean_poisson_deviance,
        roc_auc_score,
        root_mean_squared_error,
    )

    if metric == "auc":
        return float(roc_auc_score(truth, model.predict_proba(rows)[:, 1]))
    scorers = {
        "accuracy": accuracy_score,
        "rmse": root_mean_squared_error,
        "deviance": mean_poisson_deviance,
    }
    return float(scorers[metric](truth, model.predict(rows)))
