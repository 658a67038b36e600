package ui

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
)

// A way is steps through the console, one after the other, with time to read between them. A step is a key, or one of
//
//	type TEXT, paste TEXT     letter by letter, or at once
//	open ID                   goes to a packet, through the filter of the queue
//	choose OUTCOME            in a decision
//	to TEXT, heading TEXT     goes down to a row, or to the heading of a part
//	decide                    the sample appeal, as far as the last page of a decision
//	note, review              goes on to those pages with everything as it is
//	read, record              reads the last page; and types the word
//	event TEXT                an event of the timeline
//	erase statement           as far as what is erased of a record with a statement
//	burst KEYS, 20 KEY        keys in one read; a key so often
//	size 80x24, hold, release resizes the window; lets commands wait; runs them
//
// or, of a walk only, what goes on beside it
//
//	fail TEXT, fail           the workbench fails, or no longer does
//	decided ID                a case was decided elsewhere
//	revise, overtake          a third revision of the sample appeal has come, which passes or is blocked
//	begun, damage TEXT        a draft is on its first revision; a record cannot be read
//	revoke, notes             the key of the first record is revoked; the console waits for a note
//	at service                a service took one of three records and rejected another
//	blind first, blind        in blind-first mode, and in a decision
//	pass 10s                  time goes by, and the console looks again
//
// or what the screen then shows:
//
//	shows TEXT, hides TEXT    as it stands there, or not there
//	reads TEXT                across line breaks
//	somewhere TEXT            in the packet, in the window or below it
//	at PLACE, on TEXT         the place, or a word of placesByWord; the row with the cursor
//	filter TEXT               in the bar of the filter
//	beside TEXT               in the preview
//	records N, quits, stays   so many were recorded; the console ends, or does not
//	kept, kept nothing        whether a draft on the sample appeal is
//	kept FACT, recorded FACT  what is in that draft, or in the last record: outcome, first outcome, added blocker, statement, note
//
// Where it says more than a word, a step is a function.
type way []any

// A walk is a way through a console in a window of a size; nil begins over the sample.
type walk struct {
	name          string
	begin         beginning
	width, height int
	way           way
}

// A beginning starts a console.
type beginning func(t *testing.T, width, height int) *harness

// over begins over a workbench, with options of the console if there are any.
func over(workbench func(testing.TB) *workbenchtest.Workbench, with ...Options) beginning {
	return func(t *testing.T, width, height int) *harness {
		t.Helper()
		return newHarness(t, workbench(t), width, height, with...)
	}
}

// keeping begins over the sample with a draft.
func keeping(key packets.Key, draft records.Draft) beginning {
	return over(func(t testing.TB) *workbenchtest.Workbench {
		workbench := workbenchtest.Sample(t)
		workbench.Keep(key, draft)
		return workbench
	})
}

func walks(t *testing.T, list []walk) {
	t.Helper()
	for _, w := range list {
		t.Run(w.name, func(t *testing.T) {
			begin := w.begin
			if begin == nil {
				begin = over(workbenchtest.Sample)
			}
			b := begin(t, w.width, w.height)
			for _, step := range w.way {
				if do, is := step.(func(*harness)); is {
					do(b)
				} else {
					b.press(step.(string))
				}
			}
		})
	}
}

// recordNumber stands in a step for the id of a record by its sequence: #0.
var recordNumber = regexp.MustCompile(`#\d`)

// press takes steps that are words.
func (b *harness) press(steps ...string) {
	b.t.Helper()
	for _, step := range steps {
		step = recordNumber.ReplaceAllStringFunc(step, func(number string) string { return b.over.ID(int(number[1] - '0')) })
		verb, what, _ := strings.Cut(step, " ")
		if !b.does(verb, what) && !b.meets(verb, what) && !b.finds(verb, what) {
			b.key(step)
		}
	}
}

// does takes a step of several keys, meets lets something happen beside, finds looks at the screen; false: it is no such step.
func (b *harness) does(verb, what string) bool {
	b.t.Helper()
	switch verb {
	case "type":
		for _, r := range what {
			b.key(string(r))
		}
	case "paste":
		b.paste(what)
	case "open":
		b.goTo(what)
	case "choose":
		b.choose(what)
	case "to":
		b.toLine(what)
	case "heading":
		b.toHeading(what)
	case "event":
		b.toEvent(what)
	case "erase":
		eraseStatement(b, nil)
	case "burst":
		b.send(keyMsg(what))
	case "decide":
		b.press("open AC-2041", "pgdown", "d", "choose correct record", "review")
	case "factors":
		b.toStep(decision.Factors)
	case "blockers":
		b.toStep(decision.Blockers)
	case "statement":
		b.toStep(decision.Statement)
	case "note":
		b.toStep(decision.Note)
	case "review":
		b.goOn(action.InReview)
	case "read":
		b.readReview()
	case "record":
		b.press("read", "type record", "enter")
	case "size":
		width, height, _ := strings.Cut(what, "x")
		columns, _ := strconv.Atoi(width)
		lines, _ := strconv.Atoi(height)
		b.resize(columns, lines)
	case "hold":
		b.hold = true
	case "release":
		b.release()
	default:
		times, err := strconv.Atoi(verb)
		if err != nil || what == "" {
			return false
		}
		for range times {
			b.press(what)
		}
	}
	return true
}

