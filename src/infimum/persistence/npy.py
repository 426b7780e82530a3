"""Arrays as bytes: the NPY format, read only after its header has been believed.

NumPy's own reader evaluates the header and allocates what it promises. Here the header
must match one strict pattern, its data type must be one of plain numbers, dates or
fixed-width text, and what it promises must be exactly what follows; only then is NumPy
asked to read.
"""

import io
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.persistence.malformed import Malformed, quote

__all__ = ["WIDEST", "accept_dtype", "carries", "from_npy", "to_npy"]

DTYPE = re.compile(
    r"\|b1|\|[iu]1|[<>][iu][248]|[<>]f[248]|[<>]c(?:8|16)"
    r"|\|S[1-9]\d{0,8}|[<>]U[1-9]\d{0,7}|[<>][Mm]8(?:\[\d{0,6}[A-Za-z]{1,2}\])?"
)
HEADER = re.compile(
    rb"\{'descr': '([^']{2,20})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,15}, ?)*(?:\d{1,15})?)\), \} *\n"
)
PREFIX = np.lib.format.magic(1, 0)
LARGEST_CODE_POINT = 0x10FFFF
#: Bytes of one entry of an array that has none.
WIDEST = 2**16


def carries(dtype: np.dtype[Any]) -> bool:
    """Tell whether a model file can carry arrays of `dtype`."""
    return DTYPE.fullmatch(dtype.str) is not None and dtype.fields is None


def accept_dtype(text: str) -> np.dtype[Any]:
    """Return the data type that `text` spells, if a model file can carry it."""
    if DTYPE.fullmatch(text) is None:
        raise Malformed(f"an array of data type {quote(text)} is not admitted")
    try:
        return np.dtype(text)
    except TypeError:
        raise Malformed(f"the data type {quote(text)} does not exist") from None


def to_npy(array: NDArray[Any]) -> bytes:
    """Write `array` in NPY version 1.0."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, version=(1, 0), allow_pickle=False)
    return stream.getvalue()


def from_npy(data: bytes, name: str) -> NDArray[Any]:
    """Read the array of member `name`, once its header fits the data behind it."""
    dtype, shape, size = _promise(data, name)
    if math.prod(shape) * dtype.itemsize != size or dtype.itemsize > max(size, WIDEST):
        raise Malformed(f"the header of {name} promises another amount of data")
    array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    if not _holds_values(array):
        raise Malformed(f"{name} holds bytes that are no {dtype.name}")
    return np.asarray(array)


def _promise(data: bytes, name: str) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """Return data type, shape and number of bytes behind the header."""
    start = len(PREFIX) + 2
    if data[: len(PREFIX)] != PREFIX or len(data) < start:
        raise Malformed(f"{name} is not an NPY 1.0 array")
    end = start + int.from_bytes(data[len(PREFIX) : start], "little")
    header = HEADER.fullmatch(data[start:end])
    if header is None or end > len(data):
        raise Malformed(f"the header of {name} is not understood")
    dtype = accept_dtype(header[1].decode("latin-1"))
    shape = tuple(int(side) for side in header[3].split(b",") if side.strip())
    return dtype, shape, len(data) - end


def _holds_values(array: NDArray[Any]) -> bool:
    """Tell whether the bytes are values: not all patterns are truths or characters."""
    if array.size == 0 or array.dtype.kind not in "bU":
        return True
    flat = array.ravel(order="K")
    if array.dtype.kind == "b":
        return bool(flat.view(np.uint8).max() <= 1)
    codes = flat.view(array.dtype.byteorder.replace("=", "<") + "u4")
    return bool(codes.max() <= LARGEST_CODE_POINT)
