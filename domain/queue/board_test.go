package queue_test

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
)

// boardRow is an open case of the wednesday with these blockers.
func boardRow(id terms.ID, came time.Time, codes ...terms.Blocker) queue.Row {
	return queue.Row{Table: terms.AppealCases, ID: id, Revision: 1, Status: "filed", ImportedAt: terms.InstantOf(came),
		Blockers: queue.Codes{Area: terms.Appeals, Set: terms.SetOf(codes...)}, Added: queue.Codes{Area: terms.Appeals}}
}

var wednesday = time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)

func boardOf(filter string, rows ...queue.Row) *queue.Board {
	f, err := queue.ParseFilter(filter)
	if err != nil {
		panic(err)
	}
	return queue.New(terms.Appeals, rows).Board(f, &queue.FilterContext{Now: terms.InstantOf(wednesday)})
}

func lineOf(b *queue.Board, code terms.Blocker) *queue.BoardLine {
	return &b.Lines[slices.IndexFunc(b.Lines, func(l queue.BoardLine) bool { return l.Code == code })]
}

func TestWeeksOfABoardBeginOnMonday(t *testing.T) {
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name string
		at   time.Time
		week int // -1: left out
	}{
		{"now", wednesday, 11},
		{"the first moment of the week", monday, 11},
		{"the last moment before it", monday.Add(-1), 10},
		{"a week before", monday.AddDate(0, 0, -7), 10},
		{"the first moment that counts", monday.AddDate(0, 0, -77), 0},
		{"the last one that does not", monday.AddDate(0, 0, -77).Add(-1), -1},
		{"the end of this week", monday.AddDate(0, 0, 7).Add(-1), 11},
		{"the next week", monday.AddDate(0, 0, 7), -1},
	} {
		line := lineOf(boardOf("", boardRow("a", test.at, terms.NoticeMissing)), terms.NoticeMissing)
		for week, count := range line.Weeks {
			if (count == 1) != (week == test.week) {
				t.Errorf("%s: week %d has %d", test.name, week, count)
			}
		}
		if (line.New == 1) != (test.week == 11) || line.Held != 1 {
			t.Errorf("%s: %d new of %d", test.name, line.New, line.Held)
		}
	}
	absent := boardRow("a", wednesday, terms.NoticeMissing)
	absent.ImportedAt = terms.Instant{}
	if line := lineOf(boardOf("", absent), terms.NoticeMissing); line.Held != 1 || line.Weeks != [queue.Weeks]int{} || line.Oldest.Present() {
		t.Errorf("without an arrival: %+v", line)
	}
}

func TestABoardCountsWhatIsHeldAloneAddedAndDecided(t *testing.T) {
	day := 24 * time.Hour
	added := boardRow("added", wednesday.Add(-20*day), terms.NoticeMissing, terms.StandingMissing)
	added.Added.Set = terms.SetOf(terms.NoticeMissing)
	earlier := boardRow("earlier", wednesday)
	earlier.Gate, earlier.Added.Set = terms.Pass, terms.SetOf(terms.NoticeMissing)
	decided := boardRow("decided", wednesday, terms.NoticeMissing)
	decided.Decided = true
	rows := []queue.Row{boardRow("alone", wednesday.Add(-day), terms.NoticeMissing), added, earlier, decided}
	board := boardOf("", rows...)
	line := lineOf(board, terms.NoticeMissing)
	if line.Held != 2 || line.Alone != 1 || line.New != 1 || line.Added != 1 || line.Earlier != 1 || line.Weeks[11] != 2 || line.Weeks[8] != 1 ||
		line.Oldest != terms.InstantOf(wednesday.Add(-20*day)) || board.Open != 3 || board.Blocked != 2 {
		t.Errorf("%+v", line)
	}
	if only := lineOf(boardOf("came:<7d -is:decided", rows...), terms.NoticeMissing); only.Held != 1 || only.Alone != 1 || only.Weeks[11] != 1 || only.Weeks[8] != 0 {
		t.Errorf("with a filter: %+v", only)
	}
	if none := boardOf("assigned:nobody", rows...); none.Open != 0 || lineOf(none, terms.NoticeMissing).Held != 0 {
		t.Errorf("nobody's: %+v", none)
	}
}

