"""A real pair on any machine: a small language model and its quantized copies.

The model guesses the next character of Python source. It learns from the standard library
that came with this Python, except for fifty modules: those are what it is asked about. So
questions, clusters, sampled answers, training runs and rounding are all real, and nothing
is downloaded. The seed is fixed: one Python version always makes the same files, another
has another library and gives other numbers.

Uses load. Next: python report.py results_real.csv --baseline full --cluster module
"""
import csv
import os
import sys
import sysconfig
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

SEED = 0
CONTEXT = 6                    # characters the model sees before it guesses
BITS = 8                       # per character, so that seven of them fit into one int64
SYMBOLS = 2**BITS
HELD_OUT, PLACES = 50, 100     # modules asked about, questions from each
ASKABLE = 2_000                # characters a module needs for so many questions
SAMPLED = "full", "q4"         # the models that also answer at a temperature
ANSWERS, TEMPERATURE = 5, 0.7
RUNS = 5                       # training runs of each recipe
STARTED = time.monotonic()

# Tests, demos and generated tables are not the code that a library is made of.
SKIP = {"test", "tests", "idlelib", "lib2to3", "turtledemo", "encodings", "pydoc_data"}


def read_modules(folder):
    """{dotted name: source text} of the modules below `folder`, sorted by name.

    What is not UTF-8 in a file is read as the replacement character.
    """
    texts = {}
    for here, folders, files in os.walk(folder):
        # What is not a name cannot be imported: site-packages, config-3.12-x86_64-linux-gnu.
        folders[:] = [name for name in folders if name.isidentifier() and name not in SKIP]
        for path in (Path(here, file) for file in files):
            generated = path.name.startswith("_sysconfigdata")
            if path.suffix == ".py" and path.is_file() and not generated:
                parts = path.relative_to(folder).with_suffix("").parts
                text = path.read_text(encoding="utf-8", errors="replace")
                texts[".".join(parts).removesuffix(".__init__")] = text
    return dict(sorted(texts.items()))


def ngrams(text):
    """Every run of CONTEXT + 1 characters as one number, shape (len(text) - CONTEXT,).

    Characters are Latin-1 codes, with ? for the hundred or so others. The last one stands
    in the lowest bits: `gram >> BITS` is the context, `gram & mask(k)` the last k.
    """
    codes = np.frombuffer(text.encode("latin-1", errors="replace"), np.uint8)
    grams = np.zeros(max(len(codes) - CONTEXT, 0), np.int64)
    for i in range(CONTEXT + 1):
        grams = grams << BITS | codes[i:i + len(grams)]
    return grams


def mask(k):
    return (1 << BITS * k) - 1


class Order(NamedTuple):
    """What a model stores for n-grams of one length; a model is a list of these, shortest first.

    A model without its last Orders is the model with so many characters less of context.
    """
    grams: np.ndarray          # those seen in training, sorted
    logp: np.ndarray           # natural log of P(last character | the ones before)
    contexts: np.ndarray       # those seen in training, sorted
    backoff: np.ndarray        # log of the weight that a character not seen after one has


def train(grams):
    """An interpolated n-gram model of CONTEXT characters of context, from ngrams of shape (n,)."""
    return witten_bell(*np.unique(grams, return_counts=True), CONTEXT + 1)[0]


def witten_bell(grams, count, length):
    """(Orders up to this length, P(last character | context) of each of `grams`).

    P(c | h) = (count(hc) + kinds(h) P(c | h')) / (count(h) + kinds(h)), where h' is h without
    its oldest character and kinds(h) says how many different ones came after h: the more there
    were, the likelier is yet another. At the bottom every character has P = 1 / SYMBOLS.
    Witten & Bell 1991; interpolated as in Chen & Goodman 1999.
    """
    if length == 0:
        return [], np.array([1 / SYMBOLS])
    shorter, parent = np.unique(grams & mask(length - 1), return_inverse=True)
    orders, p_shorter = witten_bell(shorter, np.bincount(parent, count), length - 1)
    contexts, of = np.unique(grams >> BITS, return_inverse=True)
    total, kinds = np.bincount(of, count), np.bincount(of)
    p = (count + kinds[of] * p_shorter[parent]) / (total + kinds)[of]
    return [*orders, Order(grams, np.log(p), contexts, np.log(kinds / (total + kinds)))], p


