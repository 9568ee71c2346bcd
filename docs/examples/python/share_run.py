# %% [markdown]
# # One run on many machines
#
# A launcher of MPI starts a script on many machines, or several times on this one. Its processes, the ranks, share the problems
# of a run, and the result has the same bits as that of one process. Where a machine has no launcher, the script runs alone.

# %%
import json
import os
import pathlib
import shutil
import subprocess
import sys

import matplotlib.pyplot as plt

pathlib.Path("share.py").write_text('''
import json
import sys

import clopt

member = clopt.cluster.join()  # None without a launcher
if member and not member.is_first:
    sys.exit(member.serve("openmp:0"))
result = clopt.differential_evolution("rastrigin", 10 * [(-5.12, 5.12)], problems=300, maxiter=100, device="openmp:0")
ranks = result.cluster.per_rank if result.cluster else ()
print(json.dumps({"checksum": result.checksum, "median": sorted(result.fun)[150], "busy": [rank.busy_seconds for rank in ranks]}))
''')


def run(*launcher):
    """What the script prints, in the form of JSON; None where the launcher does not start it."""
    # Two ranks of one machine are more than launchers would start in a small container.
    leave = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [*launcher, sys.executable, "share.py"], capture_output=True, text=True, env={**os.environ, **leave, "PYTHONPATH": path}
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if done.returncode == 0 and lines else None


# %%
alone = run()
print(f"one process: median {alone['median']:.3g}, checksum {alone['checksum']}")
launcher = shutil.which("mpirun.openmpi") or shutil.which("mpiexec.hydra")
shared = run(launcher, "-n", "2") if launcher else None
if shared:
    print(f"two ranks:   median {shared['median']:.3g}, checksum {shared['checksum']}")
else:
    print("there is no launcher that works here")

# %%
figure, ax = plt.subplots(layout="constrained")
busy = shared["busy"] if shared else []
ax.bar(range(len(busy)), busy)
ax.set(xlabel="rank", ylabel="busy, s", title="what each rank did of the run", xticks=range(len(busy)))
figure.savefig("share_run.png")
