"""Structured support vector machines: the right labelling wins by a margin."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from infimum.certificates import Certificate, certify_by_planes
from infimum.data.doors import check_fitted
from infimum.errors import InvalidParameterError
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.structured._labeller import StructureLabeller
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import Labellings, Mix, StructuredRisk
from infimum.parameters import Choice, Domain, check_parameters, positive, whole
from infimum.penalties import Ridge
from infimum.solvers import BlockFrankWolfe, Bundle, Solution
from infimum.solvers.progress import LIMIT
from infimum.solvers.relay import joined

__all__ = ["StructuredSVM"]

#: Passes of dual steps after which planes go on: few samples, or hardly a penalty.
ROUNDS = 300


class StructuredSVM(StructureLabeller):
    r"""The largest margin between the right labelling and all others.

    .. math:: \min_w \tfrac12 \|w\|^2 + C \sum_i \max_{y'}
              \bigl(s_w(x_i, y') - s_w(x_i, y_i) + \Delta(y_i, y')\bigr)

    Δ counts wrong labels (for an ontology, half of what two paths differ by). The
    certificate keeps the labellings of its active planes, so that `certify` rebuilds
    every plane from the data.

    Parameters
    ----------
    structure : str or Structure, default="chain"
        "chain", "tree", "graph", "grid", "assignment", "multilabel", or a structure of
        this package: an `Ontology` needs its edges.
    rescaling : {"margin", "slack"}, default="margin"
        Whether the cost widens the margin, or multiplies what is missing of it.
    C : float, default=1.0
    solver : {"auto", "bundle", "frank_wolfe"}, default="auto"
        Planes of the whole mean loss, or dual steps on one sample at a time. "auto"
        begins with these for chains with rescaled margins, where many compiled steps
        cost as much as one plane, and goes on with planes where 300 passes do not do.
    max_iter : int, default=1000
    tol : float, default=1e-3
        The proved gap, as a share of the loss without weights.
    random_state : int, default=0
        Of the order in which "frank_wolfe" visits samples.

    Attributes
    ----------
    coef_ : ndarray
        Weights of features by label, by row, then of pairs of labels.
    classes_ : list
    planes_ : tuple
        Samples, shares and labellings of the proof.
    certificate_ : Certificate
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = [np.array([[0.0], [1.0], [2.0]]), np.array([[2.0], [0.0]])]
    >>> model = StructuredSVM(C=10.0).fit(X, [["a", "a", "b"], ["b", "a"]])
    >>> model.predict([np.array([[0.5], [1.9]])])
    [['a', 'b']]
    >>> model.certify(X, [["a", "a", "b"], ["b", "a"]]).closed
    True

    References
    ----------
    Tsochantaridis, Joachims, Hofmann & Altun (2005), JMLR 6.
    """

    _domains: ClassVar[dict[str, Domain]] = {
        "rescaling": Choice(("margin", "slack")),
        "C": positive,
        "solver": Choice(("auto", "bundle", "frank_wolfe")),
        "max_iter": whole(1),
        "tol": positive,
        "random_state": whole(0),
    }

    def __init__(
        self,
        structure: Any = "chain",
        *,
        rescaling: str = "margin",
        C: float = 1.0,
        solver: str = "auto",
        max_iter: int = 1000,
        tol: float = 1e-3,
        random_state: int = 0,
    ) -> None:
        self.structure = structure
        self.rescaling = rescaling
        self.C = C
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the weights.

        Parameters
        ----------
        X, y : lists
            As the structure describes them.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        classes: list[Any] = []
        risk = self._risk(X, y, classes, sample_weight)
        found = self._solved(risk)
        self.coef_, self.classes_ = found.point[:-1], classes
        mix: Any = found.slopes
        self.planes_ = tuple(risk.merged(mix))
        self.certificate_, self.history_ = found.certificate, found.history
        self.n_iter_ = found.iterations
        if not found.certified:
            warnings.warn(
                f"StructuredSVM: {found.certificate}; raise max_iter or tol.",
                UncertifiedWarning,
                stacklevel=3,
            )
        return self

    def certify(
        self, X: Any, y: Any, sample_weight: Any = None, *, rigorous: bool = False
    ) -> Certificate:
        """Compute the proof of this model again, every plane from the data.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        check_fitted(self, "coef_")
        risk = self._risk(X, y, list(self.classes_), sample_weight)
        kept: Any = self.planes_
        mix = Mix(np.ones(1), (Labellings(*kept),))
        proof = certify_by_planes(risk, np.append(self.coef_, 0.0), mix, self.tol)
        return not_audited(self, proof) if rigorous else proof

    def _solved(self, risk: Any) -> Solution:
        limits: Any = {"tolerance": self.tol, "max_iterations": self.max_iter}
        steps, left = BlockFrankWolfe(**limits, seed=self.random_state), self.max_iter
        if self.solver == "frank_wolfe":
            return steps.solve(risk)
        if self.solver == "bundle" or risk.dual_steps() is None:
            return Bundle(**limits).solve(risk)
        found = replace(steps, max_iterations=min(left, ROUNDS)).solve(risk)
        left -= found.iterations
        if found.reason != LIMIT or left < 1:
            return found
        planes = replace(Bundle(**limits), max_iterations=left)
        return joined(found, planes.solve(risk, found.point))

    def _risk(
        self, X: Any, y: Any, classes: list[Any], sample_weight: Any
    ) -> StructuredRisk:
        problem = self._problem(X, y, classes)
        weights = self._weights(sample_weight, problem)
        if self.rescaling == "slack" and problem.worst_scaled(
            np.zeros(problem.size), np.zeros(1, dtype=np.intp)
        ) is None:  # fmt: skip
            raise InvalidParameterError(
                "StructuredSVM.rescaling must be 'margin' for this structure, got "
                "'slack'."
            )
        strength = 1.0 / (self.C * float(weights.sum()))
        return StructuredRisk(problem, Ridge(strength), weights, self.rescaling)
