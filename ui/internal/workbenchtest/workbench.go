// Package workbenchtest is a workbench in memory for the tests of the console. It judges and records with the real rules of
// package domain; only the log is made up.
package workbenchtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/contractpage"
)

// A Workbench holds sealed packets. Its methods may be called from several goroutines; its fields are set before that.
type Workbench struct {
	Who      records.Reviewer
	Failing  error             // what Queue, Open, Skip and Records answer instead
	Written  map[string]string // statements, by path
	Refusing error             // what Record answers instead
	Panics   bool              // Open panics
	Prepared []terms.Area      // the searches that PrepareSearch was asked for

	SearchAtOnce int // how many packets Search reads before it answers; 0: all
	searched     int
	// Signing is called before a record is appended and says why that is not done; Appended once it is in the log. nil: not called.
	Signing  func(ctx context.Context) error
	Appended func(ctx context.Context)
	// Exporting is called in the middle of an export.
	Exporting func(ctx context.Context, folder string) error

	mutex    sync.Mutex
	at       time.Time
	sealer   packets.Sealer
	policies map[terms.Area]packets.Packet
	packets  map[terms.Area][]packets.Packet
	broken   map[terms.Area][]queue.Row
	skips    map[packets.Key]string
	erased   map[records.Erasure]records.LogStatement // by what it was
	drafts   map[packets.Key]records.KeptDraft
	log      []records.LoggedRecord
	service  records.HandInTally // what it says apart from the counts
	notes    []string
	reasons  map[records.RecordID]string

	reassigned map[terms.ID]int64 // by the service, with which revision
	told       int64              // how often it said so
	choices    []records.Choice
	examined   int
	pages      int
}

// start is the time at every new workbench.
var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// New returns a workbench with a policy for each area and no other packets, at which a neutral reviewer sits.
func New() *Workbench {
	d := &Workbench{
		Who:      records.Reviewer{ID: "rev-marsh", Role: terms.NeutralReviewer, KeyFingerprint: "SHA256:lOzCRCgmhdgz/iUVXgGJZ9z6KriP47hPy6P2g6bLGFU"},
		at:       start,
		policies: map[terms.Area]packets.Packet{},
		packets:  map[terms.Area][]packets.Packet{},
		broken:   map[terms.Area][]queue.Row{},
		erased:   map[records.Erasure]records.LogStatement{},
		skips:    map[packets.Key]string{},
		reasons:  map[records.RecordID]string{},
		drafts:   map[packets.Key]records.KeptDraft{},
	}
	d.Add(terms.AppealPolicies, appealPolicy(), nil)
	d.Add(terms.AmendmentPolicies, amendmentPolicy(), nil)
	return d
}

// lock locks the workbench and returns what unlocks it.
func (d *Workbench) lock() (unlock func()) {
	d.mutex.Lock()
	return d.mutex.Unlock
}

// Pass lets time go by.
func (d *Workbench) Pass(by time.Duration) {
	defer d.lock()()
	d.at = d.at.Add(by)
}

// Break puts a row in the queue whose packet cannot be read.
func (d *Workbench) Break(table terms.Table, key packets.Key, why string) {
	area := terms.AreaOf(table)
	row := queue.UnreadableRow(table, key, why)
	row.ImportedAt = arrival(1)
	d.broken[area] = append(d.broken[area], row)
}

// Damage puts a record in the log that cannot be read.
func (d *Workbench) Damage(why string) {
	defer d.lock()()
	d.log = append(d.log, records.LoggedRecord{Receipt: d.receipt(""), Unreadable: why})
}

// Notes are the private notes that came with the records; Choices what was chosen.
func (d *Workbench) Notes() []string {
	defer d.lock()()
	return append([]string(nil), d.notes...)
}
func (d *Workbench) Choices() []records.Choice {
	defer d.lock()()
	return append([]records.Choice(nil), d.choices...)
}

// Reviewer is Who.
func (d *Workbench) Reviewer() records.Reviewer { return d.Who }

// Now is the workbench's time, which passes only by Pass.
func (d *Workbench) Now() terms.Instant {
	defer d.lock()()
	return d.now()
}

func (d *Workbench) now() terms.Instant { return terms.InstantOf(d.at) }

// Top lists the whole queue, since it is short.
func (d *Workbench) Top(_ context.Context, area terms.Area, _ int) ([]queue.Row, error) {
	return d.queue(area)
}

// Queue lists the latest revisions.
func (d *Workbench) Queue(_ context.Context, area terms.Area, progress func(done, total int64)) (*queue.Queue, queue.Watermark, error) {
	rows, err := d.queue(area)
	if err != nil {
		return nil, queue.Watermark{}, err
	}
	progress(int64(len(rows)), int64(len(rows)))
	return queue.New(area, rows), d.mark(area), nil
}

