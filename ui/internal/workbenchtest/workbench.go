// Package workbenchtest gives the tests of the console a workbench over a real store in a temporary
// file, and what a test needs to make it fail: errors, damage, a service that answers, and hostile
// texts.
package workbenchtest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/store"
	"docket/ui/workbench"
)

// A Workbench works on a store of its own, at which a neutral reviewer sits. Its time passes only
// by Pass. Its fields are set before several goroutines use it.
type Workbench struct {
	*workbench.Workbench
	Failing  error             // what each method that reads answers
	Refusing error             // what Record and Erase answer
	Panics   bool              // Open panics
	Written  map[string]string // statements, by path, in place of files
	// Signing is called before something is signed and says why that is not done; Appended once a
	// record is in the log. nil: not called.
	Signing  func(ctx context.Context) error
	Appended func(ctx context.Context)
	// Exporting is called in the middle of an export, which writes nothing.
	Exporting func(ctx context.Context, folder string) error

	mutex   sync.Mutex
	at      time.Time
	sealer  packets.Sealer // which knows the policies once something was sealed
	sealing sync.Once
	broken  map[terms.Area][]queue.Row
	service *service
	notes   []string
	choices []records.Choice

	examined, pages int
}

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// arrival is when a packet came in: a policy when it takes effect, a revision a day after the one
// before it.
func arrival(table terms.Table, number int64) time.Time {
	if table == terms.AppealPolicies || table == terms.AmendmentPolicies {
		return start.Add(-80 * day)
	}
	return start.Add(time.Duration(number-6) * day)
}

var key = sync.OnceValue(func() ssh.Signer {
	signer, err := ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)))
	must(err)
	return signer
})

// Reviewer is who sits at a workbench.
func Reviewer() records.Reviewer {
	return records.Reviewer{ID: "rev-marsh", Role: terms.NeutralReviewer, KeyFingerprint: ssh.FingerprintSHA256(key().PublicKey())}
}

// templates are the files of closed stores with which workbenches begin, each made once for all
// tests of a program; those of the tests that run alone have keys and ids that are always the same.
var (
	templates      = map[string]map[string][]byte{}
	templatesMutex sync.Mutex
	alone          = ""
)

// Alone makes every key, id and salt the same at each run. No other test may run meanwhile.
func Alone(t *testing.T) {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 1)
	alone = "alone "
	t.Cleanup(func() { alone = "" })
	template("sample", fill) // before the test's own ids
	template("history", fillHistory)
	cryptotest.SetGlobalRandom(t, 2)
}

// New returns a workbench with a policy for each area and no other packets.
func New(t testing.TB) *Workbench {
	t.Helper()
	return closed(t, begin(copied(t, "empty", addPolicies)))
}

func addPolicies(d *Workbench) {
	d.Add(terms.AppealPolicies, appealPolicy(), nil)
	d.Add(terms.AmendmentPolicies, amendmentPolicy(), nil)
}

func closed(t testing.TB, d *Workbench) *Workbench {
	t.Cleanup(func() { _ = d.Store.Close() })
	return d
}

// copied returns a folder with the files of the template of that name, filled on first use.
func copied(t testing.TB, name string, fill func(*Workbench)) (folder string) {
	t.Helper()
	folder = t.TempDir()
	copyTo(folder, name, fill)
	return folder
}

func copyTo(folder, name string, fill func(*Workbench)) {
	for name, content := range template(name, fill) {
		must(os.WriteFile(filepath.Join(folder, name), content, 0o600))
	}
}

func template(name string, fill func(*Workbench)) map[string][]byte {
	templatesMutex.Lock()
	defer templatesMutex.Unlock()
	if files, is := templates[alone+name]; is {
		return files
	}
	folder, err := os.MkdirTemp("", "docket-workbench-")
	must(err)
	defer os.RemoveAll(folder)
	d := open(folder)
	fill(d)
	must(d.Store.Close())
	entries, err := os.ReadDir(folder)
	must(err)
	files := map[string][]byte{}
	for _, entry := range entries {
		files[entry.Name()], err = os.ReadFile(filepath.Join(folder, entry.Name()))
		must(err)
	}
	templates[alone+name] = files
	return files
}

func begin(folder string) *Workbench {
	d := open(folder)
	d.at = start
	return d
}

