"""Where modules and names of earlier versions are today.

Pickles, model files and scripts name a class by where it was. `current_name` says
where it is; `found_elsewhere` makes a room answer for what left it; `MovedModules` lets
Python import a module by its old path, and `ShelvedModules` a file that stands on a
shelf of its room by the path it had before the room had shelves.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

__all__ = ["MovedModules", "ShelvedModules", "current_name", "found_elsewhere"]


class Shelf(NamedTuple):
    """What left a room: where it is now, its files, and its public names."""

    room: str
    files: str
    names: str


#: Whole packages and single modules, old path -> new path.
MODULES = {
    "infimum.convexity": "infimum.study.convexity",
    "infimum.matrices": "infimum.study.matrices",
    "infimum.matrices.leading_eigenpairs": "infimum.models.leading_eigenpairs",
}
#: Rooms that lost a part of what they held.
SHELVES = {
    "infimum.solvers": Shelf(
        "infimum.study.solvers",
        """
        _atoms _best_slopes _mirrors _non_monotone
        _trace_picture early_stopping frank_wolfe ivanov mirror_descent
        pegasos plateau rates reweighted_least_squares sequential_minimal
        spectral_gradient spectral_projected_gradient steepest_descent
        stochastic_gradient trace tuned_delay variance_reduced
        """,
        """
        Correspondence EarlyStop FrankWolfe MirrorDescent Pegasos Plateau
        Rate ReweightedLeastSquares SequentialMinimalOptimization
        SolverTrace SpectralGradient SpectralProjectedGradient
        SteepestDescent StochasticGradient TunedDelay VarianceReduced
        minibatch_gradient minibatch_risk pair_step plot_traces radius_of
        rate_of stop_early strength_of trace tune_delay
        """,
    ),
    "infimum.features": Shelf(
        "infimum.study.features",
        """
        _subgraphs bag_of_words basis feature_map graph_motifs hashed_words
        images intercept monomials norms purchases slope standardization
        stemming substrings term_counts web_pages whitening
        """,
        """
        BagOfWords BasketCounts FeatureMap HashedText ImageVectors
        InterceptColumn MotifCounts PolynomialBasis PurchaseTable
        QuadraticMonomials STOP_WORDS SineBasis Standardizer SubstringCounts
        TermCounts WebPageFeatures Whitener count_together count_users
        maximal_slope p_norm p_power stem support_size
        """,
    ),
    "infimum.models.graph": Shelf(
        "infimum.study.graphs",
        """
        best_cut best_partition cheeger comparison components cuts families
        relaxation
        """,
        """
        Bisection CheegerBracket ConnectivityAdvice Cut GraphComparison
        Partition balance best_cut best_partition block_graph
        cheeger_bracket cheeger_constant clique cockroach_graph
        compare_graphs conductance connected_components connectivity_advice
        cut_vector cut_weight dangle degree_quotient minimum_cut
        normalized_cut path_graph ratio_cut spectral_bisection sweep_cut
        two_cliques volume
        """,
    ),
    "infimum.distributions": Shelf(
        "infimum.study.probability",
        """
        conditional_family conjugacy grid_posterior joint_table
        """,
        """
        ConditionalFamily GridPosterior JointTable MAPObjective
        grid_posterior posterior signed_inputs stacked_inputs
        """,
    ),
    "infimum.models.linear": Shelf(
        "infimum.study.estimation",
        """
        james_stein
        """,
        """
        JamesSteinRegressor james_stein
        """,
    ),
}
#: Rooms whose files stand on shelves: a file has one name in all of its room.
SHELVED = (
    "infimum.distributions",
    "infimum.losses",
    "infimum.models.clustering",
    "infimum.models.embedding",
    "infimum.models.ensembles",
    "infimum.models.kernel",
    "infimum.models.linear",
    "infimum.solvers",
)
#: Names that another public class has as well, in the room where they were.
RENAMED = {
    "CoordinateDescent": "CoordinateMethod",
    "FrankWolfe": "ConditionalGradient",
    "InteriorPoint": "PathFollowing",
    "MirrorDescent": "MirrorMethod",
    "Newton": "NewtonMethod",
    "Record": "TraceRow",
    "SpectralGradient": "BarzilaiBorwein",
    "SpectralProjectedGradient": "ProjectedBarzilaiBorwein",
}
MODULES |= {
    f"{room}.{file}": f"{shelf.room}.{file}"
    for room, shelf in SHELVES.items()
    for file in shelf.files.split()
}


def current_name(name: str) -> str:
    """Return where the public thing is that an earlier version called `name`.

    >>> current_name("infimum.solvers.Pegasos")
    'infimum.study.solvers.Pegasos'
    >>> current_name("infimum.solvers.Newton")
    'infimum.solvers.Newton'
    """
    room, _, short = name.rpartition(".")
    shelf = SHELVES.get(room)
    return f"{shelf.room}.{short}" if shelf and short in shelf.names.split() else name


def found_elsewhere(room: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a room that finds what left it, or was renamed."""

    def find(name: str) -> Any:
        if room.startswith("infimum.study.") and name in RENAMED:
            return getattr(import_module(room), RENAMED[name])
        place, _, short = current_name(f"{room}.{name}").rpartition(".")
        if place == room:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(place), short)

    return find


class MovedModules(MetaPathFinder, Loader):
    """Finds a module by its old path, before Python loads a second copy of it."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Any = None, target: Any = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if self._place(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self._place(spec.name) or "")
        sys.modules[spec.name.rpartition(".")[0]].__class__ = _Room
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system wrote the old path on the module, which keeps its own.
        asked = module.__spec__
        module.__spec__ = self._specs.pop(asked.name) if asked else None

    @staticmethod
    def _place(name: str) -> str | None:
        return _current_module(name)


class ShelvedModules(MovedModules):
    """Finds a file on a shelf of its room, after Python looked in the room itself."""

    @staticmethod
    def _place(name: str) -> str | None:
        room, _, file = name.rpartition(".")
        if room not in SHELVED:
            return None
        shelves = [
            f"{room}.{each.name}.{file}"
            for each in iter_modules(import_module(room).__path__)
            if each.ispkg
        ]
        return next((place for place in shelves if find_spec(place)), None)


class _Room(ModuleType):
    """A room whose functions are not hidden by the files that they are in."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and callable(getattr(self, name, None)):
            return
        super().__setattr__(name, value)


def _current_module(name: str) -> str | None:
    if not name.startswith("infimum."):
        return None
    if name in MODULES:
        return MODULES[name]
    for old, new in MODULES.items():
        if name.startswith(f"{old}."):
            return new + name[len(old) :]
    return None


def install() -> None:
    """Let Python ask for old paths, once."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, MovedModules())
        sys.meta_path.append(ShelvedModules())
