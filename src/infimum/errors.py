"""All exceptions that Infimum raises.

InfimumError
├── InvalidParameterError  a parameter is outside its domain (ValueError, TypeError)
├── IncompatibleError      two parts cannot be combined      (ValueError, TypeError)
├── DataError              the data cannot be understood or used    (also ValueError)
├── StreamError            rows can no longer be read, or workers are gone
└── ModelFileError         a model file is damaged, foreign or unknown (also ValueError)

Interrupted                Ctrl-C: a fit keeps its best model    (KeyboardInterrupt)
"""

from typing import Any

__all__ = [
    "DataError",
    "IncompatibleError",
    "InfimumError",
    "Interrupted",
    "InvalidParameterError",
    "ModelFileError",
    "StreamError",
]


class InfimumError(Exception):
    """Base class of every error raised on purpose by Infimum."""


class InvalidParameterError(InfimumError, ValueError, TypeError):
    """A hyperparameter is outside its domain; the message names domain and value.

    Scikit-learn's error of the same name is both, too.
    """

    def __str__(self) -> str:
        # One line: a value that the sentence quotes may be an array of many.
        return " ".join(super().__str__().splitlines())


class IncompatibleError(InfimumError, ValueError, TypeError):
    """Two parts cannot be combined; the message names both and what is missing.

    Scikit-learn says ValueError where parameters do not go together.
    """


class DataError(InfimumError, ValueError):
    """The data cannot be used; the message is one sentence that says where and why.

    `estimator` is the model, if the fit has kept a whole one all the same.
    """

    estimator: Any = None


class ModelFileError(InfimumError, ValueError):
    """A model file cannot be trusted or understood; the message says what is wrong."""


class StreamError(InfimumError):
    """Rows can no longer be read, or workers are gone; what was reached is told.

    `point` and `gap` are those of the best model that a fit had found, if it had one;
    an `estimator` that is named has kept what it had found.
    """

    point: Any = None
    gap: float | None = None
    estimator: Any = None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a fit, after the estimator had kept its best model and its gap.

    A loop of fits ends with it, as with any `KeyboardInterrupt`. Whoever catches it
    finds the model in `estimator`, as good as its certificate says.

    Examples
    --------
    >>> from infimum import Ridge
    >>> model = Ridge().fit([[0.0], [1.0]], [0.0, 1.0])
    >>> try:
    ...     raise Interrupted(model)
    ... except KeyboardInterrupt as stop:
    ...     stop.estimator is model
    True
    """

    def __init__(self, estimator: Any) -> None:
        super().__init__(estimator)
        self.estimator = estimator

    def __str__(self) -> str:
        name = type(self.estimator).__name__
        proof = getattr(self.estimator, "certificate_", None)
        told = "" if proof is None else f": {proof}"
        return f"{name} was interrupted and keeps its best model so far{told}."
