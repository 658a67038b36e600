package store

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/merkle"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"
)

// The seeds of keys of one reviewer: the first signed in the log, the second is endorsed by it and then revoked.
const (
	firstSeed   = 1
	revokedSeed = 9
	newSeed     = 10
	unknownSeed = 8
)

func TestAStatementAboutAKeyIsRefusedForItsReason(t *testing.T) {
	t.Parallel()
	stated, o := anchoredFixture(t)
	for _, kind := range []records.LogStatementKind{records.KeyEndorsed, records.KeyRevoked} {
		must(t, stated.state(kind, firstSeed, revokedSeed, -1))
	}
	stated.close()
	for _, c := range []struct {
		name      string
		kind      records.LogStatementKind
		by, about byte
		from      func(size int64) int64
		reason    string
	}{
		{"a revocation from beyond the log", records.KeyRevoked, firstSeed, newSeed, func(size int64) int64 { return size + 1 }, "the log has fewer records than the revocation says"},
		{"a key that does not count endorses", records.KeyEndorsed, unknownSeed, newSeed, nil, "does not count in this log, so it states nothing about other keys"},
		{"a revoked key endorses", records.KeyEndorsed, revokedSeed, newSeed, nil, "was revoked, so it states nothing about other keys"},
		{"a revoked key revokes", records.KeyRevoked, revokedSeed, firstSeed, nil, "was revoked, so it states nothing about other keys"},
		{"a key that counts is endorsed", records.KeyEndorsed, firstSeed, firstSeed, nil, "counts already"},
		{"a key that counts replaces", records.KeyReplaced, firstSeed, firstSeed, nil, "counts already"},
		{"a revoked key is endorsed", records.KeyEndorsed, firstSeed, revokedSeed, nil, "a revoked key never counts again"},
		{"a revoked key is revoked as it was", records.KeyRevoked, firstSeed, revokedSeed, nil, "was revoked before"},
		{"an earlier revocation", records.KeyRevoked, firstSeed, revokedSeed, func(int64) int64 { return 0 }, ""},
		{"a new key is endorsed", records.KeyEndorsed, firstSeed, newSeed, nil, ""},
		{"a new key replaces what was lost", records.KeyReplaced, newSeed, newSeed, nil, ""},
		{"a key revokes itself", records.KeyRevoked, firstSeed, firstSeed, nil, ""},
	} {
		d := fixtureAt(t, openWith(t, copyOf(t, o)))
		d.clock = stated.clock
		from := int64(-1)
		if c.from != nil {
			head := need(d.store.Head(t.Context()))(t)
			from = c.from(head.Size)
		}
		err := d.state(c.kind, c.by, c.about, from)
		var refused *records.Refusal
		switch {
		case c.reason == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.reason != "" && (!errors.As(err, &refused) || !strings.Contains(refused.Reason, c.reason)):
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestTheKeysOfAReviewerAreListedWithTheirPublicHalves(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	must(t, d.state(records.KeyEndorsed, firstSeed, newSeed, -1))
	list := need(d.store.KeysOf(t.Context(), reviewerID))(t)
	public := map[string]string{}
	for _, key := range list {
		public[key.Fingerprint] = key.PublicKey
	}
	for _, seed := range []byte{firstSeed, newSeed} {
		key := newKey(t, seed).PublicKey()
		if want := signed.AuthorizedKey(key); public[ssh.FingerprintSHA256(key)] != want {
			t.Errorf("key %d: %q, want %q", seed, public[ssh.FingerprintSHA256(key)], want)
		}
	}
}

func TestAProofOfARecordIsOfItsLeafAndTheHead(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	list, err := d.store.Records(t.Context(), 0, AllRecords)
	if err != nil || len(list) < 2 {
		t.Fatalf("%d records, %v", len(list), err)
	}
	head := need(d.store.Head(t.Context()))(t)
	for _, logged := range list {
		proof := need(d.store.Inclusion(t.Context(), logged.Record.Members().RecordID))(t)
		path := make(tlog.RecordProof, len(proof.Path))
		for i, hash := range proof.Path {
			path[i] = merkle.ToTree(hash)
		}
		leaf := tlog.RecordHash(logged.Record.Document())
		must(t, tlog.CheckRecord(path, head.Size, merkle.ToTree(head.Root), logged.Receipt.Sequence, leaf))
		if proof.Sequence != logged.Receipt.Sequence || proof.TreeSize != head.Size || proof.Root != head.Root || proof.LeafHash != merkle.FromTree(leaf) {
			t.Errorf("%+v", proof)
		}
	}
	wantErr(t, "a record that is not there", errOf(d.store.Inclusion(t.Context(), records.NewRecordID(terms.InstantOf(d.clock), [10]byte{1}))), ErrNotFound)
}
