#!/usr/bin/env python3
"""Measures medterm and other engines in turns, in one run, on the rows of a real store.

    python3 benches/peers/run.py --store STORE [--quick] [--peer BINARY]

Makes a private environment under target/peers and installs the others from PyPI there. Each engine
gets the same rows (f16, widened) and one thread; whatever claims to be exact must have all ten of
the ten nearest of a sum in f64, counting ties. Writes the tables between the marks of
docs/PERFORMANCE.md, and a plot beside it.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "peers"
PACKAGES = ["numpy", "faiss-cpu", "usearch", "hnswlib", "sqlite-vec", "apsw", "bm25s[core]", "numba", "matplotlib"]
THREADS = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"]


def enter_environment():
    """Runs this script again in its own environment, with one thread for everybody."""
    if os.environ.get("MEDTERM_PEERS") == "1":
        return
    folder = WORK / "env"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    environment = dict(os.environ, MEDTERM_PEERS="1", **{name: "1" for name in THREADS})
    os.execve(python, [str(python), *sys.argv], environment)


def peer_binary():
    """medterm's side, built with optimization."""
    command = ["cargo", "bench", "--bench", "peers", "--no-run", "--message-format=json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        message = json.loads(line)
        if message.get("target", {}).get("name") == "peers" and message.get("executable"):
            return message["executable"]
    raise SystemExit("cargo built no bench named peers")


class Medterm:
    """The other side of a pipe: questions in, nanoseconds and rows out."""

    def __init__(self, binary, store):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([binary, store, WORK], stdin=pipe, stdout=pipe, text=True)
        assert self.process.stdout.readline().strip() == "ready"

    def ask(self, *question):
        self.process.stdin.write(" ".join(map(str, question)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if not answer:
            raise SystemExit(f"medterm did not answer {question}")
        return int(answer[0]) / 1e6, [int(row) for row in answer[1:]]


def timed(work):
    began = time.perf_counter_ns()
    found = work()
    return (time.perf_counter_ns() - began) / 1e6, found


def in_turns(contenders, rounds):
    """Milliseconds of each contender, all of them once a round."""
    times = {name: [] for name in contenders}
    for turn in range(rounds + 3):
        for name, run in contenders.items():
            took = run(turn)
            if turn >= 3:
                times[name].append(took)
    return times


def middle(times):
    return statistics.median(times)


def late(times):
    return sorted(times)[len(times) * 99 // 100]


def queries():
    """Texts that people type, from the bench's own list."""
    source = (ROOT / "benches" / "common" / "mod.rs").read_text()
    listed = source.split("QUERIES: [&str; 32] = [")[1].split("];")[0]
    return [line.strip().strip('",') for line in listed.splitlines() if line.strip()]


def exact(rows, asked, k):
    """The k best scores of each query, in f64."""
    import numpy as np

    wide = asked.astype("f8").T
    scores = np.concatenate([part.astype("f8") @ wide for part in np.array_split(rows, 64)]).T
    return [(one, np.sort(one)[-k]) for one in scores]


def recall(found, truth, k):
    scores, kth = truth
    return sum(scores[row] >= kth - 1e-6 for row in list(found)[:k]) / k


def vectors(medterm, rows, asked, rounds, everything):
    """Exact top ten among these rows: milliseconds by engine, and recall."""
    import faiss
    import numpy as np

    faiss.omp_set_num_threads(1)
    count, k = len(asked), 10
    truth = exact(rows, asked, k)
    flat = faiss.IndexFlatIP(rows.shape[1])
    flat.add(rows)

    def by_numpy(query):
        scores = rows @ query
        best = np.argpartition(-scores, k)[:k]
        return best[np.argsort(-scores[best])]

    engines = {
        "faiss-cpu IndexFlatIP": lambda n: flat.search(asked[n][None], k)[1][0],
        "numpy sgemv + argpartition": lambda n: by_numpy(asked[n]),
    }
    approximate = []
    if everything:
        import apsw
        import hnswlib
        import sqlite_vec
        import usearch.index as usearch

        kind = usearch.MetricKind.IP
        engines["usearch exact f32"] = lambda n: usearch.search(
            rows, asked[n], k, kind, exact=True, threads=1
        ).keys
        # Python's own sqlite3 often loads no extensions.
        base = apsw.Connection(":memory:")
        base.enable_load_extension(True)
        base.load_extension(sqlite_vec.loadable_path())
        width = rows.shape[1]
        base.execute(f"create virtual table v using vec0(e float[{width}] distance_metric=cosine)")
        insert = "insert into v(rowid, e) values (?, ?)"
        with base:
            base.executemany(insert, ((n, row.tobytes()) for n, row in enumerate(rows)))
        select = f"select rowid from v where e match ? and k = {k}"
        engines["sqlite-vec"] = lambda n: [r[0] for r in base.execute(select, [asked[n].tobytes()])]
        graph = hnswlib.Index("ip", rows.shape[1])
        graph.init_index(len(rows), M=16, ef_construction=200)
        graph.add_items(rows, num_threads=os.cpu_count())
        graph.set_num_threads(1)
        for width in (50, 100, 200, 400, 800):
            graph.set_ef(width)
            found = [graph.knn_query(query, k)[0][0] for query in asked]
            if statistics.mean(recall(f, t, k) for f, t in zip(found, truth)) >= 0.97:
                break
        name = f"hnswlib, ef {width}"
        approximate.append(name)
        engines[name] = lambda n: graph.knn_query(asked[n], k)[0][0]

    shares = {}
    for name, run in engines.items():
        shares[name] = statistics.mean(recall(run(n), truth[n], k) for n in range(count))
    shares["medterm"] = statistics.mean(
        recall(medterm.ask("scan", n, k)[1], truth[n], k) for n in range(count)
    )
    for name, share in shares.items():
        assert name in approximate or share == 1.0, f"{name} claims to be exact: {share}"

    contenders = {"medterm": lambda turn: medterm.ask("scan", turn % count, k)[0]}
    contenders["a read of the same bytes"] = lambda turn: medterm.ask("read")[0]
    if everything:
        contenders["medterm, k = 100"] = lambda turn: medterm.ask("scan", turn % count, 100)[0]
    for name, run in engines.items():
        contenders[name] = lambda turn, run=run: timed(lambda: run(turn % count))[0]
    return in_turns(contenders, rounds), shares


def batches(medterm, rows, asked, rounds):
    """Milliseconds a query, of batches of 64."""
    import numpy as np

    k, size = 10, 64
    many = np.concatenate([asked] * (size // len(asked) + 1))[:size]

    def by_numpy(_):
        def work():
            scores = many @ rows.T
            return np.argpartition(-scores, k, axis=1)[:, :k]

        return timed(work)[0] / size

    contenders = {
        "medterm": lambda _: medterm.ask("batch", 0, size, k)[0] / size,
        "numpy sgemm + argpartition": by_numpy,
    }
    return in_turns(contenders, rounds)


def words(medterm, texts, rounds):
    """BM25 with OR over all names, the ten best."""
    import re
    import sqlite3

    import bm25s

    names = (WORK / "names.txt").read_text().splitlines()
    ranker = bm25s.BM25(backend="numba")
    ranker.index(bm25s.tokenize(names, stopwords=None, show_progress=False), show_progress=False)
    asked = [bm25s.tokenize([text], stopwords=None, show_progress=False) for text in texts]

    base = sqlite3.connect(":memory:")
    base.execute("create virtual table f using fts5(name, tokenize='porter unicode61')")
    base.executemany("insert into f(name) values (?)", ((name,) for name in names))
    base.execute("insert into f(f) values ('optimize')")
    select = "select rowid from f where f match ? order by rank limit 10"
    matches = [" OR ".join(re.findall(r"[a-z]+", text.lower())) for text in texts]
    count = len(texts)
    contenders = {
        "medterm": lambda turn: medterm.ask("words", turn % count)[0],
        "bm25s, numba": lambda turn: timed(
            lambda: ranker.retrieve(asked[turn % count], k=10, show_progress=False, n_threads=0)
        )[0],
        "SQLite FTS5": lambda turn: timed(
            lambda: base.execute(select, [matches[turn % count]]).fetchall()
        )[0],
    }
    return in_turns(contenders, rounds)


def whole(medterm, count, rounds):
    """Whole searches, and the embedding alone."""
    known = in_turns(
        {
            "hybrid, cached": lambda turn: medterm.ask("hybrid", turn % count)[0],
            "words alone": lambda turn: medterm.ask("lexical", turn % count)[0],
            "open": lambda _: medterm.ask("open")[0],
        },
        rounds,
    )
    new = in_turns(
        {
            "hybrid, new": lambda turn: medterm.ask("new", turn % count, turn)[0],
            "embedding": lambda turn: medterm.ask("embednew", turn % count, turn + 5000)[0],
        },
        rounds,
    )
    return {**known, **new}


def jittered(rows, count):
    """As many rows as asked for: the real ones, again and again, each moved a little."""
    import numpy as np

    random = np.random.default_rng(1)
    made = np.empty((count, rows.shape[1]), "f4")
    for start in range(0, count, len(rows)):
        part = rows[: count - start].copy()
        if start:
            part += random.standard_normal(part.shape, dtype="f4") * (0.35 / rows.shape[1] ** 0.5)
            part /= np.linalg.norm(part, axis=1, keepdims=True)
        made[start : start + len(part)] = part
    return made.astype("f2").astype("f4")


def take(medterm, rows):
    import numpy as np

    path = WORK / f"{len(rows)}.npy"
    np.save(path, rows)
    milliseconds, (size,) = medterm.ask("matrix", path)
    path.unlink()
    return milliseconds / 1e3, size


def plot(curve):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "medterm"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for name in ("medterm", "faiss-cpu IndexFlatIP", "numpy sgemv + argpartition", "a read of the same bytes"):
        points = [(count, middle(times[name])) for count, times in sorted(curve.items())]
        style = "--" if name.startswith("a read") else "-"
        axes.plot(*zip(*points), style, marker="o", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("rows of 384 dimensions (beyond the real ones: jittered)")
    axes.set_ylabel("milliseconds for the exact ten nearest, one thread")
    axes.legend()
    axes.grid(True, which="both", alpha=0.3)
    figure.tight_layout()
    for kind, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
        figure.savefig(ROOT / "docs" / f"scan.{kind}", dpi=130, metadata=metadata)


def verdict(goal, value, reached):
    return f"| {goal} | {value} | {'reached' if reached else '**missed**'} |"


def report(results):
    near, shares, batch, texts, search, curve, built = results
    ours = middle(near["medterm"])
    lines = ["| exact ten nearest, real rows | p50, ms | p99, ms | times medterm | recall@10 |", "|---|---|---|---|---|"]
    for name, times in near.items():
        share = f"{shares[name]:.3f}" if name in shares else ""
        lines.append(f"| {name} | {middle(times):.2f} | {late(times):.2f} | {middle(times) / ours:.1f} | {share} |")
    lines += ["", "| BM25 with OR, ten best of all names | p50, ms | p99, ms | times medterm |", "|---|---|---|---|"]
    for name, times in texts.items():
        lines.append(f"| {name} | {middle(times):.3f} | {late(times):.3f} | {middle(times) / middle(texts['medterm']):.1f} |")
    lines += ["", "| whole searches | p50, ms | p99, ms |", "|---|---|---|"]
    for name, times in search.items():
        lines.append(f"| {name} | {middle(times):.2f} | {late(times):.2f} |")
    lines += ["", "| rows | medterm, ms | a read of the same bytes | faiss flat | numpy | matrix written in | on disk |", "|---|---|---|---|---|---|---|"]
    for count, times in sorted(curve.items()):
        seconds, size = built[count]
        columns = ("medterm", "a read of the same bytes", "faiss-cpu IndexFlatIP", "numpy sgemv + argpartition")
        numbers = " | ".join(f"{middle(times[name]):.2f}" for name in columns)
        lines.append(f"| {count:,} | {numbers} | {seconds:.1f} s | {size / count:.0f} bytes a row |")

    ratio = lambda name: middle(near[name]) / ours
    graph = next(name for name in near if name.startswith("hnswlib"))
    gemm = middle(batch["numpy sgemm + argpartition"]) / middle(batch["medterm"])
    fts, bm25s = (middle(texts[name]) / middle(texts["medterm"]) for name in ("SQLite FTS5", "bm25s, numba"))
    worst = late(texts["medterm"]) / late(texts["bm25s, numba"])
    added = middle(search["hybrid, new"]) - middle(search["embedding"])
    roof = middle(near["a read of the same bytes"]) / ours
    lines += ["", "| goal | measured | |", "|---|---|---|"]
    for name, goal in (("faiss-cpu IndexFlatIP", 10), ("numpy sgemv + argpartition", 12), ("usearch exact f32", 15), ("sqlite-vec", 40)):
        lines.append(verdict(f"≥ {goal} times as fast as {name}", f"{ratio(name):.1f} times", ratio(name) >= goal))
    lines.append(verdict("≤ 1.2 times the time of hnswlib at a recall of 0.97 or more", f"{1 / ratio(graph):.2f} times ({graph}, recall {shares[graph]:.3f})", 1 / ratio(graph) <= 1.2))
    lines.append(verdict("≥ 85% of a read of the same bytes, the whole search", f"{roof:.0%}", roof >= 0.85))
    lines.append(verdict("a batch of 64 ≥ 4 times as fast as numpy sgemm, a query", f"{gemm:.1f} times ({middle(batch['medterm']):.2f} ms a query)", gemm >= 4))
    million = max(curve)
    if million >= 1_000_000:
        share = middle(curve[million]["medterm"]) / middle(curve[million]["faiss-cpu IndexFlatIP"])
        growth = middle(curve[million]["medterm"]) / ours * built["real"] / 100_000
        lines.append(verdict("1M rows: ≤ ¼ of faiss flat", f"{share:.2f}", share <= 0.25))
        lines.append(verdict("1M rows: ≤ 20 times the time of 100k", f"{growth:.1f} times", growth <= 20))
    lines.append(verdict("BM25 p50 ≥ 50 times as fast as SQLite FTS5", f"{fts:.0f} times", fts >= 50))
    lines.append(verdict("BM25 p50 ≥ 2 times as fast as bm25s with numba", f"{bm25s:.1f} times", bm25s >= 2))
    lines.append(verdict("BM25 p99 ≤ bm25s with numba", f"{worst:.2f} times", worst <= 1))
    lines.append(verdict("hybrid, new words: embedding + 1 ms at p50", f"embedding + {added:.2f} ms", added <= 1))
    cached = search["hybrid, cached"]
    lines.append(verdict("hybrid, cached: p50 ≤ 1 ms, p99 ≤ 3 ms", f"{middle(cached):.2f} and {late(cached):.2f} ms", middle(cached) <= 1 and late(cached) <= 3))
    lines.append(verdict("opening ≤ 2 ms for 100k concepts", f"{middle(search['open']):.2f} ms", middle(search["open"]) <= 2))
    return "\n".join(lines)


def write_report(text):
    path = ROOT / "docs" / "PERFORMANCE.md"
    begin, end = "<!-- peers: begin -->", "<!-- peers: end -->"
    before, rest = path.read_text().split(begin)
    path.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}")


def clear():
    for path in [*WORK.glob("*.dense.bin"), *WORK.glob("[0-9]*.npy")]:
        path.unlink()


def main():
    enter_environment()
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--store", required=True, help="a store with an index of real rows")
    arguments.add_argument("--quick", action="store_true", help="few rounds, and no million rows")
    arguments.add_argument("--peer", help="the built bench, where cargo need not be asked")
    arguments = arguments.parse_args()
    import numpy as np

    WORK.mkdir(parents=True, exist_ok=True)
    clear()
    texts = queries()
    (WORK / "queries.txt").write_text("\n".join(texts))
    medterm = Medterm(arguments.peer or peer_binary(), arguments.store)
    rows, asked = np.load(WORK / "rows.npy"), np.load(WORK / "queries.npy")
    rounds = 40 if arguments.quick else 200
    built = {"real": len(rows)}
    take(medterm, rows)
    near, shares = vectors(medterm, rows, asked, rounds, True)
    batch = batches(medterm, rows, asked, max(5, rounds // 10))
    curve = {}
    for count in (10_000, 100_000) if arguments.quick else (10_000, 100_000, 1_000_000):
        some = jittered(rows, count)
        built[count] = take(medterm, some)
        curve[count], _ = vectors(medterm, some, asked, max(10, rounds * 10_000 // count), False)
        del some
    found = words(medterm, texts, rounds), whole(medterm, len(texts), rounds)
    write_report(report((near, shares, batch, *found, curve, built)))
    plot(curve)
    clear()


if __name__ == "__main__":
    main()
