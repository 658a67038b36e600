package queue_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"docket/domain/internal/domaintest"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"

	"pgregory.net/rapid"
)

// searched is a queue of a few cases.
func searched(t domaintest.TB) *queue.Queue {
	t.Helper()
	var rows []queue.Row
	for _, one := range []struct{ id, statement, summary, gap, subject, recorded string }{
		{"Case-c", "Two receipts for one Ward.", "Lives next door", "", "claim-77", "rec-9F"},
		{"Case-a", "The WARD office closed; two mosquito nets were never seen.", "", "Nobody pays", "claim-1", ""},
		{"Case-b", "It concerns 2531 filters in 高松市, and Ångström's été.", "Mosquitoes", "", "claim-2", ""},
		{"Case-d", "Masked below.", "", "", "claim-3", ""},
	} {
		changes := []domaintest.Edit{domaintest.Set("/record/caseId", one.id), domaintest.Set("/record/evidenceScope/statement", one.statement),
			domaintest.Set("/record/subjectId", one.subject)}
		for at, text := range map[string]string{"/record/standing/privacySafeSummary": one.summary, "/record/remedyGap": one.gap} {
			if text != "" {
				changes = append(changes, domaintest.Set(at, text))
			} else {
				changes = append(changes, domaintest.Del(at))
			}
		}
		if one.id == "Case-d" { // it cannot be sealed
			changes = append(changes, domaintest.RawSet("/record/evidenceScope/statement", "Call 0171 2345678 at the ward"))
		}
		v := domaintest.View(t, domaintest.Appeal(), changes...)
		var recorded []records.RecordID
		if one.recorded != "" {
			recorded = append(recorded, records.RecordID(one.recorded))
		}
		rows = append(rows, queue.NewRow(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt(), queue.RowState{Recorded: recorded}))
	}
	return queue.New(terms.Appeals, rows)
}

