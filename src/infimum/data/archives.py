"""Zip archives that hold one table."""

import io
import zipfile

from infimum.data.spelling import quoted
from infimum.data.unpacking import MOST_UNPACKED, take
from infimum.errors import DataError

__all__ = ["is_archive", "unpacked"]

#: What a Mac adds to every archive.
_ADDED = "__MACOSX/"
#: What every Excel workbook, itself a zip archive, holds.
_WORKBOOK = "[Content_Types].xml"
#: So many files are named in a message.
_MOST = 3


def is_archive(content: bytes) -> bool:
    """Return whether bytes begin as a zip archive does, or an empty one."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unpacked(content: bytes, source: str, most: int = MOST_UNPACKED) -> bytes:
    """Return the one file in a zip archive; DataError if there is another number."""
    try:
        with (
            zipfile.ZipFile(io.BytesIO(content)) as archive,
            archive.open(_only_file(archive, source)) as member,
        ):
            return take(member, source, most)
    except (DataError, MemoryError):
        raise
    # Of an archive that is damaged, or packed in an unknown way, zipfile may raise
    # anything: it believes the lengths and places that it reads.
    except Exception as error:
        raise DataError(
            f"{source} is a zip archive or an Excel workbook that cannot be unpacked; "
            "save the table as CSV."
        ) from error


def _only_file(archive: zipfile.ZipFile, source: str) -> str:
    names = archive.namelist()
    if _WORKBOOK in names:
        raise DataError(f"{source} is an Excel workbook; save the sheet as CSV.")
    files = [n for n in names if not n.endswith("/") and not n.startswith(_ADDED)]
    if len(files) == 1 and archive.getinfo(files[0]).flag_bits & 1:
        raise DataError(f"{source} is locked by a password; unpack it first.")
    if len(files) == 1:
        return files[0]
    shown = ", ".join(quoted(name)[1:-1] for name in files[:_MOST]) + (
        ", …" if files[_MOST:] else ""
    )
    held = f"{len(files)} files ({shown})" if files else "no file"
    raise DataError(f"{source} holds {held}; give an archive of one table.")
