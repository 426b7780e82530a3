"""Declared states of classifiers made of classifiers: as many members as they need."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_members(model: Any) -> None:
    parts = getattr(model, "pairwise_indices_", None)
    if parts is not None and len(parts) != len(model.estimators_):
        raise DataError("OneVsOneClassifier needs the samples of each pair.")
    for k, member in enumerate(model.estimators_):
        if not isinstance(member, float) and not hasattr(type(member), "predict"):
            raise DataError(f"{type(model).__name__}: a member does not predict.")
        wanted = model.n_features_in_ if parts is None else len(parts[k])
        if getattr(member, "n_features_in_", wanted) != wanted:
            raise DataError(f"{type(model).__name__}: a member takes other columns.")


def _check_pairs(model: Any) -> None:
    count = len(model.classes_)
    if len(model.estimators_) != count * (count - 1) // 2:
        raise DataError("OneVsOneClassifier needs a member for each pair of classes.")


def _check_rest(model: Any) -> None:
    count, members = len(model.classes_), len(model.estimators_)
    if members != count and (members, count) not in {(1, 2), (1, 1)}:
        raise DataError("OneVsRestClassifier needs a member for each class.")
    known = getattr(model.label_binarizer_, "classes_", ())
    if len(known) != count:
        raise DataError("OneVsRestClassifier.label_binarizer_ has other classes.")


_STATE = State(
    {
        "n_features_in_": "size features",
        "classes_": "label[classes]",
        "estimators_": "tuple of estimator | list of estimator / number",
    },
    also=_check_members,
)

STATES = {
    "OneVsOneClassifier": State(
        {"pairwise_indices_?": "none | list of index[*] of features"},
        base=_STATE,
        also=_check_pairs,
    ),
    "OneVsRestClassifier": State(
        {"label_binarizer_": "LabelBinarizer"}, base=_STATE, also=_check_rest
    ),
}
