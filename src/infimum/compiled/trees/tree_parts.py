"""Arguments of the loops that grow trees, as named tuples of arrays and numbers."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from numba import njit

from infimum.compiled.inner_loop import inner_loop

__all__ = [
    "Bounds", "Columns", "Growth", "Keys", "Lay", "Measure", "Ranks", "Rules", "Target",
    "Workspace", "borrower", "inner", "part_of",
]  # fmt: skip

Loop = TypeVar("Loop", bound=Callable[..., Any])


def inner(loop: Loop) -> Loop:
    """Compile a loop that only other loops call."""
    return inner_loop(error_model="numpy")(loop)


def borrower(loop: Loop) -> Loop:
    """Compile an inner loop that neither makes nor returns arrays."""
    return inner_loop(borrows=True, error_model="numpy")(loop)


def part_of(loop: Loop) -> Loop:
    """Write a loop into the only one that calls it.

    Every loop is made ready together with all that it calls: loops in loops in loops
    take the more time the deeper they lie.
    """
    within: dict[str, Any] = {"inline": "always"}
    compiled: Loop = njit(nogil=True, error_model="numpy", **within)(loop)
    return compiled


class Ranks(NamedTuple):
    """The features as ranks: whole numbers in the order of the values.

    ``ranks[f, i]`` is the place of row i's value among the distinct values of feature
    f, which are ``values[starts[f] : starts[f] + counts[f]]``; what is missing has the
    rank ``counts[f]``. The ranks of a categorical feature are its categories. `plain`
    features are numbers of which none is missing and nothing is asked.
    """

    ranks: Any
    counts: Any
    starts: Any
    values: Any
    categorical: Any
    monotone: Any
    groups: Any
    plain: Any


class Target(NamedTuple):
    """What is to be told: classes as codes, numbers, and how impurity is measured.

    `family` is 0 for one number a row (two classes are the numbers 0 and 1), 1 for
    classes, 2 for several numbers, 3 for quantiles, which alone have a `level`: targets
    without are of another type, for which the loops of quantiles are not compiled.
    """

    family: int
    formula: int
    codes: Any
    numbers: Any
    order: Any
    width: int
    level: float | None


class Rules(NamedTuple):
    """When to stop, and how many features and thresholds to try."""

    max_depth: int
    min_split: int
    min_leaf: int
    min_weight: float
    min_decrease: float
    max_features: int
    max_leaves: int
    random: bool
    bins: int


class Workspace(NamedTuple):
    """Where the rows of one node are worked on."""

    keys: Any
    spare: Any
    buckets: Any
    weights: Any
    parts: Any
    codes: Any
    sides: Any
    totals: Any
    left: Any
    histogram: Any
    losses: Any
    features: Any
    state: Any


class Columns(NamedTuple):
    """Rows in the order of each feature, as stumps see them; see `SortedColumns`."""

    order: Any
    starts: Any
    known: Any
    zeros: Any
    ends: Any


class Growth(NamedTuple):
    """All that one tree grows from; what only one kind of grower has comes last."""

    table: Ranks
    target: Target
    rules: Rules
    work: Workspace
    weight: Any
    own: Any


class Lay(NamedTuple):
    """The rows of a node side by side, with room to bring them in order."""

    keys: Any
    spare: Any
    buckets: Any
    parts: Any
    weights: Any
    histogram: Any


class Keys(NamedTuple):
    """Keys in their order; from `known` on they are missing, all on one side."""

    keys: Any
    known: int
    size: int
    missing_left: bool


class Measure(NamedTuple):
    """What cuts of a node are measured by: its sum, its weight, the least of a side."""

    S: float
    W: float
    formula: int
    min_leaf: int
    min_weight: float


class Bounds(NamedTuple):
    """Which of two sides must be higher, if any, and what both lie between."""

    sign: int
    lower: float
    upper: float
