"""What needs no gateway."""

import base64
import hashlib
import hmac
import os
import time
import unittest

from faxdeck import FaxdeckError, GatewayError, PartialSend, RefusedError, WebhookVerificationError, verify_webhook
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