func TestABoardIsSortedByEachColumn(t *testing.T) {
	day := 24 * time.Hour
	due := boardRow("due", wednesday.Add(-80*day), terms.DeadlineExpired, terms.ScopeMissing)
	due.Deadline = terms.InstantOf(wednesday)
	people := boardRow("people", wednesday.Add(-9*day), terms.StandingMissing)
	people.Added.Set = terms.SetOf(terms.StandingMissing)
	rows := []queue.Row{due, people, boardRow("n1", wednesday, terms.NoticeMissing), boardRow("n2", wednesday, terms.NoticeMissing, terms.StandingMissing)}
	first := map[string]terms.Blocker{}
	for i := range queue.BoardColumns {
		first[queue.BoardColumns[i].Name] = boardOf("", rows...).Sort(i).Lines[0].Code
	}
	for name, want := range map[string]terms.Blocker{"blocker": boardOf("").Lines[0].Code, "held": terms.StandingMissing, "oldest": terms.DeadlineExpired,
		"due": terms.DeadlineExpired, "new": terms.NoticeMissing, "added": terms.StandingMissing} {
		if first[name] != want {
			t.Errorf("by %s: %s comes first, not %s", name, first[name], want)
		}
	}
	added := slices.IndexFunc(queue.BoardColumns[:], func(c queue.BoardColumn) bool { return c.Name == "added" })
	if second := boardOf("", rows...).Sort(added).Lines[1].Code; second != terms.NoticeMissing {
		t.Errorf("of those that nobody added, %s comes first, not the one that holds most", second)
	}
}

// Each form has the numbers of the board, and no other.
func TestAllFormsOfABoardAgree(t *testing.T) {
	rows := []queue.Row{boardRow("a", wednesday, terms.NoticeMissing), boardRow("b", wednesday, terms.NoticeMissing, terms.ScopeMissing)}
	boards := queue.Boards{Filter: "came:<7d", List: []*queue.Board{boardOf("", rows...).Sort(queue.ByHeld), queue.New(terms.Amendments, nil).Board(queue.Filter{}, &queue.FilterContext{})}}
	text, err := boards.File("board.JSON")
	var document struct {
		At, Filter string
		Dockets    []struct {
			Docket        string
			Open, Blocked int
			Blockers      []struct {
				Blocker                      string
				Held, HeldAlone, NewThisWeek int
				Weeks                        []int
			}
		}
	}
	if err := errorsOf(err, json.Unmarshal([]byte(text), &document)); err != nil {
		t.Fatal(err)
	}
	if d := document.Dockets; len(d) != 2 || d[0].Open != 2 || d[0].Blockers[0].Blocker != "notice_missing" || d[0].Blockers[0].Held != 2 ||
		d[0].Blockers[0].HeldAlone != 1 || d[0].Blockers[0].Weeks[11] != 2 || document.Filter != "came:<7d" || d[1].Open != 0 {
		t.Errorf("%+v", document)
	}
	text, err = boards.File("board.csv")
	lines, csvErr := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err := errorsOf(err, csvErr); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lines[1], ","); got != "appeals,notice_missing,2,1,2026-03-04T09:00:00Z,,2,0,0,0 0 0 0 0 0 0 0 0 0 0 2" {
		t.Errorf("%s", got)
	}
	page, err := boards.File("board.html")
	if err != nil || !strings.Contains(page, "notice_missing</th><td>2</td><td>████████████████████████</td><td>1</td>") || !strings.Contains(page, "came:&lt;7d") ||
		!strings.Contains(page, "2 open, of which 2 blocked") || strings.Contains(page, "standing_missing") || strings.Contains(page, "<script") {
		t.Errorf("%v: %s", err, page)
	}
	for _, name := range []string{"", "board", "board.txt", "csv"} {
		if text, err := boards.File(name); err == nil || text != "" {
			t.Errorf("%q is written: %s", name, text)
		}
	}
}

func errorsOf(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}