// Changes tells of every row, where anything has come.
func (d *Workbench) Changes(_ context.Context, area terms.Area, since queue.Watermark) (queue.Changes, error) {
	if d.Failing != nil {
		return queue.Changes{}, d.Failing
	}
	news := queue.Changes{Watermark: d.mark(area)}
	if news.Watermark != since {
		rows, err := d.queue(area)
		for i := range rows {
			news.IDs = append(news.IDs, rows[i].ID)
		}
		return news, err
	}
	return news, nil
}

// Rows judges again.
func (d *Workbench) Rows(_ context.Context, area terms.Area, ids []terms.ID) ([]queue.Row, error) {
	rows, err := d.queue(area)
	return slices.DeleteFunc(rows, func(row queue.Row) bool { return !slices.Contains(ids, row.ID) }), err
}

// PrepareSearch notes that it was asked for.
func (d *Workbench) PrepareSearch(_ context.Context, area terms.Area) error {
	d.Prepared = append(d.Prepared, area)
	return d.Failing
}

// Search looks through an index that it makes each time, of SearchAtOnce more packets than the last time.
func (d *Workbench) Search(_ context.Context, area terms.Area, sought []queue.Sought) (queue.Found, error) {
	defer d.lock()()
	if d.Failing != nil {
		return queue.Found{}, d.Failing
	}
	all := d.packets[area]
	if d.SearchAtOnce > 0 {
		d.searched += d.SearchAtOnce
		all = all[:min(d.searched, len(all))]
	}
	var index queue.Index
	for _, packet := range all {
		index.Put(queue.NewEntry(packet, nil))
	}
	found := index.Find(sought)
	found.More = len(all) < len(d.packets[area])
	return found, nil
}

func (d *Workbench) mark(area terms.Area) queue.Watermark {
	defer d.lock()()
	return queue.Watermark{Packets: int64(len(d.packets[area])), Records: int64(len(d.log)) + d.answers(), Reassigned: d.told}
}

func (d *Workbench) queue(area terms.Area) ([]queue.Row, error) {
	defer d.lock()()
	if d.Failing != nil {
		return nil, d.Failing
	}
	rows := append([]queue.Row(nil), d.broken[area]...)
	for _, packet := range d.packets[area] {
		latest := d.latest(area, packet.Key().ID)
		if latest.Revision != packet.Key().Number {
			continue
		}
		rows = append(rows, d.row(area, packet, latest))
	}
	return rows, nil
}

func (d *Workbench) latest(area terms.Area, id terms.ID) rules.Latest {
	latest := rules.Latest{PolicyVersion: d.policies[area].Key().Number}
	for _, packet := range d.packets[area] {
		if packet.Key().ID == id {
			latest.Revision = max(latest.Revision, packet.Key().Number)
		}
	}
	return latest
}

// Open looks at a packet now.
func (d *Workbench) Open(_ context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error) {
	defer d.lock()()
	if d.Panics {
		panic("the disk is on fire")
	}
	if d.Failing != nil {
		return queue.CaseFile{}, d.Failing
	}
	area := terms.AreaOf(table)
	latest := d.latest(area, id)
	if revision == 0 {
		revision = latest.Revision
	}
	for _, packet := range d.packets[area] {
		if key := packet.Key(); key.ID == id && key.Number == revision {
			return d.caseFile(packet, latest), nil
		}
	}
	return queue.CaseFile{}, fmt.Errorf("%s revision %d is not held; import it", id, revision)
}

func (d *Workbench) caseFile(packet packets.Packet, latest rules.Latest) queue.CaseFile {
	area, key := terms.AreaOf(packet.Table()), packet.Key()
	open := d.unanswered(area, key)
	caseFile := queue.CaseFile{View: views.New(d.policies[area], packet, latest, d.now()).Carrying(d.carried(key)).Leaving(records.CodesOf(open)), Unanswered: open, InForce: d.inForce(key), Skipped: d.skips[key],
		Draft: d.draft(key)}
	for _, other := range d.packets[area] {
		if other.Key().ID == key.ID {
			caseFile.Revisions = append(caseFile.Revisions, other.Key().Number)
			caseFile.Arrived = append(caseFile.Arrived, arrival(other.Key().Number))
		}
	}
	for i := range d.log {
		logged := d.known(d.log[i])
		switch {
		case logged.Unreadable != "":
		case logged.Record.Members().Key == key:
			caseFile.Records = append(caseFile.Records, logged)
		case logged.Record.Members().Key.ID == key.ID && logged.Record.Members().Area == area:
			caseFile.Elsewhere = append(caseFile.Elsewhere, logged)
		}
	}
	d.relate(&caseFile, packet)
	if given := d.reassigned[key.ID]; given > latest.Revision {
		caseFile.Reassigned = given
	}
	return caseFile
}

