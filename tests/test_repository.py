"""What people expect in a repository is there, and agrees with the package."""

import re
import tomllib
from pathlib import Path

import infimum

ROOT = Path(__file__).parent.parent


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_readme_fits_on_two_screens_and_shows_eight_families():
    readme = read("README.md")
    assert readme.count("\n") <= 110
    shown = readme.partition("<!-- families -->")[2].partition("<!-- /")[0]
    assert len(re.findall(r"^\| ", shown, flags=re.MULTILINE)) == 2 + 8
    for line in (line for line in shown.splitlines() if line.startswith("| ")):
        assert line in read("docs/benchmarks.md")


def test_the_changes_of_a_version_fit_on_a_page():
    sections = re.split(r"^## ", read("CHANGELOG.md"), flags=re.MULTILINE)[1:]
    (now,) = [text for text in sections if text.startswith(f"[{infimum.__version__}]")]
    assert now.count("\n") <= 80


def test_the_architecture_fits_on_a_page_with_a_short_glossary():
    text = read("ARCHITECTURE.md")
    words = text.partition("## Words")[2].partition("##")[0]
    assert 5 < len(re.findall(r"^\| \w", words, flags=re.MULTILINE)) <= 60
    assert len(re.findall(r"^\d+\. \*\*", text, flags=re.MULTILINE)) == 10


def test_the_citation_names_this_version():
    assert f"\nversion: {infimum.__version__}\n" in read("CITATION.cff")


def test_the_workflow_checks_tests_and_builds_on_three_systems():
    workflow = read(".github/workflows/check.yaml")
    assert "make check test" in workflow
    assert all(name in workflow for name in ("ubuntu", "macos", "windows"))


def test_nothing_is_installed_that_nothing_imports():
    project = tomllib.loads(read("pyproject.toml"))["project"]
    modules = {"scikit-learn": "sklearn"}
    source = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")
    )
    for line in project["dependencies"]:
        name = re.match(r"[\w-]+", line)[0]
        module = modules.get(name, name)
        found = rf"^\s*(?:from|import) {module}\b|import_module\(\"{module}"
        assert re.search(found, source, flags=re.MULTILINE), name
    assert set(project["optional-dependencies"]) == {"test", "bench", "distributed"}
