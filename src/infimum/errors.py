"""Everything Infimum can raise, on one screen.

InfimumError
├── InvalidParameterError  a hyperparameter is outside its domain   (also ValueError)
├── IncompatibleError      two parts cannot be combined             (also TypeError)
├── DataError              the data cannot be understood or used    (also ValueError)
└── ModelFileError         a model file is damaged, foreign or unknown (also ValueError)
"""

__all__ = [
    "DataError",
    "IncompatibleError",
    "InfimumError",
    "InvalidParameterError",
    "ModelFileError",
]


class InfimumError(Exception):
    """Base class of every error raised on purpose by Infimum."""


class InvalidParameterError(InfimumError, ValueError):
    """A hyperparameter is outside its domain; the message names domain and value."""


class IncompatibleError(InfimumError, TypeError):
    """Two parts cannot be combined; the message names both and what is missing."""


class DataError(InfimumError, ValueError):
    """The data cannot be used; the message is one sentence that says where and why."""


class ModelFileError(InfimumError, ValueError):
    """A model file cannot be trusted or understood; the message says what is wrong."""
