package store

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify"
	"docket/store/verify/verifytest"

	"golang.org/x/mod/sumdb/tlog"
)

func (d *fixture) cosigned(w verifytest.Witness, checkpoint []byte, at time.Time) {
	d.t.Helper()
	must(d.t, d.store.KeepCosignature(d.t.Context(), w.Cosign(checkpoint, at)))
}

func (d *fixture) checkpoint() []byte {
	d.t.Helper()
	return need(d.store.Checkpoint(d.t.Context()))(d.t)
}

func TestOnlyACosignatureOfACheckpointThatTheLogExtendsIsKept(t *testing.T) {
	t.Parallel()
	d, _ := bound(t)
	w, other := verifytest.NewWitness(t, "example.org/w"), verifytest.NewWitness(t, "example.org/other")
	d.decided("case-1", "")
	one := d.checkpoint()
	d.decided("case-2", "")
	foreign := withCase(t).checkpoint()
	root := tlog.Hash{1}
	forked := need(d.store.key.Sign(2, root))(t)
	longer := need(d.store.key.Sign(3, root))(t)
	good := w.Cosign(one, noon)
	bad := map[string]verify.Cosigned{
		"none":                     {Checkpoint: one, Key: w.Key},
		"by another key":           {Checkpoint: one, Line: good.Line, Key: other.Key},
		"with a key that is none":  {Checkpoint: one, Line: good.Line, Key: "key"},
		"twice":                    {Checkpoint: one, Line: bytes.Repeat(good.Line, 2), Key: good.Key},
		"without the end":          {Checkpoint: one, Line: good.Line[:20], Key: good.Key},
		"with the log's signature": {Checkpoint: one, Line: one[bytes.Index(one, []byte("\n\n"))+2:], Key: good.Key},
		"of another checkpoint":    {Checkpoint: d.checkpoint(), Line: good.Line, Key: good.Key},
		"of another log":           w.Cosign(foreign, noon),
		"of a fork":                w.Cosign(forked.Note, noon),
		"of a longer log":          w.Cosign(longer.Note, noon),
	}
	for name, c := range bad {
		wantErr(t, name, d.store.KeepCosignature(t.Context(), c), records.ErrRefused)
	}
	sizeOf := func(w verifytest.Witness, want int64) {
		t.Helper()
		size := need(d.store.CosignedSize(t.Context(), w.Key))(t)
		wantNot(t, size != want, "%d entries are cosigned, not %d", size, want)
	}
	sizeOf(w, 0)
	d.cosigned(w, one, noon)
	d.cosigned(w, one, noon)
	sizeOf(w, verify.SizeOf(one))
	d.cosigned(w, d.checkpoint(), noon)
	sizeOf(w, verify.SizeOf(d.checkpoint()))
	sizeOf(other, 0)
	rows := 0
	must(t, d.reader().QueryRow("SELECT count(*) FROM docket_cosignatures").Scan(&rows))
	wantSame(t, "rows", rows, 2)
}

func TestAPolicyIsMetByTheNewestCheckpointWithTheQuorum(t *testing.T) {
	t.Parallel()
	d, _ := bound(t)
	one, two := verifytest.NewWitness(t, "example.org/1"), verifytest.NewWitness(t, "example.org/2")
	both := verifytest.Policy(t, one, two)
	want := func(policy *verify.Policy, met bool, size, uncovered int64, at time.Time) {
		t.Helper()
		got, err := d.store.Coverage(t.Context(), policy)
		wanted := verify.Coverage{Met: met, Size: size, Uncovered: uncovered}
		if met {
			wanted.At = terms.InstantOf(at)
		}
		wantNot(t, err != nil || got != wanted, "%+v, not %+v: %v", got, wanted, err)
		report, err := d.store.Verify(t.Context(), verify.Options{Policy: policy, Now: terms.InstantOf(noon)})
		if err != nil || *report.Coverage != wanted || report.Count(verify.PolicyUnmet) == 0 != met {
			t.Errorf("verify: %+v %v, %v", report.Coverage, report.Findings, err)
		}
	}
	size := need(d.store.Head(t.Context()))(t).Size
	want(both, false, 0, size, noon)
	d.decided("case-1", "")
	first := d.checkpoint()
	d.cosigned(one, first, noon.Add(-3*time.Hour))
	want(both, false, 0, size+1, noon)
	want(verifytest.Policy(t, one), true, size+1, 0, noon.Add(-3*time.Hour))
	d.cosigned(two, first, noon.Add(-2*time.Hour))
	d.decided("case-2", "")
	want(both, true, size+1, 1, noon.Add(-3*time.Hour))
	d.cosigned(one, first, noon.Add(-time.Hour)) // it signs again that it has seen no more
	want(both, true, size+1, 1, noon.Add(-2*time.Hour))
	d.cosigned(two, d.checkpoint(), noon.Add(time.Hour)) // its clock is wrong
	d.cosigned(one, d.checkpoint(), noon)
	want(both, true, size+1, 1, noon.Add(-2*time.Hour))
	d.cosigned(two, d.checkpoint(), noon.Add(time.Minute))
	want(both, true, size+2, 0, noon)
}

