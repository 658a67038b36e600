package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/visible"
)

// A Generation is a log of a Lineage.
type Generation struct {
	Origin string
	Key    string // the verifier key of its checkpoints
	Start  int64  // how many records it began with: those of the log before it
	// Ended is the statement that ended the log, its Size what was restored; zero for the newest log.
	Ended       records.LogStatement
	SignedByLog bool // the log's own key signed that statement, too
}

// A Lineage is a log after the earlier logs that it continues, oldest first: each restore ends a
// log, and begins one that continues the restored records. A log that was never restored is one
// Generation. Sequences continue across logs.
type Lineage []Generation

// Newest returns the newest log.
func (l Lineage) Newest() *Generation { return &l[len(l)-1] }

// Of returns the log to which the record at a sequence was appended.
func (l Lineage) Of(sequence int64) *Generation {
	for i := len(l) - 1; i > 0; i-- {
		if l[i].Start <= sequence {
			return &l[i]
		}
	}
	return &l[0]
}

// Find returns the place of the log with the origin; -1 if it is none of them.
func (l Lineage) Find(origin string) int {
	return slices.IndexFunc(l, func(g Generation) bool { return g.Origin == origin })
}

// open verifies a checkpoint of the newest log with one of the keys, or of an earlier log with its
// own key, and returns the log's place.
func (l Lineage) open(signed []byte, keys []string) (c Checkpoint, place int, err error) {
	origin, _, _ := strings.Cut(string(signed), "\n")
	if place = l.Find(origin); place >= 0 && place < len(l)-1 {
		keys = []string{l[place].Key}
	} else {
		place, origin = len(l)-1, l.Newest().Origin
	}
	c, err = OpenCheckpoint(signed, origin, keys)
	return c, place, err
}

// Holds returns how many records of the log at a place are in the newest one.
func (l Lineage) Holds(place int) int64 {
	held := int64(math.MaxInt64)
	for i := place; i < len(l)-1; i++ {
		held = min(held, l[i].Ended.Size)
	}
	return held
}

// OperatorOf returns the fingerprint of the key of a service's operator; "" for none.
func OperatorOf(list []OpenedStatement) (operator string) {
	for i := range list {
		if s := &list[i]; s.OK && s.Statement.AboutOperator() {
			_, operator = s.Statement.NewOperator()
		}
	}
	return operator
}

// An OpenedStatement is a statement about a log as it was read.
type OpenedStatement struct {
	Statement records.LogStatement
	// OK says that it is signed by the key that it names, about the log that was then the newest,
	// or by the service, and stands once.
	OK        bool
	Counts    bool // it is OK, and by somebody who may state it; Authorize says so
	Void      bool // it Counts, and its key was revoked later, from before it on
	LogSigned bool // the log's key signs it, too
	// Foreign says that the service stated it of its own log, about a reviewer's key or an erasure.
	Foreign bool
}

// ReadLineage reads the statements about a log in their order, and returns the logs that it went
// through. origin and key are those of the newest log as its checkpoints name them; services are
// its service's verifier keys, also from before restores. The caller compares the stated roots with
// those of the log.
func ReadLineage(origin, key string, services []string, statements []signed.Statement) (Lineage, []OpenedStatement) {
	opened := make([]OpenedStatement, len(statements))
	lineage := Lineage{{Origin: origin, Key: key}}
	for i := range statements {
		first, err := records.ReadLogStatement(statements[i].Text)
		if err == nil && first.Kind == records.LogRestored && records.OfService(first.Origin) == records.OfService(origin) {
			lineage[0] = Generation{Origin: first.Origin, Key: first.Restore.OldKey}
			break
		}
	}
	var own, theirs operators
	services = RestoredKeys(services, statements)
	var size int64
	seen := map[string]bool{}
	for i := range opened {
		opened[i].LogSigned = len(statements[i].LogSignature) > 0
		newest := lineage.Newest()
		if seen[statements[i].Text] {
			continue // the same again: nobody stated it twice
		}
		seen[statements[i].Text] = true
		if statement, err := statements[i].Open(services...); err == nil && !records.OfService(origin) && statement.OfServiceToConsoles() {
			opened[i].Statement, opened[i].OK, opened[i].Foreign = statement, theirs.allow(statement, false), true
			continue
		}
		statement, err := statements[i].Open(newest.Key)
		opened[i].Statement, opened[i].OK = statement, err == nil && statement.Origin == newest.Origin &&
			statement.Size >= newest.Start && statement.Size >= size
		if !opened[i].OK {
			continue
		}
		size = statement.Size
		if statement.Kind != records.LogRestored {
			opened[i].OK = !records.OfService(statement.Origin) || own.allow(statement, true)
		} else {
			next := Generation{Origin: statement.Restore.NewOrigin(), Key: statement.Restore.NewKey, Start: statement.Size}
			opened[i].OK = statement.Restore.OldKey == newest.Key && isKeyOf(newest.Key, newest.Origin) && isKeyOf(next.Key, next.Origin) &&
				lineage.Find(next.Origin) < 0 && own.allow(statement, true)
			if opened[i].OK {
				newest.Ended, newest.SignedByLog = statement, len(statements[i].LogSignature) > 0
				lineage = append(lineage, next)
			}
		}
	}
	if newest := lineage.Newest(); newest.Origin != origin || newest.Key != key {
		// The newest restore leads to another log than this one.
		for i := range opened {
			opened[i].OK = opened[i].OK && opened[i].Statement.Kind != records.LogRestored
		}
		lineage = Lineage{{Origin: origin, Key: key}}
	}
	return lineage, opened
}

