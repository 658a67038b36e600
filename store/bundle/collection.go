package bundle

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/statement"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/store/verify"
)

// A Collection holds what several reviewers decided, each in a bundle of their own.
type Collection struct {
	Bundles   []Collected
	Decisions []Decision // on what was decided twice first, then by table, id, revision and time
	// Shared are the cases and amendments, with the number 0, whose packets lie in bundles of more
	// than one log: several reviewers were given them.
	Shared []verify.Ref
}

// A Collected is one of the bundles.
type Collected struct {
	Dir      string
	Err      error             // why it could not be read; nil if it was
	Report   verify.Report     // of its check
	Unlisted []verify.Reviewer // whose keys signed records in it and are not allowed to

	checkpoint []byte
}

// Holds reports whether the bundle verifies, and none but allowed keys signed in it.
func (c *Collected) Holds() bool { return c.Err == nil && c.Report.OK() && len(c.Unlisted) == 0 }

// log is the origin of the log, of the first one where it was restored.
func (c *Collected) log() string {
	if len(c.Report.Lineage) > 0 {
		return c.Report.Lineage[0].Origin
	}
	return c.Report.Origin
}

// A Decision is a record of a bundle.
type Decision struct {
	stats.Record
	Bundle       int              // among Collection.Bundles
	SupersededBy records.RecordID // "" if it is not superseded
	Twice        bool             // it is in force, as one on the same revision is in another log
}

// InForce reports whether the decision decides its revision in its own log.
func (d *Decision) InForce() bool {
	return d.Members != nil && !d.Superseded && !d.Rejected && !d.Revoked
}

// Holds reports whether every bundle holds, and nothing was decided twice.
func (c *Collection) Holds() bool {
	return !slices.ContainsFunc(c.Bundles, func(b Collected) bool { return !b.Holds() }) &&
		!slices.ContainsFunc(c.Decisions, func(d Decision) bool { return d.Twice })
}

// Figures are of the decisions of a period, in the bundles that hold.
func (c *Collection) Figures(period stats.Period) stats.Figures {
	tally := stats.New(period)
	for i := range c.Decisions {
		if d := &c.Decisions[i]; c.Bundles[d.Bundle].Holds() {
			tally.Add(&d.Record)
		}
	}
	return tally.Figures()
}

