"""The pictures of docs/sequences.md: a tagged text, genes of a chloroplast, OCR words.

``python -m benchmarks.sequence_pictures text``, ``... genes NC_000932.gb`` and
``... words ocr_letters.npz`` each print what the page says and write a picture into
docs/images. The genome comes with the source archive of biopython (Tests/GenBank); the
words are those of the OCR data of Taskar's thesis.
"""

import re
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
from matplotlib import pyplot as plt

from benchmarks.tasks import _sequences
from infimum.models.linear import LogisticRegression
from infimum.models.sequence import CRF, CategoricalHMM

__all__ = ["main"]

IMAGES = Path(__file__).parent.parent / "docs" / "images"
#: Bases that a gene finder learns from, and where those end that judge it: what comes
#: then is a copy of a part, turned round, and few genes between.
LEARNT, JUDGED = 50_000, 84_000
SHOWN = slice(50_000, 84_000)
FORWARD, BACKWARD = (1, 2, 3), (4, 5, 6)


def save(figure, name):
    """Write a picture of the page."""
    figure.savefig(IMAGES / name, dpi=110, bbox_inches="tight")
    plt.close(figure)


NAMES = ["May", "Will", "Rose", "Mark", "Anna", "Peter", "Paris", "June"]
PLACES = ["Paris", "London", "Nancy", "Florence", "Berlin", "Victoria"]
MONTHS = ["May", "June", "March", "April", "August"]
PATTERNS = (
    "N met N in P", "N went to P in M", "in M N will leave P", "N may mark it in M",
    "we saw P and N rose", "N will come in M", "P is far from P", "N and N may march",
)  # fmt: skip


def sentences(count, seed):
    """Return made sentences and their tags: names, places, months, nothing."""
    rng = np.random.default_rng(seed)
    lists = {"N": NAMES, "P": PLACES, "M": MONTHS}
    tags = {"N": "name", "P": "place", "M": "month"}
    X, y = [], []
    for _ in range(count):
        words = str(rng.choice(PATTERNS)).split()
        y.append([tags.get(word, "-") for word in words])
        said = [str(rng.choice(lists[w])) if w in lists else w for w in words]
        X.append([said[0].capitalize(), *said[1:]])
    return X, y


def described(words):
    """Return what a field sees of each word."""
    return [
        {"word": w.lower(), "capital": w[0].isupper(), "first": k == 0}
        for k, w in enumerate(words)
    ]


