# %% [markdown]
# # Stop a run, and resume it later
#
# A checkpoint holds everything that a run depends on. The resumed run ends with the same bits as one that never
# stopped: on another day, with other threads, on another device.

# %%
import tempfile
from pathlib import Path

import clopt

folder = Path(tempfile.mkdtemp())
problem = {"func": "rastrigin", "genes": 24, "population": 200, "elites": 1, "seed": 7}

whole = clopt.genetic(**problem, maxiter=400)
print(f"without a stop: {whole.fun:.6f}, checksum {whole.checksum}")

# %% [markdown]
# Here a callback ends the run after 150 generations. A limit of time, Ctrl-C, or the end of the process do as well: a
# checkpoint is written twice a second, and always whole.


# %%
def stop(intermediate_result):
    return intermediate_result.nit >= 150


first = clopt.genetic(**problem, maxiter=400, callback=stop, checkpoint=folder / "run.ck")
print(f"stopped after {first.nit} generations: {first.fun:.6f} ({first.message})")

rest = clopt.genetic(**problem, maxiter=400, resume=folder / "run.ck", statistics=True)
print(f"resumed until {rest.nit}: {rest.fun:.6f}, checksum {rest.checksum}")
assert rest.checksum == whole.checksum

# %% [markdown]
# A checkpoint of another run is refused, and the message names what differs.

# %%
try:
    clopt.genetic(**(problem | {"seed": 8}), maxiter=400, resume=folder / "run.ck")
except clopt.InvalidInput as error:
    print("refused:", error)

# %%
rest.plot().figure.savefig("resume_run.png")
