// Package desktest is a desk in memory for the tests of the console. It judges and records with the real rules of
// package domain; only the log is made up.
package desktest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/domain"
	"docket/ui/contractpage"
)

// A Desk holds sealed packets. Its methods may be called from several goroutines; its fields are set before that.
type Desk struct {
	Who      domain.Reviewer
	Failing  error // what Queue, Open, Skip and Records answer instead
	Refusing error // what Record answers instead
	Panics   bool  // Open panics
	// Signing is called before a record is appended and says why that is not done; Appended once it is in the log. nil: not called.
	Signing  func(ctx context.Context) error
	Appended func(ctx context.Context)
	// Exporting is called in the middle of an export.
	Exporting func(ctx context.Context, folder string) error

	mutex    sync.Mutex
	at       time.Time
	sealer   domain.Sealer
	policies map[domain.Area]domain.Packet
	packets  map[domain.Area][]domain.Packet
	broken   map[domain.Area][]domain.QueueRow
	skips    map[domain.Key]string
	drafts   map[domain.Key]domain.KeptDraft
	log      []domain.LoggedRecord
	service  domain.HandInTally // what it says besides the counts
	notes    []string
	choices  []domain.Choice
	examined int
	pages    int
}

// start is the time at every new desk.
var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// New returns a desk with no packets, at which a neutral reviewer sits.
func New() *Desk {
	return &Desk{
		Who:      domain.Reviewer{ID: "rev-marsh", Role: domain.NeutralReviewer, KeyFingerprint: "SHA256:Yq3mH0nQ2vXo8bJtq4kD1w"},
		at:       start,
		policies: map[domain.Area]domain.Packet{},
		packets:  map[domain.Area][]domain.Packet{},
		broken:   map[domain.Area][]domain.QueueRow{},
		skips:    map[domain.Key]string{},
		drafts:   map[domain.Key]domain.KeptDraft{},
	}
}

// Pass lets time go by.
func (d *Desk) Pass(by time.Duration) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.at = d.at.Add(by)
}

// Break puts a row in the queue whose packet cannot be read.
func (d *Desk) Break(table domain.Table, key domain.Key, why string) {
	area := domain.AreaOf(table)
	d.broken[area] = append(d.broken[area], domain.UnreadableRow(table, key, why))
}

// Damage puts a record in the log that cannot be read.
func (d *Desk) Damage(why string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.log = append(d.log, domain.LoggedRecord{Receipt: d.receipt(""), Unreadable: why})
}

// Notes are the private notes that came with the records; Choices what was chosen.
func (d *Desk) Notes() []string {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return append([]string(nil), d.notes...)
}
func (d *Desk) Choices() []domain.Choice {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return append([]domain.Choice(nil), d.choices...)
}

// Reviewer is Who.
func (d *Desk) Reviewer() domain.Reviewer { return d.Who }

// Now is the desk's time, which passes only by Pass.
func (d *Desk) Now() domain.Instant {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.now()
}

func (d *Desk) now() domain.Instant { return domain.InstantOf(d.at) }

// Top lists the whole queue, since it is short.
func (d *Desk) Top(_ context.Context, area domain.Area, _ int) ([]domain.QueueRow, error) {
	return d.queue(area)
}

// Queue lists the latest revisions.
func (d *Desk) Queue(_ context.Context, area domain.Area, progress func(done, total int64)) (*domain.Docket, domain.QueueMark, error) {
	rows, err := d.queue(area)
	if err != nil {
		return nil, domain.QueueMark{}, err
	}
	progress(int64(len(rows)), int64(len(rows)))
	return domain.NewDocket(area, rows), d.mark(area), nil
}

// Changes tells of every row, where anything has come.
func (d *Desk) Changes(_ context.Context, area domain.Area, since domain.QueueMark) (domain.QueueNews, error) {
	if d.Failing != nil {
		return domain.QueueNews{}, d.Failing
	}
	news := domain.QueueNews{Mark: d.mark(area)}
	if news.Mark != since {
		rows, err := d.queue(area)
		for i := range rows {
			news.IDs = append(news.IDs, rows[i].ID)
		}
		return news, err
	}
	return news, nil
}

