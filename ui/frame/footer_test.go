package frame

import (
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/screen"
)

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
