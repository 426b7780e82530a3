"""Small models: few weights along a path or by steps, and a tree of imitations."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import polars as pl
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils.metaestimators import available_if

from infimum.evaluation.uncertainty.steadiness import linear_scores
from infimum.learn.folds import features_in_use, fit_one
from infimum.models.linear import regularization_path
from infimum.models.trees import DecisionTreeClassifier
from infimum.typing import Matrix, Vector

__all__ = [
    "FewWeights",
    "StrangeTree",
    "few_on_path",
    "forward_steps",
    "imitate",
    "imitated",
]


#: Strengths from the strongest to one with too many weights, and halvings between the
#: last with few and the first with too many.
_STRENGTHS, _HALVINGS = 9, 4


def few_on_path(
    estimator: Any,
    X: Any,
    y: Any,
    weights: Vector | None,
    *,
    ends: tuple[float, float],
    most: int,
) -> list[Any]:
    """Return, for 1, 2, ... `most` features, the densest model on a path with no more.

    The path runs between two `ends`, the stronger penalty first. Where it jumps over a
    number of features, the model with fewer stands for it too.

    Examples
    --------
    >>> from infimum.models.linear import Lasso
    >>> X = np.random.default_rng(0).normal(size=(80, 20))
    >>> y = X @ np.arange(20.0)
    >>> found = few_on_path(Lasso(), X, y, None, ends=(26.0, 8.0), most=4)
    >>> [features_in_use(model) for model in found]
    [0, 2, 2, 4]
    """
    path = _Path(estimator, X, y, weights)
    grid = np.geomspace(*ends, _STRENGTHS)
    path.walk(grid.tolist())
    for _ in range(_HALVINGS):
        few, many = path.border(most)
        if path.has(most) or few is None or many is None:
            break
        path.walk([float(np.sqrt(few * many))])
    return [path.densest(count) for count in range(1, most + 1)]


class _Path:
    """Models by their place on a path, strongest penalty first."""

    def __init__(self, estimator: Any, X: Any, y: Any, weights: Vector | None) -> None:
        self.estimator, self.X, self.y, self.weights = estimator, X, y, weights
        self.seen: list[tuple[float, int, Any]] = []
        self.stronger = -1 if "C" not in estimator.get_params() else 1

    def walk(self, values: list[float]) -> None:
        """Fit at further strengths."""
        path = regularization_path(
            self.estimator,
            self.X,
            self.y,
            values=values,
            sample_weight=self.weights,
        )
        found = zip(path.values.tolist(), path.models, strict=True)
        self.seen += [(value, features_in_use(model), model) for value, model in found]
        self.seen.sort(key=lambda each: self.stronger * each[0])

    def has(self, count: int) -> bool:
        """Whether a model with so many features was met."""
        return any(each[1] == count for each in self.seen)

    def border(self, most: int) -> tuple[float | None, float | None]:
        """Return the last strength before the first with too many, and that one."""
        last: float | None = None
        for value, count, _ in self.seen:
            if count > most:
                return last, value
            last = value
        return last, None

    def densest(self, most: int) -> Any:
        """Return the model with most features of those with no more than `most`.

        The strongest of all stands in where even that has more.
        """
        able = [each for each in self.seen if each[1] <= most] or self.seen[:1]
        return max(able, key=lambda each: (each[1], self.stronger * each[0]))[2]


#: The share of a column that others do not tell, below which it is called their sum.
_NEW = 1e-6


def _has(method: str) -> Any:
    return lambda model: hasattr(model.estimator, method)


class FewWeights(BaseEstimator):  # type: ignore[misc]
    """A linear model that may ask about a few columns only.

    It begins with a constant. Then, again and again, it takes the column that explains
    most of what is left unexplained (apart from what the columns taken say already) and
    fits the `estimator` to all that were taken: orthogonal matching pursuit with the
    residuals of any loss.

    Parameters
    ----------
    estimator : linear estimator
        What is fitted to the columns taken.
    most : int, default=8
        How many columns it may take.

    Attributes
    ----------
    chosen_ : ndarray of int
        The columns, in the order in which they were taken.
    model_ : estimator
        Fitted to these columns.
    coef_ : ndarray of shape (n_scores, n_features)
        Its weights, 0 for all other columns.
    intercept_ : ndarray
    classes_ : ndarray
        The labels, if it is a classifier.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.linear import LinearRegression
    >>> X = np.random.default_rng(0).normal(size=(50, 9))
    >>> model = FewWeights(LinearRegression(), most=2).fit(X, 3 * X[:, 7] - X[:, 2])
    >>> model.chosen_, model.coef_[0, [7, 2]].round(6)
    (array([7, 2]), array([ 3., -1.]))
    """

    def __init__(self, estimator: Any, most: int = 8) -> None:
        self.estimator = estimator
        self.most = most

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take the columns and fit the last model; return self."""
        steps = forward_steps(self.estimator, X, y, sample_weight, most=self.most)
        self.__dict__.update({**vars(steps[-1]), "most": self.most})
        return self

    def predict(self, X: Any) -> Any:
        """Return what the model of the few columns says."""
        return self.model_.predict(X[:, self.chosen_])

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class, or of each label."""
        return self.model_.predict_proba(X[:, self.chosen_])

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Return the scores that the classes are decided by."""
        return self.model_.decision_function(X[:, self.chosen_])

    def _adopt(self, model: Any, chosen: list[int], n_features: int) -> Self:
        few, self.intercept_ = linear_scores(model)
        self.coef_ = np.zeros((len(few), n_features))
        self.coef_[:, chosen] = few
        self.chosen_ = np.array(chosen, dtype=np.intp)
        self.model_, self.n_features_in_ = model, n_features
        if hasattr(model, "classes_"):
            self.classes_ = model.classes_
        return self


