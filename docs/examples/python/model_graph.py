# %% [markdown]
# # What ECGA learns, as a graph
#
# The value of an individual is the sum of eight deceptive traps of five bits each. The solver does not know which bits
# belong together: they are scattered. ECGA finds the groups, and then the optimum, which a search bit by bit misses.

# %%
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import clopt

GROUPS, SIZE = 8, 5
scattered = np.random.default_rng(1).permutation(GROUPS * SIZE).reshape(GROUPS, SIZE)


def traps(x):
    """Values of a generation, x of shape (bits, individuals): five ones are worth 5, u < 5 ones only 4 - u."""
    ones = x[scattered].sum(axis=1)
    return np.where(ones == SIZE, SIZE, SIZE - 1 - ones).sum(axis=0)


result = clopt.ecga(traps, GROUPS * SIZE, vectorized=True, population=4000, device="openmp:0")
print(f"value {result.fun:g} of {GROUPS * SIZE}, after {result.nit} models; that of generation {result.model_generation} is shown")

# %% [markdown]
# The result's model is the last one that joins the most bits: when all individuals are equal, nothing is left to learn
# from. Its graph has a node for each bit and an edge between bits of a group; colours are the groups as they truly are.

# %%
graph = result.to_networkx()
group_of = {int(bit): number for number, group in enumerate(scattered) for bit in group}
is_right = sorted(map(sorted, nx.connected_components(graph))) == sorted(map(sorted, scattered.tolist()))
print("the groups are those of the function" if is_right else "some groups are not found yet")

figure, ax = plt.subplots(figsize=(7, 6), layout="constrained")
nx.draw_networkx(
    graph, nx.spring_layout(graph, seed=1, k=0.35), ax=ax, node_color=[group_of[bit] for bit in graph],
    cmap="tab10", node_size=260, font_size=8, edge_color="0.6",
)
ax.set_title(f"{graph.number_of_nodes()} bits, {nx.number_connected_components(graph)} groups learned")
ax.axis("off")
figure.savefig("model_graph.png")
