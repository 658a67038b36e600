package store

import (
	"os"
	"os/exec"
	"strings"
	"testing"

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
	ids := make([]terms.ID, count)
	packets := make([]packets.Packet, count)
	for i := range ids {
		ids[i] = terms.ID(prefix + "-" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
		packets[i] = d.mill.appealCase(passing(string(ids[i]), 1))
	}
	d.take(packets...)
	return ids
}

// wholeLog reads the log from its start and fails unless every record is readable and its receipt holds.
func wholeLog(t testing.TB, s *Store) map[records.RecordID]records.LoggedRecord {
	t.Helper()
	list := need(s.Records(t.Context(), 0, 1<<20))(t)
	head := need(s.Head(t.Context()))(t)
	if head.Size != int64(len(list)) {
		t.Fatalf("%d records in a log of %d", len(list), head.Size)
	}
	byID := map[records.RecordID]records.LoggedRecord{}
	for i, r := range list {
		if r.Unreadable != "" || r.Receipt.Sequence != head.Size-1-int64(i) {
			t.Errorf("record %d: %+v", i, r)
		}
		byID[r.Receipt.RecordID] = r
	}
	if len(list) > 0 && list[0].Receipt.Root != head.Root {
		t.Error("the last receipt does not have the root of the log")
	}
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
	if err := child.Wait(); err != nil {
		t.Fatalf("%v:\n%s", err, out.String())
	}
	wantSame(t, "records", len(wholeLog(t, d.store)), 2*each)
}
