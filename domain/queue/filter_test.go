package queue_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/domain/views"
)

// filterRows are the queue that the filters of these tests select from.
func filterRows(t domaintest.TB) map[string]*queue.Row {
	t.Helper()
	came := domaintest.Instant
	state := map[string]queue.RowState{"decided": {Decided: true, ImportedAt: came("2026-06-14T12:00:00Z")}, "skipped": {Skipped: "not now"},
		"late": {Rejected: true, ImportedAt: came(domaintest.LongAgo)}, "open": {Draft: true, ImportedAt: came("2026-06-15T11:00:00Z")}}
	rows := map[string]*queue.Row{}
	for name, v := range map[string]views.View{
		"open": domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/caseId", "CASE-Open:1"), domaintest.Set("/record/deadline", "2026-06-17T12:00:00Z")),
		"decided": domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/caseId", "case-decided"), domaintest.Set("/record/status", "upheld"),
			domaintest.Set("/record/trigger", "privacy_disclosure_error")),
		"skipped": domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/caseId", "case-skipped"), domaintest.Del("/record/deadline"),
			domaintest.Set("/record/neutralReview/reviewerId", "reviewer-8")),
		"late": domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/caseId", "case-late"), domaintest.Set("/record/deadline", domaintest.LongAgo),
			domaintest.Set("/record/subject", "claim")),
		"amendment": domaintest.View(t, domaintest.Correction(), domaintest.Set("/record/amendmentId", "amendment-x"), domaintest.Del("/record/notice")),
		"bare": domaintest.Look(t, domaintest.Parsed(`{"table":"trade_agreement_amendment_records","at":"`+domaintest.Now+`","record":{"amendmentId":"bare",
			"revision":1,"contractVersion":"x","ownerId":"o","state":"draft"}}`)),
	} {
		row := queue.NewRow(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt(), state[name])
		rows[name] = &row
	}
	return rows
}

// filters are those of testdata/filters.txt, after two that select all.
var filters = func() []struct{ filter, selects string } {
	const all = "amendment bare decided late open skipped"
	list := []struct{ filter, selects string }{{"", all}, {"   ", all}}
	file, err := os.ReadFile("testdata/filters.txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(file)) {
		if filter, selects, is := strings.Cut(strings.TrimSpace(line), " =>"); is {
			list = append(list, struct{ filter, selects string }{filter, strings.TrimSpace(selects)})
		}
	}
	return list
}()

func TestFiltersSelect(t *testing.T) {
	rows := filterRows(t)
	in := &queue.FilterContext{Reviewer: "reviewer-7", Now: domaintest.Instant(domaintest.Now)}
	for _, test := range filters {
		f, err := queue.ParseFilter(test.filter)
		if err != nil || f.String() != test.filter {
			t.Errorf("%q: %v", test.filter, err)
		}
		if got := selected(f, rows, in); got != test.selects {
			t.Errorf("%q selects %q, want %q", test.filter, got, test.selects)
		}
	}
	if len(filters) != 93 {
		t.Errorf("%d filters", len(filters))
	}
	if got := selected(queue.Filter{}, rows, in); got != filters[0].selects {
		t.Errorf("the zero filter selects %q", got)
	}
}

