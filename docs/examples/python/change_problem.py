# %% [markdown]
# # A small change of a problem
#
# Six power plants share a demand. Each costs a little more per MW the more it gives, up to its limit. The objective is a text:
# the data are tables, the demand is a constant, so that neither is written into it.

# %%
import matplotlib.pyplot as plt
import numpy as np

import clopt

PLANTS = """// clopt: reals, minimise
real objective(individual x) {
  real cost = 0;
  for (uint i = 0; i < genes(x); ++i) cost += gene(x, i) * (linear(x, i) + square(x, i) * gene(x, i));
  return cost;
}
real violation(individual x) {
  real missing = DEMAND;
  for (uint i = 0; i < genes(x); ++i) missing -= gene(x, i);
  return missing;
}
"""
linear = np.array([20.0, 22.0, 18.0, 30.0, 26.0, 35.0])  # euros for a MW
square = np.array([0.040, 0.025, 0.060, 0.010, 0.020, 0.005])
limit = np.array([200.0, 300.0, 150.0, 400.0, 250.0, 500.0])  # MW


def share(demand, limit, **start):
    plants = clopt.Objective.text(PLANTS, constants={"DEMAND": demand}, tables={"linear": linear, "square": square})
    bounds = [(0, each) for each in limit]
    return clopt.differential_evolution(plants, bounds, maxiter=1000, seed=1, device="openmp:0", **start)


before = share(900, limit)
print(f"{before.x.round(1)} MW cost {before.fun:.2f} euros an hour")

# %% [markdown]
# Now the second plant is repaired and gives 100 MW at most: one number changes. The search may begin with the former answer,
# cut to what is allowed still.

# %%
lower = limit.copy()
lower[1] = 100
after = share(900, lower, x0=np.minimum(before.x, lower))
print(f"{after.x.round(1)} MW cost {after.fun:.2f}, {after.fun - before.fun:.2f} more")

# %%
figure, ax = plt.subplots(layout="constrained")
places = np.arange(len(limit))
ax.bar(places - 0.2, before.x, 0.4, label="before")
ax.bar(places + 0.2, after.x, 0.4, label="with the second one limited to 100 MW")
ax.set(xlabel="plant", ylabel="MW")
ax.set_xticks(places, places + 1)
figure.legend(loc="outside upper center", ncols=2)
figure.savefig("change_problem.png")
