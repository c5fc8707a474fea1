#!/usr/bin/env python3
"""Compare the int8 model with the fp32 one on 200 short medical titles.

Runs both in ONNX Runtime on one thread, one text at a time, and prints the
cosine similarities, the speed, and how much a batch changes an embedding.
"""

import argparse
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

KINDS = [
    "Fracture", "Acute infection", "Malignant neoplasm", "Chronic pain", "Open wound",
    "Congenital malformation", "Benign tumour", "Burn of second degree", "Inflammation", "Injury of nerve",
]
SITES = [
    "of left femur", "of right shoulder", "of upper lip", "of skin of scalp", "of lower back",
    "of thyroid gland", "of left kidney", "of colon", "of right eye", "of inner ear",
    "of urinary bladder", "of lung", "of ankle and foot", "of hip", "of cervical spine", "of pancreas",
]
OTHERS = """Type 2 diabetes mellitus without complications
Essential (primary) hypertension
heart attack
Acute myocardial infarction, unspecified
stroke
high blood pressure
Asthma, mild intermittent
common cold
Iron deficiency anaemia
Gout
Migraine with aura
Postpartum depression
Generalized anxiety disorder
Vitamin D deficiency
Obstructive sleep apnoea
broken wrist
Hypothyroidism
Hyperthyroidism
Hypoglycaemia
Hyperglycaemia
Chronic obstructive pulmonary disease
Urinary tract infection
Appendicitis with perforation
Encounter for immunization
Body mass index 30.0-30.9, adult
Glucose in serum or plasma
Haemoglobin A1c measurement
Influenza vaccine, live, intranasal
Allergy to penicillin
Bitten by dog, initial encounter
Low back pain
Systolic blood pressure
Deep vein thrombosis
Ingrown toenail
Pregnancy, twin
Cataract
Kidney stone
Psoriasis
Rheumatoid arthritis
sore throat""".split("\n")


def titles():
    return OTHERS + [f"{k} {s}" for k in KINDS for s in SITES]


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="""example:
  python3 models/build_minilm.py --check --fp32 target/minilm-fp32.onnx
  python3 models/measure_minilm.py --fp32 target/minilm-fp32.onnx
""",
    )
    parser.add_argument("--model", type=Path, default=HERE / "all-MiniLM-L6-v2" / "model.onnx", metavar="PATH")
    parser.add_argument("--tokenizer", type=Path, default=HERE / "all-MiniLM-L6-v2" / "tokenizer.json", metavar="PATH")
    parser.add_argument("--fp32", type=Path, required=True, metavar="PATH", help="made by build_minilm.py --fp32 PATH")
    parser.add_argument("--save", type=Path, metavar="PATH", help="also write the titles, one a line")
    args = parser.parse_args(argv)
    try:
        import numpy as np
        import onnxruntime as ort
        from tokenizers import Tokenizer
    except ImportError as e:
        print(f"measure_minilm.py: error: {e}\n  Install what it needs: python3 -m pip install -r models/requirements.txt", file=sys.stderr)
        return 2
    for path in (args.model, args.tokenizer, args.fp32):
        if not path.is_file():
            print(f"measure_minilm.py: error: no such file: {path}", file=sys.stderr)
            return 2

    tokenizer = Tokenizer.from_file(str(args.tokenizer))
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1

    def session(path):
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def feeds(texts):
        encoded = [e.ids for e in tokenizer.encode_batch(texts)]
        seq = max(map(len, encoded))
        ids = np.array([e + [0] * (seq - len(e)) for e in encoded], np.int64)
        mask = np.array([[1] * len(e) + [0] * (seq - len(e)) for e in encoded], np.int64)
        return {
            "input_ids": ids,
            "attention_mask": mask,
            "position_ids": np.broadcast_to(np.arange(seq, dtype=np.int64), ids.shape).copy(),
        }

    def embed(s, texts):
        return s.run(["sentence_embedding"], feeds(texts))[0]

    def one_by_one(s):
        embed(s, texts[:1])
        start = time.perf_counter()
        out = np.concatenate([embed(s, [t]) for t in texts])
        return out, (time.perf_counter() - start) / len(texts) * 1000

    texts = titles()
    assert len(texts) == 200
    if args.save:
        args.save.write_text("\n".join(texts) + "\n", encoding="utf-8")
    int8, fp32 = session(args.model), session(args.fp32)
    a, ms_a = one_by_one(int8)
    b, ms_b = one_by_one(fp32)
    cos = (a * b).sum(axis=1)
    print(f"texts                    {len(texts)}, {np.mean([len(e.ids) for e in tokenizer.encode_batch(texts)]):.1f} tokens on average")
    print(f"cosine int8 / fp32       mean {cos.mean():.5f}  min {cos.min():.5f} ({texts[int(cos.argmin())]})")

    for name, s, single in (("int8", int8, a), ("fp32", fp32, b)):
        batched = np.concatenate([embed(s, texts[i : i + 32]) for i in range(0, len(texts), 32)])
        print(f"{name} alone / batch of 32  smallest cosine {(single * batched).sum(axis=1).min():.7f}")

    def neighbours(m):
        s = m @ m.T
        np.fill_diagonal(s, -1)
        return s

    sa, sb = neighbours(a), neighbours(b)
    top1 = (sa.argmax(axis=1) == sb.argmax(axis=1)).mean()
    top10 = np.mean([len(set(x) & set(y)) / 10 for x, y in zip(np.argsort(-sa)[:, :10], np.argsort(-sb)[:, :10])])
    print(f"same nearest title       {top1:.1%}; shared top 10 {top10:.1%}")

    query = "pain in lower back of leg"
    one = feeds([query])
    for name, s in (("int8", int8), ("fp32", fp32)):
        times = []
        for _ in range(200):
            start = time.perf_counter()
            s.run(None, one)
            times.append(time.perf_counter() - start)
        start = time.perf_counter()
        for i in range(0, len(texts), 32):
            embed(s, texts[i : i + 32])
        rate = len(texts) / (time.perf_counter() - start)
        print(f"{name} speed, 1 thread     {np.median(times) * 1000:.2f} ms for one {one['input_ids'].shape[1]}-token text; {rate:.0f} texts/s in batches of 32")
    return 0


if __name__ == "__main__":
    sys.exit(main())
