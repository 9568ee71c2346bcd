from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

version: str

class Device:
    @property
    def info(self) -> dict[str, Any]: ...

def list_devices() -> list[dict[str, Any]]: ...
def list_unavailable() -> list[tuple[str, str]]: ...
def open_devices(texts: list[str], threads: int, force: bool, self_test: bool) -> list[Device]: ...
def open_device(text: str, threads: int, force: bool, self_test: bool) -> Device: ...

def wait_for_left() -> None: ...

class CPointer:
    def __init__(self, address: int, has_rows: bool, user_data: Optional[int], owner: object) -> None: ...

class Objective:
    @staticmethod
    def named(arg: str, /) -> Objective: ...
    @staticmethod
    def names() -> list[str]: ...
    @staticmethod
    def from_text(text: str, name: str) -> Objective: ...
    @staticmethod
    def from_file(arg: str, /) -> Objective: ...
    @staticmethod
    def from_function(evaluate: object, kind: str, maximises: bool, name: str) -> Objective: ...
    @staticmethod
    def from_pointer(pointer: CPointer, maximises: bool, name: str, control: Control) -> Objective: ...
    def set_violation_function(self, evaluate: object) -> None: ...
    def set_violation_pointer(self, pointer: CPointer, control: Control) -> None: ...
    def constant(self, arg0: str, arg1: float, /) -> None: ...
    def table(self, arg0: str, arg1: NDArray[np.float64], /) -> None: ...
    def set_kind(self, arg: str, /) -> None: ...
    def set_direction(self, arg: str, /) -> None: ...
    def set_bounds(self, arg0: float, arg1: float, /) -> None: ...
    def set_optimum(self, arg: float, /) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def direction(self) -> Optional[str]: ...
    @property
    def bounds(self) -> Optional[tuple[float, float]]: ...
    @property
    def optimum(self) -> Optional[float]: ...
    @property
    def warning(self) -> str: ...
    @property
    def has_violation(self) -> bool: ...
    @property
    def reads_rows(self) -> bool: ...

class Control:
    devices: list[Device]
    time_limit: Optional[float]
    callback: object
    callback_interval: float
    statistics: bool
    checkpoint: Optional[str]
    resume: Optional[str]
    def __init__(self) -> None: ...
    def stop(self) -> None: ...

class DifferentialEvolutionProblem:
    integer: list[int]
    problems: int
    def __init__(self, arg0: Objective, arg1: int, /) -> None: ...
    def set_abscissa(self, arg: NDArray[np.float64], /) -> None: ...
    def set_bounds(self, arg0: NDArray[np.float64], arg1: NDArray[np.float64], /) -> None: ...
    def set_data(self, arg0: NDArray[np.float64], arg1: int, /) -> None: ...
    def set_sigma(self, arg: NDArray[np.float64], /) -> None: ...

class DifferentialEvolutionOptions:
    adapt: str
    bounds: str
    crossover: Optional[float]
    evaluations: Optional[int]
    generations: Optional[int]
    method: str
    polish: Optional[bool]
    population: int
    precision: str
    seed: int
    spread: Optional[float]
    stagnation: Optional[int]
    strategy: str
    target: Optional[float]
    weight: Optional[float]
    def __init__(self) -> None: ...
    def set_initial(self, arg0: NDArray[np.float64], arg1: int, /) -> None: ...

def differential_evolution(
    arg0: DifferentialEvolutionProblem, arg1: DifferentialEvolutionOptions, arg2: Control, /
) -> dict[str, Any]: ...

class GeneticProblem:
    def __init__(self, arg0: Objective, arg1: int, /) -> None: ...
    @staticmethod
    def find(name: str, genes: Optional[int], seed: int) -> GeneticProblem: ...
    @property
    def genes(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def maximises(self) -> bool: ...
    def set_bounds(self, arg0: NDArray[np.float64], arg1: NDArray[np.float64], /) -> None: ...

class GeneticOptions:
    crossover: Optional[float]
    crossover_kind: str
    distribution_index: Optional[float]
    elites: Optional[int]
    evaluations: Optional[int]
    generations: Optional[int]
    granularity: str
    group_size: int
    improve: str
    individuals_per_group: int
    islands: int
    keep_population: bool
    line_extension: float
    measure_stages: bool
    migrants: int
    migrate_every: int
    mutation: Optional[float]
    mutation_index: Optional[float]
    mutation_kind: str
    population: Optional[int]
    precision: str
    preset: str
    rank_pressure: float
    restart: Optional[int]
    seed: int
    selection: str
    stagnation: Optional[int]
    step: Optional[float]
    target: Optional[float]
    tournament: Optional[int]
    def __init__(self) -> None: ...
    def set_initial(self, arg: NDArray[np.float64], /) -> None: ...

def genetic_settings(arg0: GeneticProblem, arg1: GeneticOptions, /) -> dict[str, Any]: ...
def genetic_has_problem(arg: str, /) -> bool: ...
def genetic(arg0: GeneticProblem, arg1: GeneticOptions, arg2: Control, /) -> dict[str, Any]: ...

class EcgaProblem:
    def __init__(self, arg0: Objective, arg1: int, /) -> None: ...
    @staticmethod
    def find(name: str, length: Optional[int], seed: int) -> EcgaProblem: ...
    @property
    def length(self) -> int: ...
    @property
    def optimum(self) -> Optional[float]: ...
    @property
    def maximises(self) -> bool: ...

class EcgaOptions:
    counting: str
    crossover: float
    evaluations: Optional[int]
    generations: Optional[int]
    largest_group: int
    population: int
    search: str
    seed: int
    stagnation: Optional[int]
    target: Optional[float]
    tournament: int
    def __init__(self) -> None: ...

def ecga(arg0: EcgaProblem, arg1: EcgaOptions, arg2: Control, /) -> dict[str, Any]: ...

class SubsetSumOptions:
    barrier: str
    method: str
    recovery: str
    reduce: bool
    def __init__(self) -> None: ...

def subset_sum(arg0: NDArray[np.uint64], arg1: int, arg2: SubsetSumOptions, arg3: Control, /) -> dict[str, Any]: ...
def subset_sum_instance(description: str, seed: int) -> tuple[NDArray[np.uint64], int]: ...

class ExchangeProblem:
    @staticmethod
    def of_class(arg0: str, arg1: int, arg2: str, /) -> ExchangeProblem: ...
    @staticmethod
    def of_text(arg0: str, arg1: str, arg2: str, /) -> ExchangeProblem: ...

class ExchangeOptions:
    generations: Optional[int]
    method: str
    offload: str
    optimizer: str
    population: int
    queues: int
    replicas: int
    searches: int
    seed: int
    steps: Optional[int]
    steps_are_bound: bool
    threads: int
    def __init__(self) -> None: ...

def exchange(arg0: ExchangeProblem, arg1: ExchangeOptions, arg2: Control, /) -> dict[str, Any]: ...
def exchange_write(
    arg0: str,
    arg1: ExchangeProblem,
    arg2: int,
    arg3: int,
    arg4: NDArray[np.uint32],
    arg5: NDArray[np.uint32],
    arg6: NDArray[np.uint64],
    /,
) -> str: ...
