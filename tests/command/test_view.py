"""andes view: the page over HTTP, for who knows the token; nothing for others, by whatever way they ask."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess

from support.build import ANDES, BUILD
from support.command_line import CommandTest, main

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")


class View(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.work, "runs"))
        self.write("secret.txt", "a secret")
        self.server = subprocess.Popen([ANDES, "view", "runs", "--no-browser"], cwd=self.work, env=self.environment(), text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end)
        address = self.server.stdout.readline()
        port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n", address).groups()
        self.port = int(port)

    def end(self):
        if self.server.poll() is None:
            self.server.kill()
        self.server.wait()
        self.server.stdout.close()
        self.server.stderr.close()

    def add(self, ranks):
        subprocess.run([MAKE_RUNS], cwd=os.path.join(self.work, "runs"), check=True, text=True,
                       input=json.dumps([{"file": "p%d.andes" % ranks, "ranks": ranks}]))

    def ask(self, path, method="GET", body=None, **headers):
        """Status, headers, text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def own(self, name=""):
        return "/%s/%s" % (self.token, name)

    def raw(self, text):
        with socket.create_connection(("127.0.0.1", self.port), timeout=600) as connection:
            connection.sendall(text.encode())
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while part := connection.recv(65536):
                answer += part
            return answer.decode()

    def test_page_follows(self):
        """Nothing yet, then the page of one run, then of two; the state changes with it."""
        self.assertIn("No run has come yet", self.ask(self.own())[2])
        empty = self.ask(self.own("state"))[2]
        self.add(1)
        status, headers, page = self.ask(self.own())
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertEqual(page.count('"tree":"tree-'), 1)
        one = self.ask(self.own("state"))[2]
        self.assertEqual(one, self.ask(self.own("state"))[2])
        self.assertNotEqual(one, empty)
        self.add(2)
        self.assertNotEqual(self.ask(self.own("state"))[2], one)
        page = self.ask(self.own())[2]
        self.assertEqual(page.count('"tree":"tree-'), 2)
        self.assertIn("connect-src 'self'; script-src", page)
        self.assertEqual(headers["Content-Security-Policy"], "frame-ancestors 'none'")
        self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
        self.assertEqual(headers["Cache-Control"], "no-store")
        with open(os.path.join(self.work, "runs", "broken.andes"), "w", encoding="utf-8") as file:
            file.write("no run")
        self.assertEqual(self.ask(self.own())[2].count('"tree":"tree-'), 2)
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(600), 0)
        self.assertEqual(self.server.stderr.read().count("\n"), 1)  # of the broken one

    def test_others_get_nothing(self):
        self.add(2)
        self.assertEqual(self.ask(self.own())[0], 200)

        def nothing(status, *words, **more):
            found, _, text = self.ask(*words, **more)
            self.assertEqual((found, text), (status, "andes: nothing here\n"), words)

        # Without the token, or with another one.
        for path in ("/", "/state", "/" + "0" * 32 + "/", "/" + self.token, "/" + self.token[:-1] + "/", "//" + self.token + "/", "/" + self.token.upper() + "x/"):
            nothing(404, path)
        # Files, by any way of writing their names.
        for path in ("../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "runs/p2.andes", "p2.andes", "/etc/passwd", "../../../../etc/passwd",
                     "..\\secret.txt", "state/../../secret.txt", "state?x", "%00", "./", "//"):
            nothing(404, self.own(path))
        nothing(404, "http://127.0.0.1:%d%s" % (self.port, self.own()))
        # Another host name leads here: DNS rebinding.
        for name in ("evil.example", "evil.example:%d" % self.port, "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:%d" % self.port, "", "0.0.0.0:%d" % self.port):
            nothing(403, self.own(), Host=name)
        self.assertEqual(self.ask(self.own(), Host="localhost:%d" % self.port)[0], 200)
        # Pages of other origins.
        nothing(403, self.own(), Origin="http://evil.example")
        nothing(403, self.own(), Origin="null")
        nothing(403, self.own(), Origin="https://127.0.0.1:%d" % self.port)
        nothing(403, self.own(), Origin="http://127.0.0.1:1")
        for site in ("cross-site", "same-site"):
            for mode, kind in (("no-cors", "script"), ("cors", "empty"), ("navigate", "iframe")):
                nothing(403, self.own(), Sec_Fetch_Site=site, Sec_Fetch_Mode=mode, Sec_Fetch_Dest=kind)
        self.assertEqual(self.ask(self.own("state"), Sec_Fetch_Site="same-origin", Origin="http://127.0.0.1:%d" % self.port)[0], 200)
        self.assertEqual(self.ask(self.own(), Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")[0], 200)
        # Other methods.
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
            found = self.ask(self.own(), method)
            self.assertEqual(found[0], 405, method)

    def test_bad_requests(self):
        """What is no request, too long, or never comes to its end disturbs nobody."""
        self.add(1)
        slow = socket.create_connection(("127.0.0.1", self.port), timeout=600)
        self.addCleanup(slow.close)
        slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
        start = "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % (self.own(), self.port)
        for text in ("", "\0\1\2", "GET\r\n\r\n", start + "X: " + "y" * 100_000 + "\r\n\r\n", start + "Content-Length: 99999999\r\n\r\n" + "x" * 1000):
            try:
                self.assertNotIn("200 OK", self.raw(text))
            except OSError:
                pass  # cut off while it was sent
        self.assertIn("200 OK", self.raw(start + "\r\n"))
        self.assertIsNone(self.server.poll())

    def test_address(self):
        """127.0.0.1 alone: the kernel's table has no other socket of this port that listens."""
        listening = []
        for name in ("/proc/net/tcp", "/proc/net/tcp6"):
            if os.path.exists(name):
                with open(name, encoding="ascii") as table:
                    listening += [row.split()[1] for row in table.readlines()[1:] if row.split()[3] == "0A"]
        self.assertEqual([at for at in listening if at.endswith(":%04X" % self.port)], ["0100007F:%04X" % self.port])
        done = self.andes("view", "runs", "--no-browser", "--port", str(self.port))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^andes: port %d: .*; give another --port, or none\n$" % self.port)
        self.refused("nowhere: no such file or directory; name run files or directories of run files", "view", "nowhere")
        self.refused("nowhere: no such file or directory; name run files or directories of run files", "view", "--history", "nowhere")
        self.refused("view: no runs are named; name run files or directories of them", "view")
        self.refused("runs: not expected: a history is of one directory; andes view --history DIR", "view", "--history", "runs", "runs")
        self.refused("--branch: it is of a history; andes view --history DIR", "view", "runs", "--branch", "main")

    def test_browser(self):
        """On a desktop the browser gets a file of the user's own that leads to the page: never the token as an argument.

        Whoever has the address may end it, also before anything was asked for: this browser does."""
        self.write("xdg-open", "#!/bin/sh\ncp \"$1\" '%s/given'; stat -c %%a \"$1\" > '%s/mode'; echo \"$1\" > '%s/name'; kill $PPID\n"
                   % (self.place, self.place, self.place), executable=True)
        os.rename(os.path.join(self.work, "xdg-open"), os.path.join(self.bin, "xdg-open"))
        done = self.andes("view", "runs", DISPLAY=":0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(os.path.join(self.place, "given"), encoding="utf-8") as given, open(os.path.join(self.place, "mode"), encoding="utf-8") as mode, \
                open(os.path.join(self.place, "name"), encoding="utf-8") as where:
            self.assertIn("url=" + done.stdout.strip(), given.read())
            self.assertEqual(mode.read(), "600\n")
            self.assertFalse(os.path.exists(where.read().strip()))


if __name__ == "__main__":
    main()
