"""One attack: draw a problem, fit, judge every proof, tamper with the file."""

import inspect
import time
import traceback
import warnings

import numpy as np

from benchmarks.adversary.tampering import (
    ACCEPTED,
    matching,
    tamper,
    through_a_file,
)
from benchmarks.adversary.verdict import Finding, judge, slack_of, statement_of
from infimum.errors import InfimumError

__all__ = ["attack", "draw", "families"]

#: A fit that takes longer than this many seconds is a failure.
SLOW = 10.0
#: The coarsest tolerance that an auditor may have who was told none.
COARSEST = 1e-3


def families():
    """Return all families: name -> (how often it is drawn, how)."""
    usual, more = _two_groups()
    return {**usual, **more}


def _two_groups():
    """Return the families of most seeds, and those of the seeds that end in 9."""
    from benchmarks.adversary.families import LINEAR
    from benchmarks.adversary.joint import JOINT
    from benchmarks.adversary.machines import KERNEL
    from benchmarks.adversary.more_machines import MORE
    from benchmarks.adversary.pairs import draw_pair

    pairs = {"pairs of loss and penalty": (45, draw_pair)}
    return {**LINEAR, **JOINT, **pairs, **KERNEL}, MORE


def draw(seed, chosen=None):
    """Return the family and the case of a seed."""
    rng = np.random.default_rng(seed)
    known = _two_groups()[seed % 10 == 9] if chosen is None else families()
    names = [name for name in known if chosen is None or name in chosen]
    shares = np.array([known[name][0] for name in names], float)
    family = names[rng.choice(len(names), p=shares / shares.sum())]
    return family, known[family][1](rng), rng


def attack(seed, chosen=None, *, tampering=True, say=lambda _: None):
    """Return what came of the problem of a seed, as plain data."""
    family, case, rng = draw(seed, chosen)
    report = {
        "seed": seed, "family": family, "model": _title(case), "findings": [],
        "notes": list(case.data.notes), "closed": 0, "open": 0, "refused": 0,
        "tampering": [], "audited": [], "room": [], "seconds": 0.0,
    }  # fmt: skip
    say(report)
    models = _fitted(case, report)
    for model in models:
        say(report)
        _judge_model(case, model, report, rng, tampering)
    report["findings"] = [_plain(finding) for finding in report["findings"]]
    return report


def _title(case):
    text = " ".join(repr(case.estimator).split())
    return text if case.path is None else f"{text}.path({list(case.path)})"


def _fitted(case, report):
    """Fit; return the models, none where the data were refused."""
    from infimum.models.warnings import UncertifiedWarning

    X, y, named = case.data.given()
    began = time.perf_counter(), time.process_time()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            models = _fit(case, X, y, named)
        except Exception as error:
            models = []
            if isinstance(error, InfimumError) or "n_splits=" in str(error):
                report["refused"], report["message"] = 1, str(error)
            else:
                report["findings"].append(_foreign("fit", error))
    # Whichever is less: others may use the machine, and a fit may use two cores.
    spent = time.perf_counter() - began[0], time.process_time() - began[1]
    report["seconds"] = min(spent)
    if report["seconds"] > SLOW:
        report["findings"].append(
            Finding("slow", report["seconds"], f"fit took {report['seconds']:.1f} s")
        )
    report["warned"] = any(issubclass(w.category, UncertifiedWarning) for w in heard)
    stray = {f"{w.category.__name__}: {w.message}"[:200] for w in heard
             if not issubclass(w.category, UncertifiedWarning)}  # fmt: skip
    report["stray warnings"] = sorted(stray)
    return models


def _fit(case, X, y, named):
    if case.path is not None:
        found = case.estimator.path(X, y, values=case.path, **named)
        return getattr(found, "models", found)
    return [case.estimator.fit(X, y, **named)]


def _foreign(where, error):
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{last.filename.rsplit('/', 2)[-1]}:{last.lineno}"
    text = f"{where}: {type(error).__name__}: {error} ({place})"
    return Finding("foreign exception", np.inf, text[:400])


