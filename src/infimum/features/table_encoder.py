"""From the columns of a table to a matrix that linear models, or trees, like."""

from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags

from infimum.data import Table
from infimum.data.doors import check_fitted
from infimum.data.spelling import did_you_mean
from infimum.errors import DataError, InvalidParameterError
from infimum.features._column_values import as_words
from infimum.features.table_columns import (
    ENCODERS,
    Block,
    ColumnEncoder,
    Limits,
    State,
)
from infimum.features.target_means import (
    held_out_means,
    learn_means,
    target_columns,
)
from infimum.features.tree_columns import TREE_ENCODERS
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Matrix

__all__ = ["TableEncoder"]

#: Kinds that say nothing about other rows, and why.
_DROPPED = {
    "identifier": "identifies rows and says nothing about new ones",
    "constant": "has the same value in every row",
}
_WIDE, _THIN = 64, 0.25
_VIEWS = {"linear": ENCODERS, "trees": TREE_ENCODERS}
#: The most levels by view, if the user does not say: trees put them into 255 bins.
_LEVELS = {"linear": 1_000, "trees": 250}


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A table turned into numbers, every column according to its kind.

    =========== ==================================== ================================
    kind        view for linear and kernel models    view for trees
    =========== ==================================== ================================
    numeric     median where missing, then mean 0    as it is, NaN where missing
                and variance 1
    boolean     0 or 1, the usual value where        0 or 1, NaN where missing
                missing
    categorical one column a level; rare levels      codes 0, 1, 2, ... by frequency;
                share one; missing is a level        rare levels share the last, and
                                                     are told apart by mean target
    date        year, month, season and hour on a    year, month, weekday, day of
                circle, days of the week, trend      year, hour, trend
    text        tf-idf of words and pairs; hashed    counts of frequent words, number
                pieces where these are rare          of words and letters
    identifier  dropped, like constant               dropped, like constant
    =========== ==================================== ================================

    For linear models a column with missing values also gets an indicator of where they
    were. A level never met counts as rare if there were rare ones, else as none at all.
    Everything is learned from the rows given to `fit`; columns are found by name, in
    any order. For trees, the columns of texts come last.

    Parameters
    ----------
    kinds : mapping from column name to kind, default=None
        What the columns are; None reads it off the rows given to `fit`. Columns that
        are not named are not used.
    view : {"linear", "trees"}, default="linear"
        For which models.
    max_levels : int, default=None
        The most levels of a categorical column that are told apart; None stands for
        1,000 for linear models and 250 for trees.
    min_count : int, default=5
        How many rows a level needs for a column of its own.
    max_words : int, default=10000
        The most words and pairs of words that are counted in a text column; at most
        50 words for trees.
    text_buckets : int, default=4096
        How many columns hold the hashed pieces of a text if most of its words are in
        no other text; 0 leaves them out.
    sparse_output : {"auto", True, False}, default="auto"
        Whether the matrix is a CSR matrix; "auto" decides for one if it is wide and
        mostly zeros. Trees get a dense matrix in any case.

    Attributes
    ----------
    columns_ : list of dict
        What was learned of every column in use.
    dropped_ : dict from str to str
        The columns not in use, and why.
    categorical_features_ : list of int
        Which columns of the matrix hold codes of categories; none for linear models.
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
    >>> trees = TableEncoder(view="trees", min_count=1).fit(rows)
    >>> trees.transform(rows)[:2], trees.categorical_features_
    (array([[20.,  0.],
           [40.,  1.]]), [1])
    """

    def __init__(
        self,
        kinds: Mapping[str, str] | None = None,
        *,
        view: str = "linear",
        max_levels: int | None = None,
        min_count: int = 5,
        max_words: int = 10_000,
        text_buckets: int = 4096,
        sparse_output: bool | str = "auto",
    ) -> None:
        self.kinds = kinds
        self.view = view
        self.max_levels = max_levels
        self.min_count = min_count
        self.max_words = max_words
        self.text_buckets = text_buckets
        self.sparse_output = sparse_output

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn medians, scales, levels and words from a table; return self.

        With a target, levels that share a code for trees are described by their means.
        """
        self._learn(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn from a table and return its matrix.

        Means of the target are taken over other rows than the one they describe, so
        the result differs from `transform` there.
        """
        frame, blocks = self._learn(X, y)
        matrix = self._joined(frame, blocks)
        if (targets := self._targets(y)) is not None:
            self._hold_out(matrix, frame, targets[0])
        return matrix

    def transform(self, X: Any) -> Any:
        """Return the matrix of the given rows, one column a feature name."""
        check_fitted(self, "columns_")
        return self._joined(_frame(X), None)

    def _targets(self, y: Any) -> tuple[Matrix, list[str]] | None:
        return None if y is None or self.view != "trees" else target_columns(y)

    def _hold_out(self, matrix: Matrix, frame: pl.DataFrame, targets: Matrix) -> None:
        """Replace means of the target by those of other rows."""
        start = 0
        for state in self.columns_:
            stop = start + len(state["names"])
            if "known" in state:
                words = as_words(_column(frame, state["column"]))
                matrix[:, start + 1 : stop] = held_out_means(words, targets)
            start = stop

    def _learn(self, X: Any, y: Any) -> tuple[pl.DataFrame, list[Block] | None]:
        """Learn, and return the rows with their columns in numbers if they are made."""
        limits, targets = self._limits(), self._targets(y)
        kinds = self._kinds_of(X)
        frame = _frame(X)
        self.dropped_ = {
            name: _DROPPED[kind] for name, kind in kinds.items() if kind in _DROPPED
        }
        self.columns_: list[State] = []
        for name, kind in self._in_order(kinds):
            learned = self._encoders[kind].learn(_column(frame, name), limits)
            if targets is not None and learned.get("pooled"):
                named = [f"{name}: {what}" for what in targets[1]]
                learned["names"] = [*learned["names"], *named]
                learned |= learn_means(as_words(_column(frame, name)), targets[0])
            self.columns_.append({"column": name, "kind": kind, **learned})
        if not self.get_feature_names_out().size:
            raise DataError(
                "No column can be learned from: every one is an identifier, constant "
                "or empty; add columns that differ between rows."
            )
        self.feature_names_in_ = np.array([c["column"] for c in self.columns_], object)
        self.n_features_in_ = len(self.columns_)
        self.categorical_features_ = self._categorical()
        width = sum(len(state["names"]) for state in self.columns_)
        auto = self.sparse_output == "auto"
        if self.view == "trees" or not auto or width < _WIDE:
            self.sparse_ = bool(
                self.view != "trees" and not auto and self.sparse_output
            )
            return frame, None
        blocks = list(self._blocks(frame))
        filled = sum(_count_filled(block) for block in blocks)
        self.sparse_ = bool(filled <= _THIN * width * frame.height)
        return frame, blocks

    def _joined(self, frame: pl.DataFrame, blocks: list[Block] | None) -> Any:
        """Return the matrix, made of `blocks` if they are there already."""
        made = blocks or self._blocks(frame)
        if self.sparse_:
            thin = [sparse.csr_matrix(block) for block in made]
            return sparse.hstack(thin, format="csr")
        width = sum(len(state["names"]) for state in self.columns_)
        matrix, start = np.empty((frame.height, width)), 0
        # Filled block by block, it is never there twice.
        for block in made:
            stop = start + block.shape[1]
            matrix[:, start:stop] = _dense(block)
            start = stop
        return matrix

    def get_feature_names_out(
        self,
        input_features: Any = None,
    ) -> NDArray[Any]:
        """Return the names of the matrix's columns, all different."""
        check_fitted(self, "columns_")
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

    @property
    def _encoders(self) -> dict[str, ColumnEncoder]:
        return _VIEWS[self.view]

    def _limits(self) -> Limits:
        check_domain("TableEncoder.view", self.view, Choice(tuple(_VIEWS)))
        levels = _LEVELS[self.view] if self.max_levels is None else self.max_levels
        check_domain("TableEncoder.max_levels", levels, whole(1))
        check_domain("TableEncoder.min_count", self.min_count, whole(1))
        check_domain("TableEncoder.max_words", self.max_words, whole(1))
        check_domain("TableEncoder.text_buckets", self.text_buckets, whole(0))
        admitted = Choice(("auto", True, False))
        check_domain("TableEncoder.sparse_output", self.sparse_output, admitted)
        return Limits(levels, self.min_count, self.max_words, self.text_buckets)

    def _in_order(self, kinds: dict[str, str]) -> list[tuple[str, str]]:
        """Return the columns in use; for trees, texts last.

        So the places of categories depend on the kinds alone, not on how many words
        the training rows have, and a model can be told them before it is fitted.
        """
        used = [(name, kind) for name, kind in kinds.items() if kind in ENCODERS]
        if self.view == "linear":
            return used
        return sorted(used, key=lambda column: column[1] == "text")

    def _categorical(self) -> list[int]:
        if self.view == "linear":
            return []
        widths = [len(state["names"]) for state in self.columns_]
        starts = np.cumsum([0, *widths])
        return [
            int(start)
            for start, state in zip(starts, self.columns_, strict=False)
            if state["kind"] == "categorical"
        ]

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

    def _blocks(self, frame: pl.DataFrame) -> Iterator[Block]:
        for state in self.columns_:
            column = _column(frame, state["column"])
            yield self._encoders[state["kind"]].encode(column, state)


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
    try:
        return frame.get_column(name)
    except pl.exceptions.ColumnNotFoundError:
        hint = did_you_mean(name, frame.columns)
        sentence = f"The table has no column {name!r}, which is needed{hint}"
        raise DataError(sentence) from None


def _count_filled(block: Block) -> int:
    dense = isinstance(block, np.ndarray)
    return int(np.count_nonzero(block)) if dense else int(block.nnz)


def _dense(block: Block) -> Any:
    return block if isinstance(block, np.ndarray) else block.toarray()
