"""Whether an exception raised by a signal would be heard: in a destructor none is.

Python prints what is raised while an object is thrown away, and forgets it. An alarm or
a Ctrl-C that comes at such a moment has to come again.
"""

from types import FrameType

__all__ = ["in_destructor"]

_DESTRUCTOR = "__del__"


def in_destructor(frame: FrameType | None) -> bool:
    """Whether a signal has interrupted the end of some object, however deep.

    Examples
    --------
    >>> import sys
    >>> in_destructor(sys._getframe())
    False
    """
    while frame is not None:
        if frame.f_code.co_name == _DESTRUCTOR:
            return True
        frame = frame.f_back
    return False
