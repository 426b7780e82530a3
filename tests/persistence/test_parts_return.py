"""Losses, penalties, solvers and certificates return equal, whichever there are."""

import inspect
from dataclasses import is_dataclass

import pytest
from sklearn.preprocessing import StandardScaler

import infimum
from infimum import losses, penalties, solvers
from infimum.certificates import Certificate
from infimum.losses import PreferenceGraph
from infimum.solvers import DualSolution, Record, Solution
from infimum.study.solvers import SolverTrace

#: What solvers give back; models keep what they need of it.
ANSWERS = {DualSolution, Solution, SolverTrace}
#: Losses of a chain or an ontology, which no model keeps.
OF_STRUCTURES = {
    losses.OntologyHinge,
    losses.OntologySoftmax,
    losses.StructuredHinge,
    losses.StructuredLogistic,
}
PARTS = [
    cls
    for room in (losses, penalties, solvers)
    for cls in (getattr(room, name) for name in room.__all__)
    if is_dataclass(cls) and not inspect.isabstract(cls)
    if cls not in ANSWERS | OF_STRUCTURES
]


def carried(value, folder):
    """Send `value` through a file, as an attribute of a model."""
    carrier = StandardScaler()
    carrier.part_ = value
    infimum.save(carrier, folder / "m.infimum")
    return infimum.load(folder / "m.infimum").part_


@pytest.mark.parametrize("cls", PARTS, ids=lambda cls: cls.__module__)
def test_every_exported_part_returns_equal(cls, tmp_path):
    part = cls([[(0, 1)]]) if cls is PreferenceGraph else cls()
    back = carried(part, tmp_path)
    assert type(back) is cls
    assert back == part
    assert vars(back) == vars(part)


def test_a_history_and_its_certificate_return(tmp_path):
    history = (Record(0, 0.01, 2.0, -1.0), Record(1, 0.02, 1.0, 1.0 - 1e-9))
    proof = Certificate(primal=1.0, dual=1.0 - 1e-9, scale=2.0, reason="converged")
    back = carried({"history": history, "proof": proof}, tmp_path)
    assert back == {"history": history, "proof": proof}
    assert [type(record) for record in back["history"]] == [Record, Record]
    assert back["proof"].gap == proof.gap
