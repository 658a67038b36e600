//go:build unix

package damage_test

import (
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// recordFile returns the name of the file of a record of the bundle.
func (f forger) recordFile(sequence int) string {
	return "out/records/" + strings.Split(strings.Split(f.Read("out/entries.csv"), "\n")[sequence+1], ",")[2] + ".json"
}

// resign signs a record of a bundle again.
func (f forger) resign(sequence int64, key string) {
	name := f.recordFile(int(sequence))
	f.Write(name+".sig", f.Sign(key, f.Read(name)))
}

var bundleForgeries = []forgery{
	{"an edited record", func(f forger) {
		f.Write(f.recordFile(0), strings.Replace(f.Read(f.recordFile(0)), "evr-000482", "evr-000483", 1))
	},
		[]named{{"signature_invalid", 0}, {"root_differs", -1}}},
	{"a deleted tail", func(f forger) {
		f.Remove(f.recordFile(2))
		f.Remove(f.recordFile(2) + ".sig")
		entries := f.Read("out/entries.csv")
		f.Write("out/entries.csv", entries[:strings.LastIndex(strings.TrimSuffix(entries, "\n"), "\n")+1])
	}, []named{{"tail_missing", -1}}},
	{"a swapped signature", func(f forger) { f.Write(f.recordFile(1)+".sig", f.Read(f.recordFile(0)+".sig")) },
		[]named{{"signature_invalid", 1}}},
	{"a record that an unknown key signed again", func(f forger) { f.resign(1, f.newKey()) }, []named{{"signer_unknown", 1}}},
	{"a record that another key signed again, which is then listed as the reviewer's", func(f forger) {
		f.resign(1, f.newKey())
		f.Write("out/allowed_signers", f.Read("out/allowed_signers")+`rev-0417 namespaces="docket-enforcement-record" `+f.Read("forged_key.pub"))
	}, []named{{"key_differs", 1}}},
	{"a record that its own reviewer forged", func(f forger) {
		f.Write(f.recordFile(2), blockedOtherwise(f))
		f.resign(2, f.At(programtest.OwnKey))
	}, []named{{"blockers_differ", 2}, {"root_differs", -1}}},
}

func TestEveryForgeryOfABundleIsNamedByVerify(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3", "ssh-keygen")
	pristine := programtest.Decided(t, "request_evidence", "uphold_decision", "request_evidence")
	pristine.Done("docket", "export", pristine.At("out"))
	for _, c := range bundleForgeries {
		t.Run(c.name, func(t *testing.T) {
			f := forger{pristine.Copied(t)}
			c.do(f)
			v, plain := f.Verify(f.At("out"))
			if v.Status != 1 {
				t.Errorf("exit status %d", v.Status)
			}
			for _, want := range c.want {
				id := ""
				if want.sequence >= 0 {
					id = f.record(want.sequence)
				}
				f.Names(v, plain, want.kind, want.sequence, id)
			}
		})
	}
}

// A bundle that somebody made from a store of their own says nothing against itself. What was learnt by another way does.
func TestABundleOfAnotherStoreIsNamedByTheKeyAndTheCheckpointOfTheRightOne(t *testing.T) {
	t.Parallel()
	right, other := programtest.Decided(t, "request_evidence"), programtest.Decided(t, "uphold_decision")
	for _, s := range []*programtest.Site{right, other} {
		s.Done("docket", "export", s.At("out"))
	}
	if v, plain := other.Verify(other.At("out")); v.Status != 0 {
		t.Fatalf("%s", plain)
	}
	key := verifierKeyOf(t, right)
	if v, plain := right.Verify(right.At("out"), "--key", key, "--since", right.At("out/checkpoint")); v.Status != 0 {
		t.Errorf("%s", plain)
	}
	v, plain := other.Verify(other.At("out"), "--key", key)
	other.Names(v, plain, "checkpoint_unknown_key", -1, "")
	v, plain = other.Verify(other.At("out"), "--since", right.At("out/checkpoint"))
	other.Names(v, plain, "earlier_unusable", -1, "")
}

// verifierKeyOf is the key that `docket verify` names.
func verifierKeyOf(t *testing.T, s *programtest.Site) string {
	t.Helper()
	_, rest, found := strings.Cut(s.Done("docket", "verify").Stdout, "verifier key")
	key, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	if !found || !strings.HasPrefix(key, "docket/") {
		t.Fatalf("%q", key)
	}
	return key
}
