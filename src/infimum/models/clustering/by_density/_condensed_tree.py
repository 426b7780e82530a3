"""Branches of a tree of densities: how long they last, and which of them to keep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infimum.compiled.clusters.condensing import condense_tree
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["Branches", "Selection"]


@dataclass(frozen=True)
class Selection:
    """How branches become clusters; see the parameters of `HDBSCAN`."""

    method: str = "eom"
    epsilon: float = 0.0
    single: bool = False
    largest: float = np.inf


@dataclass(frozen=True)
class Branches:
    """Branches in an order in which each comes after the one it parted from.

    Time is 1/distance: `home` is the branch a sample leaves and `leaving` when,
    `parent`, `birth` and `members` tell where a branch comes from, when, and how many
    samples it begins with.
    """

    home: Indices
    leaving: Vector
    parent: Indices
    birth: Vector
    members: Indices

    @classmethod
    def of(cls, tree: Matrix, least: int) -> Branches:
        """Condense a tree of merges to branches of at least so many samples."""
        n = len(tree) + 1
        home, leaving = np.zeros(n, np.intp), np.zeros(n)
        parent, birth = np.empty(n, np.intp), np.empty(n)
        members = np.empty(n, np.intp)
        children = np.ascontiguousarray(tree[:, :2]).astype(np.intp)
        heights = tree[:, 2].copy()
        sizes = np.concatenate((np.ones(n), tree[:, 3])).astype(np.intp)
        count = condense_tree(
            children, heights, sizes, least, home, leaving, parent, birth, members
        )
        return cls(home, leaving, parent[:count], birth[:count], members[:count])

    def stabilities(self) -> Vector:
        """Return the sum, over the samples of a branch, of the time they stay."""
        total = np.zeros(len(self.parent))
        with np.errstate(invalid="ignore"):
            np.add.at(total, self.home, self.leaving - self.birth[self.home])
        split = np.arange(1, len(self.parent))
        above = self.parent[split]
        stay = (self.birth[split] - self.birth[above]) * self.members[split]
        np.add.at(total, above, stay)
        return total

    def deaths(self) -> Vector:
        """Return when the last sample leaves a branch, or the branch splits."""
        last = np.zeros(len(self.parent))
        np.maximum.at(last, self.home, self.leaving)
        np.maximum.at(last, self.parent[1:], self.birth[1:])
        return last

    def select(self, rule: Selection) -> Mask:
        """Tell which branches are clusters; none is a part of another."""
        chosen = self._leaves() if rule.method == "leaf" else self._stablest(rule)
        if rule.epsilon > 0.0 and len(self.parent) > 1 and not chosen[0]:
            chosen = self._grown(chosen, rule)
        if not rule.single:
            chosen[0] = False
        return chosen

    def owners(self, chosen: Mask) -> Indices:
        """Return the chosen branch that each branch is part of, or -1."""
        owner = np.where(chosen, np.arange(len(chosen)), -1)
        for branch in range(1, len(chosen)):
            if not chosen[branch]:
                owner[branch] = owner[self.parent[branch]]
        return owner

    def bar(self, chosen: Mask, rule: Selection) -> float:
        """Return from which time on samples count, where all are one cluster."""
        if not chosen[0]:
            return 0.0
        return 1.0 / rule.epsilon if rule.epsilon > 0.0 else float(self.deaths()[0])

    def _leaves(self) -> Mask:
        chosen = np.ones(len(self.parent), dtype=bool)
        chosen[self.parent[1:]] = False
        chosen[0] = False
        return chosen

    def _stablest(self, rule: Selection) -> Mask:
        """Choose the branches with the greatest sum of stabilities, from below."""
        value, below = self.stabilities(), np.zeros(len(self.parent))
        chosen = np.ones(len(self.parent), dtype=bool)
        for branch in range(len(chosen) - 1, 0, -1):
            size = self.members[branch]
            if below[branch] > value[branch] or size > rule.largest:
                chosen[branch], value[branch] = False, below[branch]
            below[self.parent[branch]] += value[branch]
        # What has split by then is all that the first branch holds as clusters.
        size = self.members[1:][self.parent[1:] == 0].sum()
        chosen[0] = rule.single and below[0] <= value[0] and size <= rule.largest
        return self._topmost(chosen)

    def _topmost(self, chosen: Mask) -> Mask:
        """Drop what is part of a chosen branch."""
        covered = np.zeros(len(chosen), dtype=bool)
        for branch in range(1, len(chosen)):
            above = self.parent[branch]
            covered[branch] = covered[above] or chosen[above]
        return np.asarray(chosen & ~covered)

    def _grown(self, chosen: Mask, rule: Selection) -> Mask:
        """Replace branches born below a distance by the first above it."""
        grown = np.zeros_like(chosen)
        for at in np.flatnonzero(chosen).tolist():
            small = self.birth[at] * rule.epsilon > 1.0
            grown[self._ancestor(at, rule) if small else at] = True
        return self._topmost(grown)

    def _ancestor(self, branch: int, rule: Selection) -> int:
        while True:
            above = int(self.parent[branch])
            if above == 0:
                return 0 if rule.single else int(branch)
            if self.birth[above] * rule.epsilon < 1.0:
                return above
            branch = above
