"""One document to several numbers, one fax after the other."""

from typing import Callable, List, Sequence, Tuple

from .problems import FaxdeckError, PartialSend
from .shapes import Fax


def send_each(numbers: Sequence[str], key: str, submit: Callable[[str, str], Fax]) -> List[Fax]:
    """One fax for each number, in turn; a number that is refused does not stop the others.

    Raises PartialSend when some were accepted and some not, and the first problem itself when none was.
    """
    faxes: List[Fax] = []
    failed: List[Tuple[str, FaxdeckError]] = []
    tried = 0
    for number in numbers:
        tried += 1
        try:
            faxes.append(submit(number, f"{key}:{number}"))
        except FaxdeckError as error:
            failed.append((number, error))
            if getattr(error, "code", None) != "bad_number":
                # What failed is not this number: the next would meet the same.
                break
    if not failed:
        return faxes
    if not faxes:
        raise failed[0][1]
    raise PartialSend(faxes, failed, numbers[tried:], key) from failed[0][1]
