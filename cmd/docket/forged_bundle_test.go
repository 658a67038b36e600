//go:build unix

package main_test

import (
	"fmt"
	"strings"
	"testing"
)

// onFile changes a file of a bundle.
func onFile(name, old, replacement string) func(forger) {
	return func(f forger) {
		content := f.read("out/" + name)
		if !strings.Contains(content, old) {
			f.t.Fatalf("%s is not in %s", old, name)
		}
		f.write("out/"+name, strings.Replace(content, old, replacement, 1))
	}
}

// resign signs a record of a bundle again.
func (f forger) resign(sequence int64, key string) {
	name := fmt.Sprintf("out/records/%d.json", sequence)
	f.write(name+".sig", f.sign(key, f.read(name)))
}

var bundleForgeries = []forgery{
	{"an edited record", onFile("records/0.json", "evr-000482", "evr-000483"),
		[]named{{"signature_invalid", 0}, {"root_differs", -1}}},
	{"a deleted tail", func(f forger) {
		f.remove("out/records/2.json")
		f.remove("out/records/2.json.sig")
	}, []named{{"tail_missing", -1}}},
	{"a swapped signature", func(f forger) { f.write("out/records/1.json.sig", f.read("out/records/0.json.sig")) },
		[]named{{"signature_invalid", 1}}},
	{"a record that an unknown key signed again", func(f forger) { f.resign(1, f.newKey()) }, []named{{"signer_unknown", 1}}},
	{"a record that another key signed again, which is then listed as the reviewer's", func(f forger) {
		f.resign(1, f.newKey())
		f.write("out/allowed_signers", f.read("out/allowed_signers")+`rev-0417 namespaces="docket-enforcement-record" `+f.read("forged_key.pub"))
	}, []named{{"key_differs", 1}}},
	{"a record that its own reviewer forged", func(f forger) {
		f.write("out/records/2.json", blockedOtherwise(f))
		f.resign(2, f.at(ownKey))
	}, []named{{"blockers_differ", 2}, {"root_differs", -1}}},
}

func TestEveryForgeryOfABundleIsNamedByVerify(t *testing.T) {
	t.Parallel()
	needs(t, "sqlite3", "ssh-keygen")
	pristine := decided(t, "request_evidence", "uphold_decision", "request_evidence")
	pristine.done("docket", "export", pristine.at("out"))
	for _, c := range bundleForgeries {
		t.Run(c.name, func(t *testing.T) {
			f := forger{pristine.copied(t)}
			c.do(f)
			v, plain := f.verify(f.at("out"))
			if v.status != 1 {
				t.Errorf("exit status %d", v.status)
			}
			for _, want := range c.want {
				id := ""
				if want.sequence >= 0 {
					id = f.record(want.sequence)
				}
				f.names(v, plain, want.kind, want.sequence, id)
			}
		})
	}
}

// A bundle that somebody made from a store of their own says nothing against itself. What was learnt by another way does.
func TestABundleOfAnotherStoreIsNamedByTheKeyAndTheCheckpointOfTheRightOne(t *testing.T) {
	t.Parallel()
	right, other := decided(t, "request_evidence"), decided(t, "uphold_decision")
	for _, s := range []*site{right, other} {
		s.done("docket", "export", s.at("out"))
	}
	if v, plain := other.verify(other.at("out")); v.status != 0 {
		t.Fatalf("%s", plain)
	}
	key := verifierKeyOf(t, right)
	if v, plain := right.verify(right.at("out"), "--key", key, "--since", right.at("out/checkpoint")); v.status != 0 {
		t.Errorf("%s", plain)
	}
	v, plain := other.verify(other.at("out"), "--key", key)
	other.names(v, plain, "checkpoint_unknown_key", -1, "")
	v, plain = other.verify(other.at("out"), "--since", right.at("out/checkpoint"))
	other.names(v, plain, "earlier_unusable", -1, "")
}

// verifierKeyOf is the key that `docket verify` names.
func verifierKeyOf(t *testing.T, s *site) string {
	t.Helper()
	_, rest, found := strings.Cut(s.done("docket", "verify").stdout, "verifier key")
	key, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	if !found || !strings.HasPrefix(key, "docket/") {
		t.Fatalf("%q", key)
	}
	return key
}
