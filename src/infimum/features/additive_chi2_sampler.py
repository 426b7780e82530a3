"""Additive χ² features: histograms whose inner products are their χ² similarity."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from infimum.data.canonical import given_out
from infimum.errors import DataError, InvalidParameterError
from infimum.features._kernel_error import KernelError, measure_error
from infimum.features.columns import (
    NumericTransformer,
    accept_columns,
    input_names,
    is_sparse,
)
from infimum.kernels import AdditiveChiSquared
from infimum.parameters import check_domain, positive, whole

__all__ = ["AdditiveChi2Sampler"]

#: Steps of the frequency at which few samples of the spectrum serve best.
INTERVALS = {1: 0.8, 2: 0.5, 3: 0.4}


class AdditiveChi2Sampler(NumericTransformer):
    r"""A few waves of log x that approximate the additive χ² kernel.

    .. math:: \frac{2xz}{x+z} = \sqrt{xz} \int e^{iω (\log x - \log z)}
              \operatorname{sech}(πω)\,dω

    sampled at ω = 0, L, 2L, …: each column x becomes :math:`\sqrt{xL}` and, for every
    further frequency jL, :math:`\sqrt{2xL \operatorname{sech}(πjL)}` times the cosine
    and the sine of :math:`jL \log x`. Nothing is random, nothing is learnt.

    Parameters
    ----------
    sample_steps : int, default=2
        Number of frequencies, 0 included.
    sample_interval : float or None, default=None
        The step L; None knows good ones for 1, 2 and 3 frequencies.

    Attributes
    ----------
    n_features_in_ : int

    Examples
    --------
    >>> Z = AdditiveChi2Sampler(sample_steps=3).fit_transform([[1.0], [3.0]])
    >>> (Z @ Z.T).round(2)  # 2xz/(x+z)
    array([[0.95, 1.5 ],
           [1.5 , 2.85]])

    References
    ----------
    Vedaldi & Zisserman (2012), IEEE Transactions on Pattern Analysis and Machine
    Intelligence 34.
    """

    def __init__(
        self, *, sample_steps: int = 2, sample_interval: float | None = None
    ) -> None:
        self.sample_steps = sample_steps
        self.sample_interval = sample_interval

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the samples and the parameters; return self."""
        self._interval()
        self._accept(X, reset=True)
        return self

    def transform(self, X: Any) -> Any:
        """Return the columns' roots, then their waves, frequency by frequency."""
        X = self._accept(X, reset=not hasattr(self, "n_features_in_"))
        if is_sparse(X):
            parts = self._waves(X.data)
            rows = [sparse.csr_array((p, X.indices, X.indptr), X.shape) for p in parts]
            return given_out(sparse.hstack(rows, format="csr"))
        return np.hstack(self._waves(X))

    def error(self, X: Any) -> KernelError:
        """Return how far the inner products of the features are from the kernel."""
        features = self.transform(X)
        dense = features.toarray() if is_sparse(features) else features
        return measure_error(AdditiveChiSquared(), self._accept(X, reset=False), dense)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns, each with the wave it was put through."""
        names = input_names(self, input_features)
        waves = ["sqrt"]
        for j in range(1, int(self.sample_steps)):
            waves += [f"cos{j}", f"sin{j}"]
        owner = type(self).__name__.lower()
        found = [f"{owner}_{name}_{wave}" for wave in waves for name in names]
        return np.asarray(found, dtype=object)

    def _waves(self, values: NDArray[Any]) -> list[NDArray[Any]]:
        step = self._interval()
        # Where x = 0, every wave is 0 whatever its phase.
        logs = np.log(np.where(values > 0, values, 1.0).astype(values.dtype))
        found = [np.sqrt(step * values)]
        for j in range(1, int(self.sample_steps)):
            height = np.sqrt(2.0 * step * values / np.cosh(np.pi * j * step))
            found += [
                height * np.cos(j * step * logs),
                height * np.sin(j * step * logs),
            ]
        return [wave.astype(values.dtype, copy=False) for wave in found]

    def _interval(self) -> float:
        check_domain("AdditiveChi2Sampler.sample_steps", self.sample_steps, whole(1))
        if self.sample_interval is None:
            if self.sample_steps not in INTERVALS:
                raise InvalidParameterError(
                    "AdditiveChi2Sampler.sample_interval must be in (0, inf) when "
                    f"sample_steps is {self.sample_steps}: it is known for 1, 2 and 3."
                )
            return INTERVALS[self.sample_steps]
        name = "AdditiveChi2Sampler.sample_interval"
        check_domain(name, self.sample_interval, positive)
        return float(self.sample_interval)

    def _accept(self, X: Any, *, reset: bool) -> Any:
        X = accept_columns(self, X, reset=reset)
        least = X.min() if min(X.shape) else 0.0
        if least < 0:
            raise DataError(
                "Negative values in data passed to X in AdditiveChi2Sampler, which "
                f"reads histograms: the smallest is {least:g}."
            )
        return X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.positive_only = True
        return tags
