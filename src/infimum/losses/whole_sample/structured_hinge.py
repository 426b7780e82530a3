"""Structured hinge loss of chains: the best wrong labelling must lose by its cost."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.decoders import Chain
from infimum.parameters import Choice, check_domain
from infimum.typing import Indices, Matrix, Vector

__all__ = ["StructuredHinge"]

_WAYS = Choice(("margin", "slack"))


@dataclass(frozen=True, eq=False)
class StructuredHinge:
    r"""Hinge loss over all labellings of a chain, Δ the number of wrong labels.

    .. math:: \max_{y'} s(y') - s(y) + \Delta(y, y') \quad\text{or}\quad
              \max_{y'} \Delta(y, y')\,(1 + s(y') - s(y))

    s is the score of a `Chain`. `rescaling` is "margin" for the first, "slack" for the
    second form. Margins are found by one decoding with costs added to the scores,
    slacks by a decoding that counts its mistakes: T times dearer, and exact. The loss
    is at least the cost of the best labelling.

    Examples
    --------
    >>> import numpy as np
    >>> loss = StructuredHinge(Chain(np.zeros((2, 2))))
    >>> loss.evaluate(np.array([0, 1]), np.zeros((2, 2)))[0]
    2.0
    """

    chain: Chain
    rescaling: str = field(default="margin", metadata={"domain": _WAYS})

    def __post_init__(self) -> None:
        check_domain("StructuredHinge.rescaling", self.rescaling, _WAYS)

    def value(self, y: Any, f: Matrix) -> float:
        """Return the loss of one sequence of labels y and scores f."""
        return self.evaluate(y, f)[0]

    def derivative(self, y: Any, f: Matrix) -> Matrix:
        """Return a subgradient in the scores."""
        return self.evaluate(y, f)[1]

    def evaluate(self, y: Any, f: Matrix) -> tuple[float, Matrix]:
        """Return the loss and a subgradient in the scores f."""
        labels, scores = np.asarray(y, dtype=np.intp), np.array(f, dtype=np.float64)
        worst, factor = self.most_violated(labels, scores)
        gap = float(np.diff(self._scores(scores, labels, worst))[0])
        cost = float(np.sum(worst != labels))
        value = gap + cost if self.rescaling == "margin" else cost * (1.0 + gap)
        rows, slopes = np.arange(len(labels)), np.zeros_like(scores)
        slopes[rows, worst] += factor
        slopes[rows, labels] -= factor
        return value, slopes

    def most_violated(self, labels: Indices, scores: Matrix) -> tuple[Indices, float]:
        """Return the labelling that attains the maximum, and what scales its score."""
        rows = np.arange(len(labels))
        if self.rescaling == "margin":
            raised = scores + 1.0
            raised[rows, labels] -= 1.0
            return self.chain.decode(raised)[0], 1.0
        best, mistakes = self._by_mistakes(labels, scores)
        own = float(self.chain.score(scores, labels)[0])
        counts = np.arange(len(best))
        prices = np.where(counts > 0, counts * (1.0 + best - own), 0.0)
        count = int(prices.argmax())
        return (labels, 0.0) if count == 0 else (mistakes[count], float(count))

    def _scores(self, scores: Matrix, *labellings: Indices) -> Vector:
        return np.array([self.chain.score(scores, y)[0] for y in labellings])

    def _by_mistakes(
        self, labels: Indices, scores: Matrix
    ) -> tuple[Vector, list[Indices]]:
        """Return the best score with each number of mistakes, and its labelling."""
        steps, n = scores.shape
        wrong = np.ones((steps, n), dtype=np.intp)
        wrong[np.arange(steps), labels] = 0
        best = np.full((steps + 1, n), -np.inf)
        start = self.chain.first + scores[0]
        best[wrong[0], np.arange(n)] = start
        origins = []
        for t in range(1, steps):
            reach = best[:, :, None] + self.chain.transitions
            before, value = reach.argmax(axis=1), reach.max(axis=1)
            origins.append(before)
            best = np.full_like(best, -np.inf)
            for j in range(n):
                w = wrong[t, j]
                best[w:, j] = value[: steps + 1 - w, j] + scores[t, j]
        final = best + self.chain.last
        ends = final.argmax(axis=1)
        paths: list[Indices] = []
        for count in range(steps + 1):
            path, left = np.zeros(steps, dtype=np.intp), count
            path[-1] = ends[count]
            for t in range(steps - 1, 0, -1):
                left -= int(wrong[t, path[t]])
                path[t - 1] = origins[t - 1][max(left, 0), path[t]]
            paths.append(path)
        return np.asarray(final.max(axis=1)), paths
