package frozen_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"docket/cmd/internal/cli"
	"docket/cmd/internal/identity"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/ui/workbench"
)

// frozenStart is when the frozen docket is generated.
var frozenStart = time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)

// frozenDecisions is how many decisions are recorded: more than the 128 records over which a range of the verifier goes.
const frozenDecisions = 170

// A frozenWorld is a machine with a store of a generated docket and of decisions on it. All that it does is the same at each
// run: its clock stands still but for tick, and what is random depends on how often it ticked.
type frozenWorld struct {
	t       *testing.T
	cases   int
	folder  string
	now     time.Time
	packets []byte // as the generator printed them
	records []string
	queue   []frozenRow
	refused int
}

// A frozenRow is what is used of a line of `docket queue --json`.
type frozenRow struct {
	Table      string `json:"table"`
	ID         string `json:"id"`
	AssignedTo string `json:"assignedTo"`
}

// Read implements io.Reader for crypto/rand: the bytes depend on the time only, not on what was read before, so that
// it does not matter in which order a decision draws them.
func (w *frozenWorld) Read(p []byte) (int, error) {
	seed := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("frozen"), uint64(w.now.UnixNano())))
	for n := 0; n < len(p); {
		n += copy(p[n:], seed[:])
		seed = sha256.Sum256(seed[:])
	}
	return len(p), nil
}

func (w *frozenWorld) tick(d time.Duration) { w.now = w.now.Add(d) }

// newFrozenWorld generates a docket of so many cases and amendments, takes it in and records decisions.
func newFrozenWorld(t *testing.T, cases int) *frozenWorld {
	t.Helper()
	w := &frozenWorld{t: t, cases: cases, folder: filepath.Join(t.TempDir(), "site"), now: frozenStart}
	t.Setenv("HOME", w.folder)
	for _, name := range []string{"DATA", "CONFIG", "STATE", "CACHE"} {
		t.Setenv("XDG_"+name+"_HOME", w.at(strings.ToLower(name)))
	}
	xdg.Reload()
	random := rand.Reader
	rand.Reader = w
	t.Cleanup(func() {
		rand.Reader = random
		xdg.Reload()
	})
	for i, reviewer := range frozenReviewers {
		w.tick(time.Second)
		w.done("identity", "init", "--id", reviewer, "--role", "neutral_reviewer", "--no-passphrase")
		w.must(os.Rename(w.at("config/docket"), w.at(fmt.Sprintf("config/reviewer-%d", i))))
	}
	w.become(0)
	w.packets = []byte(w.done("demo", "--cases", fmt.Sprint(cases), "--seed", "7", "--print"))
	w.write("packets.jsonl", w.packets)
	w.tick(time.Minute)
	w.done("import", w.at("packets.jsonl"))
	for line := range strings.Lines(w.done("queue", "--json")) {
		var row frozenRow
		w.must(json.Unmarshal([]byte(line), &row))
		w.queue = append(w.queue, row)
	}
	w.decideAll()
	w.become(0)
	return w
}

// frozenReviewers are two to whom generated cases and amendments are assigned.
var frozenReviewers = []string{"rev-demo", "rev-b20c7d"}

// become sets up the identity of one of the reviewers.
func (w *frozenWorld) become(reviewer int) {
	w.t.Helper()
	from := w.at(fmt.Sprintf("config/reviewer-%d", reviewer))
	w.must(os.RemoveAll(w.at("config/docket")))
	w.must(os.CopyFS(w.at("config/docket"), os.DirFS(from)))
	w.must(os.Chmod(w.at("config/docket/id_ed25519"), 0o600))
	w.must(os.Chmod(w.at("config/docket"), 0o700))
}

func (w *frozenWorld) must(err error) {
	w.t.Helper()
	must(w.t, err)
}

func (w *frozenWorld) at(name string) string {
	return filepath.Join(w.folder, filepath.FromSlash(name))
}

func (w *frozenWorld) write(name string, content []byte) {
	w.t.Helper()
	w.must(os.WriteFile(w.at(name), content, 0o600))
}

// A frozenRun is what a command printed.
type frozenRun struct {
	status         int
	stdout, stderr string
}