// arrival is when a revision came in: a day after the one before it.
func arrival(number int64) terms.Instant {
	return terms.InstantOf(start.Add(time.Duration(number-6) * day))
}

// relate lists what else is about the same.
func (d *Workbench) relate(caseFile *queue.CaseFile, packet packets.Packet) {
	area := terms.AreaOf(packet.Table())
	for _, other := range d.packets[area] {
		latest := d.latest(area, other.Key().ID)
		if other.Key().ID == packet.Key().ID || latest.Revision != other.Key().Number ||
			queue.RelatedBy(other) != queue.RelatedBy(packet) || !queue.RelatedBy(packet).Present() {
			continue
		}
		if caseFile.Unlisted = len(caseFile.Related) == queue.MostRelated; caseFile.Unlisted {
			return
		}
		caseFile.Related = append(caseFile.Related, d.row(area, other, latest))
	}
}

func (d *Workbench) row(area terms.Area, packet packets.Packet, latest rules.Latest) queue.Row {
	state := queue.RowState{Skipped: d.skips[packet.Key()], Draft: d.draft(packet.Key()).Present(), Carried: d.carried(packet.Key()), Unanswered: records.CodesOf(d.unanswered(area, packet.Key())),
		ImportedAt: arrival(latest.Revision)}
	for i := range d.log {
		if logged := &d.log[i]; logged.Unreadable == "" && logged.Record.Members().Key.ID == packet.Key().ID {
			state.Rejected = logged.HandIn.State == records.Rejected
			state.Decided = !state.Rejected && logged.Record.Members().Key == packet.Key()
			state.Ruling = logged.Record.Members().Ruling()
		}
	}
	state.Reassigned = d.reassigned[packet.Key().ID] > latest.Revision
	return queue.NewRow(d.policies[area], packet, latest, d.now(), state)
}

// inForce is the last record on a revision or, where the service rejected it, what is in force there.
func (d *Workbench) inForce(key packets.Key) records.RecordID {
	last := d.last(key)
	switch {
	case last == nil:
		return ""
	case last.HandIn.State == records.Rejected:
		return last.HandIn.Rejection.InForce
	}
	return last.Receipt.RecordID
}

// carried are the blockers that people added on a revision, but for those of rejected records.
func (d *Workbench) carried(key packets.Key) (codes terms.BlockerSet) {
	for i := range d.log {
		logged := &d.log[i]
		if logged.Unreadable != "" || logged.HandIn.State == records.Rejected || logged.Record.Members().Key != key {
			continue
		}
		m := logged.Record.Members()
		codes = codes.Union(terms.SetOf(m.ReviewerBlockers...)).Union(terms.SetOf(m.CarriedBlockers...))
	}
	return codes
}

// unanswered are the records that added blockers on earlier revisions, which no record answered.
func (d *Workbench) unanswered(area terms.Area, key packets.Key) []records.Addition {
	var all []records.Addition
	for i := range d.log {
		if logged := &d.log[i]; logged.Unreadable == "" && logged.Record.Members().Area == area && logged.Record.Members().Key.ID == key.ID {
			all = append(all, records.AdditionOf(logged.Record.Members()))
		}
	}
	return records.Unanswered(all, key.Number, func(*records.Addition) bool { return true })
}

// last is the last record on a revision; nil if there is none.
func (d *Workbench) last(key packets.Key) *records.LoggedRecord {
	for i := len(d.log) - 1; i >= 0; i-- {
		if d.log[i].Unreadable == "" && d.log[i].Record.Members().Key == key {
			return &d.log[i]
		}
	}
	return nil
}

// Latest opens the latest revision of a packet.
func (d *Workbench) Latest(table terms.Table, id terms.ID) queue.CaseFile {
	caseFile, err := d.Open(context.Background(), table, id, 0)
	must(err)
	return caseFile
}

// Decide records a decision on the latest revision of an appeal, without a console, and returns the packet as it is then.
// An absent outcome is the first one that may be recorded.
func (d *Workbench) Decide(id terms.ID, outcome terms.Outcome) queue.CaseFile {
	caseFile := d.Latest(terms.AppealCases, id)
	for _, option := range records.Options(&caseFile.View, 0) {
		if option.Obstacle == "" && !outcome.Present() {
			outcome = option.Outcome
		}
	}
	_, err := d.Record(context.Background(), &caseFile.View, records.Choice{Outcome: outcome, Supersedes: caseFile.InForce,
		Factors: terms.SetOf(terms.HumanReviewRequired), OpenedAt: d.Now(),
		Statement: records.Statement{Text: "The notice does not say who was told."}}, "")
	must(err)
	return d.Latest(terms.AppealCases, id)
}

