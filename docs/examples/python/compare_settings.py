# %% [markdown]
# # Which setting is better? An experiment of many seeds
#
# One run of a search that draws numbers says little. Thirty runs of each setting, with seeds one after the other, show how
# often each reaches the target, and what a success costs. Runs with one seed begin with the same population, so that settings
# are compared in pairs.

# %%
import matplotlib.pyplot as plt
import numpy as np

import clopt

RUNS = 30
rates = [0.3, 0.6, 0.9, 1.0]
results = {
    rate: clopt.genetic("trap5", 100, crossover=rate, runs=RUNS, target=92, maxfev=40_000, device="openmp:0") for rate in rates
}
for rate, result in results.items():
    summary = result.summary
    cost = "no success" if summary.nfev is None else f"{summary.nfev:,.0f} evaluations a success"
    print(f"crossover {rate}: {summary.successes} of {summary.runs} runs, median {summary.median}, {cost}")

# %% [markdown]
# A difference of medians may be chance. The pairs of one seed give a test without assumptions: under "no difference" each sign
# is as likely as the other.

# %%
first, second = (np.array([trial.fun for trial in results[rate].trials]) for rate in (rates[0], rates[-1]))
wins, losses = int((second > first).sum()), int((second < first).sum())
signs = np.random.default_rng(1).integers(0, 2, (100_000, wins + losses)).sum(axis=1)
chance = float((abs(2 * signs - wins - losses) >= abs(wins - losses)).mean())
chance_text = f"= {chance:.2g}" if chance > 0 else f"< {1 / len(signs):.0e}"
print(f"crossover {rates[-1]} is better than {rates[0]} {wins} times and worse {losses} times: p {chance_text}")

# %% [markdown]
# Every run can be repeated by its seed alone, and the table of all goes to a file.

# %%
best = max(results[rates[-1]].trials, key=lambda trial: trial.fun)
again = clopt.genetic("trap5", 100, crossover=rates[-1], seed=best.seed, target=92, maxfev=40_000, device="openmp:0")
print(f"seed {best.seed} again: {again.fun}, as before: {again.fun == best.fun}")
results[rates[-1]].to_csv("compare_settings.csv", "runs")

figure, ax = plt.subplots(layout="constrained")
ax.boxplot([[trial.fun for trial in results[rate].trials] for rate in rates])
ax.set_xticks(range(1, len(rates) + 1), [str(rate) for rate in rates])
ax.set(xlabel="crossover", ylabel="best value", title=f"{RUNS} runs each, 20 traps of five bits")
figure.savefig("compare_settings.png")
