"""Domains of hyperparameters, declared once beside what they protect."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from inspect import signature
from numbers import Integral, Real
from typing import Any, TypeAlias

from infimum.errors import InvalidParameterError

__all__ = [
    "USUAL",
    "Besides",
    "Choice",
    "Domain",
    "Domains",
    "Interval",
    "Kind",
    "besides",
    "check_domain",
    "check_domains",
    "check_parameters",
    "closed",
    "flag",
    "function",
    "learner",
    "mapping",
    "memory",
    "nonnegative",
    "numbers",
    "opened",
    "or_none",
    "positive",
    "real",
    "seed",
    "shown",
    "whole",
]

_NO_DEFAULT = object()
#: Letters of a value that a message quotes.
LONGEST_QUOTE = 200


@dataclass(frozen=True)
class Interval:
    """A set of reals that can say itself: ``Interval(0, 1)`` reads ``in [0, 1]``."""

    low: float
    high: float
    open_low: bool = False
    open_high: bool = False
    integer: bool = False

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, Real):
            return False
        number = float(value)
        above = number > self.low if self.open_low else number >= self.low
        below = number < self.high if self.open_high else number <= self.high
        if not math.isfinite(number) or (self.integer and number != int(number)):
            return False
        return above and below

    def __str__(self) -> str:
        left = "(" if self.open_low or self.low == -math.inf else "["
        right = ")" if self.open_high or self.high == math.inf else "]"
        kind = "a whole number in" if self.integer else "in"
        return f"{kind} {left}{self.low:g}, {self.high:g}{right}"


@dataclass(frozen=True)
class Choice:
    """A few admitted values: ``Choice("l1", "l2")`` reads ``one of 'l1', 'l2'``."""

    values: tuple[Any, ...]

    def __contains__(self, value: object) -> bool:
        if getattr(value, "shape", ()) != ():  # an array equals nothing as a whole
            return False
        return any(value is known or value == known for known in self.values)

    def __str__(self) -> str:
        return "one of " + ", ".join(repr(value) for value in self.values)


@dataclass(frozen=True)
class Besides:
    """A domain and a few values besides it, which its words leave out."""

    domain: "Domain"
    values: tuple[Any, ...]
    #: How a message says it, where not by the words of the domain.
    words: str | None = None

    def __contains__(self, value: object) -> bool:
        return value in self.domain or any(
            isinstance(value, type(known)) and value == known for known in self.values
        )

    def __str__(self) -> str:
        return str(self.domain) if self.words is None else self.words


@dataclass(frozen=True)
class Kind:
    """Values that a question tells from others: ``flag`` reads ``True or False``."""

    meets: Callable[[Any], bool]
    words: str

    def __contains__(self, value: object) -> bool:
        return self.meets(value)

    def __str__(self) -> str:
        return self.words


Domain: TypeAlias = Interval | Choice | Besides | Kind
#: The domain of each parameter of a class, declared beside it as ``_domains``.
Domains: TypeAlias = Mapping[str, Domain]

positive = Interval(0, math.inf, open_low=True)
nonnegative = Interval(0, math.inf)


def _is_flag(value: object) -> bool:
    return type(value).__name__ in {"bool", "bool_"}  # Python's, and NumPy's


def _is_seed(value: object) -> bool:
    if isinstance(value, Integral) and not isinstance(value, bool):
        return 0 <= int(value) < 2**32
    return value is None or hasattr(value, "standard_normal")


def _is_cache(value: object) -> bool:
    return value is None or isinstance(value, str) or hasattr(value, "cache")


def _is_loudness(value: object) -> bool:
    return _is_flag(value) or (value in nonnegative and isinstance(value, Integral))


def _is_array(value: object) -> bool:
    if isinstance(value, str | bytes):
        return False
    shape = getattr(value, "shape", None)
    return hasattr(value, "__len__") or (isinstance(shape, tuple) and shape != ())


def _is_average(value: object) -> bool:
    return _is_flag(value) or value in whole(1)


def _is_splitter(value: object) -> bool:
    if value is None or isinstance(value, Integral):
        return True
    pairs = hasattr(value, "__iter__") or hasattr(value, "split")
    return pairs and not isinstance(value, str)


def _is_graph(value: object) -> bool:
    return value is None or callable(value) or _is_array(value)


def _is_precomputed(value: object) -> bool:
    return _is_flag(value) or value is None or _is_array(value)


def _is_price(value: object) -> bool:
    return value is None or _is_array(value) or value in real


def _is_scoring(value: object) -> bool:
    return value is None or isinstance(value, str) or callable(value)


def _is_prior(value: object) -> bool:
    return value is None or isinstance(value, str) or _is_array(value)


def _is_start(value: object) -> bool:
    return _is_prior(value) or callable(value) or hasattr(value, "fit")


def _is_size(value: object) -> bool:
    return value is None or _is_array(value) or value in whole(1)


flag = Kind(_is_flag, "True or False")
function = Kind(callable, "a function")
mapping = Kind(lambda value: isinstance(value, Mapping), "a dictionary")
numbers = Kind(_is_array, "an array or a list")
real = Interval(-math.inf, math.inf)
learner = Kind(lambda value: hasattr(value, "fit"), "an estimator with `fit`")
seed = Kind(_is_seed, "a whole number in [0, 2**32), a generator of NumPy or None")
#: Where results are kept: a folder, or joblib's Memory.
memory = Kind(_is_cache, "a folder, an object with `cache` or None")


def closed(low: float, high: float) -> Interval:
    """Return the closed interval [low, high]."""
    return Interval(low, high)


def opened(low: float, high: float) -> Interval:
    """Return the open interval (low, high)."""
    return Interval(low, high, open_low=True, open_high=True)


def whole(low: float, high: float = math.inf) -> Interval:
    """Return the whole numbers of [low, high]."""
    return Interval(low, high, integer=True)


def or_none(domain: Interval | Choice | Kind) -> Besides:
    """Return a domain with None, which stands for a choice made elsewhere."""
    return Besides(domain, (None,))


def besides(domain: Domain, *values: Any) -> Besides:
    """Return a domain with a few values besides, such as "auto"."""
    return Besides(domain, values)


#: Parameters that mean the same in every class that has them and says nothing else.
USUAL: Domains = {
    **dict.fromkeys(
        (
            "allow_single_cluster", "alpha_per_target", "assume_centered",
            "bin_seeding", "bootstrap", "bootstrap_features", "breadth_first",
            "break_ties", "check_input", "cluster_all", "compute_distances",
            "compute_inverse_components", "compute_labels", "compute_score", "copy",
            "copy_X", "copy_X_train", "copy_x", "dense_output", "early_stopping",
            "fit_intercept", "fit_inverse_transform", "fit_path", "fit_prior",
            "flatten_transform", "force_alpha", "metric_mds", "mini_batch",
            "nesterovs_momentum", "normalize_y", "novelty", "passthrough", "positive",
            "predecessor_correction", "refit", "remove_zero_eig", "shrinking",
            "shuffle", "store_covariance", "store_cv_results",
            "store_precision", "warm_start",
        ),
        flag,
    ),
    **dict.fromkeys(
        (
            "U_init", "V_init", "code_init", "coef_init", "dict_init",
            "mean_prior", "means_init", "noise_variance_init", "precisions_init",
            "seeds", "w_init", "weights_init",
        ),
        or_none(numbers),
    ),
    **dict.fromkeys(
        ("fun_args", "kernel_params", "metric_params", "solver_options"),
        or_none(mapping),
    ),
    **dict.fromkeys(
        ("callback", "is_data_valid", "is_model_valid"), or_none(function)
    ),
    **dict.fromkeys(("eps", "eta0", "hessian_tol", "modified_tol"), nonnegative),
    **dict.fromkeys(("coef0", "y_max", "y_min"), or_none(real)),
    **dict.fromkeys(("sample_steps", "verbose_interval"), whole(1)),
    "connectivity": Kind(_is_graph, "a matrix, a function or None"),
    "average": Kind(_is_average, "True, False or a whole number in [1, inf)"),
    "compute_full_tree": besides(flag, "auto"),
    "estimator": or_none(learner),
    "iterated_power": besides(whole(0), "auto"),
    **dict.fromkeys(
        ("alpha", "covariance_prior", "l1_ratio", "preference"),
        Kind(_is_price, "a number or an array of numbers"),
    ),
    "binarize": or_none(nonnegative),
    "init": Kind(_is_start, "a name, an array, a function or an estimator"),
    "min_categories": Kind(_is_size, "a whole number in [1, inf), several or None"),
    "priors": Kind(_is_prior, "a name, an array or None"),
    "dual": besides(flag, "auto"),
    "l1_ratios": besides(numbers, None, "warn"),
    "normalized_stress": besides(flag, "auto"),
    "use_legacy_attributes": besides(flag, "warn"),
    "final_estimator": or_none(learner),
    "leaf_size": whole(1),
    "max_iter": or_none(whole(0)),
    "precompute": besides(
        Kind(_is_precomputed, "True, False, 'auto' or a Gram matrix"), "auto"
    ),
    "scoring": Kind(_is_scoring, "the name of a score, a function or None"),
    "tol": or_none(nonnegative),
    "memory": memory,
    "n_targets": or_none(whole(1)),
    "power_t": real,
    "sparse_output": besides(flag, "auto"),
    "validation_fraction": opened(0, 1),
    "n_svd_vecs": or_none(whole(0)),
    "n_oversamples": whole(1),
    "power_iteration_normalizer": Choice(("auto", "QR", "LU", "none")),
    "cv": Kind(_is_splitter, "a number of folds, a splitter, pairs of rows or None"),
    "degree": or_none(nonnegative),
    "intercept_scaling": positive,
    "n_restarts_optimizer": whole(0),
    "selection": Choice(("cyclic", "random")),
    "n_jobs": Besides(Interval(-math.inf, math.inf, integer=True), (None,)),
    "random_state": seed,
    "verbose": Kind(_is_loudness, "a whole number in [0, inf), True or False"),
}  # fmt: skip


def shown(value: Any) -> str:
    """Return a value as a message may quote it: on one line, and not forever."""
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def check_domain(owner: str, value: Any, domain: Domain) -> None:
    """Raise InvalidParameterError unless `value` lies in `domain`."""
    if value not in domain:
        raise InvalidParameterError(f"{owner} must be {domain}, got {shown(value)}.")


def check_domains(part: Any) -> None:
    """Raise InvalidParameterError for the first dataclass field outside its domain."""
    for field in fields(part):
        domain = field.metadata.get("domain")
        if domain is not None:
            value = getattr(part, field.name)
            if value not in domain:
                check_domain(f"{type(part).__name__}.{field.name}", value, domain)


def check_parameters(estimator: Any) -> None:
    """Raise InvalidParameterError for the first parameter outside its domain.

    Domains are those that the class of the estimator and its bases declare in
    ``_domains``; a subclass may narrow one. Parameters that mean the same wherever
    they occur, used or not, have theirs in ``USUAL``. What is as the class has it needs
    no question: defaults are looked at once for each class.

    Examples
    --------
    >>> from infimum.models.clustering import KMeans
    >>> check_parameters(KMeans(max_iter=0))
    Traceback (most recent call last):
    infimum.errors.InvalidParameterError: KMeans.max_iter must be a whole number in \
[1, inf), got 0.
    """
    kind: Any = type(estimator)
    for name, domain, default in _declared(kind):
        value = getattr(estimator, name)
        if value is not default and value not in domain:
            check_domain(f"{kind.__name__}.{name}", value, domain)


@cache
def _declared(kind: Any) -> tuple[tuple[str, Domain, Any], ...]:
    """Return the domains of a class and its bases, for the parameters that it has.

    The third is the default, or a mark that no value is where the domain refuses it.
    """
    found: dict[str, Domain] = dict(USUAL)
    for base in reversed(kind.__mro__):
        found.update(vars(base).get("_domains", {}))
    taken = signature(kind.__init__).parameters
    usual = {name: parameter.default for name, parameter in taken.items()}
    return tuple(
        (name, domain, value if (value := usual.get(name)) in domain else _NO_DEFAULT)
        for name, domain in found.items()
        if name in taken or (name not in USUAL and hasattr(kind, name))
    )
