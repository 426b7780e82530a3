"""A file's bytes and text, or one sentence why there are none."""

import re
from pathlib import Path
from typing import NamedTuple

from infimum.data.archives import is_archive, unpacked
from infimum.data.spelling import nearest_file, quoted
from infimum.data.unpacking import decompressed
from infimum.errors import DataError

__all__ = ["Text", "bare", "format_of", "load_bytes", "locate", "utf8"]

FORMATS = {
    "csv": (".csv", ".tsv", ".tab", ".txt", ".data", ".dat"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "json": (".jsonl", ".ndjson", ".json"),
    "svmlight": (".svm", ".svmlight", ".libsvm"),
}
_SPREADSHEETS = frozenset({".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"})
#: Names that say nothing about what is inside; the first line decides.
_VAGUE = frozenset({"", ".txt", ".data", ".dat", ".t", ".tr"})
_COMPRESSED_ENDINGS = frozenset({".gz", ".bz2", ".xz", ".zip"})
_FOREIGN = {
    b"PAR1": "a Parquet file; name it .parquet",
    b"ARROW1": "an Arrow file; name it .arrow",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook; save it as CSV",
    b"%PDF": "a PDF document, not a table",
    b"\x89PNG": "a picture, not a table",
    b"\xff\xd8\xff": "a picture, not a table",
    b"SQLite format 3": "an SQLite database; export the table as CSV",
}
#: Control characters that no text file holds (tab, line ends and form feed may).
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|\?xml|head|body)", re.IGNORECASE)
_GLANCE = 1 << 16
#: So much of an impossible name is repeated in a message.
_SHOWN = 60
#: So much of a word that shows how a file was read.
_WORD = 30


class Text(NamedTuple):
    """A file's text in UTF-8, and a doubt about how its letters were written if any."""

    content: bytes
    note: str = ""


def locate(path: Path) -> Path:
    """Return the path of a readable, non-empty file; DataError otherwise."""
    try:
        path.is_dir()
    except OSError as error:  # such as a name that is too long
        shown = str(path)[:_SHOWN]
        raise DataError(f"'{shown}…' cannot be a file: {error.strerror}.") from error
    if path.is_dir():
        raise DataError(f"'{path}' is a folder, not a table; name a file inside it.")
    if not path.exists():
        raise _no_file(path)
    if not path.is_file():
        raise DataError(f"'{path}' is not a regular file.")
    if not path.stat().st_size:
        raise DataError(f"{path.name} is empty.")
    return path


def _no_file(path: Path) -> DataError:
    """Say why there is no such file, and which was perhaps meant."""
    if path.is_symlink():
        return DataError(f"'{path}' is a link that leads nowhere.")
    if "://" in str(path) or re.match(r"https?:/", str(path)):
        return DataError(f"'{path}' is an address; download the file first.")
    if not path.parent.is_dir():
        return DataError(f"No file '{path}': there is no folder '{path.parent}'.")
    try:
        beside = [each.name for each in path.parent.iterdir()]
    except OSError:  # a folder that may be passed but not read
        beside = []
    guess = nearest_file(path.name, beside)
    hint = f"; did you mean {quoted(guess)}?" if guess else "."
    return DataError(f"No file '{path}'{hint}")


def format_of(path: Path) -> str | None:
    """Return the format that a file's ending says, or nothing if it does not say."""
    endings = [ending.lower() for ending in path.suffixes[-2:]]
    if endings and endings[-1] in _COMPRESSED_ENDINGS:
        endings.pop()
    ending = endings[-1] if endings else ""
    if ending in _VAGUE:
        return None
    for name, known in FORMATS.items():
        if ending in known:
            return name
    if ending in _SPREADSHEETS:
        raise DataError(f"{path.name} ends in {ending!r}: save the sheet as CSV first.")
    every = ", ".join(ending for known in FORMATS.values() for ending in known)
    raise DataError(
        f"{path.name} ends in {ending!r}, which is none of {every}; "
        "rename it, or in Python say what it holds by format=."
    )


def load_bytes(path: Path, most: int) -> bytes:
    """Return what a file holds, unpacked if that is needed, to at most so much."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path.name} cannot be read: {error.strerror}.") from error
    return bare(content, path.name, most)


def bare(content: bytes, source: str, most: int) -> bytes:
    """Return what gzip, bzip2, xz or a zip archive of one file holds."""
    if is_archive(content):
        return unpacked(content, source, most)
    return decompressed(content, source, most)


def utf8(content: bytes, source: str) -> Text:
    """Return text as UTF-8 without byte-order mark; refuse what is no text at all."""
    for magic, what in _FOREIGN.items():
        if content.startswith(magic):
            raise DataError(f"{source} is {what}.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _from_utf16(content, source)
    text = content.removeprefix(b"\xef\xbb\xbf")
    stray = _BINARY.search(text[:_GLANCE])
    if stray:
        raise DataError(
            f"{source} is not a table: it holds binary data "
            f"(byte {stray[0][0]:#04x} at position {stray.start()})."
        )
    if _MARKUP.match(text[:_GLANCE]):
        raise DataError(f"{source} is a web page or XML document, not a table.")
    if not text or text.isspace():
        raise DataError(f"{source} is empty.")
    # Plain ASCII, the usual case of large files, is seen without making a copy.
    return Text(text) if text.isascii() else _in_some_letters(text, source)


def _in_some_letters(text: bytes, source: str) -> Text:
    """Return text with letters beyond ASCII; what is not UTF-8 may be Windows-1252."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        place, line = error.start, text.count(b"\n", 0, error.start) + 1
        problem = DataError(
            f"{source} is not UTF-8: line {line} holds byte {text[place]:#04x}; "
            "save the file as UTF-8."
        )
        # Where some letters are UTF-8, the others are damaged, not written otherwise.
        if not text[:place].isascii():
            raise problem from error
        try:
            letters = text.decode("cp1252")
        except UnicodeDecodeError:
            raise problem from error
        word = _word_at(letters, place)
        return Text(
            letters.encode(),
            f"{source} is not UTF-8 and is read as Windows-1252: line {line} says "
            f"{word!r}.",
        )
    return Text(text)


def _word_at(letters: str, place: int) -> str:
    before = re.search(r"\w*$", letters[max(0, place - _WORD) : place])
    after = re.match(r"\w*", letters[place : place + _WORD])
    word = (before[0] if before else "") + (after[0] if after else "")
    return word or letters[place]


def _from_utf16(content: bytes, source: str) -> Text:
    try:
        text = content.decode("utf-16")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{source} starts as UTF-16 but breaks off at byte {error.start}; "
            "save the file as UTF-8."
        ) from error
    return utf8(text.encode(), source)
