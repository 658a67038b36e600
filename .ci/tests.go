// Tests reads the events of `go test -json` from standard input and prints what a person wants to read of them: the
// closing line of each package, everything that a failing test or build wrote and, at the end, the tests that were
// skipped with their reasons, and how many ran, passed, failed and were skipped. That line is also appended to the file
// that -summary names, after the text of -name. It exits with 1 if a test failed, if none ran, or if one was skipped that the
// list named by -allowed does not hold.
//
// The packages and tests that took longest are named with the counts: -longest of each.
//
// A few failed tests, without a panic, a data race or a package that broke, are run again by themselves, with the flags of go test
// that follow --. One that then passes five times is unstable: it is named in the summary, and does not fail the run.
//
// A line of that list is a regular expression over "PACKAGE TEST: REASON"; empty lines and those that begin with # are
// passed over.
//
//	go test -json -race ./... | go run .ci/tests.go -allowed .ci/skips -- -race
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// An event is one line of `go test -json`, as `go doc test2json` describes it.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64 // in seconds, of the test or the package that ended
}

// A tally is what the events come to.
type tally struct {
	output                  map[string][]string // of tests and packages that still run
	passed, failed, skipped int
	skips                   []string                   // "package test: reason"
	broken                  bool                       // a build failed, a package ended before its tests, or a test must not be run again
	wrong                   map[string]map[string]bool // tests that failed, without their subtests, by package
	packages, tests         []timed                    // that took a second or more; the tests without their subtests
}

// timed is a package or test with the seconds that it took.
type timed struct {
	name    string
	seconds float64
}

// mostAgain is how many tests are run again; more than these are no accident.
const mostAgain = 3

// timesAgain is how often each has to pass.
const timesAgain = 5

func main() {
	allowed := flag.String("allowed", "", "file with the tests that may be skipped")
	kept := flag.String("skips", "", "file to which the skipped tests are appended")
	name := flag.String("name", "tests", "name of the run in the summary")
	longest := flag.Int("longest", 5, "how many of the packages and of the tests that took longest are named")
	summary := flag.String("summary", "", "file to which a line with the counts is appended")
	flag.Parse()
	t := tally{output: map[string][]string{}, wrong: map[string]map[string]bool{}}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text())
			continue
		}
		t.take(e)
	}
	if err := lines.Err(); err != nil {
		fmt.Println(err)
		t.broken = true
	}
	unstable := t.again(flag.Args())
	surprising := t.surprises(*allowed)
	for _, one := range t.skips {
		fmt.Println("skipped:", one)
	}
	for _, one := range surprising {
		fmt.Println("skipped, and not in the list of what may be skipped:", one)
	}
	t.keep(*kept, t.skips...)
	counts := fmt.Sprintf("%s: %d run, %d passed, %d failed, %d skipped", *name, t.passed+t.failed+t.skipped, t.passed, t.failed, t.skipped)
	fmt.Println(counts)
	took := []string{"  longest packages: " + most(t.packages, *longest), "  longest tests: " + most(t.tests, *longest)}
	fmt.Println(strings.Join(took, "\n"))
	t.keep(*summary, counts)
	t.keep(*summary, took...)
	t.keep(*summary, unstable...)
	if t.broken || t.failed > 0 && len(unstable) == 0 || t.passed == 0 || len(surprising) > 0 {
		os.Exit(1)
	}
}

// take counts an event, and prints what has to be read at once.
func (t *tally) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		if e.Test == "" && (strings.HasPrefix(e.Output, "ok ") || strings.HasPrefix(e.Output, "FAIL\t")) {
			fmt.Print(e.Output)
			return
		}
		t.output[key] = append(t.output[key], e.Output)
	case "build-output":
		fmt.Print(e.Output)
	case "build-fail":
		t.broken = true
	case "pass", "fail", "skip":
		t.end(e, key)
	}
}

