"""What the gateway answers, with what is known of it here."""

from dataclasses import dataclass, fields
from typing import Any, Mapping, Type, TypeVar

from . import models
from .models import FaxEventType

T = TypeVar("T")


def read_as(shape: Type[T], answer: Mapping[str, Any]) -> T:
    """The fields of ``shape`` out of an answer that may have more of them, or of an older gateway that has fewer.

    A name that Python keeps for itself ends with an underscore here.
    """
    return shape(**{field.name: answer.get(field.name.rstrip("_")) for field in fields(shape)})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Fax(models.Fax):
    """A fax that was submitted."""

    @property
    def to_number(self) -> str:
        """The number with all but its last four digits hidden, for logs."""
        return "*" * max(0, len(self.to) - 4) + self.to[-4:]

    @property
    def is_settled(self) -> bool:
        """Finished, or in the hands of a person."""
        return self.status in ("SUCCESS", "FAILED") or self.needs_attention


#: The name that faxes in lists had before.
Job = Fax


@dataclass(frozen=True)
class FaxEvent:
    """What happened to a fax."""

    id: str
    type: FaxEventType
    timestamp: str
    #: The fax as it was when the event was sent, which may be later than the event.
    fax: Fax
