"""Records: results that can become plain data, ready for a file or a report."""

import math
from dataclasses import fields
from typing import Any

__all__ = ["PlainRecord", "plain"]


class PlainRecord:
    """A result whose fields, and the properties it names, become a dictionary.

    Subclasses are frozen dataclasses. `told` lists the properties that a reader of the
    dictionary should find beside the fields, such as a sentence.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Square(PlainRecord, told=("area",)):
    ...     side: float
    ...     @property
    ...     def area(self):
    ...         return self.side**2
    >>> Square(3.0).to_dict()
    {'side': 3.0, 'area': 9.0}
    """

    _told: tuple[str, ...] = ()

    def __init_subclass__(cls, told: tuple[str, ...] = (), **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._told = told

    def to_dict(self) -> dict[str, Any]:
        """Return the result as nested dictionaries and lists that JSON can hold."""
        names = [each.name for each in fields(self)]  # type: ignore[arg-type]
        return {name: plain(getattr(self, name)) for name in [*names, *self._told]}


def plain(value: Any) -> Any:
    """Return a value as plain Python data; what is not finite becomes None."""
    if isinstance(value, PlainRecord):
        return value.to_dict()
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):  # NumPy's arrays and scalars
        return plain(value.tolist())
    return _plain_scalar(value)


def _plain_scalar(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    known = value is None or isinstance(value, bool | int | float | str)
    return value if known else str(value)
