"""Processes and threads, and other libraries with threads of their own: nothing hangs, and checksums stay the same."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import clopt

# "Never", on however busy a machine.
NEVER = 240
BOUNDS = 3 * [(-5.0, 5.0)]


def solve(seed, device="openmp:0"):
    """One checksum of all solvers, by the library's threads and by a function of Python."""
    runs = (
        clopt.differential_evolution("rastrigin", BOUNDS, problems=7, maxiter=9, seed=seed, device=device),
        clopt.differential_evolution(lambda x: (x * x).sum(0), BOUNDS, vectorized=True, maxiter=9, seed=seed, device=device),
        clopt.genetic("rastrigin", 7, maxiter=9, seed=seed, device=device),
        clopt.ecga("trap5", 20, population=200, maxiter=2, seed=seed, device=device),
        clopt.subset_sum([31, 41, 59, 26, 53, 58, 97], 150 + seed, device=device),
        clopt.exchange("ring:5", seed=seed, device=device),
        clopt.fit("line", [[1, 2, 4 + seed], [3, 1, 0]], [0, 0], device=device),
    )
    return " ".join(run.checksum for run in runs)


@pytest.fixture(scope="module")
def expected():
    # The parent has used the library, and has threads, before any child begins.
    return [solve(seed) for seed in range(4)]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_processes(expected, method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(solve, range(4), chunksize=1).get(timeout=NEVER) == expected


def test_threads(expected):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = [pool.submit(solve, seed % 4) for seed in range(16)]
        assert [each.result(timeout=NEVER) for each in found] == 4 * expected


def test_threads_share_a_device(expected, device):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = [pool.submit(solve, seed, device) for seed in range(4)]
        assert [each.result(timeout=NEVER) for each in found] == expected


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_fork_while_another_thread_solves(expected):
    is_over = threading.Event()

    def proceed():
        clopt.differential_evolution(
            "rastrigin", BOUNDS, maxiter=2**31 - 1, callback=lambda intermediate_result: is_over.is_set(), device="openmp:0"
        )

    thread = threading.Thread(target=proceed)
    thread.start()
    try:
        child = os.fork()
        if child == 0:
            signal.alarm(NEVER)
            os._exit(0 if solve(1) == expected[1] else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        is_over.set()
        thread.join()


def is_refused(device):
    """Whether a run on a device is refused, since its process was forked."""
    try:
        clopt.differential_evolution("rastrigin", BOUNDS, maxiter=9, device=device)
    except clopt.NoDevice as error:
        return "forked" in str(error)
    return False


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_fork_cannot_use_its_parents_driver(expected):
    drivers = [each for each in clopt.devices() if each.backend == "opencl"]
    if not drivers:
        pytest.skip("there is no OpenCL device")
    opened = clopt.open(drivers[0].id)
    run = clopt.differential_evolution("rastrigin", BOUNDS, maxiter=9, device=opened)
    child = os.fork()
    if child == 0:
        signal.alarm(NEVER)
        os._exit(0 if is_refused(opened) and is_refused(drivers[0].id) and solve(1) == expected[1] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert clopt.differential_evolution("rastrigin", BOUNDS, maxiter=9, device=opened).checksum == run.checksum


def work_of(library):
    """A product by the threads of numpy's BLAS or of torch."""
    if library == "numpy":
        matrix = np.random.default_rng(1).normal(size=(300, 300))
        return lambda: float((matrix @ matrix).trace())
    torch = pytest.importorskip("torch")
    matrix = torch.ones((300, 300), dtype=torch.float64)
    return lambda: float((matrix @ matrix).trace())


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_beside_other_libraries(expected, library):
    work = work_of(library)
    before = work()
    assert [solve(seed) for seed in range(4)] == expected
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = [pool.submit(solve, seed) for seed in range(4)]
        products = [pool.submit(work) for _ in range(50)]
        assert [each.result(timeout=NEVER) for each in found] == expected
        assert all(each.result(timeout=NEVER) == pytest.approx(before) for each in products)


@pytest.mark.parametrize("order", ["numpy, clopt", "clopt, numpy", "torch, clopt", "clopt, torch"])
def test_order_of_imports(expected, order):
    if "torch" in order:
        pytest.importorskip("torch")
    lines = [f"import {order}", "import test_processes", "print(test_processes.solve(1))"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=NEVER, env=environment
    )
    assert done.stdout.strip() == expected[1], done.stderr


SUB_INTERPRETER = """
try:
    import _interpreters as interpreters  # Python 3.13 and later
except ImportError:
    import _xxsubinterpreters as interpreters
{before}
# The older kind, which shares the interpreter's lock; the other one takes no module of nanobind.
made = interpreters.create(*(["legacy"] if hasattr(interpreters, "exec") else []))
interpreters.run_string(made, '''
import sys
sys.path[:0] = {path}
try: import clopt
except ImportError as error: print(error)
''')
interpreters.destroy(made)
"""


@pytest.mark.parametrize("before", ["", "import clopt"])
def test_a_sub_interpreter_is_refused(before):
    """A run would wait for ever, since functions are called in the main interpreter."""
    done = ended(SUB_INTERPRETER.format(before=before, path=sys.path))
    refusal = "clopt cannot be used in a sub-interpreter of Python: use a thread or a process\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, refusal, "")


ENDS = """
import threading, time
import clopt
went_on = threading.Event()
def callback(state):
    went_on.set()
def work():
    clopt.differential_evolution({func}, 30 * [(-5, 5)], maxiter=2**31 - 1, device="openmp:0", population=8, callback=callback)
threading.Thread(target=work, daemon=True).start()
assert went_on.wait(200)
"""


@pytest.mark.parametrize("func", ["'rastrigin'", "lambda x: float((x * x).sum())", "lambda x: time.sleep(0.3) or 1.0"])
@pytest.mark.long
def test_the_process_ends_while_a_thread_solves(func):
    done = ended(ENDS.format(func=func))
    assert (done.returncode, done.stderr) == (0, "")


# What a module of Python's own holds goes last.
SLOW_END = """
import sys
class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(3)
sys.slow = Slow()
"""


@pytest.mark.parametrize("where", ["func", "callback"])
@pytest.mark.long
def test_the_process_ends_slowly_while_a_thread_is_in_a_function(where):
    """The function comes back when Python has ended, but the process has not: Python ends the thread then, in it."""
    if where == "func":
        text = ENDS.format(func="lambda x: (went_on.set(), time.sleep(3), 1.0)[2]")
    else:
        text = ENDS.format(func="'rastrigin'").replace("went_on.set()", "went_on.set(); time.sleep(3)")
    done = ended(text + SLOW_END)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_solver_is_called_while_the_process_ends():
    """By what was registered before clopt was loaded, and so comes after clopt's own."""
    lines = ["import atexit", "atexit.register(lambda: print(clopt.differential_evolution('sphere', [(0, 1)], maxiter=3).nit))"]
    done = ended("\n".join([*lines, ENDS.format(func="'rastrigin'")]))
    assert (done.returncode, done.stdout, done.stderr) == (0, "3\n", "")


def test_an_exception_that_is_kept():
    lines = ["import clopt", "try: clopt.differential_evolution(lambda x: 1 / 0, [(-5, 5)])", "except Exception as e: kept = e"]
    done = ended("\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")


def test_functions_are_for_the_processor_by_default():
    """Whatever the default device is: here one that there is not."""
    lines = [
        "import clopt",
        "for solve in (lambda f: clopt.differential_evolution(f, [(-5, 5)], maxiter=3), lambda f: clopt.genetic(f, 5, kind='bits', maxiter=3),",
        "              lambda f: clopt.ecga(f, 5, population=20, maxiter=2)):",
        "    print(solve(lambda x: float(x.sum())).launches > 0)",
        "try: clopt.differential_evolution('sphere', [(-5, 5)])",
        "except clopt.NoDevice: print('none')",
    ]
    done = ended("\n".join(lines), CLOPT_DEVICE="nothing-is-called-this")
    assert (done.stdout.split(), done.stderr) == (["True", "True", "True", "none"], "")


def ended(text, **environment):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=NEVER, env=environment)


def test_python_continues_while_the_library_computes():
    """The interpreter's lock is free then."""
    ticks, is_over = 0, threading.Event()

    def count():
        nonlocal ticks
        while not is_over.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    clopt.differential_evolution("rastrigin", BOUNDS, problems=1000, maxiter=2**31 - 1, time_limit=1, device="openmp:0")
    is_over.set()
    thread.join()
    assert ticks > 5
