package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
)

// A Generation is a log of a Lineage.
type Generation struct {
	Origin string
	Key    string // the verifier key of its checkpoints
	Start  int64  // how many records it began with: those of the log before it
	// Ended is the statement by which the log ended, and what was restored of it is its Size; zero for the newest log.
	Ended       records.LogStatement
	SignedByLog bool // the log's own key signed that statement, too
	// Named is how many logs of the lineage there were when a log's key last signed who its operator is, before that statement; 0: no operator
	// was named.
	Named int
}

// A Lineage is a log with the earlier logs that it continues, oldest first: each restore ends a log, and begins one
// that continues the restored records. A log that was never restored is one Generation. Sequences continue across logs.
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

// Holds returns how many records of the log at a place are in the newest one.
func (l Lineage) Holds(place int) int64 {
	held := int64(math.MaxInt64)
	for i := place; i < len(l)-1; i++ {
		held = min(held, l[i].Ended.Size)
	}
	return held
}

// Vouched reports whether the restore that ended the log at a place counts for a reader who trusts the log at an earlier place, or that one: its
// own key signed the statement, or an operator whom a log from there on named. A log before or after says nothing to that reader:
// anybody can make one that names an operator.
func (l Lineage) Vouched(place, trusted int) bool {
	return l[place].SignedByLog || l[place].Named > trusted
}

// OperatorOf returns the fingerprint of the key that a service's log names as its operator's; "" for none.
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
	OK        bool // it is signed by the key that it names, and about the log that was then the newest, or by the service, and stands once
	LeftOut   bool // the source has only its digest
	Foreign   bool // the service stated it about its own log: that it registered or revoked a reviewer's key, or erased something
}