def log_probabilities(model, contexts):
    """Log P(next character | context), shape (n, SYMBOLS), of contexts of shape (n,).

    The longest n-gram that was seen gives the stored value. Each longer context that was
    seen too, only never with this character after it, adds its backoff weight.
    """
    table = np.full((len(contexts), SYMBOLS), -np.log(SYMBOLS))
    for k, order in enumerate(model):
        context = contexts & mask(k)
        at = np.searchsorted(order.contexts, context).clip(max=len(order.contexts) - 1)
        seen = order.contexts[at] == context
        table[seen] += order.backoff[at[seen], None]
        start = np.searchsorted(order.grams, context << BITS)
        stop = np.searchsorted(order.grams, context + 1 << BITS)
        found = np.concatenate([np.arange(i, j) for i, j in zip(start, stop)])
        row = np.repeat(np.arange(len(contexts)), stop - start)
        table[row, order.grams[found] & mask(1)] = order.logp[found]
    return table


def quantize(values, bits):
    """Each of `values`, shape (n,), replaced by the nearest of 2**bits centres.

    Centres are the means of equally filled bins: Federico & Bertoldi 2006, "How many bits
    are needed to store probabilities for phrase-based translation?", and KenLM after them.
    """
    bins = np.array_split(np.sort(values), 2**bits)
    centres = np.array([values.mean() for values in bins if len(values)])
    return centres[np.searchsorted((centres[1:] + centres[:-1]) / 2, values)]


def quantized(model, bits):
    """A copy of the model; every Order has one codebook for `logp` and one for `backoff`."""
    return [order._replace(logp=quantize(order.logp, bits), backoff=quantize(order.backoff, bits))
            for order in model]


def draw_questions(texts, rng):
    """Hold modules out, and draw the places in them that a model is asked about.

    Returns (asked, questions, learnt): the names of the modules held out; the n-grams that
    end at the places, shape (HELD_OUT * PLACES,), each with its answer as last character;
    {name: n-grams} of all other modules. Raises ValueError where most would be held out.
    """
    askable = [name for name, text in texts.items() if len(text) >= ASKABLE]
    if len(askable) < 3 * HELD_OUT:
        raise ValueError(f"found {len(askable)} modules of the standard library as source, need "
                         f"{3 * HELD_OUT}; use a Python whose library is not zipped or stripped")
    asked = sorted(rng.choice(askable, HELD_OUT, replace=False).tolist())
    grams = {name: ngrams(text) for name, text in texts.items()}
    places = [np.sort(rng.choice(len(grams[name]), PLACES, replace=False)) for name in asked]
    questions = np.concatenate([grams[name][at] for name, at in zip(asked, places)])
    return asked, questions, {name: grams[name] for name in texts if name not in asked}


def right(table, questions):
    """1 where the likeliest character is the right one, shape (n,).

    Rounding makes ties, and argmax takes the first of equals: nearly every answer that
    rounding changes is changed by a tie.
    """
    return (table.argmax(axis=1) == questions & mask(1)).astype(int)


def sample(table, rng):
    """Characters drawn with P in proportion to exp(log p / TEMPERATURE), shape (n, ANSWERS)."""
    weight = np.exp((table - table.max(axis=1, keepdims=True)) / TEMPERATURE)
    upto = weight.cumsum(axis=1)
    luck = rng.random((len(table), ANSWERS)) * upto[:, -1:]
    return (upto[:, None, :] <= luck[:, :, None]).sum(axis=2)


def copies(full):
    """(name, model) of what is compared: one at a time, since a copy is as big as the model."""
    yield "full", full
    for bits in (8, 4, 3, 2):
        yield f"q{bits}", quantized(full, bits)
    yield "short", full[:-1]


