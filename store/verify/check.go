package verify

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
)

// Options say how a log is checked. The zero value checks the log against its own head.
type Options struct {
	Earlier      []Earlier // checkpoints that it must extend
	VerifierKeys []string  // of the checkpoint, trusted in place of those that the log names
	// ServiceKeys, which the caller trusts, have to include those that the log names; none: any.
	ServiceKeys []string
	// AcceptRestore makes what was kept of a log that was restored since a note, not a finding.
	AcceptRestore bool
	// Policy says which witnesses have to have cosigned, within MaxAge before Now unless 0; nil: none.
	Policy  *Policy
	MaxAge  time.Duration
	Now     terms.Instant
	Workers int       // 0: one for each core
	Keep    int       // findings kept in the Report; 0: DefaultKeep
	Depth   Depth     // how much is checked
	Known   []Finding // found before; they are reported first
	// Found, which may be nil, is called with every finding, in order.
	Found func(Finding)
	// Progress, which may be nil, is called many times with how many of how many records are done.
	Progress func(done, total int64)
	// Damaged says whether an error of reading tells of damage, and of what: the check goes on with
	// what can be read, and judges nothing again. nil: every error ends it.
	Damaged func(error) (Finding, bool)
	// Each is called with every entry, in order; its error ends the check.
	Each func(Checked) error
}

// A Depth says how much is checked.
type Depth uint8

const (
	Judged   Depth = iota // every row, hash and signature, and each record judged again
	Storage               // every row, hash and signature
	HeadOnly              // schema, key, newest checkpoint, anchor, right edge: at any size alike
)

// String returns the word for the depth.
func (d Depth) String() string {
	switch d {
	case HeadOnly:
		return "head"
	case Storage:
		return "storage"
	}
	return "judged"
}

// A Checked is an entry that was checked.
type Checked struct {
	Entry  Entry
	Record records.Enforcement // the zero Enforcement if it cannot be read
	// Refs names its packets: the case or amendment and, if it names one, its policy.
	Refs []Ref
	// Packets are the first of Refs; fewer if one is missing or altered.
	Packets []packets.Packet
	// Tree is the tree up to this entry: the same Tree for all, which grows and must only be read.
	Tree *Tree
}

// DefaultKeep is how many findings a Report keeps by default.
const DefaultKeep = 1000

