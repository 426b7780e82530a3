"""Kernels whose positive parameters can be moved: ours, and scikit-learn's."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.kernels import FromFunction, Gaussian, Kernel
from infimum.kernels._kernel import size_of
from infimum.parameters import nonnegative, positive
from infimum.typing import Matrix, Vector

__all__ = ["TunedKernel", "own_slopes", "tuned_kernel"]

#: Parameters are searched between these, as scikit-learn's are by default.
RANGE = (1e-5, 1e5)
#: Step of the central differences in log-parameters: the cube root of the rounding
#: error, where what is cut off and what is rounded off are about equal.
STEP = 6e-6
#: That of small differences of large numbers: more is rounded off, less cut off.
LARGE_STEP = 1e-3
#: Samples compared with themselves at a time.
FEW = 256
#: A difference below this share of the numbers it is taken of is rounding.
ROUNDING = 1e-12


class TunedKernel(Protocol):
    """A kernel as a function of the logarithms of its parameters."""

    @property
    def kernel(self) -> Any:
        """The kernel itself."""

    @property
    def theta(self) -> Vector:
        """Logarithms of the parameters that may move."""

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Lowest and highest logarithm, one row per parameter."""

    def at(self, theta: Vector) -> "TunedKernel":
        """Return the kernel with these parameters."""

    def gram(self, X: Any) -> Matrix:
        """Return the Gram matrix of the samples, noise included."""

    def cross(self, X: Any, Z: Any) -> Matrix:
        """Return the kernel between two collections."""

    def diagonal(self, X: Any) -> Vector:
        """Return k(x, x), noise included."""

    def own(self, X: Any) -> Vector:
        """Return the noise that the kernel itself gives each sample."""

    def slopes(self, X: Any) -> Iterator[Matrix]:
        """Yield the derivative of the Gram matrix along each log-parameter."""


def tuned_kernel(owner: str, kernel: Any) -> TunedKernel:
    """Return the view of a kernel that evidence maximisation needs."""
    if kernel is None:
        return _Ours(Gaussian(1.0), fixed=True)
    if isinstance(kernel, Kernel):
        return _Ours(kernel)
    if hasattr(kernel, "clone_with_theta") and hasattr(kernel, "theta"):
        return _Theirs(kernel)
    if callable(kernel):
        return _Ours(FromFunction(kernel))
    if isinstance(kernel, str) and kernel == "precomputed":
        return _Given(owner)
    raise InvalidParameterError(
        f"{owner}.kernel must be a Kernel of infimum.kernels, one of "
        "sklearn.gaussian_process.kernels, a function of two samples, 'precomputed' "
        f"or None, got {kernel!r}."
    )


def own_slopes(kernel: TunedKernel, X: Any) -> list[Vector]:
    """Return the derivative of the kernel's own noise along each log-parameter."""
    found: list[Vector] = []
    theta = kernel.theta
    for j in range(len(theta)):
        move = np.where(np.arange(len(theta)) == j, LARGE_STEP, 0.0)
        ahead, behind = kernel.at(theta + move), kernel.at(theta - move)
        found.append((ahead.own(X) - behind.own(X)) / (2 * LARGE_STEP))
    return found


@dataclass(frozen=True)
class _Ours:
    """A kernel of ours; slopes by central differences, cheap beside a Cholesky."""

    kernel: Kernel
    fixed: bool = False

    @property
    def theta(self) -> Vector:
        found = [] if self.fixed else list(_parameters(self.kernel))
        return np.log(np.array(found, dtype=np.float64))

    @property
    def bounds(self) -> NDArray[np.float64]:
        return np.asarray(np.log(np.tile(RANGE, (len(self.theta), 1))))

    def at(self, theta: Vector) -> "_Ours":
        if self.fixed:
            return self
        return _Ours(_rebuilt(self.kernel, iter(np.exp(theta).tolist())))

    def gram(self, X: Any) -> Matrix:
        return np.asarray(self.kernel(X), dtype=np.float64)

    def cross(self, X: Any, Z: Any) -> Matrix:
        return np.asarray(self.kernel(X, Z), dtype=np.float64)

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(self.kernel.diagonal(X), dtype=np.float64)

    def own(self, X: Any) -> Vector:
        return np.zeros(size_of(X))

    def slopes(self, X: Any) -> Iterator[Matrix]:
        theta = self.theta
        for j in range(len(theta)):
            move = np.where(np.arange(len(theta)) == j, STEP, 0.0)
            ahead, behind = self.at(theta + move), self.at(theta - move)
            yield (ahead.gram(X) - behind.gram(X)) / (2 * STEP)


