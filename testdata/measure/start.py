#!/usr/bin/env python3
"""How long the console takes from its start to the queue's rows and from a key to the changed screen, and how much memory
it takes at most.

    python3 testdata/measure/start.py [CASES]

Builds docket, makes a store of so many cases (100000 unless said otherwise) in a temporary folder, and starts the console
on it at a pseudoterminal of 120 by 40: once to warm the disk's cache, then seven times. Where fzf is installed it starts
on as many lines, turn by turn. Then the console is left alone until it has judged every case, for its peak memory and
for what it does when idle. Last, keys are pressed one at a time, at moments that have nothing to do with one another: each
is timed until the terminal has been sent the last of what it changes. Needs python3 and Go, on Linux.
"""
import fcntl, os, pty, random, select, statistics, struct, subprocess, sys, tempfile, termios, time, shutil


def start(command, env, want, hold=0.0):
    """Runs the command until its output holds want, and hold seconds longer; returns seconds, peak MiB, idle CPU share."""
    began = time.monotonic()
    pid, terminal = spawn(command, env)
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
    end(pid, terminal, b"q" if b"docket" in command[0].encode() else b"\x1b")
    return took, peak, idle


def spawn(command, env):
    """Starts the command at a terminal of 120 by 40."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, env)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    return pid, terminal


def end(pid, terminal, key):
    os.write(terminal, key)
    time.sleep(0.1)
    try:
        os.kill(pid, 9)
    except ProcessLookupError:
        pass
    os.waitpid(pid, 0)
    os.close(terminal)


QUIET = 0.1  # seconds without output: the key has changed what it changes


def settle(terminal, quiet=QUIET, first=1):
    """Reads until nothing has come for so long; returns when the last of it came, None if nothing came at first."""
    last = None
    while select.select([terminal], [], [], quiet if last else first)[0]:
        os.read(terminal, 65536)
        last = time.monotonic()
    return last


def press(terminal, key):
    """Presses a key; returns the milliseconds until the last of what it changes, None if it changes nothing."""
    time.sleep(random.random() / 30)
    began = time.monotonic()
    os.write(terminal, key)
    last = settle(terminal)
    return None if last is None else (last - began) * 1000


def keys(console, fzf, env, rounds=100):
    """Presses keys in the console, and in fzf turn by turn, and says how long they take: half of them, 95 of 100, all."""
    pid, terminal = spawn(console, env)
    settle(terminal, 5, 30)
    theirs, other = spawn(fzf, env) if fzf else (None, None)
    if fzf:
        settle(other, 2, 30)
    took = {"moving": [], "filtering as it is typed": [], "opening a packet": []}
    if fzf:
        took["fzf, moving"], took["fzf, filtering as it is typed"] = [], []
    for n in range(rounds):
        took["moving"].append(press(terminal, b"j"))
        took["opening a packet"].append(press(terminal, b"\r"))
        press(terminal, b"\x1b")
        if fzf:
            took["fzf, moving"].append(press(other, b"\x0b"))
    press(terminal, b"/")
    for n in range(rounds):
        for key in (b"0123456789"[n % 10 : n % 10 + 1], b"7", b"\x7f", b"\x7f"):
            took["filtering as it is typed"].append(press(terminal, key))
            if fzf:
                took["fzf, filtering as it is typed"].append(press(other, key))
    end(pid, terminal, b"\x03")
    if fzf:
        end(theirs, other, b"\x03")
    for name, times in took.items():
        times = sorted(one for one in times if one is not None)
        print(f"{name}: p50 {times[len(times) // 2]:.1f} ms, p95 {times[len(times) * 95 // 100]:.1f} ms, "
              f"slowest {times[-1]:.1f} ms ({len(times)} keys)")


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
        keys(console, fzf, env)


if __name__ == "__main__":
    main()
