"""What has no meaning is refused, in a line or three, by a name of Python."""

import numpy as np
import pytest

import clopt
import clopt.scipy

TWO = [(-5, 5), (-5, 5)]
TEXT = "real objective(individual x) { return gene(x, 0) * C; }"


def sphere(x):
    return float((x * x).sum())


def de(func="sphere", bounds=TWO, **more):
    return clopt.differential_evolution(func, bounds, **{"device": "openmp:0", "maxiter": 3, **more})


def fit(data):
    return de(clopt.Objective.text("real residual(individual x, uint j) { return gene(x, 0) - row(x, j); }"), data=data)


CASES = [
    (lambda: de(bounds=[(0, np.nan)]), "gene 0"),
    (lambda: de(bounds=[(0, 1), (2, 1)]), "gene 1"),
    (lambda: de(bounds=np.array([[0, 1j]])), "complex"),
    (lambda: de(bounds=[("0", "1")]), "bounds"),
    (lambda: de(dimensions=2.5, bounds=None), "dimensions"),
    (lambda: de(integrality=[[1], [1, 2]]), "integrality"),
    (lambda: de(time_limit="a"), "time_limit"),
    (lambda: de(time_limit=float("nan")), "time_limit"),
    (lambda: de(callback_interval="a"), "callback_interval"),
    (lambda: de(statistics="no"), "statistics"),
    (lambda: de(checkpoint=3.5), "checkpoint"),
    (lambda: de(callback=3), "callback"),
    (lambda: de(device=5), "device"),
    (lambda: de(device=[5]), "device"),
    (lambda: de(lambda x: x.sum(0) + 1j, vectorized=True), "complex"),
    (lambda: fit(np.ma.masked_array([[1, 1, 100]], mask=[[0, 0, 1]])), "masked"),
    (lambda: fit(np.array([[1 + 1j, 2]])), "complex"),
    (lambda: fit(np.array([["2026-01-01"]], dtype="datetime64[D]")), "datetime64"),
    (lambda: clopt.genetic("trap5", 20, args=(1,), device="openmp:0"), "args"),
    (lambda: clopt.genetic("trap5", 20, vectorized=True, device="openmp:0"), "vectorized"),
    (lambda: clopt.genetic(sphere, "20", device="openmp:0"), "genes"),
    (lambda: clopt.ecga(sphere, "20", device="openmp:0"), "length"),
    (lambda: clopt.ecga(sphere, -1, device="openmp:0"), "length"),
    (lambda: clopt.ecga(3, 20, device="openmp:0"), "3 is not an objective"),
    (lambda: clopt.subset_sum(np.ma.masked_array([1, 2], mask=[0, 1]), 2), "masked"),
    (lambda: clopt.subset_sum([1, 2], 2, method=3, recovery="table"), "method"),
    (lambda: clopt.subset_sum_instance("half:9", seed=-1), "seed"),
    (lambda: clopt.subset_sum_instance("half:9", seed="a"), "seed"),
    (lambda: clopt.subset_sum_instance(9), "description"),
    (lambda: clopt.exchange(None), "topology"),
    (lambda: clopt.exchange("mesh:2x2", pattern=None), "pattern"),
    (lambda: clopt.open(3), "text"),
    (lambda: clopt.open("openmp:0", threads=-1), "threads"),
    (lambda: clopt.open("openmp:0", threads=2.5), "threads"),
    (lambda: clopt.Objective.named(3), "name"),
    (lambda: clopt.Objective.text(None), "text"),
    (lambda: clopt.Objective.text(TEXT, constants={"C": "a"}), "constant 'C'"),
    (lambda: clopt.Objective.text(TEXT, constants={"C": [1, 2]}), "constant 'C'"),
    (lambda: clopt.Objective.text(TEXT, tables={"T": "a"}), "table 'T'"),
    (lambda: clopt.Objective.text(TEXT, kind=3), "kind"),
    (lambda: clopt.Objective.text(TEXT, optimum="a"), "optimum"),
    (lambda: clopt.Objective.text(TEXT, bounds=(1,)), "bounds"),
    (lambda: clopt.Objective.text(TEXT, bounds=(1, 2, 3)), "bounds"),
    (lambda: clopt.scipy.differential_evolution(sphere, TWO, rng=1, seed=3), "rng and seed"),
    (lambda: clopt.scipy.differential_evolution(sphere, TWO, maxiter=3.7), "maxiter"),
    (lambda: clopt.scipy.differential_evolution(sphere, TWO, callback=3), "callback"),
    (lambda: clopt.scipy.differential_evolution(sphere, TWO, rng="a"), "rng"),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_it_is_refused(number):
    call, name = CASES[number]
    with pytest.raises((clopt.InvalidInput, TypeError)) as caught:
        call()
    message = str(caught.value)
    assert name in message
    assert "incompatible function arguments" not in message
    assert len(message.splitlines()) <= 3


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "graph").write_bytes(b"\xff\xfe\x00nodes")
    with pytest.raises(clopt.InvalidInput, match="not a text"):
        clopt.exchange(tmp_path / "graph")


def test_limits_of_another_shape():
    from scipy.optimize import NonlinearConstraint

    limits = NonlinearConstraint(lambda x: [x[0], x[1]], [0, 0, 0], [1, 1, 1])
    with pytest.raises(RuntimeError, match="limits of the shape"):
        clopt.scipy.differential_evolution(sphere, TWO, constraints=limits, maxiter=2)


def test_what_is_taken():
    """The neighbours of what is refused."""
    assert de(statistics=np.True_).statistics is not None
    assert fit(np.ma.masked_array([[1, 1]], mask=False)).x.shape == (1, 2)
    assert de(device=clopt.devices()[0]).checksum == de(device=[clopt.devices()[0]]).checksum == de().checksum
    assert de(bounds=[(0, 1), (2, 2)]).x[1] == 2
    for rng in (np.random.SeedSequence(1), np.random.PCG64(1), [1, 2], 2**70, np.random.RandomState(1), None):
        assert clopt.scipy.differential_evolution(sphere, TWO, rng=rng, maxiter=2).x.shape == (2,)


def test_files_of_texts_by_name(tmp_path):
    (tmp_path / "mine.cl").write_text("real objective(individual x) { return gene(x, 0); }")
    name = str(tmp_path / "mine.cl")
    expected = de(clopt.Objective.file(name))
    assert de(name).checksum == expected.checksum
    assert clopt.genetic(name, bounds=TWO, maxiter=3, device="openmp:0").x.shape == (2,)
    assert clopt.ecga(name, 9, population=50, maxiter=2, device="openmp:0").x.shape == (9,)


def test_stop_iteration_of_a_function_comes_through():
    def stops(x):
        raise StopIteration("enough")

    for vectorized in (False, True):
        with pytest.raises(StopIteration, match="enough"):
            de(stops, vectorized=vectorized)


def test_a_callback_that_takes_its_argument_by_name():
    seen = []

    def callback(*, intermediate_result):
        seen.append(intermediate_result.fun)

    de(sphere, callback=callback)
    assert seen


def test_further_arguments_are_a_part_of_a_checkpoint(tmp_path):
    def function(x, shift):
        return float(((x - shift) ** 2).sum())

    kept = {"checkpoint": tmp_path / "state"}
    de(function, args=(0,), maxiter=9, **kept)
    with pytest.raises(clopt.InvalidInput, match="arguments"):
        de(function, args=(4,), maxiter=20, resume=tmp_path / "state")
    whole = de(function, args=(0,), maxiter=20)
    assert de(function, args=(0,), maxiter=20, resume=tmp_path / "state").checksum == whole.checksum
