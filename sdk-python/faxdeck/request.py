"""Asking the gateway, again where that is safe and of use."""

import http.client
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional

from .problems import ConnectionFailed, FaxdeckError, GatewayError, error_of

_TOO_MANY = 429
_WORTH_REPEATING = (_TOO_MANY, 502, 503, 504)
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
# A gateway asks for a minute at most; a longer Retry-After is for the caller to plan with.
_LONGEST_ASKED = 300.0
# So long a call gives way to others of its key: what is refused with 429 was not done, and is asked for again.
_LONGEST_QUEUED = 3600.0
# Others of the key wait as well: not all come back in the same instant.
_SPREAD = 0.5
# How a connection fails, also in the middle of an answer.
BROKEN = (OSError, http.client.HTTPException)
_REDIRECTS = (301, 302, 303, 307, 308)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another place."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


@dataclass(frozen=True)
class Connection:
    """Where the gateway is; ``timeout`` is seconds for one try, ``retries`` the tries after the first."""

    base_url: str
    api_key: Optional[str]
    timeout: float
    retries: int


def _redirected(url: str, answer: Mapping[str, str]) -> str:
    """Where an answer points, without what may be secret in an address: user, password and query."""
    asked = urllib.parse.urlsplit(url)
    to = urllib.parse.urlsplit(urllib.parse.urljoin(url, answer.get("location", "")))
    target = f"{to.scheme}://{to.netloc.rpartition('@')[2]}{to.path}" if answer.get("location") else "another address"
    return (
        f"{asked.scheme}://{asked.netloc} redirected the request to {target}. The SDK does not follow redirects, so "
        "that your key and documents go nowhere else. If that is your gateway, set base_url to its address."
    )


def open_once(
    connection: Connection,
    method: str,
    url: str,
    body: Optional[bytes],
    headers: Mapping[str, str],
    timeout: float,
) -> Any:
    """The answer, to be read and closed. Raises GatewayError for a refusal, ConnectionFailed when no answer came."""
    request = urllib.request.Request(url, data=body, method=method, headers=dict(headers))
    if connection.api_key:
        request.add_header("X-API-Key", connection.api_key)
    try:
        return _OPENER.open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        with error:
            answer = {name.lower(): value for name, value in error.headers.items()}
            if error.code in _REDIRECTS:
                raise GatewayError(error.code, _redirected(url, answer), "redirected", None, None) from None
            raise error_of(error.code, answer, error.read()) from None
    except BROKEN as error:
        raise _unreachable(connection, error) from error


def _unreachable(connection: Connection, error: Exception) -> ConnectionFailed:
    why = getattr(error, "reason", None) or error
    return ConnectionFailed(f"The gateway at {connection.base_url} could not be reached ({why}).")


def _try_once(
    connection: Connection, method: str, url: str, body: Optional[bytes], headers: Mapping[str, str], held: float
) -> bytes:
    response = open_once(connection, method, url, body, headers, connection.timeout + held)
    try:
        with response:
            content: bytes = response.read()
            return content
    except BROKEN as error:
        raise _unreachable(connection, error) from error


def _pause(tried: int, problem: FaxdeckError) -> float:
    asked: Optional[float] = getattr(problem, "retry_after", None)
    if asked is not None:
        return asked
    return float(min(_FIRST_PAUSE * 2**tried, _LONGEST_PAUSE)) * random.uniform(0.5, 1)


def asking_with(body: bytes, content_type: str) -> Dict[str, Any]:
    """How a question with a body is asked, which changes nothing and so may be repeated."""
    return {"method": "POST", "body": body, "headers": {"Content-Type": content_type}, "repeatable": True}


def ask(
    connection: Connection,
    path: str,
    *,
    method: str = "GET",
    query: Optional[Mapping[str, Any]] = None,
    body: Optional[bytes] = None,
    headers: Optional[Mapping[str, str]] = None,
    repeatable: Optional[bool] = None,
    until: Optional[float] = None,
    held: float = 0.0,
) -> bytes:
    """The body of the answer; after ``until`` of the monotonic clock no other try is waited for.

    ``held`` is how many seconds the gateway may hold the answer back, beyond those for a try. Raises GatewayError for a
    refusal, ConnectionFailed when no answer came.
    """
    given = {name: value for name, value in (query or {}).items() if value is not None}
    url = f"{connection.base_url}{path}" + (f"?{urllib.parse.urlencode(given, doseq=True)}" if given else "")
    may_repeat = method == "GET" if repeatable is None else repeatable
    tried, queued_until = 0, time.monotonic() + _LONGEST_QUEUED
    while True:
        try:
            return _try_once(connection, method, url, body, headers or {}, held)
        except (GatewayError, ConnectionFailed) as problem:
            transient = not isinstance(problem, GatewayError) or problem.status in _WORTH_REPEATING
            wait = _pause(tried, problem)
            in_time = wait <= _LONGEST_ASKED and time.monotonic() + wait <= (until or float("inf"))
            # Nothing was done, so that every call may be made again; it has not failed, so that it does not count as a try.
            queued = getattr(problem, "status", None) == _TOO_MANY and time.monotonic() < queued_until
            if not in_time or not (queued or (may_repeat and transient and tried < connection.retries)):
                raise
            time.sleep(wait + (random.uniform(0, _SPREAD) if queued else 0))
            tried += 0 if queued else 1
