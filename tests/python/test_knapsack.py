"""The 0-1 knapsack, against a table of all capacities in numpy."""

from decimal import Decimal

import numpy as np
import pytest

import clopt


def most_profit(weights, profits, capacity):
    most = np.zeros(capacity + 1, dtype=np.int64)
    for weight, profit in zip(weights, profits):
        if weight <= capacity:
            most[weight:] = np.maximum(most[weight:], most[: capacity + 1 - weight] + profit)
    return most[-1]


@pytest.mark.parametrize("method", ["auto", "k1"])
def test_profit_is_the_most(method):
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    random = np.random.default_rng(seed)
    for n in (1, 7, 49, 300):
        weights = random.integers(1, 500, n)
        profits = weights + random.integers(0, 50, n)
        capacity = int(weights.sum() // 3)
        result = clopt.subset_sum(weights, capacity, profits=profits, method=method)
        assert result.optimal, seed
        assert result.profit == profits[result.indices].sum() == most_profit(weights, profits, capacity), seed
        assert result.value == weights[result.indices].sum() <= capacity, seed


def test_decimals_and_what_is_refused():
    result = clopt.subset_sum(["5.5", "4", "3.25"], "7.25", profits=["1.50", 4, "0.125"])
    assert result.profit == Decimal("4.125") and result.value == Decimal("7.25")
    assert result.indices.tolist() == [1, 2]
    assert "profit" in repr(result)
    plain = clopt.subset_sum([5, 4], 9)
    assert plain.profit is None and "profit" not in repr(plain)
    for wrong, text in (([1], "1 `profits`"), ([1, -1], "-1"), ([1.5, 2], "profits are of float64"), ([], "no profits")):
        with pytest.raises(clopt.InvalidInput, match=text):
            clopt.subset_sum([5, 4], 9, profits=wrong)
    with pytest.raises(clopt.InvalidInput, match="most profit"):
        clopt.subset_sum([5, 4], 9, profits=[1, 2], fewest=True)


def test_what_is_not_proven_is_said():
    profits = [7 * n % 50 + 1 for n in range(1, 300)]
    result = clopt.subset_sum(range(1, 300), 9000, profits=profits, method="k1", reduce=False, time_limit=0)
    assert not result.success and not result.optimal
    assert result.message.startswith("the profit is not proven to be the most: ")
