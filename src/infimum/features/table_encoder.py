"""From the columns of a table to a matrix that linear models like."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from infimum.data import Table
from infimum.data.spelling import did_you_mean
from infimum.errors import DataError, InvalidParameterError
from infimum.features.table_columns import ENCODERS, Block, Limits, State
from infimum.parameters import Choice, check_domain, whole

__all__ = ["TableEncoder"]

#: Kinds that say nothing about other rows, and why.
_DROPPED = {
    "identifier": "identifies rows and says nothing about new ones",
    "constant": "has the same value in every row",
}
_WIDE, _THIN = 64, 0.25


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A table turned into numbers, every column according to its kind.

    =========== =====================================================================
    numeric     median for missing values, then mean 0 and variance 1
    boolean     0 or 1, the usual value where missing
    categorical one column a level; rare levels share one; missing is a level
    date        year, month, weekday, days since the first date; standardised
    text        counts of the most frequent words
    identifier  dropped, like constant
    =========== =====================================================================

    A column with missing values also gets an indicator of where they were. Everything
    is learned from the rows given to `fit`; columns are found by name, in any order.

    Parameters
    ----------
    kinds : mapping from column name to kind, default=None
        What the columns are; None reads it off the rows given to `fit`. Columns that
        are not named are not used.
    max_levels : int, default=50
        The most levels of a categorical column that get a column of their own.
    min_count : int, default=5
        How many rows a level needs for a column of its own.
    max_words : int, default=200
        The most words that are counted in a text column.
    sparse_output : {"auto", True, False}, default="auto"
        Whether the matrix is a CSR matrix; "auto" decides for one if it is wide and
        mostly zeros.

    Attributes
    ----------
    columns_ : list of dict
        What was learned of every column in use.
    dropped_ : dict from str to str
        The columns not in use, and why.
    sparse_ : bool
        Whether `transform` returns a CSR matrix.
    feature_names_in_ : ndarray of str
        The columns in use.

    Examples
    --------
    >>> import polars as pl
    >>> from infimum.features import TableEncoder
    >>> rows = pl.DataFrame({"age": [20, 40, None, 30], "job": ["a", "b", "a", None]})
    >>> encoder = TableEncoder(min_count=1).fit(rows)
    >>> encoder.get_feature_names_out().tolist()
    ['age', 'age is missing', 'job=a', 'job=b', 'job is missing']
    """

    def __init__(
        self,
        kinds: Mapping[str, str] | None = None,
        *,
        max_levels: int = 50,
        min_count: int = 5,
        max_words: int = 200,
        sparse_output: bool | str = "auto",
    ) -> None:
        self.kinds = kinds
        self.max_levels = max_levels
        self.min_count = min_count
        self.max_words = max_words
        self.sparse_output = sparse_output

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn medians, scales, levels and words from a table; return self."""
        limits = self._limits()
        kinds = self._kinds_of(X)
        frame = _frame(X)
        self.dropped_ = {
            name: _DROPPED[kind] for name, kind in kinds.items() if kind in _DROPPED
        }
        self.columns_: list[State] = []
        for name, kind in kinds.items():
            if kind in ENCODERS:
                learned = ENCODERS[kind].learn(_column(frame, name), limits)
                self.columns_.append({"column": name, "kind": kind, **learned})
        if not self.get_feature_names_out().size:
            raise DataError(
                "No column can be learned from: every one is an identifier, constant "
                "or empty; add columns that differ between rows."
            )
        self.feature_names_in_ = np.array([c["column"] for c in self.columns_], object)
        self.n_features_in_ = len(self.columns_)
        self.sparse_ = self._wants_sparse(frame)
        return self

    def transform(self, X: Any) -> Any:
        """Return the matrix of the given rows, one column a feature name."""
        check_is_fitted(self, "columns_")
        blocks = self._blocks(_frame(X))
        if self.sparse_:
            thin = [sparse.csr_matrix(block) for block in blocks]
            return sparse.hstack(thin, format="csr")
        return np.hstack([_dense(block) for block in blocks])

    def get_feature_names_out(
        self,
        input_features: Any = None,
    ) -> NDArray[Any]:
        """Return the names of the matrix's columns, all different."""
        check_is_fitted(self, "columns_")
        names: list[str] = []
        taken: set[str] = set()
        for name in (name for column in self.columns_ for name in column["names"]):
            unique, copy = name, 2
            while unique in taken:
                unique, copy = f"{name} ({copy})", copy + 1
            taken.add(unique)
            names.append(unique)
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags

    def _limits(self) -> Limits:
        check_domain("TableEncoder.max_levels", self.max_levels, whole(1))
        check_domain("TableEncoder.min_count", self.min_count, whole(1))
        check_domain("TableEncoder.max_words", self.max_words, whole(1))
        admitted = Choice(("auto", True, False))
        check_domain("TableEncoder.sparse_output", self.sparse_output, admitted)
        return Limits(self.max_levels, self.min_count, self.max_words)

    def _kinds_of(self, X: Any) -> dict[str, str]:
        if self.kinds is None:
            return {column.name: str(column.kind) for column in _table(X).columns}
        for name, kind in self.kinds.items():
            if kind not in ENCODERS and kind not in _DROPPED:
                known = ", ".join(repr(k) for k in [*ENCODERS, *_DROPPED])
                raise InvalidParameterError(
                    f"TableEncoder.kinds[{name!r}] must be one of {known}, "
                    f"got {kind!r}."
                )
        return {name: str(kind) for name, kind in self.kinds.items()}

    def _blocks(self, frame: pl.DataFrame) -> list[Block]:
        return [
            ENCODERS[state["kind"]].encode(_column(frame, state["column"]), state)
            for state in self.columns_
        ]

    def _wants_sparse(self, frame: pl.DataFrame) -> bool:
        if self.sparse_output != "auto":
            return bool(self.sparse_output)
        blocks = self._blocks(frame)
        width = sum(block.shape[1] for block in blocks)
        filled = sum(sparse.csr_matrix(block).nnz for block in blocks)
        return bool(width >= _WIDE and filled <= _THIN * width * frame.height)


def _frame(X: Any) -> pl.DataFrame:
    return X if isinstance(X, pl.DataFrame) else _table(X).frame


def _table(X: Any) -> Table:
    # Encoding a frame whose kinds are known does not need the readers of all formats.
    from infimum.data import read_table

    table = X if isinstance(X, Table) else read_table(X)
    if not isinstance(table, Table):
        raise DataError("TableEncoder needs named columns, got a sparse table.")
    return table


def _column(frame: pl.DataFrame, name: str) -> pl.Series:
    if name not in frame.columns:
        hint = did_you_mean(name, frame.columns)
        raise DataError(f"The table has no column {name!r}, which is needed{hint}")
    return frame[name]


def _dense(block: Block) -> Any:
    return block if isinstance(block, np.ndarray) else block.toarray()
