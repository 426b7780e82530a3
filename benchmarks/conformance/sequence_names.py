"""A plugin of pytest: hmmlearn and sklearn_crfsuite are our façades while tests run.

``pytest -p benchmarks.conformance.sequence_names`` puts them in their place before any
test is imported; modules of hmmlearn that have no façade stay its own.
"""

import importlib
import sys

import infimum.dropin.sklearn_crfsuite as crfsuite
from infimum.dropin import hmmlearn

__all__: list[str] = []

NAMES = {
    "hmmlearn": ("hmm", "base", "utils", "_hmmc"),
    "sklearn_crfsuite": ("estimator", "metrics", "scorers", "utils"),
}


def replace() -> None:
    """Let the peers' names lead to our modules."""
    spec = importlib.util.find_spec("hmmlearn")
    theirs = list(spec.submodule_search_locations or []) if spec else []
    hmmlearn.__path__ = [*hmmlearn.__path__, *theirs]
    for package, modules in NAMES.items():
        ours = {"hmmlearn": hmmlearn, "sklearn_crfsuite": crfsuite}[package]
        sys.modules[package] = ours
        for name in modules:
            module = importlib.import_module(f"infimum.dropin.{package}.{name}")
            sys.modules[f"{package}.{name}"] = module
            setattr(ours, name, module)


replace()
