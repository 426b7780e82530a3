"""The risk of structures: hinge losses over all labellings of each sample."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.objectives.plane_risk import Mix, Plane, PlaneRisk
from infimum.penalties import Penalty
from infimum.typing import Indices, Vector

__all__ = ["DualSteps", "Labellings", "StructuredProblem", "StructuredRisk"]

#: Twice the largest relative error of one rounding, and roundings beside those counted.
UNIT, SOME = float(np.finfo(np.float64).eps), 16.0


class StructuredProblem(ABC):
    """Samples of one structure, past the door.

    A labelling is what the structure makes of it; only the structure looks inside.
    """

    #: How many samples, and how many weights.
    count: int
    size: int
    #: The right labellings, if they are known.
    right: list[Any]
    #: Whether decoders find the best labelling, not one of a relaxation.
    exact: bool = True

    @abstractmethod
    def best(self, w: Vector, which: Indices | None = None) -> list[Any]:
        """Return the labellings with the highest score, of some samples."""

    @abstractmethod
    def worst(self, w: Vector, which: Indices | None = None) -> list[Any]:
        """Return the labellings with the highest score plus cost, of some samples."""

    @abstractmethod
    def features(
        self, labellings: list[Any], shares: Vector, which: Indices | None = None
    ) -> Vector:
        """Return the sum of shares times joint features of samples and labellings."""

    @abstractmethod
    def cost(self, labellings: list[Any], which: Indices | None = None) -> Vector:
        """Return how wrong each labelling is: 0 for the right one."""

    @abstractmethod
    def told(self, labellings: list[Any]) -> list[Any]:
        """Return labellings as the user writes them."""

    @abstractmethod
    def reach(self, shares: Vector) -> tuple[Vector, Vector, int]:
        """Return Σ q·|joint features| at most, costs at most, and a count of terms.

        The sums are over samples with shares q, weight by weight, whatever they are
        labelled; the costs are of each sample; no sum or score has more terms.
        """

    def worst_scaled(self, w: Vector, which: Indices | None = None) -> list[Any] | None:
        """Return the labellings of the highest cost·(1 + score - right score)."""
        return None

    def check(self, labelling: Any, place: int) -> bool:
        """Tell whether something read from a file is a labelling of a sample."""
        return True

    def dual_steps(self, shares: Vector, strength: float) -> DualSteps | None:
        """Return fast dual steps under a ridge, where the structure has them."""
        return None


class Labellings(NamedTuple):
    """Labellings of samples and their shares: what a plane is rebuilt from.

    The shares of a sample sum to 1 at most; its right labelling has the rest.
    """

    places: Indices
    shares: Vector
    labellings: list[Any]


class DualSteps(ABC):
    """Shares of labellings, sample by sample: the variables of the dual."""

    @abstractmethod
    def round(self, order: Indices) -> float:
        """Raise the dual sample by sample; return what all together could have gained.

        Each sample tells of the weights it has met, so that the sum is no bound.
        """

    @abstractmethod
    def settle(self) -> tuple[Vector, float]:
        """Compute the weights again, and the cost, from the shares alone."""

    @abstractmethod
    def witness(self) -> Labellings:
        """Return all labellings but the right ones, with their shares."""


class StructuredRisk(PlaneRisk):
    r"""Mean structured hinge loss, margins or slacks rescaled by the cost.

    .. math:: R(w) = \sum_i q_i \max_{y'} \bigl(s_w(x_i, y') - s_w(x_i, y_i)
              + \Delta(y_i, y')\bigr)

    or Δ(yᵢ, y')·(1 + s(y') - s(yᵢ)) where slacks are rescaled. Any labellings give a
    plane below it: the difference of joint features, and the cost.
    """

    def __init__(
        self,
        problem: StructuredProblem,
        penalty: Penalty,
        weights: Vector,
        rescaling: str = "margin",
    ) -> None:
        self.problem, self.penalty, self.size = problem, penalty, problem.size
        self.shares = weights / weights.sum()
        self.rescaling, self.exact = rescaling, problem.exact

    def dual_steps(self) -> DualSteps | None:
        """Return fast dual steps, where structure, penalty and scaling allow them."""
        strength = self.penalty.quadratic
        if self.rescaling != "margin" or not strength:
            return None
        return self.problem.dual_steps(self.shares, float(strength))

    def touch(self, point: Vector) -> tuple[float, Plane]:
        everybody = np.arange(self.problem.count)
        said = self.worst(point[:-1], None)
        plane = self.rebuild(Labellings(everybody, np.ones(len(said)), said))
        # The right labelling itself loses nothing: no loss is negative.
        return max(float(plane.slope @ point) + plane.height, 0.0), plane

    def worst(self, w: Vector, which: Indices | None) -> list[Any]:
        """Return the labellings that the loss is attained at."""
        if self.rescaling == "margin":
            return self.problem.worst(w, which)
        found = self.problem.worst_scaled(w, which)
        if found is None:
            raise DataError("This structure has no decoder for rescaled slacks.")
        return found

    def rebuild(self, witness: Any) -> Plane:
        places, shares, said = witness
        places, shares = np.asarray(places, dtype=np.intp), np.asarray(shares, float)
        shares = self._checked(places, shares, said)
        cost = self.problem.cost(said, places)
        parts = self.shares[places] * shares
        pulls = parts * cost if self.rescaling == "slack" else parts
        right = [self.problem.right[place] for place in places]
        slope = self.problem.features(said, pulls, places)
        slope = slope - self.problem.features(right, pulls, places)
        blur, doubt = self._rounding
        said = Labellings(*witness)
        return Plane(np.append(slope, 0.0), float(parts @ cost), said, blur, doubt)

    @cached_property
    def _rounding(self) -> tuple[Vector, float]:
        """Bound the rounding of slopes, and of costs and of the scores beside them."""
        _, costs, _ = self.problem.reach(self.shares)
        scaled = self.rescaling == "slack"
        weights = self.shares * np.maximum(costs, 1.0) if scaled else self.shares
        sizes, _, terms = self.problem.reach(weights)
        sums = UNIT * (2.0 * terms + len(self.shares) + SOME)
        return sums * np.append(2.0 * sizes, 0.0), sums * float(self.shares @ costs)

    def _checked(self, places: Indices, shares: Vector, said: list[Any]) -> Vector:
        """Return shares that sum to 1 at most; raise DataError if these cannot be."""
        inside = len(places) == len(shares) == len(said) and (
            len(places) == 0
            or (places.min() >= 0 and places.max() < self.problem.count)
        )
        sums: Any = np.ones(self.problem.count)
        if inside := inside and bool((shares >= 0.0).all()):
            sums = np.bincount(places, shares, minlength=self.problem.count)
            inside = bool(sums.max(initial=0.0) <= 1.0 + 1e-9)
        both = zip(said, places, strict=False)
        checks = (self.problem.check(labels, int(place)) for labels, place in both)
        if not inside or not all(checks):
            raise DataError("A proof needs labellings of its own samples.")
        return np.asarray(shares / np.maximum(sums, 1.0)[places])

    def merged(self, mix: Mix) -> Labellings:
        """Return the witness of a mix of planes as one: equal labellings joined."""
        held: dict[tuple[int, bytes], list[Any]] = {}
        for share, witness in zip(mix.shares, mix.witnesses, strict=True):
            for place, part, said in zip(*witness, strict=True):
                parts = said if isinstance(said, tuple) else (said,)
                key = int(place), b"".join(np.asarray(p).tobytes() for p in parts)
                entry = held.setdefault(key, [0.0, said])
                entry[0] += float(share) * float(part)
        right = [key for key in held if self._is_right(key[0], held[key][1])]
        for key in right:
            del held[key]
        return Labellings(
            np.array([key[0] for key in held], dtype=np.intp),
            np.array([entry[0] for entry in held.values()]),
            [entry[1] for entry in held.values()],
        )

    def _is_right(self, place: int, said: Any) -> bool:
        return not isinstance(said, tuple) and np.array_equal(
            said, self.problem.right[place]
        )
