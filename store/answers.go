package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"docket/domain/json"
	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/engine"
	"docket/store/verify"
)

// NotHandedIn lists at most so many entries after a sequence, -1 for the start, for which the
// service has given no final answer, in the order of the log.
func (s *Store) NotHandedIn(ctx context.Context, after int64, most int) ([]verify.Entry, error) {
	return ask(ctx, s, "read what is not handed in", func(ctx context.Context, tx engine.Tx) (entries []verify.Entry, err error) {
		waiting, _, err := s.unanswered(ctx, tx, after, most)
		for i := 0; i < len(waiting) && err == nil; i++ {
			var one []verify.Entry
			one, err = entriesOf(ctx, tx, waiting[i], waiting[i]+1)
			entries = append(entries, one...)
		}
		return entries, err
	})
}

// unanswered returns at most so many sequences after one without an answer that stands, in order,
// and apart from them those before the last of them that a revoked key signed: they are not in
// force, and the service would reject them.
func (s *Store) unanswered(ctx context.Context, tx engine.Tx, after int64, most int) (waiting, revoked []int64, err error) {
	stated, err := s.registered(ctx, tx)
	for more := true; more && err == nil && len(waiting) < most; {
		var list []engine.Unanswered
		wanted := most - len(waiting)
		list, err = tx.Answers().Unanswered(ctx, after, wanted)
		for _, r := range list {
			if after = r.Sequence; stated.ring.At(r.Holder, r.Sequence, keys.NotReceived).State == keys.Revoked {
				revoked = append(revoked, r.Sequence)
			} else {
				waiting = append(waiting, r.Sequence)
			}
		}
		more = len(list) == wanted
	}
	return waiting, revoked, err
}

// An answered record has a final answer of the service that is about to be kept.
type answered struct {
	leaf
	document []byte
	key      signed.Key
	known    records.HandIn // what was kept before
}

// answering reads the service's key and the record, whose bytes have to be those that were logged.
func answering(ctx context.Context, tx engine.Tx, id records.RecordID, note string) (a answered, err error) {
	if a.key, err = serviceKeyOf(ctx, tx, note); err != nil {
		return a, err
	}
	of, document, err := loggedAs(ctx, tx, id)
	if a.leaf, a.document = of, document; err != nil {
		return a, err
	}
	if !a.holds(document) {
		return a, fmt.Errorf("record %s is not the one that was logged; verify the store: %w", id, ErrDamaged)
	}
	answer, err := tx.Answers().Of(ctx, a.sequence)
	a.known = readAnswer(&answer)
	return a, err
}

func refusedAnswer(format string, args ...any) error {
	return &records.Refusal{Reason: fmt.Sprintf(format, args...)}
}

// KeepAcceptance keeps the service's receipt of a record with the service's checkpoint of exactly
// the receipt's tree, and the proof that the record is the last one of that tree. If these, the
// record and the service's key disagree, the error wraps records.ErrRefused, and ErrForked if the
// service has given the same place in its log to two records. Keeping the same again changes
// nothing.
func (s *Store) KeepAcceptance(ctx context.Context, id records.RecordID, receipt records.Receipt,
	proof []terms.Hash, checkpoint []byte) error {
	receipt.Caution = ""
	return s.writing(ctx, "keep the service's receipt", func(ctx context.Context, tx engine.Tx) error {
		a, err := answering(ctx, tx, id, string(checkpoint))
		if err != nil {
			return err
		}
		document, path := receipt.Document(), signed.WriteProof(proof)
		_, err = a.key.OpenAcceptance(signed.Acceptance{Receipt: string(document),
			Checkpoint: string(checkpoint), Proof: path}, a.id, a.document)
		switch {
		case errors.Is(err, signed.ErrCheckpoint):
			return refusedAnswer("the checkpoint with the receipt of record %s: %v", a.id, err)
		case err != nil:
			return refusedAnswer("the receipt is not one of record %s and of the tree that the service signed, or nothing proves that", a.id)
		case a.known.State == records.Rejected:
			return refusedAnswer("the service has turned record %s away before", id)
		case a.known.State == records.Accepted && a.known.Receipt != receipt:
			return refusedAnswer("the service gave another receipt for record %s before", id)
		case a.known.State == records.Accepted:
			return nil
		}
		taken, err := tx.Answers().Taken(ctx, a.key.Origin(), receipt.TreeSize)
		if err != nil {
			return err
		}
		if taken {
			return fmt.Errorf("%w: the service's log has had another record at %d; %w", records.ErrRefused, receipt.Sequence, ErrForked)
		}
		if read, err := records.ReadReceipt(document); err != nil || read != receipt {
			return refusedAnswer("the receipt of record %s cannot be read back", id)
		}
		return tx.Answers().Accept(ctx, engine.Acceptance{Leaf: engine.Leaf{Sequence: a.sequence},
			Origin: a.key.Origin(), TreeSize: receipt.TreeSize,
			Receipt: string(document), Proof: path, Checkpoint: string(checkpoint)}, terms.InstantOf(s.now()))
	})
}

