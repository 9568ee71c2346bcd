"""clopt: optimisation solvers for OpenCL devices and processors.

Solvers: `differential_evolution`, `genetic`, `ecga`, `subset_sum`, `exchange`, `fit`; `tour` for trips through cities;
`ExchangeFitness` for an optimiser of schedules of one's own. Each returns a frozen dataclass whose
arrays lie in the library's memory. Devices: `devices`, `open`, `release`, `unavailable`. Objectives: a name, `Objective.text`,
`Objective.file`, `CFunction`, or a function of Python; `Optimizer` leaves its evaluation to the caller. `curve_fit` and
`clopt.scipy` have scipy's calls. One seed gives the same bits on every device. `clopt.cluster` shares a run among many machines.
"""

from clopt import _core, _pocl, cluster
from clopt._curve_fit import curve_fit
from clopt._devices import Device, DeviceInfo, Unavailable, devices, open, release, unavailable
from clopt._differential_evolution import DifferentialEvolutionResult, differential_evolution
from clopt._ecga import EcgaResult, EcgaTrial, ecga
from clopt._exchange import ExchangeResult, exchange
from clopt._exchange_fitness import ExchangeFitness
from clopt._fit import ConfidenceInterval, FitResult, ModelSummary, fit, fit_models
from clopt._genetic import GeneticResult, genetic
from clopt._model_values import model_values
from clopt._objective import CFunction, Objective
from clopt._optimizer import Optimizer
from clopt._plot_fits import plot_fits
from clopt._run import DevicePart, IntermediateResult, RunResult, RunsSummary, Seconds, Trial
from clopt._subset_sum import SubsetSumResult, read_amounts, subset_sum, subset_sum_instance
from clopt._tour import TourResult, tour
from clopt.errors import (
    BuildError,
    Cancelled,
    DeviceError,
    Error,
    InternalError,
    Interrupted,
    InvalidInput,
    NoDevice,
    OutOfMemory,
)

__version__: str = _core.version

_pocl.offer()

__all__ = [
    "BuildError",
    "CFunction",
    "Cancelled",
    "ConfidenceInterval",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "DevicePart",
    "DifferentialEvolutionResult",
    "EcgaResult",
    "EcgaTrial",
    "Error",
    "ExchangeFitness",
    "ExchangeResult",
    "FitResult",
    "GeneticResult",
    "IntermediateResult",
    "InternalError",
    "Interrupted",
    "InvalidInput",
    "ModelSummary",
    "NoDevice",
    "Objective",
    "Optimizer",
    "OutOfMemory",
    "RunResult",
    "RunsSummary",
    "Seconds",
    "SubsetSumResult",
    "TourResult",
    "Trial",
    "Unavailable",
    "cluster",
    "curve_fit",
    "devices",
    "differential_evolution",
    "ecga",
    "exchange",
    "fit",
    "fit_models",
    "genetic",
    "model_values",
    "open",
    "plot_fits",
    "read_amounts",
    "release",
    "subset_sum",
    "subset_sum_instance",
    "tour",
    "unavailable",
]
