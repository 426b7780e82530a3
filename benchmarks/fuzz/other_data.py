"""Data of estimators that are not fitted to a table: ratings, tokens, structures."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["OTHER_DATA"]

RATINGS = (
    ["ann", "ann", "bob", "bob", "cid", "cid"],
    ["x", "y", "x", "z", "y", "z"],
    [5.0, 1.0, 4.0, 2.0, 1.0, 3.0],
)
ITEMS = {"x": [1.0, 0.0], "y": [0.0, 1.0], "z": [1.0, 1.0]}
TOKENS = [[{"a": 1.0}, {"b": 2.0}, {"a": 0.5}], [{"b": 1.0}, {"a": 1.0}]]
ROWS = [np.array([[0.0], [1.0], [2.0]]), np.array([[2.0], [0.0]])]
TAGS = [["n", "v", "n"], ["v", "n"]]
#: Verbs of a recommender, with what is asked of each.
ASKED: dict[str, tuple[Any, ...]] = {
    "predict": (["ann", "cid"], ["z", "x"]),
    "recommend": (["ann", "bob"], 2),
    "similar_items": ("x", 2),
    "explain": ("ann", "z", 2),
}

#: Class -> arguments of `fit`, its names and values, and the queries: X and y, or
#: verbs with their arguments.
OTHER_DATA: dict[str, tuple[tuple[Any, ...], dict[str, Any], Any]] = {
    "ContentRecommender": ((RATINGS,), {"item_features": ITEMS}, (ASKED, None)),
    "FactorRecommender": ((RATINGS,), {}, (ASKED, None)),
    "NeighborRecommender": ((RATINGS,), {}, (ASKED, None)),
    "CRF": ((TOKENS, TAGS), {}, (TOKENS, TAGS)),
    "StructuredPerceptron": ((ROWS, TAGS), {}, (ROWS, TAGS)),
    "StructuredSVM": ((ROWS, TAGS), {}, (ROWS, TAGS)),
}
