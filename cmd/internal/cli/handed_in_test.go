package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/page"
	"docket/ui/wording"
)

// answers are what a service may have said to a record, and what lists and pages of it say.
var answers = []struct {
	name   string
	handIn records.HandIn
	cell   string
	rows   []string
	state  string // of --json; "" for no member
}{
	{"none", records.HandIn{State: records.NotHandedIn}, "not handed in", []string{"not handed in"}, ""},
	{"accepted", records.HandIn{State: records.Accepted, At: terms.InstantOf(noon), Receipt: records.Receipt{Sequence: 41, TreeSize: 42, Root: terms.HashOf(nil)}},
		"accepted", []string{"2026-03-02T12:00:00Z", "41", "42", terms.HashOf(nil).String()}, "accepted"},
	{"rejected", records.HandIn{State: records.Rejected, At: terms.InstantOf(noon), Rejection: records.Rejection{Reason: records.PacketStale},
		Changes: []string{"revision 2 has arrived"}}, "rejected by the service: packet_stale",
		[]string{"packet_stale", "nothing", "revision 2 has arrived"}, "rejected"},
	{"rejected with another's in force", records.HandIn{State: records.Rejected, Rejection: records.Rejection{Reason: records.RecordSuperseded,
		InForce: "019ecb6a-4e00-7abc-8def-0123456789ab"}}, "rejected by the service: record_superseded", []string{"019ecb6a-4e00-7abc-8def-0123456789ab"}, "rejected"},
}

func TestWhatTheServiceAnsweredIsListedAndShown(t *testing.T) {
	for _, c := range answers {
		logged := records.LoggedRecord{HandIn: c.handIn}
		if cell := recordState(&logged); cell != c.cell {
			t.Errorf("%s: %q", c.name, cell)
		}
		shown := (&page.WholeRecord{LoggedRecord: &logged}).Page()
		for _, text := range c.rows {
			if !strings.Contains(shown.Text(), text) {
				t.Errorf("%s: %q is not in\n%s", c.name, text, shown.Text())
			}
		}
		written, err := json.Marshal(handedIn(&logged.HandIn))
		if err != nil || (c.state == "") != (string(written) == "null") || !strings.Contains(string(written), c.state) {
			t.Errorf("%s: %s, %v", c.name, written, err)
		}
	}
}

func TestAStoreWithoutAServiceSaysNothingOfOne(t *testing.T) {
	logged := records.LoggedRecord{SupersededBy: "x"}
	if cell := recordState(&logged); cell != "superseded by x" {
		t.Errorf("%q", cell)
	}
	logged.HandIn.State = records.Kept
	shown := (&page.WholeRecord{LoggedRecord: &logged}).Page()
	if text := shown.Text(); !strings.Contains(text, wording.KeptHere) {
		t.Error(text)
	}
}
