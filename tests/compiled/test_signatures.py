"""What ordinary calls need is declared, so that the installation can compile it."""

import json
import os
import random
import subprocess
import sys

import pytest

from benchmarks.ordinary_calls import classes
from benchmarks.other_calls import OTHERS
from infimum.compiled.signatures import read_signatures, type_of, words_of

DECLARED = read_signatures()
SOME = random.Random(18).sample(sorted(classes()), 8)
SOME += random.Random(18).sample(OTHERS, 3)


def test_types_come_back_from_their_words():
    every = [
        words
        for signatures in DECLARED.values()
        for signature in signatures
        if isinstance(signature, list)
        for words in signature
    ]
    assert len(every) > 500
    assert [words_of(type_of(words)) for words in every] == every


@pytest.mark.parametrize("name", SOME)
def test_the_loops_that_a_class_calls_are_declared(name):
    call = [sys.executable, "-m", "benchmarks.signatures", "--small", "--here", name]
    done = subprocess.run(
        call,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        capture_output=True,
        text=True,
    )
    called = json.loads(done.stdout.splitlines()[-1])
    missing = {
        loop: [each for each in signatures if each not in DECLARED.get(loop, [])]
        for loop, signatures in called.items()
    }
    assert {loop: some for loop, some in missing.items() if some} == {}
