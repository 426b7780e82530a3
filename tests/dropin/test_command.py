"""``python -m infimum.dropin script.py`` runs a script with the patch on."""

import subprocess
import sys

SCRIPT = """
import sys
from pathlib import Path
import beside
from sklearn.linear_model import Ridge
from sklearn.svm import LinearSVC

model = Ridge().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
print(__name__, Path(__file__).name, sys.argv[1:], beside.NUMBER)
print(Ridge.__module__, LinearSVC.__module__, model.certificate_.closed)
if "fail" in sys.argv:
    sys.exit(7)
"""


def run(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "infimum.dropin", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )


def write(folder):
    home = folder / "somewhere"
    home.mkdir()
    (home / "beside.py").write_text("NUMBER = 42\n")
    (home / "script.py").write_text(SCRIPT)
    return home / "script.py"


def test_a_script_runs_as_if_python_had_been_given_it(tmp_path):
    result = run(write(tmp_path), "--depth", "3", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    first, second = result.stdout.splitlines()
    assert first == "__main__ script.py ['--depth', '3'] 42"
    assert second == (
        "infimum.models.linear.closed_form.ridge "
        "infimum.models.linear.classification.linear_svc True"
    )


def test_the_exit_code_is_the_scripts(tmp_path):
    assert run(write(tmp_path), "fail", cwd=tmp_path).returncode == 7


def test_a_missing_script_is_one_sentence_and_code_2(tmp_path):
    result = run(tmp_path / "nowhere.py")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "there is no script" in result.stderr
    assert "nowhere.py" in result.stderr


def test_without_a_script_the_usage_is_told():
    nothing, help_asked = run(), run("--help")
    assert nothing.returncode == 2
    assert nothing.stderr.startswith("usage: python -m infimum.dropin SCRIPT")
    assert help_asked.returncode == 0
    assert help_asked.stdout == nothing.stderr