// docket runs the program in this process, without a terminal.
func (w *frozenWorld) docket(input []byte, args ...string) frozenRun {
	w.t.Helper()
	w.must(os.MkdirAll(w.folder, 0o700))
	var out, err bytes.Buffer
	status := cli.Main(args, cli.System{In: bytes.NewReader(input), Out: &out, Err: &err, Now: func() time.Time { return w.now },
		Getenv: func(name string) string {
			if name == "DOCKET_DB" {
				return w.at("docket.db")
			}
			return ""
		},
		TerminalSize: func() (int, int, error) { return 0, 0, io.EOF }})
	return frozenRun{int(status), out.String(), err.String()}
}

// done runs a command that has to end well, and returns what it printed.
func (w *frozenWorld) done(args ...string) string {
	w.t.Helper()
	return w.doneWith(nil, args...)
}

func (w *frozenWorld) doneWith(input []byte, args ...string) string {
	w.t.Helper()
	got := w.docket(input, args...)
	if got.status != 0 {
		w.t.Fatalf("docket %s: exit status %d, %s%s", strings.Join(args, " "), got.status, got.stdout, got.stderr)
	}
	return got.stdout
}

// decideAll records decisions on the cases and amendments that are assigned to the reviewers, in the order of the queue, on
// some of them twice. Then some are revised, and decided again.
func (w *frozenWorld) decideAll() {
	w.t.Helper()
	var decided []frozenRow
	for _, row := range interleaved(w.queue) {
		reviewer := -1
		for i, id := range frozenReviewers {
			if row.AssignedTo == id {
				reviewer = i
			}
		}
		if reviewer < 0 || len(w.records) >= frozenDecisions-30 {
			continue
		}
		if w.decide(row, reviewer) {
			decided = append(decided, row)
		}
		if len(decided)%7 == 3 {
			w.decide(row, reviewer)
		}
	}
	w.revise(decided[:20])
	for _, row := range decided {
		if len(w.records) < frozenDecisions {
			w.decide(row, map[string]int{frozenReviewers[1]: 1}[row.AssignedTo])
		}
	}
	if len(w.records) != frozenDecisions {
		w.t.Fatalf("%d decisions were recorded, %d refused", len(w.records), w.refused)
	}
}

// interleaved are the rows with cases and amendments in turn, as long as there are both.
func interleaved(queue []frozenRow) (rows []frozenRow) {
	at := slices.IndexFunc(queue, func(row frozenRow) bool { return row.Table != queue[0].Table })
	for i := range at {
		rows = append(rows, queue[i])
		if at+i < len(queue) {
			rows = append(rows, queue[at+i])
		}
	}
	return rows
}

// revise takes a second revision of cases and amendments in, with another notice.
func (w *frozenWorld) revise(rows []frozenRow) {
	w.t.Helper()
	var revised bytes.Buffer
	for line := range bytes.Lines(w.packets) {
		var packet struct {
			Table  string         `json:"table"`
			Record map[string]any `json:"record"`
		}
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		w.must(decoder.Decode(&packet))
		for _, row := range rows {
			if packet.Record["caseId"] == row.ID || packet.Record["amendmentId"] == row.ID {
				packet.Record["revision"] = 2
				packet.Record["notice"] = map[string]any{"state": "delivered", "deliveredAt": "2026-03-01T09:00:00Z"}
				for _, own := range []string{"caseHash", "amendmentHash", "scopeHash"} {
					delete(packet.Record, own)
				}
				text, err := json.Marshal(packet)
				w.must(err)
				revised.Write(append(text, '\n'))
			}
		}
	}
	w.tick(time.Hour)
	w.write("revised.jsonl", []byte(w.doneWith(revised.Bytes(), "seal")))
	w.done("import", w.at("revised.jsonl"))
}

