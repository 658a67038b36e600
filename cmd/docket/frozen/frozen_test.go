package frozen_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"docket/store/disk/disktest"
)

func TestMain(m *testing.M) {
	disktest.InMemory()
	m.Run()
}

var update = flag.Bool("update", false, "write the frozen outputs")

// frozenOutVariable names a folder into which the outputs are written, to compare those of two versions with diff.
const frozenOutVariable = "DOCKET_FROZEN_OUT"

// frozenSample is how many cases the test has where it is not asked for the long form.
const frozenSample = 300

// TestTheOutputsAreFrozen holds what programs read of docket to what it was, byte for byte: the answers of evaluate, the JSON
// of queue, show, records and report, the files of an export, and the findings in forged stores and bundles. The docket
// is generated, with 300 cases and amendments, 40 of which are shown, and every fifth forgery of a store; with DOCKET_LONG=1 it has 10,000, and
// every forgery.
//
// Clock, keys, origin, record ids and salts are fixed from outside: the clock is that of cli.System, and everything random
// is drawn from a reader that stands in for crypto/rand.Reader. What is left out is prose, which may be reworded: details,
// notes and advice beside findings, and the texts of doctor.
//
// What the outputs have to be is in testdata/frozen: a digest of each, and one of each block of its lines; short ones stand there
// in full. -update writes it. With DOCKET_FROZEN_OUT=DIR the outputs go to DIR.
func TestTheOutputsAreFrozen(t *testing.T) {
	cases := frozenSample
	if os.Getenv("DOCKET_LONG") == "1" {
		cases = 10_000
	}
	w := newFrozenWorld(t, cases)
	outputs := w.outputs()
	outputs = append(outputs, w.forgedOutputs()...)
	if folder := os.Getenv(frozenOutVariable); folder != "" {
		writeFrozen(t, folder, outputs)
	}
	var summary strings.Builder
	for _, output := range outputs {
		summary.WriteString(output.summary())
	}
	file := filepath.Join("..", "..", "..", "testdata", "frozen", fmt.Sprintf("%d.txt", cases))
	if *update {
		must(t, os.WriteFile(file, []byte(summary.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	compareFrozen(t, string(want), summary.String())
}

// A frozenOutput is what one command printed, or several that belong together.
type frozenOutput struct {
	name    string
	content []byte
}

// The sizes in lines up to which an output stands in the file in full, and of a block with a digest of its own.
const (
	frozenInFull = 60
	frozenBlock  = 100
)

// frozenHead begins the part of each output.
const frozenHead = "== "

// summary is the output's part of the file of expected values.
func (o *frozenOutput) summary() string {
	var s strings.Builder
	lines := bytes.SplitAfter(o.content, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	fmt.Fprintf(&s, "%s%s: %d lines, %d bytes, %s\n", frozenHead, o.name, len(lines), len(o.content), frozenDigest(o.content, sha256.Size))
	if len(lines) <= frozenInFull && len(o.content) <= frozenInFull*200 {
		s.Write(o.content)
		return s.String()
	}
	from := 0
	for block := range slices.Chunk(lines, frozenBlock) {
		fmt.Fprintf(&s, "lines %d-%d %s\n", from+1, from+len(block), frozenDigest(bytes.Join(block, nil), 8))
		from += len(block)
	}
	return s.String()
}

func frozenDigest(content []byte, length int) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:length])
}

// compareFrozen names each output that is not as it was, with the lines of its part that differ.
func compareFrozen(t *testing.T, want, got string) {
	t.Helper()
	wanted, found := frozenParts(want), frozenParts(got)
	for name := range wanted {
		if _, there := found[name]; !there {
			t.Errorf("%s: there is no such output any more", name)
		}
	}
	for name, part := range found {
		if change := diff.Diff("was", []byte(wanted[name]), "is", []byte(part)); change != nil {
			t.Errorf("%s:\n%s", name, change)
		}
	}
	if want != got {
		t.Errorf("to see the difference: run this test with %s=DIR here and in a worktree of the version before, and diff the folders", frozenOutVariable)
	}
}

// frozenParts splits a file of expected values at its heads, by the names of the outputs.
func frozenParts(text string) map[string]string {
	parts := map[string]string{}
	for part := range strings.SplitSeq("\n"+text, "\n"+frozenHead) {
		head, _, _ := strings.Cut(part, "\n")
		parts[head[:max(strings.LastIndex(head, ": "), 0)]] = part + "\n"
	}
	return parts
}

// writeFrozen writes each output into a file of its own.
func writeFrozen(t *testing.T, folder string, outputs []frozenOutput) {
	t.Helper()
	for _, output := range outputs {
		path := filepath.Join(folder, strings.ReplaceAll(output.name, " ", "_")+".txt")
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, output.content, 0o600))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