func (b *harness) meets(verb, what string) bool {
	b.t.Helper()
	switch verb {
	case "fail":
		if b.over.Failing = nil; what != "" {
			b.over.Failing = errors.New(what)
		}
	case "decided":
		b.over.Decide(terms.ID(what), 0)
	case "revise":
		revise(b.over, "AC-2041", 3, 5*time.Hour)
	case "overtake":
		overtake(b.over)
	case "begun":
		begun(b, b.over)
	case "damage":
		number, err := strconv.Atoi(what)
		must(b.t, err)
		b.over.Damage(number)
	case "revoke":
		b.over.Revoke(0)
	case "notes":
		b.run(b.console.notes.Await(&b.console.scene))
	case "pass":
		by, err := time.ParseDuration(what)
		must(b.t, err)
		b.pass(b.over, by)
	case "blind":
		if b.console.scene.BlindFirst = true; what == "" {
			b.press("open AC-2041", "d")
		}
	default:
		return false
	}
	return true
}

// placesByWord are the receipt, which may be a line of the next case, and places that share a name.
var placesByWord = map[string]action.Place{"receipt": action.InReceipt, "choosing": action.InDecision,
	"blocking": action.InBlockers, "finding": action.InFind, "sifting": action.InSearch}

func (b *harness) finds(verb, what string) bool {
	b.t.Helper()
	switch verb {
	case "shows":
		b.shows(what)
	case "hides":
		b.hides(what)
	case "reads":
		b.reads(what)
	case "somewhere":
		b.showsSomewhere(what)
	case "at":
		if what == "service" {
			atService(b, b.over)
		} else if place, is := placesByWord[what]; is {
			b.at(place)
		} else if got := action.PlaceNames[b.console.stage.Top().Place()]; got != what {
			b.t.Fatalf("the screen is the %s, not the %s:\n%s", got, what, b.frame())
		}
	case "on":
		if !b.on(what) {
			b.t.Fatalf("the cursor is not on %q:\n%s", what, b.frame())
		}
	case "filter":
		b.typed(what)
	case "records":
		if got := strconv.Itoa(len(b.over.Choices())); got != what {
			b.t.Fatalf("%s are recorded, not %s", got, what)
		}
	case "quits", "stays":
		if b.quit != (verb == "quits") {
			b.t.Fatalf("it does not %s", verb)
		}
	case "recorded":
		b.recorded(what)
	case "kept":
		if what != "" && what != "nothing" {
			b.drafted(what)
		} else if b.over.Draft(sampleKey).Present() == (what == "nothing") {
			b.t.Fatalf("a draft is kept: %v", what == "nothing")
		}
	case "beside":
		b.previews(what)
	default:
		return false
	}
	return true
}

// on reports whether the cursor of a packet or a list is on a row that holds a text.
func (b *harness) on(text string) bool {
	for _, l := range strings.Split(b.frame(), "\n") {
		l, _, _ = strings.Cut(l, " │ ")
		if (strings.HasPrefix(l, "▌") || strings.HasPrefix(l, "❯")) && strings.Contains(l, text) {
			return true
		}
	}
	return false
}

// facts are what a person chose, as a walk names it.
func facts(outcome, first terms.Outcome, added terms.BlockerSet, statement, note string) []string {
	list := []string{"outcome " + outcome.Label(), "first " + first.Label(), "added " + strings.Trim(fmt.Sprint(added.Terms()), "[]"),
		"statement " + statement, "note " + note}
	for i, absent := range []bool{!outcome.Present(), !first.Present(), added.Empty()} {
		if absent {
			list[i] = []string{"no outcome", "no first outcome", "no added blocker"}[i]
		}
	}
	return list
}

// recorded fails unless this is a fact of the last record, drafted unless of the draft on the sample appeal.
func (b *harness) recorded(want string) {
	b.t.Helper()
	choices, notes := b.over.Choices(), b.over.Notes()
	if len(choices) == 0 {
		b.t.Fatal("nothing is recorded")
	}
	c, m := choices[len(choices)-1], lastRecord(b.t, b.over)
	held := append(facts(c.Outcome, c.Preliminary, c.AddedBlockers, c.Statement.Text, notes[len(notes)-1]), "gate "+m.Gate.String(),
		"supersedes "+string(c.Supersedes), "carried "+strings.Trim(fmt.Sprint(m.CarriedBlockers), "[]"))
	if c.Factors.Empty() {
		held = append(held, "no factors")
	}
	if seen := c.SectionsViewed; len(seen) > 0 {
		held = append(held, "last seen "+seen[len(seen)-1].String())
	}
	b.holds(held, want)
}

func (b *harness) drafted(want string) {
	b.t.Helper()
	d := keptOn(b.t, b.over)
	b.holds(facts(d.Outcome, d.Preliminary, d.Added, d.Statement, d.Note), want)
}

func (b *harness) holds(held []string, want string) {
	b.t.Helper()
	if !slices.Contains(held, want) {
		b.t.Errorf("%q is not among %q", want, held)
	}
}
