"""Types that a parameter may name, such as the ``dtype`` of an encoder."""

from typing import Any

import numpy as np

__all__ = ["TYPES", "TYPE_NAMES"]

BUILTIN = (bool, int, float, complex, str, bytes, object)
NUMPY = (
    *(np.bool_, np.number, np.integer, np.floating, np.complexfloating),
    *(np.int8, np.int16, np.int32, np.int64),
    *(np.uint8, np.uint16, np.uint32, np.uint64),
    *(np.float16, np.float32, np.float64, np.complex64, np.complex128),
    *(np.str_, np.bytes_, np.object_, np.datetime64, np.timedelta64),
)

#: Name in the file -> type.
TYPES: dict[str, type[Any]] = {
    **{kind.__name__: kind for kind in BUILTIN},
    **{f"numpy.{kind.__name__}": kind for kind in NUMPY},
}
#: Type -> name in the file.
TYPE_NAMES: dict[type[Any], str] = {kind: name for name, kind in TYPES.items()}
