"""Chromium without a window, driven by its DevTools protocol over a pipe: nothing but Python is needed."""

import json
import os
import subprocess
import time


class Browser:
    """One page at a time. width, height in CSS pixels."""

    def __init__(self, folder, width, height):
        from_us, self.send = os.pipe()
        self.receive, to_us = os.pipe()
        self.session, self.number, self.rest = None, 0, b""

        def as_3_and_4():
            # Out of the way first: they may be 3 and 4 already.
            reading, writing = os.dup(from_us), os.dup(to_us)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--window-size={width},{height}", f"--user-data-dir={folder}/driven"],
            close_fds=False, preexec_fn=as_3_and_4, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=60)
        os.close(self.send)
        os.close(self.receive)

    def call(self, method, **parameters):
        """The result of a method of the protocol."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next_message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def next_message(self):
        while b"\0" not in self.rest:
            more = os.read(self.receive, 1 << 16)
            if not more:
                raise RuntimeError("the browser has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def open(self, file):
        target = self.call("Target.createTarget", url="file://" + file)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)

    def value(self, expression):
        """Of JavaScript."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"not within {seconds} s: {expression}")
            time.sleep(0.05)

    def settle(self):
        """Until what was asked for is drawn."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def wheel(self, x, y, delta, ctrl):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta, modifiers=2 if ctrl else 0)
        self.settle()

    def drag(self, x, y, to):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
        for step in range(1, 6):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + (to - x) * step / 5, y=y, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=to, y=y, button="left", buttons=0, clickCount=1)
        self.settle()

    def pinch(self, middle, y, apart, then):
        """Two fingers, so many pixels apart, and then."""
        def fingers(distance):
            return [{"x": middle - distance / 2, "y": y, "id": 0}, {"x": middle + distance / 2, "y": y, "id": 1}]
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers(apart))
        for step in range(1, 11):
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers(apart + (then - apart) * step / 10))
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()
