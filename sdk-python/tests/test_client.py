"""The client against a gateway that runs: FAXDECK_URL and FAXDECK_API_KEY name it.

FAXDECK_TEST_SCAN is a page behind a separator sheet that it printed for +1 555 555 0129.
"""

import io
import os
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from faxdeck import AccessError, ConnectionFailed, Cover, Faxdeck, GatewayError, RefusedError, StillUnderWay


class AgainstAGateway(unittest.TestCase):
    def setUp(self):
        self.faxdeck = Faxdeck()

    def test_sends_a_path_bytes_and_a_file_and_waits_for_the_outcome(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "letter.txt")
            with open(path, "w", encoding="utf-8") as letter:
                letter.write("From a path")
            seen = []
            fax = self.faxdeck.send("+15555550123", path)
            outcome = self.faxdeck.wait(fax.id, on_change=lambda each: seen.append(each.status))
            self.assertEqual((outcome.status, outcome.pages_confirmed, seen[-1]), ("SUCCESS", 1, "SUCCESS"))
            with open(path, "rb") as letter:
                self.assertEqual(self.faxdeck.send("+15555550124", letter).status, "queued")
        both = self.faxdeck.send(["+15555550125", "+15555550126"], b"To two")
        self.assertEqual(len({fax.id for fax in both}), 2)

    def test_one_idempotency_key_is_one_fax(self):
        first = self.faxdeck.send("+15555550123", b"Once", idempotency_key="python-once")
        again = self.faxdeck.send("+15555550123", b"Once", idempotency_key="python-once")
        self.assertEqual(first.id, again.id)
        with self.assertRaises(RefusedError) as refused:
            self.faxdeck.send("+15555550123", b"Something else", idempotency_key="python-once")
        self.assertEqual((refused.exception.status, refused.exception.code), (409, "idempotency_conflict"))

    def test_an_unlikely_number_is_dialed_only_when_it_is_meant(self):
        with self.assertRaises(RefusedError) as refused:
            self.faxdeck.send("+11930123456", b"Hello")
        self.assertEqual((refused.exception.status, refused.exception.code), (422, "number_unlikely"))
        with self.assertRaises(RefusedError):
            self.faxdeck.broadcasts.send(["+11930123456"], b"News")
        with self.assertRaises(RefusedError):
            self.faxdeck.separator("+11930123456")
        fax = self.faxdeck.send("+11930123456", b"Hello", allow_unlikely_number=True)
        self.faxdeck.wait(fax.id)
        with self.assertRaises(RefusedError):
            self.faxdeck.resend(fax.id)
        self.assertEqual(self.faxdeck.resend(fax.id, allow_unlikely_number=True).to, "+11930123456")
        self.assertEqual(self.faxdeck.quote(b"Hello", to="+11930123456", allow_unlikely_number=True).pages, 1)
        self.assertEqual(self.faxdeck.separator("+11930123456", allow_unlikely_number=True)[:4], b"%PDF")
        made = self.faxdeck.broadcasts.send(["+11930123456"], b"News", allow_unlikely_number=True)
        self.assertEqual(made.faxes, 1)

    def test_a_broadcast_says_how_many_were_accepted_and_which_rows_were_not(self):
        recipients = [{"to": f"+155555510{n:02}", "name": f"Clinic {n}", "reference": str(n)} for n in range(12)]
        with self.assertRaises(RefusedError) as refused:
            self.faxdeck.broadcasts.send([*recipients, "12"], b"News")
        self.assertEqual([each["field"] for each in refused.exception.fields], ["recipients.13"])
        made = self.faxdeck.broadcasts.send([*recipients, "12"], b"News", skip_invalid=True, idempotency_key="python-many")
        self.assertEqual((made.faxes, made.skipped, made.skipped_rows[0]["row"]), (12, 1, 13))
        again = self.faxdeck.broadcasts.send([*recipients, "12"], b"News", skip_invalid=True, idempotency_key="python-many")
        self.assertEqual(again.id, made.id)
        self.assertIn(made.id, [each.id for each in self.faxdeck.broadcasts.list()])
        self.assertEqual(self.faxdeck.broadcasts.pause(made.id).faxes, 12)
        self.assertIn(self.faxdeck.broadcasts.resume(made.id).state, ("sending", "finished"))
        found = list(self.faxdeck.broadcasts.recipients(made.id))
        self.assertEqual([each.name for each in found], [each["name"] for each in recipients])
        self.assertIn("Clinic 11", self.faxdeck.broadcasts.outcomes(made.id))

    def test_says_what_is_wrong_in_the_words_of_the_gateway(self):
        with self.assertRaises(RefusedError) as refused:
            self.faxdeck.send("12", b"x")
        self.assertTrue(str(refused.exception).startswith("Please enter a valid phone number"))
        self.assertTrue(refused.exception.request_id)
        with self.assertRaises(AccessError):
            Faxdeck(api_key="wrong").send("+15555550123", b"x")
        with self.assertRaises(StillUnderWay):
            self.faxdeck.wait(self.faxdeck.send("+15555550104", b"Takes 10 seconds").id, timeout=0.1)

    def test_quotes_lists_and_downloads(self):
        self.assertEqual(self.faxdeck.quote(io.BytesIO(b"One page")).pages, 1)
        fax = self.faxdeck.wait(self.faxdeck.send("+15555550123", b"To be listed").id)
        self.assertIn(fax.id, [job.id for job in self.faxdeck.list(status="SUCCESS")])
        again = self.faxdeck.resend(fax.id)
        self.assertNotEqual(again.id, fax.id)
        received = next(fax for fax in self.faxdeck.inbound.list() if fax.status == "received")
        self.assertTrue(self.faxdeck.inbound.download(received.id).startswith(b"%PDF"))

    def test_labels_come_back_find_the_fax_and_stand_in_its_events(self):
        mark = os.urandom(6).hex()
        fax = self.faxdeck.send("+15555550128", b"Labeled", reference=f"order {mark}", metadata={"ward": mark})
        self.assertEqual((fax.reference, fax.metadata), (f"order {mark}", {"ward": mark}))
        self.faxdeck.wait(fax.id)
        for filters in ({"reference": f"order {mark}"}, {"metadata": {"ward": mark}}, {"q": mark}):
            self.assertEqual([found.id for found in self.faxdeck.list(**filters)], [fax.id])
        heard = self.faxdeck.events()
        again = []
        timer = threading.Timer(1.0, lambda: again.append(self.faxdeck.resend(fax.id)))
        timer.start()
        event = next(event for event in heard if event.fax.reference == f"order {mark}")
        timer.join()
        self.assertEqual((event.fax.id, event.type), (again[0].id, "fax.queued"))
        self.assertTrue(next(self.faxdeck.events(after=event.id)).type.startswith("fax."))
        with self.assertRaises(GatewayError) as unknown:
            next(self.faxdeck.events(after="unknown"))
        self.assertEqual(unknown.exception.code, "reset")

    def test_a_cover_page_is_quoted_sent_and_refused_in_words(self):
        cover = Cover("formal", to="Dr. Jane Doe", sender="Records", subject="Results", note="Please call.\nThank you.")
        self.assertEqual(self.faxdeck.quote(b"One page", to="+15555550127", cover=cover, tones="text").pages, 2)
        fax = self.faxdeck.wait(self.faxdeck.send("+15555550127", b"One page", cover=cover, tones="text").id)
        self.assertEqual((fax.status, fax.pages_confirmed, fax.cover), ("SUCCESS", 2, "formal"))
        with self.assertRaises(RefusedError) as refused:
            self.faxdeck.send("+15555550127", b"One page", cover=Cover("formal", note="line\n" * 60 + "end"))
        self.assertEqual(refused.exception.code, "bad_cover")

    def test_a_scan_is_split_at_the_sheets_that_were_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sheet.pdf")
            sheet = self.faxdeck.separator("+15555550129", reference="Ann", path=path)
            self.assertTrue(sheet.startswith(b"%PDF"))
            with open(path, "rb") as kept:
                self.assertEqual(kept.read(), sheet)
        for call in (self.faxdeck.quote_split, self.faxdeck.split):
            with self.assertRaises(RefusedError) as refused:
                call(sheet)
            self.assertIn("separator sheet with no pages after it", str(refused.exception))
        scan = os.environ["FAXDECK_TEST_SCAN"]
        (part,) = self.faxdeck.quote_split(scan)
        self.assertEqual((part.to, part.first_page, part.last_page, part.pages), ("+15555550129", 2, 2, 1))
        first = self.faxdeck.split(scan, idempotency_key="python-pile")
        self.assertEqual([fax.to for fax in first], ["+15555550129"])
        again = self.faxdeck.split(scan, idempotency_key="python-pile")
        self.assertEqual([fax.id for fax in again], [fax.id for fax in first])

    def test_a_fax_may_be_sent_although_a_page_loses_writing(self):
        fax = self.faxdeck.send("+15555550128", b"Readable", unreadable="send")
        self.assertEqual((self.faxdeck.wait(fax.id).status, fax.page_notes), ("SUCCESS", []))
        again = self.faxdeck.resend(fax.id, unreadable="refuse")
        self.assertEqual(self.faxdeck.wait(again.id).status, "SUCCESS")
        with self.assertRaises(RefusedError):
            self.faxdeck.send("+15555550128", b"Readable", unreadable="maybe")

    def test_the_names_of_the_predecessor(self):
        self.assertTrue(self.faxdeck.check_health())
        with tempfile.NamedTemporaryFile(suffix=".txt") as letter:
            letter.write(b"As before")
            letter.flush()
            fax = self.faxdeck.send_fax("+15555550123", letter.name)
        self.assertEqual(self.faxdeck.get_status(fax.id).id, fax.id)


