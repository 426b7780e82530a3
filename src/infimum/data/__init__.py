"""Data: how arrays, tables and files come in, and what is refused at the door.

The names below are loaded on demand: an estimator that only needs a design does not
pay for the table reader.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infimum.data.column import Column, ColumnKind
    from infimum.data.declared_kinds import declare_kinds
    from infimum.data.drifting import DriftingStream, drifting_stream
    from infimum.data.labels import bits_from_signs, signs_from_bits
    from infimum.data.letters import draw_letters
    from infimum.data.parsing import as_booleans
    from infimum.data.reading import read_table
    from infimum.data.samples import bundled, card
    from infimum.data.sparse_table import SparseTable
    from infimum.data.suspects import Suspect, find_suspects, repeated_across
    from infimum.data.synthetic import (
        ToyProblem,
        linear_regression,
        poisson_counts,
        sparse_regression,
        two_gaussians,
    )
    from infimum.data.table import Table
    from infimum.data.target import Target, Task, check_target
    from infimum.data.tasks import Tasks

_SHELVES = {
    "Column": "infimum.data.column",
    "ColumnKind": "infimum.data.column",
    "DriftingStream": "infimum.data.drifting",
    "SparseTable": "infimum.data.sparse_table",
    "Suspect": "infimum.data.suspects",
    "Table": "infimum.data.table",
    "Target": "infimum.data.target",
    "Task": "infimum.data.target",
    "Tasks": "infimum.data.tasks",
    "ToyProblem": "infimum.data.synthetic",
    "as_booleans": "infimum.data.parsing",
    "bits_from_signs": "infimum.data.labels",
    "bundled": "infimum.data.samples",
    "card": "infimum.data.samples",
    "check_target": "infimum.data.target",
    "declare_kinds": "infimum.data.declared_kinds",
    "draw_letters": "infimum.data.letters",
    "drifting_stream": "infimum.data.drifting",
    "find_suspects": "infimum.data.suspects",
    "linear_regression": "infimum.data.synthetic",
    "poisson_counts": "infimum.data.synthetic",
    "read_table": "infimum.data.reading",
    "repeated_across": "infimum.data.suspects",
    "signs_from_bits": "infimum.data.labels",
    "sparse_regression": "infimum.data.synthetic",
    "two_gaussians": "infimum.data.synthetic",
}

__all__ = [
    "Column",
    "ColumnKind",
    "DriftingStream",
    "SparseTable",
    "Suspect",
    "Table",
    "Target",
    "Task",
    "Tasks",
    "ToyProblem",
    "as_booleans",
    "bits_from_signs",
    "bundled",
    "card",
    "check_target",
    "declare_kinds",
    "draw_letters",
    "drifting_stream",
    "find_suspects",
    "linear_regression",
    "poisson_counts",
    "read_table",
    "repeated_across",
    "signs_from_bits",
    "sparse_regression",
    "two_gaussians",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its file the first time it is asked for."""
    if name not in _SHELVES:
        raise AttributeError(f"module 'infimum.data' has no attribute {name!r}")
    return getattr(import_module(_SHELVES[name]), name)
