#!/usr/bin/env python3
"""The questions of a safety admin, each by one command, with the time that the command takes.

    python3 testdata/measure/questions.py [CASES]

Builds docket, makes a store of so many cases and amendments (2000 unless said otherwise) in a temporary folder, and runs each command three times.
Prints the median in milliseconds, and how many lines it answers. That nobody removes an added blocker is shown in the console: d, the blocker's
number, and the word. Needs Go.
"""
import os, statistics, subprocess, sys, tempfile, time

questions = [
    ("which blocker holds most", ["board", "--sort", "held"]),
    ("which holds most alone", ["board", "--sort", "alone"]),
    ("which grows week by week", ["board", "--sort", "weeks"]),
    ("three safety blockers, with assignees", ["queue", "blocker:safety_blocker_waiver_attempted,non_retaliation_missing,private_details_unredacted"]),
    ("what came this week", ["queue", "came:<7d"]),
    ("overdue without notice", ["queue", "is:overdue blocker:notice_missing"]),
    ("on which people added a blocker", ["board", "--sort", "added"]),
    ("a list for a spreadsheet", ["queue", "gate:blocked", "--csv"]),
    ("a page for a meeting", ["board", "--html"]),
    ("what is new", ["queue", "is:new"]),
]
cases = sys.argv[1] if len(sys.argv) > 1 else "2000"
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with tempfile.TemporaryDirectory() as work:
    docket = os.path.join(work, "docket")
    subprocess.run(["go", "build", "-o", docket, "./cmd/docket"], cwd=root, check=True)
    home = {name: os.path.join(work, name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME")}
    env = {**os.environ, **home, "DOCKET_DB": os.path.join(work, "docket.db")}
    packets = subprocess.run([docket, "demo", "--cases", cases, "--print"], env=env, check=True, capture_output=True).stdout
    subprocess.run([docket, "import", "-"], input=packets, env=env, check=True, capture_output=True)
    print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; {cases} cases")
    for question, command in questions:
        took = []
        for _ in range(3):
            began = time.monotonic()
            answer = subprocess.run([docket, *command], env=env, check=True, capture_output=True).stdout
            took.append(1000 * (time.monotonic() - began))
        print(f"{statistics.median(took):7.0f} ms, {len(answer.splitlines()):6} lines: {question}: docket {' '.join(command)}")