// RestoredKeys adds to a service's verifier keys those of logs from which restores lead to them.
func RestoredKeys(keys []string, statements []signed.Statement) []string {
	keys = slices.Clone(keys)
	for i := len(statements) - 1; i >= 0; i-- {
		s, err := records.ReadLogStatement(statements[i].Text)
		if err == nil && s.Kind == records.LogRestored && slices.Contains(keys, s.Restore.NewKey) &&
			!slices.Contains(keys, s.Restore.OldKey) {
			keys = append(keys, s.Restore.OldKey)
		}
	}
	return keys
}

func isKeyOf(key, origin string) bool {
	verifier, err := note.NewVerifier(key)
	return err == nil && verifier.Name() == origin
}

// Restored adds that what is named is of the log at a place of a lineage, which was restored since:
// a finding, or a note where the caller accepts the restore. signs is how many records of that log
// the named signs; 0 if it says nothing of that.
func (r *Report) Restored(name string, lineage Lineage, place int, signs int64, o *Options) {
	g := &lineage[place]
	detail := fmt.Sprintf("%s is of %s, which was restored to %s", name, visible.String(g.Origin), records.Count(g.Ended.Size))
	if held := lineage.Holds(place); signs > held {
		r.Lost += signs - held
		detail += fmt.Sprintf("; it signs %d, of which %d are here", signs, held)
	}
	if !g.SignedByLog {
		detail += "; the key of that log did not sign the restore"
	}
	if o.AcceptRestore {
		r.Followed = append(r.Followed, detail)
		return
	}
	r.Add(LogRestored.OfLog(detail), o)
}

func (c *check) restored(name string, place int, signs int64) {
	c.report.Restored(name, c.lineage, place, signs, &c.options)
}

// Trusted returns the keys that the caller trusts, with the newest of a lineage if statements lead
// to it from one of them, and the place of that one's log.
func (r *Report) Trusted(lineage Lineage, o *Options) (keys []string, from int) {
	keys, from = o.VerifierKeys, len(lineage)-1
	newest := lineage.Newest().Key
	if slices.Contains(keys, newest) {
		return keys, from
	}
	for place := range lineage[:from] {
		if key := lineage[place].Key; slices.Contains(keys, key) {
			r.Restored(fmt.Sprintf("the key %s", visible.String(key)), lineage, place, 0, o)
			return append(slices.Clone(keys), newest), place
		}
	}
	return keys, from
}

// OpenEarlier verifies an earlier checkpoint, of the newest log of a lineage with one of the keys,
// or of an earlier log, and returns its log's place; extended: the newest log has to extend it.
func (r *Report) OpenEarlier(earlier Earlier, lineage Lineage, keys []string,
	o *Options) (opened Checkpoint, place int, extended bool, err error) {
	opened, place, err = lineage.open(earlier.Signed, keys)
	if err != nil {
		return opened, place, false, err
	}
	if place < len(lineage)-1 {
		r.Restored(visible.String(earlier.Name), lineage, place, opened.Size, o)
	}
	return opened, place, opened.Size <= lineage.Holds(place), nil
}

// ClockSince is the size of the log, up to one, at which the order of its times starts again: where
// the last clock was accepted by a person whose statement counts; 0 for none.
func ClockSince(statements []OpenedStatement, upTo int64) (size int64) {
	for i := range statements {
		if s := &statements[i].Statement; statements[i].Counts && s.Kind == records.ClockAccepted && s.Size <= upTo {
			size = max(size, s.Size)
		}
	}
	return size
}
