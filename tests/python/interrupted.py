"""Interrupts a run of every solver with every kind of objective as Ctrl-C does, and prints for each a line of JSON: how
long it took until the exception came, how long a call of the function may take, and the best that the exception has.

test_runs.py looks at the values, tools/python-times at the times. Arguments: parts of names, of the runs wanted.
"""

import ctypes
import json
import os
import signal
import sys
import threading
import time

import numpy as np

import clopt

CALL = 0.001  # seconds of a plain function's call

device = clopt.open("openmp:0", threads=1)
begun = threading.Event()
calls = 0


def plain(x):
    global calls
    calls += 1
    if calls > 600:  # the first generations of each are evaluated
        begun.set()
    time.sleep(CALL)
    return (x * x).sum()


def vectorised(x):
    global calls
    calls += 1
    if calls > 2:  # there is a best one by then
        begun.set()
    return (x * x).sum(0)


@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_double))
def through_ctypes(n, x):
    return sum(x[i] * x[i] for i in range(n))


def see(intermediate_result):
    begun.set()


TEXT = clopt.Objective.text("real objective_term(individual x, uint i) { return gene(x, i) * gene(x, i); }", bounds=(-5, 5))
BITS = clopt.Objective.text(
    "// clopt: bits, maximise\nint objective_count(individual x, uint i) { return (gene(x, i) ^ gene(x, (i + 1) % genes(x))) & 1; }"
)
RESIDUALS = clopt.Objective.text("real residual(individual x, uint j) { return gene(x, 0) * exp(-gene(x, 1) * j) - row(x, j); }")
BOUNDS = 10 * [(-5, 5)]
ROWS = np.random.default_rng(1).uniform(0, 1, (200_000, 12))
endless = {"maxiter": 2**31 - 1, "device": device}
seen = {**endless, "callback": see}
WEIGHTS, CAPACITY = clopt.subset_sum_instance("half:4000", seed=1)
sweep = {"method": "k3-32", "reduce": False, "device": device, "callback": see, "callback_interval": 0.0}

RUNS = {
    "differential_evolution, built-in": lambda: clopt.differential_evolution("rastrigin", 30 * [(-5, 5)], **seen),
    "differential_evolution, text": lambda: clopt.differential_evolution(TEXT, BOUNDS, **seen),
    "differential_evolution, fits": lambda: clopt.differential_evolution(RESIDUALS, 2 * [(0, 5)], data=ROWS, **seen),
    "differential_evolution, C function": lambda: clopt.differential_evolution(clopt.CFunction(through_ctypes), BOUNDS, **seen),
    "differential_evolution, vectorised": lambda: clopt.differential_evolution(vectorised, BOUNDS, vectorized=True, **endless),
    "differential_evolution, plain": lambda: clopt.differential_evolution(plain, BOUNDS, **endless),
    "genetic, built-in": lambda: clopt.genetic("rastrigin", 64, **seen),
    "genetic, text": lambda: clopt.genetic(TEXT, 64, **seen),
    "genetic, C function": lambda: clopt.genetic(clopt.CFunction(through_ctypes), bounds=BOUNDS, **seen),
    "genetic, vectorised": lambda: clopt.genetic(vectorised, bounds=BOUNDS, vectorized=True, **endless),
    "genetic, plain": lambda: clopt.genetic(plain, 64, kind="bits", population=128, **endless),
    "genetic, islands": lambda: clopt.genetic("rastrigin", 64, islands=4, migrate_every=10, **seen),
    "ecga, built-in": lambda: clopt.ecga("nk4", 200, population=5000, **seen),
    "ecga, text": lambda: clopt.ecga(BITS, 200, population=5000, stagnation=None, **seen),
    "ecga, vectorised": lambda: clopt.ecga(
        lambda x: vectorised(x * np.arange(200)[:, None]), 200, vectorized=True, population=5000, stagnation=None, **endless
    ),
    "ecga, plain": lambda: clopt.ecga(plain, 100, population=400, stagnation=None, **endless),
    "subset_sum": lambda: clopt.subset_sum(WEIGHTS, CAPACITY, **sweep),
    "exchange, anneal": lambda: clopt.exchange("torus:8x8", steps="bound", optimizer="anneal", **seen),
    "exchange, tabu": lambda: clopt.exchange("torus:8x8", steps="bound", optimizer="tabu", **seen),
    "exchange, umda": lambda: clopt.exchange("torus:6x6", steps="bound", optimizer="umda", **seen),
    "fit": lambda: clopt.fit("exponential", np.tile(ROWS, (5, 1)), [1, 1, 0], precision="double", device=device, callback=see),
}


def best_of(result):
    if isinstance(result, clopt.IntermediateResult):
        return result.fun
    if isinstance(result, clopt.SubsetSumResult):
        return result.value
    if isinstance(result, clopt.FitResult):
        return np.nanmin(result.chi_squared)
    return result.conflicts if isinstance(result, clopt.ExchangeResult) else result.fun


def main():
    sent = 0.0

    def interrupt():
        nonlocal sent
        begun.wait()
        time.sleep(0.05)
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    global calls
    for name, run in RUNS.items():
        if sys.argv[1:] and not any(part in name for part in sys.argv[1:]):
            continue
        begun.clear()
        calls = 0
        thread = threading.Thread(target=interrupt)
        thread.start()
        line = {"name": name, "call": CALL if "plain" in name else 0.0}
        try:
            run()
        except clopt.Interrupted as error:
            line["seconds"] = time.monotonic() - sent
            line["ended"] = error.result is not None and not isinstance(error.result, clopt.IntermediateResult)
            line["ending"] = getattr(error.result, "ending", None)
            line["best"] = None if error.result is None else float(best_of(error.result))
        begun.set()
        thread.join()
        print(json.dumps(line), flush=True)


main()