func open(folder string) *Workbench {
	d := &Workbench{at: arrival(terms.AppealPolicies, 1), broken: map[terms.Area][]queue.Row{}}
	clock := func() time.Time {
		defer d.lock()()
		return d.at
	}
	d.Workbench = &workbench.Workbench{Who: Reviewer(), Clock: clock, Sign: d.sign, State: d.state,
		Pages:    func(terms.Instant) ([]pages.Page, error) { return contractPages(), nil },
		Channels: func() (statement.Profile, error) { return statement.Profile{}, nil }}
	d.openStore(folder)
	return d
}

func (d *Workbench) openStore(folder string) {
	s, err := store.Open(context.Background(), store.Options{Path: filepath.Join(folder, "docket.db"), Now: d.Clock})
	must(err)
	d.Store = s
}

func (d *Workbench) sign(ctx context.Context, document []byte) ([]byte, error) {
	if d.Signing != nil {
		if err := d.Signing(ctx); err != nil {
			return nil, err
		}
	}
	return signAs(records.SignatureNamespace, document), nil
}

func (d *Workbench) state(ctx context.Context, due records.LogStatement) (signed.Statement, error) {
	if d.Signing != nil {
		if err := d.Signing(ctx); err != nil {
			return signed.Statement{}, err
		}
	}
	return d.stated(due), nil
}

func (d *Workbench) stated(due records.LogStatement) signed.Statement {
	due.By, due.KeyFingerprint = d.Who.ID, ssh.FingerprintSHA256(key().PublicKey())
	return signed.Statement{Text: due.Text(), Signature: signAs(records.LogStatementNamespace, []byte(due.Text()))}
}

func signAs(namespace string, document []byte) []byte {
	signature, err := sshsig.Sign(bytes.NewReader(document), key(), sshsig.HashSHA512, namespace)
	must(err)
	return sshsig.Armor(signature)
}

func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("the workbench of the tests: %v", err))
	}
}

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
	row.ImportedAt = terms.InstantOf(arrival(table, key.Number))
	d.broken[area] = append(d.broken[area], row)
}

// Damage overwrites the record of an appeal, of that number among the records, in the store's file.
func (d *Workbench) Damage(number int) {
	d.edit(fmt.Sprintf(`UPDATE trade_challenge_appeal_enforcement_records SET document = replace(document, '"gate":', '"date":')
		WHERE "recordId" = (SELECT subject FROM docket_log WHERE kind = 'record' ORDER BY position LIMIT 1 OFFSET %d)`, number))
}

// Remove deletes the entry of the record of that number from the store's file.
func (d *Workbench) Remove(number int) {
	d.edit(fmt.Sprintf("DELETE FROM docket_log WHERE position = %d", d.Logged(number).Receipt.Sequence))
}

