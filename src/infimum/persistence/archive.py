"""The ZIP archive of a model file: flat, uncompressed, complete, every member hashed.

Members are stored and never compressed, so a file cannot unpack to more than its own
size: there is no room for a bomb, and the same model gives the same bytes whatever the
version of zlib. The hash of the manifest stands in the archive's comment, the hashes of
all other members stand in the manifest.
"""

import hashlib
import stat
import struct
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from infimum.persistence.malformed import Malformed, quote

__all__ = ["MANIFEST", "ArchiveReader", "Member", "digest", "write_members"]

MANIFEST = "manifest.json"
MAGIC = b"PK\x03\x04"
#: The earliest date a ZIP archive can hold: files say what, not when.
EPOCH = (1980, 1, 1, 0, 0, 0)
ENCRYPTED = 0x1
#: Sizes of a member's header and of the archive's last record without their texts, and
#: where a header tells how long its texts are.
LOCAL_HEADER, LAST_RECORD, NAME_LENGTHS = 30, 22, 26


@dataclass(frozen=True)
class Member:
    """Size and SHA-256 of one part of a model file."""

    bytes: int
    sha256: str


def digest(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write_members(
    archive: zipfile.ZipFile, members: Iterable[tuple[str, bytes]]
) -> dict[str, Member]:
    """Store `members` one after the other; return size and hash of each."""
    written: dict[str, Member] = {}
    for name, data in members:
        info = zipfile.ZipInfo(name, EPOCH)
        info.external_attr = 0o644 << 16
        info.create_system = 3
        archive.writestr(info, data, zipfile.ZIP_STORED)
        written[name] = Member(len(data), digest(data))
    return written


class ArchiveReader:
    """An archive opened for reading, after its table of contents has been checked."""

    def __init__(self, handle: BinaryIO, size: int) -> None:
        if size == 0:
            raise Malformed("it is empty")
        if handle.read(len(MAGIC)) != MAGIC:
            raise Malformed("it is not a ZIP archive")
        try:
            self._archive = zipfile.ZipFile(handle)
        except (zipfile.BadZipFile, EOFError):
            raise Malformed("it is truncated or damaged") from None
        self._infos = _check_contents(self._archive.infolist(), size)
        _check_seams(self._archive, handle, size)

    @classmethod
    def open(cls, path: Path, max_bytes: int) -> Self:
        """Open the regular file at `path`, unless it is larger than `max_bytes`."""
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise Malformed(f"it is {kind}")
        if status.st_size > max_bytes:
            raise Malformed(
                f"its {status.st_size} bytes exceed max_bytes={max_bytes}; "
                "raise that limit if you trust the file"
            )
        handle = path.open("rb")
        try:
            return cls(handle, status.st_size)
        except BaseException:
            handle.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        handle = self._archive.fp
        self._archive.close()
        if handle is not None:
            handle.close()

    @property
    def sizes(self) -> dict[str, int]:
        """Member name -> number of bytes, without the manifest."""
        others = (info for name, info in self._infos.items() if name != MANIFEST)
        return {info.filename: info.file_size for info in others}

    def read_manifest(self) -> bytes:
        """Return the manifest, if the archive's comment vouches for it."""
        data = self._read(MANIFEST)
        if self._archive.comment != digest(data).encode("ascii"):
            raise Malformed("the hash of manifest.json does not match")
        return data

    def read(self, name: str, sha256: str) -> bytes:
        """Return the bytes of member `name`, if their hash is `sha256`."""
        data = self._read(name)
        if digest(data) != sha256:
            raise Malformed(f"the hash of {name} does not match")
        return data

    def _read(self, name: str) -> bytes:
        if name not in self._infos:
            raise Malformed(f"its {name} is missing")
        try:
            return self._archive.read(self._infos[name])
        except (zipfile.BadZipFile, EOFError):
            raise Malformed(f"its {name} is damaged") from None


def _check_contents(
    infos: list[zipfile.ZipInfo], size: int
) -> dict[str, zipfile.ZipInfo]:
    """Return the members by name, if none of them can surprise the reader."""
    for info in infos:
        objection = _objection(info)
        if objection:
            raise Malformed(f"its member {quote(info.orig_filename)} {objection}")
    by_name = {info.filename: info for info in infos}
    if len(by_name) < len(infos):
        raise Malformed("two of its members have one name")
    if sum(info.file_size for info in infos) > size:
        raise Malformed("its members claim more bytes than it has")
    return by_name


def _check_seams(archive: zipfile.ZipFile, handle: BinaryIO, size: int) -> None:
    """Refuse bytes that belong to no member: before, between and behind them."""
    starts = sorted(archive.infolist(), key=lambda info: info.header_offset)
    end = 0
    for info in starts:
        handle.seek(info.header_offset + NAME_LENGTHS)
        lengths = handle.read(4)
        if info.header_offset != end or len(lengths) < 4:  # noqa: PLR2004
            raise Malformed("there are bytes between its members")
        texts = sum(struct.unpack("<HH", lengths))
        end += LOCAL_HEADER + texts + info.file_size
    tail = size - LAST_RECORD - len(archive.comment)
    handle.seek(max(tail, 0))
    if archive.start_dir != end or handle.read(4) != b"PK\x05\x06":
        raise Malformed("there are bytes behind its members")


def _objection(info: zipfile.ZipInfo) -> str | None:
    """Return what is wrong with one line of the table of contents, or None."""
    name = info.orig_filename
    if any(mark in name for mark in ("/", "\\", "..", ":", "\0")):
        return "has a path in its name"
    if info.flag_bits & ENCRYPTED:
        return "is encrypted"
    if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
        return "is compressed, which model files never are"
    return None
