"""Declared states of fitted rankers: names, a score for each, and their games."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State
from infimum.models.ranking._whole_sample import SAMPLE_PROOF

__all__ = ["STATES"]


def _check_items(model: Any) -> None:
    if len(model.items_) != len(model.scores_):
        raise DataError(f"{type(model).__name__} needs a score for each item.")


def _check_games(model: Any) -> None:
    games, rows = model._games, model._rows
    known = model.items_ if rows is None else games.items
    if list(games.items) != list(known):
        raise DataError("BradleyTerryRanker: its games are of other items.")
    if rows is not None and len(rows) != len(model.items_):
        raise DataError("BradleyTerryRanker needs covariates of each item.")
    sizes = model._problem(games).forms.shape
    if len(model._point) != sizes[1]:
        raise DataError("BradleyTerryRanker: its parameters fit other games.")


def _check_counts(games: Any) -> None:
    n = len(games.items)
    counts = (games.wins, games.losses, games.ties)
    within = all(len(count) == len(games.left) for count in counts)
    if not within or np.max([games.left, games.right], initial=0) >= n:
        raise DataError("Comparisons: a game is of items that are not there.")


def _check_planes(model: Any) -> None:
    """Refuse points of a proof that are not points of this problem."""
    shares, points = model.planes_
    arrays = all(isinstance(each, np.ndarray) for each in model.planes_)
    rows = arrays and shares.dtype.kind == points.dtype.kind == "f"
    more = 2 if hasattr(model, "intercept_") else 1
    wanted = (*np.shape(shares), model.coef_.size + more)
    if not rows or shares.ndim != 1 or points.shape != wanted:
        raise DataError(
            f"{type(model).__name__}.planes_ must be shares and as many points."
        )
    if not (np.isfinite(shares).all() and np.isfinite(points).all()):
        raise DataError(f"{type(model).__name__}.planes_ must be finite.")


def _check_thresholds(model: Any) -> None:
    if len(model.thresholds_) != len(model.classes_) - 1:
        raise DataError("OrdinalSVC needs a threshold between any two classes.")


_SCORED = State(
    {"items_": "list of plain", "scores_": "finite[items]"}, also=_check_items
)

STATES = {
    "Comparisons": State(
        {
            "items": "list of plain",
            "left": "index[pairs] of 16777216",
            "right": "index[pairs] of 16777216",
            "wins": "nonnegative[pairs]",
            "losses": "nonnegative[pairs]",
            "ties": "nonnegative[pairs]",
        },
        also=_check_counts,
    ),
    "BradleyTerryRanker": State(
        {
            "_games": "Comparisons",
            "_rows": "none | finite[items, covariates]",
            "_point": "finite[*]",
            "coef_": "finite[*]",
            "home_": "number",
            "tie_": "number",
            "certificate_": "Certificate",
            "n_iter_": "count",
        },
        base=_SCORED,
        also=_check_games,
    ),
    "PlackettLuceRanker": State(
        {"certificate_": "Certificate", "n_iter_": "count"}, base=_SCORED
    ),
    "CountingRanker": _SCORED,
    "SerialRanker": _SCORED,
    "RankCentrality": _SCORED,
    "RankingSVC": State(
        {"coef_": "finite[*]", "certificate_": "Certificate"}, base=_SCORED
    ),
    "LinearRanker": State(
        {**SAMPLE_PROOF, "coef_": "finite[features]"}, also=_check_planes
    ),
    "OrdinalSVC": State(
        {
            **SAMPLE_PROOF,
            "classes_": "label[classes]",
            "coef_": "finite[features]",
            "thresholds_": "finite[*]",
        },
        also=(_check_thresholds, _check_planes),
    ),
    "ScoreMaximizer": State(
        {
            **SAMPLE_PROOF,
            "classes_": "label[2]",
            "coef_": "finite[1, features]",
            "intercept_": "finite[1]",
        },
        also=_check_planes,
    ),
    "KemenyRanker": State(
        {"violations_": "number", "lower_bound_": "number"}, base=_SCORED
    ),
}
