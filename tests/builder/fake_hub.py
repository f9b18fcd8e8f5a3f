"""A stand-in for the Hub on this machine: as much of its HTTP interface as its own library needs.

It is no Hub. It shows that our calls of the library fit together, and what they send and fetch.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

REPO = "someone/sums"


class FakeHub(ThreadingHTTPServer):
    """One dataset repository, whose commits are kept whole."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.commits: list[dict[str, bytes]] = [] if files is None else [files]
        self.created: list[dict[str, Any]] = []
        self.fetched: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def commit(self, revision: str) -> dict[str, bytes] | None:
        """The files of `main`, or of the commit of that number."""
        number = len(self.commits) if revision == "main" else int(revision, 16)
        return self.commits[number - 1] if 0 < number <= len(self.commits) else None

    def sha(self, revision: str) -> str:
        return f"{len(self.commits) if revision == 'main' else int(revision, 16):040x}"


@contextmanager
def fake_hub(files: dict[str, bytes] | None = None) -> Iterator[FakeHub]:
    """The hub, running; with `files` its repository is there already."""
    hub = FakeHub(files)
    thread = Thread(target=hub.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def hub(self) -> FakeHub:
        assert isinstance(self.server, FakeHub)
        return self.server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = urlsplit(self.path).path
        if path == "/api/repos/create":
            known = bool(self.hub.commits)
            self.hub.created.append(json.loads(body))
            self.hub.commits = self.hub.commits or [{".gitattributes": b"*.parquet lfs\n"}]
            url = {"url": f"{self.hub.address}/datasets/{REPO}", "name": REPO, "id": REPO}
            self._json(409 if known else 200, url)
        elif path == "/api/validate-yaml":
            self._json(200, {"errors": [], "warnings": []})
        elif path == f"/api/datasets/{REPO}/preupload/main":
            named = json.loads(body)["files"]
            modes = [
                {"path": each["path"], "uploadMode": "regular", "shouldIgnore": False}
                for each in named
            ]
            self._json(200, {"files": modes})
        elif path == f"/api/datasets/{REPO}/commit/main":
            self._commit([json.loads(line) for line in body.splitlines()])
        else:
            self._json(404, {"error": path})

    def _commit(self, lines: list[dict[str, Any]]) -> None:
        files = dict(self.hub.commits[-1])
        for line in lines:
            value = line["value"]
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "deletedFile":
                del files[value["path"]]
        self.hub.commits.append(files)
        sha = self.hub.sha("main")
        url = f"{self.hub.address}/datasets/{REPO}/commit/{sha}"
        self._json(200, {"commitUrl": url, "commitOid": sha, "success": True})

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        api, resolve = f"/api/datasets/{REPO}", f"/datasets/{REPO}/resolve/"
        if path.startswith(resolve):
            revision, _, name = path.removeprefix(resolve).partition("/")
            there = self.hub.commit(revision) or {}
            if name in there:
                if with_body:
                    self.hub.fetched.append(name)
                self._file(there[name], self.hub.sha(revision), with_body)
                return
        elif path.startswith(api):
            kind, _, revision = path.removeprefix(api).strip("/").partition("/")
            files = self.hub.commit(revision or "main")
            if files is not None and kind == "tree":
                self._json(200, [_entry(name, data) for name, data in files.items()])
                return
            if files is not None and kind in ("", "revision"):
                siblings = [{"rfilename": name} for name in files]
                sha = self.hub.sha(revision or "main")
                self._json(200, {"id": REPO, "sha": sha, "siblings": siblings})
                return
        self._json(404, {"error": "not found"}, {"X-Error-Code": "RepoNotFound"})

    def _file(self, data: bytes, sha: str, with_body: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", f'"{_oid(data)}"')
        self.send_header("X-Repo-Commit", sha)
        self.end_headers()
        if with_body:
            self.wfile.write(data)

    def _json(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


def _oid(data: bytes) -> str:
    return sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _entry(name: str, data: bytes) -> dict[str, Any]:
    return {"type": "file", "path": name, "size": len(data), "oid": _oid(data)}
