"""The rows of files as frames of bounded size, in their order."""

from __future__ import annotations

import gzip
import io
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import polars as pl

from infimum.compiled.threads import cores
from infimum.data.missing_words import MISSING_WORDS
from infimum.data.spelling import first_line
from infimum.data.streams.paths import SourceFile, suffix_of
from infimum.errors import DataError

__all__ = ["Guess", "frames", "guess_kinds", "kinds_of", "typed"]

#: Bytes of text, or of numbers, read at a time; and the fewest rows of the latter.
CHUNK, ROWS = 1 << 22, 1 << 10
#: Bytes that one row of text may have.
LONGEST = 1 << 27
#: Rows whose text tells the kinds of columns before all are read.
GLANCE = 1000
_NULLS = sorted({*MISSING_WORDS, *map(str.upper, MISSING_WORDS), "NaN", "None", "Null"})

#: The columns of files, and which of them hold numbers.
Guess = dict[str, bool]


def guess_kinds(files: list[SourceFile]) -> Guess:
    """Return the columns that all files share; DataError where they disagree."""
    first: Guess | None = None
    for file in files:
        found = _kinds_of(file)
        if first is None:
            first = found
        elif list(found) != list(first):
            raise DataError(_disagreement(files[0], first, file, found))
        else:
            first = {name: first[name] and found[name] for name in first}
    assert first is not None
    return first


