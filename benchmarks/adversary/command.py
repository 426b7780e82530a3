"""The command: attack many problems, print a table, keep failures with their seeds."""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.adversary.page import page
from benchmarks.whole_files import write_whole

__all__ = ["audited_of", "main", "room_of", "rows_of", "table_of"]

#: Failures are written and progress is told after so many problems.
EVERY = 100
#: Kinds of failures, as columns of the table count them.
FALSE = ("false proof", "infeasible", "inflated scale", "dual above primal",
         "risk misstated")  # fmt: skip
COLUMNS = (
    "family", "problems", "closed", "open", "refused", "false proofs",
    "dual above optimum", "other failures", "tampered", "noticed", "harmless",
    "missed", "slowest fit (s)",
)  # fmt: skip
#: Families without anything to compile, for a quick look.
QUICK = ("lasso, elastic net", "ridge", "least squares", "logistic", "quantile",
         "Poisson, gamma, Tweedie")  # fmt: skip


def main(arguments=None):
    """Attack; return 1 if anything was refuted."""
    options = _options(arguments)
    if options.replay is not None:
        return _replay(options)
    from benchmarks.adversary.pool import attack_all

    chosen = _chosen(options)
    seeds = range(options.seed, options.seed + options.problems)
    settings = {"families": chosen, "tampering": not options.no_tampering}
    began, reports = time.monotonic(), []
    for report in attack_all(list(seeds), options.processes, settings, options.limit):
        reports.append(report)
        if len(reports) % EVERY == 0:
            spent = time.monotonic() - began
            _keep(reports, options, spent)
            text = f"{len(reports)} of {options.problems} problems, {spent:.0f} s"
            print(text, file=sys.stderr, flush=True)
    spent = time.monotonic() - began
    _keep(reports, options, spent)
    _tell(reports, spent)
    return 1 if any(report.get("findings") for report in reports) else 0


def _keep(reports, options, spent):
    """Write the failures so far, and the page, where they are asked for."""
    if options.out:
        failures = sorted(filter(_failed, reports), key=lambda report: report["seed"])
        write_whole(Path(options.out), json.dumps(failures, indent=1) + "\n")
    if options.page:
        found = {
            "problems": len(reports), "seconds": spent, "kinds": _kinds(reports),
            "unsure": _unsure(reports), "audited": audited_of(reports),
            "room": room_of(reports),
        }  # fmt: skip
        given = f"--problems {options.problems} --seed {options.seed}"
        command = f"python -m benchmarks.adversary {given}"
        text = page(command, table_of(rows_of(reports)), found, _commit())
        write_whole(Path(options.page), text)


def _unsure(reports):
    return sum("judge" in report for report in reports)


def _tell(reports, spent):
    """Print the table and what failed."""
    print(table_of(rows_of(reports)))
    print(f"{len(reports)} problems in {spent:.0f} s")
    for kind, count in _kinds(reports):
        print(f"  {count:6d}  {kind}")
    print(f"  {_unsure(reports):6d}  without a verdict of the judge")
    print(f"  the auditor: {audited_of(reports)}")
    print(f"  room above closed bounds, in units of the scale: {room_of(reports)}")


def _commit():
    code = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(code, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _options(arguments):
    parser = argparse.ArgumentParser(
        "python -m benchmarks.adversary", description=__doc__
    )
    parser.add_argument("--problems", type=int, default=None, help="how many (1000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--limit", type=float, default=40.0, help="seconds a problem")
    parser.add_argument("--family", action="append", help="only this one; repeatable")
    parser.add_argument("--no-tampering", action="store_true")
    parser.add_argument("--out", help="JSON file of the failures")
    parser.add_argument("--page", help="Markdown file to write")
    parser.add_argument(
        "--quick", action="store_true", help="60 problems, few families"
    )
    parser.add_argument(
        "--replay", type=int, help="attack one seed again, and tell all"
    )
    options = parser.parse_args(arguments)
    if options.problems is None:
        options.problems = 60 if options.quick else 1000
    return options


def _chosen(options):
    """Return the families to attack, None for all; the seeds depend on the choice."""
    if options.family:
        return tuple(options.family)
    return QUICK if options.quick else None


def _replay(options):
    from benchmarks.adversary.attack import attack

    report = attack(options.replay, _chosen(options))
    print(json.dumps(report, indent=1, default=str))
    return 1 if report["findings"] else 0


def _failed(report):
    return bool(report.get("findings")) or "judge" in report


def rows_of(reports):
    """Return one row of counts for each family, and one for all."""
    names = sorted({report.get("family", "not drawn") for report in reports})
    groups = [[r for r in reports if r.get("family", "not drawn") == n] for n in names]
    rows = [_row(name, group) for name, group in zip(names, groups, strict=True)]
    return [*rows, _row("all", reports)]


def _row(name, group):
    kinds = [{f["kind"] for f in report.get("findings", ())} for report in group]
    tried = Counter(what for report in group for _, what in report.get("tampering", ()))
    judged = [k - {"dual above optimum"} - set(FALSE) for k in kinds]
    other = [{x for x in k if not x.startswith("tampering")} for k in judged]
    noticed = tried["refused"] + tried["left open"]
    return {
        "family": name, "problems": len(group),
        "closed": sum(report.get("closed", 0) for report in group),
        "open": sum(report.get("open", 0) for report in group),
        "refused": sum(report.get("refused", 0) for report in group),
        "false proofs": sum(bool(k & set(FALSE)) for k in kinds),
        "dual above optimum": sum("dual above optimum" in k for k in kinds),
        "other failures": sum(bool(k) for k in other),
        "tampered": noticed + tried["harmless"] + tried["missed"], "noticed": noticed,
        "harmless": tried["harmless"], "missed": tried["missed"],
        "slowest fit (s)": max((r.get("seconds", 0.0) for r in group), default=0.0),
    }  # fmt: skip


def table_of(rows):
    """Return the rows as a Markdown table."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" + "|---:" * 12 + "|"]
    for row in rows:
        cells = [f"{row[c]:.1f}" if isinstance(row[c], float) else f"{row[c]:,}"
                 if isinstance(row[c], int) else row[c] for c in COLUMNS]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def audited_of(reports):
    """Return how many models the auditor proved, left open or did not take."""
    counted = Counter(what for report in reports for what in report.get("audited", ()))
    words = ("closed", "open", "refused")
    return ", ".join(f"{counted[word]:,} {word}" for word in words)


def room_of(reports):
    """Return how far below the best witness the bounds lie: what could be noticed."""
    rooms = sorted(room for report in reports for room in report.get("room", ()))
    if not rooms:
        return "none"
    shares = {"median": 0.5, "9 of 10 below": 0.9, "99 of 100 below": 0.99}
    last = len(rooms) - 1
    return ", ".join(f"{k} {rooms[int(q * last)]:.0e}" for k, q in shares.items())


def _kinds(reports):
    kinds = Counter(
        kind for report in reports
        for kind in {finding["kind"] for finding in report.get("findings", ())}
    )  # fmt: skip
    return kinds.most_common()
