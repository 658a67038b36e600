package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// pathVariable names a store to a test that is run again in a process of its own.
const pathVariable = "DOCKET_STORE_TEST_PATH"

// again is the command that runs the named test in a process of its own, on the store at the path.
func again(t *testing.T, name, path string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+name+"$", "-test.v")
	command.Env = append(os.Environ(), pathVariable+"="+path)
	return command
}

// many imports the policy and cases to record on.
func (d *fixture) many(prefix string, count int) []terms.ID {
	d.t.Helper()
	d.importing(d.mill.appealPolicy(1))
	return d.cases(prefix, count)
}

// cases imports cases to record on.
func (d *fixture) cases(prefix string, count int) (ids []terms.ID) {
	d.t.Helper()
	var list []packets.Packet
	for i := range count {
		ids = append(ids, terms.ID(fmt.Sprintf("%s-%03d", prefix, i)))
		list = append(list, d.mill.appealCase(passing(string(ids[i]), 1)))
	}
	d.take(list...)
	return ids
}

// wholeLog reads the log from its start and fails unless every record is readable and its receipt holds.
func wholeLog(t testing.TB, s *Store) map[records.RecordID]records.LoggedRecord {
	t.Helper()
	list := need(s.Records(t.Context(), 0, 1<<20))(t)
	head := need(s.Head(t.Context()))(t)
	wantSame(t, "records in the log", recordsIn(t, s), int64(len(list)))
	byID := map[records.RecordID]records.LoggedRecord{}
	for i, r := range list {
		wantNot(t, r.Unreadable != "" || r.Number != int64(len(list)-1-i),
			"record %d: %+v", i, r)
		byID[r.Receipt.RecordID] = r
	}
	wantNot(t, len(list) > 0 && list[0].Receipt.TreeSize == head.Size && list[0].Receipt.Root != head.Root,
		"the last receipt does not have the root of the log")
	return byID
}

func TestTwoProcessesWriteOneLog(t *testing.T) {
	t.Parallel()
	const each = 20
	if path := os.Getenv(pathVariable); path != "" {
		d := fixtureAt(t, openAt(t, path, noon))
		for _, id := range d.many("child", each) {
			d.record(id, decision{outcome: terms.UpholdDecision})
		}
		return
	}
	d := newFixture(t)
	child := again(t, t.Name(), d.store.Path())
	var out strings.Builder
	child.Stdout, child.Stderr = &out, &out
	must(t, child.Start())
	for _, id := range d.many("parent", each) {
		d.record(id, decision{outcome: terms.UpholdDecision})
	}
	err := child.Wait()
	mustNot(t, err != nil, "%v:\n%s", err, out.String())
	wantSame(t, "records", len(wholeLog(t, d.store)), 2*each)
}

// longTests reports whether all is tried of which a sample is tried otherwise.
func longTests() bool { return os.Getenv("DOCKET_LONG") == "1" }

// sampled is the number for a long run, which DOCKET_LONG=1 asks for, the usual one, or that for a short run or one under the race detector.
func sampled(long, usual, short int) int {
	switch {
	case longTests():
		return long
	case testing.Short(), underRace:
		return short
	}
	return usual
}

// faultOptions are those of a store in a folder, anchored beside it.
func faultOptions(folder string) Options {
	return Options{Path: filepath.Join(folder, "docket.db"), AnchorFolder: filepath.Join(folder, "anchors"),
		Now: func() time.Time { return noon }}
}

// acknowledge tells the process that started this one what is durable.
func acknowledge(t testing.TB, words ...string) {
	t.Helper()
	need(os.Stdout.WriteString("ack " + strings.Join(words, " ") + "\n"))(t)
}

// writeWithoutEnd imports cases and records on them until somebody kills this process.
func writeWithoutEnd(t *testing.T, o Options) {
	acknowledge(t, "begun")
	d := fixtureAt(t, openWith(t, o))
	wantKinds(t, "found at opening", d.store.Findings())
	if o.Service {
		d.register()
	}
	d.mill.appealPolicy(1) // is there, and has to be named
	for i := 0; ; i++ {
		id := fmt.Sprintf("case-%d-%d", os.Getpid(), i)
		d.take(d.mill.appealCase(passing(id, 1)))
		var receipt records.Receipt
		if o.Service {
			receipt = d.handIn(d.judged(terms.ID(id), decision{})).Receipt
		} else {
			receipt = d.record(terms.ID(id), decision{outcome: terms.UpholdDecision})
		}
		acknowledge(t, string(receipt.RecordID), receipt.Root.String())
	}
}

// A writer is a process that can be killed.
type writer struct {
	command *exec.Cmd
	lines   chan []string // what it acknowledged, until it is gone
	rest    []string      // anything else that it said
}

func startWriter(t *testing.T, folder string) *writer {
	t.Helper()
	w := &writer{command: again(t, t.Name(), folder), lines: make(chan []string, 1<<16)}
	out := need(w.command.StdoutPipe())(t)
	w.command.Stderr = io.Discard
	must(t, w.command.Start())
	go func() {
		defer close(w.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if words, found := strings.CutPrefix(lines.Text(), "ack "); found {
				w.lines <- strings.Fields(words)
			} else {
				w.rest = append(w.rest, lines.Text())
			}
		}
	}()
	return w
}

