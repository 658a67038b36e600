#!/usr/bin/env python3
"""How long the console takes from its start to the queue's rows and from a key to the changed screen, and how much memory
it takes at most.

    python3 testdata/measure/start.py [CASES]

Builds docket, makes a store of so many cases (100000 unless said otherwise) in a temporary folder, and starts the console
on it at a pseudoterminal of 120 by 40: once to warm the disk's cache, then seven times. fzf, from the PATH or else built by
`go install`, starts on as many lines, turn by turn. Then the console is left alone until it has judged every case, for its peak memory and
for what it does when idle. Last, keys are pressed one at a time, at moments that have nothing to do with one another: each
is timed until the terminal has been sent the last of what it changes. A ratio is of the two medians of one run. The load of the
machine is printed first and last: compare no figures of a busy machine but those of one run. Needs python3 and Go, on Linux.
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


FZF = "github.com/junegunn/fzf@v0.65.2"


def find_fzf(folder):
    """The fzf of the PATH, or else one that is built into the folder."""
    if shutil.which("fzf"):
        return shutil.which("fzf")
    subprocess.run(["go", "install", FZF], env=dict(os.environ, GOBIN=folder, GOFLAGS=""), check=True, stderr=subprocess.DEVNULL)
    return os.path.join(folder, "fzf")


def say_load():
    print("load of the last minute: %.1f on %d processors" % (os.getloadavg()[0], os.cpu_count()), flush=True)


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
    theirs, other = spawn(fzf, env)
    settle(other, 2, 30)
    took = {"moving": [], "fzf, moving": [], "filtering as it is typed": [], "fzf, filtering as it is typed": [],
            "opening a packet": [], "filtering by words of the texts": []}
    for n in range(rounds):
        took["moving"].append(press(terminal, b"j"))
        took["fzf, moving"].append(press(other, b"\x0b"))
        took["opening a packet"].append(press(terminal, b"\r"))
        press(terminal, b"\x1b")
    press(terminal, b"/")
    for n in range(rounds):
        for key in (b"0123456789"[n % 10 : n % 10 + 1], b"7", b"\x7f", b"\x7f"):
            took["filtering as it is typed"].append(press(terminal, key))
            took["fzf, filtering as it is typed"].append(press(other, key))
    for key in b"text:":
        press(terminal, bytes([key]))
    began = time.monotonic()
    os.write(terminal, b"m")
    last = settle(terminal, 2, 60)  # until all texts are read; the clock is drawn every 20 seconds
    print(f"the first filter by words of the texts: {(last - began) * 1000:.0f} ms")
    for n in range(rounds):
        for key in (b"o", b"\x7f"):
            took["filtering by words of the texts"].append(press(terminal, key))
    end(pid, terminal, b"\x03")
    end(theirs, other, b"\x03")
    median = {}
    for name, times in took.items():
        times = sorted(one for one in times if one is not None)
        median[name] = times[len(times) // 2]
        print(f"{name}: p50 {median[name]:.1f} ms, p95 {times[len(times) * 95 // 100]:.1f} ms, "
              f"slowest {times[-1]:.1f} ms ({len(times)} keys)")
    for name in ("moving", "filtering as it is typed"):
        print(f"{name}, docket by fzf: {median[name] / median['fzf, ' + name]:.2f}")


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
        theirs = find_fzf(folder)
        print("fzf", subprocess.run([theirs, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())
        fzf = ["sh", "-c", f"exec '{theirs}' < '{lines}'"]
        say_load()
        start(console, env, b"case-")
        ours, theirs = [], []
        for _ in range(7):
            ours.append(start(console, env, b"case-")[0] * 1000)
            theirs.append(start(fzf, env, b"case-")[0] * 1000)
        for name, times in (("start to rows", ours), ("fzf, start to as many lines", theirs)):
            print(f"{name}: {statistics.median(times):.0f} ms (median of {len(times)}, {min(times):.0f} to {max(times):.0f})")
        print(f"start, docket by fzf: {statistics.median(ours) / statistics.median(theirs):.2f}", flush=True)
        _, peak, idle = start(console, env, b"case-", hold=20 + cases / 20_000)
        print(f"peak memory: {peak:.0f} MiB; idle CPU: {100 * idle:.1f} %")
        keys(console, fzf, env)
        say_load()


if __name__ == "__main__":
    main()