def ask(full, questions, rng):
    """({model: (n,) of 0/1}, {sampled model: (n, ANSWERS) of 0/1}) for the model and its copies."""
    scores, tries = {}, {}
    for name, model in copies(full):
        progress(f"asking {name}")
        table = log_probabilities(model, questions >> BITS)
        scores[name] = right(table, questions)
        if name in SAMPLED:
            tries[name] = (sample(table, rng) == (questions & mask(1))[:, None]).astype(int)
    return scores, tries


def train_again(learnt, questions, rng):
    """Rows (run, recipe, accuracy): each run learns from its own random half of the modules."""
    rows = []
    for context in (CONTEXT - 1, CONTEXT):
        for run in range(1, RUNS + 1):
            progress(f"training run {len(rows) + 1} of {2 * RUNS}")
            half = rng.permutation(list(learnt))[:len(learnt) // 2]
            model = train(np.concatenate([learnt[name] for name in half]))[:context + 1]
            score = right(log_probabilities(model, questions >> BITS), questions).mean()
            rows.append((f"context{context}-{run}", f"context{context}", float(score)))
    return rows


def progress(step):
    """A line on the terminal that the next one overwrites, once a second has passed."""
    if sys.stderr.isatty() and time.monotonic() - STARTED > 1:
        print(f"{step:<30}", end="\r", file=sys.stderr, flush=True)


def write_whole(files):
    """Write {name: (header, rows)} as CSV files; none takes its name before all are whole."""
    try:
        for name, (header, rows) in files.items():
            with open(f"{name}.part", "w", newline="", encoding="utf-8") as f:
                csv.writer(f).writerows([header, *rows])
        for name in files:
            os.replace(f"{name}.part", name)
    finally:
        for name in files:
            Path(f"{name}.part").unlink(missing_ok=True)


def main():
    rng = np.random.default_rng(SEED)
    texts = read_modules(sysconfig.get_path("stdlib"))
    asked, questions, learnt = draw_questions(texts, rng)
    progress("training the full model")
    full = train(np.concatenate(list(learnt.values())))
    scores, tries = ask(full, questions, rng)
    runs = train_again(learnt, questions, rng)

    qids = [f"py{sys.version_info[0]}.{sys.version_info[1]}/{name}/{i:04d}"
            for name in asked for i in range(PLACES)]
    modules = np.repeat(asked, PLACES)
    answers = [(qid, module, name, score, number) for name, rows in tries.items()
               for qid, module, row in zip(qids, modules, rows)
               for number, score in enumerate(row, 1)]
    write_whole({
        "results_real.csv": (["qid", "module", *scores],
                             zip(qids, modules, *scores.values())),
        "answers_real.csv": (["qid", "module", "model", "score", "try"], answers),
        "runs_real.csv": (["run", "recipe", "accuracy"], runs)})

    million = sum(len(texts[name]) for name in learnt) / 1e6
    print(f"Python {sys.version.split()[0]}: {len(learnt)} modules to learn from "
          f"({million:.1f} million characters),")
    print(f"{PLACES} questions from each of {HELD_OUT} others: n = {len(questions):,}")
    print(f"the first id is {qids[0]}\n")
    print_table(scores)
    print("\nq8 to q2 store numbers of so many bits; short sees one character less.")
    print(f"answers_real.csv: {ANSWERS} answers a question at temperature {TEMPERATURE}, "
          + " and ".join(SAMPLED))
    print(f"runs_real.csv: {RUNS} training runs each with {CONTEXT - 1} and {CONTEXT} "
          "characters of context")
    print("Next: python report.py results_real.csv --baseline full --cluster module")


def print_table(scores):
    print("model   accuracy  gap, points  disagreement with full")
    full = scores["full"]
    for name, score in scores.items():
        gap, flips = 100 * (score - full).mean(), (score != full).sum()
        against = f"{gap:+13.1f}{flips:7,} questions, {100 * flips / len(full):.1f} %"
        print(f"{name:<6}{100 * score.mean():8.1f} %" + against * (name != "full"))


if __name__ == "__main__":
    from load import arguments, one_line

    with one_line():
        arguments(__doc__, pair=False).parse_args()
        main()
