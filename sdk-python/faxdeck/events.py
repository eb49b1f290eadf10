"""What happens to faxes, as it happens."""

import json
import time
from typing import Dict, Iterator, Optional

from .problems import ConnectionFailed, GatewayError
from .request import BROKEN, Connection, open_once
from .shapes import Fax, FaxEvent, read_as

# The gateway sends a sign of life every 15 seconds: a stream that says nothing for so long is dead.
_SILENCE = 45.0
_PAUSE = 1.0


def _blocks(response: Iterator[bytes]) -> Iterator[Dict[str, str]]:
    """The events of a stream. Source: WHATWG HTML, 9.2.6."""
    block: Dict[str, str] = {}
    for raw in response:
        line = raw.decode().rstrip("\r\n")
        if line == "":
            if block:
                yield block
            block = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            block[name] = value


def _listen(connection: Connection, last: Optional[str], types: str = "") -> Iterator[Dict[str, str]]:
    """One connection, until it ends. Of received faxes an empty event says that it is open."""
    headers = {} if last is None else {"Last-Event-ID": last}
    url = f"{connection.base_url}/fax/events{types}"
    with open_once(connection, "GET", url, None, headers, _SILENCE) as response:
        if types:
            yield {}
        try:
            yield from _blocks(response)
        except BROKEN:
            return


def follow_events(connection: Connection, after: Optional[str]) -> Iterator[FaxEvent]:
    """The events after one, and on; a connection that breaks is made again, and what happened meanwhile comes first."""
    last, failed = after, 0
    while True:
        try:
            for block in _listen(connection, last):
                failed = 0
                data = json.loads(block["data"])
                if block.get("event") == "reset":
                    raise GatewayError(410, data["detail"], "reset", None, None)
                last = data["id"]
                yield FaxEvent(data["id"], data["type"], data["timestamp"], read_as(Fax, data["fax"]))
        except (ConnectionFailed, GatewayError) as problem:
            lasting = isinstance(problem, GatewayError) and problem.status not in (429, 502, 503, 504)
            failed += 1
            if lasting or failed > connection.retries:
                raise
            time.sleep(getattr(problem, "retry_after", None) or _PAUSE)
        else:
            time.sleep(_PAUSE)


def arrivals(connection: Connection) -> Iterator[Dict[str, str]]:
    """Says that faxes may have been received: once the stream is open, and at each event. Ends with the stream."""
    return _listen(connection, None, "?types=inbound.received,inbound.failed")
