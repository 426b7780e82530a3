"""Logistic regression under the strength that predicts held-back folds best."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.callback import with_callbacks
from sklearn.metrics import check_scoring

from infimum.certificates import Certificate, certify
from infimum.data.doors import Rows
from infimum.data.doors.streamed_rows import streams
from infimum.errors import InvalidParameterError
from infimum.models._folds import RoutedFolds, folds_of
from infimum.models._interruption import raise_if_interrupted
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.classification._logistic_folds import FoldPaths, follow_folds
from infimum.models.linear.classification.logistic_regression import LogisticRegression
from infimum.models.linear.estimator import LinearEstimator, learn
from infimum.models.linear.fit import Recipe
from infimum.models.linear.keep import warn_if_open
from infimum.parameters import check_domain, whole
from infimum.solvers import Record, Solution
from infimum.typing import Matrix, Vector

__all__ = ["LogisticRegressionCV"]


class LogisticRegressionCV(RoutedFolds, LogisticRegression):
    """Logistic regression, its strength chosen by cross-validation on certified paths.

    On every fold the path is followed from strong to weak, each model started from the
    last and solved to a proven gap. Three classes or more are learnt jointly.

    Parameters
    ----------
    Cs : int or array-like, default=10
        Inverse strengths to try, or how many between 1e-4 and 1e4.
    l1_ratios : array-like of float, default=(0.0,)
        Shares of the ℓ₁ penalty to try.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back; None means 5, with all classes in each.
    penalty : {'l1', 'l2', 'elasticnet'}, optional
        Older spelling of `l1_ratios`.
    scoring : str, callable or None, default=None
        How to judge a model on a fold; None means accuracy.
    dual, solver, intercept_scaling, n_jobs, verbose
        As in `LogisticRegression`: any of scikit-learn's names is taken, and the
        fastest method that fits the problem is chosen.
    tol : float, default=1e-4
        As in `LogisticRegression`.
    max_iter : int, default=100
        Most iterations; left at its default, the solver's own limit holds.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class, balanced over all samples.
    refit : bool, default=True
        Whether to fit on all samples under the best average score. Otherwise the best
        models of the folds are averaged, and the certificate tells how far that is
        from an optimum.
    random_state : int or None, default=None
        As in `LogisticRegression`.
    use_legacy_attributes : bool, default=True
        Whether attributes have the shapes of scikit-learn up to 1.9 (one entry per
        class) or those of its later versions. The defaults 'warn', here and above,
        mean what they mean in scikit-learn 1.9 and warn of nothing.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    C_, l1_ratio_ : ndarray of shape (n_classes or 1,), or float
        The setting chosen; repeated for each class in the older shape.
    Cs_, l1_ratios_ : ndarray
        The settings tried.
    scores_ : dict of ndarray of shape (n_folds, n_cs[, n_l1_ratios]), or ndarray of \
shape (n_folds, n_l1_ratios, n_cs)
        The score of each model on the fold it has not seen.
    coefs_paths_ : dict of ndarray of shape (n_folds, n_cs[, n_l1_ratios], n_dof), or \
