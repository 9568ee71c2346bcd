# %% [markdown]
# # A tour through cities, and what to carry
#
# A van begins at its depot, visits sixty customers and need not come back. An array of places is enough; the trip is the answer,
# city by city.

# %%
import numpy as np

import clopt

generator = np.random.default_rng(4)
customers = generator.uniform(0, 100, (61, 2))  # km; the depot is the first
trip = clopt.tour(customers, start=0, open=True, decimals=1, maxiter=100, device="openmp:0")
print(f"{trip.length} km; the first stops are {trip.route[:6].tolist()}, with legs of {trip.legs[:5].tolist()} km")
trip.to_csv("trip.csv", "route")
trip.plot("map").figure.savefig("tour_and_knapsack.png")

# %% [markdown]
# Where roads have directions, a matrix of lengths says so. Here the way back from every customer is a third longer uphill.

# %%
straight = np.hypot(*(customers[:, None] - customers).transpose(2, 0, 1))
uphill = np.where(customers[:, None, 1] < customers[None, :, 1], 4 / 3, 1.0)
directed = clopt.tour(straight * uphill, start=0, open=True, decimals=1, maxiter=100, device="openmp:0")
print(f"{directed.length} km, where straight ways are {straight[directed.route[:-1], directed.route[1:]].sum():.1f}")

# %% [markdown]
# The van carries 700 kg of a hundred parcels, each worth something. The objective is a text of a few lines, with tables; what it
# calls `violation` is a limit, and the best individual keeps it.

# %%
weight, worth = generator.integers(5, 60, 100), generator.integers(10, 100, 100)
knapsack = clopt.Objective.text(
    """// clopt: bits, maximise
    real objective(individual x) {
      real sum = 0;
      for (uint i = 0; i < genes(x); ++i) if (gene(x, i)) sum += worth(x, i);
      return sum;
    }
    real violation(individual x) {
      real load = -CAPACITY;
      for (uint i = 0; i < genes(x); ++i) if (gene(x, i)) load += weight(x, i);
      return load;
    }
    """,
    constants={"CAPACITY": 700},
    tables={"weight": weight, "worth": worth},
)
load = clopt.genetic(knapsack, 100, maxiter=400, device="openmp:0")
chosen = load.x.astype(bool)
print(f"{chosen.sum()} parcels worth {load.fun:g}, {weight[chosen].sum()} kg")
