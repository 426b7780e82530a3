"""Machine code follows the sources: of a loop, and of every loop that it calls."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import infimum
from infimum.compiled.cache_key import BASELINES, _processors

CALLED = """from infimum.compiled.inner_loop import inner_loop

@inner_loop()
def answer():
    return {}
"""
CALLER = """from infimum.compiled.called import answer
from infimum.compiled.loop import loop

@loop()
def ask():
    return answer()
"""
ASK = "from infimum.compiled.caller import ask; print(ask(), len(ask.stats.cache_hits))"
AGAIN = """
import importlib, os, pathlib
from infimum.compiled import called, caller
before = caller.ask()
place = pathlib.Path(called.__file__)
place.write_text(place.read_text().replace("return 1", "return 22"))
importlib.reload(called)
print(before, importlib.reload(caller).ask())
"""
WHERE = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
HERE = Path(infimum.__file__).parent


@pytest.fixture
def copy(tmp_path):
    """Return the folder of a package with our room of loops and two loops more."""
    return write_package(tmp_path / "copy", 1)


def write_package(root, number):
    ignored = shutil.ignore_patterns("__pycache__", "machine_code")
    shutil.copytree(HERE / "compiled", root / "infimum/compiled", ignore=ignored)
    shutil.copy(HERE / "typing.py", root / "infimum")
    (root / "infimum/__init__.py").touch()
    (root / "infimum/compiled/caller.py").write_text(CALLER)
    edit(root, number)
    return root


def edit(root, number):
    (root / "infimum/compiled/called.py").write_text(CALLED.format(number))


def run(code, *path, python=sys.executable, **settings):
    """Run code in a new process that finds its modules in these folders first."""
    site = sysconfig.get_paths()["purelib"]
    # A folder of machine code that the caller shares would know these loops already.
    ours = {"INFIMUM_MACHINE_CODE", "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [python, "-c", code],
        env={
            **{k: v for k, v in os.environ.items() if k not in ours},
            "PYTHONPATH": os.pathsep.join(map(str, (*path, site))),
            "PYTHONDONTWRITEBYTECODE": "1",
            **settings,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_new_process_sees_a_change_in_a_loop_that_is_called(copy):
    assert [run(ASK, copy), run(ASK, copy)] == ["1 0", "1 1"]
    edit(copy, 22)
    assert [run(ASK, copy), run(ASK, copy)] == ["22 0", "22 1"]
    edit(copy, 1)  # what was right once is right again
    assert run(ASK, copy) == "1 1"


def test_the_same_process_sees_it_after_reloading_and_keeps_nothing_half_old(copy):
    assert run(AGAIN, copy) == "1 22"
    assert [run(ASK, copy), run(ASK, copy)] == ["22 0", "22 1"]


def test_an_upgrade_by_pip_does_not_compute_with_the_old_loops(tmp_path):
    venv.create(tmp_path / "env", symlinks=True)
    python = tmp_path / "env/bin/python"
    folder = run(WHERE, "", python=python)
    found = []
    for version, number in (("1", 1), ("2", 22)):
        wheel = write_wheel(tmp_path, version, number)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install"]
        subprocess.run([*pip, "-q", "--no-deps", "--no-index", str(wheel)], check=True)
        found += [run(ASK, folder, python=python) for _ in range(2)]
    assert found == ["1 0", "1 1", "22 0", "22 1"]


def write_wheel(root, version, number):
    """Write the package as a wheel, so simple that the standard library can do it."""
    package = write_package(root / version, number)
    notes = package / f"infimum-{version}.dist-info"
    notes.mkdir()
    (notes / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: infimum\nVersion: {version}\n"
    )
    (notes / "WHEEL").write_text(
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files = [each for each in package.rglob("*") if each.is_file()]
    names = [each.relative_to(package).as_posix() for each in files]
    (notes / "RECORD").write_text("".join(f"{name},,\n" for name in names))
    wheel = root / f"infimum-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in (*files, notes / "RECORD"):
            archive.write(file, file.relative_to(package).as_posix())
    return wheel


def test_code_for_a_baseline_serves_every_processor_that_has_its_features(copy):
    name = "x86-64-v3"
    features = ",".join(f"+{each}" for each in BASELINES[name])
    limited = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
    kept = str(copy / "kept")
    assert run(ASK, copy, INFIMUM_MACHINE_CODE=kept, **limited) == "1 0"
    assert run(ASK, copy, INFIMUM_MACHINE_CODE=kept) == "1 1"


def test_a_processor_that_lacks_a_feature_does_not_take_the_code_of_a_baseline():
    every = ",".join(f"+{each}" for each in BASELINES["x86-64-v3"])
    newer = _processors("triple", "new", f"{every},+avx512f,-sse4a")
    older = _processors("triple", "old", every.replace("+bmi2", "-bmi2"))
    assert [len(newer), len(older)] == [2, 1]
    assert newer[0] != older[0]