// most lists the packages or tests that took longest, at most number of them.
func most(all []timed, number int) string {
	slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	var named []string
	for _, one := range all[:min(number, len(all))] {
		named = append(named, fmt.Sprintf("%s %.0f s", one.name, one.seconds))
	}
	return strings.Join(named, ", ")
}

// end closes the account of a test or of a package.
func (t *tally) end(e event, key string) {
	written := t.output[key]
	delete(t.output, key)
	if e.Action == "fail" {
		text := strings.Join(written, "")
		fmt.Print(text)
		t.fails(e, text)
	}
	if of := (timed{strings.TrimSpace(key), e.Elapsed}); e.Elapsed >= 1 && e.Test == "" {
		t.packages = append(t.packages, of)
	} else if e.Elapsed >= 1 && !strings.Contains(e.Test, "/") {
		t.tests = append(t.tests, of)
	}
	if e.Test == "" {
		return
	}
	switch e.Action {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
	case "skip":
		t.skipped++
		t.skips = append(t.skips, fmt.Sprintf("%s: %s", key, reason(written)))
	}
}

// fails notes a test that failed, or a package.
func (t *tally) fails(e event, text string) {
	if strings.Contains(text, "DATA RACE") || strings.Contains(text, "panic: ") || e.Test == "" && len(t.wrong[e.Package]) == 0 {
		t.broken = true
	}
	if e.Test == "" {
		return
	}
	if t.wrong[e.Package] == nil {
		t.wrong[e.Package] = map[string]bool{}
	}
	test, _, _ := strings.Cut(e.Test, "/")
	t.wrong[e.Package][test] = true
}

// again runs the tests that failed again, and returns a line for each if all of them are unstable.
func (t *tally) again(flags []string) (unstable []string) {
	number := 0
	for _, tests := range t.wrong {
		number += len(tests)
	}
	if t.broken || number > mostAgain {
		return nil
	}
	for _, where := range slices.Sorted(maps.Keys(t.wrong)) {
		for _, test := range slices.Sorted(maps.Keys(t.wrong[where])) {
			run := append([]string{"test", "-count", fmt.Sprint(timesAgain), "-run", "^" + test + "$"}, flags...)
			text, err := exec.Command("go", append(run, where)...).CombinedOutput()
			if err != nil {
				fmt.Printf("%s %s fails again:\n%s", where, test, text)
				return nil
			}
			unstable = append(unstable, fmt.Sprintf("unstable: %s %s failed once, and passed %d times when it was run again; mend it", where, test, timesAgain))
		}
	}
	for _, one := range unstable {
		fmt.Println(one)
	}
	return unstable
}

// reason is what a skipped test wrote, on one line. The log of a script comes after its reason, and is left out.
func reason(written []string) string {
	var said []string
	for _, line := range written {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "testscript.go:") {
			break
		}
		if strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if _, after, found := strings.Cut(line, ".go:"); found {
			if _, text, found := strings.Cut(after, ": "); found {
				line = text
			}
		}
		said = append(said, line)
	}
	return strings.Join(said, " ")
}

// surprises returns the skipped tests that the list does not allow; none without a list, and all if it cannot be read.
func (t *tally) surprises(list string) []string {
	text, err := os.ReadFile(list)
	if err != nil && list != "" {
		fmt.Println(err)
		t.broken = true
	}
	var allowed []*regexp.Regexp
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			allowed = append(allowed, regexp.MustCompile("^(?:"+line+")$"))
		}
	}
	var surprising []string
	for _, one := range t.skips {
		known := list == ""
		for _, pattern := range allowed {
			known = known || pattern.MatchString(one)
		}
		if !known {
			surprising = append(surprising, one)
		}
	}
	return surprising
}

// keep appends lines to a file, if one is named.
func (t *tally) keep(file string, lines ...string) {
	if file == "" || len(lines) == 0 {
		return
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = out.WriteString(strings.Join(lines, "\n") + "\n")
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		fmt.Println(err)
		t.broken = true
	}
}
