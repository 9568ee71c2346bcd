"""Plans for MSCCL++, carried out by an interpreter of their operations."""

import json
import random

import numpy as np
import pytest

import clopt


class Wrong(Exception):
    """What is wrong with a plan."""


def require(holds, what):
    if not holds:
        raise Wrong(what)


class Machine:
    """GPUs whose thread blocks make one operation after the other, in any order."""

    def __init__(self, plan):
        self.gpus = plan["gpus"]
        require([gpu["id"] for gpu in self.gpus] == list(range(len(self.gpus))), "ranks out of order")
        self.memory, self.signals, self.semaphores, self.done = {}, {}, {}, {}
        for gpu in self.gpus:
            rank = gpu["id"]
            require([block["id"] for block in gpu["threadblocks"]] == list(range(len(gpu["threadblocks"]))), "blocks out of order")
            for index in range(gpu["input_chunks"]):
                self.memory[rank, "i", index] = rank, index
            for block in gpu["threadblocks"]:
                self.done[rank, block["id"]] = 0
        self.peers = {gpu["id"]: [peer for each in gpu["channels"] for peer in each["connected_to"]] for gpu in self.gpus}

    def other_end(self, rank, channel):
        """The k-th channel to a rank belongs to the k-th of that one."""
        peer = self.peers[rank][channel]
        k = self.peers[rank][:channel].count(peer)
        own = [i for i, each in enumerate(self.peers[peer]) if each == rank]
        require(k < len(own), "a channel has no other end")
        return peer, own[k]

    def place(self, rank, block, chunk, is_remote):
        require(chunk["size"] == 1, "more than a chunk")
        if is_remote:
            [refs] = block["remote_buffer_refs"]
            buffer = self.gpus[rank]["remote_buffers"][refs["remote_buffer_ids"][chunk["buffer_id"]]]
            require("memory" in buffer["access_channel_types"], "a buffer without access")
            rank, kind = buffer["rank"], buffer["type"]
        else:
            kind = chunk["type"]
        room = self.gpus[rank][{"i": "input_chunks", "o": "output_chunks", "s": "scratch_chunks"}[kind]]
        require(0 <= chunk["index"] < room, "beyond a buffer")
        return rank, kind, chunk["index"]

    def step(self, rank, block):
        """Makes a block's next operation, if it need not wait."""
        at = self.done[rank, block["id"]]
        if at == len(block["ops"]):
            return False
        op = block["ops"][at]
        name = op["name"]
        if name in ("signal", "rlxsignal", "wait", "rlxwait"):
            channel = block["channels"][0]["channel_ids"][op["channel_ids"][0]]
            end = self.other_end(rank, channel) if "signal" in name else (rank, channel)
            count = self.signals.get(end, 0)
            if "wait" in name and count == 0:
                return False
            self.signals[end] = count + (1 if "signal" in name else -1)
        elif name in ("sem_acquire", "sem_release"):
            [number] = op["semaphore_ids"]
            key = rank, number
            count = self.semaphores.get(key, self.gpus[rank]["semaphores"][number]["init_value"])
            if name == "sem_acquire" and count == 0:
                return False
            self.semaphores[key] = count + (1 if name == "sem_release" else -1)
        elif name in ("put", "copy"):
            [source], [target] = op["src_buff"], op["dst_buff"]
            source = self.place(rank, block, source, False)
            target = self.place(rank, block, target, name == "put")
            require(source in self.memory, f"{source} is read before it is written")
            require(target not in self.memory, f"{target} is written twice")
            if name == "put":
                require(target[0] == self.peers[rank][block["channels"][0]["channel_ids"][0]], "a put to another rank")
            self.memory[target] = self.memory[source]
        else:
            require(name == "nop", f"an operation {name}")
        self.done[rank, block["id"]] = at + 1
        return True

    def run(self, draw):
        blocks = [(gpu["id"], block) for gpu in self.gpus for block in gpu["threadblocks"]]
        moved = True
        while moved:
            draw.shuffle(blocks)
            moved = any([self.step(rank, block) for rank, block in blocks])
        for rank, block in blocks:
            require(self.done[rank, block["id"]] == len(block["ops"]), f"block {block['id']} of rank {rank} waits for ever")
        require(not any(self.signals.values()) and not any(self.semaphores.values()), "more signals than waits")


def carry_out(text, wanted, width=1):
    """Runs a plan in several orders; `wanted` has the number of chunks from each rank to each other one."""
    for seed in range(3):
        machine = Machine(json.loads(text))
        machine.run(random.Random(seed))
        for (a, b), count in np.ndenumerate(wanted):
            for copy in range(count):
                found = machine.memory.get((b, "o", a * width + copy))
                require(found == (a, b * width + copy), f"from {a} to {b} there is {found}")


@pytest.mark.parametrize("topology", ["ring:2", "ring:7", "mesh:3x3", "hypercube:3", "random:12:3", "fat-tree:2x2"])
def test_every_chunk_arrives(topology, device):
    result = clopt.exchange(topology, device=device)
    ranks = len(set(result.transfers[:, 0].tolist()))
    text = result.to_mscclpp()
    carry_out(text, np.ones((ranks, ranks), dtype=int))
    assert json.loads(text)["collective"] == "alltoall"


def test_demands_and_parallel_channels(device, tmp_path):
    (tmp_path / "net.txt").write_text("nodes 4\nlink 0 1 2\nlink 1 2 3\nlink 2 3\nlink 3 0\nrole 3 router\n")
    demands = np.array([[0, 2, 3, 0], [1, 0, 1, 0], [0, 4, 0, 0], [0, 0, 0, 0]])
    result = clopt.exchange(tmp_path / "net.txt", demands, device=device)
    text = result.to_mscclpp()
    carry_out(text, demands[:3, :3], width=4)
    assert json.loads(text)["collective"] == "custom"
    scattered = clopt.exchange("ring:5", "scatter:1", device=device).to_mscclpp()
    wanted = np.eye(5, dtype=int)
    wanted[1] = 1
    carry_out(scattered, wanted)


def test_the_interpreter_finds_faults(device):
    text = clopt.exchange("ring:5", device=device).to_mscclpp()
    everything = np.ones((5, 5), dtype=int)
    for a, b in (
        ('"signal"', '"nop"'),
        ('"wait"', '"nop"'),
        ('"sem_release"', '"nop"'),
        ('"put"', '"nop"'),
        ('"rlxsignal"', '"nop"'),
        ('"index": 1', '"index": 2'),
        ('"index": 1', '"index": 9'),
        ('"init_value": 0', '"init_value": 1'),
    ):
        assert a in text
        with pytest.raises(Wrong):
            carry_out(text.replace(a, b, 1), everything)


def test_the_program_writes_the_same(device, program, tmp_path):
    file = tmp_path / "plan.json"
    assert program("exchange", "--topology", "mesh:3x3", "--output", file, "--format", "mscclpp")["conflicts"] == 0
    assert file.read_text() == clopt.exchange("mesh:3x3", device=device).to_mscclpp()