// edit changes the store's file as no program of docket can: without its triggers.
func (d *Workbench) edit(statement string) {
	db, err := sql.Open("sqlite", "file:"+d.Store.Path())
	must(err)
	defer db.Close()
	rows, err := db.Query("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
	must(err)
	statements := []string{statement}
	for rows.Next() {
		var name, trigger string
		must(rows.Scan(&name, &trigger))
		statements = append(append([]string{"DROP TRIGGER " + name}, statements...), trigger)
	}
	must(errors.Join(rows.Err(), rows.Close()))
	for _, statement := range statements {
		_, err := db.Exec(statement)
		must(err)
	}
}

// Fill appends so many records, each on a case of its own.
func (d *Workbench) Fill(count int) {
	var list []packets.Packet
	for i := range count {
		record := Case(fmt.Sprintf("AC-%d", 5000+i), time.Hour)
		record["subjectId"] = fmt.Sprintf("row-%d", 5000+i)
		list = append(list, d.sealed(terms.AppealCases, record, nil))
	}
	_, err := d.Store.Import(context.Background(), list)
	must(err)
	work, done := make(chan terms.ID), sync.WaitGroup{}
	for range 64 { // which append together
		done.Go(func() {
			for id := range work {
				d.decide(id, terms.UpholdDecision)
			}
		})
	}
	for i := range list {
		work <- list[i].Key().ID
	}
	close(work)
	done.Wait()
}

// History puts in the place of the store one with records of the weeks before, on cases of their own.
func (d *Workbench) History() *Workbench {
	must(d.Store.Close())
	folder := filepath.Dir(d.Store.Path())
	copyTo(folder, "history", fillHistory)
	d.openStore(folder)
	return d
}

// fillHistory records before the packets of the sample come in: a log's clock never runs backwards.
func fillHistory(d *Workbench) {
	addPolicies(d)
	const weeks = 10 // for which the policy was in effect
	for i := range 4 * weeks {
		d.Pass(start.Add(-weeks * 7 * day).Add(time.Duration(i) * 42 * time.Hour).Sub(d.Clock()))
		record, id := Case("", 0), terms.ID(fmt.Sprintf("AC-%d", 7000+i))
		record["caseId"], record["subjectId"], record["trigger"] = id, "row-"+id, terms.Triggers.Texts()[i%terms.Triggers.Len()]
		record["filedAt"] = d.Clock().Add(-time.Duration(i%5) * day).Format(time.RFC3339)
		record["deadline"] = d.Clock().Add(time.Duration(i%4-1)*day + 12*time.Hour).Format(time.RFC3339)
		record.In("notice")["deliveredAt"] = record["filedAt"]
		_, err := d.Store.Import(context.Background(), []packets.Packet{d.sealed(terms.AppealCases, record, nil)})
		must(err)
		file := d.Latest(terms.AppealCases, id)
		opened := d.Now()
		d.Pass(time.Duration(i%6) * time.Minute)
		var open []terms.Outcome
		for _, option := range records.Options(&file.View, 0) {
			if option.Obstacle == "" {
				open = append(open, option.Outcome)
			}
		}
		d.record(&file, records.Choice{Outcome: open[i%len(open)], OpenedAt: opened})
	}
	fillSample(d)
}

func (d *Workbench) record(file *queue.CaseFile, choice records.Choice) {
	choice.Supersedes, choice.Factors = file.InForce, terms.SetOf(terms.HumanReviewRequired)
	choice.Statement.Text = "The notice does not say who was told."
	_, err := d.Record(context.Background(), &file.View, choice, "")
	must(err)
}

// Notes are the private notes that came with the records; Choices what was chosen.
func (d *Workbench) Notes() []string {
	defer d.lock()()
	return slices.Clone(d.notes)
}
func (d *Workbench) Choices() []records.Choice {
	defer d.lock()()
	return slices.Clone(d.choices)
}

// Examined is how often Examine was asked; Pages how many pages of the log were read.
func (d *Workbench) Examined() int {
	defer d.lock()()
	return d.examined
}
func (d *Workbench) Pages() int {
	defer d.lock()()
	return d.pages
}

// Latest opens the latest revision of a packet.
func (d *Workbench) Latest(table terms.Table, id terms.ID) queue.CaseFile {
	file, err := d.Open(context.Background(), table, id, 0)
	must(err)
	return file
}

// Decide records a decision on the latest revision of an appeal, without a console, and returns the
// packet as it is then. An absent outcome is the first one that may be recorded.
func (d *Workbench) Decide(id terms.ID, outcome terms.Outcome) queue.CaseFile {
	d.decide(id, outcome)
	return d.Latest(terms.AppealCases, id)
}

func (d *Workbench) decide(id terms.ID, outcome terms.Outcome) {
	file := d.Latest(terms.AppealCases, id)
	for _, option := range records.Options(&file.View, 0) {
		if option.Obstacle == "" && !outcome.Present() {
			outcome = option.Outcome
		}
	}
	d.record(&file, records.Choice{Outcome: outcome, OpenedAt: d.Now()})
}

// Keep saves the reviewer's draft; Draft is what is kept of a revision, Present if anything is.
func (d *Workbench) Keep(key packets.Key, draft records.Draft) {
	must(d.Store.SaveDraft(context.Background(), d.Who.ID, tableOf(key), key, draft))
}
func (d *Workbench) Draft(key packets.Key) records.KeptDraft {
	file, err := d.Workbench.Open(context.Background(), tableOf(key), key.ID, key.Number)
	must(err)
	if file.Draft.Revision != key.Number {
		return records.KeptDraft{}
	}
	return file.Draft
}

// KeepUnreadable puts a draft of a revision there that cannot be read.
func (d *Workbench) KeepUnreadable(key packets.Key) {
	d.Keep(key, records.Draft{Statement: "a draft"})
	d.edit("UPDATE docket_local SET value = '[]' WHERE kind = 'draft'")
}

func tableOf(key packets.Key) terms.Table {
	if key.ID[:2] == "AM" {
		return terms.AmendmentRecords
	}
	return terms.AppealCases
}

// Erasures are what was erased, in the order of the log's statements.
func (d *Workbench) Erasures() (list []records.Erasure) {
	statements, err := d.Store.LogStatements(context.Background())
	must(err)
	for _, kept := range statements {
		statement, err := records.ReadLogStatement(kept.Text)
		must(err)
		if e, is := statement.Erasure(); is {
			list = append(list, e)
		}
	}
	return list
}
