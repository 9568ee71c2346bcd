# %% [markdown]
# # Spend a budget to the cent
#
# There are forty offers, and 25,000.00 euros to spend. Which offers use up as much as possible of it? Amounts of money are
# whole numbers of cents, so the answer is exact, and proven: no choice leaves less.

# %%
from decimal import Decimal

import numpy as np

import clopt

generator = np.random.default_rng(1)
offers = [Decimal(int(cents)) / 100 for cents in generator.integers(50_000, 300_000, 40)]
budget = Decimal("25000.00")


def in_cents(amount):
    return int(amount * 100)


cents = np.array([in_cents(each) for each in offers])
choice = clopt.subset_sum(cents, in_cents(budget))
spent = sum(offers[k] for k in choice.indices)
print(f"{len(choice.indices)} offers for {spent}, {budget - spent} left; proven to be best: {choice.optimal} ({choice.proof})")
print(", ".join(str(offers[k]) for k in choice.indices))

# %%
ax = choice.plot(weights=cents / 100)
ax.set_ylabel("euros")
ax.figure.savefig("spend_budget.png")

# %% [markdown]
# The other way round: a customer has paid an amount, and which of twelve invoices does it settle? A proof that nothing
# fits is an answer too. (Of forty invoices many choices would have the same sum.)

# %%
invoices = offers[:12]
paid = invoices[3] + invoices[7] + invoices[10]
found = clopt.subset_sum(cents[:12], in_cents(paid))
is_settled = found.value == in_cents(paid)
print(f"{paid} settles invoices {found.indices.tolist()}" if is_settled else f"{paid} settles no set of invoices")
