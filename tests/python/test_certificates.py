"""Proofs of answers as files."""

import json
import os
import subprocess
import sys

import pytest

import clopt


def verdict(file):
    checker = os.path.join(os.environ["CLOPT_SOURCE"], "tools", "check-certificate")
    run = subprocess.run([sys.executable, checker, file], capture_output=True, text=True)
    return run.returncode, run.stdout


def test_a_sum_is_proved(device, tmp_path):
    file = tmp_path / "proof"
    s = clopt.subset_sum(["12.50", "-3.20", "8.99"], "10", certificate=file, device=device)
    status, text = verdict(file)
    assert status == 0 and "largest sum" in text
    assert json.loads(file.read_text())["claim"] == {"possible": True, "value": int(s.value * 100), "reached": False}


def test_a_schedule_is_proved(device, tmp_path):
    e = clopt.exchange("ring:5", certificate=str(tmp_path / "proof"), device=device)
    assert verdict(tmp_path / "proof")[0] == 0
    assert json.loads((tmp_path / "proof").read_text())["claim"] == {"bound": e.bound, "steps": e.steps}


def test_where_there_is_none(device, tmp_path):
    weights, capacity = clopt.subset_sum_instance("random:42:1e15")
    with pytest.warns(RuntimeWarning, match="there is no certificate: a sum is proven"):
        assert clopt.subset_sum(weights, capacity, certificate=tmp_path / "proof", device=device).optimal
    assert not (tmp_path / "proof").exists()


def test_what_cannot_be_written(device, tmp_path):
    with pytest.raises(clopt.InvalidInput, match="nowhere"):
        clopt.subset_sum([1, 2], 3, certificate=tmp_path / "nowhere" / "proof", device=device)
    with pytest.raises(TypeError, match="certificate"):
        clopt.subset_sum([1, 2], 3, certificate=3.5, device=device)