// ReadLineage reads the statements about a log in their order, and returns the logs that it went through. origin and key are those
// of the newest log as its checkpoints name them; services are the verifier keys of the service that the log
// knows, those that it had before restores included. The caller compares the stated roots with those of the log.
func ReadLineage(origin, key string, services []string, statements []signed.Statement) (Lineage, []OpenedStatement) {
	opened := make([]OpenedStatement, len(statements))
	lineage := Lineage{{Origin: origin, Key: key}}
	for i := range statements {
		first, err := records.ReadLogStatement(statements[i].Text)
		if err == nil && first.Kind == records.LogRestored {
			lineage[0] = Generation{Origin: first.Origin, Key: first.Restore.OldKey}
			break
		}
	}
	operator, named := "", 0
	var size int64
	var previous terms.Hash
	seen := map[string]bool{}
	for i := range opened {
		newest := lineage.Newest()
		if statements[i].Text == "" && statements[i].LeftOut.Present() {
			opened[i].LeftOut, previous = true, statements[i].LeftOut
			continue
		}
		if seen[statements[i].Text] {
			continue // the same again: nobody stated it twice
		}
		seen[statements[i].Text] = true
		if statement, err := statements[i].Open(services...); err == nil && !records.OfService(origin) && statement.OfServiceToConsoles() {
			opened[i] = OpenedStatement{Statement: statement, OK: true, Foreign: true}
			continue
		}
		statement, err := statements[i].Open(newest.Key)
		opened[i] = OpenedStatement{Statement: statement, OK: err == nil && statement.Origin == newest.Origin &&
			statement.Size >= newest.Start && statement.Size >= size && (!statement.AboutKey() || statement.Key.Previous == previous)}
		previous = terms.HashOf([]byte(statements[i].Text))
		if !opened[i].OK {
			continue
		}
		size = statement.Size
		switch statement.Kind {
		case records.OperatorNamed:
			if opened[i].OK = operator == ""; opened[i].OK {
				operator, named = statement.KeyFingerprint, len(lineage)
			}
		case records.OperatorChanged:
			if opened[i].OK = operator == statement.KeyFingerprint; opened[i].OK {
				_, operator = statement.NewOperator()
				named = len(lineage)
			}
		case records.OperatorReplaced:
			if opened[i].OK = operator == statement.Found[0]; opened[i].OK {
				operator, named = statement.KeyFingerprint, len(lineage)
			}
		case records.Erased:
			opened[i].OK = !records.OfService(statement.Origin) || operator == statement.KeyFingerprint
		case records.KeyRevoked:
			// Once an operator is named, a revocation at the service is the operator's.
			opened[i].OK = !records.OfService(statement.Origin) || operator == "" && !statement.PersonSigns() || operator == statement.KeyFingerprint && statement.PersonSigns()
		case records.LogRestored:
			next := Generation{Origin: statement.Restore.NewOrigin(), Key: statement.Restore.NewKey, Start: statement.Size}
			opened[i].OK = statement.Restore.OldKey == newest.Key && isKeyOf(newest.Key, newest.Origin) && isKeyOf(next.Key, next.Origin) &&
				lineage.Find(next.Origin) < 0 && (operator == "" || operator == statement.KeyFingerprint)
			if opened[i].OK {
				newest.Ended, newest.SignedByLog, newest.Named = statement, len(statements[i].LogSignature) > 0, named
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

// isKeyOf reports whether the key is a verifier key of the log with the origin.
func isKeyOf(key, origin string) bool {
	verifier, err := note.NewVerifier(key)
	return err == nil && verifier.Name() == origin
}

// A Followed is a checkpoint or key of an earlier log on which the check relied, because statements lead from that log
// to the newest one.
type Followed struct {
	Name   string // what it is: the name of a checkpoint, or a key
	Origin string // of the earlier log
	place  int
}

// follow notes that the check relies on the statements from the log at a place on.
func (c *check) follow(name string, place int) {
	c.report.Followed = append(c.report.Followed, Followed{Name: name, Origin: visible.String(c.lineage[place].Origin), place: place})
}

// trustedKeys returns the keys of the checkpoint: those that the caller trusts, and the one to which statements lead
// from them; without any, those that the log names.
func (c *check) trustedKeys() []string {
	keys := c.options.VerifierKeys
	if len(keys) == 0 {
		return c.head.VerifierKeys
	}
	newest := c.lineage.Newest().Key
	if slices.Contains(keys, newest) {
		return keys
	}
	for place := range c.lineage[:len(c.lineage)-1] {
		if key := c.lineage[place].Key; slices.Contains(keys, key) {
			c.follow(fmt.Sprintf("the key %s", visible.String(key)), place)
			return append(slices.Clone(keys), newest)
		}
	}
	return keys
}

// openEarlier verifies an earlier checkpoint, of this log or of an earlier one, and has the tree compared with it.
func (c *check) openEarlier(earlier Earlier, keys []string) error {
	name := visible.String(earlier.Name)
	origin, _, _ := strings.Cut(string(earlier.Signed), "\n")
	place := c.lineage.Find(origin)
	if place < 0 || place == len(c.lineage)-1 {
		opened, err := OpenCheckpoint(earlier.Signed, c.head.Origin, keys)
		if err == nil {
			c.wantCheckpoints.add(wantCheckpoint{Checkpoint: opened, name: name, found: Forked})
		}
		return err
	}
	opened, err := OpenCheckpoint(earlier.Signed, origin, []string{c.lineage[place].Key})
	if err != nil {
		return err
	}
	c.follow(name, place)
	if held := c.lineage.Holds(place); opened.Size > held {
		c.logFound(LostInRestore, fmt.Sprintf("%s signs %d records, and %d were restored", name, opened.Size, held))
		return nil
	}
	c.wantCheckpoints.add(wantCheckpoint{Checkpoint: opened, name: name, found: Forked})
	return nil
}

// checkFollowed finds a restore on which the check relied although no trusted key signed it: neither the key of the log
// that ended, nor its operator, nor a reviewer who had signed records of it.
func (c *check) checkFollowed() {
	for i := range c.report.Followed {
		from := c.report.Followed[i].place
		for place := from; place < len(c.lineage)-1; place++ {
			g := &c.lineage[place]
			by := Reviewer{ID: g.Ended.By, Fingerprint: g.Ended.KeyFingerprint}
			first, signed := c.firstSigned[by]
			if c.lineage.Vouched(place, from) || signed && first < g.Ended.Size && !records.OfService(g.Origin) {
				continue
			}
			c.logFound(RestoreUnproven, fmt.Sprintf("of %s at %d records", visible.String(g.Origin), g.Ended.Size))
		}
	}
}
