# %% [markdown]
# # Which invoices does a payment pay?
#
# There are 60 open invoices, as a table that an accounting program has written, with decimal commas. A customer has paid an
# amount without a word. The fewest invoices with just this sum are the likely answer; whether there are others shows how
# sure it is.

# %%
import pathlib
from decimal import Decimal

import matplotlib.pyplot as plt
import numpy as np

import clopt

generator = np.random.default_rng(7)
cents = generator.integers(1_000, 250_000, 60)
lines = [f"R-{1000 + k};{amount // 100},{amount % 100:02}" for k, amount in enumerate(cents.tolist())]
pathlib.Path("open.csv").write_text("\n".join(["invoice;amount", *lines]) + "\n")

amounts, names = clopt.read_amounts("open.csv", column="amount", label="invoice", decimal=",")
paid = amounts[4] + amounts[17] + amounts[41]
print(f"{len(amounts)} invoices of {sum(amounts)}; {paid} were paid")

# %%
found = clopt.subset_sum(amounts, paid, exactly=True, fewest=True, all=10)
for subset in found.subsets:
    print(" + ".join(f"{names[k]} ({amounts[k]})" for k in subset), "=", sum(amounts[k] for k in subset))
print(f"no subset has fewer: {found.fewest}; there are others as small: {found.more}")

# %% [markdown]
# Nothing may fit to the cent, since a bank has kept a fee. Within a tolerance the nearest sum is found, and a subset with a
# sum from the amount on shows what is missing.

# %%
near = clopt.subset_sum(amounts, paid - Decimal("4.90"), tolerance=Decimal("5.00"), fewest=True)
print(f"{paid - Decimal('4.90')}: {', '.join(names[k] for k in near.indices)} are {near.value}")

# %% [markdown]
# How much is such an answer worth? Larger subsets may have the sum too.

# %%
counts = range(1, 6)
subsets = []
for count in counts:
    answer = clopt.subset_sum(amounts, paid, exactly=True, count=count, all=1000)
    subsets.append(len(answer.subsets) if answer.success else 0)
figure, ax = plt.subplots(layout="constrained")
ax.bar(list(counts), subsets)
ax.set(xlabel="invoices", ylabel="subsets with the sum that was paid", title=f"{paid} of {len(amounts)} invoices")
ax.set_yticks(range(max(subsets) + 1))
figure.savefig("match_payments.png")
