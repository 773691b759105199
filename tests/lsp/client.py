"""A client of the language server for tests: sends messages, waits for what comes back, and remembers the rest."""
import json
import os
import queue
import subprocess
import threading
import time

WAIT = 120  # seconds; a machine may be busy


class Gone(Exception):
    """The server has closed its side."""


class Client:
    def __init__(self, reckon, folder, *arguments, capabilities=None, options=None, environment=None, initialize=True):
        self.folder = os.path.realpath(folder)
        env = {**os.environ, "XDG_CACHE_HOME": os.path.join(self.folder, ".cache"), **(environment or {})}
        self.process = subprocess.Popen([reckon, "lsp", *arguments], cwd=self.folder, env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.arrived = queue.Queue()
        self.kept = []
        self.number = 0
        self.versions = {}
        threading.Thread(target=self._read, daemon=True).start()
        self.stderr = []
        threading.Thread(target=lambda: self.stderr.extend(self.process.stderr), daemon=True).start()
        if initialize:
            default = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}},
                       "window": {"workDoneProgress": True, "showDocument": {"support": True}}}
            self.server = self.request("initialize", {
                "processId": os.getpid(), "rootUri": self.uri(""), "capabilities": capabilities or default,
                "initializationOptions": {"pause": 50, **(options or {})}})
            self.notify("initialized", {})

    def uri(self, name):
        return "file://" + os.path.join(self.folder, name).rstrip("/")

    def _read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if line == b"":
                self.arrived.put(None)
                return
            self.arrived.put(json.loads(stream.read(length)))

    def send_bytes(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request and returns its number."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def request(self, method, params):
        reply = self.reply(self.ask(method, params))
        assert "error" not in reply, reply
        return reply["result"]

    def reply(self, number):
        return self.wait(lambda m: m.get("id") == number and "method" not in m)

    def wait(self, wanted, seconds=WAIT):
        for i, message in enumerate(self.kept):
            if wanted(message):
                return self.kept.pop(i)
        end = time.monotonic() + seconds
        while True:
            message = self.arrived.get(timeout=max(0.01, end - time.monotonic()))
            if message is None:
                raise Gone(b"".join(self.stderr).decode())
            if "id" in message and "method" in message:  # the server asks something
                self.send({"id": message["id"], "result": None})
            if wanted(message):
                return message
            self.kept.append(message)

    # ---- documents

    def open(self, name, text=None):
        if text is None:
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                text = file.read()
        self.versions[name] = 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "c", "version": 1, "text": text}})

    def change(self, name, text, range_=None):
        self.versions[name] += 1
        change = {"text": text} if range_ is None else {"text": text, "range": range_}
        self.notify("textDocument/didChange", {"textDocument": {
            "uri": self.uri(name), "version": self.versions[name]}, "contentChanges": [change]})

    def save(self, name):
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(name)}})

    def close(self, name):
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def diagnostics(self, name, version=None):
        """The next diagnostics of a file, of the version that it has now."""
        uri, version = self.uri(name), version or self.versions.get(name)
        return self.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri and
                         m["params"].get("version", version) == version)["params"]["diagnostics"]

    def at(self, name, line, character):
        return {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}}

    def hover(self, name, line, character):
        result = self.request("textDocument/hover", self.at(name, line, character))
        return result["contents"]["value"] if result else ""

    def actions(self, name, diagnostic):
        return self.request("textDocument/codeAction", {
            "textDocument": {"uri": self.uri(name)}, "range": diagnostic["range"],
            "context": {"diagnostics": [diagnostic]}})

    def end(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(WAIT)
