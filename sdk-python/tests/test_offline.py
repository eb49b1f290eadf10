"""What needs no gateway."""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from faxdeck import Faxdeck, FaxdeckError, GatewayError, PartialSend, RefusedError, WebhookVerificationError, verify_webhook
from faxdeck.events import arrivals
from faxdeck.request import Connection
from faxdeck.sending import send_each

SECRET = "whsec_" + base64.b64encode(os.urandom(32)).decode()
BODY = '{"type":"fax.delivered","timestamp":"2026-11-23T09:00:00.000Z","data":{"id":"ä"}}'


def headers_of(at=None, secrets=(SECRET,), message_id="msg_1"):
    at = int(time.time()) if at is None else at
    signed = f"{message_id}.{at}.{BODY}".encode()
    keys = [base64.b64decode(secret[6:]) for secret in secrets]
    signatures = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode() for key in keys]
    return {
        "Webhook-Id": message_id,
        "Webhook-Timestamp": str(at),
        "Webhook-Signature": " ".join(f"v1,{each}" for each in signatures),
    }


class Gateway(BaseHTTPRequestHandler):
    """Has received faxes, and a stream that says so when the third one is there."""

    there = ["a", "b"]
    rung = threading.Event()

    def do_GET(self):
        url = urlsplit(self.path)
        self.send_response(200)
        self.end_headers()
        if url.path == "/fax/events":
            self.wfile.write(b": open\n\n")
            self.wfile.flush()
            Gateway.rung.wait(10)
            self.wfile.write(b"id: 1\nevent: inbound.received\ndata: {}\n\n")
            self.wfile.flush()
            return
        after = parse_qs(url.query).get("cursor", [""])[0]
        faxes = [{"id": each, "cursor": each, "from": "+1555"} for each in self.there if each > after]
        self.wfile.write(json.dumps({"faxes": faxes, "next_cursor": None}).encode())

    def log_message(self, *_):
        pass


class Received(unittest.TestCase):
    def test_received_faxes_are_followed_by_the_list_which_the_stream_asks_to_read_again(self):
        server = ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        faxes = Faxdeck(f"http://127.0.0.1:{server.server_port}", "k").received.follow("a")
        first = next(faxes)
        self.assertEqual((first.id, first.from_), ("b", "+1555"))
        Gateway.there.append("c")
        Gateway.rung.set()
        self.assertEqual(next(faxes).id, "c")
        faxes.close()


class CutOff(BaseHTTPRequestHandler):
    """Breaks off in the middle: of the first document, and of a chunk of the stream."""

    asked = 0

    def do_GET(self):
        CutOff.asked += 1
        is_stream = self.path.startswith("/fax/events")
        self.send_response(200)
        self.send_header(*(("Transfer-Encoding", "chunked") if is_stream else ("Content-Length", "4")))
        self.end_headers()
        self.wfile.write(b"50\r\nid: 1\n" if is_stream else b"%PDF" if CutOff.asked > 1 else b"%P")

    def log_message(self, *_):
        pass


class Connections(unittest.TestCase):
    def test_an_answer_that_was_cut_off_is_asked_for_again_and_a_stream_ends(self):
        server = ThreadingHTTPServer(("127.0.0.1", 0), CutOff)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}"
        self.assertEqual(Faxdeck(url, "k").received.download("a"), b"%PDF")
        self.assertEqual(list(arrivals(Connection(url, "k", 5.0, 0))), [{}])


class Webhooks(unittest.TestCase):
    def test_a_signed_message_is_read_also_while_the_secret_is_changed(self):
        other = "whsec_" + base64.b64encode(os.urandom(32)).decode()
        self.assertEqual(verify_webhook(BODY.encode(), headers_of(), SECRET)["data"], {"id": "ä"})
        self.assertEqual(verify_webhook(BODY, headers_of(secrets=(other, SECRET)), SECRET)["type"], "fax.delivered")
        self.assertEqual(verify_webhook(BODY, headers_of(secrets=(other,)), [SECRET, other])["type"], "fax.delivered")

    def test_every_other_message_is_refused(self):
        now = int(time.time())
        wrong = [
            (BODY.replace("delivered", "failed"), headers_of()),
            (BODY, {**headers_of(), "Webhook-Id": "msg_2"}),
            (BODY, headers_of(secrets=("whsec_" + base64.b64encode(os.urandom(32)).decode(),))),
            (BODY, headers_of(at=now - 301)),
            (BODY, headers_of(at=now + 310)),
            (BODY, {**headers_of(), "Webhook-Timestamp": "NaN"}),
            (BODY, {**headers_of(), "Webhook-Signature": "v1,%%%"}),
            (BODY, {**headers_of(), "Webhook-Signature": "v2,AAAA"}),
            (BODY, {"Webhook-Id": "msg_1"}),
        ]
        for body, headers in wrong:
            with self.subTest(headers=headers), self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, SECRET)
        with self.assertRaisesRegex(FaxdeckError, "whsec_ followed by"):
            verify_webhook(BODY, headers_of(), "letmein")


class SeveralRecipients(unittest.TestCase):
    def send(self, problems):
        tried = []

        def submit(number, key):
            tried.append(key)
            if number in problems:
                raise problems[number]
            return number

        with self.assertRaises(FaxdeckError) as raised:
            send_each(["1", "2", "3"], "key", submit)
        return tried, raised.exception

    def test_a_refused_number_does_not_stop_the_others(self):
        bad = RefusedError(400, "Not a number.", "bad_number", None, None)
        tried, error = self.send({"2": bad})
        self.assertEqual(tried, ["key:1", "key:2", "key:3"])
        self.assertIsInstance(error, PartialSend)
        self.assertEqual((error.faxes, error.failed, error.not_tried), (["1", "3"], [("2", bad)], []))
        self.assertIs(self.send({"1": bad, "2": bad, "3": bad})[1], bad)

    def test_what_the_next_would_meet_as_well_ends_it(self):
        full = GatewayError(507, "The disk is full.", "storage_full", None, None)
        tried, error = self.send({"2": full})
        self.assertEqual((tried, error.not_tried), (["key:1", "key:2"], ["3"]))
        self.assertIn("1 of 3 faxes", str(error))


if __name__ == "__main__":
    unittest.main()