def _judge_model(case, model, report, rng, tampering):
    pairs = case.read(model, case.data)
    if not all(np.isfinite(p.W).all() and np.isfinite(p.b).all() for _, p in pairs):
        report["findings"].append(Finding("NaN", np.inf, "coefficients not finite"))
        return
    proofs = list(getattr(model, "certificates_", [model.certificate_]))
    if len(proofs) != len(pairs):
        proofs = [model.certificate_] * len(pairs)
    report["closed" if model.certificate_.closed else "open"] += 1
    if not all(proof.closed for proof in proofs) and not report["warned"]:
        report["findings"].append(Finding("silent", np.inf, f"no warning: {proofs}"))
    said = [statement_of(risk, point) for risk, point in pairs]
    for each, proof in zip(said, proofs, strict=True):
        report["findings"] += judge(each, proof)
        if proof.closed and each.scale > 0:
            room = (each.best.risk + each.best.error - proof.dual) / each.scale
            report["room"].append(float(room))
    if not hasattr(model, "certify"):
        return
    tolerance = _certify_again(case, model, said, report)
    if tampering:
        _tamper(case, model, said, report, rng, tolerance)


def _certify_again(case, model, said, report):
    """Judge what `certify` says of the model as its file has it.

    Returns the tolerance that an auditor holds the model to: its own, or a coarser one
    of at most 1e-3 if `certify` has a default that does not depend on the file.
    """
    tolerance = model.certificate_.tolerance
    proof = _certified(case, model, said, report, "certify")
    if proof is not None:
        tolerance = max(tolerance, min(proof.tolerance, COARSEST))
        if model.certificate_.closed and not proof.closed:
            text = f"closed at fit: {model.certificate_}; open now: {proof}"
            gap = proof.relative_gap
            report["findings"].append(Finding("open under certify", gap, text))
    if "rigorous" in inspect.signature(model.certify).parameters:
        _audit(case, model, said, report)
    return tolerance


def _certified(case, model, said, report, where, **options):
    """Return what `certify` says of the model after its way through a file, judged."""
    X, y, named = case.data.given()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            proof = through_a_file(model).certify(X, y, **named, **options)
    except InfimumError as error:
        if not options:
            text = str(error)[:300]
            report["findings"].append(Finding("certify refuses", np.inf, text))
        return None
    except Exception as error:
        report["findings"].append(_foreign(where, error))
        return None
    mine = matching(said, proof)
    if options:  # the auditor's kernel matrix is the one that was computed
        mine = mine._replace(best=mine.risk.blurred(mine.best, mine.point))
    report["findings"] += judge(mine, proof, where=where)
    return proof


def _audit(case, model, said, report):
    """Ask the auditor; two proofs of one model must leave room for one optimum."""
    proof = _certified(case, model, said, report, "auditor", rigorous=True)
    if proof is None:
        report["audited"].append("refused")
        return
    report["audited"].append("closed" if proof.closed else "open")
    fast = model.certificate_
    if not fast.closed or np.isnan([proof.primal, proof.dual]).any():
        return
    apart = max(proof.dual - fast.primal - slack_of(fast), fast.dual - proof.primal)
    blur = said[0].risk.blurred(said[0].own, said[0].point).error
    if len(said) == 1 and apart > blur + 1e-15 * abs(fast.primal):
        text = f"fit: {fast!r}; auditor: {proof!r}"
        report["findings"].append(Finding("auditor contradicts", apart, text))


def _tamper(case, model, said, report, rng, tolerance):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            through_a_file(model)
        except InfimumError:  # it cannot be kept, which `certify` has told
            return
        try:
            attempts = tamper(case, model, said, rng, tolerance)
        except Exception as error:
            report["findings"].append(_foreign("certify of a forged model", error))
            return
    for attempt in attempts:
        if attempt.outcome != "not applicable":
            report["tampering"].append([attempt.act, attempt.outcome])
        for finding in attempt.findings:
            missed = attempt.outcome == "missed" and finding.kind in ACCEPTED
            kind = f"tampering missed ({finding.kind})" if missed else finding.kind
            report["findings"].append(finding._replace(kind=kind))


def _plain(finding):
    return {"kind": finding.kind, "size": float(finding.size), "detail": finding.detail}