// Rows judges again.
func (d *Desk) Rows(_ context.Context, area domain.Area, ids []domain.ID) ([]domain.QueueRow, error) {
	rows, err := d.queue(area)
	return slices.DeleteFunc(rows, func(row domain.QueueRow) bool { return !slices.Contains(ids, row.ID) }), err
}

func (d *Desk) mark(area domain.Area) domain.QueueMark {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return domain.QueueMark{Packets: int64(len(d.packets[area])), Records: int64(len(d.log)) + d.answers()}
}

func (d *Desk) queue(area domain.Area) ([]domain.QueueRow, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return nil, d.Failing
	}
	rows := append([]domain.QueueRow(nil), d.broken[area]...)
	for _, packet := range d.packets[area] {
		latest := d.latest(area, packet.Key().ID)
		if latest.Revision != packet.Key().Number {
			continue
		}
		rows = append(rows, d.row(area, packet, latest))
	}
	return rows, nil
}

func (d *Desk) latest(area domain.Area, id domain.ID) domain.Latest {
	latest := domain.Latest{PolicyVersion: d.policies[area].Key().Number}
	for _, packet := range d.packets[area] {
		if packet.Key().ID == id {
			latest.Revision = max(latest.Revision, packet.Key().Number)
		}
	}
	return latest
}

// Open looks at a packet now.
func (d *Desk) Open(_ context.Context, table domain.Table, id domain.ID, revision int64) (domain.Dossier, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Panics {
		panic("the disk is on fire")
	}
	if d.Failing != nil {
		return domain.Dossier{}, d.Failing
	}
	area := domain.AreaOf(table)
	latest := d.latest(area, id)
	if revision == 0 {
		revision = latest.Revision
	}
	for _, packet := range d.packets[area] {
		if key := packet.Key(); key.ID == id && key.Number == revision {
			return d.caseFile(packet, latest), nil
		}
	}
	return domain.Dossier{}, fmt.Errorf("%s revision %d is not held; import it", id, revision)
}

