// Package keys says which keys of reviewers count in a log, from which record on and until which.
//
// A key counts if it is the first that signed for its reviewer in the log, if a key that counts
// endorsed it, if the log's key vouches that it replaces a lost one, or if the service registered
// it. A revoked key does not count from a record on, which may lie in the past: the records and
// statements that it signed from there on are void, and so are the statements of keys that count
// through them alone.
//
// Start at Ring. It takes statements whose signatures were verified. Faults tells which of them
// were signed by a key that did not count.
package keys

import (
	"math"
	"slices"

	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// A Holder is a reviewer with a key.
type Holder struct {
	Reviewer    terms.ID
	Fingerprint string // OpenSSH's SHA256:… form
}

// A State says whether a key counts. The zero value is Unknown.
type State uint8

// The states.
const (
	Unknown State = iota // it never counted
	Counts
	Revoked // it counted, and does not any more
)

// A Standing is how a key stands at a record.
type Standing struct {
	State State
	// Made, if Revoked, is the log size of the revocation, until which prior records were in force.
	Made int64
}

// A Ring follows the keys of a log. New makes one; statements and first uses come in their order.
type Ring struct {
	service    bool
	first      map[terms.ID]use
	statements []statement
	bounds     map[Holder]bound // of the revoked keys
	received   map[Holder]bound // of the keys that the service revoked: from is its log's size
	void       []*bound         // by statement: the bound that made it void; nil if it is not
	settled    bool
}

type use struct {
	Holder
	sequence int64
}

type statement struct {
	kind            records.LogStatementKind
	signer, subject Holder
	size, from      int64
	byPerson        bool // the signer's key is a reviewer's
	foreign         bool // a service stated it, about its own log
}

type bound struct {
	from, made int64
	position   int
}

// New returns the ring of a log; in a service's only registered keys count.
func New(service bool) *Ring {
	return &Ring{service: service, first: map[terms.ID]use{}}
}

// First notes that a key signed a record for a reviewer; only each reviewer's first record matters.
func (r *Ring) First(h Holder, sequence int64) {
	if _, known := r.first[h.Reviewer]; !known {
		r.first[h.Reviewer] = use{h, sequence}
	}
}

// State adds the next verified statement, and reports whether it concerns the keys of this log.
func (r *Ring) State(s *records.LogStatement) bool {
	if !s.AboutKey() {
		return false
	}
	subject := Holder{s.By, ""}
	if key, err := signed.PublicKey(s.Key.PublicKey); err == nil {
		subject.Fingerprint = ssh.FingerprintSHA256(key)
	}
	stated := statement{kind: s.Kind, signer: Holder{s.By, s.KeyFingerprint}, subject: subject, size: s.Size, from: s.Key.From,
		byPerson: s.PersonSigns() && !records.OfService(s.Origin)}
	if records.OfService(s.Origin) && !r.service {
		stated.foreign, stated.size = true, 0 // of no console's log: it holds for all of it
	}
	r.statements = append(r.statements, stated)
	r.settled = false
	return true
}

// stated reports whether the signer must count: not a replacing key, nor one that revokes itself.
func (s *statement) stated() bool { return s.byPerson && s.signer != s.subject }

// after reports whether the statement stands where the key was revoked, or after that.
func (b *bound) after(s *statement) bool { return s.size >= b.from }

// settle finds the void statements: a holding revocation voids what its key stated after the bound,
// earlier revocations included, and of two keys that revoke each other the first stands.
func (r *Ring) settle() {
	if r.settled {
		return
	}
	r.settled = true
	removed := make([]*bound, len(r.statements))
	for r.pass(removed) {
	}
}

// pass goes through the statements once, and reports whether one taken to hold must be removed.
func (r *Ring) pass(removed []*bound) (again bool) {
	r.bounds, r.received, r.void = map[Holder]bound{}, map[Holder]bound{}, make([]*bound, len(r.statements))
	for i := range r.statements {
		s := &r.statements[i]
		if removed[i] != nil {
			r.void[i] = removed[i]
			continue
		}
		if cause := r.voids(s, i); cause != nil {
			r.void[i] = cause
			continue
		}
		if s.kind != records.KeyRevoked {
			continue
		}
		b := bound{s.from, s.size, i}
		if s.foreign {
			if held, revoked := r.received[s.subject]; !revoked || b.from < held.from {
				if revoked {
					b.position = held.position
				}
				r.received[s.subject] = b
			}
			continue
		}
		if held, revoked := r.bounds[s.subject]; revoked && held.from <= b.from {
			continue
		}
		r.bounds[s.subject] = b
		support := r.support(s.signer, i)
		for j := range i {
			if earlier := &r.statements[j]; r.void[j] == nil && !support[j] && earlier.stated() &&
				earlier.signer == s.subject && b.after(earlier) {
				removed[j], again = &b, true
			}
		}
		if again {
			return true
		}
	}
	return false
}

// support returns the statements before a position that let a key count; the key's own revocations
// leave them valid, so that nobody is locked out by revoking the key that endorsed their own.
func (r *Ring) support(h Holder, position int) map[int]bool {
	support := map[int]bool{}
	for i := position - 1; i >= 0; i-- {
		if s := &r.statements[i]; s.subject == h && s.kind != records.KeyRevoked && r.void[i] == nil {
			support[i], h = true, s.signer
		}
	}
	return support
}

// voids returns the bound that voids a statement by its signer, nil if it holds.
func (r *Ring) voids(s *statement, position int) *bound {
	if !s.stated() {
		return nil
	}
	if b, revoked := r.bounds[s.signer]; revoked && b.after(s) {
		return &b
	}
	if b, revoked := r.received[s.signer]; revoked {
		return &b // statements of the key from before the console knew of the revocation stand
	}
	standing, cause := r.granted(s.signer, s.size, position)
	if standing == Revoked {
		return cause
	}
	return nil
}

// granted reports whether statements before a position let a key count; Revoked if void ones do.
func (r *Ring) granted(h Holder, size int64, position int) (State, *bound) {
	var cause *bound
	for i := range min(position, len(r.statements)) {
		s := &r.statements[i]
		if s.subject != h || s.kind == records.KeyRevoked || s.size > size {
			continue
		}
		if r.void[i] == nil {
			return Counts, nil
		}
		cause = r.void[i]
	}
	if cause != nil && r.first[h.Reviewer].Holder != h {
		return Revoked, cause
	}
	return Unknown, nil
}

// NotReceived is the place in the service's log of a record that the service has not acknowledged.
const NotReceived = -1

// At says how a key stands at a record. A key that the service revoked counts for records that the
// service had received before: received is the record's place in the service's log by its receipt,
// or NotReceived. Others never were in force there, and are not here.
func (r *Ring) At(h Holder, sequence, received int64) Standing {
	r.settle()
	if b, revoked := r.received[h]; revoked && (received < 0 || received >= b.from) {
		return Standing{Revoked, 0}
	}
	if b, revoked := r.bounds[h]; revoked && sequence >= b.from {
		return Standing{Revoked, b.made}
	}
	if first := r.first[h.Reviewer]; !r.service && first.Holder == h && first.sequence <= sequence {
		return Standing{State: Counts}
	}
	state, cause := r.granted(h, sequence, len(r.statements))
	if state == Revoked {
		return Standing{state, cause.made}
	}
	return Standing{State: state}
}

// Faults lists the statements that a key signed while it did not count, by their number from 0
// among those that State accepted. All first uses have to be known.
func (r *Ring) Faults() (list []int) {
	r.settle()
	for i := range r.statements {
		s := &r.statements[i]
		if !s.stated() {
			continue
		}
		late := r.void[i] != nil && r.void[i].position < i // it was stated after the revocation
		if late || r.void[i] == nil && !r.counted(s.signer, s.size, i) {
			list = append(list, i)
		}
	}
	return list
}

// counted reports whether a key counted at a statement: a first key has signed a record by then.
func (r *Ring) counted(h Holder, size int64, position int) bool {
	if first := r.first[h.Reviewer]; !r.service && first.Holder == h && first.sequence < size {
		return true
	}
	state, _ := r.granted(h, size, position)
	return state == Counts
}

// Known reports whether a key of the reviewer signed a record, or was ever let count.
func (r *Ring) Known(reviewer terms.ID) bool {
	_, signed := r.first[reviewer]
	return signed || slices.ContainsFunc(r.statements, func(s statement) bool { return s.subject.Reviewer == reviewer })
}

// A Key is a reviewer's key with the statement that makes it count.
type Key struct {
	Holder
	State State
	By    records.LogStatementKind // KeyEndorsed, KeyReplaced or KeyRegistered; zero for the first key
	Since int64                    // how many records the log had when it began to count
	From  int64                    // Revoked: the first sequence that does not count
	// ByService says that the service revoked it: records not received before do not count.
	ByService bool
}

// Keys lists a reviewer's keys that count or did: the first, then those of the statements in order.
func (r *Ring) Keys(reviewer terms.ID) (list []Key) {
	r.settle()
	add := func(k Key) {
		if k.Reviewer != reviewer || slices.ContainsFunc(list, func(known Key) bool { return known.Holder == k.Holder }) {
			return
		}
		if k.State = r.Now(k.Holder).State; k.State == Revoked {
			k.From = k.Since
			_, k.ByService = r.received[k.Holder]
			if b, explicit := r.bounds[k.Holder]; explicit {
				k.From = b.from
			}
		}
		list = append(list, k)
	}
	if first, known := r.first[reviewer]; known && !r.service {
		add(Key{Holder: first.Holder, Since: first.sequence})
	}
	for i := range r.statements {
		s := &r.statements[i]
		k := Key{Holder: s.subject, Since: s.size}
		if s.kind != records.KeyRevoked {
			k.By = s.kind
		}
		add(k)
	}
	return list
}

// Now says how a key stands after all statements.
func (r *Ring) Now(h Holder) Standing { return r.At(h, math.MaxInt64, NotReceived) }

// Strange lists the keys that may sign in a reviewer's name though the key on this machine did not
// endorse them: the used ones if that key is unknown, else those that replaced it as lost.
func (r *Ring) Strange(own Holder, used []Holder) (list []Holder) {
	r.settle()
	add := func(h Holder) {
		if h.Reviewer == own.Reviewer && h != own && r.Now(h).State != Revoked && !slices.Contains(list, h) {
			list = append(list, h)
		}
	}
	switch r.Now(own).State {
	case Unknown:
		for _, h := range used {
			add(h)
		}
	case Counts:
		for i := range r.statements {
			if s := &r.statements[i]; s.kind == records.KeyReplaced && r.void[i] == nil && r.counted(own, s.size, i) {
				add(s.subject)
			}
		}
	}
	return list
}

// A Revocation says from which record on a key does not count.
type Revocation struct {
	Holder
	From int64 // the first sequence that does not count
	Made int64 // the size of the log when that was stated
	// Received, if the service revoked the key, is its log's size before which received records
	// count; NotReceived for a key revoked in this log.
	Received int64
}

// Revocations lists the keys that do not count any more, in an order that does not change.
func (r *Ring) Revocations() (list []Revocation) {
	r.settle()
	add := func(more Revocation) {
		if !slices.ContainsFunc(list, func(known Revocation) bool {
			return known.Holder == more.Holder && (known.Received == NotReceived) == (more.Received == NotReceived)
		}) {
			list = append(list, more)
		}
	}
	for i := range r.statements {
		s := &r.statements[i]
		if b, revoked := r.received[s.subject]; revoked {
			add(Revocation{Holder: s.subject, Received: b.from})
		}
		if b, revoked := r.bounds[s.subject]; revoked {
			add(Revocation{s.subject, b.from, b.made, NotReceived})
		} else if state, cause := r.granted(s.subject, math.MaxInt64, len(r.statements)); state == Revoked {
			add(Revocation{s.subject, s.size, cause.made, NotReceived})
		}
	}
	return list
}
