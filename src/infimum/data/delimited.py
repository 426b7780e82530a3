"""Comma-, semicolon-, tab- and bar-separated text, checked row by row.

The separator is the one that splits the first lines most evenly. Regular files are
parsed by polars on all cores; files with blank lines between rows, quotes in the
middle of a field or bare carriage returns go through Python's own parser, which is
slower and more patient.
"""

import csv
import io
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from infimum.data.assembly import assemble, check_names, check_width
from infimum.data.parsing import Commas
from infimum.data.spelling import first_line
from infimum.data.table import Table
from infimum.errors import DataError

__all__ = ["read_delimited"]

_SEPARATORS = ",;\t|"
#: Who separates by semicolons needs the comma for decimals.
_COMMAS = {",": Commas.WORDS, ";": Commas.DECIMAL}
_COMMAS |= {"\t": Commas.DECIMAL_IF_CLEAR, "|": Commas.DECIMAL_IF_CLEAR}
_GLANCE = 1 << 16
_BLOCK = 1 << 18
_QUOTE, _LINE, _RETURN = b'"'[0], b"\n"[0], b"\r"[0]
#: A number that no one would write as the name of a column.
_MEASUREMENT = re.compile(r"^[+-]?\d*\.\d+(?:[eE][+-]?\d+)?$|^-\d+$|^\d+[eE][+-]?\d+$")


class _Grid(NamedTuple):
    """Where rows end outside quotes, and how many separators each row holds."""

    ends: NDArray[np.intp]
    separators: NDArray[np.intp]
    regular: bool


def read_delimited(text: bytes, source: str, *, separator: str | None = None) -> Table:
    """Return a table from UTF-8 text; DataError names the line that is wrong."""
    declared = re.match(rb"sep=([,;\t|])\r?\n", text)
    if declared:
        separator, text = declared[1].decode(), text[declared.end() :]
        if not text.strip():
            raise DataError(f"{source} is empty.")
    separator = separator or _sniff(text)
    text = _ended_once(text)
    grid = _lay_out(text, separator)
    if grid.regular:
        first, frame = _fast(text, separator, grid, source)
    else:
        first, frame = _patient(text, separator, source)
    # A large text is not kept while its columns are made.
    del text, grid
    if not frame.height and not _looks_like_data(first):
        raise DataError(f"{source} has column names but no rows.")
    return _under_names(first, frame, source, commas=_COMMAS[separator])


def _ended_once(text: bytes) -> bytes:
    """Return text that ends in one line end, itself if it does already."""
    tail = text[-_GLANCE:]
    if tail[len(tail.rstrip(b"\r\n")) :] in (b"\n", b"\r\n"):
        return text
    return text.rstrip(b"\r\n") + b"\n"


def _under_names(
    first: list[str], frame: pl.DataFrame, source: str, *, commas: Commas
) -> Table:
    """Name the columns by the first line, or number them if it is data itself."""
    warnings = []
    if _looks_like_data(first):
        names = [f"column_{position}" for position in range(1, len(first) + 1)]
        top = pl.DataFrame(
            [first], schema=dict.fromkeys(names, pl.String), orient="row"
        )
        frame.columns = names
        frame = pl.concat([top, frame])
        warnings = [f"The first line of {source} is data, so columns have no names."]
    else:
        stripped = [name.strip() for name in first]
        names = [each or f"column_{j}" for j, each in enumerate(stripped, 1)]
        # pandas and R leave the header of their row names empty.
        if not stripped[0]:
            names[0] = "index" if "index" not in names else "row number"
        check_names(names, source)
        frame.columns = names
        if not stripped[-1] and frame.width > 1 and _is_void(frame[names[-1]]):
            frame = frame[names[:-1]]
    return assemble(frame, source, commas=commas, warnings=warnings)


def _looks_like_data(first: list[str]) -> bool:
    """Tell a row of values from a row of names."""
    words = [word.strip() for word in first]
    digits = all(word.isdigit() for word in words)
    repeated = digits and len({*words}) < len(words)
    return repeated or any(_MEASUREMENT.match(word) for word in words)


def _is_void(series: pl.Series) -> bool:
    return bool(series.is_null().all())


def _sniff(text: bytes) -> str:
    """Return the separator that splits the first lines most evenly."""
    lines = text[:_GLANCE].decode("utf-8", "ignore").splitlines(keepends=True)
    whole = lines if len(text) <= _GLANCE else lines[:-1]
    best, best_score = ",", (0.0, 1)
    for separator in _SEPARATORS:
        widths = [len(row) for row in csv.reader(whole, delimiter=separator) if row]
        if widths and widths[0] > 1:
            share = sum(width == widths[0] for width in widths) / len(widths)
            best, best_score = max(
                (best, best_score), (separator, (share, widths[0])), key=lambda p: p[1]
            )
    return best


