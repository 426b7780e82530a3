"""Members of a committee: fitted one after another or on the pool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sklearn import config_context, get_config
from sklearn.utils import Bunch
from sklearn.utils.metaestimators import _BaseComposition

from infimum.compiled.threads import in_parts
from infimum.errors import InvalidParameterError

__all__ = ["Committee", "for_each"]

Result = TypeVar("Result")
SERIAL = {None, 1}


def for_each(
    count: int, work: Callable[[int], Result], n_jobs: int | None
) -> list[Result]:
    """Return ``work(0), work(1), …``, on the pool if more than one job is asked for.

    Otherwise the members come one after another, and each may use the pool itself;
    what they share of it cannot block it. The results are the same either way.
    """
    if n_jobs in SERIAL:
        return [work(i) for i in range(count)]
    settings = get_config()  # which belong to a thread

    def some(part: slice) -> list[Result]:
        with config_context(**settings):
            return [work(i) for i in range(part.start, part.stop)]

    return [one for ones in in_parts(count, some, max(1, count)) for one in ones]


class Committee(_BaseComposition):  # type: ignore[misc]
    """A committee of named estimators of any kind."""

    estimators: Any
    estimators_: list[Any]

    @property
    def named_estimators(self) -> Bunch:
        """The members before they are fitted, by name."""
        return Bunch(**dict(self.estimators))

    @property
    def named_estimators_(self) -> Bunch:
        """The fitted members by name; 'drop' stands for those left out."""
        fitted = iter(self.estimators_)
        return Bunch(
            **{
                name: member if _dropped(member) else next(fitted)
                for name, member in self.estimators
            }
        )

    def set_params(self, **parameters: Any) -> Any:
        """Set parameters, also of members, and members themselves by name."""
        return self._set_params("estimators", **parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002
        """Return the parameters, with those of members as ``name__parameter``."""
        found: dict[str, Any] = self._get_params("estimators", deep=deep)
        return found

    def _seated(self) -> list[tuple[str, Any]]:
        """Return the members that were not dropped; refuse what is no committee."""
        owner, members = type(self).__name__, self.estimators
        pairs = isinstance(members, list | tuple) and len(members) > 0
        if not pairs or not all(_is_pair(each) for each in members):
            raise InvalidParameterError(
                f"{owner}.estimators must be a non-empty list of (string, estimator) "
                f"pairs, got {members!r}."
            )
        self._validate_names([name for name, _ in members])
        seated = [pair for pair in members if not _dropped(pair[1])]
        if not seated:
            raise InvalidParameterError(
                f"{owner}.estimators: all estimators are dropped, at least one is "
                "required."
            )
        return seated


def _is_pair(member: Any) -> bool:
    if not isinstance(member, list | tuple) or len(member) != len(("name", "model")):
        return False
    return isinstance(member[0], str)


def _dropped(member: Any) -> bool:
    return isinstance(member, str) and member == "drop"