// through lists the ends of the ids that a filter lets through.
func through(t domaintest.TB, q *queue.Queue, text string) string {
	t.Helper()
	f, err := queue.ParseFilter(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var ids []string
	for _, at := range q.Select(q.Order(queue.ByID, ""), f, &queue.FilterContext{}, nil) {
		ids = append(ids, strings.TrimPrefix(string(q.Row(int(at)).ID), "Case-"))
	}
	return strings.Join(ids, "")
}

func TestAFilterFindsWordsPhrasesAndIDs(t *testing.T) {
	q := searched(t)
	for filter, want := range map[string]string{
		"text:mosquito":             "ab",
		`text:"mosquito"`:           "a",
		`text:"Two Mosquito Nets"`:  "a",
		`text:"two mosquito ne`:     "a",
		`text:"two mosquito ne"`:    "",
		`text:"nets mosquito"`:      "",
		`text:"seen nobody"`:        "", // of two texts
		"text:ward":                 "ac",
		"-text:ward":                "bd",
		"text:ward -text:nets":      "c",
		"text:ward text:nets":       "a",
		`text:"one ward" gate:pass`: "c",
		"text:concerns-2531":        "b",
		"text:高松":                   "b",
		"text:松市":                   "b",
		"text:松高":                   "",
		"text:ångström":             "b",
		"text:0171":                 "", // what is masked is not there
		"text:masked":               "",
		"text:wrong-scope":          "abcd", // the label of the trigger
		"text:absent":               "",
		"id:claim-77":               "c",
		"id:CLAIM-":                 "abcd",
		"-id:claim-7":               "abd",
		"id:rec-9f":                 "c",
		"id:case-a":                 "a",
		"id:case-a/2":               "a",
		"id:case-a/1":               "",
		"id:case-":                  "abcd",
		"id:case- text:pays":        "a",
		"case-a":                    "a",
		"claim-77":                  "", // a word without a key looks at the row alone
	} {
		if got := through(t, q, filter); got != want {
			t.Errorf("%s lets %q through, want %q", filter, got, want)
		}
	}
}

func TestTextsAreFoundHoweverTheyAreWritten(t *testing.T) {
	for _, one := range []struct{ text, found, not string }{
		{"Zu\u0308rich", "text:zürich text:zu\u0308rich text:ZÜRICH", "text:zurich"},
		{"Zürich", "text:Zu\u0308ri", "text:zuri"},
		{"ｗａｒｄ １２", `text:"ward 12" text:ｗａ`, "text:war1"},
		{"of\ufb01ce \ufb02ows", "text:office text:OFFICE text:flow", "text:ofice"},
		{"re\u00adpay\u00adment", "text:repayment text:re\u00adpay", "text:payment"},
		{"Straße ΟΔΟΣ", "text:STRASSE text:straße text:οδος text:οδοσ", "text:strase"},
		{"می\u200cخواهم", "text:میخواهم text:می\u200cخوا", "text:خواهم"},
	} {
		v := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/evidenceScope/statement", one.text))
		q := queue.New(terms.Appeals, []queue.Row{queue.NewRow(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt(), queue.RowState{})})
		if through(t, q, one.found) == "" || through(t, q, one.not) != "" {
			t.Errorf("%q: %s finds %q, %s finds %q", one.text, one.found, through(t, q, one.found), one.not, through(t, q, one.not))
		}
	}
}

func TestARowReplacesTheOneOfItsID(t *testing.T) {
	q := searched(t)
	v := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/caseId", "Case-b"), domaintest.Set("/record/evidenceScope/statement", "Ward"))
	row := queue.NewRow(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt(), queue.RowState{})
	if q.Put(&row); through(t, q, "text:ward") != "abc" || through(t, q, "text:filters") != "" {
		t.Errorf("%q %q", through(t, q, "text:ward"), through(t, q, "text:filters"))
	}
	row = queue.UnreadableRow(terms.AppealCases, v.Record().Key(), "damaged")
	if q.Put(&row); through(t, q, "text:ward")+" "+through(t, q, "id:case-b") != "ac b" {
		t.Errorf("%q %q", through(t, q, "text:ward"), through(t, q, "id:case-b"))
	}
}

// What a filter finds is what looking through the words of each text finds.
func TestAFilterFindsWhatLookingThroughTheTextsFinds(t *testing.T) {
	words := []string{"a", "ab", "abc", "b", "ward", "wards", "高"}
	rapid.Check(t, func(rt *rapid.T) {
		var rows []queue.Row
		texts := map[string][]string{}
		for _, id := range rapid.SliceOfN(rapid.SampledFrom([]string{"1", "2", "3", "4", "5"}), 0, 8).Draw(rt, "ids") {
			texts[id] = rapid.SliceOfN(rapid.SampledFrom(words), 1, 6).Draw(rt, "text")
			v := domaintest.View(rt, domaintest.Appeal(), domaintest.Set("/record/caseId", id),
				domaintest.Set("/record/evidenceScope/statement", strings.Join(texts[id], ". ")))
			rows = append(rows, queue.NewRow(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt(), queue.RowState{}))
		}
		phrase := rapid.SliceOfN(rapid.SampledFrom(words), 1, 3).Draw(rt, "phrase")
		closed := rapid.SampledFrom([]string{"", `"`}).Draw(rt, "closed")
		f, err := queue.ParseFilter(`text:"` + strings.Join(phrase, " ") + closed)
		if err != nil {
			rt.Fatal(err)
		}
		var want []string
		for id, text := range texts {
			for from := 0; from+len(phrase) <= len(text); from++ {
				last := from + len(phrase) - 1
				ends := text[last] == phrase[len(phrase)-1] || closed == "" && strings.HasPrefix(text[last], phrase[len(phrase)-1])
				if ends && slices.Equal(text[from:last], phrase[:len(phrase)-1]) {
					want = append(want, id)
					break
				}
			}
		}
		slices.Sort(want)
		if got := through(rt, queue.New(terms.Appeals, rows), f.String()); got != strings.Join(want, "") {
			rt.Fatalf("%s finds %q, want %q", f, got, want)
		}
	})
}

func FuzzAFilterIsReadOrRefused(f *testing.F) {
	for _, test := range filters {
		f.Add(test.filter)
	}
	for _, text := range []string{`text:"a b" -text:c"`, `-text:"x`, "text:\"\u00a0", "text:高\x00松", `text:""" OR 1 NEAR(a b) *`, "id:\xff", "text:İ", "-", "due:<9d x:y"} {
		f.Add(text)
	}
	q := searched(f)
	all := q.Order(queue.ByID, "")
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := queue.ParseFilter(text)
		if err != nil {
			if filter.String() != "" || len(err.Error()) > len(text)+2000 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if at := queue.LastTerm(text); at < 0 || at > len(text) {
			t.Errorf("%q: the last term is at %d", text, at)
		} else if utf8.ValidString(text) {
			if _, err := queue.ParseFilter(text[:at]); err != nil {
				t.Errorf("%q is a filter, and what is before its last term is none: %v", text, err)
			}
		}
		selected := q.Select(all, filter, &queue.FilterContext{}, nil)
		again := q.Select(selected, filter, &queue.FilterContext{}, nil)
		if !slices.Equal(selected, again) || !slices.IsSorted(selected) {
			t.Errorf("%q selects %v, and of those %v", text, selected, again)
		}
		for _, mark := range filter.Marks() {
			if mark.Text == "" {
				t.Errorf("%q marks nothing", text)
			}
		}
	})
}