// KeepRejection keeps the signed records.Rejection of a record, and the changes that the service
// named: at most MostChanges texts, cut to MostChangeText characters and made visible. The error
// wraps records.ErrRejection if the service did not sign it, and records.ErrRefused if it is of
// another record or the record was accepted. A further rejection is not kept.
func (s *Store) KeepRejection(ctx context.Context, id records.RecordID, text string, changes []string) error {
	return s.writing(ctx, "keep the service's rejection", func(ctx context.Context, tx engine.Tx) error {
		a, err := answering(ctx, tx, id, text)
		if err != nil {
			return err
		}
		r, err := a.key.OpenRejection(text)
		if err != nil {
			return err
		}
		if !rejects(&r, a.id, a.document) {
			return refusedAnswer("the rejection is not one of record %s", id)
		}
		switch a.known.State {
		case records.Accepted:
			return refusedAnswer("the service has accepted record %s before", id)
		case records.Rejected:
			return nil
		}
		kept := json.Canonical(bounded(changes))
		return tx.Answers().Reject(ctx, engine.Rejection{Leaf: engine.Leaf{Sequence: a.sequence},
			InForce: r.InForce, Signed: text, Changes: string(kept)},
			terms.InstantOf(s.now()))
	})
}

// rejects reports whether a rejection is of exactly this record.
func rejects(r *records.Rejection, id records.RecordID, document []byte) bool {
	return r.RecordID == id && r.Digest == terms.HashOf(document) && r.InForce != id
}

// readAnswer reads the service's answer; of an edited row, which Verify finds, only the state.
func readAnswer(stored *engine.Answer) (h records.HandIn) {
	switch {
	case stored.Rejected:
		h.State = records.Rejected
		h.Rejection, _ = signed.Unverified(stored.Rejection)
		h.At = h.Rejection.At
		h.Changes, _ = readWords([]byte(stored.Changes))
	case stored.Accepted:
		h.State = records.Accepted
		h.At, _ = terms.ParseInstant(stored.AcceptedAt)
		h.Receipt, _ = records.ReadReceipt([]byte(stored.Receipt))
	}
	return h
}

// readWords reads a list of strings strictly.
func readWords(text []byte) ([]string, bool) {
	var doc json.Document
	if doc.Parse(text, json.Limits{}) != nil || doc.Root().Kind() != json.KindArray {
		return nil, false
	}
	words := []string{}
	for word := doc.Root().First(); word.Exists(); word = word.Next() {
		if word.Kind() != json.KindString {
			return nil, false
		}
		words = append(words, word.Text())
	}
	return words, true
}

// The limits of the changes, the service's words, that are kept with a rejection.
const (
	MostChanges    = 64
	MostChangeText = 300 // characters of one
)

// bounded cuts the changes to what is kept, and escapes control characters.
func bounded(changes []string) []string {
	kept := make([]string, 0, min(len(changes), MostChanges))
	for _, change := range changes[:min(len(changes), MostChanges)] {
		letters := []rune(visible.String(change))
		kept = append(kept, string(letters[:min(len(letters), MostChangeText)]))
	}
	return kept
}

