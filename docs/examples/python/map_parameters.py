# %% [markdown]
# # A map of a parameter, of a million curves
#
# Each pixel of a picture has a curve of its own: how a signal decays, measured at sixteen times. This is what relaxation
# in MRI and fluorescence lifetimes look like. One call fits all pixels, from a guess that the data give, and the result is
# a map of the rate of decay, with the standard error of each pixel.

# %%
import matplotlib.pyplot as plt
import numpy as np

import clopt

SIDE = 1000  # pixels
NOISE = 0.02

generator = np.random.default_rng(1)
t = np.linspace(0, 3, 16)
across, down = np.meshgrid(np.linspace(-1, 1, SIDE), np.linspace(-1, 1, SIDE))
rate = np.full((SIDE, SIDE), 0.7)
rate[across**2 + (1.3 * down) ** 2 < 0.8] = 1.2
for place, radius, inside in ((-0.4, 0.25, 2.0), (0.1, 0.2, 0.9), (0.5, 0.15, 3.0)):
    rate[(across - place) ** 2 + down**2 < radius**2] = inside
amplitude = 1.5 - 0.5 * across  # the light is not even

# %% [markdown]
# A row of `data` is a pixel. Some pixels are bad: their data are missing, and they spoil no other.

# %%
data = amplitude.reshape(-1, 1) * np.exp(-rate.reshape(-1, 1) * t) + 0.1
data += generator.normal(0, NOISE, data.shape)
bad = generator.choice(SIDE * SIDE, SIDE * SIDE // 1000, replace=False)
data[bad] = np.nan

# %% [markdown]
# The guess: the last datum for the level, the first one above it for the amplitude, and one rate for all.

# %%
guess = np.stack([data[:, 0] - data[:, -1], np.ones(SIDE * SIDE), data[:, -1]], axis=1)
guess[np.isnan(guess)] = 1
fits = clopt.fit("exponential", data, guess, abscissa=t, sigma=np.full(len(t), NOISE))
print(fits.message)
print(f"{SIDE * SIDE} fits in {fits.seconds.total:.2f} s, {fits.nit.mean():.1f} rounds each")

# %% [markdown]
# The map, its errors, and how far the rates are from the truth, in standard errors: a normal distribution of width 1, if
# the errors are right.

# %%
found, error = (values[:, fits.names.index("b")].reshape(SIDE, SIDE) for values in (fits.x, fits.errors))
figure, axes = plt.subplots(1, 3, figsize=(14, 4), layout="constrained")
for ax, name, values in zip(axes, ("rate of decay", "its standard error"), (found, error)):
    least, most = np.nanpercentile(values, [1, 99])
    figure.colorbar(ax.imshow(values, extent=(-1, 1, 1, -1), vmin=least, vmax=most), ax=ax)
    ax.set_title(name)
distances = ((found - rate) / error)[np.isfinite(error)]
places = np.linspace(-4, 4, 81)
axes[2].hist(distances, places, density=True, color="0.8")
axes[2].plot(places, np.exp(-(places**2) / 2) / np.sqrt(2 * np.pi))
axes[2].set_title("distance from the truth")
axes[2].set_xlabel("standard errors")
figure.savefig("map_parameters.png")

# %% [markdown]
# Where a map must show what differs from what is around it, intervals say which pixels do: those of the middle disc whose
# interval of 99.9 % lies below the rate around it.

# %%
low, high = fits.confidence_interval(0.999)
is_below = high[:, fits.names.index("b")].reshape(SIDE, SIDE) < 1.2
print(f"{is_below[rate == 0.9].mean():.1%} of the pixels of the middle disc, {is_below[rate == 1.2].mean():.2%} of those around it")
