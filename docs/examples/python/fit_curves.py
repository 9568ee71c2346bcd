# %% [markdown]
# # Fit 10,000 curves at once
#
# Each row of a table has twelve noisy measurements of y = a exp(-b t) + c, with a, b and c of its own. One call fits
# all rows, on a GPU or on all cores of the processor. It needs no guess of the parameters, only bounds.

# %%
import matplotlib.pyplot as plt
import numpy as np

import clopt

CURVES = 10_000
NOISE = 0.02

generator = np.random.default_rng(1)
t = np.linspace(0, 5.5, 12)
truth = generator.uniform([1, 0.5, -1], [3, 2, 1], (CURVES, 3))


def curves(x, at):
    return x[:, :1] * np.exp(-x[:, 1:2] * at) + x[:, 2:]


y = curves(truth, t) + generator.normal(0, NOISE, (CURVES, len(t)))

# %% [markdown]
# The model is a text in OpenCL C: the difference between curve and datum j. `abscissa` and `row` are what the call below
# gives.

# %%
model = clopt.Objective.text(
    """
    real residual(individual x, uint j) {
      return gene(x, 0) * exp(-gene(x, 1) * abscissa(x, j)) + gene(x, 2) - row(x, j);
    }
    """
)
fits = clopt.differential_evolution(
    model, [(0, 5), (0.1, 5), (-2, 2)], data=y, abscissa=t, sigma=np.full(len(t), NOISE)
)
print(f"{CURVES} fits in {fits.seconds.total:.2f} s, {fits.converged.mean():.1%} of them converged")
print("parameters of the first:", fits.x[0].round(3), "+-", fits.errors[0].round(3), "truth:", truth[0].round(3))

# %% [markdown]
# The best, the median and the worst fit, and how far parameters are from the truth, in standard errors: a normal
# distribution of width 1, if the standard errors are right.

# %%
figure, axes = plt.subplots(1, 4, figsize=(14, 3.5), layout="constrained")
order = np.argsort(fits.chi_squared)
fine = np.linspace(t[0], t[-1], 200)
for ax, name, k in zip(axes, ("best", "median", "worst"), order[[0, CURVES // 2, -1]]):
    ax.errorbar(t, y[k], NOISE, fmt="o", markersize=3, capsize=2)
    ax.plot(fine, curves(fits.x[k : k + 1], fine)[0])
    ax.set_title(f"{name}: chi squared {fits.chi_squared[k]:.1f}")
    ax.set_xlabel("t")
axes[0].set_ylabel("y")

distances = (fits.x - truth) / fits.errors
places = np.linspace(-4, 4, 81)
axes[3].hist(distances.ravel(), places, density=True, color="0.8")
axes[3].plot(places, np.exp(-(places**2) / 2) / np.sqrt(2 * np.pi))
axes[3].set_title("distance from the truth")
axes[3].set_xlabel("standard errors")
figure.savefig("fit_curves.png")