def text():
    """Tag sentences whose words have several meanings."""
    X, y = sentences(300, 0)
    unseen, right = sentences(300, 1)
    field = CRF(c2=0.1).fit([described(words) for words in X], y)
    alone = CRF(c2=0.1).fit(
        [[token] for words in X for token in described(words)],
        [[tag] for tags in y for tag in tags],
    )
    tokens = [token for words in unseen for token in described(words)]
    flat = [tag for tags in right for tag in tags]
    single = np.mean(
        [
            a[0] == b
            for a, b in zip(alone.predict([[t] for t in tokens]), flat, strict=True)
        ]
    )
    together = field.score([described(words) for words in unseen], right)
    print(f"right tags: {single:.1%} word by word, {together:.1%} as sentences")
    print(field.certificate_)
    shown = ["May went to Florence in June", "In May Rose will leave Nancy"]
    figure, axes = plt.subplots(1, 2, figsize=(10, 2.6), sharey=True)
    for axis, line in zip(axes, shown, strict=True):
        words = line.split()
        chances = field.predict_marginals_single(described(words))
        table = np.array([[c[tag] for c in chances] for tag in field.classes_])
        axis.imshow(table, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        axis.set_xticks(range(len(words)), words)
        axis.set_yticks(range(len(table)), field.classes_)
        for k, t in np.argwhere(table > 0.5):
            axis.text(t, k, f"{table[k, t]:.2f}", ha="center", va="center", color="w")
    save(figure, "sequences_text.png")


def genome(path):
    """Return the bases of a GenBank file as 0 to 3, and the state of each of them."""
    lines = Path(path).read_text(encoding="ascii")
    table, _, origin = lines.partition("\nORIGIN")
    letters = re.sub("[^acgt]", "", origin)
    bases = np.array(["acgt".index(letter) for letter in letters])
    states = np.zeros(len(bases), dtype=int)
    for place in re.findall(r"^     CDS +([^/]+?)\n +/", table, flags=re.M | re.S):
        here = re.sub(r"\s", "", place)
        backward = here.startswith("complement")
        parts = re.findall(r"(\d+)\.\.>?(\d+)", here)
        where = [np.arange(int(a) - 1, int(b)) for a, b in parts]
        rows = np.concatenate(where)
        kinds = np.array(BACKWARD if backward else FORWARD)
        states[rows] = np.tile(kinds, len(rows) // 3 + 1)[: len(rows)]
        if "complement(" in here and not backward:  # parts of both strands
            states[rows] = -1
    return bases, states


def genes(path):
    """Find genes by a hidden Markov model of bases in the light of the two before."""
    bases, states = genome(path)
    padded = np.concatenate([[0, 0], bases])
    symbols = 16 * padded[:-2] + 4 * padded[1:-1] + padded[2:]
    model = CategoricalHMM(
        7, n_features=64, emissionprob_prior=2.0, n_iter=1, random_state=0
    ).fit([symbols[:LEARNT]], [states[:LEARNT]])
    chances = model.predict_proba([symbols[LEARNT:JUDGED]])[0]
    said = model.predict([symbols[LEARNT:JUDGED]])[0] > 0
    told = states[LEARNT:JUDGED] != 0
    print(
        f"{len(bases):,} bases, {LEARNT:,} learnt from, {JUDGED - LEARNT:,} kept back"
    )
    print(f"coding bases found: {np.mean(said[told]):.0%} of those annotated")
    print(f"annotated: {np.mean(told[said]):.0%} of those found")
    rows = slice(SHOWN.start - LEARNT, SHOWN.stop - LEARNT)
    axis_of = np.arange(SHOWN.start, SHOWN.stop) / 1000.0
    figure, axes = plt.subplots(2, 1, figsize=(10, 3.4), sharex=True, sharey=True)
    for axis, kinds, title in zip(
        axes, (FORWARD, BACKWARD), ("forward strand", "backward strand"), strict=True
    ):
        known = np.isin(states[SHOWN], kinds)
        axis.fill_between(axis_of, 0, known, color="0.85", step="mid", lw=0)
        chance = chances[rows][:, list(kinds)].sum(axis=1)
        axis.plot(axis_of, chance, color="C0", lw=0.8)
        axis.set_ylabel(title)
        axis.set_yticks([0, 1])
    axes[1].set_xlabel("thousand bases; grey: annotated genes, line: chance of coding")
    save(figure, "sequences_genes.png")


def words(path):
    """Read handwritten words letter by letter, and as words."""
    _sequences.OCR = Path(path)
    X, y, fold = _sequences.ocr_words()
    learnt = [k for k in range(len(X)) if fold[k] == 0]
    kept = [k for k in range(len(X)) if fold[k] == 1]
    field = CRF(c2=2.0, tol=1e-2).fit([X[k] for k in learnt], [y[k] for k in learnt])
    letters = LogisticRegression(C=0.05).fit(
        np.concatenate([X[k] for k in learnt]), np.concatenate([y[k] for k in learnt])
    )
    alone = [letters.predict(X[k]).tolist() for k in kept]
    together = field.predict([X[k] for k in kept])
    for name, said in (("letter by letter", alone), ("as words", together)):
        pairs = [
            (a, b)
            for one, k in zip(said, kept, strict=True)
            for a, b in zip(one, y[k], strict=True)
        ]
        share = np.mean([a == b for a, b in pairs])
        whole = np.mean([one == y[k] for one, k in zip(said, kept, strict=True)])
        print(f"{name}: {share:.1%} of letters, {whole:.1%} of words right")
    print(field.certificate_)
    draw_words([X[k] for k in kept], [y[k] for k in kept], alone, together)


def spelt(labels):
    """Return a word from the numbers of its letters."""
    first = 0 if min(labels) < 26 and max(labels) < 26 else ord("a")
    return "".join(chr(int(k) - first + ord("a")) for k in labels)


def draw_words(X, y, alone, together):
    """Show words of which letters alone are read wrongly, and both readings."""
    hard = [k for k in range(len(X)) if alone[k] != y[k] and 5 <= len(y[k]) <= 9]
    picked = sorted(hard[:: max(1, len(hard) // 8)][:8], key=lambda k: -len(y[k]))
    longest = [len(y[k]) for k in picked[::2]]  # of each column
    figure, axes = plt.subplots(
        2, 4, figsize=(11, 3.4),
        gridspec_kw={"width_ratios": [8 * size + 5 for size in longest]},
    )  # fmt: skip
    for place, k in enumerate(picked):
        axis = axes[place % 2, place // 2]
        axis.imshow(np.hstack(X[k].reshape(-1, 16, 8)), cmap="Greys", aspect="equal")
        edge = 8 * longest[place // 2] + 4.5
        axis.set(xlim=(-0.5, edge), ylim=(30.0, -0.5))  # one scale for all words
        axis.axis("off")
        for depth, said in ((20.0, alone[k]), (26.5, together[k])):
            for letter, (told, right) in enumerate(zip(said, y[k], strict=True)):
                axis.text(
                    8 * letter + 3.5, depth, spelt([told]), ha="center", va="center",
                    color="black" if told == right else "C3", fontsize=11,
                    weight="normal" if told == right else "bold",
                )  # fmt: skip
    figure.subplots_adjust(0.0, 0.0, 1.0, 1.0, wspace=0.0, hspace=0.0)
    save(figure, "sequences_words.png")


def main(arguments):
    """Draw the picture that is named."""
    {"text": text, "genes": genes, "words": words}[arguments[0]](*arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