def forward_steps(
    estimator: Any, X: Any, y: Any, weights: Vector | None = None, *, most: int
) -> list[FewWeights]:
    """Return models of one, two, ... columns, each with one more than that before.

    There are fewer than `most` where the other columns have nothing to add.
    """
    X = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    columns = _Columns(X, np.ones(X.shape[0]) if weights is None else weights)
    # A column of zeros leaves the constant answer.
    seen: Any = np.zeros((X.shape[0], 1))
    model = fit_one(clone(estimator), seen, y, weights)
    chosen: list[int] = []
    steps: list[FewWeights] = []
    while len(chosen) < most:
        place = columns.best(_unexplained(model, seen, y))
        if place is None:
            break
        columns.take(place)
        chosen.append(place)
        seen = X[:, chosen]
        model = fit_one(clone(estimator), seen, y, weights)
        made = FewWeights(estimator, len(chosen))
        steps.append(made._adopt(model, list(chosen), X.shape[1]))
    if not steps:  # nothing says anything: a weight on any column is as good
        model = fit_one(clone(estimator), X[:, [0]], y, weights)
        steps.append(FewWeights(estimator, 1)._adopt(model, [0], X.shape[1]))
    return steps


class _Columns:
    """The columns of a matrix, apart from what those taken say already."""

    def __init__(self, X: Any, weights: Vector) -> None:
        self.X: Any = X
        self.share = weights / weights.sum()
        squares = X.power(2) if hasattr(X, "power") else X**2
        mean = np.asarray(X.T @ self.share)
        self.whole: Vector = np.asarray(squares.T @ self.share) - mean**2
        self.least = _NEW * np.maximum(self.whole, np.asarray(squares.T @ self.share))
        self.left = self.whole.copy()
        self.axes: list[Vector] = []

    def best(self, unexplained: Matrix) -> int | None:
        """Return the column that explains most, None if none explains anything."""
        centred = unexplained - self.share @ unexplained
        sums = np.asarray(self.X.T @ (self.share[:, None] * centred))
        new = self.left > self.least
        gain = np.where(new, (sums**2).sum(axis=1) / np.where(new, self.left, 1.0), 0.0)
        place = int(np.argmax(gain))
        return place if gain[place] > _NEW**2 * float(np.sum(centred**2)) else None

    def take(self, place: int) -> None:
        """Take what a column says out of all others."""
        column = self.X[:, [place]]
        axis = column.toarray() if hasattr(column, "toarray") else column
        axis = np.asarray(axis, dtype=float).ravel()
        axis -= self.share @ axis
        for other in self.axes:
            axis -= (self.share * other) @ axis * other
        axis /= np.sqrt(self.share @ axis**2)
        self.axes.append(axis)
        self.left -= np.asarray(self.X.T @ (self.share * axis)) ** 2
        self.left[place] = 0.0


