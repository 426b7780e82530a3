"""The table that a verb is given: a file, or ``-`` for standard input."""

import sys
from pathlib import Path
from typing import Any

from infimum.cli.sizes import parse_size
from infimum.errors import DataError

__all__ = ["STANDARD", "table_or_path"]

#: How people write standard input and output.
STANDARD = "-"


def table_or_path(data: Path, max_unpacked: str | None = None) -> Any:
    """Return the path, or the table if it comes from standard input or may be huge."""
    if str(data) != STANDARD and max_unpacked is None:
        return data
    from infimum.data import read_table

    source = _standard_input() if str(data) == STANDARD else data
    if max_unpacked is None:
        return read_table(source)
    return read_table(source, max_unpacked=parse_size(max_unpacked))


def _standard_input() -> Any:
    stream: Any = sys.stdin  # None if it is closed
    if stream is None:
        raise DataError("Standard input is closed; name a file, or send one by a pipe.")
    return stream.buffer