// KeepReassigned keeps which cases and amendments the service assigned to another reviewer, each
// with the revision that did so, and returns those whose revision is not held here. This local
// state, as the service last reported it, holds back decisions that the service would reject until
// that revision or a later one comes in. With afresh the list replaces the earlier ones.
func (s *Store) KeepReassigned(ctx context.Context, list []verify.Ref, afresh bool) (kept []verify.Ref, err error) {
	if len(list) == 0 && !afresh {
		return nil, nil
	}
	err = s.writing(ctx, "keep what was given to somebody else", func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(false); err != nil {
			return err
		}
		if afresh {
			if err := tx.Local().WithdrawReassigned(ctx); err != nil {
				return err
			}
		}
		kept = nil
		for _, r := range list {
			if r.Table != terms.RecordTable(terms.AreaOf(r.Table)) {
				continue
			}
			numbers, err := tx.Packets().Numbers(ctx, r.Table, r.Key.ID)
			if err == nil && len(numbers) > 0 && numbers[len(numbers)-1] < r.Key.Number {
				kept = append(kept, r)
				err = tx.Local().Reassign(ctx, r.Table, r.Key, terms.InstantOf(s.now()))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return kept, err
}

// A handInBounds holds by when records have to be handed in, by sequence; a bound never changes.
type handInBounds struct {
	mutex sync.Mutex
	by    map[int64]terms.Instant
}

// tell fills in the known bounds of records that wait.
func (b *handInBounds) tell(list []records.LoggedRecord) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for i := range list {
		if l := &list[i]; l.Waits() {
			l.HandIn.By = b.by[l.Receipt.Sequence]
		}
	}
}

func (b *handInBounds) unknown(sequences []int64) []int64 {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(sequences), func(sequence int64) bool { _, known := b.by[sequence]; return known })
}

// learnBounds computes unknown bounds in a few queries: from then on time alone, such as a
// deadline, changes the evaluation by which the service rejects the record; one whose packet cannot
// be evaluated has no bound.
func (s *Store) learnBounds(ctx context.Context, tx engine.Tx, waiting map[int64]*records.Members) error {
	b := &s.bounds
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.by == nil {
		b.by = map[int64]terms.Instant{}
	}
	for _, area := range terms.Areas.All() {
		var sequences []int64
		var keys, policies []packets.Key
		for sequence, m := range waiting {
			if _, known := b.by[sequence]; !known && m.Area == area {
				sequences, keys, policies = append(sequences, sequence), append(keys, m.Key), append(policies, m.Policy)
			}
		}
		if len(sequences) == 0 {
			continue
		}
		held, err := tx.Packets().Documents(ctx, terms.RecordTable(area), keys, math.MaxInt64)
		if err != nil {
			return err
		}
		under, err := tx.Packets().Documents(ctx, terms.PolicyTable(area), policies, math.MaxInt64)
		if err != nil {
			return err
		}
		for i, sequence := range sequences {
			packet, err := s.cache.Read(held[i], terms.RecordTable(area), keys[i])
			if err != nil {
				continue
			}
			// Without a policy it is the zero Packet.
			policy, _ := s.cache.Read(under[i], terms.PolicyTable(area), policies[i])
			b.by[sequence] = rules.UnchangedUntil(policy, packet, waiting[sequence].Latest, waiting[sequence].EvaluatedAt)
		}
	}
	return nil
}

// boundHandIns fills in by when records have to be handed in, if there is a service.
func (s *Store) boundHandIns(ctx context.Context, tx engine.Tx, list []records.LoggedRecord) error {
	waiting := map[int64]*records.Members{}
	for i := range list {
		if l := &list[i]; l.Waits() {
			waiting[l.Receipt.Sequence] = l.Record.Members()
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	bound, err := boundTo(ctx, tx)
	if err != nil || bound == "" {
		return err
	}
	err = s.learnBounds(ctx, tx, waiting)
	s.bounds.tell(list)
	return err
}

// mostBounded is how many of the records that wait firstHandIn looks at.
const mostBounded = 1000

// firstHandIn returns by when the first of the records that wait has to be handed in.
func (s *Store) firstHandIn(ctx context.Context, tx engine.Tx) (first terms.Instant, err error) {
	sequences, _, err := s.unanswered(ctx, tx, -1, mostBounded)
	if err != nil {
		return first, err
	}
	list := loggedList{store: s, reader: &packets.Reader{}}
	if unknown := s.bounds.unknown(sequences); len(unknown) > 0 {
		if err := tx.Records().LoggedAt(ctx, unknown, list.add); err != nil {
			return first, err
		}
	}
	waiting := map[int64]*records.Members{}
	for i := range list.records {
		if list.records[i].Unreadable == "" { // else every check finds it
			waiting[list.leaves[i].sequence] = list.records[i].Record.Members()
		}
	}
	err = s.learnBounds(ctx, tx, waiting)
	s.bounds.mutex.Lock()
	defer s.bounds.mutex.Unlock()
	for _, sequence := range sequences {
		if at := s.bounds.by[sequence]; at.Before(first) {
			first = at
		}
	}
	return first, err
}

// HandInTally counts the records by the service's answers.
func (s *Store) HandInTally(ctx context.Context) (records.HandInTally, error) {
	return ask(ctx, s, "read what was handed in", func(ctx context.Context, tx engine.Tx) (records.HandInTally, error) {
		tally, err := s.tallyOf(ctx, tx)
		if err == nil && tally.Service != "" && tally.Waiting > 0 {
			tally.By, err = s.firstHandIn(ctx, tx)
		}
		return tally, err
	})
}

func (s *Store) tallyOf(ctx context.Context, tx engine.Tx) (tally records.HandInTally, err error) {
	bound, err := boundTo(ctx, tx)
	if err != nil || bound == "" {
		return tally, err
	}
	if key, err := signed.ParseKey(bound); err == nil {
		tally.Service = key.Origin()
	} else {
		tally.Service = bound // edited: Verify finds that
	}
	_, tally.Pulled, err = pulled(ctx, tx)
	if err = cmp.Or(err, into(&tally.Waiting)(tx.Log().CountRecords(ctx)), into(&tally.Setback)(openSetback(ctx, tx))); err != nil {
		return tally, err
	}
	answers, err := tx.Answers().Tally(ctx)
	stated, failed := s.registered(ctx, tx)
	if err = cmp.Or(err, failed); err != nil {
		return tally, err
	}
	var revoked []int64
	if len(stated.ring.Revocations()) > 0 {
		_, revoked, err = s.unanswered(ctx, tx, -1, math.MaxInt)
	}
	if err == nil && (answers.Rejected > 0 || len(revoked) > 0) {
		tally.Rejected, tally.Revoked, err = tx.Answers().ToJudgeAgain(ctx, revoked)
	}
	tally.Accepted = answers.Accepted
	tally.Waiting = max(0, tally.Waiting-answers.Accepted-answers.Rejected-int64(len(revoked)))
	return tally, err
}

// An Acknowledgment is a service's receipt with all that proves it without the service's log.
type Acknowledgment struct {
	Receipt    records.Receipt
	Proof      []terms.Hash // RFC 6962 audit path from the record to the root of the receipt's tree
	Checkpoint []byte       // of exactly that tree
}

// ReadAcknowledgment reads an acknowledgment from its stored form, unverified.
func ReadAcknowledgment(kept signed.Acceptance) (a Acknowledgment, err error) {
	a.Checkpoint = []byte(kept.Checkpoint)
	if a.Receipt, err = records.ReadReceipt([]byte(kept.Receipt)); err == nil {
		a.Proof, err = signed.ReadProof(kept.Proof)
	}
	return a, err
}

// EarlierReceipt returns the newest acknowledgment by a log of the service before the accepted one.
func (s *Store) EarlierReceipt(ctx context.Context, sequence int64) (a Acknowledgment, there bool, err error) {
	err = s.reading(ctx, "read the service's receipt", func(ctx context.Context, tx engine.Tx) error {
		stored, err := tx.Answers().EarlierAcceptance(ctx, sequence)
		if err == nil {
			a, err = ReadAcknowledgment(stored.Acceptance())
		}
		there = err == nil
		return unlessNoRow(err)
	})
	return a, there, err
}
