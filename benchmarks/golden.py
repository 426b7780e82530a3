"""Golden files: public signatures, and files and pickles of every admitted class.

``python -m benchmarks.golden signatures`` writes the signatures of today;
``python -m benchmarks.golden models`` writes fitted models with what they answer. The
tests hold later versions against both, so the models of 0.1 are not written again.
"""

from __future__ import annotations

import importlib
import inspect
import io
import pickle
import pkgutil
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.preprocessing import StandardScaler

import infimum
from benchmarks.fuzz.specimens import make_specimens
from infimum import distributions, kernels, losses

__all__ = ["SIGNATURES", "answers_of", "models_file", "parameters_of", "public_names"]

FOLDER = Path(__file__).parent.parent / "tests" / "golden"
SIGNATURES = FOLDER / "signatures.txt"
#: What fitted models are asked.
ASKED = ("predict", "predict_proba", "decision_function", "transform", "score_samples")
#: Laws that no model holds.
DISTRIBUTIONS = (
    *("Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Gamma", "Poisson"),
)
#: A fixed moment, so that the same models make the same archive.
MOMENT = (2026, 1, 1, 0, 0, 0)


def models_file(version: str) -> Path:
    """Return the archive of models that a version wrote."""
    return FOLDER / f"models-{version}.zip"


def public_names() -> Iterator[tuple[str, Any]]:
    """Yield every public callable with its dotted name, methods of classes included."""
    for room in _rooms():
        for name in room.__all__:
            value = getattr(room, name)
            if not callable(value) or inspect.ismodule(value):
                continue
            yield f"{room.__name__}.{name}", value
            if inspect.isclass(value):
                for method, function in inspect.getmembers(value, callable):
                    code = getattr(function, "__module__", None) or ""
                    if not method.startswith("_") and code.startswith("infimum"):
                        yield f"{room.__name__}.{name}.{method}", function


def _rooms() -> Iterator[Any]:
    """Yield the packages whose ``__all__`` is public; machine code is not."""
    found = pkgutil.walk_packages(infimum.__path__, "infimum.")
    for entry in found:
        private = any(part.startswith("_") for part in entry.name.split("."))
        inside = entry.name.startswith("infimum.compiled")
        if entry.ispkg and not private and not inside:
            room = importlib.import_module(entry.name)
            if hasattr(room, "__all__"):
                yield room


def parameters_of(value: Any) -> list[str] | None:
    """Return the parameters with their defaults; those after "*" only by name."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    told, by_name = [], False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not by_name:
            by_name = True
            told.append("*")
        told.append(_spelled(parameter))
    return told


def _spelled(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
        return stars.get(parameter.kind, "") + parameter.name
    default = repr(parameter.default)
    # The representation of an object without one holds its address.
    return f"{parameter.name}={'...' if ' at 0x' in default else default}"


def answers_of(model: Any, X: Any) -> dict[str, Any]:
    """Return method -> answer for whatever a model answers about the rows X."""
    answers = {}
    for method in ASKED:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                answer = getattr(model, method)(X)
            except Exception:
                continue
        answers[method] = _plain(answer)
    return answers


def _plain(answer: Any) -> Any:
    answer = answer.toarray() if sparse.issparse(answer) else np.asarray(answer)
    return np.array(answer.tolist()) if answer.dtype == object else answer


def write_signatures() -> None:
    """Write one line a public callable: its name and parameters, tabs between."""
    found = {name: parameters_of(value) for name, value in public_names()}
    lines = ["\t".join([name, *told]) for name, told in found.items() if told]
    SIGNATURES.write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")


def write_models(path: Path) -> None:
    """Write model files, pickles and answers of every admitted class to an archive."""
    with (
        tempfile.TemporaryDirectory() as name,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out,
    ):
        folder = Path(name)
        missing = make_specimens(folder, few=True)
        print("without a specimen:", missing or "none")
        _save_composed(folder)
        for file in sorted(folder.glob("*.infimum")):
            model = infimum.load(file)
            X, _ = pickle.loads(file.with_suffix(".queries").read_bytes())
            members = {
                "infimum": file.read_bytes(),
                "pickle": pickle.dumps(model),
                "answers": pickle.dumps((X, answers_of(model, X))),
            }
            for suffix, data in members.items():
                entry = zipfile.ZipInfo(f"{file.stem}.{suffix}", MOMENT)
                out.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


def _save_composed(folder: Path) -> None:
    """Save the parts that need arguments, in the attribute of a model each."""
    rbf, points = kernels.Gaussian(), np.array([[0.0, 1.0], [2.0, 0.5], [1.0, 1.5]])
    graph = kernels.Graph(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    laws = distributions.Normal(), distributions.Normal(1.0, 2.0)
    parts = [
        *(getattr(distributions, name)() for name in DISTRIBUTIONS),
        distributions.DecisionProblem(laws, (0.4, 0.6)),
        *(kernels.Centered(rbf, points), kernels.Conditioned(rbf, points, 0.1)),
        *(kernels.Diffusion(graph), kernels.RegularizedLaplacian(graph)),
        *(kernels.VertexPaths(graph), kernels.Precomputed(points @ points.T)),
        *(kernels.Exponentiated(rbf), kernels.Normalized(rbf), kernels.Power(rbf, 2)),
        *(kernels.Sum((rbf, rbf)), kernels.Product((rbf, rbf))),
        *(kernels.TensorProduct((rbf, rbf)), kernels.MeanEmbedding(rbf)),
        losses.PreferenceGraph([[(0, 1)]]),
    ]
    for part in parts:
        carrier = StandardScaler().fit(points)
        carrier.part_ = part
        file = folder / f"9000-{type(part).__name__}.infimum"
        infimum.save(carrier, file)
        file.with_suffix(".queries").write_bytes(pickle.dumps((points, None)))


def read_models(path: Path) -> Iterator[tuple[str, dict[str, io.BytesIO]]]:
    """Yield the name of each model with its file, pickle and answers."""
    with zipfile.ZipFile(path) as archive:
        stems = sorted({Path(name).stem for name in archive.namelist()})
        for stem in stems:
            yield (
                stem,
                {
                    suffix: io.BytesIO(archive.read(f"{stem}.{suffix}"))
                    for suffix in ("infimum", "pickle", "answers")
                },
            )


if __name__ == "__main__":
    if "signatures" in sys.argv[1:]:
        write_signatures()
    if "models" in sys.argv[1:]:
        write_models(models_file(infimum.__version__.rpartition(".")[0]))
