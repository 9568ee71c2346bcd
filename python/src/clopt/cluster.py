"""Many machines: the processes that a launcher of MPI starts ("ranks") share the work of a run.

Every rank runs the same script. The first one calls solvers as ever, the others serve it::

    member = clopt.cluster.join()
    if member and not member.is_first:
        sys.exit(member.serve())
    result = clopt.differential_evolution("rastrigin", 10 * [(-5.12, 5.12)], problems=100_000)

Without a launcher `join` returns None, and the script runs by itself. Results have the same bits for every number of
ranks.

Shared out are the problems of `clopt.differential_evolution`, the rows of `clopt.fit`, islands of `clopt.genetic`, models
and runs of `clopt.ecga`, searches and islands of `clopt.exchange`, and `clopt.subset_sum` by meet in the middle. A function
of Python and a `clopt.CFunction` belong to the process that made them: the first rank evaluates them alone, and so it does
calls with ``statistics=True`` and what has a single part. ``result.cluster`` has what ranks have done, and in `alone` why
only the first one has.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Optional, TypeVar, Union

from clopt import _core
from clopt._devices import DeviceLike, texts_and_handles
from clopt.errors import InvalidInput

__all__ = ["Member", "RankReport", "Report", "build_module", "join"]

Item = TypeVar("Item")

_INTERRUPTED = 130
# What a run that Ctrl-C has left alone may still take when the process ends, in seconds.
_LONGEST_END = 1.7


@dataclass(frozen=True)
class RankReport:
    """What a rank has done in a run."""

    host: str
    devices: tuple[str, ...]
    """Their ids."""
    busy_seconds: float
    """In which it worked at something."""
    failures: tuple[str, ...]
    """Devices that failed, and why."""


@dataclass(frozen=True)
class Report:
    """What the ranks of a job have done in a run: the member `cluster` of a result."""

    engine: str
    """ "MPI"."""
    library: str
    """The MPI library's own name and version."""
    ranks: int
    """Of the job."""
    requests: int
    """For ranges of work."""
    duplicated: int
    """Ranges that were handed out again, since a rank was slow."""
    wait_seconds: float
    """In which ranks had nothing to do, added up."""
    bytes: int
    """Of messages that the first rank sent and received."""
    per_rank: tuple[RankReport, ...]
    """Empty where the work was not shared out."""
    alone: str
    """Why the first rank has done all the work itself; empty where it was shared out."""


def report_of(fields: Optional[dict[str, Any]]) -> Optional[Report]:
    """The report that the library gives, if it gives one."""
    if fields is None:
        return None
    return Report(**{**fields, "per_rank": tuple(RankReport(*each) for each in fields["per_rank"])})


class Member:
    """This process's part in a job. `join` makes it.

    The first rank ends the job by `leave`, at the end of a ``with`` block, or with its script. Where an exception ends
    its script, `serve` returns 1 to the others. Where another rank's script ends without `serve`, the first rank's next
    call of a solver whose work is shared out raises InvalidInput.
    """

    def __init__(self, handle: _core.Member) -> None:
        self._handle = handle
        self._process = os.getpid()
        self._is_stuck = False  # in serve(), or left alone there

    @property
    def rank(self) -> int:
        """Of this process, from 0 on."""
        return self._handle.rank

    @property
    def ranks(self) -> int:
        """How many there are."""
        return self._handle.ranks

    @property
    def local_rank(self) -> int:
        """Of this process among those of this machine."""
        return self._handle.local_rank

    @property
    def local_ranks(self) -> int:
        """How many this machine has."""
        return self._handle.local_ranks

    @property
    def is_first(self) -> bool:
        """Whether this is rank 0, which alone calls solvers."""
        return self.rank == 0

    @property
    def library(self) -> str:
        """The MPI library's own name and version."""
        return self._handle.library

    def share_of(self, devices: Sequence[Item]) -> list[Item]:
        """Of devices that all ranks of this machine name alike, those of this one.

        Local rank l of L takes the devices l, l + L, ...; where there are fewer devices than ranks, some share one.
        Solvers and `serve` do so with the devices that are named to them by texts.
        """
        return [devices[k] for k in self._handle.share_of(len(devices))]

    def threads(self, asked: int = 0) -> int:
        """The threads for the processor ("openmp:0"): as many as asked for, or with 0 this rank's share of the cores.

        Ranks that the launcher has bound to cores of their own do not share these. ``clopt.open`` asks for it.
        """
        return self._handle.threads(asked)

    def serve(self, devices: DeviceLike = None) -> int:
        """Works for the first rank until that leaves the job. For every other rank.

        The interpreter is free for other threads meanwhile, and signals are looked for every 50 ms.

        Args:
            devices: as `device` of solvers: texts, of whose devices this rank takes its share, or open devices; None:
                what the environment's CLOPT_DEVICE names, else the first GPU, else the processor.

        Returns:
            The first rank's status, for ``sys.exit``.

        Raises:
            InvalidInput: this is the first rank, or the process has left the job.
            KeyboardInterrupt: Ctrl-C; the job ends with this process. So it does with whatever else a signal's handler
                raises.

        Devices that cannot be opened are the first rank's exception: its next call of a solver raises it.
        """
        texts, opened = texts_and_handles(devices)
        if texts is None and not opened:
            raise InvalidInput("devices is empty; give a device at least, or None for the default one")
        self._is_stuck = True
        try:
            status = self._handle.serve(texts, opened)
        except InvalidInput:
            self._is_stuck = False  # it never began
            raise
        self._is_stuck = False
        return status

    def leave(self, status: int = 0) -> None:
        """Ends the job: `serve` of all other ranks returns the status. Solvers then run as without a job.

        For the first rank; again it does nothing. Ranks that do not answer within 3 s are aborted by the launcher, and
        this process with them: write results before.

        Raises:
            InvalidInput: this is another rank.
        """
        if self.is_first and self._handle.has_left:
            return
        _flush()
        self._handle.leave(status, True)

    def __enter__(self) -> Member:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if not self.is_first or self._handle.has_left:
            return
        if error is None:
            self.leave()
        elif isinstance(error, SystemExit) and isinstance(error.code or 0, int):
            self.leave(int(error.code or 0))
        # The launcher ends this process as soon as another one has a status: other exceptions are printed first.

    def __repr__(self) -> str:
        return f"<clopt.cluster.Member: rank {self.rank} of {self.ranks}>"


