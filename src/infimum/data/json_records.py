"""JSON lines, and JSON arrays of records: one object per row."""

import json
from collections.abc import Iterable
from typing import Any

from infimum.data.assembly import assemble
from infimum.data.sources import frame_of_records
from infimum.data.table import Table
from infimum.errors import DataError

__all__ = ["read_json"]


def read_json(text: bytes, source: str) -> Table:
    """Return a table from JSON lines or one JSON array; DataError names the line."""
    if text.lstrip().startswith(b"["):
        records = _array(text, source)
    else:
        records = list(_lines(text, source))
    return assemble(frame_of_records(records, source), source)


def _array(text: bytes, source: str) -> list[Any]:
    try:
        records = json.loads(text)
    except ValueError as error:
        raise DataError(f"{source} is not valid JSON: {error}.") from error
    except RecursionError as error:
        raise DataError(f"{source} is nested too deeply to be a table.") from error
    if not records:
        raise DataError(f"{source} is an empty list.")
    return list(records)


def _lines(text: bytes, source: str) -> Iterable[dict[str, Any]]:
    for number, line in enumerate(text.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise DataError(
                f"Line {number} of {source} is not valid JSON; "
                "JSON lines hold one object per line."
            ) from error
        except RecursionError as error:
            raise DataError(
                f"Line {number} of {source} is nested too deeply to be a row."
            ) from error
        if not isinstance(record, dict):
            raise DataError(
                f"Line {number} of {source} is not an object with a value per column, "
                "so it is no row of a table."
            )
        yield record