// Record decides by the real rules and appends.
func (d *Workbench) Record(ctx context.Context, view *views.View, choice records.Choice, note string) (records.Receipt, error) {
	if d.Signing != nil {
		if err := d.Signing(ctx); err != nil {
			return records.Receipt{}, err
		}
	}
	receipt, err := d.append(view, choice, note)
	if err == nil && d.Appended != nil {
		d.Appended(ctx)
	}
	return receipt, err
}

func (d *Workbench) append(view *views.View, choice records.Choice, note string) (records.Receipt, error) {
	defer d.lock()()
	if d.Refusing != nil {
		return records.Receipt{}, d.Refusing
	}
	stamp := records.Stamp{RecordID: records.NewRecordID(d.now(), [10]byte{byte(len(d.log) >> 8), byte(len(d.log)), 0x8a}), Reviewer: d.Who,
		RecordedAt: d.now(), PacketSalt: "saltsaltsaltsaltsaltsalt",
		LogHead: records.LogHead{Origin: "docket/0123456789abcdef", Size: int64(len(d.log)), Root: terms.HashOf([]byte{byte(len(d.log))})}}
	id := stamp.RecordID
	if choice.Statement.Text != "" {
		choice.Statement.Salt = "saltsaltsaltsaltsaltsalt"
	}
	if note != "" {
		choice.NoteDigest = records.Note{Salt: "salt", Text: note}.Digest()
	}
	record, err := records.Decide(view, choice, stamp)
	if err != nil {
		return records.Receipt{}, err
	}
	area, key := view.Area(), view.Key()
	for _, packet := range d.packets[area] {
		if packet.Key() == key {
			now := views.New(d.policies[area], packet, d.latest(area, key.ID), d.now()).Carrying(d.carried(key)).Leaving(records.CodesOf(d.unanswered(area, key)))
			if err := record.Recheck(&now, d.inForce(key)); err != nil {
				return records.Receipt{}, err
			}
		}
	}
	for i := range d.log {
		if d.log[i].Receipt.RecordID == choice.Supersedes && choice.Supersedes.Present() {
			d.log[i].SupersededBy = id
		}
	}
	receipt := d.receipt(id)
	d.log = append(d.log, records.LoggedRecord{Receipt: receipt, Record: record, Advised: records.Advised(view, choice.AddedBlockers)})
	d.dropDraft(key)
	d.reasons[id] = choice.Statement.Text
	d.notes, d.choices = append(d.notes, note), append(d.choices, choice)
	return receipt, nil
}

func (d *Workbench) receipt(id records.RecordID) records.Receipt {
	n := len(d.log)
	return records.Receipt{RecordID: id, Sequence: int64(n), LeafHash: terms.HashOf([]byte(id)), TreeSize: int64(n + 1),
		Root: terms.HashOf([]byte{byte(n + 1)})}
}

// Skip remembers a reason.
func (d *Workbench) Skip(_ context.Context, _ terms.Table, keys []packets.Key, reason string) error {
	defer d.lock()()
	if d.Failing != nil {
		return d.Failing
	}
	for _, key := range keys {
		d.skips[key] = reason
	}
	return nil
}

// Contracts are two pages, one with every kind of entry.
func (d *Workbench) Contracts(context.Context) ([]contractpage.Page, error) {
	if d.Failing != nil {
		return nil, d.Failing
	}
	var checks []contractpage.Entry
	for _, rule := range rules.Book(terms.Appeals) {
		checks = append(checks, contractpage.Entry{Mark: contractpage.Good, Name: rule.Code.String(), Text: rule.Meaning, Notes: []string{rule.Cure}})
	}
	return []contractpage.Page{
		{Name: "appeals", Title: "challenge and appeal contract", State: "18 of 18 checks pass", Mark: contractpage.Good, Parts: []contractpage.Part{
			{Heading: "Contract", Entries: []contractpage.Entry{{Name: "version", Text: terms.AppealContract.Version}}},
			{Heading: "Checks", Entries: checks},
			{Heading: "Subjects", Entries: []contractpage.Entry{{Text: strings.Join(terms.Subjects.Texts(), ", ")}}},
		}},
		{Name: "overlap pilot", Title: "private-overlap pilot", State: "not live: 5 reviews are open", Mark: contractpage.Open, Parts: []contractpage.Part{
			{Heading: "Reviews", Entries: []contractpage.Entry{
				{Mark: contractpage.Open, Name: "open", Text: "a formal cryptographic design review"},
				{Mark: contractpage.Bad, Name: "missing", Text: "東京 " + strings.Repeat("a long statement ", 12)}}},
		}},
	}, nil
}