def frames(file: SourceFile, guess: Guess) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file: numbers as Float64, words as String.

    A column of numbers that turns out to hold a word raises ValueError with its name.
    """
    file.check()
    try:
        batches = _text(file, guess) if file.format == "csv" else _binary(file, guess)
        yield from typed(batches, guess)
    except (pl.exceptions.PolarsError, OSError, EOFError, zlib.error) as error:
        raise DataError(f"{file.path} cannot be read: {first_line(error)}.") from None
    file.check()


def _kinds_of(file: SourceFile) -> Guess:
    try:
        if file.format == "csv":
            schema = _glance(file)
        else:
            schema = dict(_lazy(file).collect_schema())
    except (pl.exceptions.PolarsError, OSError, EOFError, zlib.error) as error:
        raise DataError(f"{file.path} cannot be read: {first_line(error)}.") from None
    return kinds_of(schema, str(file.path))


def kinds_of(schema: Mapping[str, Any], source: str) -> Guess:
    """Return which columns hold numbers; refuse lists and records."""
    for name, dtype in schema.items():
        if dtype.is_nested() or dtype == pl.Binary:
            raise DataError(f"Column {name!r} of {source} holds {dtype}.")
    return {name: _is_number(dtype) for name, dtype in schema.items()}


def _is_number(dtype: Any) -> bool:
    known = dtype.is_numeric() or dtype == pl.Boolean or dtype.is_temporal()
    return bool(known or dtype == pl.Null)


def _glance(file: SourceFile) -> dict[str, Any]:
    with _opened(file) as stream:
        text = stream.read(CHUNK)
    _refuse_other_text(file, text)
    text = text[: _end_of_rows(text, len(text)) or len(text)]
    options: Any = {"null_values": _NULLS, "separator": _separator(file)}
    try:
        frame = pl.read_csv(text, infer_schema_length=GLANCE, n_rows=GLANCE, **options)
    except pl.exceptions.ComputeError:  # a word soon after the rows that tell kinds
        frame = pl.read_csv(text, infer_schema_length=None, **options)
    if not frame.height:
        raise DataError(f"{file.path} has column names but no rows.")
    return dict(frame.schema)


def _refuse_other_text(file: SourceFile, text: bytes) -> None:
    """Refuse what is no text of lines and commas, before its columns are guessed."""
    head, _, rest = text.partition(b"\n")
    mark = _separator(file).encode()
    if b"\0" in head:
        raise DataError(f"{file.path} is no text in UTF-8; save it as CSV in UTF-8.")
    if b"\r" in head[:-1] and not rest:
        raise DataError(
            f"{file.path} ends its lines by carriage returns alone; save it with "
            "line feeds."
        )
    row = rest.partition(b"\n")[0]
    others = [x for x in (b";", b"\t", b"|", b",") if 0 < head.count(x) == row.count(x)]
    if mark not in head and others:
        instead = "a name that ends in .tsv" if others[0] == b"\t" else "commas"
        raise DataError(
            f"{file.path} parts its columns by {others[0].decode()!r}, not by "
            f"{mark.decode()!r}: give it {instead}."
        )


def _separator(file: SourceFile) -> str:
    return "\t" if suffix_of(file.path) == ".tsv" else ","


def _disagreement(a: SourceFile, first: Guess, b: SourceFile, found: Guess) -> str:
    """Say how the columns of two files differ."""
    missing = [name for name in first if name not in found]
    added = [name for name in found if name not in first]
    if missing or added:
        lacks = f"lacks {missing[0]!r}" if missing else f"has {added[0]!r} besides"
        return f"{b.path} {lacks}: its columns are not those of {a.path}."
    return f"{b.path} has the columns of {a.path} in another order."


def _text(file: SourceFile, guess: Guess) -> Iterator[pl.DataFrame]:
    """Yield the rows of a text, a few megabytes at a time, cut where rows end.

    Pieces are parsed side by side: polars itself reads so little with one thread.
    """
    schema = {n: pl.Float64 if number else pl.String for n, number in guess.items()}
    waiting: deque[Future[pl.DataFrame]] = deque()
    with ThreadPoolExecutor(cores()) as pool:
        for text, first in _pieces(file):
            how = {"separator": _separator(file), "has_header": first}
            waiting.append(pool.submit(_parsed, text, schema, how))
            if len(waiting) > cores():
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _pieces(file: SourceFile) -> Iterator[tuple[bytes, bool]]:
    """Yield whole rows of text, and whether these are the first."""
    room, held, first = bytearray(CHUNK), 0, True
    with _opened(file) as stream:
        while True:
            if held == len(room):
                _refuse_endless(file, held)
                room = room + bytearray(held)
            read = stream.readinto(memoryview(room)[held:])
            stop = held + read
            end = _end_of_rows(room, stop) if read else stop
            text = bytes(memoryview(room)[:end])
            if text and not text.isspace():
                yield text, first
                first = False
            if not read:
                return
            room[: stop - end] = room[end:stop]
            held = stop - end


def _opened(file: SourceFile) -> Any:
    """Open a text, which may be compressed by gzip whatever its name says."""
    with file.path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    return gzip.open(file.path) if packed else file.path.open("rb", buffering=0)


def _refuse_endless(file: SourceFile, held: int) -> None:
    if held >= LONGEST:
        raise DataError(
            f'{file.path} has a row of more than {LONGEST >> 20} MB: a quote (") is '
            "opened there and never closed."
        )


def _parsed(text: bytes, schema: Any, how: Any) -> pl.DataFrame:
    """Return rows of text; as words where something is no number.

    Words that stand for nothing are looked for only where they can be: comparing each
    field with all of them takes longer than reading it.
    """
    words = [name for name, dtype in schema.items() if dtype == pl.String]
    try:
        frame = pl.read_csv(io.BytesIO(text), schema=schema, **how)
    except pl.exceptions.ComputeError:
        how = how | {"null_values": _NULLS}
    else:
        there = [pl.col(n).replace(_NULLS, None) for n in words]
        if b"n" in text or b"N" in text:  # which "nan" has, and no number
            there.append(pl.col(pl.Float64).fill_nan(None))
        return frame.with_columns(there) if there else frame
    try:
        return pl.read_csv(io.BytesIO(text), schema=schema, **how)
    except pl.exceptions.ComputeError:
        schema = dict.fromkeys(schema, pl.String)
        return pl.read_csv(io.BytesIO(text), schema=schema, **how)


def _end_of_rows(text: bytes | bytearray, stop: int) -> int:
    """Return where the last whole row ends: at a line end outside quotes."""
    end = text.rfind(b"\n", 0, stop) + 1
    inside = text.count(b'"', 0, end) % 2
    while end and inside:
        before = text.rfind(b"\n", 0, text.rfind(b'"', 0, end)) + 1
        inside ^= text.count(b'"', before, end) % 2
        end = before
    return end


def _lazy(file: SourceFile) -> pl.LazyFrame:
    if file.format == "parquet":
        return pl.scan_parquet(file.path)
    return pl.scan_ipc(file.path)


def _binary(file: SourceFile, guess: Guess) -> Iterator[pl.DataFrame]:
    """Yield batches of a Parquet or Arrow file.

    The only caller of polars' `collect_batches`, which is marked unstable.
    """
    lazy: Any = _lazy(file)
    rows = max(ROWS, CHUNK // (8 * len(guess)))
    yield from lazy.collect_batches(chunk_size=rows, maintain_order=True, lazy=True)


def typed(batches: Iterable[pl.DataFrame], guess: Guess) -> Iterator[pl.DataFrame]:
    """Yield frames with their columns as numbers or words."""
    kinds: Any = [pl.Float64 if number else pl.String for number in guess.values()]
    for frame in batches:
        if frame.columns == list(guess) and frame.dtypes == kinds:
            yield frame
            continue
        columns = [
            _numbers(frame[name]) if number else frame[name].cast(pl.String)
            for name, number in guess.items()
        ]
        yield pl.DataFrame(columns)


def _numbers(series: pl.Series) -> pl.Series:
    dtype = series.dtype
    if dtype == pl.Float32:
        return series
    if dtype == pl.String:
        found = series.str.strip_chars().cast(pl.Float64, strict=False)
        if found.null_count() > series.null_count():
            raise ValueError(series.name)
        return found
    if dtype == pl.Date:
        return series.cast(pl.Int32).cast(pl.Float64)
    if dtype.is_temporal():
        return series.to_physical().cast(pl.Float64)
    return series.cast(pl.Float64)
