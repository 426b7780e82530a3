"""Constructors of a parent class with other defaults."""

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

__all__ = ["with_defaults"]

Constructor = TypeVar("Constructor", bound=Callable[..., None])


def with_defaults(constructor: Constructor, **defaults: Any) -> Constructor:
    """Return a copy of a constructor that differs in the defaults of some keywords.

    Scikit-learn reads the parameters of an estimator off the signature of its
    constructor, which is why a class with other defaults cannot just pass ``**given``
    on. The copy has a signature of its own.

    Parameters
    ----------
    constructor : function
        The ``__init__`` of another class, which does not call ``super()``.
    **defaults
        New defaults of parameters that are given by keyword only.

    Examples
    --------
    >>> class Small:
    ...     def __init__(self, *, size: int = 1) -> None:
    ...         self.size = size
    >>> class Large(Small):
    ...     __init__ = with_defaults(Small.__init__, size=9)
    >>> Large().size, Large(size=5).size, Small().size
    (9, 5, 1)
    """
    assert isinstance(constructor, FunctionType)
    known = constructor.__kwdefaults__
    assert known is not None
    assert defaults.keys() <= known.keys()
    copy = FunctionType(
        constructor.__code__,
        constructor.__globals__,
        constructor.__name__,
        constructor.__defaults__,
        constructor.__closure__,
    )
    copy.__kwdefaults__ = {**known, **defaults}
    copy.__annotations__ = constructor.__annotations__
    copy.__doc__ = constructor.__doc__
    copy.__module__ = constructor.__module__
    copy.__qualname__ = constructor.__qualname__
    return copy  # type: ignore[return-value]
