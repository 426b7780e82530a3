"""The state of an object: which attributes a model file keeps and how they return.

An object is made by ``object.__new__`` and its attributes are put in place: no
constructor, no ``__setstate__``, no setter. Then it is held against what its class
declares (`infimum.fitted`), against the types of its fields and parameters, and a
record also against its own ``__post_init__``; only then does anything else see it.
"""

import inspect
from dataclasses import MISSING, fields
from functools import cache, cached_property
from typing import Any

from infimum.errors import InfimumError
from infimum.fitted import State, check_state
from infimum.parameters import check_domains, check_parameters
from infimum.persistence.allow_list import declared, is_foreign, shape_of
from infimum.persistence.malformed import Malformed, quote
from infimum.persistence.types import check_types, field_types, parameter_types

__all__ = ["check", "forbidden", "rebuild", "state_of"]

#: Attributes that only hold inside one process: an address remembered as a cache key.
FLEETING = {
    "sklearn.feature_extraction.text.CountVectorizer": {"_stop_words_id"},
    "sklearn.feature_extraction.text.TfidfVectorizer": {"_stop_words_id"},
}
#: Letters of a reason: it may quote a whole array.
LONGEST = 250
#: Attributes that decide which code runs: a function, a folder of pickled results.
ALWAYS_NONE = {
    "sklearn.preprocessing.FunctionTransformer": ("func", "inverse_func"),
    "sklearn.pipeline.Pipeline": ("memory",),
    "sklearn.feature_extraction.text.CountVectorizer": ("preprocessor", "tokenizer"),
    "sklearn.feature_extraction.text.TfidfVectorizer": ("preprocessor", "tokenizer"),
}


def state_of(value: Any, name: str) -> dict[str, Any]:
    """Return the attributes of `value` that make it what it is."""
    match shape_of(type(value)):
        case "record":
            return {field.name: getattr(value, field.name) for field in fields(value)}
        case "row":
            return dict(zip(value._fields, value, strict=True))
    omitted = FLEETING.get(name, set()) | _defaults_that_are_code(value)
    return {key: item for key, item in vars(value).items() if key not in omitted}


def _defaults_that_are_code(value: Any) -> set[str]:
    """Return the parameters left at a default that is a function.

    The file need not carry it: the class itself brings it back.
    """
    cls: Any = type(value)
    return {
        key
        for key, default in _parameters(cls).items()
        if inspect.isroutine(default) and vars(value).get(key) is default
    }


def forbidden(name: str, state: dict[str, Any]) -> str | None:
    """Return the first attribute that must be None and is not, or None."""
    owned = ALWAYS_NONE.get(name, ())
    return next((key for key in owned if state.get(key) is not None), None)


def rebuild(cls: type[Any], name: str, state: dict[str, Any]) -> Any:
    """Make an object of `cls` whose attributes are `state`, and check it."""
    if key := forbidden(name, state):
        raise Malformed(f"{name}.{key} must be None in a model file")
    value = _assembled(cls, name, state)
    try:
        check(value, name)
    except Malformed:
        raise
    except InfimumError as error:
        raise Malformed(" ".join(str(error).split())[:LONGEST].rstrip(".")) from None
    return value


def check(value: Any, name: str) -> None:
    """Raise InfimumError unless an object is what its class says it must be."""
    cls: Any = type(value)
    kind, attributes = shape_of(cls), state_of(value, name)
    if kind == "record":
        check_domains(value)
    if kind != "object":
        check_types(name, attributes, field_types(cls))
    elif not is_foreign(name):
        check_types(name, attributes, parameter_types(cls))
    declaration = declared(name)
    if declaration is not None:
        check_state(cls.__name__, declaration, attributes, set(_parameters(cls)))
    if hasattr(value, "__post_init__"):
        value.__post_init__()
    if declaration is not None and _is_complete(declaration, attributes):
        _check_fitted(value, name, declaration)


def _check_fitted(value: Any, name: str, declaration: State) -> None:
    """Check what predictions trust: parameters, and what no line can say."""
    if shape_of(type(value)) == "object" and not is_foreign(name):
        check_parameters(value)
    for also in declaration.functions():
        also(value)


def _is_complete(declaration: State, attributes: dict[str, Any]) -> bool:
    """Tell whether an object is fitted: has all that it cannot lack."""
    return all(name in attributes for name in declaration.required)


def _assembled(cls: Any, name: str, state: dict[str, Any]) -> Any:
    """Make an object and put its attributes in place."""
    match shape_of(cls):
        case "record":
            return _record(cls, name, state)
        case "row":
            return _row(cls, name, state)
    for key in state:
        if not _is_attribute(cls, key):
            raise Malformed(f"{name} cannot have an attribute {quote(key)}")
    value = object.__new__(cls)
    vars(value).update(_complete(name, state, _parameters(cls)))
    return value


def _record(cls: type[Any], name: str, state: dict[str, Any]) -> Any:
    """Make a dataclass instance."""
    known = {field.name: _default(field) for field in fields(cls)}
    value = object.__new__(cls)
    for key, item in _complete(name, _known(name, state, known), known).items():
        object.__setattr__(value, key, item)
    return value


def _row(cls: type[Any], name: str, state: dict[str, Any]) -> Any:
    """Make a named tuple."""
    absent = dict.fromkeys(cls._fields, MISSING)
    known = {**absent, **cls._field_defaults}
    complete = _complete(name, _known(name, state, known), known)
    return tuple.__new__(cls, [complete[key] for key in cls._fields])


def _known(name: str, state: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Return `state` if all its names are `known`."""
    for key in state:
        if key not in known:
            raise Malformed(f"{name} has no field {quote(key)}")
    return state


def _complete(
    name: str, state: dict[str, Any], defaults: dict[str, Any]
) -> dict[str, Any]:
    """Give what the class has gained since the file was written its default."""
    gained = {key: item for key, item in defaults.items() if key not in state}
    for key, item in gained.items():
        if item is MISSING:
            raise Malformed(f"{name} lacks its {quote(key)}")
    return {**state, **gained}


def _default(field: Any) -> Any:
    """Return the plain default of a dataclass field; factories are not called."""
    return field.default


@cache
def _parameters(cls: Any) -> dict[str, Any]:
    """Return the constructor's parameters and their defaults."""
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    return {
        p.name: MISSING if p.default is p.empty else p.default
        for p in parameters
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    }


def _is_attribute(cls: Any, key: str) -> bool:
    """Tell whether `key` can be data of `cls`: no dunder, and no method of that name.

    An attribute of the instance would be found before the method and replace it.
    """
    if not key.isidentifier() or key.startswith("__"):
        return False
    if key not in _names(cls):
        return True
    found = inspect.getattr_static(cls, key, None)
    if isinstance(found, property | cached_property):
        return True
    return not callable(found) and not hasattr(type(found), "__get__")


@cache
def _names(cls: Any) -> frozenset[str]:
    """Return the names that a class and its own class have."""
    return frozenset({*dir(cls), *dir(type(cls))})
