#!/usr/bin/env python3
"""How long the commands that SUMMARY.md prints take to check a bundle, compared with the bare runs of ssh-keygen that
checking its signatures needs.

    python3 testdata/measure/stock.py [RECORDS]

Writes a bundle of so many records (10000 unless said otherwise) into a temporary folder, and runs turn by turn, twice: a
script of one ssh-keygen for each record and nothing else, and each of the printed commands. All run one after the other
in sh. Prints seconds and the ratio of the faster runs. Needs Go, sh, ssh-keygen, python3 and openssl.
"""
import os, re, subprocess, sys, tempfile, time


def timed(script, folder):
    began = time.monotonic()
    subprocess.run(["sh", "-c", script], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - began


records = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with tempfile.TemporaryDirectory() as work:
    folder = os.path.join(work, "bundle")
    subprocess.run(["go", "test", "-run", "xx", "-bench", "Write$", "-benchtime", "1x", "./store/bundle"], cwd=root, check=True,
                   env={**os.environ, "DOCKET_BENCH_RECORDS": str(records), "DOCKET_BENCH_BUNDLE": folder}, stdout=subprocess.DEVNULL)
    blocks = re.findall(r"```sh\n(.*?)```", open(os.path.join(folder, "SUMMARY.md"), encoding="utf-8").read(), re.S)
    bare = os.path.join(work, "bare.sh")
    with open(bare, "w", encoding="utf-8") as script:
        for name in sorted(os.listdir(os.path.join(folder, "records"))):
            if not name.endswith(".json"):
                continue
            text = open(os.path.join(folder, "records", name), encoding="utf-8").read()
            reviewer = re.search(r'"reviewer":{"id":"([^"]*)"', text).group(1)
            print(f"ssh-keygen -Y verify -f allowed_signers -I {reviewer} -n docket-enforcement-record -s records/{name}.sig"
                  f" < records/{name} || exit 1", file=script)
    best_bare, best = None, [None] * len(blocks)
    for turn in range(2):
        took = timed(f". {bare}", folder)
        best_bare = min(took, best_bare or took)
        for i, block in enumerate(blocks):
            took = timed(block, folder)
            best[i] = min(took, best[i] or took)
    print(f"{records} records: bare ssh-keygen {best_bare:.1f} s; printed commands {sum(best):.1f} s "
          f"({', '.join(f'{seconds:.1f}' for seconds in best)}), {sum(best) / best_bare:.2f} times")
