"""``-`` in the place of a file: the table comes from standard input."""

import sys
from pathlib import Path
from typing import Any

__all__ = ["STANDARD", "table_or_path"]

#: How people write standard input and output.
STANDARD = "-"


def table_or_path(data: Path) -> Any:
    """Return the path, or the table read from standard input if it is ``-``."""
    if str(data) != STANDARD:
        return data
    from infimum.data import read_table

    return read_table(sys.stdin.buffer)
