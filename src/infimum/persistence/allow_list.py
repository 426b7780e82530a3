"""The classes a model file may name, and nothing else.

A name in a file is only ever looked up here; no module named by a file is imported.
Infimum's own classes are found through the ``__all__`` of the rooms below, those of
scikit-learn are listed one by one. Admission asks three things of a class: that its
state is plain data, that no attribute of it decides which code runs, and that it
declares what its attributes must be (`infimum.fitted`), so that no compiled code meets
an index that leads out of an array. What no fitted model holds, such as the result of
an analysis, is not admitted.
"""

import inspect
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from infimum.fitted import State
from infimum.moved import current_name
from infimum.persistence.scikit_learn_states import STATES

__all__ = ["declared", "find_class", "is_foreign", "name_of", "shape_of"]

#: Rooms of models: admitted is what their ``_states.STATES`` declare.
MODEL_ROOMS = (
    "infimum.models.clustering",
    "infimum.models.density",
    "infimum.models.embedding",
    "infimum.models.ensembles",
    "infimum.models.kernel",
    "infimum.models.linear",
    "infimum.models.multiclass",
    "infimum.models.neighbors",
    "infimum.models.neural",
    "infimum.models.novelty",
    "infimum.models.online",
    "infimum.models.probabilistic",
    "infimum.models.ranking",
    "infimum.models.recommend",
    "infimum.models.semi_supervised",
    "infimum.models.sensing",
    "infimum.models.calibration",
    "infimum.models.covariance",
    "infimum.models.factors",
    "infimum.models.sequence",
    "infimum.models.structured",
    "infimum.models.trees",
    "infimum.evaluation.conformal",
    "infimum.features",
    "infimum.study.estimation",
    "infimum.study.features",
)
#: Rooms of parts: admitted is what inherits one of these classes. A part is checked by
#: the types of its fields, their domains and its own ``__post_init__``.
PART_ROOMS = {
    "infimum.distributions": ("Distribution", "DecisionProblem"),
    "infimum.kernels": ("Kernel", "Graph"),
    "infimum.kernels.windows": ("Window",),
    "infimum.losses": ("Loss", "VectorLoss", "PreferenceGraph", "SampleLoss"),
    "infimum.models.neural.activations": ("Activation",),
    "infimum.models.neural.convolutions": ("Layer",),
    "infimum.models.neural.evidence": ("Evidence",),
    "infimum.models.neural.layers": ("Layer",),
    "infimum.models.structured.structures": ("Structure",),
    "infimum.penalties": ("Penalty",),
    "infimum.solvers": (*("Solver", "WorkingSetDescent", "Record"),),
    "infimum.study.solvers": ("Solver", "SequentialMinimalOptimization", "Plateau"),
    "infimum.certificates": ("Certificate",),
}
ROOMS = (*MODEL_ROOMS, *PART_ROOMS)

SCIKIT_LEARN = {
    "sklearn.pipeline": ("FeatureUnion", "Pipeline"),
    "sklearn.compose": ("ColumnTransformer", "make_column_selector"),
    "sklearn.preprocessing": (
        "FunctionTransformer",
        "KBinsDiscretizer",
        "LabelBinarizer",
        "LabelEncoder",
        "MaxAbsScaler",
        "MinMaxScaler",
        "Normalizer",
        "OneHotEncoder",
        "OrdinalEncoder",
        "PolynomialFeatures",
        "RobustScaler",
        "StandardScaler",
        "TargetEncoder",
    ),
    "sklearn.gaussian_process.kernels": (
        "ConstantKernel",
        "DotProduct",
        "ExpSineSquared",
        "Exponentiation",
        "Matern",
        "Product",
        "RBF",
        "RationalQuadratic",
        "Sum",
        "WhiteKernel",
    ),
    "sklearn.impute": ("MissingIndicator", "SimpleImputer"),
    "sklearn.feature_selection": ("VarianceThreshold",),
    "sklearn.feature_extraction.text": (
        "CountVectorizer",
        "TfidfTransformer",
        "TfidfVectorizer",
    ),
}


def find_class(name: str) -> type[Any] | None:
    """Return the admitted class that is or was called `name`, or None."""
    room, _, short = current_name(name).rpartition(".")
    if room in ROOMS:
        return _classes_of(room).get(short)
    if short in SCIKIT_LEARN.get(room, ()):
        found: type[Any] = getattr(import_module(room), short)
        return found
    return None


def name_of(cls: type[Any]) -> str | None:
    """Return the name under which `cls` itself is admitted, or None.

    A subclass is not its parent: it may carry code, so it needs its own entry.
    """
    for room in (*ROOMS, *SCIKIT_LEARN):
        if f"{cls.__module__}.".startswith(f"{room}."):
            name = f"{room}.{cls.__name__}"
            if find_class(name) is cls:
                return name
    return None


def is_foreign(name: str) -> bool:
    """Tell whether the class called `name` is scikit-learn's and not ours."""
    return name.startswith("sklearn.")


def shape_of(cls: type[Any]) -> str | None:
    """Return how the state of `cls` is kept: as object, as record, as row, or not."""
    if hasattr(cls, "get_params") or cls.__name__ == "make_column_selector":
        return "object"
    if is_dataclass(cls):
        return "record"
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return "row"
    return None


@cache
def _classes_of(room: str) -> dict[str, type[Any]]:
    """Return the classes of an Infimum room whose state a model file can keep."""
    if find_spec(room) is None:
        return {}
    module = import_module(room)
    public = {name: getattr(module, name) for name in module.__all__}
    return {
        name: value
        for name, value in public.items()
        if inspect.isclass(value)
        and not inspect.isabstract(value)
        and shape_of(value) is not None
        and _is_declared(room, value)
    }


def declared(name: str) -> State | None:
    """Return what an admitted class says its attributes are; None for a part."""
    room, _, short = current_name(name).rpartition(".")
    if is_foreign(name):
        return STATES.get(name)
    return _states_of(room).get(short) if room in MODEL_ROOMS else None


@cache
def _states_of(room: str) -> dict[str, State]:
    states: dict[str, State] = import_module(f"{room}._states").STATES
    return states


def _is_declared(room: str, cls: type[Any]) -> bool:
    if room in MODEL_ROOMS:
        return cls.__name__ in _states_of(room)
    return any(base.__name__ in PART_ROOMS[room] for base in cls.__mro__)