def _lay_out(text: bytes, separator: str) -> _Grid:
    """Find rows and count separators without looking at one character in Python."""
    letters = np.frombuffer(text, dtype=np.uint8)
    quotes = _positions(letters, _QUOTE)
    lines = _positions(letters, _LINE)
    marks = _positions(letters, ord(separator))
    if len(quotes):
        # Between an odd and an even number of quotes one is inside a field.
        marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
        ends = lines[np.searchsorted(quotes, lines) % 2 == 0]
    else:
        ends = lines
    separators = np.diff(np.searchsorted(marks, ends), prepend=0)
    regular = _quotes_stand_at_the_edge(letters, quotes, ord(separator))
    return _Grid(ends, separators, regular and not _has_gaps(letters, ends, separators))


def _positions(letters: NDArray[np.uint8], letter: int) -> NDArray[np.intp]:
    # Block by block, so that what is compared is still in the cache when it is found.
    blocks = range(0, len(letters), _BLOCK)
    found = [np.flatnonzero(letters[at : at + _BLOCK] == letter) + at for at in blocks]
    return np.concatenate(found)


def _quotes_stand_at_the_edge(
    letters: NDArray[np.uint8], quotes: NDArray[np.intp], separator: int
) -> bool:
    """Tell whether every opening quote starts a field and every one is closed."""
    if len(quotes) % 2:
        return False
    opening, closing = quotes[::2], quotes[1::2]
    before = letters[opening - 1]
    after = letters[np.minimum(closing + 1, len(letters) - 1)]
    # A doubled quote closes and opens at once: ""
    starts = np.isin(before, (separator, _LINE, _QUOTE)) | (opening == 0)
    stops = np.isin(after, (separator, _LINE, _RETURN, _QUOTE))
    return bool(starts.all() and stops.all())


def _has_gaps(
    letters: NDArray[np.uint8], ends: NDArray[np.intp], separators: NDArray[np.intp]
) -> bool:
    """Tell whether there are blank lines, or carriage returns without a line feed."""
    if letters[0] in (_LINE, _RETURN):
        return True
    returns = _positions(letters, _RETURN)
    if (letters[np.minimum(returns + 1, len(letters) - 1)] != _LINE).any():
        return True
    if separators[0] == 0:
        return False
    lengths = np.diff(ends, prepend=-1)
    return bool((lengths <= 2).any() and (separators == 0).any())  # noqa: PLR2004


def _fast(
    text: bytes, separator: str, grid: _Grid, source: str
) -> tuple[list[str], pl.DataFrame]:
    """Parse a regular file by polars, after checking that all rows are as long."""
    width = int(grid.separators[0]) + 1
    check_width(width, source)
    uneven = np.flatnonzero(grid.separators != width - 1)
    if len(uneven):
        row = int(uneven[0])
        start = int(grid.ends[row - 1]) + 1
        line = text.count(b"\n", 0, start) + 1
        raise _uneven(source, line, int(grid.separators[row]) + 1, width)
    header = text[: int(grid.ends[0])].decode()
    try:
        first = next(csv.reader(io.StringIO(header), delimiter=separator))
    except csv.Error as error:  # such as a name longer than any field may be
        raise DataError(f"Line 1 of {source} is malformed: {error}.") from error
    schema = {f"{position}": pl.String for position in range(width)}
    if len(grid.ends) == 1:
        return first, pl.DataFrame(schema=schema)
    try:
        frame = pl.read_csv(
            text, has_header=False, skip_rows=1, separator=separator, schema=schema
        )
    except pl.exceptions.PolarsError as error:
        why = first_line(error)
        raise DataError(f"{source} cannot be read as a table: {why}.") from error
    return first, frame


def _patient(
    text: bytes, separator: str, source: str
) -> tuple[list[str], pl.DataFrame]:
    """Parse any file by Python's own reader; blank lines are passed over."""
    stream = io.StringIO(text.decode(), newline="")
    reader = csv.reader(stream, delimiter=separator, skipinitialspace=True)
    rows: list[Sequence[str]] = []
    begins = 1
    try:
        for row in reader:
            if row and len(row) != len(rows[0] if rows else row):
                raise _uneven(source, begins, len(row), len(rows[0]))
            if row:
                rows.append(row)
            begins = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"Line {begins} of {source} is malformed: {error}.") from error
    check_width(len(rows[0]), source)
    names = [f"{position}" for position in range(len(rows[0]))]
    schema = dict.fromkeys(names, pl.String)
    frame = pl.DataFrame(rows[1:], schema=schema, orient="row")
    return list(rows[0]), frame.with_columns(pl.all().replace("", None))


def _uneven(source: str, line: int, found: int, expected: int) -> DataError:
    fields = "field" if found == 1 else "fields"
    return DataError(
        f"Line {line} of {source} has {found} {fields}, "
        f"but the first line has {expected}."
    )
