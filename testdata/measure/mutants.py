#!/usr/bin/env python3
"""How many small faults, planted one at a time in domain, the tests of domain find.

    python3 testdata/measure/mutants.py [FILE or FOLDER ...]

Installs gremlins v0.6.0 into a temporary folder, lets it change one operator after the other in a copy of the module
(all packages of domain unless files or folders are named), and runs the tests of that package on each change; for a layer
those of all layers, because the tests of one read what a lower one makes. Prints how
many changes were killed, how many lived, how many hung the tests, and how many did not compile; killed is counted in
percent of the first three together. domain/testdata/mutants.txt lists the changes that may live, each with the reason:
one that lives and is not listed, or is listed and was killed, makes the exit status 1. Takes hours: name the file that
you are at. Needs python3 and Go.

Two things are held against gremlins' own count, by a go command of ours that stands before the real one in PATH:

- A change that does not compile is not killed. go test says 1 for it as for a failed test; ours says 2.
- No change is left out. Go's coverage does not see constants and tables outside functions; ours claims every line.

--test-cpu stays unset: v0.6.0 hands "-cpu N" over as one word, on which every run fails, so that all would be killed.
"""
import collections, json, os, re, shutil, subprocess, sys, tempfile

GREMLINS = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"
LAYERS = ["domain/terms", "domain/packets", "domain/rules", "domain/views", "domain/records", "domain/queue"]
PACKAGES = LAYERS + ["domain/canonical", "domain/ordered", "domain/overlap", "domain/private", "domain/shape", "domain/signed",
                     "domain/visible"]
LEDGER = "domain/testdata/mutants.txt"

# What stands before the real go command. gremlins first asks for coverage and takes the time of that run, times a factor,
# as the limit for all others; the sleep keeps that from being too short. ulimit ends what allocates for ever.
GO = """#!/bin/sh
ulimit -v 8000000
case "$*" in *-coverprofile*)
    while [ "$1" != -coverprofile ]; do shift; done
    cp {every} "$2" && sleep 2 && exec {go} test ./{package} {more} ;;
esac
said=$({go} "$@" {more} 2>&1)
status=$?
echo "$said"
case "$said" in *"build failed]"*|*"setup failed]"*) exit 2 ;; esac
exit $status
"""


def chosen(root, named):
    """The files to change, by package: all of the packages, or those named."""
    files = collections.OrderedDict()
    for name in named or PACKAGES:
        path = os.path.relpath(os.path.join(root, name), root)
        folder = path if os.path.isdir(os.path.join(root, path)) else os.path.dirname(path)
        if folder not in PACKAGES:
            sys.exit(f"{name} is no part of {', '.join(PACKAGES)}")
        every = [f for f in sorted(os.listdir(os.path.join(root, folder))) if f.endswith(".go") and not f.endswith("_test.go")]
        files.setdefault(folder, set()).update(every if folder == path else [os.path.basename(path)])
    return files


def stand_in(folder, tree, package):
    """The environment with a go command that tells what does not compile from what fails, and claims every line."""
    module = open(os.path.join(tree, "go.mod")).readline().split()[1]
    every, bin = os.path.join(folder, "every"), os.path.join(folder, "bin")
    os.makedirs(bin, exist_ok=True)
    with open(every, "w") as out:
        out.write("mode: set\n")
        for file in sorted(os.listdir(os.path.join(tree, package))):
            if file.endswith(".go"):
                out.write(f"{module}/{package}/{file}:1.1,100000.1 1 1\n")
    with open(os.path.join(bin, "go"), "w") as out:
        more = " ".join("./" + layer for layer in LAYERS if package in LAYERS and layer != package)
        out.write(GO.format(go=shutil.which("go"), every=every, package=package, more=more))
    os.chmod(os.path.join(bin, "go"), 0o755)
    flags = "-count=1 -vet=off -gcflags=-l -ldflags=-s"
    return dict(os.environ, PATH=bin + os.pathsep + os.environ["PATH"], TMPDIR=folder, GOFLAGS=flags)


