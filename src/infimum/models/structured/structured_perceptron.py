"""Structured perceptron: add what is right, subtract what was said, and average."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state

from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.structured._labeller import StructureLabeller
from infimum.parameters import Domain, check_parameters, whole

__all__ = ["StructuredPerceptron"]


class StructuredPerceptron(StructureLabeller):
    """Weights that change by the difference of two labellings' features.

    They are averaged over all steps. It proves nothing, and needs neither costs nor a
    strength.

    Parameters
    ----------
    structure : str or Structure, default="chain"
        As in `StructuredSVM`.
    max_iter : int, default=10
        Passes over the samples; fewer when no labelling is wrong any more.
    average : bool, default=True
    shuffle : bool, default=True
    random_state : int, RandomState or None, default=0

    Attributes
    ----------
    coef_ : ndarray
    classes_ : list
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = [np.array([[0.0, 1.0], [2.0, 1.0]]), np.array([[2.0, 1.0], [0.0, 1.0]])]
    >>> model = StructuredPerceptron().fit(X, [["a", "b"], ["b", "a"]])
    >>> model.predict([np.array([[0.1, 1.0], [1.9, 1.0]])])
    [['a', 'b']]

    References
    ----------
    Collins (2002), EMNLP.
    """

    _domains: ClassVar[dict[str, Domain]] = {"max_iter": whole(1)}

    def __init__(
        self,
        structure: Any = "chain",
        *,
        max_iter: int = 10,
        average: bool = True,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.structure = structure
        self.max_iter = max_iter
        self.average = average
        self.shuffle = shuffle
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Go over the samples until nothing is wrong, or for `max_iter` passes."""
        check_parameters(self)
        rng = check_random_state(self.random_state)
        classes: list[Any] = []
        problem = self._problem(X, y, classes)
        w, total, steps = np.zeros(problem.size), np.zeros(problem.size), 0
        one = np.ones(1)
        for passed in in_time(range(1, self.max_iter + 1)):
            mistakes = 0
            order = np.arange(problem.count)
            for place in rng.permutation(order) if self.shuffle else order:
                which = np.array([place])
                said = problem.best(w, which)
                if problem.cost(said, which)[0] > 0.0:
                    mistakes += 1
                    right = [problem.right[place]]
                    w = w + problem.features(right, one, which)
                    w = w - problem.features(said, one, which)
                total += w
                steps += 1
            self.n_iter_ = passed
            if not mistakes:
                break
        self.coef_, self.classes_ = total / steps if self.average else w, classes
        return self
