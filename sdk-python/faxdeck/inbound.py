"""Received faxes."""

import json
from typing import Iterator, Optional
from urllib.parse import quote as quoted

from .models import InboundFax
from .paper import Path, write_privately
from .request import Connection, ask
from .shapes import read_as

_PER_PAGE = 100


class Inbound:
    """Received faxes."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def list(self) -> Iterator[InboundFax]:
        """Received faxes, newest first, page after page as they are asked for."""
        cursor: Optional[str] = None
        while True:
            page = json.loads(ask(self._connection, "/inbound", query={"limit": _PER_PAGE, "cursor": cursor}))
            yield from (read_as(InboundFax, fax) for fax in page)
            if len(page) < _PER_PAGE:
                return
            cursor = page[-1]["cursor"]

    def download(self, fax_id: str, path: Optional[Path] = None) -> bytes:
        """The document of a received fax, a PDF; also written to ``path`` when one is given."""
        content = ask(self._connection, f"/inbound/{quoted(fax_id, safe='')}/pdf")
        if path is not None:
            write_privately(path, content)
        return content