class _Fails(BaseHTTPRequestHandler):
    """Answers 503 once, then as it should; keeps the idempotency keys it saw."""

    keys = []

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.keys.append(self.headers["idempotency-key"])
        first = len(self.keys) == 1
        body = b"down" if first else b'{"id": "f1", "status": "queued"}'
        self.send_response(503 if first else 202)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class _Elsewhere(BaseHTTPRequestHandler):
    """Sends everybody to ``target``, or keeps what it was given when there is none."""

    target = ""
    seen = []

    def do_GET(self):
        if not self.target:
            self.seen.append(self.headers["x-api-key"])
        self.send_response(307 if self.target else 200)
        if self.target:
            self.send_header("Location", self.target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Redirects(unittest.TestCase):
    def test_the_key_goes_nowhere_else(self):
        there = HTTPServer(("127.0.0.1", 0), _Elsewhere)
        target = f"http://localhost:{there.server_port}/fax"
        here = HTTPServer(("127.0.0.1", 0), type("Here", (_Elsewhere,), {"target": f"{target}?token=secret"}))
        for server in (there, here):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with self.assertRaises(GatewayError) as refused:
                Faxdeck(f"http://127.0.0.1:{here.server_port}", api_key="k").status("f1")
        finally:
            for server in (there, here):
                server.shutdown()
                server.server_close()
        self.assertEqual((refused.exception.status, refused.exception.code), (307, "redirected"))
        self.assertIn(f"redirected the request to {target}. ", str(refused.exception))
        self.assertEqual(_Elsewhere.seen, [])


class _Received(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"%PDF-")

    def log_message(self, *_):
        pass


class Downloads(unittest.TestCase):
    @unittest.skipIf(os.name == "nt", "Windows has no such rights.")
    def test_only_this_user_can_read_a_document(self):
        server = HTTPServer(("127.0.0.1", 0), _Received)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        before = os.umask(0o022)
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "letter.pdf")
                Faxdeck(f"http://127.0.0.1:{server.server_port}").inbound.download("f1", path)
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
                with open(path, "rb") as letter:
                    self.assertEqual(letter.read(), b"%PDF-")
        finally:
            os.umask(before)
            server.shutdown()
            server.server_close()


