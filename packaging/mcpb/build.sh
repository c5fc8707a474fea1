#!/usr/bin/env bash
# Makes the MCP bundle of a program: `packaging/mcpb/build.sh PROGRAM [FOLDER]`, from anywhere. The program is
# one that `cargo build --release` made for the platform of the bundle; `medterm.exe` is one for Windows.
# Needs Python 3. The same program gives the same bundle.
set -euo pipefail
program=${1:?usage: build.sh PROGRAM [FOLDER]}
folder=${2:-.}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 - "$program" "$folder" "$here" <<'PYTHON'
import hashlib
import json
import pathlib
import re
import sys
import zipfile

program, folder, here = map(pathlib.Path, sys.argv[1:])
root = here.parent.parent
version = re.search(r'^version = "([^"]+)"', (root / "Cargo.toml").read_text(), re.MULTILINE)[1]

binary = program.read_bytes()
if binary.startswith(b"MZ"):
    platform, name = "win32", "medterm.exe"
elif binary.startswith(b"\x7fELF"):
    platform, name = "linux", "medterm"
elif binary[:4] in (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"):
    platform, name = "darwin", "medterm"
else:
    sys.exit(f"{program} is no program")

manifest = json.loads((here / "manifest.json").read_text())
manifest["version"] = version
manifest["compatibility"]["platforms"] = [platform]
manifest["server"]["entry_point"] = f"server/{name}"

files = {
    "manifest.json": (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode(),
    f"server/{name}": binary,
    "LICENSE-APACHE": (root / "LICENSE-APACHE").read_bytes(),
    "LICENSE-MIT": (root / "LICENSE-MIT").read_bytes(),
}
bundle = folder / f"medterm-{version}-{platform}.mcpb"
with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path, content in files.items():
        # No time and no owner: only what is in them makes two bundles differ.
        info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        info.create_system = 3
        info.external_attr = (0o100755 if path.startswith("server/") else 0o100644) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, content)
print(bundle)
print("sha256", hashlib.sha256(bundle.read_bytes()).hexdigest())
PYTHON
