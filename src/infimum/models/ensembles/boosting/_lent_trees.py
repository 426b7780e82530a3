"""Boosted trees as the tools that know scikit-learn's read them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.models.trees import DecisionTreeRegressor
from infimum.models.trees.node_arrays import NodeArrays
from infimum.models.trees.structure import Tree
from infimum.typing import Matrix

__all__ = ["Predictor", "dependence", "predictors", "regressors"]

#: One node as scikit-learn's histogram boosting writes it.
NODE = np.dtype(
    [
        ("value", np.float64),
        ("count", np.uint32),
        ("feature_idx", np.intp),
        ("num_threshold", np.float64),
        ("missing_go_to_left", np.uint8),
        ("left", np.uint32),
        ("right", np.uint32),
        ("gain", np.float32),
        ("depth", np.uint32),
        ("is_leaf", np.uint8),
        ("bin_threshold", np.uint8),
        ("is_categorical", np.uint8),
        ("bitset_idx", np.uint32),
    ]
)


@dataclass(frozen=True, eq=False)
class Predictor:
    """One tree of histogram boosting: its nodes as records."""

    nodes: NDArray[Any]

    def get_n_leaf_nodes(self) -> int:
        """Return the number of leaves."""
        return int(self.nodes["is_leaf"].sum())

    def get_max_depth(self) -> int:
        """Return the depth of the deepest leaf."""
        return int(self.nodes["depth"].max())


def predictors(model: Any) -> list[list[Predictor]]:
    """Return the trees of a fitted model: rounds × scores."""
    width = model.n_trees_per_iteration_
    made = [Predictor(_records(tree)) for tree in model.trees_.trees]
    return [made[at : at + width] for at in range(0, len(made), width)]


def _records(tree: Tree) -> NDArray[Any]:
    nodes = np.zeros(tree.n_nodes, dtype=NODE)
    ends = tree.feature < 0
    nodes["value"], nodes["count"] = tree.value[:, 0], tree.rows
    nodes["feature_idx"] = np.where(ends, 0, tree.feature)
    nodes["num_threshold"] = tree.threshold
    nodes["missing_go_to_left"] = tree.missing_left
    nodes["left"] = np.where(ends, 0, tree.left)
    nodes["right"] = np.where(ends, 0, tree.right)
    nodes["gain"], nodes["depth"], nodes["is_leaf"] = tree.gain, tree.depths, ends
    nodes["is_categorical"] = tree.category_start >= 0
    return nodes


def regressors(model: Any) -> NDArray[Any]:
    """Return the trees as models: rounds × scores; the learning rate is not in them."""
    rate = float(model.learning_rate) or 1.0
    own = DecisionTreeRegressor().get_params()
    shared = {k: v for k, v in model.get_params(False).items() if k in own}
    made = np.empty(len(model.trees_.trees), dtype=object)
    for at, tree in enumerate(model.trees_.trees):
        single = DecisionTreeRegressor(**shared)
        single.tree_ = replace(tree, value=tree.value / rate)
        single.n_features_in_, single.n_outputs_ = model.n_features_in_, 1
        single.max_features_ = getattr(model, "max_features_", model.n_features_in_)
        made[at] = single
    return made.reshape(-1, model.n_trees_per_iteration_)


def dependence(model: Any, grid: Any, target_features: Any) -> Matrix:
    """Return the partial dependence of the scores, by recursion: scores × points.

    As in scikit-learn, what all rows have in common before the first tree is left out.
    """
    trees, grid = model.trees_, np.asarray(grid, dtype=np.float64)
    told = np.zeros((len(trees.start), len(grid)))
    one = np.ones(1, dtype=np.int64)
    for tree, output in zip(trees.trees, trees.outputs, strict=True):
        nodes = NodeArrays(tree, model.n_features_in_, one)
        nodes.compute_partial_dependence(grid, target_features, told[output])
    return told
