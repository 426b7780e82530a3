"""What is suspicious about a problem, in sentences for the reader of the report."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from infimum.data import Suspect, Table, Task, find_suspects, repeated_across
from infimum.evaluation import Split

__all__ = ["noting_copies", "suspicions"]

#: The reader of tables warns about the other kinds itself.
_TOLD_HERE = frozenset(
    {"giveaway", "named after the target", "order", "twin", "nearly constant"}
)
#: So many sentences of a kind; more are counted.
_MOST = 3


def suspicions(
    table: Table,
    target: str,
    values: Any,
    task: str,
    used: Collection[str],
    time: str | None,
) -> tuple[str, ...]:
    """Return sentences about leaks and useless columns among those in use."""
    found = find_suspects(
        table, target, values, classes=task == Task.CLASSIFICATION, columns=used
    )
    # Who splits by time has been told already what rows near in time share.
    told = [
        s for s in found if s.kind in _TOLD_HERE and (s.kind != "order" or not time)
    ]
    return tuple(_in_few_words(told))


def noting_copies(problem: Any, split: Split) -> Any:
    """Return the problem with a warning if test rows are copies of training rows.

    A copy agrees in the target and in every column in use: what tells rows apart but
    is not learned from, such as an identifier, makes no row another case.
    """
    if not isinstance(problem.rows, pl.DataFrame):
        return problem
    used = [note.name for note in problem.columns if note.used]
    rows = problem.rows[used].with_columns(
        pl.Series(f" {place}", answers)
        for place, answers in enumerate(np.atleast_2d(problem.y.T))
    )
    copies = repeated_across(rows[split.train], rows[split.held_back])
    if copies is None:
        return problem
    return replace(problem, warnings=(*problem.warnings, copies.sentence))


def _in_few_words(found: Iterable[Suspect]) -> list[str]:
    seen: Counter[str] = Counter()
    said = []
    for suspect in found:
        seen[suspect.kind] += 1
        if seen[suspect.kind] <= _MOST:
            said.append(suspect.sentence)
    more = {kind: count - _MOST for kind, count in seen.items() if count > _MOST}
    return said + [
        f"{count} more column{'s' if count > 1 else ''} of the kind {kind!r}."
        for kind, count in more.items()
    ]