@dataclass(frozen=True)
class _Theirs:
    """A kernel of scikit-learn's, which knows its own logarithms and slopes."""

    kernel: Any

    @property
    def theta(self) -> Vector:
        return np.asarray(self.kernel.theta, dtype=np.float64)

    @property
    def bounds(self) -> NDArray[np.float64]:
        return np.asarray(self.kernel.bounds, dtype=np.float64).reshape(-1, 2)

    def at(self, theta: Vector) -> "_Theirs":
        return _Theirs(self.kernel.clone_with_theta(theta))

    def gram(self, X: Any) -> Matrix:
        return np.asarray(self.kernel(X), dtype=np.float64)

    def cross(self, X: Any, Z: Any) -> Matrix:
        return np.asarray(self.kernel(X, Z), dtype=np.float64)

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(self.kernel.diag(X), dtype=np.float64)

    def own(self, X: Any) -> Vector:
        return np.concatenate(
            [self._apart(X[at : at + FEW]) for at in range(0, len(X), FEW)]
        )

    def _apart(self, X: Any) -> Vector:
        """Return how much less each sample is like its copy than like itself."""
        whole = self.diagonal(X)
        left = whole - self.cross(X, X).diagonal()
        return np.where(left > ROUNDING * np.abs(whole), left, 0.0)

    def slopes(self, X: Any) -> Iterator[Matrix]:
        if len(self.theta):
            _, stacked = self.kernel(X, eval_gradient=True)
            yield from np.moveaxis(stacked, -1, 0)


@dataclass(frozen=True)
class _Given:
    """Kernel values in place of samples: no parameters, nothing known of new ones."""

    owner: str
    kernel: Any = "precomputed"

    @property
    def theta(self) -> Vector:
        return np.empty(0)

    @property
    def bounds(self) -> NDArray[np.float64]:
        return np.empty((0, 2))

    def at(self, theta: Vector) -> "_Given":
        return self

    def gram(self, X: Any) -> Matrix:
        return np.array(X, dtype=np.float64)

    def cross(self, X: Any, Z: Any) -> Matrix:
        return np.asarray(X, dtype=np.float64)

    def diagonal(self, X: Any) -> Vector:
        raise IncompatibleError(
            f"{self.owner} cannot compute a variance from precomputed kernel values: "
            "k(x, x) of new samples is not among them. Give "
            "infimum.kernels.Precomputed with the values of all samples, old and new, "
            "and positions in it as samples."
        )

    def own(self, X: Any) -> Vector:
        return np.zeros(len(X))

    def slopes(self, X: Any) -> Iterator[Matrix]:
        return iter(())


def _parameters(part: Any) -> Iterator[float]:
    """Yield every positive real parameter of a kernel and of the kernels in it."""
    for field in fields(part):
        value = getattr(part, field.name)
        if _moves(field.metadata.get("domain"), value):
            yield float(value)
        for inner in _kernels_in(value):
            yield from _parameters(inner)


def _rebuilt(part: Any, values: Iterator[float]) -> Any:
    """Return the kernel with its parameters taken from the iterator, in order."""
    changes: dict[str, Any] = {}
    for field in fields(part):
        value = getattr(part, field.name)
        if _moves(field.metadata.get("domain"), value):
            changes[field.name] = next(values)
        elif isinstance(value, Kernel):
            changes[field.name] = _rebuilt(value, values)
        elif _kernels_in(value):
            changes[field.name] = tuple(_rebuilt(inner, values) for inner in value)
    return replace(part, **changes)


def _moves(domain: Any, value: Any) -> bool:
    return domain in (positive, nonnegative) and float(value) > 0.0


def _kernels_in(value: Any) -> tuple[Kernel, ...]:
    if isinstance(value, Kernel) and is_dataclass(value):
        return (value,)
    if isinstance(value, tuple) and value and all(isinstance(v, Kernel) for v in value):
        return value
    return ()
