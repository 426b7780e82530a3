"""The class of ``sklearn_crfsuite``: arrays of lists out, None before a fit."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np

from infimum.models import sequence
from infimum.persistence import load, save

__all__ = ["CRF", "Tagger"]


class CRF(sequence.CRF):
    """A conditional random field as sklearn-crfsuite's users know it.

    `model_filename` names the file that a fit writes and that a model without a fit
    reads: a model file of ours, not one of CRFsuite.
    """

    def fit(
        self, X: Any, y: Any, X_dev: Any = None, y_dev: Any = None,
        sample_weight: Any = None,
    ) -> Self:  # fmt: skip
        """Find the weights, and write them to `model_filename` if there is one."""
        super().fit(X, y, X_dev, y_dev, sample_weight)
        if self.model_filename is not None:
            save(self._plain(), self.model_filename)
        return self

    def predict(self, X: Any) -> Any:
        """Return an array of the labels of each sequence."""
        self._fetch()
        return np.array(super().predict(X), dtype=object)

    def predict_single(self, xseq: Any) -> list[Any]:
        """Return the best labelling of one sequence."""
        return list(self.predict([xseq])[0])

    def predict_marginals(self, X: Any) -> Any:
        """Return an array of the probabilities of labels in each sequence."""
        self._fetch()
        return np.array(super().predict_marginals(X), dtype=object)

    def predict_marginals_single(self, xseq: Any) -> list[dict[Any, float]]:
        """Return the probability of each label of each token of one sequence."""
        return list(self.predict_marginals([xseq])[0])

    def __getattr__(self, name: str) -> Any:
        """Return None for what a fit will set."""
        if name in {"classes_", "attributes_"}:
            return None
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    @property
    def state_features_(self) -> Any:
        """(attribute, label) -> weight; None before a fit."""
        return super().state_features_ if self._known else None

    @property
    def transition_features_(self) -> Any:
        """(label, next label) -> weight; None before a fit."""
        return super().transition_features_ if self._known else None

    @property
    def num_attributes_(self) -> int | None:
        """How many attributes there are; None before a fit."""
        return len(self.attributes_) if self._known else None

    @property
    def tagger_(self) -> Tagger | None:
        """What labels single sequences; None before a fit."""
        self._fetch()
        return Tagger(self) if self._known else None

    @property
    def size_(self) -> int | None:
        """The size of the model file in bytes; None before a fit."""
        if not self._known:
            return None
        with TemporaryDirectory() as folder:
            place = Path(folder, "model")
            save(self._plain(), place)
            return place.stat().st_size

    @property
    def _known(self) -> bool:
        return "coef_" in vars(self)

    def _fetch(self) -> None:
        """Read the model file, if there is one and no fit."""
        named = self.model_filename
        if not self._known and named is not None and Path(named).is_file():
            found: Any = load(named)
            self.__dict__.update(
                {name: value for name, value in vars(found).items() if name[-1] == "_"},
                _states=found._states, _moves=found._moves,
            )  # fmt: skip

    def _plain(self) -> sequence.CRF:
        """Return the same model as one of ours, which model files know."""
        model = sequence.CRF()
        model.__dict__.update(vars(self), model_filename=None, trainer_cls=None)
        return model


class Tagger:
    """What python-crfsuite calls a tagger: labels, tags and chances of a sequence."""

    def __init__(self, model: CRF) -> None:
        self.model = model
        self._chances: list[dict[Any, float]] = []
        self._tags: list[Any] = []

    def labels(self) -> list[Any]:
        """Return all labels."""
        return list(self.model.classes_)

    def set(self, xseq: Iterable[Any]) -> None:
        """Take the sequence that `tag` and `marginal` are asked about."""
        tokens = list(xseq)
        self._tags = self.model.predict_single(tokens)
        self._chances = self.model.predict_marginals_single(tokens)

    def tag(self, xseq: Iterable[Any] | None = None) -> list[Any]:
        """Return the best labels."""
        return self._tags if xseq is None else self.model.predict_single(list(xseq))

    def marginal(self, label: Any, position: int) -> float:
        """Return the chance of a label at a position."""
        return self._chances[position][label]
