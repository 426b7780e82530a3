"""Scikit-learn's boosted trees with the usual preprocessing, on given rows."""

from typing import Any

import numpy as np
import polars as pl

from infimum.learn.problem import Problem
from infimum.typing import Indices

__all__ = ["peer_answers"]

#: Boosted trees of scikit-learn take at most 255 categories.
_MOST_LEVELS = 254


def peer_answers(problem: Problem, train: Indices, unseen: Indices) -> Any:
    """Fit the peer on some rows; return what it says about others.

    That is the probability of the last of two classes, else its verdicts.
    """
    rows = _plain(problem.rows.drop(problem.options.drop))
    classify, counts = bool(len(problem.classes)), problem.goal == "counts"
    model = _model(rows, classify=classify, counts=counts)
    model.fit(rows.iloc[train], problem.y[train])
    if problem.goal == "binary":
        return model.predict_proba(rows.iloc[unseen])[:, 1]
    return model.predict(rows.iloc[unseen])


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
