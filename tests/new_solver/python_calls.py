"""Calls the template solver from Python: python_calls.py CHECKPOINT. Its option `shift` was added by one field."""
import sys

from clopt._closest_value import closest_value
from clopt.errors import InvalidInput

VALUES = [number * number for number in range(40)]
checkpoint = sys.argv[1]
answer = closest_value(VALUES, wanted=440, shift=30, device="openmp:0")
assert (answer.index, answer.distance) == (22, 14), answer
assert "shift: what is added to the wanted value (0 to 500" in closest_value.__doc__, closest_value.__doc__
for wrong in (501, "x"):
    try:
        closest_value(VALUES, shift=wrong, device="openmp:0")
    except (InvalidInput, TypeError) as error:
        assert "shift" in str(error), error
    else:
        raise AssertionError(f"shift={wrong!r} is accepted")
closest_value(VALUES, wanted=440, shift=30, maxiter=2, checkpoint=checkpoint, device="openmp:0")
assert closest_value(VALUES, wanted=440, shift=30, resume=checkpoint, device="openmp:0").index == 22
try:
    closest_value(VALUES, wanted=440, shift=31, resume=checkpoint, device="openmp:0")
except InvalidInput as error:
    assert "shift" in str(error), error
else:
    raise AssertionError("a checkpoint with another shift is resumed")