// decide records a decision as the console does. What is chosen goes by how many decisions there were before. It returns false
// where the rules refuse that.
func (w *frozenWorld) decide(row frozenRow, reviewer int) bool {
	w.t.Helper()
	ctx := context.Background()
	w.tick(7 * time.Second)
	n := len(w.records) + w.refused
	clock := func() time.Time { return w.now }
	w.become(reviewer)
	held, err := identity.Place{Folder: w.at("config/docket")}.Load(ctx, nil)
	w.must(err)
	s, err := store.Open(ctx, store.Options{Path: w.at("docket.db"), Now: clock, AnchorFolder: w.at("state/docket/anchors")})
	w.must(err)
	defer func() { w.must(s.Close()) }()
	d := &workbench.Workbench{Store: s, Who: held.Reviewer(), Sign: held.Sign, State: held.State, Clock: clock}
	table, err := terms.Tables.Parse(row.Table)
	w.must(err)
	opened := d.Now()
	w.tick(20 * time.Second)
	dossier, err := d.Open(ctx, table, terms.ID(row.ID), 0)
	w.must(err)
	sections := []views.SectionName{views.SectionGate, views.SectionBlockers, views.SectionAdvisory, views.SectionRedactions}
	for _, section := range dossier.View.Sections() {
		if !slices.Contains(sections, section.Name) {
			sections = append(sections, section.Name)
		}
	}
	choice := records.Choice{OpenedAt: opened, Supersedes: dossier.InForce, SectionsViewed: sections[:1+n%len(sections)]}
	if n%5 == 1 {
		choice.AddedBlockers = terms.SetOf(terms.NoticeMissing)
	}
	var open []terms.Outcome
	for _, option := range records.Options(&dossier.View, choice.AddedBlockers) {
		if option.Obstacle == "" {
			open = append(open, option.Outcome)
		}
	}
	if len(open) > 0 {
		choice.Outcome, choice.Factors = open[n%len(open)], terms.SetOf(terms.HumanReviewRequired)
		if n%4 == 2 {
			choice.Preliminary = open[0]
		}
	}
	if n%6 == 0 || records.StatementRequired(&dossier.View, &choice) != "" {
		choice.Statement.Text = fmt.Sprintf("The notice does not say who was told; that is reason %d.", n)
	}
	note := ""
	if n%3 == 0 {
		note = fmt.Sprintf("private note %d", n)
	}
	receipt, err := d.Record(ctx, &dossier.View, choice, note)
	if err != nil {
		w.refused++
		return false
	}
	w.records = append(w.records, string(receipt.RecordID))
	return true
}

// outputs are those of the store as it is.
func (w *frozenWorld) outputs() (all []frozenOutput) {
	w.t.Helper()
	w.tick(time.Hour)
	add := func(name, content string) { all = append(all, frozenOutput{name, []byte(content)}) }
	add("decisions", fmt.Sprintf("%d recorded, %d refused\n", len(w.records), w.refused))
	evaluated := w.docket(w.questions(), "evaluate")
	add("evaluate", evaluated.stdout)
	add("evaluate exit status", fmt.Sprintln(evaluated.status))
	add("queue", w.done("queue", "--json"))
	for _, filter := range [][]string{{"is:decided"}, {"gate:blocked", "assigned:rev-demo"}, {"-is:decided", "due:<48h"}} {
		got := w.docket(nil, append([]string{"queue", "--json"}, filter...)...)
		add("queue "+strings.Join(filter, " "), fmt.Sprintf("exit status %d\n%s", got.status, got.stdout))
	}
	add("records", w.done("records", "--json"))
	var shown strings.Builder
	packets := 200
	if w.cases == frozenSample {
		packets = 40
	}
	for i := 0; i < len(w.queue); i += max(1, len(w.queue)/packets) {
		shown.WriteString(w.done("show", "--json", w.queue[i].ID))
	}
	add("show packets", shown.String())
	shown.Reset()
	for i := 0; i < len(w.records); i += 5 {
		shown.WriteString(w.done("show", "--json", w.records[i]))
	}
	add("show records", shown.String())
	for _, area := range []string{"appeals", "overlap", "amendments"} {
		add("report "+area, w.done("report", area, "--json", "--at", "2026-03-02T09:30:00Z"))
	}
	add("export", soundness(w.docket(nil, "export", "--json", w.at("out"))))
	files, summary := w.bundleFiles()
	add("bundle", files)
	add("bundle SUMMARY.md", summary)
	add("verify store", soundness(w.docket(nil, "verify", "--json")))
	add("verify bundle", soundness(w.docket(nil, "verify", "--json", w.at("out"))))
	add("doctor", doctored(w.docket(nil, "doctor", "--json")))
	return all
}