func selected(f queue.Filter, rows map[string]*queue.Row, in *queue.FilterContext) string {
	names := []string{}
	for name, row := range rows {
		if matches(f, row, in) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// A day is that of the moment, and nothing is mine without a reviewer.
func TestWhatAFilterSelectsDependsOnTheMomentAndTheReviewer(t *testing.T) {
	rows := filterRows(t)
	for _, c := range []struct{ filter, now, want string }{{"due:today", "2026-06-17T12:00:00Z", "open"}, {"due:today", "2026-06-19T12:00:00Z", ""},
		{"due:today", "2026-06-15T12:00:00Z", ""}, {"came:today", "2026-06-14T12:00:00Z", "decided"}, {"filed:today", "2026-06-01T08:00:00Z", "decided late open skipped"},
		{"is:mine", domaintest.Now, ""}, {"assigned:me", domaintest.Now, ""}} {
		f, err := queue.ParseFilter(c.filter)
		if got := selected(f, rows, &queue.FilterContext{Now: domaintest.Instant(c.now)}); err != nil || got != c.want {
			t.Errorf("%s at %s: %q, %v", c.filter, c.now, got, err)
		}
	}
}

func TestARowIsNewIfItCameAfterTheReviewerLeft(t *testing.T) {
	rows := filterRows(t)
	for left, want := range map[string]string{"2026-06-14T12:00:00Z": "amendment bare open skipped", "2026-06-14T11:59:59Z": "amendment bare decided open skipped",
		"2026-06-15T11:00:00Z": "amendment bare skipped"} { // where no arrival is known, the row counts as new
		f, err := queue.ParseFilter("is:new")
		if got := selected(f, rows, &queue.FilterContext{Left: domaintest.Instant(left)}); err != nil || got != want {
			t.Errorf("left at %s: %q, %v", left, got, err)
		}
	}
}

func TestWrongFiltersAreRefusedWithoutTheirValue(t *testing.T) {
	for _, text := range []string{"-", "a - b", "text:", `text:"`, `text:""`, `text:canary"`, `text:"can"ary"`, `text:"can"ary`, "text:-", `-text:"..."`, "foo:canary", ":canary", "-case:canary", "id:", "gate:none", "gate:", "gate:canary", "-gate:canary", "blocker:canary", "status:", "trigger:claimx",
		"subject:duplicate_proof", "assigned:", "transition:canary", "is:", "is:canary", "is:opne", "due:", "due:48h", "due:<", "due:<h", "due:<48",
		"due:<48y", "due:</8h", "due:<:8h", "due:=48h", "due:<-1h", "due:<1.5h", "due:<10001h", "due:<99999999999999999999h", "due:<canaryh", "due:< 48h", "filed:", "filed:7d", "filed:>", "came:<7y", "came:yesterday", "came:canary", "is:newer",
		"waiting:14d", "waiting:>d", "waiting:>14y", "waiting:"} {
		if f, err := queue.ParseFilter(text); err == nil || strings.Contains(err.Error(), "canary") || f.String() != "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAWrongKeyOrValueIsRefusedWithTheValidOnes(t *testing.T) {
	for text, want := range map[string]string{
		"foo:bar": "foo: is no key; the nearest are id:, due: or is:; " +
			"a word with a colon in it is found behind id: alone",
		"gate:maybe": "gate: takes pass or blocked",
		"is:opne":    "is: has no such value; the nearest are open, ",
		"tirgger:x": "tirgger: is no key; the nearest are trigger:, earlier: or blocker:; " +
			"a word with a colon in it is found behind id: alone",
		"status:flied":                  "status: has no such value; the nearest are filed, ",
		"blocker:notise":                "blocker: has no such value; the nearest are notice_missing, ",
		"trigger:factaul":               "trigger: has no such value; the nearest are material_factual_error, ",
		"transition:destinaton":         "transition: has no such value; the nearest are destination_change, pause_or_early_termination or donation_offset_material_change",
		"blocker:notice_missing,notise": "blocker: has no such value; the nearest are notice_missing, ",
		"a or b":                        "or is no term of a filter; name several values behind one key, such as blocker:notice_missing,deadline_missing; as a word of a text it is text:or",
		"a and b":                       "and is no term of a filter; leave it out: all terms of a filter have to hold; as a word of a text it is text:and",
		"-not":                          "not is no term of a filter; write - before the term, such as -is:decided; as a word of a text it is text:not",
	} {
		if _, err := queue.ParseFilter(text); err == nil || err.Error() != want && !(strings.HasSuffix(want, ", ") && strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The help and the completion take keys and values from the same table as the parser.
func TestEveryKeyAndValueOfTheHelpIsAFilter(t *testing.T) {
	keys := []string{}
	for _, key := range queue.FilterKeys() {
		keys = append(keys, key.Key)
		if key.Meaning == "" {
			t.Errorf("%s has no meaning", key.Key)
		}
		options := queue.CompleteFilter(key.Key + ":")
		for i, option := range slices.Concat(options, key.Values) {
			if i >= len(options) {
				option = key.Key + ":" + option
			}
			if _, err := queue.ParseFilter(option); err != nil || i < len(options) && slices.Contains(options[:i], option) {
				t.Errorf("%s: %v", option, err)
			}
		}
	}
	if want := "gate blocker only earlier status trigger subject transition assigned id text due filed came waiting is"; strings.Join(keys, " ") != want {
		t.Errorf("%q", keys)
	}
}

func TestAWholeWordBehindAKeyIsThatWordOnly(t *testing.T) {
	for filter, want := range map[string]bool{"blocker:evidence_scope_missing": true, "blocker:scope_missing": false, "blocker:scope_miss": true} {
		f, err := queue.ParseFilter(filter)
		if err != nil {
			t.Fatal(err)
		}
		row := queue.Row{Table: terms.AppealCases, Blockers: queue.Codes{Area: terms.Appeals, Set: terms.SetOf(terms.EvidenceScopeMissing)}}
		if got := matches(f, &row, &queue.FilterContext{}); got != want {
			t.Errorf("%s: %v", filter, got)
		}
	}
}

func TestAnUnreadableRowHasNoAbsentWord(t *testing.T) {
	row := queue.UnreadableRow(terms.AppealCases, packets.Key{ID: "case-1", Number: 1}, "damaged")
	for _, filter := range []string{"blocker:none", "trigger:none", "status:none", "assigned:none", "gate:pass"} {
		if f, err := queue.ParseFilter(filter); err != nil || matches(f, &row, &queue.FilterContext{}) {
			t.Errorf("%s selects it: %v", filter, err)
		}
	}
}

// matches reports whether a filter lets a row through that is alone in its queue.
func matches(f queue.Filter, row *queue.Row, in *queue.FilterContext) bool {
	return len(queue.New(terms.AreaOf(row.Table), []queue.Row{*row}).Select([]uint32{0}, f, in, nil)) == 1
}

func TestAFilterWordBecomesAKeyOrAValueOfItsKey(t *testing.T) {
	for word, want := range map[string][]string{
		"ga":          {"gate:"},
		"-ga":         {"-gate:"},
		"S":           {"status:", "subject:"},
		"gate:":       {"gate:pass", "gate:blocked"},
		"gate:block":  {"gate:blocked"},
		"-is:":        {"-is:open", "-is:overdue", "-is:draft", "-is:decided", "-is:mine", "-is:skipped", "-is:rejected", "-is:waiting", "-is:closed", "-is:reassigned", "-is:new"},
		"is:mine":     {"is:mine"},
		"trigger:ERR": {"trigger:material_factual_error", "trigger:privacy_disclosure_error"},
		"mine":        {"is:mine"},
		"-overdue":    {"-is:overdue"},
		"open":        {"is:open"},
		"due:":        nil,
		"case-0041":   nil,
		"nokey:x":     nil,
		"gate:x":      nil,
	} {
		if got := queue.CompleteFilter(word); !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", word, got, want)
		}
	}
	got := queue.CompleteFilter("blocker:appeal") // what begins as typed comes first
	at := slices.IndexFunc(got, func(s string) bool { return !strings.HasPrefix(s, "blocker:appeal") })
	if len(got) == 0 || at >= 0 && slices.ContainsFunc(got[at:], func(s string) bool { return strings.HasPrefix(s, "blocker:appeal") }) {
		t.Errorf("%q", got)
	}
	if got := queue.CompleteFilter(""); len(got) != len(queue.FilterKeys()) {
		t.Errorf("of nothing typed: %q", got)
	}
}

func TestABareWordThatIsAValueIsOfferedAsItsFilter(t *testing.T) {
	for text, want := range map[string]string{
		"mine": "is:mine", "Mine -overdue": "is:mine -is:overdue", "case-1 mine": "case-1 is:mine", "case-1": "", "is:mine": "", "min": "", "": "",
	} {
		filter, err := queue.ParseFilter(text)
		if err != nil || filter.Offer() != want {
			t.Errorf("%q offers %q: %v", text, filter.Offer(), err)
		}
	}
}