func (d *Desk) caseFile(packet domain.Packet, latest domain.Latest) domain.Dossier {
	area, key := domain.AreaOf(packet.Table()), packet.Key()
	caseFile := domain.Dossier{View: domain.Look(d.policies[area], packet, latest, d.now()).Carrying(d.carried(key)), InForce: d.inForce(key), Skipped: d.skips[key],
		Draft: d.draft(key)}
	for _, other := range d.packets[area] {
		if other.Key().ID == key.ID {
			caseFile.Revisions = append(caseFile.Revisions, other.Key().Number)
			caseFile.Arrived = append(caseFile.Arrived, domain.InstantOf(start.Add(time.Duration(other.Key().Number-6)*day)))
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
	return caseFile
}

// relate lists what else is about the same.
func (d *Desk) relate(caseFile *domain.Dossier, packet domain.Packet) {
	area := domain.AreaOf(packet.Table())
	for _, other := range d.packets[area] {
		latest := d.latest(area, other.Key().ID)
		if other.Key().ID == packet.Key().ID || latest.Revision != other.Key().Number ||
			domain.RelatedBy(other) != domain.RelatedBy(packet) || !domain.RelatedBy(packet).Present() {
			continue
		}
		if caseFile.Unlisted = len(caseFile.Related) == domain.MostRelated; caseFile.Unlisted {
			return
		}
		caseFile.Related = append(caseFile.Related, d.row(area, other, latest))
	}
}

func (d *Desk) row(area domain.Area, packet domain.Packet, latest domain.Latest) domain.QueueRow {
	state := domain.RowState{Skipped: d.skips[packet.Key()], Draft: d.draft(packet.Key()).Present(), Carried: d.carried(packet.Key())}
	for i := range d.log {
		if logged := &d.log[i]; logged.Unreadable == "" && logged.Record.Members().Key.ID == packet.Key().ID {
			state.Rejected = logged.HandIn.State == domain.Rejected
			state.Decided = !state.Rejected && logged.Record.Members().Key == packet.Key()
		}
	}
	return domain.NewQueueRow(d.policies[area], packet, latest, d.now(), state)
}

// inForce is the last record on a revision or, where the service rejected it, what is in force there.
func (d *Desk) inForce(key domain.Key) domain.RecordID {
	last := d.last(key)
	switch {
	case last == nil:
		return ""
	case last.HandIn.State == domain.Rejected:
		return last.HandIn.Rejection.InForce
	}
	return last.Receipt.RecordID
}

// carried are the blockers that people added on a revision, but for those of rejected records.
func (d *Desk) carried(key domain.Key) (codes domain.BlockerSet) {
	for i := range d.log {
		logged := &d.log[i]
		if logged.Unreadable != "" || logged.HandIn.State == domain.Rejected || logged.Record.Members().Key != key {
			continue
		}
		m := logged.Record.Members()
		codes = codes.Union(domain.SetOf(m.ReviewerBlockers...)).Union(domain.SetOf(m.CarriedBlockers...))
	}
	return codes
}

// last is the last record on a revision; nil if there is none.
func (d *Desk) last(key domain.Key) *domain.LoggedRecord {
	for i := len(d.log) - 1; i >= 0; i-- {
		if d.log[i].Unreadable == "" && d.log[i].Record.Members().Key == key {
			return &d.log[i]
		}
	}
	return nil
}

// Latest opens the latest revision of a packet.
func (d *Desk) Latest(table domain.Table, id domain.ID) domain.Dossier {
	caseFile, err := d.Open(context.Background(), table, id, 0)
	must(err)
	return caseFile
}

// Decide records a decision on the latest revision of an appeal, without a console, and returns the packet as it is then.
// An absent outcome is the first one that may be recorded.
func (d *Desk) Decide(id domain.ID, outcome domain.Outcome) domain.Dossier {
	caseFile := d.Latest(domain.AppealCases, id)
	for _, option := range domain.Options(&caseFile.View, 0) {
		if option.Obstacle == "" && !outcome.Present() {
			outcome = option.Outcome
		}
	}
	_, err := d.Record(context.Background(), &caseFile.View, domain.Choice{Outcome: outcome, Supersedes: caseFile.InForce,
		Factors: domain.SetOf(domain.HumanReviewRequired), OpenedAt: d.Now(),
		Statement: domain.Statement{Text: "The notice does not say who was told."}}, "")
	must(err)
	return d.Latest(domain.AppealCases, id)
}

// Record decides by the real rules and appends.
func (d *Desk) Record(ctx context.Context, view *domain.View, choice domain.Choice, note string) (domain.Receipt, error) {
	if d.Signing != nil {
		if err := d.Signing(ctx); err != nil {
			return domain.Receipt{}, err
		}
	}
	receipt, err := d.append(view, choice, note)
	if err == nil && d.Appended != nil {
		d.Appended(ctx)
	}
	return receipt, err
}

func (d *Desk) append(view *domain.View, choice domain.Choice, note string) (domain.Receipt, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Refusing != nil {
		return domain.Receipt{}, d.Refusing
	}
	stamp := domain.Stamp{RecordID: domain.NewRecordID(d.now(), [10]byte{byte(len(d.log) >> 8), byte(len(d.log)), 0x8a}), Reviewer: d.Who,
		RecordedAt: d.now(), PacketSalt: "saltsaltsaltsaltsaltsalt",
		LogHead: domain.LogHead{Origin: "docket/0123456789abcdef", Size: int64(len(d.log)), Root: domain.HashOf([]byte{byte(len(d.log))})}}
	id := stamp.RecordID
	if choice.Statement.Text != "" {
		choice.Statement.Salt = "saltsaltsaltsaltsaltsalt"
	}
	if note != "" {
		choice.NoteDigest = domain.Note{Salt: "salt", Text: note}.Digest()
	}
	record, err := domain.Decide(view, choice, stamp)
	if err != nil {
		return domain.Receipt{}, err
	}
	area, key := view.Area(), view.Key()
	for _, packet := range d.packets[area] {
		if packet.Key() == key {
			now := domain.Look(d.policies[area], packet, d.latest(area, key.ID), d.now()).Carrying(d.carried(key))
			if err := record.Recheck(&now, d.inForce(key)); err != nil {
				return domain.Receipt{}, err
			}
		}
	}
	for i := range d.log {
		if d.log[i].Receipt.RecordID == choice.Supersedes && choice.Supersedes.Present() {
			d.log[i].SupersededBy = id
		}
	}
	receipt := d.receipt(id)
	d.log = append(d.log, domain.LoggedRecord{Receipt: receipt, Record: record})
	d.dropDraft(key)
	d.notes, d.choices = append(d.notes, note), append(d.choices, choice)
	return receipt, nil
}

func (d *Desk) receipt(id domain.RecordID) domain.Receipt {
	n := len(d.log)
	return domain.Receipt{RecordID: id, Sequence: int64(n), LeafHash: domain.HashOf([]byte(id)), TreeSize: int64(n + 1),
		Root: domain.HashOf([]byte{byte(n + 1)})}
}

// Skip remembers a reason.
func (d *Desk) Skip(_ context.Context, _ domain.Table, key domain.Key, reason string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return d.Failing
	}
	d.skips[key] = reason
	return nil
}

// Records lists the log.
func (d *Desk) Records(_ context.Context, before int64, most int) (page domain.RecordPage, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return page, d.Failing
	}
	d.pages++
	page.Total = int64(len(d.log))
	if before <= 0 || before > page.Total {
		before = page.Total
	}
	for i := before - 1; i >= 0 && len(page.Records) < most; i-- {
		page.Records = append(page.Records, d.known(d.log[i]))
	}
	return page, nil
}

