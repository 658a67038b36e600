package wording_test

import (
	"testing"

	"docket/domain"
	"docket/ui/internal/deskfake"
	"docket/ui/wording"
)

// opened is a packet of the sample desk.
func opened(t *testing.T, desk *deskfake.Desk, table domain.Table, id domain.ID) domain.Dossier {
	t.Helper()
	dossier, err := desk.Open(t.Context(), table, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	return dossier
}

func TestTheAdviceOnAnAppealIsHeldBackUntilAnOwnOutcomeOrARecord(t *testing.T) {
	desk := deskfake.Sample()
	fresh := opened(t, desk, domain.AppealCases, "AC-2041")
	given, elsewhere, undecided, recorded := fresh, fresh, fresh, fresh
	given.Draft = domain.KeptDraft{Draft: domain.Draft{Preliminary: domain.UpholdDecision}, Revision: 2}
	elsewhere.Draft = domain.KeptDraft{Draft: domain.Draft{Preliminary: domain.UpholdDecision}, Revision: 1}
	undecided.Draft = domain.KeptDraft{Draft: domain.Draft{Outcome: domain.UpholdDecision}, Revision: 2}
	recorded.Records = []domain.LoggedRecord{{Unreadable: "its bytes are others"}}
	amendment := opened(t, desk, domain.AmendmentRecords, "AM-310")
	for name, test := range map[string]struct {
		dossier *domain.Dossier
		blind   bool
	}{
		"a fresh one": {&fresh, true}, "an own outcome": {&given, false}, "an own outcome on another revision": {&elsewhere, true},
		"a draft without one": {&undecided, true}, "a record": {&recorded, false}, "an amendment": {&amendment, false},
	} {
		if got := wording.Blind(test.dossier); got != test.blind {
			t.Errorf("%s: %v", name, got)
		}
	}
}
