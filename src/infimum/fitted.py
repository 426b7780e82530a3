"""Declarations of fitted attributes, one line each, and the check of a state.

Compiled loops follow the indices of a model without looking. An object that comes from
a file is therefore held against its declaration before anything else sees it. A room
keeps the declarations of its classes in ``_states.py``, a dict ``STATES`` from class
name to `State`; a class of a room of models that is not in it cannot be kept in a file.

How to write one
----------------
``State({"coef_": "float[outputs, features]", "classes_": "label[classes]"})`` lists
every attribute that `fit` sets, and those parameters whose value a method trusts.
``State(..., base=OTHER)`` adds to what `OTHER` lists. ``also=f`` names a function, or
several, that take the fitted object and raise `DataError` for what a line cannot say.
Attributes are read in their order. A name that ends in ``?`` may be absent; of the
others there are all or, before `fit`, none. What nobody declares is refused.

A line is one or several of these, with `` | `` between them:

``float[rows, features]``
    An array of this shape. A word is a size: it means the same number throughout the
    object, and takes its value where it is met first; ``*`` is any size, ``2`` is two,
    ``classes+1`` one more. Kinds: `float`, `int`, `bool`, `finite` (floats without NaN
    and infinity), `nonnegative` (finite floats), `number` (any of them), `text`,
    `label` (numbers, truths or text), `sparse` (a matrix of numbers).
``index[rows] of classes``
    Whole numbers of [0, classes). ``or -1`` behind it admits -1.
``size features``
    A whole number that is this size; at most 2²⁴ if nothing else in the object has it.
``index of features``, ``number``, ``positive``, ``power``, ``small``, ``count``,
``flag``, ``text``, ``none``
    One number of [0, features), one real number, a finite one above 1e-300, one of
    [0, 1024], one below 1e100, a whole number of at least 0, a truth, a string, None.
``'auto'``, ``dtype``
    This string, a data type of NumPy.
``Tree``, ``estimator``
    An object of this class, or of one that inherits it; anything with parameters.
``list of Tree``, ``tuple[trees] of Tree / none``, ``dict of float[*]``
    A list, tuple or dict of such values, each of them one of those between slashes; the
    brackets hold its length.
``plain``, ``any``
    Numbers, strings and containers of them; whatever a file can hold. Only for what no
    method but a display reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from infimum.errors import DataError
from infimum.fitted_lines import Sizes, fits, told

__all__ = ["COMMON", "SHARED", "State", "check_state"]

Check: TypeAlias = Callable[[Any], None]
#: The largest size that a file may claim without showing an array of that size.
_CLAIMED = 2**24


@dataclass(frozen=True)
class State:
    """The attributes of a class, as the text above describes them."""

    lines: Mapping[str, str]
    base: State | None = None
    also: Check | tuple[Check, ...] = ()
    #: Whether there may be others: scikit-learn's releases differ in theirs.
    open: bool = False

    @cached_property
    def all_lines(self) -> dict[str, str]:
        """Name -> line, with those of the base first."""
        inherited = self.base.all_lines if self.base else {}
        own = {name.rstrip("?") for name in self.lines}
        kept = {n: line for n, line in inherited.items() if n.rstrip("?") not in own}
        return {**kept, **self.lines}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The attributes that a fitted object cannot lack."""
        return tuple(name for name in self.all_lines if not name.endswith("?"))

    @cached_property
    def known(self) -> dict[str, str]:
        """Name, without its mark -> line."""
        return {name.rstrip("?"): line for name, line in self.all_lines.items()}

    def functions(self) -> list[Check]:
        """Return the checks that no line can say, those of the base first."""
        inherited = self.base.functions() if self.base else []
        own = self.also if isinstance(self.also, tuple) else (self.also,)
        return [*inherited, *own]


#: What scikit-learn's protocol, and `infimum.learn`, may put into any estimator.
COMMON = State(
    {
        "n_features_in_?": "size features",
        "feature_names_in_?": "text[features]",
        "_n_features_out?": "count",
        "_sklearn_output_config?": "dict of text",
        "label_names_?": "list of text",
    }
)


#: Parameters that mean the same in every estimator, and that predictions trust.
SHARED = {
    "kernel": "none | text | Kernel | estimator",
    "gamma": "none | text | number | float[]",
    "degree": "none | power",
    "coef0": "none | number",
    "kernel_params": "none | dict of plain",
    "alpha": "none | text | number | list of number | tuple of number | number[*] | "
    "number[*, *]",
    "n_clusters": "none | text | number | estimator | list of number | tuple of number",
    "scoring": "none | text | list of text | tuple of text | dict of any",
    "tol": "none | text | small",
    "affinity": "text | Kernel | estimator",
    "cache_size": "positive",
    "metric": "text | Kernel | estimator",
    "metric_params": "none | dict of plain",
    "class_weight": "none | text | dict of number | list of any",
    "p": "none | number",
    "weights": "none | text | list of number | tuple of number | number[*]",
    "n_jobs": "none | whole",
    "random_state": "none | index of 4294967296",
    "estimator": "none | text | estimator",
    "n_neighbors": "none | number",
    "radius": "none | number",
}


def check_state(
    owner: str, state: State, values: Mapping[str, Any], settings: set[str]
) -> None:
    """Raise DataError unless `values` are what `state` declares.

    Parameters
    ----------
    owner : str
        The name of the class, for messages.
    state : State
    values : dict
        Attribute -> value.
    settings : set of str
        The parameters of the constructor, which need no declaration.
    """
    shared = {name: SHARED[name] for name in settings & SHARED.keys()}
    lines = {**COMMON.known, **({} if state.open else shared), **state.known}
    for name in values:
        if name not in lines and name not in settings and not state.open:
            raise DataError(f"{owner} has no attribute {name[:80]!r}.")
    fitted = {"n_features_in_", *state.known} - settings
    if not fitted.isdisjoint(values):
        for name in state.required:
            if name not in values:
                raise DataError(f"{owner} lacks its {name}.")
    sizes = Sizes()
    for name, line in lines.items():
        if name in values and not fits(values[name], line, sizes):
            raise DataError(f"{owner}.{name} must be {line}{told(line, sizes)}.")
    _check_claims(owner, sizes)


def _check_claims(owner: str, sizes: Sizes) -> None:
    """Raise DataError for no classes, and for a large size that nothing shows."""
    for name in ("classes", "proofs", "centres"):
        if sizes.get(name) == 0:
            raise DataError(f"{owner} cannot have 0 {name}.")
    for name, size in sizes.items():
        if size > _CLAIMED and name not in sizes.shown:
            raise DataError(f"{owner} cannot have {size} {name}.")