// manyCosigned is more than an opening looks at.
const manyCosigned = cosignedAtOnce + 3

func TestCosignaturesFarBackAreFoundForAPolicyAndChecked(t *testing.T) {
	t.Parallel()
	d, _ := bound(t)
	early, busy := verifytest.NewWitness(t, "example.org/early"), verifytest.NewWitness(t, "example.org/busy")
	d.decided("case-1", "")
	d.cosigned(early, d.checkpoint(), noon)
	for i := range manyCosigned {
		d.cosigned(busy, d.checkpoint(), noon.Add(time.Duration(i)*time.Second))
	}
	got := need(d.store.Coverage(t.Context(), verifytest.Policy(t, early)))(t)
	wantNot(t, !got.Met, "%+v", got)
	s := d.forged("UPDATE docket_cosignatures SET cosignature = replace(cosignature, '/early ', '/later ') WHERE position = 0")
	wantKinds(t, "at opening", s.Findings())
	wantKinds(t, "in all", proven(t, s), verify.EvidenceAltered)
}

// forgedCosignatures are forgeries of a log of eight entries, of which seven and eight are cosigned.
var forgedCosignatures = []forgery{
	{"a cosignature edited", []string{"UPDATE docket_cosignatures SET cosignature = replace(cosignature, 'A', 'B') WHERE position = 1"}},
	{"its time edited in the key", []string{"UPDATE docket_cosignatures SET key = key || ' ' WHERE position = 1"}},
	{"a checkpoint edited", []string{"UPDATE docket_cosignatures SET checkpoint = replace(checkpoint, char(10) || '8' || char(10), char(10) || '9' || char(10)) WHERE position = 0"}},
	{"cosignatures exchanged", []string{"UPDATE docket_cosignatures SET cosignature = (SELECT cosignature FROM docket_cosignatures WHERE position = 1) WHERE position = 0"}},
	{"a row below 0", []string{"UPDATE docket_cosignatures SET position = -1 WHERE position = 0"}},
	{"a row far away", []string{"UPDATE docket_cosignatures SET position = 9223372036854775806 WHERE position = 1"}},
	{"a row gone", []string{"DELETE FROM docket_cosignatures WHERE position = 0"}},
}

// cosignedTwice is a log of three records, of which two and three are cosigned.
func cosignedTwice(t testing.TB) *fixture {
	t.Helper()
	d, _ := bound(t)
	w := verifytest.NewWitness(t, "example.org/w")
	d.decided("case-1", "")
	d.decided("case-2", "")
	d.cosigned(w, d.checkpoint(), noon)
	d.decided("case-3", "")
	d.cosigned(w, d.checkpoint(), noon)
	return d
}

func TestWithoutAnAnchorNothingTellsThatAllCosignaturesAreGone(t *testing.T) {
	t.Parallel()
	wantKinds(t, "all gone", proven(t, cosignedTwice(t).forged("DELETE FROM docket_cosignatures")))
}

func TestACosignedCheckpointThatTheLogDoesNotExtendIsFoundWhereverItIs(t *testing.T) {
	t.Parallel()
	d, _ := bound(t)
	w := verifytest.NewWitness(t, "example.org/w")
	d.decided("case-1", "")
	d.decided("case-2", "")
	sign := func(size int64, root tlog.Hash) merkle.Checkpoint {
		t.Helper()
		return need(d.store.key.Sign(size, root))(t)
	}
	rolledBack, forked := sign(99, tlog.Hash{}), sign(1, tlog.Hash{1})
	path := d.store.Path()
	d.close()
	for name, c := range map[string]struct {
		checkpoint merkle.Checkpoint
		want       verify.Code
		detail     string
	}{
		"rolled back": {rolledBack, verify.RolledBack, "example.org/w cosigned signs 99 entries, there are "},
		"forked":      {forked, verify.Forked, "example.org/w cosigned signs 1 entry"},
	} {
		t.Run(name, func(t *testing.T) {
			forged := copied(t, path, "")
			kept := w.Cosign(c.checkpoint.Note, noon)
			forge(t, forged, fmt.Sprintf("INSERT INTO docket_cosignatures VALUES (0, '%s', '%s', '%s', 'x')", kept.Checkpoint, kept.Line, kept.Key))
			s := openAt(t, forged, noon)
			wantKinds(t, "at opening", s.Findings(), c.want)
			list := proven(t, s)
			wantKinds(t, "in all", list, c.want)
			wantNot(t, len(list) != 1 || !strings.Contains(list[0].Detail, c.detail), "%v", list)
		})
	}
}
