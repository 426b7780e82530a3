"""The pages of the documentation: examples run and show what they say, paths exist."""

import contextlib
import io
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

from infimum import evaluation, features, models

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))
TEXTS = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *PAGES]
BLOCK = re.compile(r"```python\n(.*?)```\n(?:.*?```text\n(.*?)```)?", re.DOTALL)
#: Where the reader is told to make a file, and what a run of a benchmark writes.
NOT_YET = {"src/infimum/losses/your_loss.py", "docs/promises.md"}


def examples(page):
    """Return the examples of a page with what each is said to print."""
    text = page.read_text(encoding="utf-8")
    parts = re.split(r"(?=```python\n)", text)[1:]
    return [BLOCK.match(part).groups() for part in parts]


WITH_EXAMPLES = [page for page in PAGES if examples(page)]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run_and_print_what_it_shows(page):
    names = {"__name__": "example"}
    for code, shown in examples(page):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, page.name, "exec"), names)
        assert said.getvalue().strip() == (shown or "").strip(), code


def test_every_family_has_a_page():
    families = {"linear", "kernels", "trees", "neighbours_and_streams"}
    families |= {"clusters_embeddings_densities", "learn", "guarantees"}
    assert families <= {page.stem for page in WITH_EXAMPLES}


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.stem)
def test_what_a_text_points_to_exists(text):
    content = text.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", content)
    named = re.findall(r"`((?:src|tests|benchmarks|docs|decisions)/[\w./-]+)`", content)
    places = [text.parent / link for link in links] + [ROOT / name for name in named]
    gone = [place for place in places if not place.exists()]
    assert {place.resolve().relative_to(ROOT).as_posix() for place in gone} <= NOT_YET


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_the_classes_in_the_tables_of_a_page_are_ours(page):
    families = [
        import_module(f"infimum.models.{found.name}")
        for found in pkgutil.iter_modules(models.__path__)
        if found.ispkg
    ]
    rooms = [evaluation, features, *families]
    known = {name for room in rooms for name in room.__all__}
    lines = page.read_text(encoding="utf-8").splitlines()
    tables = "\n".join(line for line in lines if line.startswith("|"))
    assert set(re.findall(r"`([A-Z]\w+)`", tables)) <= known
