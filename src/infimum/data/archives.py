"""Zip archives that hold one table."""

import io
import lzma
import zipfile
import zlib

from infimum.errors import DataError

__all__ = ["is_archive", "unpacked"]

#: What a Mac adds to every archive.
_ADDED = "__MACOSX/"
#: What every Excel workbook, itself a zip archive, holds.
_WORKBOOK = "[Content_Types].xml"
#: What reading a damaged member, or one packed in an unknown way, raises.
_FAILURES = (
    *(zipfile.BadZipFile, EOFError, NotImplementedError),
    *(OSError, lzma.LZMAError, zlib.error),
)
#: So many files are named in a message.
_MOST = 3


def is_archive(content: bytes) -> bool:
    """Return whether bytes begin as a zip archive does."""
    return content.startswith(b"PK\x03\x04")


def unpacked(content: bytes, source: str) -> bytes:
    """Return the one file in a zip archive; DataError if there is another number."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.read(_only_file(archive, source))
    except _FAILURES as error:
        raise DataError(
            f"{source} is a zip archive or an Excel workbook that cannot be unpacked; "
            "save the table as CSV."
        ) from error
    # After those above, since NotImplementedError is a RuntimeError too.
    except RuntimeError as error:
        raise DataError(
            f"{source} is locked by a password; unpack it first."
        ) from error


def _only_file(archive: zipfile.ZipFile, source: str) -> str:
    names = archive.namelist()
    if _WORKBOOK in names:
        raise DataError(f"{source} is an Excel workbook; save the sheet as CSV.")
    files = [n for n in names if not n.endswith("/") and not n.startswith(_ADDED)]
    if len(files) == 1:
        return files[0]
    shown = ", ".join(files[:_MOST]) + (", …" if len(files) > _MOST else "")
    held = f"{len(files)} files ({shown})" if files else "no file"
    raise DataError(f"{source} holds {held}; give an archive of one table.")
