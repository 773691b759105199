"""A headless Chromium for the tests: as much of the WebDriver protocol as they need, and no more.

Every request the browser makes is logged, so that a test can say that none left a folder.
"""
import base64
import contextlib
import http.server
import json
import re
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request


class Missing(Exception):
    """The browser or its driver is not installed."""


class Failure(Exception):
    """The driver refused a command."""


ARROW_RIGHT, ARROW_LEFT, ARROW_DOWN, ARROW_UP, ENTER, ESCAPE = "\ue014", "\ue012", "\ue015", "\ue013", "\ue007", "\ue00c"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


@contextlib.contextmanager
def served(folder, headers):
    """The folder behind an address of this machine, every answer with these headers."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(folder))

        def end_headers(self):
            for name, value in headers.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


class Browser:
    def __init__(self, width=1400, height=900, dark=False, scale=1):
        driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
        if not driver or not chromium:
            raise Missing("chromium and chromedriver are needed (`scripts/setup tests` installs them)")
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        port = None
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                port = found.group(1)
                break
        if port is None:
            raise Failure("chromedriver did not start")
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
                     f"--window-size={width},{height}", f"--force-device-scale-factor={scale}"]
        wanted = {"goog:chromeOptions": {"binary": chromium, "args": arguments},
                  "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}}
        value = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + value["sessionId"]
        self.resize(width, height, scale)
        self.prefer(dark=dark)

    def _call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failure(json.load(error)["value"]["message"].splitlines()[0]) from None

    def _post(self, path, body):
        return self._call("POST", self.session + path, body)

    def devtools(self, command, **params):
        return self._post("/goog/cdp/execute", {"cmd": command, "params": params})

    def resize(self, width, height, scale=1):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def prefer(self, dark=False, reduced_motion=True):
        """The reader's system settings."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"}]
        self.devtools("Emulation.setEmulatedMedia", features=features)

    def open(self, path, fragment=""):
        self._post("/url", {"url": "file://" + str(path) + fragment})

    def open_address(self, address):
        self._post("/url", {"url": address})

    def run(self, script, *args):
        return self._post("/execute/sync", {"script": script, "args": list(args)})

    def run_async(self, script, *args):
        """The script calls its last argument with its answer."""
        return self._post("/execute/async", {"script": script, "args": list(args)})

    def wait(self, script, what, seconds=10):
        """Until the expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run("return " + script)
            if value:
                return value
            time.sleep(0.03)
        raise Failure(f"waited {seconds} s in vain: {what}")

    def keys(self, text):
        """Types into whatever has the focus."""
        actions = []
        for key in text:
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        element = self._post("/element", {"using": "css selector", "value": selector})[ELEMENT]
        self._post(f"/element/{element}/click", {})

    def type(self, selector, text):
        element = self._post("/element", {"using": "css selector", "value": selector})[ELEMENT]
        self._post(f"/element/{element}/value", {"text": text})

    def url(self):
        return self._call("GET", self.session + "/url")

    def screenshot(self, path, clip=None):
        params = {"format": "png"}
        if clip:
            params["clip"] = dict(zip(("x", "y", "width", "height"), clip)) | {"scale": 1}
        data = self.devtools("Page.captureScreenshot", **params)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def requests(self):
        """Addresses asked for since the last call."""
        out = []
        for entry in self._post("/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                out.append(message["params"]["request"]["url"])
        return out

    def complaints(self):
        """What the pages' scripts reported as errors since the last call."""
        return [e["message"] for e in self._post("/se/log", {"type": "browser"}) if e["level"] == "SEVERE"]

    def close(self):
        try:
            self._call("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait(10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
