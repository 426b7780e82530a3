"""What is asked for beside the target: roles of columns, kinds, rows to explain."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from infimum.data import ColumnKind, SparseTable, Table, check_target, declare_kinds
from infimum.data.spelling import nearest
from infimum.errors import DataError, InvalidParameterError
from infimum.learn.tasks import GOALS, base_task
from infimum.parameters import check_domain, opened
from infimum.typing import Indices, Vector

__all__ = [
    "Options",
    "RowsToExplain",
    "check_columns",
    "check_name",
    "checked_rows",
    "checked_share",
    "listed",
    "moments_of",
    "numbers_with_target",
    "rows_to_explain",
    "weights_of",
]


@dataclass(frozen=True)
class RowsToExplain:
    """Rows to be explained; numbers count the rows of the data from 1.

    `truths` has one target a row, or one for each label; None where there is none.
    `places` tells where a row stands among the test rows, if it is one of them.
    """

    numbers: tuple[int, ...]
    rows: Any
    truths: tuple[Any, ...]
    places: dict[int, int] = field(default_factory=dict)


def checked_rows(given: int | Sequence[int] | None) -> tuple[int, ...]:
    """Return row numbers, each once; InvalidParameterError if they are none."""
    listed: list[Any] = list(given) if isinstance(given, Iterable) else [given]
    listed = [] if given is None else listed
    for number in listed:
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or number < 1:
            raise InvalidParameterError(
                "learn's explain_row must be the number of a row, counted from 1, "
                f"got {number!r}."
            )
    return tuple(dict.fromkeys(int(number) for number in listed))


def rows_to_explain(
    table: Table | SparseTable, numbers: Sequence[int], targets: Sequence[str]
) -> RowsToExplain | None:
    """Return the rows of a table that were asked about; DataError if it lacks one."""
    if not numbers:
        return None
    size = len(table)
    for number in numbers:
        if number > size:
            raise DataError(
                f"{table.source} has {size:,} rows, so there is no row {number:,} to "
                "explain."
            )
    places = np.array(numbers) - 1
    if isinstance(table, SparseTable):
        truths = [None] * len(places) if table.target is None else table.target[places]
        rows = sparse.csr_matrix(table.matrix, dtype=np.float64)[places]
        return RowsToExplain(
            tuple(numbers), rows, tuple(_known(each) for each in truths)
        )
    columns = [table.frame[name][places.tolist()].to_list() for name in targets]
    found = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    rows = table.without(targets)[places.tolist()]
    return RowsToExplain(tuple(numbers), rows, tuple(found))


def numbers_with_target(table: Table | SparseTable, target: str | None) -> Indices:
    """Return the numbers of the rows that have a target, counted from 1."""
    if isinstance(table, Table):
        there: NDArray[Any] = table.frame[target or ""].is_not_null().to_numpy()
    elif table.target is None or table.target.dtype.kind != "f":
        there = np.ones(len(table), dtype=bool)
    else:
        there = ~np.isnan(table.target)
    return np.flatnonzero(there) + 1


def _known(value: Any) -> Any:
    missing = isinstance(value, float | np.floating) and np.isnan(value)
    return None if missing else value


#: So many columns are named in a message.
_MOST = 12


@dataclass(frozen=True)
class Options:
    """Columns with a role, and the quantile to learn.

    Attributes
    ----------
    group : str, optional
        Rows with the same value stay on the same side of every split; no feature.
    time : str, optional
        Later rows are held back; models never see the future.
    weights : str, optional
        How often each row counts; no feature.
    sensitive : tuple of str
        Columns whose groups the evidence compares.
    drop, only : tuple of str
        Columns not to learn from, and the only ones to learn from.
    quantile : float, optional
        For the goal "quantile".
    kinds : mapping from str to str
        What columns are, where the reader of the table would be wrong.
    alarm_rate : float, optional
        For the goal "novelty": how often familiar rows may be flagged.
    explain_row : tuple of int
        Rows to explain one by one, counted from 1.
    costs : mapping from str to float
        What each mistake costs, by ``truth->answer``.
    """

    group: str | None = None
    time: str | None = None
    weights: str | None = None
    sensitive: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    quantile: float | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    alarm_rate: float | None = None
    explain_row: tuple[int, ...] = ()
    costs: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, **given: Any) -> "Options":
        """Return options from options, where one column may stand for a list of one."""
        lists: dict[str, Any] = {name: _names(given.get(name)) for name in _LISTS}
        kinds = _known_kinds(given.get("kinds") or {})
        lists["explain_row"] = checked_rows(given.get("explain_row"))
        dropped = tuple(name for name, kind in kinds.items() if kind == _DROP)
        lists["drop"] += tuple(name for name in dropped if name not in lists["drop"])
        return cls(**{**given, **lists, "kinds": kinds})

    @property
    def named(self) -> tuple[str, ...]:
        """Every column that is named."""
        single = (self.group, self.time, self.weights)
        listed = (*self.sensitive, *self.drop, *self.only, *self.kinds)
        return (*filter(None, single), *listed)

    def to_plain(self) -> dict[str, Any]:
        """Return what was asked for, without what was not."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value not in (None, (), {})
        }

    def declared(self, table: Table) -> Table:
        """Return the table with its columns read as the user says."""
        kinds = {name: kind for name, kind in self.kinds.items() if kind != _DROP}
        return declare_kinds(table, kinds) if kinds else table

    def check(self, table: Table, target: str) -> None:
        """Raise DataError unless all columns exist and their roles can be held."""
        for name in self.named:
            check_name(table, name)
        for role in ("group", "time", "weights"):
            name = getattr(self, role)
            if name == target:
                raise DataError(f"Column {name!r} is the target; it cannot be {role}.")
            if name and table.frame[name].null_count():
                row = int(table.frame[name].is_null().arg_true()[0]) + 1
                raise DataError(
                    f"Column {name!r} is missing in row {row}; {role} needs all."
                )
        for role, names in {"sensitive": self.sensitive, "dropped": self.drop}.items():
            if target in names:
                raise DataError(
                    f"Column {target!r} is the target; it cannot be {role}."
                )
        if self.group and self.time:
            raise DataError("Give --group or --time: a split cannot follow both.")

    def caveats(self) -> tuple[str, ...]:
        """Say what the test does not take into account, a sentence each."""
        said = []
        if self.weights:
            said.append(
                f"Column {self.weights!r} says for how many rows of the population a "
                "row stands: in learning, in choosing, in proved bounds and prediction "
                "sets, and in the numbers of the test, whose intervals go by the "
                "effective number of rows. Groups, importances and pictures count "
                "each test row once."
            )
        if self.group or self.time:
            how = f"of one {self.group!r}" if self.group else "near in time"
            said.append(
                "Bounds and intervals take the test rows as independent; where rows "
                f"{how} resemble each other, they promise too much."
            )
        return tuple(said)

    def learnable(self, name: str) -> bool:
        """Whether a column may be learned from, as far as the user is concerned."""
        if name in (self.group, self.weights) or name in self.drop:
            return False
        return not self.only or name in self.only


