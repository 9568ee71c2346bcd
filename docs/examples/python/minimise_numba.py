# %% [markdown]
# # Minimise a function that numba compiles
#
# A plain function of Python is called once for each vector, which takes microseconds each time. numba makes machine code
# of it, which clopt's threads call without Python's interpreter.

# %%
import numba
import numpy as np
from numba import types

import clopt

DIMENSIONS = 10


@numba.cfunc(types.float64(types.int32, types.CPointer(types.float64)))
def rosenbrock(n, x):
    total = 0.0
    for i in range(n - 1):
        total += 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2
    return total


result = clopt.differential_evolution(
    clopt.CFunction(rosenbrock.address), DIMENSIONS * [(-5, 5)], adapt="shade", maxiter=1500, device="openmp:0"
)
print(f"least value {result.fun:.2g} at {result.x.round(6)}, {result.nfev} evaluations in {result.seconds.total:.2f} s")

# %% [markdown]
# With data, the function also gets its problem's row. Here 100 problems are solved at once: from where has a point the
# least sum of distances to the places of its row?

# %%
PLACES = 7


@numba.cfunc(types.float64(types.int32, types.CPointer(types.float64), types.int32, types.CPointer(types.float64)))
def distances(n, x, columns, row):
    total = 0.0
    for k in range(columns // 2):
        total += np.hypot(x[0] - row[2 * k], x[1] - row[2 * k + 1])
    return total


places = np.random.default_rng(1).uniform(0, 1, (100, 2 * PLACES))
medians = clopt.differential_evolution(
    clopt.CFunction(distances.address, rows=True), 2 * [(0, 1)], data=places, maxiter=100, device="openmp:0"
)
print("of the first row:", medians.x[0].round(4), "mean distance", round(medians.fun[0] / PLACES, 4))