class _Busy(BaseHTTPRequestHandler):
    seen = 0

    def do_GET(self):
        _Busy.seen += 1
        self.send_response(429)
        self.send_header("Retry-After", "3600")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Failures(unittest.TestCase):
    def test_a_submission_is_repeated_under_the_same_key(self):
        server = HTTPServer(("127.0.0.1", 0), _Fails)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            fax = Faxdeck(f"http://127.0.0.1:{server.server_port}").send("+15555550123", b"x")
        finally:
            server.shutdown()
            server.server_close()
        self.assertEqual((fax.id, len(_Fails.keys), len(set(_Fails.keys))), ("f1", 2, 1))

    def test_a_long_retry_after_is_left_to_the_caller(self):
        _Busy.seen = 0
        server = HTTPServer(("127.0.0.1", 0), _Busy)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            gateway = Faxdeck(f"http://127.0.0.1:{server.server_port}")
            with self.assertRaises(GatewayError) as refused:
                gateway.status("f1")
            self.assertEqual(refused.exception.retry_after, 3600.0)
            # Waiting ends when its time is up, whatever the reason.
            with self.assertRaises(StillUnderWay):
                gateway.wait("f1", timeout=1)
        finally:
            server.shutdown()
            server.server_close()
        self.assertEqual(_Busy.seen, 2)

    def test_says_that_nobody_answers(self):
        with self.assertRaises(ConnectionFailed):
            Faxdeck("http://127.0.0.1:9", retries=0).check_health()


if __name__ == "__main__":
    unittest.main()
