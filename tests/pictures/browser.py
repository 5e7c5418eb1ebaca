# SPDX-License-Identifier: MIT
"""A headless Chromium through chromedriver, by plain HTTP: what a reader of the page does and sees."""
import contextlib
import http.client
import json
import subprocess
import tempfile


class Browser:
    def __init__(self, port, profile):
        self.port = port
        options = {
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,1400", "--user-data-dir=" + profile]
        }
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = ""
        self.session = self.ask("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        base = "/session" + ("/" + self.session if self.session else "")
        connection.request(method, base + path, json.dumps(body) if body is not None else None)
        answer = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(answer["message"])
        return answer

    def open(self, path):
        self.ask("POST", "/url", {"url": "file://" + path})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script):
        return self.ask("POST", "/execute/async", {"script": script, "args": []})

    def console(self):
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def pointer(self, *steps):
        """Steps are (x, y) in the window, "down" or "up"."""
        actions = []
        for step in steps:
            if isinstance(step, tuple):
                x, y = step
                actions.append({"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0})
            else:
                actions.append({"type": "pointer" + step.capitalize(), "button": 0})
        self.ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def emulate(self, **features):
        """prefers-color-scheme and other media features."""
        body = {"features": [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]}
        self.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": body})


@contextlib.contextmanager
def chromium():
    with tempfile.TemporaryDirectory() as profile:
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        browser = None
        try:
            for line in driver.stdout:
                if "started successfully on port" in line:
                    browser = Browser(int(line.rstrip(".\n").split()[-1]), profile)
                    break
            yield browser
        finally:
            if browser:
                browser.ask("DELETE", "")
            driver.terminate()
            driver.wait()
