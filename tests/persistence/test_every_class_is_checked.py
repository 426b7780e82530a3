"""No class can be read from a file unless it says what its attributes must be."""

import ast
import importlib
import inspect
import pkgutil
import textwrap
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import pytest
from sklearn.base import BaseEstimator

from infimum import models
from infimum.errors import DataError
from infimum.fitted import COMMON, State, check_state
from infimum.fitted_lines import parse
from infimum.models.linear import Ridge
from infimum.persistence import allow_list
from infimum.persistence.allow_list import declared, find_class, name_of
from infimum.persistence.types import parameter_types

ADMITTED = [
    f"{room}.{short}"
    for room in allow_list.ROOMS
    for short in allow_list._classes_of(room)
]
FOREIGN = [
    f"{room}.{short}"
    for room, names in allow_list.SCIKIT_LEARN.items()
    for short in names
]
MODELS = [
    name for name in ADMITTED if name.rpartition(".")[0] in allow_list.MODEL_ROOMS
]
PARTS = [name for name in ADMITTED if name not in MODELS]
#: Attributes that do not outlive a fit.
PASSING = {"_begun", "_skl_callbacks"}
#: Attributes that a parent's method assigns, and the class has another method for.
NOT_REACHED = {
    "IncrementalPCA": {"residuals_"},
    "KernelLogisticRegression": {"coef_"},
    "KernelQuantileRegressor": {"coef_"},
    "KernelRegressor": {"coef_"},
    "MulticlassSVC": {"coef_"},
    "RampSVC": {"certificate_", "certificates_"},
    "SGDOneClassSVM": {"intercept_", "mistakes_"},
}
#: Fields of parts that may be anything, and the class that looks at them itself.
LOOKED_AT = {
    "Centered", "Composed", "Conditioned", "Deformed", "Diffusion", "DecisionProblem",
    "FromDistance", "FromFunction", "Graph", "Precomputed", "RegularizedLaplacian",
    "VertexPaths",
}  # fmt: skip


def test_every_estimator_of_every_family_is_admitted():
    for family in pkgutil.iter_modules(models.__path__):
        if not family.ispkg:
            continue
        room = importlib.import_module(f"infimum.models.{family.name}")
        for cls in (getattr(room, name) for name in room.__all__):
            if isinstance(cls, type) and issubclass(cls, BaseEstimator):
                assert name_of(cls) is not None, (
                    f"{cls} is not in its room's _states.py"
                )


@pytest.mark.parametrize("name", [*MODELS, *FOREIGN])
def test_every_admitted_model_declares_its_attributes(name):
    state = declared(name)
    assert isinstance(state, State)
    for line in state.all_lines.values():
        for part in line.split(" | "):
            parse(part)
    shape = allow_list.shape_of(find_class(name))
    if shape == "record":
        assert state.known.keys() == {field.name for field in fields(find_class(name))}


@pytest.mark.parametrize("name", MODELS)
def test_every_attribute_that_a_method_assigns_is_declared(name):
    cls = find_class(name)
    if allow_list.shape_of(cls) != "object":
        return
    known = {*declared(name).known, *COMMON.known, *parameter_types(cls), *PASSING}
    known |= NOT_REACHED.get(cls.__name__, set())
    for base in (base for base in cls.__mro__ if base.__module__.startswith("infimum")):
        tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        methods = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for method in (node for node in methods if node.name != "__init__"):
            assert assigned(method) <= known, (base, method.name)


def assigned(method):
    """Return the attributes of self that a method assigns."""
    return {
        node.attr
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if isinstance(node.value, ast.Name) and node.value.id == "self"
    }


@pytest.mark.parametrize("name", PARTS)
def test_every_admitted_part_is_checked_by_types_and_by_itself(name):
    cls = find_class(name)
    hints = get_type_hints(cls)
    names = [f.name for f in fields(cls)] if is_dataclass(cls) else cls._fields
    for field in names:
        assert hints[field] is not Any or cls.__name__ in LOOKED_AT, field
    assert (
        hasattr(cls, "__post_init__")
        or allow_list.shape_of(cls) == "row"
        or not [field for field in fields(cls) if "domain" in field.metadata]
    )


@pytest.mark.parametrize("name", MODELS)
def test_the_types_of_all_parameters_can_be_read(name):
    if allow_list.shape_of(find_class(name)) == "object":
        assert parameter_types(find_class(name)) is not None


@pytest.mark.parametrize(
    "name",
    [
        "infimum.models.trees.ForestArrays",
        "infimum.models.trees.ShapleyValues",
        "infimum.models.graph.Cut",
        "infimum.solvers.Solution",
        "infimum.solvers.DualSolution",
        "infimum.kernels.KernelExpansion",
        "infimum.models.clustering.Dendrogram",
        "infimum.models.linear.RegularizationPath",
    ],
)
def test_what_no_fitted_model_holds_is_not_admitted(name):
    assert find_class(name) is None


def test_a_class_without_a_declaration_is_not_admitted(monkeypatch):
    allow_list._classes_of.cache_clear()
    without = dict(allow_list._states_of("infimum.models.linear"))
    del without["Ridge"]
    monkeypatch.setattr(allow_list, "_states_of", lambda _: without)
    assert find_class("infimum.models.linear.Ridge") is None
    assert name_of(Ridge) is None
    allow_list._classes_of.cache_clear()


@pytest.mark.parametrize(
    "line, good, bad",
    [
        ("count", 3, -1),
        ("number", 2.5, True),
        ("positive", 1e-9, 0.0),
        ("flag", False, 0),
        ("text", "a", b"a"),
        ("'auto' | count", "auto", "other"),
        ("list[3] of count", [1, 2, 3], [1, 2]),
        ("tuple of none / text", (None, "a"), (None, 1)),
        ("dict of plain", {"a": [1]}, {"a": Ridge()}),
        ("estimator", Ridge(), "Ridge"),
        ("Ridge", Ridge(), 1),
        ("size rows", 5, 2**40),
    ],
)
def test_a_line_admits_what_it_says_and_nothing_else(line, good, bad):
    state = State({"a_": line})
    check_state("Thing", state, {"a_": good}, set())
    with pytest.raises(DataError, match="Thing"):
        check_state("Thing", state, {"a_": bad}, set())
