"""`scan`: rows that are read in passes and never held at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from infimum.data.spelling import did_you_mean
from infimum.data.streams.first_pass import Layout, Spooled, spooled
from infimum.data.streams.frames import guess_kinds
from infimum.data.streams.passes import Pass, Source, current_runner
from infimum.data.streams.paths import source_files
from infimum.data.streams.spool import Leaf, Spool
from infimum.data.streams.statistics import Statistics
from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["Scan", "scan"]


class Scan:
    """Rows of files, for `fit`: ``model.fit(rows)``.

    The first fit reads the files once, finds kinds and levels, and writes an encoded
    copy into a private folder, which is removed with the scan. All else is read from
    there, a block at a time.
    """

    #: Doors know by this that rows are read in passes.
    streamed: ClassVar[bool] = True
    #: The map that features go through, if there is one.
    feature_map: Any = None

    def __init__(self, layout: Layout, spool: str | Path | None = None) -> None:
        self.layout, self._where = layout, spool
        self._found: Spooled | None = None
        self._counted = [0]

    def __repr__(self) -> str:
        files = len(self.layout.files)
        what = f"{files} file{'s' * (files > 1)}" if files else self.layout.name
        return f"<scan of {what}, target {self.target!r}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def passes(self) -> int:
        """How many passes have been made, the first one included."""
        return self._counted[0]

    @property
    def target(self) -> str | None:
        """The name of the column that is told."""
        return self.layout.target

    @property
    def spooled(self) -> Spooled:
        """What the first pass found; made at the first call."""
        if self._found is None:
            self._found = spooled(self.layout, self._where, self)
            self._counted[0] += 1
        for file in self.layout.files:
            file.check()
        return self._found

    @property
    def spool(self) -> Spool:
        """The encoded copy."""
        return self.spooled.spool

    @property
    def statistics(self) -> Statistics:
        """Totals, means and labels."""
        return self.spooled.statistics

    @property
    def n_rows(self) -> int:
        """How many rows of positive weight there are."""
        return self.spool.rows

    @property
    def feature_names(self) -> list[str]:
        """What the features are called; a level is ``column=word``."""
        return list(self.spool.encoding.names)

    @property
    def n_features(self) -> int:
        """How many features there are."""
        return self.spool.encoding.width

    @property
    def named(self) -> bool:
        """Whether features have names of their own."""
        return self.layout.named and not self.sparse

    @property
    def sparse(self) -> bool:
        """Whether rows are almost all zeros."""
        return self.layout.sparse

    @property
    def has_target(self) -> bool:
        """Whether there is something to tell."""
        return self.sparse or self.layout.target is not None

    def labels(self) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.float64]]:
        """Return the classes in order, the numbers that stand for them, their weights.

        DataError where the target takes too many values for a label.
        """
        found = self.spooled
        known = found.statistics.labels
        if known is None:
            raise DataError(
                f"The target {self.target!r} takes too many different values for a "
                "label: fit a regressor."
            )
        numbers = np.array(sorted(known))
        weights = np.array([known[number] for number in numbers])
        if found.words is None:
            whole = bool(np.all(numbers == np.round(numbers)))
            return (numbers.astype(np.int64) if whole else numbers), numbers, weights
        words = np.array([found.words[int(number)] for number in numbers])
        order = np.argsort(words)
        return words[order], numbers[order], weights[order]

    def shifted(self, shift: Vector) -> Scan:
        """Return the same rows with something taken off each feature."""
        found = self.spooled
        encoding = copy(found.spool.encoding)
        encoding.shift = shift
        other = copy(self)
        # The copy in the folder stays as long as either of the two does.
        other.__dict__["_owner"] = self
        other._found = replace(
            found, spool=replace(found.spool, encoding=encoding, opened={})
        )
        return other

    def through(self, feature_map: Any) -> Scan:
        """Return the same rows through a map, such as Nyström or random features.

        The map is fitted on a sample of the rows if it is not fitted; `feature_map` of
        the result is the one to use on new rows, before the model.
        """
        from infimum.data.streams.mapped import through

        found: Scan = through(self, feature_map)
        return found

    def run(self, work: Pass, source: Source | None = None) -> Any:
        """Make a pass over all rows, or over what was made of them; return its sums."""
        spool = self.spool
        self._counted[0] += 1
        return current_runner().run(source or spool, work)

    def leaves(self, numbers: Sequence[int] | None = None) -> Iterator[Leaf]:
        """Yield leaves in their order, here; each is overwritten by the next."""
        spool = self.spool
        for number in range(spool.leaves) if numbers is None else numbers:
            yield spool.leaf(number)

    def close(self) -> None:
        """Remove the encoded copy."""
        if self._found is not None:
            found, self._found = self._found, None
            for path in found.spool.folder.glob("*"):
                path.unlink(missing_ok=True)
            found.spool.folder.rmdir()


def scan(
    files: Any,
    target: str | None = None,
    weights: str | None = None,
    *,
    drop: Sequence[str] = (),
    spool: str | Path | None = None,
) -> Scan:
    r"""Return the rows of files, to be streamed by ``fit(rows)``.

    Parameters
    ----------
    files : path or list of paths
        CSV, Parquet, Arrow or svmlight files, folders of them, or patterns.
    target : str, optional
        The column that is told; svmlight files begin their lines with it.
    weights : str, optional
        A column of weights: a weight of k is k copies of the row.
    drop : sequence of str
        Columns that are left out.
    spool : path, optional
        The folder for the encoded copy, where there is room for 8 bytes a number; that
        of the system for temporary files when None.

    Returns
    -------
    Scan
        What `fit` takes in place of X and y. Numbers are features as they are, each
        level of a column of words becomes one of 0 and 1.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import infimum
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.csv").write_text("x,y\n0,no\n1,no\n2,yes\n3,yes\n")
    >>> rows = infimum.scan(folder, target="y")
    >>> model = infimum.LogisticRegression().fit(rows)
    >>> model.classes_.tolist(), model.certificate_.closed
    (['no', 'yes'], True)
    """
    listed = source_files(files)
    if listed[0].format == "svmlight":
        _refuse_names(target, weights, drop)
        return Scan(Layout(listed, {}, None, None, ()), spool)
    guess = guess_kinds(listed)
    named = [("target", target), ("weights", weights), *(("drop", d) for d in drop)]
    for what, name in named:
        if name is not None and name not in guess:
            hint = did_you_mean(str(name), guess)
            raise DataError(
                f"scan: {what} is {name!r}, no column of {listed[0].path}{hint}"
            )
    if target is not None and target == weights:
        raise DataError(f"scan: {target!r} cannot be target and weights at once.")
    if weights is not None and not guess[weights]:
        raise DataError(f"scan: the weights {weights!r} are words, not numbers.")
    return Scan(Layout(listed, guess, target, weights, tuple(drop)), spool)


def _refuse_names(target: Any, weights: Any, drop: Sequence[str]) -> None:
    if target is not None or weights is not None or drop:
        raise DataError(
            "scan: svmlight files have no named columns; target, weights and drop must "
            "be left out."
        )
