# %% [markdown]
# # Minimise a function that takes long
#
# A simulation in Python takes milliseconds, or minutes. Processes share the points of a generation, a checkpoint keeps what
# was paid for, and a limit of time ends the run with the best so far. The result has the same bits for any number of
# processes.

# %%
import math
import time

import matplotlib.pyplot as plt

import clopt

TARGET = (1.5, 0.35)  # what the simulation is to reach: a range and a height


def simulate(x):
    """A throw with drag: how far its range and height are from the target."""
    speed, angle, drag = x
    px = py = top = 0.0
    vx, vy = speed * math.cos(angle), speed * math.sin(angle)
    while py >= 0:
        pull = drag * math.hypot(vx, vy)
        vx, vy = vx - 1e-3 * pull * vx, vy - 1e-3 * (9.81 + pull * vy)
        px, py = px + 1e-3 * vx, py + 1e-3 * vy
        top = max(top, py)
    return math.hypot(px - TARGET[0], top - TARGET[1])


# %% [markdown]
# `history` gets the best after each generation, and ends the run once it is good enough.

# %%
history = []


def watch(state):
    history.append((state.nfev, state.fun))
    return state.fun < 1e-3


bounds = [(1, 10), (0.1, 1.5), (0, 0.5)]
begin = time.perf_counter()
result = clopt.differential_evolution(
    simulate, bounds, workers=2, maxfev=2000, time_limit=60, callback=watch, checkpoint="throw.ck", seed=3
)
print(f"{result.nfev} simulations in {time.perf_counter() - begin:.1f} s: {result.fun:.2g} from the target at {result.x.round(3)}")

# %%
alone = clopt.differential_evolution(simulate, bounds, maxfev=result.nfev, callback=lambda state: state.fun < 1e-3, seed=3)
print(f"in this process alone the bits are the same: {alone.checksum == result.checksum}")

figure, ax = plt.subplots(layout="constrained")
ax.step(*zip(*history), where="post")
ax.set(yscale="log", xlabel="simulations", ylabel="distance from the target", title="the best so far")
figure.savefig("expensive_function.png")
