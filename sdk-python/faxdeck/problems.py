"""What can go wrong. The message of each error is a sentence, the gateway's own where it gave one."""

import json
from typing import TYPE_CHECKING, Dict, List, Mapping, Optional, Sequence, Tuple, Type

if TYPE_CHECKING:
    from .shapes import Fax


class FaxdeckError(Exception):
    """Anything that went wrong."""


class GatewayError(FaxdeckError):
    """The gateway refused or failed.

    ``status`` is the HTTP status, ``code`` the gateway's word for it, ``request_id`` names the request in its log.
    ``fields`` says what is wrong with each ``field``, in its ``message``; of a broadcast, with each row: recipients.17.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        code: str,
        request_id: Optional[str],
        retry_after: Optional[float],
        fields: Optional[List[Dict[str, str]]] = None,
    ):
        super().__init__(detail)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.retry_after = retry_after
        self.fields = fields or []


class AccessError(GatewayError):
    """No key, a wrong one, or one without the scope that the call needs."""


class RefusedError(GatewayError):
    """The number or the document cannot be faxed as it is. Sending the same again will not help."""


class ConnectionFailed(FaxdeckError):
    """The gateway could not be reached, or did not answer in time."""


class StillUnderWay(FaxdeckError):
    """The fax was still under way when the time given was up."""


class PartialSend(FaxdeckError):
    """Some of several recipients got a fax and others did not. The faxes in ``faxes`` are on their way.

    ``failed`` has the numbers that got none, each with its error; ``not_tried`` those after a problem that would have
    met them as well. After mending it call ``send`` again with the same numbers and this ``idempotency_key``: nobody
    gets a second fax.
    """

    def __init__(
        self,
        faxes: "Sequence[Fax]",
        failed: Sequence[Tuple[str, FaxdeckError]],
        not_tried: Sequence[str],
        idempotency_key: str,
    ):
        number, error = failed[0]
        super().__init__(
            f"{len(faxes)} of {len(faxes) + len(failed) + len(not_tried)} faxes were accepted. {number}: {error}"
        )
        self.faxes = list(faxes)
        self.failed = list(failed)
        self.not_tried = list(not_tried)
        self.idempotency_key = idempotency_key


class WebhookVerificationError(FaxdeckError):
    """The message is not from your gateway, or is too old. Answer it with 400 and do nothing else."""


_KINDS: Dict[int, Type[GatewayError]] = {401: AccessError, 403: AccessError, **dict.fromkeys((400, 409, 413, 415, 422), RefusedError)}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> GatewayError:
    """The error of an answer that is no success."""
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        # A proxy in between answers in words of its own: the status says enough.
        answer = {}
    try:
        retry_after: Optional[float] = float(headers.get("retry-after", ""))
    except ValueError:
        retry_after = None
    kind = _KINDS.get(status, GatewayError)
    detail = answer.get("detail") or f"The gateway answered {status}."
    code = answer.get("code") or "unknown"
    return kind(status, detail, code, answer.get("request_id"), retry_after, answer.get("fields"))