_member: Optional[Member] = None


def join() -> Optional[Member]:
    """Joins the job that a launcher of MPI (mpirun, mpiexec, srun) has started this process in.

    All ranks call it, best at once: it returns when all have. It loads the module for the launcher's MPI, and compares
    the versions of clopt. Where the process has initialised MPI itself (by mpi4py), MPI must allow calls by any thread
    (``MPI_THREAD_MULTIPLE``, mpi4py's default). From now on runs work one after the other, on a thread of the job.

    Returns:
        The same Member each time; None where no launcher has started this process, where it has started no other
        and there is no module, in children of `multiprocessing`, and where the environment has CLOPT_CLUSTER=off.

    Raises:
        InvalidInput: several processes were started and cannot work together: no module loads, it is of another MPI,
            or the ranks differ. Or the process has left the job before.

    Example:
        >>> import clopt
        >>> member = clopt.cluster.join()
        >>> if member and not member.is_first:
        ...     raise SystemExit(member.serve())
        >>> result = clopt.differential_evolution("sphere", 3 * [(-5, 5)], problems=9, maxiter=20)
        >>> result.cluster is None or result.cluster.ranks
        True
    """
    global _member
    if _is_child():
        return None
    if _member is not None:
        if _member._handle.has_left:
            raise InvalidInput("this process has left the job, which it can join only once; join() it for all its work")
        return _member
    try:
        handle = _core.join_cluster()
    except InvalidInput as error:
        text = str(error)
        for ours, python in (
            ("`clopt cluster build --mpicc MPICC`", "`clopt.cluster.build_module(MPICC)`"),
            ("`clopt cluster build`", "`clopt.cluster.build_module()`"),
        ):
            text = text.replace(ours, python)
        raise InvalidInput(text) from None
    if handle is None:
        return None
    _member = Member(handle)
    atexit.register(_end)
    return _member


def build_module(mpicc: str = "mpicc", file: Union[str, os.PathLike[str]] = "libclopt-cluster-mpi.so") -> str:
    """Compiles the module that reaches an MPI, with this MPI's wrapper of the C compiler.

    Args:
        mpicc: the wrapper's name or path.
        file: the module to write.

    Returns:
        Its whole path, which the environment's CLOPT_CLUSTER names to all ranks.

    Raises:
        InvalidInput: the wrapper is not found or fails; the message has what it says.
    """
    path = os.path.abspath(os.fspath(file))
    _core.build_cluster_module(mpicc, path)
    return path


def _is_child() -> bool:
    """Whether the process was begun by a rank, and has its environment, but is none."""
    if _member is not None and _member._process != os.getpid():
        return True
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass  # it is closed, or there is none


def _end() -> None:
    """What is left of the job when the script has ended."""
    member = _member
    if member is None or _is_child():
        return
    _flush()
    # What has ended the script, if the interpreter has printed it.
    error = getattr(sys, "last_value", None)
    # Work that continues would meet an interpreter and libraries that are gone.
    if member._is_stuck or not member._handle.wait_until_idle(_LONGEST_END):
        os._exit(_INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1)
    if member._handle.has_left:
        return
    if not member.is_first:
        member._handle.serve_as_failed(
            "its script has ended without member.serve(); every rank but the first calls it"
            if error is None
            else f"its script has ended by {type(error).__name__}: {error}"
        )
    elif isinstance(error, KeyboardInterrupt):
        member._handle.leave(_INTERRUPTED, False)
    else:
        member._handle.leave(0 if error is None else 1, True)