ndarray of shape (n_folds, n_l1_ratios, n_cs, n_classes or 1, n_dof)
        All coefficients, with the intercept last if there is one.
    n_iter_ : ndarray
        Iterations of each model.
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    certificate_ : Certificate
        The proof of the final fit.
    path_gap_ : float
        The largest relative gap of all the models that were compared.
    history_ : tuple of Record

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 3))
    >>> y = X[:, 0] + 0.5 * rng.standard_normal(80) > 0
    >>> model = LogisticRegressionCV(Cs=5, use_legacy_attributes=False).fit(X, y)
    >>> model.scores_.shape, model.certificate_.closed
    ((5, 1, 5), True)
    """

    def __init__(
        self,
        *,
        Cs: Any = 10,
        l1_ratios: Any = "warn",
        fit_intercept: bool = True,
        cv: Any = None,
        dual: bool = False,
        penalty: str | None = "deprecated",
        scoring: Any = "warn",
        solver: str = "lbfgs",
        tol: float = 1e-4,
        max_iter: int = 100,
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        refit: bool = True,
        intercept_scaling: float = 1.0,
        random_state: Any = None,
        use_legacy_attributes: Any = "warn",
    ) -> None:
        self.Cs = Cs
        self.l1_ratios = l1_ratios
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
        self.penalty = penalty
        self.scoring = scoring
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.refit = refit
        self.intercept_scaling = intercept_scaling
        self.random_state = random_state
        self.use_legacy_attributes = use_legacy_attributes

    @streams("infimum.data.doors.streamed_rows:refuse_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the strength by folds and learn the coefficients; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        **params
            What `cv` is told of the samples, such as groups, with metadata routing on.
        """
        split = self._split_settings(params)
        learn(self, X, y, sample_weight, choose=partial(self._choose, split=split))
        self.n_iter_ = self._iterations
        raise_if_interrupted(self)
        if self.refit:
            warn_if_open(self, stacklevel=3)
        return self

    def certify(  # type: ignore[override]
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        tolerance: float | None = None,
        rigorous: bool = False,
    ) -> Certificate:
        """Recompute the proof of the final fit from the coefficients and the data."""
        return LinearEstimator.certify(
            self, X, y, sample_weight, tolerance=tolerance, rigorous=rigorous
        )

    def score(
        self, X: Any, y: Any, sample_weight: Any = None, **score_params: Any
    ) -> float:
        """Return the score under `scoring`; accuracy when that is None.

        What else is to be known goes to the scorer, where scikit-learn routes metadata.
        """
        scoring = self._scoring()
        if score_params and not get_config()["enable_metadata_routing"]:
            raise InvalidParameterError(
                f"LogisticRegressionCV.score takes no {next(iter(score_params))!r} "
                "unless metadata routing is enabled in scikit-learn."
            )
        if scoring is None:
            return float(super().score(X, y, sample_weight))
        options = {} if sample_weight is None else {"sample_weight": sample_weight}
        options.update(score_params)
        return float(check_scoring(self, scoring=scoring)(self, X, y, **options))

    def _scoring(self) -> Any:
        unset = isinstance(self.scoring, str) and self.scoring == "warn"
        return None if unset else self.scoring

    def _choose(self, rows: Rows, split: dict[str, Any]) -> None:
        """Follow all paths; set the best setting, and what users ask about them."""
        self.Cs_, self.l1_ratios_ = self._checked_cs(), self._checked_ratios()
        labels = rows.classes[rows.y]
        how: dict[str, Any] = {"classifier": True, "weights": rows.weights}
        folds = folds_of(self, rows.X, labels, split=split, **how)
        grid = self.Cs_, self.l1_ratios_
        template = self._template(1.0, 0.0)
        paths = follow_folds(template, rows, folds, grid, self._scoring())
        self.path_gap_ = paths.gap
        if self.refit:
            totals = paths.scores.sum(axis=0).T
            best = np.unravel_index(np.argmax(totals), totals.shape)
            self._chosen = float(self.Cs_[best[0]]), float(self.l1_ratios_[best[1]])
            self._average = None
        else:
            self._chosen, self._average = self._averaged(paths)
        self._describe(paths)

    def _averaged(self, paths: FoldPaths) -> tuple[tuple[float, float], Vector]:
        """Return the mean setting and coefficients of the folds' best models."""
        best = []
        for fold, scores in enumerate(paths.scores):
            c, ratio = np.unravel_index(np.argmax(scores.T), scores.T.shape)
            best.append(
                (self.Cs_[c], self.l1_ratios_[ratio], paths.coefs[fold, ratio, c])
            )
        settings = [float(np.mean([part[k] for part in best])) for k in (0, 1)]
        return (settings[0], settings[1]), np.mean([part[2] for part in best], axis=0)

    def _describe(self, paths: FoldPaths) -> None:
        """Set the attributes that tell what was tried, in the shapes asked for."""
        self.C_: Any = self._chosen[0]
        self.l1_ratio_: Any = self._chosen[1]
        self._iterations: Any = paths.iterations
        self.scores_: Any = paths.scores
        self.coefs_paths_: Any = paths.coefs
        if self.use_legacy_attributes not in {"warn", True}:
            return
        labels = self.classes_[1:] if len(self.classes_) == 2 else self.classes_  # noqa: PLR2004
        self.C_ = np.full(len(labels), self.C_)
        self.l1_ratio_ = np.full(len(labels), self.l1_ratio_)
        alone = self.l1_ratios is None or isinstance(self.l1_ratios, str)
        keep: Any = 0 if alone else slice(None)
        scores = paths.scores.swapaxes(1, 2)[:, :, keep]
        self._iterations = paths.iterations.swapaxes(1, 2)[None, :, :, keep]
        coefs = np.moveaxis(paths.coefs, (3, 2), (0, 2))[:, :, :, keep]
        names = labels.tolist()
        self.scores_ = dict.fromkeys(names, scores)
        self.coefs_paths_ = dict(zip(names, coefs, strict=True))

    def _template(self, C: float, ratio: float) -> LogisticRegression:
        return LogisticRegression(
            self.penalty,
            C=C,
            l1_ratio=ratio,
            tol=self.tol,
            fit_intercept=self.fit_intercept,
            random_state=self.random_state,
            solver=self.solver,
            max_iter=self.max_iter,
        )

    def _recipe(self, rows: Rows) -> Recipe:
        recipe = self._template(*self._chosen)._recipe(rows)
        if self._average is None:
            return recipe
        return replace(recipe, solve=partial(_averaged_solution, recipe, self._average))

    def _checked_cs(self) -> Vector:
        if np.ndim(self.Cs) == 0:
            check_domain("LogisticRegressionCV.Cs", self.Cs, whole(1))
            return np.logspace(-4, 4, int(self.Cs))
        given = np.asarray(self.Cs, dtype=np.float64).ravel()
        if len(given) and (given > 0).all():
            return given
        raise InvalidParameterError(
            f"LogisticRegressionCV.Cs must be numbers in (0, inf], got {self.Cs!r}."
        )

    def _checked_ratios(self) -> NDArray[np.float64]:
        if self.l1_ratios is None or isinstance(self.l1_ratios, str):
            return np.array([1.0 if self.penalty == "l1" else 0.0])
        given = np.asarray(self.l1_ratios, dtype=np.float64).ravel()
        if len(given) and (given >= 0).all() and (given <= 1).all():
            return given
        raise InvalidParameterError(
            "LogisticRegressionCV.l1_ratios must be numbers in [0, 1], got "
            f"{self.l1_ratios!r}."
        )


def _averaged_solution(
    recipe: Recipe, average: Matrix, problem: LinearProblem, *_: Any
) -> list[Solution]:
    """Return the coefficients that the folds have on average, with their proof."""
    d, [risk] = problem.design.shape[1], recipe.risks(problem)
    last: Vector = average[:, d:].sum(axis=1)  # nothing without an intercept
    [point] = recipe.points(problem, (average[:, :d], last))
    here = risk.evaluate(point)
    proof = replace(certify(risk, here), reason="averaged over folds")
    record = Record(0, 0.0, proof.primal, proof.dual)
    return [Solution(here, proof, (record,), here.slopes)]