// questions are the lines for evaluate: each packet with the policy that it names, and some with less than that.
func (w *frozenWorld) questions() []byte {
	w.t.Helper()
	type question struct {
		Table  string          `json:"table"`
		At     string          `json:"at"`
		Policy json.RawMessage `json:"policy"`
		Record json.RawMessage `json:"record"`
		Latest int64           `json:"latestPolicyVersion,omitempty"`
		Newest int64           `json:"latestRevision,omitempty"`
	}
	type named struct {
		ID      string `json:"policyId"`
		Version int64  `json:"policyVersion"`
	}
	policies, latest := map[named]json.RawMessage{}, map[string]int64{}
	var asked bytes.Buffer
	n := 0
	for line := range bytes.Lines(w.packets) {
		var packet struct {
			Table  string          `json:"table"`
			Record json.RawMessage `json:"record"`
		}
		w.must(json.Unmarshal(line, &packet))
		var policy named
		w.must(json.Unmarshal(packet.Record, &policy))
		if strings.HasSuffix(packet.Table, "_policies") {
			policies[policy], latest[policy.ID] = packet.Record, max(latest[policy.ID], policy.Version)
			continue
		}
		q := question{packet.Table, frozenStart.Add(time.Duration(n) * time.Minute).Format(time.RFC3339), policies[policy], packet.Record,
			latest[policy.ID], 1}
		switch n++; {
		case n%50 == 1:
			q.Policy = nil
		case n%50 == 2:
			q.Record = nil
		case n%50 == 3:
			q.Latest, q.Newest = 0, 0
		case n%50 == 4:
			q.Newest = 2
		case n%50 == 5: // not to be read
			q.Record = bytes.Replace(q.Record, []byte(`"revision":1`), []byte(`"revision":-1`), 1)
		case n%50 == 6:
			q.Record = bytes.Replace(q.Record, []byte(`"status":"`), []byte(`"status":"un`), 1)
		case n%50 == 7:
			q.Record = bytes.Replace(q.Record, []byte(`"notice":`), []byte(`"Notice":`), 1)
		}
		text, err := json.Marshal(q)
		w.must(err)
		asked.Write(append(text, '\n'))
	}
	return asked.Bytes()
}

// bundleFiles lists the files of the bundle with their digests; the page for people, whose wording may change, comes apart.
func (w *frozenWorld) bundleFiles() (files, summary string) {
	w.t.Helper()
	var list strings.Builder
	w.must(fs.WalkDir(os.DirFS(w.at("out")), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(w.at("out/" + name))
		line := fmt.Sprintf("%s %d %s\n", name, len(content), frozenDigest(content, 16))
		if name == "SUMMARY.md" {
			summary = line
			return err
		}
		list.WriteString(line)
		return err
	}))
	return list.String(), summary
}

// soundness is what a check printed as JSON, without the sentences.
func soundness(got frozenRun) string {
	var text strings.Builder
	fmt.Fprintf(&text, "exit status %d\n", got.status)
	for line := range strings.Lines(got.stdout) {
		var members map[string]json.RawMessage
		if json.Unmarshal([]byte(line), &members) != nil {
			fmt.Fprintf(&text, "not JSON: %q\n", line)
			continue
		}
		delete(members, "detail")
		delete(members, "notes")
		rest, _ := json.Marshal(members)
		text.Write(append(rest, '\n'))
	}
	return text.String()
}

// doctored is what doctor found, without the sentences. The disk is the machine's.
func doctored(got frozenRun) string {
	var text strings.Builder
	fmt.Fprintf(&text, "exit status %d\n", got.status)
	for line := range strings.Lines(got.stdout) {
		var result struct{ Check, State string }
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			fmt.Fprintf(&text, "not JSON: %q\n", line)
		}
		if result.Check != "disk" {
			fmt.Fprintf(&text, "%s %s\n", result.Check, result.State)
		}
	}
	return text.String()
}
