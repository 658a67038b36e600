package views_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/pages"
	"docket/domain/terms"
	"docket/domain/views"
)

// Every blocker that holds is shown at some row, and no row shows one that does not hold.
func TestViewsShowEveryBlockerAtARow(t *testing.T) {
	file, err := os.Open("../../testdata/oracle/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	bases, looked := map[any]string{}, 0
	for lines := json.NewDecoder(file); lines.More(); {
		var line struct {
			Base, Name, Blockers string
			Question             json.RawMessage
			Changes              []struct {
				At   string
				To   any
				Gone bool
			}
		}
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		if line.Question != nil {
			bases[line.Base] = string(line.Question)
			continue
		}
		s := domaintest.Scene(domaintest.Parsed(bases[line.Base]))
		for _, change := range line.Changes {
			edit := domaintest.Set(change.At, change.To)
			if change.Gone {
				edit = domaintest.Del(change.At)
			}
			s.Make(edit)
		}
		if s["record"] == nil {
			continue // there is nothing to view
		}
		looked++
		v := domaintest.Look(t, s)
		shown := map[string]bool{}
		for _, section := range v.Sections() {
			for _, row := range section.Rows {
				for _, code := range row.Codes {
					shown[code.String()] = true
				}
				if (row.Mark == pages.Bad) != (len(row.Codes) > 0) {
					t.Errorf("%s: %q is %s by %q", line.Name, row.Label, row.Mark, row.Codes)
				}
			}
		}
		for code := range strings.FieldsSeq(line.Blockers) {
			if !shown[code] {
				t.Errorf("%s: no row shows %s", line.Name, code)
			}
			delete(shown, code)
		}
		if len(shown) > 0 {
			t.Errorf("%s: rows show %v", line.Name, shown)
		}
	}
	if looked < 500 {
		t.Errorf("only %d rows are looked at", looked)
	}
}

func TestViewsAreTheSameForTheSamePacketsAndTime(t *testing.T) {
	for name := range domaintest.Passing() {
		one, two := domaintest.View(t, domaintest.Passing()[name]), domaintest.View(t, domaintest.Passing()[name])
		if string(one.Document()) != string(two.Document()) || !one.Digest(domaintest.SampleSalt).Matches(two.Digest(domaintest.SampleSalt)) ||
			one.Digest(domaintest.SampleSalt).String() != domaintest.HashOf(map[string]any{"salt": string(domaintest.SampleSalt), "view": domaintest.Parsed(string(one.Evidence()))}) {
			t.Errorf("%s differs", name)
		}
		later := domaintest.LookAgain(t, domaintest.Passing()[name], domaintest.RecheckedAt)
		if later.Digest(domaintest.SampleSalt) == one.Digest(domaintest.SampleSalt) {
			t.Errorf("%s: another time, the same digest", name)
		}
	}
}

// Hostile text is shown as escapes, on every way out of a view.
func TestViewsEscapeHostileText(t *testing.T) {
	hostile := "\x1b]0;owned\x07 \u202e\u200b\u009b31m\r\n\u2028"
	v := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/remedyGap", hostile), domaintest.Set("/record/evidenceScope/statement", hostile),
		domaintest.Set("/record/standing/privacySafeSummary", hostile))
	for _, section := range v.Sections() {
		for _, row := range section.Rows {
			if strings.ContainsAny(row.Label+row.Value, hostile[:1]+"\x07\u202e\u200b\u009b\r\u2028") {
				t.Errorf("%s: %q", row.Label, row.Value)
			}
		}
	}
}

func TestTextsKeepTheirLinesAndJoiners(t *testing.T) {
	honest := "می\u200cخواهم:\n⚠\ufe0f שלום"
	v := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/evidenceScope/statement", honest))
	for _, part := range v.Parts() {
		for _, row := range part.Rows {
			if row.Label == views.LabelStatement && row.Value != honest {
				t.Errorf("%q", row.Value)
			}
		}
	}
}

func TestViewsNameTheirSectionsOnce(t *testing.T) {
	for name, s := range domaintest.Passing() {
		v := domaintest.View(t, s)
		seen := map[views.SectionName]bool{}
		for _, section := range v.Sections() {
			if seen[section.Name] || !section.Name.Present() || views.HeadingFor(v.Area(), section.Name) == "" || len(section.Rows) == 0 {
				t.Errorf("%s: section %q", name, section.Name)
			}
			seen[section.Name] = true
		}
	}
	if views.SectionTitle(0) != "" {
		t.Error("no section has a title")
	}
}

func TestViewsOfMutatedScenesShowEveryBlocker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.Scene(domaintest.Parsed(string(domaintest.DrawScene(t).SealedByHand())))
		if s["record"] == nil {
			return
		}
		v := domaintest.Look(t, s)
		shown := terms.BlockerSet(0)
		for _, section := range v.Sections() {
			for _, row := range section.Rows {
				shown = shown.Union(terms.SetOf(row.Codes...))
			}
		}
		if shown != v.Evaluation().BlockerSet() {
			t.Fatalf("rows show %q of %q", shown.Texts(), domaintest.Codes(v.Evaluation()))
		}
	})
}
