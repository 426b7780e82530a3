"""A tree as text, one line a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from infimum.data.doors import check_fitted
from infimum.models.trees._questions import answer_of, names_of, question_of
from infimum.parameters import check_domain, whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["export_text"]


def export_text(
    decision_tree: Any,
    *,
    feature_names: Any = None,
    max_depth: int = 10,
    decimals: int = 2,
    level_names: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """Return the questions of a fitted tree and its answers, indented by depth.

    Parameters
    ----------
    decision_tree : DecisionTreeClassifier, DecisionTreeRegressor or alike
    feature_names : sequence of str, optional
    max_depth : int, default=10
        What is below is only counted.
    decimals : int, default=2
    level_names : mapping from int to sequence of str, optional
        By feature, what its categories are called in the order of their codes.

    Examples
    --------
    >>> from infimum.models.trees import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0], [9.0]], list("aab"))
    >>> print(export_text(model, feature_names=["size"]))
    size <= 5.00?
    ├─ yes: class: a
    └─ no: class: b
    """
    check_fitted(decision_tree)
    check_domain("export_text.max_depth", max_depth, whole(0))
    check_domain("export_text.decimals", decimals, whole(0))
    tree = decision_tree._grown
    names = names_of(decision_tree, feature_names)
    lines: list[str] = []
    # A node, what leads to it, and the bars of the branches that are still open.
    stack = [(0, "", "", "")]
    while stack:
        node, bars, hook, word = stack.pop()
        head = bars + hook + word
        if tree.feature[node] < 0:
            lines.append(head + answer_of(decision_tree, node, decimals))
            continue
        if tree.depths[node] >= max_depth:
            lines.append(f"{head}… {answer_of(decision_tree, node, decimals)}")
            continue
        lines.append(f"{head}{question_of(tree, node, names, decimals, level_names)}?")
        below = bars + {"": "", "├─ ": "│  ", "└─ ": "   "}[hook]
        stack.append((int(tree.right[node]), below, "└─ ", "no: "))
        stack.append((int(tree.left[node]), below, "├─ ", "yes: "))
    return "\n".join(lines)
