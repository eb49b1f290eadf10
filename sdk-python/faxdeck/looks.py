"""How a document looks on the line, and what its sender calls it."""

import json
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional


@dataclass(frozen=True)
class Cover:
    """A page before the document. What is not given is left out.

    ``template`` is plain, formal or confidential, or none where the gateway's settings name a cover page for every
    fax. Without ``sender`` the name on the gateway's header line stands there.
    """

    template: str
    to: Optional[str] = None
    sender: Optional[str] = None
    subject: Optional[str] = None
    note: Optional[str] = None


def looks_of(
    cover: Optional[Cover], tones: Optional[str], unreadable: Optional[str] = None, allow_unlikely_number: bool = False
) -> Dict[str, str]:
    """The fields of a form that say how its document looks, and whether an unlikely number is meant."""
    allow = "true" if allow_unlikely_number else None
    fields = {"tones": tones, "unreadable": unreadable, "allow_unlikely_number": allow}
    if cover is not None:
        fields.update(
            cover=cover.template,
            cover_to=cover.to,
            cover_from=cover.sender,
            cover_subject=cover.subject,
            cover_note=cover.note,
        )
    return {name: value for name, value in fields.items() if value is not None}


def json_of(**fields: Any) -> bytes:
    """A body of what was given."""
    return json.dumps({name: value for name, value in fields.items() if value is not None}).encode()


def labels_of(reference: Optional[str], metadata: Optional[Mapping[str, str]]) -> Dict[str, str]:
    """The fields of a form that say what the sender's program calls the fax."""
    fields = {"reference": reference, "metadata": json.dumps(dict(metadata)) if metadata else None}
    return {name: value for name, value in fields.items() if value is not None}
