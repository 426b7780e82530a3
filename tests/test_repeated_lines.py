"""No two places of the library share more than twelve equal lines of code.

Constructors do not count: scikit-learn's readers expect every parameter written out.
Nor do docstrings, imports and what a file exports.
"""

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "infimum"
MOST = 12
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef


def left_out(tree):
    """Return the numbers of the lines that do not count."""
    nodes = []
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            nodes.append(node.body[0])
        constructor = isinstance(node, ast.FunctionDef) and node.name == "__init__"
        exports = isinstance(node, ast.Assign) and "__all__" in map(
            ast.unparse, node.targets
        )
        if constructor or exports or isinstance(node, ast.Import | ast.ImportFrom):
            nodes.append(node)
    return {line for node in nodes for line in range(node.lineno, node.end_lineno + 1)}


def runs(text, length):
    """Yield the first line and the words of as many lines of code without a break."""
    hidden = left_out(ast.parse(text))
    run = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.strip()
        if number in hidden:
            run = []
        elif words and not words.startswith("#"):
            run = [*run[1 - length :], (number, words)]
            if len(run) == length:
                yield run[0][0], tuple(each for _, each in run)


def repeated(texts, most=MOST):
    """Return the places of files that begin more equal lines than may be."""
    places = defaultdict(list)
    for name, text in texts.items():
        for line, words in runs(text, most + 1):
            places[words].append(f"{name}:{line}")
    return [each for each in places.values() if len(each) > 1]


def test_no_two_places_share_more_than_twelve_lines():
    files = sorted(SOURCE.rglob("*.py"))
    texts = {str(f.relative_to(SOURCE)): f.read_text(encoding="utf-8") for f in files}
    assert len(texts) > 500
    assert repeated(texts) == []


def test_a_copy_is_found_whatever_stands_between_its_lines():
    lines = [f"x{k} = {k}" for k in range(13)]
    plain = "\n".join(lines)
    spaced = "\n\n# a remark\n".join(lines)
    assert repeated({"a": plain, "b": "y = 0\n" + spaced}) == [["a:1", "b:2"]]
    assert repeated({"a": plain, "b": "\n".join(lines[1:])}) == []
    assert repeated({"a": plain, "b": spaced.replace("x7", "x8")}) == []


def test_constructors_and_docstrings_may_be_equal():
    body = "".join(f"        self.x{k} = x{k}\n" for k in range(20))
    text = f'class A:\n    """A."""\n\n    def __init__(self):\n{body}'
    assert repeated({"a": text, "b": text}) == []
    assert repeated({"a": text, "b": text.replace("__init__", "start")}) == []
    other = text.replace("__init__", "start")
    assert repeated({"a": other, "b": other}) != []
