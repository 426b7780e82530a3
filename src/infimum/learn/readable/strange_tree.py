"""A small tree that tells rows from imitations of them: a detector one can read."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from infimum.models.trees import DecisionTreeClassifier
from infimum.typing import Matrix, Vector

__all__ = ["StrangeTree", "imitated"]

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