def function(lines, number):
    """The name of the declaration that the line is in: Type.method, function, or what a table or constant is called."""
    for line in reversed(lines[:number]):
        if found := re.match(r"func (?:\(\w* ?\*?(\w+)[^)]*\) )?(\w+)", line):
            return ".".join(filter(None, found.groups()))
        if found := re.match(r"(?:var|const|type) (\w+)", line):
            return found.group(1)
    return "const"


def unleash(gremlins, folder, tree, package, files):
    """Runs gremlins over the files of one package; returns each change with what became of it."""
    out = os.path.join(folder, "out.json")
    others = [f for f in os.listdir(os.path.join(tree, package)) if f.endswith(".go") and f not in files]
    command = [gremlins, "unleash", "--workers", "1", "--timeout-coefficient", "6", "--output", out, "--exclude-files", "/"]
    for other in others:
        command += ["--exclude-files", f"^{re.escape(other)}$"]
    subprocess.run(command + ["./" + package], cwd=tree, env=stand_in(folder, tree, package), stdout=sys.stderr, check=True)
    found = []
    for file in json.load(open(out)).get("files") or []:
        path = os.path.join(package, os.path.basename(file["file_name"]))
        lines = open(os.path.join(tree, path)).read().split("\n")
        for mutation in file["mutations"]:
            line, column = lines[mutation["line"] - 1].encode(), mutation["column"] - 1
            sign = re.match(rb"[<>=!]=|\+\+|--|.", line[column:]).group()
            code = line[:column] + "«".encode() + sign + "»".encode() + line[column + len(sign):]
            where = (path, function(lines, mutation["line"]), mutation["type"], code.decode().strip())
            found.append((where, mutation["status"]))
    return found


def listed(root, files):
    """The changes of these files that may live, as the ledger lists them."""
    ledger = collections.Counter()
    for line in open(os.path.join(root, LEDGER)):
        if line.strip() and not line.startswith("#"):
            *where, _ = line.rstrip("\n").split("\t")
            if where[3].replace("«", "").replace("»", "") not in open(os.path.join(root, where[0])).read():
                sys.exit(f"{LEDGER} lists what is no longer in {where[0]}: {where[3]}")
            if os.path.basename(where[0]) in files.get(os.path.dirname(where[0]), ()):
                ledger[tuple(where)] += 1
    return ledger


def main():
    root = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    files = chosen(root, sys.argv[1:])
    ledger = listed(root, files)
    lived, total = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["go", "install", GREMLINS], env=dict(os.environ, GOBIN=folder), check=True)
        tree = os.path.join(folder, "tree")
        shutil.copytree(root, tree, ignore=shutil.ignore_patterns(".git", "*.db*"))
        print(f"{'':20}{'killed':>8}{'lived':>8}{'hung':>8}{'score':>9}{'no build':>10}", flush=True)
        for package, names in files.items():
            found = unleash(os.path.join(folder, "gremlins"), folder, tree, package, names)
            count = collections.Counter(status for _, status in found)
            lived.update(where for where, status in found if status not in ("KILLED", "NOT VIABLE"))
            total.update(count)
            show(package, count)
        show("together", total)
    unlisted, gone = lived - ledger, ledger - lived
    for title, wheres in (("lived and is not listed", unlisted), ("is listed and did not live", gone)):
        for where in sorted(wheres.elements()):
            print(title + ":", *where, sep="\t")
    sys.exit(1 if unlisted or gone or not total["KILLED"] else 0)


def show(name, count):
    killed, lived, hung = count["KILLED"], count["LIVED"] + count["NOT COVERED"], count["TIMED OUT"]
    score = 100 * killed / max(1, killed + lived + hung)
    print(f"{name:20}{killed:8}{lived:8}{hung:8}{score:8.1f}%{count['NOT VIABLE']:10}", flush=True)


if __name__ == "__main__":
    main()