// known adds to a record what follows from the rest of the log where the service rejected it.
func (d *Desk) known(logged domain.LoggedRecord) domain.LoggedRecord {
	if logged.HandIn.State != domain.Rejected || logged.Unreadable != "" {
		return logged
	}
	was := logged.Record.Members()
	for i := range d.log {
		later := &d.log[i]
		logged.InForceHere = logged.InForceHere || later.Receipt.RecordID == logged.HandIn.Rejection.InForce
		if later.Receipt.Sequence <= logged.Receipt.Sequence || later.Unreadable != "" {
			continue
		}
		if m := later.Record.Members(); m.Area == was.Area && m.Key.ID == was.Key.ID && m.Key.Number >= was.Key.Number {
			logged.JudgedAgain = later.Receipt.Sequence
		}
	}
	return logged
}

// Pages is how many pages of the log were read.
func (d *Desk) Pages() int {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.pages
}

// Contracts are two pages, one with every kind of entry.
func (d *Desk) Contracts(context.Context) ([]contractpage.Page, error) {
	if d.Failing != nil {
		return nil, d.Failing
	}
	var checks []contractpage.Entry
	for _, rule := range domain.RuleBook(domain.Appeals) {
		checks = append(checks, contractpage.Entry{Mark: contractpage.Good, Name: rule.Code.String(), Text: rule.Meaning, Notes: []string{rule.Cure}})
	}
	return []contractpage.Page{
		{Name: "appeals", Title: "challenge and appeal contract", State: "18 of 18 checks pass", Mark: contractpage.Good, Parts: []contractpage.Part{
			{Heading: "Contract", Entries: []contractpage.Entry{{Name: "version", Text: domain.AppealContract.Version}}},
			{Heading: "Checks", Entries: checks},
			{Heading: "Subjects", Entries: []contractpage.Entry{{Text: strings.Join(domain.Subjects.Texts(), ", ")}}},
		}},
		{Name: "overlap pilot", Title: "private-overlap pilot", State: "not live: 5 reviews are open", Mark: contractpage.Open, Parts: []contractpage.Part{
			{Heading: "Reviews", Entries: []contractpage.Entry{
				{Mark: contractpage.Open, Name: "open", Text: "a formal cryptographic design review"},
				{Mark: contractpage.Bad, Name: "missing", Text: "東京 " + strings.Repeat("a long statement ", 12)}}},
		}},
	}, nil
}
