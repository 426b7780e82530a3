"""Checking a saved network again: what a file and a table prove of it."""

from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infimum.data import Table, read_table
from infimum.errors import DataError, IncompatibleError, InfimumError
from infimum.learn.learning import read_run_extra
from infimum.persistence import load, read_extra

__all__ = ["NetworkRecheck", "recheck_network"]

#: Objectives that differ by less than this share are those of the same rows.
SAME = 1e-6


class NetworkRecheck(NamedTuple):
    """Evidence computed from a file and a table, and whether they belong together.

    `same_data` is None if the file tells of no objective, as after `partial_fit`.
    """

    evidence: Any
    same_data: bool | None
    label: str
    rows: int


def recheck_network(
    model_path: str | PathLike[str],
    data: Any,
    target: str | None = None,
    *,
    rigorous: bool = False,
) -> NetworkRecheck | None:
    """Compute the evidence of a network again, as `infimum.save` has written it.

    All rows of the table count, with equal weights. Returns None for a file that
    `infimum learn` or `infimum rank` has written: it knows its own target.
    """
    name = fspath(model_path)
    if "task" in read_extra(model_path):
        if target is not None:
            raise IncompatibleError(
                f"{name} says its own target: --target is for networks that "
                "`infimum.save` has written."
            )
        return None
    saved = load(model_path)
    piped = len(getattr(saved, "steps", ())) > 1
    model = saved[-1] if hasattr(saved, "steps") else saved
    if not hasattr(model, "evidence_"):
        read_run_extra(model_path)  # which says in a sentence what is missing
    label = type(model).__name__
    if target is None:
        raise IncompatibleError(
            f"{name} holds a {label} and not the name of what it predicts: give the "
            "column with --target, or several: a,b,c."
        )
    X, y = _columns(saved, model, data, _targets(name, model, target))
    try:
        X = saved[:-1].transform(X) if piped else X
        found = model.certify(X, y, rigorous=rigorous)
    except InfimumError:
        raise
    except ValueError as error:  # scikit-learn's, of labels or steps before
        told = str(error).strip().splitlines()[0]
        raise DataError(f"{label}, target {target!r}: {told}") from None
    known = model.evidence_
    same = None if known is None else _alike(known.objective, found.objective)
    return NetworkRecheck(found, same, label, len(y))


def _alike(one: float, two: float) -> bool:
    return abs(one - two) <= SAME * max(abs(one), abs(two))


def _targets(name: str, model: Any, given: str) -> list[str]:
    """Return the columns that a network predicts, from the words of the command."""
    known = vars(model)
    labels = "classes_" in known and known.get("out_activation_") != "logistic"
    count = 1 if labels else known.get("n_outputs_", 1)
    targets = [given] if count == 1 else given.split(",")
    if len(targets) != count or len(set(targets)) != count:
        raise IncompatibleError(
            f"{name} holds a {type(model).__name__} of {count} outputs: name their "
            f"columns in order, --target a,b{',c' * (count - 2)}; got {given!r}."
        )
    return targets


def _columns(
    saved: Any, model: Any, data: Any, targets: list[str]
) -> tuple[Any, NDArray[Any]]:
    """Return samples and targets: the columns that the fit has seen, or all others."""
    table = read_table(data, target=targets[0])
    if not isinstance(table, Table):
        raise IncompatibleError(
            f"{type(model).__name__} is checked on a table of columns, got sparse rows."
        )
    names = getattr(saved, "feature_names_in_", None)
    wanted = (
        [n for n in table.names if n not in targets] if names is None else list(names)
    )
    for each in (*targets, *wanted):
        table.column(each)
    frame: Any = table.frame[wanted]
    if names is None:
        words = [n for n in wanted if not frame[n].dtype.is_numeric()]
        words = [n for n in words if str(frame[n].dtype) != "Boolean"]
        if words:
            raise DataError(
                f"{type(model).__name__} was fitted to numbers, and column "
                f"{words[0]!r} of {table.source} holds none: leave it out."
            )
        frame = frame.to_numpy().astype(np.float64)
    one, chosen = len(targets) == 1, table.frame[targets]
    answers = chosen[targets[0]].to_numpy() if one else chosen.to_numpy()
    classes = getattr(model, "classes_", None)
    if classes is not None and np.asarray(classes).dtype.kind in "iuf":
        answers = (
            answers.astype(np.float64) if answers.dtype.kind in "biuf" else answers
        )
    return frame, np.asarray(answers)
