"""An ensemble as the sequence of its members: ``len``, ``[0]``, iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["MemberSequence"]


class MemberSequence:
    """What scikit-learn's ensembles offer: to be asked for their fitted members."""

    def __len__(self) -> int:
        """Return the number of members; the rounds of boosting."""
        members: Any = self
        return len(members.estimators_)

    def __getitem__(self, place: Any) -> Any:
        """Return the member at a place."""
        members: Any = self
        return members.estimators_[place]

    def __iter__(self) -> Iterator[Any]:
        """Return the members, one after another."""
        members: Any = self
        return iter(members.estimators_)

    def __bool__(self) -> bool:
        """Return True: an ensemble is one, fitted or not."""
        return True
