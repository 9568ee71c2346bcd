"""Jobs of MPI: ranks share runs, tell what they did, and end together."""

import functools
import json
import math
import os
import pickle
import shutil
import subprocess
import sys

import pytest

import clopt

NEVER = 120

LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"],
    "mpich": ["mpiexec.hydra"],
}

JOIN = """
import json, os, sys, threading, time
import clopt
member = clopt.cluster.join()
run = {"device": "openmp:0"}
square = clopt.Objective.text("real objective_term(individual x, uint i) { return gene(x, i) * gene(x, i); }")
bounds = 3 * [(-5, 5)]
def tell(**words):
    print(json.dumps(words) + "\\n", end="", flush=True)  # one write, since ranks share the stream
"""

SERVE = JOIN + """
if member and not member.is_first:
    sys.exit(member.serve("openmp:0"))
"""


def run_job(mpi, ranks, script, **environment):
    """Runs a script on ranks. Returns its status, the objects that it tells, and its messages."""
    others = ("CLOPT_", "OMPI_", "PMI", "SLURM_")
    inherited = {name: text for name, text in os.environ.items() if not name.startswith(others)}
    # One machine's memory is shared without leave to look into another process, which containers do not give.
    inherited["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none"
    inherited["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [*LAUNCHERS[mpi], "-n", str(ranks), sys.executable, "-c", script],
        capture_output=True, text=True, timeout=NEVER, stdin=subprocess.DEVNULL, env={**inherited, **environment},
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")], done.stderr


@functools.cache
def missing(mpi):
    """Why there are no jobs of this MPI; empty where there are."""
    if not shutil.which(LAUNCHERS[mpi][0]):
        return f"{LAUNCHERS[mpi][0]} is not installed"
    status, _, errors = run_job(mpi, 2, SERVE)
    if "there is no module" in errors:
        return f"the module for {mpi} is not built"
    assert status == 0, errors
    return ""


@pytest.fixture(params=["openmpi", pytest.param("mpich", marks=pytest.mark.long)])
def each_mpi(request):
    if reason := missing(request.param):
        pytest.skip(reason)
    return request.param


@pytest.fixture
def job():
    """Runs a script on ranks of Open MPI."""
    if reason := missing("openmpi"):
        pytest.skip(reason)
    return functools.partial(run_job, "openmpi")


def test_without_a_launcher(device):
    assert clopt.cluster.join() is None
    assert clopt.differential_evolution("sphere", [(0, 1)], problems=3, maxiter=2, device=device).cluster is None


SHARED = """
import pickle
result = clopt.differential_evolution(square, bounds, problems=101, maxiter=40, seed=3, **run)
report = result.cluster
assert pickle.loads(pickle.dumps(result)).cluster == report
results = report and {"ranks": report.ranks, "per_rank": [len(each.devices) for each in report.per_rank],
                   "requests": report.requests, "alone": report.alone, "engine": report.engine}
tell(checksum=result.checksum, values=result.fun.tolist(), report=results)
"""


def test_one_result_for_every_number_of_ranks(each_mpi):
    _, [alone], _ = run_job(each_mpi, 1, SERVE + SHARED, CLOPT_CLUSTER="off")
    assert alone["report"] is None
    for ranks in (1, 2, 3):
        status, results, errors = run_job(each_mpi, ranks, SERVE + SHARED)
        assert status == 0 and len(results) == 1, errors
        assert (results[0]["checksum"], results[0]["values"]) == (alone["checksum"], alone["values"])
        report = results[0]["report"]
        assert report["engine"] == "MPI" and report["ranks"] == ranks
        if ranks > 1:
            assert report["alone"] == "" and report["per_rank"] == ranks * [1] and report["requests"] >= ranks


def test_members(job):
    script = JOIN + """
tell(rank=member.rank, ranks=member.ranks, local=[member.local_rank, member.local_ranks], first=member.is_first,
     share=member.share_of("abcde"), few=member.share_of("a"), asked=member.threads(3), threads=member.threads(),
     library=member.library, text=repr(member), same=clopt.cluster.join() is member)
if not member.is_first:
    status = member.serve("openmp:0")
    tell(rank=9, status=status)
    sys.exit()
member.leave(7)
member.leave()
result = clopt.differential_evolution(square, bounds, problems=9, maxiter=2, **run)
try:
    clopt.cluster.join()
except clopt.InvalidInput as error:
    tell(rank=8, alone=result.cluster is None, refused=str(error))
"""
    status, results, errors = job(2, script)
    assert status == 0, errors
    first, second, left, served = sorted(results, key=lambda each: each["rank"])
    assert (first["rank"], first["first"], first["share"]) == (0, True, ["a", "c", "e"])
    assert (second["rank"], second["first"], second["share"]) == (1, False, ["b", "d"])
    for each in (first, second):
        assert each["ranks"] == 2 and each["local"] == [each["rank"], 2] and each["few"] == ["a"] and each["same"]
        assert each["asked"] == 3 and each["threads"] >= 1 and "MPI" in each["library"] and "of 2" in each["text"]
    assert served["status"] == 7
    assert left["alone"] and "left the job" in left["refused"]


@pytest.mark.long
def test_what_the_first_rank_does_alone(job):
    script = SERVE + """
import ctypes
@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_double))
def pointer(n, x):
    return x[0] * x[0]
many = {"problems": 7, "maxiter": 4, **run}
seen = []
def nested(x):
    return clopt.differential_evolution(square, bounds, **run).fun
def callback(intermediate_result):
    seen.append(intermediate_result)
    if intermediate_result.nfev > 0:
        raise StopIteration
def alone(result):
    return result.cluster.alone
tell(
    python=alone(clopt.differential_evolution(lambda x: (x * x).sum(), bounds, **many)),
    pointer=alone(clopt.differential_evolution(clopt.CFunction(pointer), bounds, **many)),
    one=alone(clopt.differential_evolution(square, bounds, maxiter=4, **run)),
    statistics=alone(clopt.differential_evolution(square, bounds, statistics=True, **many)),
    callback=alone(clopt.differential_evolution(
        square, bounds, problems=99, maxiter=2**31 - 1, callback=callback, **run)),
    genetic=alone(clopt.genetic("sphere", 3, maxiter=3, **run)),
    islands=alone(clopt.genetic("sphere", 3, islands=3, migrate_every=5, maxiter=20, **run)),
    ecga=alone(clopt.ecga("onemax", 9, population=50, **run)),
    subset_sum=alone(clopt.subset_sum([1, 2, 3], 5, **run)),
    exchange=alone(clopt.exchange("ring:4", **run)),
    searches=alone(clopt.exchange("mesh:3x3", optimizer="anneal", searches=3, **run)),
    calls=len(seen), nfev=seen[-1].nfev if seen else 0, fun=seen[-1].fun if seen else None,
)
try:
    clopt.differential_evolution(nested, bounds, **run)
except clopt.InvalidInput as error:
    tell(nested=str(error))
try:
    member.serve()
except clopt.InvalidInput as error:
    tell(serve=str(error))
"""
    status, results, errors = job(2, script)
    assert status == 0, errors
    reasons = results[0]
    assert "function of one process" in reasons["python"] and reasons["pointer"] == reasons["python"]
    assert "one problem" in reasons["one"] and "statistics" in reasons["statistics"]
    assert reasons["callback"] == "" and reasons["calls"] == 1 and reasons["nfev"] > 0
    for solver in ("subset_sum", "exchange"):
        assert "not shared out" in reasons[solver]
    assert "so few pairs" in reasons["ecga"]
    assert "one island" in reasons["genetic"]
    assert reasons["searches"] == "" and reasons["islands"] == ""
    assert "only one works at a time" in results[1]["nested"] and "first rank" in results[2]["serve"]


@pytest.mark.long
def test_an_exception_on_the_first_rank_ends_the_others(job):
    for block in ("raise LookupError('mine')", "with member:\n    raise LookupError('mine')"):
        status, _, errors = job(3, SERVE + block)
        assert status != 0 and "LookupError: mine" in errors
    status, results, errors = job(2, SERVE + "with member:\n    sys.exit(5)")
    assert status == 5, errors


@pytest.mark.long
def test_scripts_without_serve_end_with_a_message(job):
    solve = "\nresult = clopt.differential_evolution(square, bounds, problems=99, **run)\n"
    status, _, errors = job(2, JOIN + solve)
    assert status != 0 and "this is rank 1 of 2, and only the first one calls solvers" in errors
    assert "rank 1 on " in errors  # what the first one raises
    status, _, errors = job(2, JOIN + "\nif not member.is_first:\n    sys.exit()\n" + solve)
    assert status != 0 and "its script has ended without member.serve()" in errors
    status, _, errors = job(2, JOIN + "\nif not member.is_first:\n    member.leave()\n" + solve)
    assert status != 0 and "only the first one leaves" in errors


@pytest.mark.long
def test_devices_that_another_rank_cannot_open(job):
    script = JOIN + """
if not member.is_first:
    sys.exit(member.serve("no such device"))
try:
    clopt.differential_evolution(square, bounds, problems=99, **run)
except clopt.NoDevice as error:
    tell(message=str(error))
"""
    status, results, errors = job(2, script)
    assert status == 0 and results and results[0]["message"].startswith("rank 1 on "), errors


@pytest.mark.long
def test_interrupts(job, tmp_path):
    interrupt = """
import signal
def interrupt():
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
"""
    script = SERVE + interrupt + """
try:
    clopt.differential_evolution(square, bounds, problems=99, maxiter=2**31 - 1, **run)
except clopt.Interrupted as interrupted:
    result = interrupted.result
    tell(fun=float(min(result.fun)) if isinstance(result, clopt.RunResult) else result and result.fun)
again = clopt.differential_evolution(square, bounds, problems=99, maxiter=2, **run)
tell(alone=again.cluster.alone)
"""
    status, results, errors = job(2, script)
    assert status == 0 and results[1]["alone"] == "", errors
    assert results[0]["fun"] is None or math.isfinite(results[0]["fun"])
    # Of a rank that serves: nothing is printed, since the launcher ends all.
    script = JOIN + f"""
if member.is_first:
    time.sleep({NEVER})
{interrupt}
try:
    member.serve("openmp:0")
except KeyboardInterrupt:
    open({str(tmp_path / "seen")!r}, "w").close()
"""
    status, _, errors = job(2, script)
    assert status != 0 and (tmp_path / "seen").exists(), errors


@pytest.mark.long
def test_children_of_a_rank_are_no_ranks(job):
    script = SERVE + """
import multiprocessing
def work(_):
    try:
        clopt.differential_evolution(square, bounds, **run)
    except clopt.InvalidInput as error:
        return [clopt.cluster.join() is None, str(error)]
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(1) as pool:
        tell(forked=pool.map(work, [0])[0])
    tell(alone=clopt.differential_evolution(square, bounds, problems=9, maxiter=2, **run).cluster.alone)
"""
    status, results, errors = job(2, script)
    assert status == 0 and results[0]["forked"][0] and "fork of rank 0 of 2" in results[0]["forked"][1], errors
    assert results[1]["alone"] == ""


def test_modules(job, tmp_path):
    status, results, errors = job(2, SERVE + SHARED, CLOPT_CLUSTER="none")
    assert status != 0 and not results and "no such module" in errors
    status, results, errors = job(2, SERVE + SHARED, CLOPT_CLUSTER="off")
    assert status == 0 and [each["report"] for each in results] == [None, None], errors
    with pytest.raises(clopt.InvalidInput, match="no-such-wrapper"):
        clopt.cluster.build_module("no-such-wrapper", tmp_path / "module.so")
    if not shutil.which("mpicc.openmpi"):
        pytest.skip("mpicc.openmpi is not installed")
    module = clopt.cluster.build_module("mpicc.openmpi", tmp_path / "module.so")
    status, results, errors = job(2, SERVE + SHARED, CLOPT_CLUSTER=module)
    assert status == 0 and results[0]["report"]["ranks"] == 2, errors


def test_reports_are_values():
    rank = clopt.cluster.RankReport("host", ("openmp:0",), 1.5, ())
    report = clopt.cluster.Report("MPI", "library", 1, 2, 0, 0.5, 9, (rank,), "")
    assert pickle.loads(pickle.dumps(report)) == report