// Check checks the log. An error means that it could not be read to its end.
func Check(ctx context.Context, log Source, o Options) (Report, error) {
	head, err := log.Head(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("read the head of the log: %w", err)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	c := &check{ctx: ctx, log: log, head: head, options: o, chain: newChain(), numbers: newNumbers(),
		signers: map[Reviewer]int64{}, firstSigned: map[Reviewer]int64{},
		ring: keys.New(
			records.OfService(head.Origin)), strangers: map[keys.Holder]bool{}, spans: map[Reviewer]Span{},
		origins: map[string]originOrder{}, since: map[Reviewer]terms.Instant{}}
	for i := range head.Signers {
		signer := &head.Signers[i]
		c.since[Reviewer{ID: signer.ID, Fingerprint: signer.fingerprint()}] = signer.Since
	}
	c.report.Origin, c.report.Depth = visible.String(head.Origin), o.Depth
	c.lineage, c.statements = head.Lineage()
	c.erased = ReadErasures(c.statements)
	c.report.Lineage = c.lineage
	for _, finding := range o.Known {
		c.found(finding)
	}
	storage, keepsMore := log.(StorageVerifier)
	if keepsMore {
		if err := storage.VerifyHead(ctx, c.foundOnce); err != nil {
			return Report{}, err
		}
	}
	keys := c.openCheckpoints()
	c.openAnchor()
	if err := c.openCosignatures(keys); err != nil {
		return Report{}, err
	}
	c.openStatements()
	if head.Setback.Kind.Present() {
		c.logFound(ServiceSetBack, head.Setback.Sentence())
	}
	if o.Depth == HeadOnly {
		if err := c.checkHeadOnly(); err != nil {
			return Report{}, err
		}
		return c.report, nil
	}
steps:
	for _, step := range []func() error{c.readRejections, c.readServiceRecords, c.compare, c.stream, c.finish} {
		err := step()
		if err == nil {
			continue
		}
		damage, is := Finding{}, false
		if o.Damaged != nil {
			damage, is = o.Damaged(err)
		}
		switch {
		case !is:
			return Report{}, err
		case o.Depth == Judged:
			return c.withoutJudging(damage)
		}
		c.foundOnce(damage)
		c.report.Size = head.Size
		break steps // what those after it compare is not there
	}
	if keepsMore {
		if err := storage.VerifyStorage(ctx, c.foundOnce, o.Progress); err != nil {
			return Report{}, err
		}
	}
	return c.report, nil
}

// withoutJudging checks the log once more after damage, and repeats nothing that was told before.
func (c *check) withoutJudging(damage Finding) (Report, error) {
	o, told := c.options, c.report.Findings
	o.Depth = Storage
	o.Known = append(slices.Clip(o.Known), damage)
	if tell := o.Found; tell != nil {
		o.Found = func(f Finding) {
			if !slices.Contains(told, f) {
				tell(f)
			}
		}
	}
	return Check(c.ctx, c.log, o)
}

// check is the part of a running check that depends on the order of entries, in one goroutine.
type check struct {
	ctx             context.Context
	log             Source
	head            Head
	options         Options
	report          Report
	tree            Tree
	chain           chain
	numbers         numbers // the highest that came in of each id
	rejections      rejections
	erased          Erasures // what was erased, with its statement
	wantCheckpoints wantCheckpoints
	witnessing      Witnessing
	signers         map[Reviewer]int64
	origins         map[string]originOrder     // of the consoles whose records a service took in
	ring            *keys.Ring                 // which keys count
	stated          []string                   // names of the statements that the ring took
	spans           map[Reviewer]Span          // when keys signed
	strangers       map[keys.Holder]bool       // with a finding already
	since           map[Reviewer]terms.Instant // stated first uses, until they come
	signed          bool                       // the log's own checkpoint verified
	newest          terms.Instant              // recordedAt of the records so far
	appendedAt      struct {                   // the newest of the entries so far
		sequence int64
		text     string
	}
	timed       int                // statements compared with earlier records
	entered     int                // statements compared with their entries
	lineage     Lineage            // the log, and those before it
	statements  []OpenedStatement  // about them
	firstSigned map[Reviewer]int64 // the sequence of the first record that a key signed
}

func (c *check) found(f Finding) { c.report.Add(f, &c.options) }

func (c *check) foundOnce(f Finding) {
	if !slices.Contains(c.report.Findings, f) {
		c.found(f)
	}
}

func (c *check) logFound(code Code, detail string) { c.foundOnce(code.OfLog(detail)) }

// openCheckpoints verifies the log's own checkpoint and earlier ones, and returns their keys.
func (c *check) openCheckpoints() (keys []string) {
	if keys = c.head.VerifierKeys; len(c.options.VerifierKeys) > 0 {
		keys, _ = c.report.Trusted(c.lineage, &c.options)
	}
	own, err := OpenCheckpoint(c.head.Checkpoint, c.head.Origin, keys)
	if err != nil {
		c.logFound(CheckpointUnusable, err.Error())
	} else {
		c.signed = true
		c.report.VerifierKey = own.VerifierKey
		c.report.Checkpoint = records.LogHead{Size: own.Size, Root: signed.FromTree(own.Root)}
		c.wantCheckpoints.add(own, "the checkpoint", RootDiffers)
	}
	if c.head.Since != nil {
		const name = "the checkpoint since which records are here"
		if since, err := OpenCheckpoint(c.head.Since, c.head.Origin, keys); err == nil {
			c.wantCheckpoints.add(since, name, Forked)
		} else {
			c.logFound(EarlierUnusable, name)
		}
	}
	for _, earlier := range c.options.Earlier {
		name := visible.String(earlier.Name)
		opened, _, extended, err := c.report.OpenEarlier(earlier, c.lineage, keys, &c.options)
		switch {
		case err != nil:
			c.logFound(EarlierUnusable, name+": "+err.Error())
		case extended:
			c.wantCheckpoints.add(opened, name, Forked)
		}
	}
	return keys
}

// openStatements verifies the statements about the log, and has the tree compared with them.
func (c *check) openStatements() {
	for n := range c.statements {
		name := fmt.Sprintf("statement %d", n)
		accepted := c.statements[n].Statement
		if !c.statements[n].OK {
			c.logFound(LogStatementAltered, name)
			continue
		}
		c.report.Accepted = append(c.report.Accepted, accepted)
		if c.ring.State(&accepted) {
			c.stated = append(c.stated, name)
		}
		if c.statements[n].Foreign {
			continue
		}
		c.wantCheckpoints.add(Checkpoint{Size: accepted.Size, Root: signed.ToTree(accepted.Root)}, name, LogStatementAltered)
	}
}

// enter compares the next statement with its entry: what is stated in this log is of all that is
// before it, but for an erasure that a restore repeats.
func (c *check) enter(e *Entry) {
	list := c.head.Statements
	n := c.entered
	if n == len(list) || list[n].Text != string(e.Document) {
		c.logFound(LogStatementAltered, fmt.Sprintf("entry %d is not the next statement", e.Sequence))
		return
	}
	c.entered = n + 1
	s := &c.statements[n]
	if s.OK && !s.Foreign && s.Statement.Size != e.Sequence && (s.Statement.Kind != records.Erased || s.Statement.Size > e.Sequence) {
		c.logFound(LogStatementAltered, fmt.Sprintf("statement %d is of %s, and entry %d", n, records.Count(s.Statement.Size), e.Sequence))
	}
}

// statementTimes finds statements, up to a size of a console's log, of a time before the newest
// record or statement before them, and starts the order of times again with each accepted clock; a
// restore may be made on a machine with another clock, and every check names it.
func (c *check) statementTimes(size int64) {
	for ; c.timed < len(c.statements) && (!c.statements[c.timed].OK || c.statements[c.timed].Foreign ||
		c.statements[c.timed].Statement.Size <= size); c.timed++ {
		s := &c.statements[c.timed].Statement
		counts := c.statements[c.timed].Counts
		switch {
		case !c.statements[c.timed].OK || c.statements[c.timed].Foreign || s.Kind == records.LogRestored || records.OfService(c.head.Origin):
		case s.Kind == records.ClockAccepted && counts:
			c.newest = s.At
		case c.newest.Present() && c.newest.Sub(s.At) > records.OrderLeeway:
			c.logFound(TimeBackwards, fmt.Sprintf("statement %d is of %s, and a record or statement before it of %s", c.timed, s.At, c.newest))
		case counts && c.newest.Before(s.At):
			c.newest = s.At
		}
	}
}

// clockLeeway is how far a statement may be ahead of the clock of the checking machine.
const clockLeeway = time.Hour

// statementsAhead finds statements of a time to come; if a record is ahead, too, this machine's
// clock is behind.
func (c *check) statementsAhead() {
	now := c.options.Now
	if !now.Present() {
		now = terms.InstantOf(time.Now())
	}
	if c.report.Newest.Present() && now.Before(c.report.Newest) {
		now = c.report.Newest
	}
	for n := range c.statements {
		s := &c.statements[n].Statement
		if c.statements[n].OK && !c.statements[n].Foreign && s.At.Sub(now) > clockLeeway {
			c.logFound(TimeBackwards, fmt.Sprintf("statement %d is of %s, which is to come", n, s.At))
		}
	}
}

func (c *check) take(e *entryResult) error {
	if e.entry.Sequence != c.tree.Size() {
		return fmt.Errorf("the log gave entry %d where %d was due", e.entry.Sequence, c.tree.Size())
	}
	var rejection *rejected
	if e.readable() {
		m := e.record.Members()
		rejection = c.rejectionOf(e, m)
		received := c.checkAcceptance(e, m, rejection)
		if err := c.checkHead(e, m.LogHead); err != nil {
			return err
		}
		c.checkLatest(e, m)
		place := c.chain.place(m, rejection, c.checkKey(e, m, received), e.entry.Sequence)
		if err := c.checkChain(e, m, place); err != nil {
			return err
		}
		c.count(m)
	} else if e.entry.LeftOut {
		c.report.LeftOut++
	}
	if !e.entry.LeftOut && e.entry.Kind.Present() {
		c.checkTime(e)
	}
	switch e.entry.Kind {
	case records.PacketEntry:
		c.numbers.add(&e.entry)
	case records.StatementEntry:
		c.enter(&e.entry)
	}
	for _, finding := range e.findings {
		if !slices.Contains(c.options.Known, finding) { // at an opening the newest record is looked at
			c.found(finding)
		}
	}
	if _, err := c.tree.Add(e.leaf); err != nil {
		return err
	}
	if err := c.compare(); err != nil {
		return err
	}
	if c.options.Each != nil {
		checked := Checked{Entry: e.entry, Record: e.record, Refs: e.refs, Packets: e.packets, Tree: &c.tree}
		return c.options.Each(checked)
	}
	return nil
}

// checkTime finds an entry that was appended before the one before it, unless a person accepted the
// clock in between.
func (c *check) checkTime(e *entryResult) {
	found := func(code Code, detail string) {
		e.findings = append(e.findings, code.OfEntry(e.entry.Sequence, e.entry.RecordID, detail))
	}
	if _, timed := records.ParseLogTime(e.entry.At); !timed {
		found(RecordAltered, "its time cannot be read")
		return
	}
	if since := ClockSince(c.statements, e.entry.Sequence); c.appendedAt.sequence < since {
		c.appendedAt.text = ""
	}
	if e.entry.At < c.appendedAt.text {
		found(TimeBackwards, fmt.Sprintf("it was appended at %s, and the entry before it at %s", e.entry.At, c.appendedAt.text))
	}
	c.appendedAt.sequence, c.appendedAt.text = e.entry.Sequence, max(e.entry.At, c.appendedAt.text)
}

func (c *check) count(m *records.Members) {
	if m.Area == terms.Appeals {
		c.report.Appeals++
	} else {
		c.report.Amendments++
	}
	if m.Gate == terms.Pass {
		c.report.Passed++
	}
	if m.Supersedes.Present() {
		c.report.Superseded++
	}
	key := Reviewer{ID: m.Reviewer.ID, Fingerprint: m.Reviewer.KeyFingerprint}
	if _, known := c.firstSigned[key]; !known {
		c.firstSigned[key] = c.tree.Size()
	}
	c.signers[key]++
}

// checkTail finds records after those of the checkpoint.
func (c *check) checkTail(size int64) {
	if signed := c.report.Checkpoint.Size; c.signed && signed < size {
		c.logFound(TailUnsigned, fmt.Sprintf("the checkpoint signs %s, there are %d", records.Count(signed), size))
	}
}

// finish makes the comparisons that need the whole log.
func (c *check) finish() error {
	root, failed := c.tree.Root()
	if failed != nil {
		return failed
	}
	c.report.Size, c.report.Root = c.tree.Size(), signed.FromTree(root)
	c.unmet(c.tree.Size())
	c.checkPolicy(c.tree.Size())
	c.report.Anchored = c.anchored()
	c.strayRejections()
	c.ownAtService()
	var used []keys.Holder
	for signer := range c.signers {
		used = append(used, keys.Holder{Reviewer: signer.ID, Fingerprint: signer.Fingerprint})
	}
	c.statementTimes(c.tree.Size())
	c.statementsAhead()
	c.checkRing(used)
	c.unusedKeys()
	c.checkAuthors()
	c.checkTail(c.tree.Size())
	if c.entered < len(c.head.Statements) {
		c.logFound(LogStatementAltered, fmt.Sprintf("statement %d is no entry of the log", c.entered))
	}
	if tree, keeps := c.log.(TreeKeeper); keeps {
		stored, err := tree.StoredRoot(c.ctx, c.report.Size)
		if err != nil {
			return err
		}
		if stored.Present() && !stored.Matches(c.report.Root) {
			c.logFound(DerivedDiffers, "the root of the stored tree")
		}
	}
	c.report.Reviewers = reviewers(c.signers, c.spans)
	return nil
}
