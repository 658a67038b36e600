package task

import (
	"strings"
	"testing"
)

func TestANotificationIsOneSequenceThatPassesTheProgramBefore(t *testing.T) {
	for _, one := range []struct {
		how     Notification
		through multiplexer
		want    string
	}{
		{Bell, noMultiplexer, "\a"}, {Bell, tmux, "\a"}, {Bell, gnuScreen, "\a"},
		{OSC9, noMultiplexer, "\x1b]9;1 due\a"}, {OSC99, noMultiplexer, "\x1b]99;;1 due\a"}, {OSC777, noMultiplexer, "\x1b]777;notify;docket;1 due\a"},
		{OSC9, tmux, "\x1bPtmux;\x1b\x1b]9;1 due\a\x1b\\\a"}, {OSC777, gnuScreen, "\x1bP\x1b]777;notify;docket;1 due\a\x1b\\\a"},
	} {
		out := &writes{}
		if err := notify(out, one.through, one.how, "1 due"); err != nil || len(out.all) != 1 || out.all[0] != one.want {
			t.Errorf("%s through %d: %q, %v", one.how, one.through, out.all, err)
		}
	}
}

func TestANotificationNamesNoCaseAndTakesPlainWordsOnly(t *testing.T) {
	for _, text := range []string{"", "AC-1", "a\x1b]52;c;eA==\a", "a;b", "4;1", "é", "a\nb", strings.Repeat("a", 121)} {
		if out := (&writes{}); notify(out, noMultiplexer, OSC9, text) == nil || len(out.all) > 0 {
			t.Errorf("%q reached the terminal: %q", text, out.all)
		}
	}
}

func TestANotificationIsKnownByItsWord(t *testing.T) {
	for i, word := range NotificationWords() {
		if n, err := ParseNotification(word); err != nil || n != Notification(i) || n.String() != word {
			t.Errorf("%s: %v, %v", word, n, err)
		}
	}
	if _, err := ParseNotification("SECRET"); err == nil || !strings.Contains(err.Error(), "off, bell, osc9, osc99, osc777") || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("%v", err)
	}
}