// Collect checks bundles and collects their decisions. allowed says whose keys may have signed
// them; nil: anybody's. Of two bundles of one log the larger must extend the smaller. A record that
// lies in several bundles is taken from the largest of those that hold. The error is that of ctx; a
// bundle that cannot be read is one of the Bundles.
func Collect(ctx context.Context, dirs []string, allowed *Allowed, o verify.Options) (*Collection, error) {
	c := &Collection{Bundles: make([]Collected, len(dirs))}
	sizes, places := make([]int64, len(dirs)), make([]int, len(dirs))
	for i, dir := range dirs {
		c.Bundles[i].Dir, places[i] = dir, i
		if b, err := Open(dir); err == nil {
			sizes[i] = verify.SizeOf(b.head.Checkpoint)
			c.Bundles[i].Err = b.Close()
		}
	}
	json.Sort(places, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	found, logs := map[records.RecordID]Decision{}, map[verify.Ref]map[string]bool{}
	for _, i := range places {
		one := &c.Bundles[i]
		decisions, held, err := c.collectFrom(ctx, one, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		one.Err = errors.Join(one.Err, err)
		for _, r := range one.Report.Reviewers {
			if allowed != nil && !allowed.Allows(&r) {
				one.Unlisted = append(one.Unlisted, r)
			}
		}
		for _, d := range decisions {
			d.Bundle = i
			if d.Members == nil {
				c.Decisions = append(c.Decisions, d)
			} else if before, is := found[d.ID]; !is || one.Holds() || !c.Bundles[before.Bundle].Holds() {
				found[d.ID] = d
			}
		}
		for ref := range held {
			if logs[ref] == nil {
				logs[ref] = map[string]bool{}
			}
			logs[ref][one.log()] = true
		}
	}
	for _, d := range found {
		c.Decisions = append(c.Decisions, d)
	}
	c.mark()
	for ref, in := range logs {
		if len(in) > 1 {
			c.Shared = append(c.Shared, ref)
		}
	}
	json.Sort(c.Shared, compareRefs)
	return c, nil
}

// mark finds what was decided twice, and puts the decisions in order.
func (c *Collection) mark() {
	inForce := map[verify.Ref]map[string]bool{} // the logs in which a revision is decided
	logOf := func(d *Decision) string {
		one := &c.Bundles[d.Bundle]
		if !one.Report.OK() { // one that went on apart from its log
			return one.Dir
		}
		return one.log()
	}
	for i := range c.Decisions {
		if d := &c.Decisions[i]; d.InForce() {
			if inForce[d.on()] == nil {
				inForce[d.on()] = map[string]bool{}
			}
			inForce[d.on()][logOf(d)] = true
		}
	}
	for i := range c.Decisions {
		d := &c.Decisions[i]
		d.Twice = d.InForce() && len(inForce[d.on()]) > 1
	}
	json.Sort(c.Decisions, func(a, b Decision) int {
		if a.Twice != b.Twice {
			return map[bool]int{true: -1, false: 1}[a.Twice]
		}
		return cmp.Or(compareRefs(a.on(), b.on()), cmp.Compare(a.on().Key.Number, b.on().Key.Number),
			strings.Compare(string(a.ID), string(b.ID)))
	})
}

// on is the revision that is decided; the zero Ref of a record that cannot be read.
func (d *Decision) on() verify.Ref {
	if d.Members == nil {
		return verify.Ref{}
	}
	return verify.Ref{Table: terms.RecordTable(d.Members.Area), Key: d.Members.Key}
}

// earlier lists the checkpoints of the smaller bundles of a log, which has one key.
func (c *Collection) earlier(head *verify.Head) (list []verify.Earlier) {
	for i := range c.Bundles {
		one := &c.Bundles[i]
		if r := &one.Report; r.OK() && one.checkpoint != nil && r.Origin == head.Origin && slices.Contains(head.VerifierKeys, r.VerifierKey) {
			list = append(list, verify.Earlier{Name: "the checkpoint of " + one.Dir, Signed: one.checkpoint})
		}
	}
	return list
}

// collectFrom checks one bundle, and returns its decisions and what it holds packets of.
func (c *Collection) collectFrom(ctx context.Context, one *Collected, o verify.Options) (
	decisions []Decision, held map[verify.Ref]bool, err error) {
	b, err := Open(one.Dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	o.Earlier = append(c.earlier(&b.head), o.Earlier...)
	one.Report, err = checkBundle(ctx, b, o, func(c *verify.Checked, in *statement.Input) {
		if in == nil {
			decisions = append(decisions, Decision{Record: stats.Record{ID: c.Entry.RecordID}})
			return
		}
		m, s := *c.Record.Members(), &in.Standing
		d := Decision{SupersededBy: s.SupersededBy, Record: stats.Record{ID: m.RecordID, Members: &m, Superseded: s.SupersededBy.Present(),
			Rejected: s.Rejected, Revoked: s.Revoked, Against: m.Outcome != in.Advised}}
		if of := in.Packet.AppealCase().Pointer(); of != nil {
			d.FiledAt, d.Deadline = of.FiledAt, of.Deadline
		}
		decisions = append(decisions, d)
	})
	if err != nil {
		return nil, nil, err
	}
	one.checkpoint = b.head.Checkpoint
	held = map[verify.Ref]bool{}
	for i := range b.entries.list {
		if ref := b.entries.list[i].packet; ref.Table == terms.RecordTable(terms.AreaOf(ref.Table)) {
			held[allOf(ref.Table, ref.Key.ID)] = true
		}
	}
	return decisions, held, nil
}
