package frame

import (
	"testing"

	"docket/ui/screen"
)

func TestAFooterHoldsWhatFits(t *testing.T) {
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
