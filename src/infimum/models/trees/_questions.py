"""The splits and answers of a tree in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.data.doors import winners
from infimum.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from infimum.models.trees.structure import Tree

__all__ = ["answer_of", "categories_of", "names_of", "question_of"]

#: Categories that are named before the rest is counted.
NAMED = 6


def names_of(model: Any, given: Any) -> list[str]:
    """Return the names of the features of a fitted model, as given or as met."""
    count = model.n_features_in_
    if given is None:
        given = getattr(model, "feature_names_in_", None)
    if given is None:
        return [f"feature_{f}" for f in range(count)]
    if len(given) != count:
        raise DataError(f"{count} features need as many names, got {len(given)}.")
    return [str(name) for name in given]


def categories_of(tree: Tree, node: int) -> list[int]:
    """Return the categories that go left at a node."""
    start = int(tree.category_start[node])
    words = tree.category_words[start + 1 : start + 1 + int(tree.category_words[start])]
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return [int(level) for level in np.flatnonzero(bits)]


def question_of(
    tree: Tree,
    node: int,
    names: list[str],
    decimals: int,
    levels: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """Return what a node asks; yes goes left.

    `levels` names the categories of features by their codes, and what 0 and 1 mean.
    """
    feature = int(tree.feature[node])
    name, known = names[feature], (levels or {}).get(feature, ())
    if tree.category_start[node] < 0:
        if known and 0 <= tree.threshold[node] < 1:
            return f"{name} is {known[0]}"
        return f"{name} <= {tree.threshold[node]:.{decimals}f}"
    codes = categories_of(tree, node)
    words = [known[code] if code < len(known) else str(code) for code in codes]
    more = f", … {len(words) - NAMED} more" if len(words) > NAMED else ""
    return f"{name} in {{{', '.join(words[:NAMED])}{more}}}"


def answer_of(model: Any, node: int, decimals: int) -> str:
    """Return what a leaf tells."""
    value = model._grown.value[node]
    if hasattr(model, "classes_") and model.n_outputs_ == 1:
        return f"class: {model.classes_[winners(value[None])[0]]}"
    return "value: [" + ", ".join(f"{v:.{decimals}f}" for v in value) + "]"
