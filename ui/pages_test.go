package ui

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/page"
	"docket/ui/widget"
)

// letters are the letters and digits of a text: what is left of it in every form.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

var tag = regexp.MustCompile(`(?s)<style>.*</style>|<[^>]*>`)

// everyPage is a page of each kind, with what is folded.
func everyPage(t *testing.T) map[string]pages.Page {
	t.Helper()
	workbench := workbenchtest.Sample(t)
	for _, id := range []terms.ID{"AC-2041", "AC-2042", "AC-2048", "AC-2050"} {
		workbench.Decide(id, terms.RouteHumanReview)
	}
	workbench.Accept(0)
	workbench.Reject(1, records.PacketStale, "", "notice_missing no longer holds")
	workbench.Revoke(2)
	list := map[string]pages.Page{}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	now := workbench.Now()
	for id, table := range map[terms.ID]terms.Table{"AC-2041": terms.AppealCases, "AC-2044": terms.AppealCases, "AC-2048": terms.AppealCases,
		"AM-310": terms.AmendmentRecords, "AM-311": terms.AmendmentRecords} {
		file, err := workbench.Open(t.Context(), table, id, 0)
		must(err)
		reliance := file.Reliance()
		list[string(id)] = page.PacketPage(&file, page.Reader{Now: now}, &reliance)
	}
	log, err := workbench.Records(t.Context(), 0, 20)
	must(err)
	for i := range log.Records {
		logged := &log.Records[i]
		reasons, err := workbench.Reasons(t.Context(), logged.Receipt.RecordID)
		must(err)
		states, err := workbench.Examine(t.Context(), logged.Receipt.Sequence, logged.Receipt.Sequence+1)
		must(err)
		of := page.WholeRecord{LoggedRecord: logged, Reasons: reasons, State: &states[0], Judge: "judge", Now: now}
		list["record "+string(logged.Receipt.RecordID)] = of.Page()
		statement, _, err := workbench.Statement(t.Context(), logged.Receipt.RecordID)
		must(err)
		list["statement "+string(logged.Receipt.RecordID)] = statement
	}
	figures, err := withHistory(t).Stats(t.Context(), stats.PeriodOf(stats.Quarter, now), nil)
	must(err)
	list["stats"] = page.Stats(&figures)
	contracts, err := workbench.Contracts(t.Context())
	must(err)
	for i := range contracts {
		list[contracts[i].Name] = contracts[i]
	}
	return list
}

// What a page says stands in it in every form: its rows with their remarks, notes and codes, and
// its blocks.
func TestEveryPageSaysTheSameInEveryForm(t *testing.T) {
	b, _ := sample(t, 100, 24)
	list := everyPage(t)
	if len(list) < 14 {
		t.Fatalf("only %d pages", len(list))
	}
	for name, p := range list {
		screen := widget.Document{Whole: true}
		scene := b.console.scene
		scene.Width, scene.Height = 100, 1<<20
		forms := map[string]string{"text": p.Text(), "lines": p.TextIn(0), "Markdown": p.Markdown(),
			"HTML": html.UnescapeString(tag.ReplaceAllString(p.HTML(), " "))}
		for _, l := range screen.Show(&p, &scene) {
			forms["screen"] += l.String() + "\n"
		}
		for _, part := range page.Said(&p) {
			forms["speech"] += part.Title + "\n"
			for i := range part.Rows {
				forms["speech"] += page.Spoken(&part.Rows[i]) + "\n"
			}
		}
		for form, text := range forms {
			text = letters(text)
			for _, word := range texts(&p) {
				if !strings.Contains(text, letters(word)) {
					t.Errorf("%s as %s does not say %q", name, form, word)
				}
			}
		}
	}
}

// texts are all that the parts of a page say.
func texts(p *pages.Page) (list []string) {
	list = append(list, p.Notices...)
	for i := range p.Parts {
		part := &p.Parts[i]
		if len(part.Rows)+len(part.Blocks) > 0 {
			list = append(list, part.Title)
		}
		for _, r := range part.All() {
			list = append(list, r.Label, r.Shown())
			for _, remark := range r.Remarks {
				list = append(list, remark.Text)
			}
			for _, code := range r.Codes {
				list = append(list, code.String())
			}
			list = append(list, r.Notes...)
		}
		for _, block := range part.Blocks {
			list = append(append(append(list, block.Text, block.Command), block.Items...), block.Quote...)
			if block.Table != nil {
				for _, row := range block.Table.Rows {
					list = append(list, row...)
				}
			}
		}
	}
	return list
}
