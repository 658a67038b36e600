package keys_test

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"golang.org/x/crypto/ssh"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
)

func key(t *testing.T, seed byte) (keys.Holder, string) {
	t.Helper()
	public, err := ssh.NewPublicKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize)).Public())
	if err != nil {
		t.Fatal(err)
	}
	return keys.Holder{Reviewer: "rev-1", Fingerprint: ssh.FingerprintSHA256(public)}, signed.AuthorizedKey(public)
}

// said is a statement: by the key of one seed about that of another, when the log had so many records.
type said struct {
	kind       records.LogStatementKind
	by, about  byte
	size, from int64
}

func TestWhichKeysCount(t *testing.T) {
	for name, c := range map[string]struct {
		said   []said
		want   map[byte]keys.State // of keys, after all
		faults int
	}{
		"the first":           {nil, map[byte]keys.State{1: keys.Counts, 2: keys.Unknown}, 0},
		"endorsed":            {[]said{{records.KeyEndorsed, 1, 2, 3, 0}}, map[byte]keys.State{1: keys.Counts, 2: keys.Counts}, 0},
		"endorsed by nobody":  {[]said{{records.KeyEndorsed, 3, 2, 3, 0}}, map[byte]keys.State{2: keys.Counts}, 1},
		"revoked by itself":   {[]said{{records.KeyRevoked, 1, 1, 3, 3}}, map[byte]keys.State{1: keys.Revoked}, 0},
		"revoked by the next": {[]said{{records.KeyEndorsed, 1, 2, 3, 0}, {records.KeyRevoked, 2, 1, 3, 0}}, map[byte]keys.State{1: keys.Revoked, 2: keys.Counts}, 0},
		"each by the other, the first to do so stands": {[]said{{records.KeyEndorsed, 1, 2, 3, 0}, {records.KeyRevoked, 1, 2, 4, 4}, {records.KeyRevoked, 2, 1, 5, 0}},
			map[byte]keys.State{1: keys.Counts, 2: keys.Revoked}, 1},
		"a thief's, until the log vouches for another": {[]said{{records.KeyEndorsed, 1, 2, 3, 0}, {records.KeyEndorsed, 1, 9, 4, 0}, {records.KeyRevoked, 9, 2, 5, 0},
			{records.KeyReplaced, 3, 3, 6, 0}, {records.KeyRevoked, 3, 1, 6, 4}}, map[byte]keys.State{1: keys.Revoked, 2: keys.Counts, 3: keys.Counts, 9: keys.Revoked}, 0},
	} {
		ring := keys.New(false)
		first, _ := key(t, 1)
		ring.First(first, 0)
		for _, s := range c.said {
			by, _ := key(t, s.by)
			_, about := key(t, s.about)
			statement := records.LogStatement{Kind: s.kind, Origin: "docket/00", Size: s.size, By: by.Reviewer, KeyFingerprint: by.Fingerprint,
				Key: records.KeyChange{PublicKey: about, From: s.from}}
			ring.State(&statement)
		}
		for seed, want := range c.want {
			if h, _ := key(t, seed); ring.Now(h).State != want {
				t.Errorf("%s: key %d is %d, want %d", name, seed, ring.Now(h).State, want)
			}
		}
		if faults := ring.Faults(); len(faults) != c.faults {
			t.Errorf("%s: the statements %v are found", name, faults)
		}
	}
}
