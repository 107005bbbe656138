"""Times protocols of other programs beside ours on the same work, in seconds of the processor:

    python3 -m venv peers
    peers/bin/pip install flwr==1.42.0 openmined-psi==2.0.6
    peers/bin/python tools/experiments/joint/peers.py

It is run in the folder of the repository, builds dither, and prints a table. Intersections, which take half a minute, are
made once; sums are the least of five.
"""

import json
import os
import re
import resource
import subprocess
import tempfile
import time

import numpy as np
import private_set_intersection.python as psi
from flwr.common.secure_aggregation import ndarrays_arithmetic as arithmetic
from flwr.common.secure_aggregation.crypto import shamir, symmetric_encryption
from flwr.common.secure_aggregation.secaggplus_utils import pseudo_rand_gen
from flwr.supercore.primitives.asymmetric import generate_key_pairs

KEYS, NUMBERS, PARTIES = 100_000, 1_000_000, 3


def least(work, times):
    """The least seconds of the processor that work takes."""
    took = []
    for _ in range(times):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return min(took)


def lists():
    """Two lists of keys, half of which are in both."""
    a = [f"key {i}" for i in range(KEYS)]
    return a, [f"key {i + KEYS // 2}" for i in range(KEYS)]


def openmined():
    """The size of an intersection, with exact answers; the client learns it."""
    mine, theirs = lists()
    server, client = psi.server.CreateWithNewKey(False), psi.client.CreateWithNewKey(False)
    setup = server.CreateSetupMessage(1e-9, KEYS, theirs, psi.DataStructure.RAW)
    size = client.GetIntersectionSize(setup, server.ProcessRequest(client.CreateRequest(mine)))
    if size != KEYS // 2:
        raise ValueError(f"{size} keys in common")


def secaggplus():
    """The parts of SecAgg+: keys, shares of them, masks, sums; without a server's messages."""
    bound, shape = 1 << 32, [(NUMBERS,)]
    draw = np.random.default_rng(1)
    values = [draw.integers(0, 1 << 20, NUMBERS) for _ in range(PARTIES)]
    keys = [generate_key_pairs() for _ in range(PARTIES)]
    seeds = [os.urandom(32) for _ in range(PARTIES)]
    total = [np.zeros(NUMBERS, dtype=np.int64)]
    for k in range(PARTIES):
        shamir.create_shares(seeds[k], 2, PARTIES)
        masked = [values[k]]
        masked = arithmetic.parameters_addition(masked, pseudo_rand_gen(seeds[k], bound, shape))
        for other in range(PARTIES):
            if other == k:
                continue
            shared = symmetric_encryption.generate_shared_key(keys[k][0], keys[other][1])
            mask = pseudo_rand_gen(shared, bound, shape)
            if k > other:
                masked = arithmetic.parameters_addition(masked, mask)
            else:
                masked = arithmetic.parameters_subtraction(masked, mask)
        total = arithmetic.parameters_addition(total, arithmetic.parameters_mod(masked, bound))
    for seed in seeds:
        total = arithmetic.parameters_subtraction(total, pseudo_rand_gen(seed, bound, shape))
    total = arithmetic.parameters_mod(total, bound)
    if not np.array_equal(total[0], sum(values)):
        raise ValueError("the sum is another")


def intersection(folder):
    """Ours of the two lists: what both parties take in one process."""
    dither = os.path.join(folder, "dither")
    plan, tables = os.path.join(folder, "plan.yaml"), []
    subprocess.run(["go", "build", "-o", dither, "./cmd/dither"], check=True)
    for k, keys in enumerate(lists()):
        tables += ["--data", os.path.join(folder, f"{k}.csv")]
        with open(tables[-1], "w", encoding="utf-8") as f:
            f.write("\n".join(["key"] + keys) + "\n")
    subprocess.run([dither, "joint", "plan", "--protocol", "intersectionsize", "--party", "a", "--party", "b", "--key",
                    "key", "--data", tables[1], "-o", plan], check=True, stdout=subprocess.DEVNULL)
    out = subprocess.run([dither, "joint", "try", plan, *tables, "--json"], check=True, capture_output=True)
    return sum(p["run"]["cpuSeconds"] for p in json.loads(out.stdout)["parties"])


def masks():
    """Ours of the numbers: the benchmark of masked sums, all parties in one process."""
    n, times = 20, []
    for _ in range(5):
        args = ["go", "test", "./joint/sums", "-run", "^$", "-bench", f"Sums/masks/{NUMBERS}$", "-count", "1"]
        took = {}
        for runs in (1, 1 + n):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            out = subprocess.run([*args, "-benchtime", f"{runs}x"], check=True, capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if not re.search(r"Benchmark\S*masks", out.stdout):
                raise ValueError(out.stdout)
            took[runs] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        times.append((took[1 + n] - took[1]) / n)
    return min(times)


def main():
    with tempfile.TemporaryDirectory() as folder:
        rows = [("size of the intersection of two lists of 100,000", "openmined-psi", least(openmined, 1),
                 "intersectionsize", intersection(folder)),
                ("sum of 1,000,000 numbers of three parties", "SecAgg+ of flwr", least(secaggplus, 5), "maskedsum",
                 masks())]
    print("| work | peer | processor, s | ours | processor, s | ratio |\n|---|---|--:|---|--:|--:|")
    for work, peer, theirs, name, own in rows:
        print(f"| {work} | {peer} | {theirs:.2f} | `{name}` | {own:.2f} | {own / theirs:.2f} |")


main()
