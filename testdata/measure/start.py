#!/usr/bin/env python3
"""How long the console takes from its start to the queue's rows, and how much memory it takes at most.

    python3 testdata/measure/start.py [CASES]

Builds docket, makes a store of so many cases (100000 unless said otherwise) in a temporary folder, and starts the console
on it at a pseudoterminal of 120 by 40: once to warm the disk's cache, then seven times. Where fzf is installed it starts
on as many lines, turn by turn. Then the console is left alone until it has judged every case, for its peak memory and
for what it does when idle. Needs python3 and Go, on Linux.
"""
import fcntl, os, pty, select, statistics, struct, subprocess, sys, tempfile, termios, time, shutil


def start(command, env, want, hold=0.0):
    """Runs the command until its output holds want, and hold seconds longer; returns seconds, peak MiB, idle CPU share."""
    began = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, env)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen, until = b"", None
    took, last, idle = None, 0.0, 0.0
    while until is None or time.monotonic() < until:
        ready, _, _ = select.select([terminal], [], [], 0.05)
        if ready:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
        if took is None and want in seen:
            took = time.monotonic() - began
            until = time.monotonic() + hold
        if took is not None and hold and until - time.monotonic() < 5 and not last:
            last, since = cpu(pid), time.monotonic()
    if hold:
        idle = (cpu(pid) - last) / (time.monotonic() - since)
    peak = memory(pid)
    os.write(terminal, b"q" if b"docket" in command[0].encode() else b"\x1b")
    time.sleep(0.1)
    try:
        os.kill(pid, 9)
    except ProcessLookupError:
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    return took, peak, idle


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def cpu(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with tempfile.TemporaryDirectory() as folder:
        docket, store = os.path.join(folder, "docket"), os.path.join(folder, "store.db")
        subprocess.run(["go", "build", "-o", docket, "./cmd/docket"], cwd=root, check=True)
        home = os.path.join(folder, "home")
        env = dict(os.environ, HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home, XDG_STATE_HOME=home,
                   TERM="xterm-256color")
        made = subprocess.Popen([docket, "demo", "--cases", str(cases), "--print"], stdout=subprocess.PIPE, env=env)
        subprocess.run([docket, "--db", store, "import", "-"], stdin=made.stdout, env=env, check=True)
        console = [docket, "--db", store]
        lines = os.path.join(folder, "lines")
        with open(lines, "w") as out:
            subprocess.run(console + ["queue"], stdout=out, env=env, check=True)
        fzf = ["sh", "-c", f"exec fzf < '{lines}'"] if shutil.which("fzf") else None
        start(console, env, b"case-")
        ours, theirs = [], []
        for _ in range(7):
            ours.append(start(console, env, b"case-")[0] * 1000)
            if fzf:
                theirs.append(start(fzf, env, b"case-")[0] * 1000)
        print(f"start to rows: {statistics.median(ours):.0f} ms (median of {len(ours)}, {min(ours):.0f} to {max(ours):.0f})")
        if theirs:
            print(f"fzf, as many lines: {statistics.median(theirs):.0f} ms ({min(theirs):.0f} to {max(theirs):.0f})")
        _, peak, idle = start(console, env, b"case-", hold=20 + cases / 20_000)
        print(f"peak memory: {peak:.0f} MiB; idle CPU: {100 * idle:.1f} %")


if __name__ == "__main__":
    main()