// kill kills the writer after it acknowledged so many things and went on for a moment, and returns all that it
// acknowledged.
func (w *writer) kill(t *testing.T, after int, moment time.Duration) (acknowledged [][]string) {
	t.Helper()
	for range after {
		words, open := <-w.lines
		if !open {
			break
		}
		acknowledged = append(acknowledged, words)
	}
	for end := time.Now().Add(moment); time.Now().Before(end); {
		runtime.Gosched()
	}
	err := w.command.Process.Kill()
	mustNot(t, err != nil && !errors.Is(err, os.ErrProcessDone), "%v", err)
	for words := range w.lines {
		acknowledged = append(acknowledged, words)
	}
	_ = w.command.Wait() // killed: what it says is of no interest
	for _, line := range w.rest {
		if strings.Contains(line, "FAIL") || strings.Contains(line, ".go:") {
			t.Errorf("a writer failed: %s", strings.Join(w.rest, "\n"))
			break
		}
	}
	return acknowledged
}

func TestNothingAcknowledgedIsLostWhenWritersAreKilled(t *testing.T) {
	t.Parallel()
	killWriters(t, false, 1)
}

func TestNothingAcknowledgedIsLostWhenAServiceIsKilled(t *testing.T) {
	t.Parallel()
	killWriters(t, true, 4)
}

// killWriters kills processes that record, or hand in, and fails unless all that they acknowledged is in the log. share says
// what part of the kills that are asked for are done here.
func killWriters(t *testing.T, service bool, share int) {
	if service && onPostgres() {
		t.Skip(aboutFile)
	}
	t.Helper()
	options := func(folder string) Options {
		o := faultOptions(folder)
		o.Service = service
		return o
	}
	if folder := os.Getenv(pathVariable); folder != "" {
		writeWithoutEnd(t, options(folder))
		return
	}
	kills := sampled(200, 20, 20) / share
	folder := t.TempDir()
	first := fixtureAt(t, openWith(t, options(folder)))
	first.take(first.mill.appealPolicy(1))
	first.close()
	random := rand.New(rand.NewPCG(1, 2))
	var acknowledged [][]string
	writers := [2]*writer{startWriter(t, folder), startWriter(t, folder)}
	for range kills {
		i := random.IntN(2)
		acknowledged = append(acknowledged, writers[i].kill(t, random.IntN(12), time.Duration(random.IntN(3000))*time.Microsecond)...)
		writers[i] = startWriter(t, folder)
	}
	for _, w := range writers {
		acknowledged = append(acknowledged, w.kill(t, 0, 0)...)
	}
	s := openWith(t, options(folder))
	wantKinds(t, "afterwards", append(s.Findings(), proven(t, s)...))
	wantWriting(t, s)
	t.Logf("%d kills: %d acknowledged, %d in the log", kills, mustHold(t, s, acknowledged), len(wholeLog(t, s)))
}

// mustHold fails unless every acknowledged record is in the log, each case once, and returns how many there are.
func mustHold(t testing.TB, s *Store, acknowledged [][]string) (count int) {
	t.Helper()
	list := wholeLog(t, s)
	for _, words := range acknowledged {
		if len(words) != 2 {
			continue
		}
		count++
		wantSame(t, "record is lost", list[records.RecordID(words[0])].Receipt.Root.String(), words[1])
	}
	cases := map[packets.Key]bool{}
	for _, r := range list {
		key := r.Record.Members().Key
		wantNot(t, cases[key], "case %s was recorded on twice", key.ID)
		cases[key] = true
	}
	return count
}

// recordThrough records on a few cases through all failures, as a reviewer who tries again, and makes a backup.
func recordThrough(t *testing.T, folder string) {
	const tries = 4
	o := faultOptions(folder)
	var d *fixture
	for range tries {
		s, err := Open(context.Background(), o)
		if err == nil {
			d = fixtureAt(t, s)
			break
		}
	}
	if d == nil {
		return
	}
	if list := d.store.Findings(); len(list) > 0 {
		acknowledge(t, "findings", fmt.Sprint(list))
	}
	for i := range 5 {
		id := terms.ID(fmt.Sprintf("case-%d", i))
		caseFile, err := d.store.CaseFile(context.Background(), terms.AppealCases, id, 0, terms.InstantOf(noon), "")
		if err != nil || caseFile.InForce != "" {
			continue
		}
		head, err := d.store.Head(context.Background())
		if err != nil {
			continue
		}
		sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, head: &head})
		for range tries {
			receipt, err := d.store.Append(context.Background(), sub)
			var unanchored *AnchorError
			if err == nil || errors.As(err, &unanchored) {
				acknowledge(t, string(receipt.RecordID), receipt.Root.String())
				break
			}
		}
	}
	_ = d.store.Backup(context.Background(), filepath.Join(folder, "backup.db"), nil) // it may fail, but not deceive
	_ = d.store.Close()
}
