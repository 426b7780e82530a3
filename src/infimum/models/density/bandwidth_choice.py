"""Choosing the width of windows: what predicts samples it has not seen."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.model_selection import KFold

from infimum.data.doors import array
from infimum.errors import DataError, IncompatibleError
from infimum.kernels.windows import Gaussian, Window
from infimum.models.density._window_overlap import end_of, summed_overlap
from infimum.models.density._window_sums import Widths, log_sums, sums_over
from infimum.models.neighbors._metric import choose_metric
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Matrix, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from infimum.models.density.kernel_density import KernelDensity

__all__ = ["BandwidthChoice", "best_leave_one_out", "choose_bandwidth"]

_CRITERIA = Choice(("leave_one_out", "hold_out_l2", "folds", "folds_l2"))
_TITLES = {
    "leave_one_out": "log-likelihood, each left out",
    "folds": "log-likelihood of folds",
    "hold_out_l2": "minus the L2 loss, held out",
    "folds_l2": "minus the L2 loss of folds",
}
#: Up to so many samples on a line all pairs of windows are looked at.
PAIRS = 3000
#: Points of a grid on which squares of densities are integrated: the least and the
#: greatest number, and how many to a width.
GRID, MOST, FINE = 8192, 32768, 16


@dataclass(frozen=True, eq=False)
class BandwidthChoice:
    """Widths, what each of them scored, and the best.

    Attributes
    ----------
    bandwidths, scores : ndarray
        The higher the score, the better.
    criterion : str
    best : float
    """

    bandwidths: Vector
    scores: Vector
    criterion: str

    @property
    def best(self) -> float:
        """The width of the highest score."""
        return float(self.bandwidths[int(np.nanargmax(self.scores))])

    def plot(self) -> Figure:
        """Draw the scores against the widths."""
        from plotly.graph_objects import Figure

        order = np.argsort(self.bandwidths)
        figure = Figure()
        figure.add_scatter(
            x=self.bandwidths[order],
            y=self.scores[order],
            mode="lines+markers",
            line={"color": "#0072B2"},
            showlegend=False,
        )
        figure.add_vline(x=self.best, line={"dash": "dot", "color": "#888888"})
        figure.add_annotation(
            x=float(np.log10(self.best)), y=1.0, yref="paper", yanchor="bottom",
            text=f"best: {self.best:.3g}", showarrow=False, font={"color": "#555555"},
        )  # fmt: skip
        figure.update_xaxes(title_text="width", type="log")
        figure.update_yaxes(title_text=_TITLES[self.criterion], range=self._heights())
        figure.update_layout(template="plotly_white", width=640, height=420)
        return figure

    def _heights(self) -> tuple[float, float] | None:
        """Return the range in which half of the scores lie, and the best of them.

        Narrow widths fall so deep that all others would look alike.
        """
        seen = self.scores[np.isfinite(self.scores)]
        drop = float(seen.max() - np.median(seen)) if seen.size else 0.0
        if drop <= 0.0:
            return None
        return float(seen.max() - 2.0 * drop), float(seen.max() + 0.2 * drop)


def choose_bandwidth(
    X: Any,
    bandwidths: Any = None,
    *,
    criterion: str = "leave_one_out",
    kernel: Any = "gaussian",
    n_folds: int = 10,
    random_state: Any = None,
) -> BandwidthChoice:
    r"""Return how well each width predicts samples that it has not seen.

    ============= ==========================================================
    leave_one_out log-likelihood of each sample under the others
    folds         log-likelihood of each fold under the other folds
    hold_out_l2   minus :math:`\int \hat p^2 - 2\,\text{mean}\,\hat p(x)`, fitted on the
                  first half, the mean over the other half
    folds_l2      the same, over folds
    ============= ==========================================================

    The last two estimate :math:`\int (\hat p - p)^2` up to the constant
    :math:`\int p^2`. The plain likelihood would choose the width 0.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    bandwidths : array-like, optional
        Candidates; by default 30, up to three times the greatest deviation.
    criterion : {'leave_one_out', 'hold_out_l2', 'folds', 'folds_l2'}
    kernel : str or Window, default='gaussian'
        Squares are integrated in closed form for the Gaussian, for other windows by
        the overlaps of all pairs; those of many samples on a line on a fine grid.
    n_folds : int, default=10
    random_state : int, RandomState or None, default=None
        Shuffles the samples before they are dealt to folds, unless None.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 1))
    >>> choose_bandwidth(X, [0.01, 0.4, 5.0]).best
    0.4
    """
    check_domain("choose_bandwidth: criterion", criterion, _CRITERIA)
    X = array(X, ensure_min_samples=2)
    widths = _candidates(X) if bandwidths is None else np.asarray(bandwidths, float)
    if widths.ndim != 1 or not len(widths) or not np.all(widths > 0):
        raise DataError("choose_bandwidth needs a list of positive bandwidths.")
    judge = _judge(criterion, kernel, _splits(criterion, X, n_folds, random_state))
    scores = np.array([judge(X, float(width)) for width in widths])
    return BandwidthChoice(widths, scores, criterion)


def best_leave_one_out(model: KernelDensity) -> float:
    """Return the width that maximises the likelihood of each sample under the others.

    The best of a coarse grid of widths is refined between its neighbours.
    """
    X, trial = model.X_fit_, copy(model)
    if len(X) == 1 or not np.ptp(X, axis=0).any():
        raise DataError(
            "KernelDensity: leaving one out needs 2 different samples or more."
        )

    def loss(log_width: float) -> float:
        trial.widths_ = np.full(len(X), np.exp(log_width))
        around = trial._around()
        logs = log_sums(sums_over(*around), around, X, (1e-6, 0.0), np.arange(len(X)))
        return -float(trial._weights @ (logs - trial._log_unit()))

    grid = np.log(_candidates(X))
    losses = np.array([loss(at) for at in grid])
    best = int(losses.argmin())
    low, high = grid[max(0, best - 1)], grid[min(len(grid) - 1, best + 1)]
    found = minimize_scalar(
        loss, bounds=(low, high), method="bounded", options={"xatol": 1e-4}
    )
    return float(np.exp(found.x if found.fun <= losses[best] else grid[best]))


def _candidates(X: Matrix) -> Vector:
    spread = float(X.std(axis=0).max()) or 1.0
    return np.geomspace(0.01 * spread, 3.0 * spread, 30)


def _splits(criterion: str, X: Matrix, n_folds: int, seed: Any) -> list[Any]:
    if criterion == "leave_one_out":
        return []
    if criterion == "hold_out_l2":
        half = len(X) // 2
        return [(np.arange(half), np.arange(half, len(X)))]
    check_domain("choose_bandwidth: n_folds", n_folds, whole(2, len(X)))
    folds = KFold(int(n_folds), shuffle=seed is not None, random_state=seed)
    return list(folds.split(X))


def _judge(
    criterion: str, kernel: Any, splits: list[Any]
) -> Callable[[Matrix, float], float]:
    from infimum.models.density.kernel_density import KernelDensity

    def judge(X: Matrix, width: float) -> float:
        model = KernelDensity(bandwidth=width, kernel=kernel)
        if criterion == "leave_one_out":
            return model.fit(X).leave_one_out()
        if criterion == "folds":
            return float(
                sum(model.fit(X[known]).score(X[held]) for known, held in splits)
            )
        losses = [l2_loss(model.fit(X[known]), X[held]) for known, held in splits]
        return -float(np.mean(losses))

    return judge


def l2_loss(model: KernelDensity, held_out: Matrix) -> float:
    """Return ∫p̂² minus twice the mean of p̂ over held-out samples."""
    low, high = model.density_bounds(held_out)
    return squared_integral(model) - float(np.mean(low + high))


def squared_integral(model: KernelDensity) -> float:
    """Return ∫p̂²: the windows of two samples overlap in a wider window."""
    X, window = model.X_fit_, model._window()
    if isinstance(window, Gaussian):
        return _gaussian_overlap(model, window)
    _refuse_local(model)
    if X.shape[1] > 1 or len(X) <= PAIRS:
        width = float(model.bandwidth_)
        shared = summed_overlap(X, model._weights, width, window)
        return _scaled(shared, X.shape[1] * np.log(width) - 2.0 * model._log_unit())
    return _squared_on_grid(model, window)


def _squared_on_grid(model: KernelDensity, window: Window) -> float:
    """Return ∫p̂² on the line; as fine as the width asks for, up to a limit."""
    X, width = model.X_fit_, float(model.bandwidth_)
    margin = end_of(window) * width
    low, high = float(X.min()) - margin, float(X.max()) + margin
    count = int(min(max(GRID, FINE * (high - low) / width), MOST))
    at = np.linspace(low, high, count)
    return float(np.trapezoid(np.exp(2.0 * model.score_samples(at[:, None])), at))


def _gaussian_overlap(model: KernelDensity, window: Window) -> float:
    _refuse_local(model)
    X, weights = model.X_fit_, model._weights
    wider = Widths(np.sqrt(2.0) * model.widths_, weights, X.shape[1])
    metric = choose_metric("choose_bandwidth", "euclidean", 2.0, None, X)
    sums, _ = sums_over(X, wider, window, metric).at(X, 1e-8, 0.0)
    # The overlap is √2 times as wide, and sums are not yet divided by its volume.
    wide = X.shape[1] * 0.5 * np.log(2.0) + np.log(weights.sum())
    return _scaled(float(weights @ sums), -model._log_unit() - wide)


def _scaled(value: float, log_factor: float) -> float:
    """Return a positive number times a factor that may be no number itself."""
    with np.errstate(divide="ignore", over="ignore"):
        return float(np.exp(np.log(value) + log_factor))


def _refuse_local(model: KernelDensity) -> None:
    if np.ptp(model.widths_) > 0.0:
        raise IncompatibleError(
            "choose_bandwidth: ∫p̂² needs windows of one width, not local ones."
        )