_COLUMNS = ("group", "time", "weights", "sensitive", "drop", "only", "kinds")
_LISTS = ("sensitive", "drop", "only")
_DROP = "drop"
#: What people say, and what the reader of tables says; a dropped column is none.
SAID = {
    "numeric": str(ColumnKind.NUMERIC),
    "category": str(ColumnKind.CATEGORICAL),
    "boolean": str(ColumnKind.BOOLEAN),
    "date": str(ColumnKind.DATE),
    "text": str(ColumnKind.TEXT),
    "id": str(ColumnKind.IDENTIFIER),
    _DROP: _DROP,
}
_ALSO = {"number": "numeric"}


def check_columns(table: Any, target: str | None, given: Mapping[str, Any]) -> None:
    """Raise DataError unless a table has every column that is named.

    `given` holds options of learning; those that name no column are passed over.
    """
    if not isinstance(table, Table):
        return
    names = [] if target is None else [target]
    if target is not None and "," in target and target not in table.names:
        names = [part.strip() for part in target.split(",")]
    for name in names:
        check_name(table, name)
    asked = Options.of(**{n: given[n] for n in _COLUMNS if n in given})
    table = asked.declared(table)
    asked.check(table, target or "")
    if target and len(names) == 1 and given.get("task") in ("auto", *GOALS):
        check_target(table, target, base_task(given["task"]))


def check_name(table: Table, name: str) -> None:
    """Raise DataError unless a table has a column, with what can be done about it."""
    if not name.strip(" ,"):
        raise DataError(f"{name!r} names no column of {table.source}.")
    parts = [part.strip() for part in name.split(",")]
    if name not in table.names and len(parts) > 1 and {*parts} <= {*table.names}:
        raise DataError(
            f"No column {name!r} in {table.source}; give the option once for each of "
            f"{', '.join(parts)}."
        )
    if name not in table.names and nearest(name, table.names) is None:
        raise DataError(
            f"No column {name!r} in {table.source}, which has {listed(table)}."
        )
    table.column(name)


def listed(table: Table) -> str:
    """Return the names of the columns, the first of them if they are many."""
    return ", ".join(table.names[:_MOST]) + (", …" if len(table.names) > _MOST else "")


def weights_of(table: Table, name: str | None) -> Vector | None:
    """Return the weights of the rows; DataError if they are no weights."""
    if name is None:
        return None
    column = table.frame[name]
    if not (column.dtype.is_numeric() or column.dtype == pl.Boolean):
        raise DataError(f"Column {name!r} holds no numbers, so it cannot weigh rows.")
    weights = column.cast(pl.Float64).to_numpy().astype(float)
    if (weights < 0).any():
        row = int(np.flatnonzero(weights < 0)[0]) + 1
        raise DataError(f"Column {name!r} weighs row {row} negatively.")
    if not weights.any():
        raise DataError(f"Column {name!r} gives every row the weight 0.")
    return weights


def moments_of(table: Table, name: str | None) -> Vector | None:
    """Return when rows happened, as numbers in order; DataError if they tell not."""
    if name is None:
        return None
    column = table.frame[name]
    if column.dtype.is_temporal():
        return column.cast(pl.Datetime("us")).cast(pl.Int64).to_numpy().astype(float)
    if column.dtype.is_numeric():
        return column.cast(pl.Float64).to_numpy().astype(float)
    raise DataError(f"Column {name!r} holds neither dates nor numbers, so no time.")


def checked_share(
    name: str, given: float | None, task: str, needed: str, usual: float
) -> float | None:
    """Return a share that only one task has, and its usual value if none is given."""
    if given is None:
        return usual if task == needed else None
    check_domain(f"learn's {name}", given, opened(0, 1))
    if task != needed:
        raise InvalidParameterError(
            f"learn's {name} needs task={needed!r}, got task={task!r}."
        )
    return given


def _known_kinds(given: Mapping[str, str]) -> dict[str, str]:
    known = {*SAID, *SAID.values(), *_ALSO}
    for name, kind in given.items():
        if kind not in known:
            raise InvalidParameterError(
                f"learn's kind of column {name!r} must be one of {', '.join(SAID)}, "
                f"got {kind!r}."
            )
    return {name: SAID.get(_ALSO.get(kind, kind), kind) for name, kind in given.items()}


def _names(value: str | Iterable[str] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)