def _unexplained(model: Any, X: Any, y: Any) -> Matrix:
    """Return the residuals: the negative derivative of the loss by the scores."""
    if hasattr(model, "quantile"):
        return np.asarray(model.quantile - (y < model.predict(X)), dtype=float)[:, None]
    if not is_classifier(model):
        return np.asarray(y - model.predict(X), dtype=float)[:, None]
    likely = np.asarray(model.predict_proba(X), dtype=float)
    if np.ndim(y) > 1:
        return np.asarray(y - likely)
    return np.asarray((np.asarray(y)[:, None] == model.classes_) - likely)


FAMILIAR, STRANGE = "familiar", "strange"
#: Imitations, at most; as many as rows if those are fewer.
_MOST = 20_000


class StrangeTree(DecisionTreeClassifier):
    """A detector of a few questions: rows like imitations are strange.

    Nobody knows which rows are strange, but everybody can imitate rows column by
    column. Where a tree finds mostly imitations, the columns do not go together as
    they use to.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> X = np.column_stack([x, x > 0])
    >>> tree = StrangeTree(max_leaf_nodes=8, random_state=0).fit(X)
    >>> usual, odd = tree.score_samples([[1.0, 1.0], [1.0, 0.0]])
    >>> bool(usual > odd)
    True
    """

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        check_input: bool = True,  # noqa: FBT001, FBT002
    ) -> Self:
        """Learn to tell the rows from imitations of them; return self."""
        rows = np.asarray(X, dtype=float)
        fake = imitated(rows, self.categorical_features or (), seed=self.random_state)
        labels = np.repeat([FAMILIAR, STRANGE], [len(rows), len(fake)])
        # Both sides count the same, however many rows there are.
        counts = np.repeat([1 / len(rows), 1 / len(fake)], [len(rows), len(fake)])
        super().fit(np.vstack([rows, fake]), labels, counts * len(rows))
        return self

    def score_samples(self, X: Any) -> Vector:
        """Return how familiar rows are: 1 minus the share of imitations among such."""
        place = self.classes_.tolist().index(FAMILIAR)
        return np.asarray(self.predict_proba(X)[:, place])


def imitated(X: Matrix, codes: Any = (), *, seed: int | None = 0) -> Matrix:
    """Return rows that look like the others column by column, but are none of them.

    In the first half numbers are drawn evenly over the range of their column, and
    `codes` evenly from those met; in the second half every value is another row's.
    """
    rng = np.random.default_rng([seed or 0, 11])
    count = min(len(X), _MOST)
    half = count // 2
    fake = np.empty((count, X.shape[1]))
    for j, column in enumerate(X.T):
        known = np.unique(column[np.isfinite(column)])
        fake[:, j] = rng.choice(column, count)
        if len(known) and (j in codes or len(known) == 2):  # noqa: PLR2004
            fake[:half, j] = rng.choice(known, half)
        elif len(known):
            fake[:half, j] = rng.uniform(known[0], known[-1], half)
    return fake


_EVENLY = (pl.Float64, pl.Float32)


def imitate(
    rows: pl.DataFrame, kinds: dict[str, str], count: int, seed: int
) -> pl.DataFrame:
    """Return rows that look like the others column by column, but are none of them.

    In the first half numbers are drawn evenly over the range of their column, and
    levels evenly from those met; in the second half every value is that of another row.
    """
    rng = np.random.default_rng([seed, 7])
    half = count // 2
    columns = []
    for column in rows:
        shuffled = column[rng.integers(len(column), size=count - half)]
        evenly = column[rng.integers(len(column), size=half)]
        if kinds.get(column.name) == "numeric":
            evenly = _over_range(column, half, rng)
        elif kinds.get(column.name) in ("categorical", "boolean"):
            levels = column.unique(maintain_order=True)
            evenly = levels[rng.integers(len(levels), size=half)]
        columns.append(pl.concat([evenly, shuffled]).alias(column.name))
    return pl.DataFrame(columns)


def _over_range(column: pl.Series, count: int, rng: Any) -> pl.Series:
    values = column.cast(pl.Float64)
    low, high = _number(values.min()), _number(values.max())
    drawn = pl.Series(column.name, rng.uniform(low, high, size=count))
    if column.dtype in _EVENLY:
        return drawn.cast(column.dtype)
    return drawn.round(0).cast(column.dtype, strict=False)


def _number(value: Any) -> float:
    return 0.0 if value is None or not np.isfinite(value) else float(value)
