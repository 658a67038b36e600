package wording_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/domain"
	"docket/ui/wording"
)

func TestCountsAreWrittenForReading(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", -1234: "-1,234", -123: "-123", 12345678: "12,345,678"} {
		if got := wording.Thousands(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
	if got := wording.Plural(1, "case", "cases") + ", " + wording.Plural(0, "case", "cases") + ", " + wording.Plural(2000, "case", "cases"); got != "1 case, 0 cases, 2,000 cases" {
		t.Error(got)
	}
	if got := wording.Moment(domain.Instant{}); got != "–" {
		t.Errorf("no time is written %s", got)
	}
}

func TestASentenceBeginsWithACapitalAndOnlyItsFirstLetterChanges(t *testing.T) {
	for text, want := range map[string]string{"": "", "a case": "A case", "A case": "A case", "écrit": "écrit", "\xffx": "\xffx", "1 case": "1 case"} {
		if got := wording.Capital(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestAReasonIsGivenWithoutTheWordsThatSayThatItIsOne(t *testing.T) {
	refusal := &domain.Refusal{Reason: "you are recused"}
	for _, err := range []error{refusal, fmt.Errorf("here: %w", refusal)} {
		if got := wording.Reason(err); got != "you are recused" {
			t.Errorf("%v gives %q", err, got)
		}
	}
	if got := wording.Reason(errors.New("the disk is full")); got != "the disk is full" {
		t.Error(got)
	}
}

func TestWhatStandsAgainstRecordingIsSaidInOrder(t *testing.T) {
	who := domain.Reviewer{ID: "rev-1", Role: domain.NeutralReviewer, KeyFingerprint: "SHA256:x"}
	var nothing domain.Dossier
	if why := wording.WhyNotDecide(&nothing, who, "", ""); !strings.Contains(why, "there is no case") {
		t.Errorf("on nothing: %q", why)
	}
	if why := wording.WhyNotDecide(&nothing, who, wording.Locked, "no key"); why != wording.Locked {
		t.Errorf("in a log that takes no record: %q", why)
	}
	waits := domain.Dossier{Waits: "the clock"}
	if why := wording.WhyNotDecide(&waits, who, "", "no key"); why != "the clock" {
		t.Errorf("while recording waits: %q", why)
	}
	if why := wording.WhyNotDecide(&nothing, who, "", "the agent is gone"); why != "no record can be signed here: the agent is gone" {
		t.Errorf("without a key that signs: %q", why)
	}
	for _, test := range []struct {
		decided bool
		who     domain.Reviewer
		locked  string
		part    string
	}{
		{false, who, wording.Locked, wording.Locked}, {false, domain.Reviewer{}, "", "docket identity init"}, {true, who, "", "it is decided"},
	} {
		if why := wording.WhyNotSkip(test.decided, test.who, test.locked); !strings.Contains(why, test.part) {
			t.Errorf("%+v: %q", test, why)
		}
	}
	if why := wording.WhyNotSkip(false, who, ""); why != "" {
		t.Errorf("nothing stands against it, but %q is said", why)
	}
}

func TestForEachAreaItIsSaidWhatARecordCannotDo(t *testing.T) {
	for _, area := range domain.Areas.All() {
		if !strings.HasPrefix(wording.Cannot(area), "It cannot ") {
			t.Errorf("nothing is said for %s", area)
		}
	}
}
