# %% [markdown]
# # An all-to-all on a graph of networkx
#
# The ten nodes of Petersen's graph send a message to each other. No two messages of a slot may use one link in the same
# direction. The schedule has as few slots as any can have, and a certificate proves it.

# %%
import matplotlib.pyplot as plt
import networkx as nx

import clopt

network = nx.relabel_nodes(nx.petersen_graph(), dict(enumerate("ABCDEFGHIJ")))
schedule = clopt.exchange(network, "all-to-all")
print(f"{len(schedule.transfers)} messages in {schedule.steps} slots; no schedule has fewer than {schedule.bound}")
print("checked anew:", schedule.check() or "no violation")

# %% [markdown]
# Each slot is a graph of the links that it uses. An edge names the messages that cross it; its colour is the sender's.

# %%
places = nx.shell_layout(network, [list("FGHIJ"), list("ABCDE")])
figure, axes = plt.subplots(1, schedule.steps, figsize=(3 * schedule.steps, 3.2), layout="constrained")
for slot, ax in enumerate(axes):
    used = schedule.to_networkx(slot=slot)
    senders = [transfers[0][0] for _, _, transfers in used.edges(data="transfers")]
    nx.draw_networkx(
        used, places, ax=ax, node_color=[f"C{list(network).index(node)}" for node in used],
        edge_color=[f"C{list(network).index(node)}" for node in senders], connectionstyle="arc3,rad=0.1",
    )
    ax.set_title(f"slot {slot}: {used.number_of_edges()} of {2 * network.number_of_edges()} links")
    ax.axis("off")
figure.savefig("exchange_graph.png")

for sender, receiver, slot in sorted(schedule.to_networkx().edges["A", "B"]["transfers"], key=lambda each: each[2]):
    print(f"slot {slot}: the link from A to B carries the message from {sender} to {receiver}")
