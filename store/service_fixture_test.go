package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// serviceFixture is a fixture whose store is a service's, anchored.
func serviceFixture(t testing.TB) *fixture {
	t.Helper()
	folder := t.TempDir()
	return fixtureAt(t, openWith(t, Options{Path: filepath.Join(folder, "store", "docket.db"), Service: true,
		AnchorFolder: filepath.Join(folder, "anchors"), Now: func() time.Time { return noon }}))
}

// serviceWithCase is one with one case, case-1, that passes, and the reviewer's key.
func serviceWithCase(t testing.TB) *fixture {
	t.Helper()
	d := serviceFixture(t)
	d.register()
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	return d
}

// register registers the reviewer's key.
func (d *fixture) register() {
	d.t.Helper()
	need(d.store.AddKey(d.t.Context(), d.reviewer.ID, signed.AuthorizedKey(d.key.PublicKey())))(d.t)
	d.grant(d.reviewer)
}

// grant returns the id of a token of the reviewer, which it makes where there is none. A store that is no service's has none.
func (d *fixture) grant(reviewer records.Reviewer) string {
	d.t.Helper()
	t := Token{ID: fmt.Sprintf("tok-%s-%s", reviewer.ID, reviewer.Role), Principal: reviewer.ID, Role: reviewer.Role,
		Created: terms.InstantOf(noon.AddDate(-1, 0, 0)), Expires: terms.InstantOf(noon.AddDate(100, 0, 0))}
	t.Digest = sha256.Sum256([]byte(t.ID))
	if _, err := d.store.TokenOf(context.Background(), t.Digest); errors.Is(err, ErrNotFound) {
		err = d.store.AddToken(context.Background(), t)
		if err != nil && !errors.Is(err, ErrKind) && !errors.Is(err, ErrReadOnly) && !errors.Is(err, ErrTaken) {
			d.t.Error(err)
		}
	}
	return t.ID
}

// offer hands a record in with a token of its reviewer.
func (d *fixture) offer(sub Submission) (records.Receipt, []byte, bool, error) {
	taken, err := d.submit(sub)
	return taken.Receipt, taken.Checkpoint, taken.Again, err
}

// submit is offer with the whole answer.
func (d *fixture) submit(sub Submission) (Acceptance, error) {
	if m := sub.Record.Members(); m.Reviewer.Known() {
		sub.Token = d.grant(m.Reviewer)
	}
	return d.store.HandIn(context.Background(), sub)
}

// consoleHead is the head of a log that the service knows nothing of.
var consoleHead = records.LogHead{Origin: "docket/0123456789abcdef", Size: 41, Root: terms.HashOf([]byte("a console's log"))}

// judged makes a record on the latest revision of a case, as a console would.
func (d *fixture) judged(id terms.ID, made decision) Submission {
	d.t.Helper()
	caseFile := d.caseFile(terms.AppealCases, id)
	if made.head == nil {
		made.head = &consoleHead
	}
	if made.outcome == 0 {
		made.outcome = terms.UpholdDecision
	}
	return d.decide(&caseFile.View, made)
}

// handedIn is what HandIn returned.
type handedIn struct {
	receipt    records.Receipt
	checkpoint string
	proof      []terms.Hash
	again      bool
}

func handedInOf(a Acceptance) handedIn {
	return handedIn{a.Receipt, string(a.Checkpoint), a.Proof, a.Again}
}

// handIn hands a record in and fails unless it is taken.
func (d *fixture) handIn(sub Submission) handedIn {
	d.t.Helper()
	sub.Note = records.Note{}
	taken := need(d.submit(sub))(d.t)
	return handedInOf(taken)
}

// refusing hands a record in and fails unless it is refused, and nothing is written.
func (d *fixture) refusing(sub Submission) error {
	d.t.Helper()
	before := need(d.store.Head(context.Background()))(d.t)
	receipt, checkpoint, again, err := d.offer(sub)
	if err == nil || receipt != (records.Receipt{}) || checkpoint != nil || again {
		d.t.Fatalf("it is taken: %+v, %v", receipt, err)
	}
	if after, failed := d.store.Head(context.Background()); failed != nil || after != before {
		d.t.Errorf("the log changed: %+v, %v", after, failed)
	}
	return err
}

// alteredIfReadable is a record of which members say something else, signed by the reviewer all the same; nil takes one
// out. It may be that nothing can be read as such a record.
func (d *fixture) alteredIfReadable(sub Submission, changes members) (Submission, bool) {
	d.t.Helper()
	var m members
	must(d.t, json.Unmarshal(sub.Record.Document(), &m))
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	must(d.t, encoder.Encode(m.with(changes)))
	document := bytes.TrimSpace(written.Bytes())
	record, err := records.ReadEnforcement(&packets.Reader{}, sub.Record.Members().Area, document)
	if err != nil {
		return Submission{}, false
	}
	return Submission{Record: record, Signature: sign(d.t, d.key, document, records.SignatureNamespace), PacketSalt: packetSalt,
		Statement: sub.Statement}, true
}
