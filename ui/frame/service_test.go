package frame

import (
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/screen"
)

func TestTheStateOfTheServiceGivesWayWithTheWidthTheMostImportantLast(t *testing.T) {
	at := terms.InstantOf(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	full := screen.Service{Read: true, Tally: records.HandInTally{Service: "s", Waiting: 1204, Rejected: 2,
		Pulled: terms.InstantOf(at.Time().Add(-50 * time.Hour))}}
	seen := []string{}
	for width := 80; width >= 0; width-- {
		text := serviceLine(&full, at, width)
		if text.Width() > width {
			t.Fatalf("%d wide: %q", width, text)
		}
		if n := len(seen); n == 0 || seen[n-1] != text.String() {
			seen = append(seen, text.String())
		}
	}
	want := []string{
		"⊘ 2 rejected · ⇡ 1,204 not handed in · offline · pulled 2d ago",
		"⊘ 2 rejected · ⇡ 1,204 not handed in · pulled 2d ago",
		"⊘ 2 rejected · ⇡ 1,204 not handed in",
		"⊘ 2 rejected · ⇡1,204",
		"⊘ 2 rejected",
		"⊘2 · ⇡1,204",
		"⊘2",
		"",
	}
	if got := strings.Join(seen, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
	for _, test := range []struct {
		state screen.Service
		want  string
	}{
		{screen.Service{}, ""}, {screen.Service{Read: true}, ""},
		{screen.Service{Read: true, Tally: records.HandInTally{Service: "s"}}, "offline · never pulled"},
		{screen.Service{Read: true, Tally: records.HandInTally{Service: "s", Pulled: terms.InstantOf(at.Time().Add(time.Hour))}}, "offline · pulled <1m ago"},
		{screen.Service{Read: true, Tally: records.HandInTally{Waiting: 1}, Trouble: "x"}, "⇡ 1 not handed in · ? not read again"},
	} {
		if got := serviceLine(&test.state, at, 100).String(); got != test.want {
			t.Errorf("%+v: %q", test.state, got)
		}
	}
}

func TestASetbackOfTheServiceIsShownFirstAndLongest(t *testing.T) {
	at := terms.InstantOf(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	state := screen.Service{Read: true, Tally: records.HandInTally{Service: "s", Waiting: 1, Rejected: 2, Pulled: at, Setback: records.Setback{Kind: records.LogRolledBack}}}
	for width, want := range map[int]string{100: "service set back · ⊘ 2 rejected", 20: "service set back", 11: "set back"} {
		if text := serviceLine(&state, at, width); !strings.Contains(text.String(), want) || text.Width() > width {
			t.Errorf("%d wide: %q", width, text)
		}
	}
}

func TestAFooterHoldsTheKeysThatFit(t *testing.T) {
	keys := []screen.Key{{Key: "enter", Label: "done"}, {Key: "esc", Label: "cancel"}}
	for width, want := range map[int]string{40: "↵ done  Esc cancel", 18: "↵ done  Esc cancel", 17: "↵ done", 6: "↵ done"} {
		if got := keyLine(keys, width).String(); got != want {
			t.Errorf("at %d: %q", width, got)
		}
	}
	if got := keyLine(nil, 10); got.Width() != 0 {
		t.Errorf("without keys: %v", got)
	}
}

func TestTheGreetingNamesTheReviewersOwnKeysAndWhereThereIsLittleRoomNothingElse(t *testing.T) {
	s := &screen.Scene{Greeting: "Here appeals are decided."}
	for width, want := range map[int]string{80: "Here appeals are decided. ↵ opens a case, d decides it, ? helps.", 64: "Here appeals are decided. ↵ opens a case, d decides it, ? helps.",
		63: "↵ opens a case, d decides it, ? helps.", 20: "↵ opens a case, d d…"} {
		if got := greeting(s, width).String(); got != want {
			t.Errorf("at %d: %q", width, got)
		}
	}
	var err error
	if s.Keys, err = action.Bind([]action.Binding{{Action: "decide", Keys: []string{"e"}}, {Action: "help", Keys: []string{"é"}}}); err != nil {
		t.Fatal(err)
	}
	if got := greeting(s, 63).String(); got != "↵ opens a case, e decides it, é helps." {
		t.Errorf("with other keys: %q", got)
	}
}

func TestAWindowThatIsTooSmallSaysSoInAWholeSentence(t *testing.T) {
	for _, size := range [][2]int{{19, 7}, {12, 4}, {12, 3}, {10, 2}, {200, 1}} {
		f := Frame{Width: size[0], Height: size[1]}
		text := f.Draw(&screen.Stage{}, &screen.Scene{}).Text()
		if said := strings.Join(strings.Fields(text), " "); !strings.HasSuffix(said, "^C leaves.") && said != "^C leaves" {
			t.Errorf("at %v it says %q", size, said)
		}
	}
}
