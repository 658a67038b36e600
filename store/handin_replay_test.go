package store

import (
	"errors"
	"slices"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// alterations are what a reviewer's program might say that does not follow from the packets, and nothing.
var alterations = []members{
	{},
	{"computedBlockers": []string{"notice_missing"}},
	{"computedBlockers": []string{"deadline_expired", "notice_missing"}},
	{"gate": "blocked"},
	{"gate": "blocked", "computedBlockers": []string{"notice_missing"}},
	{"reviewerBlockers": []string{"notice_missing"}, "gate": "blocked"},
	{"advisoryOutcome": "request_evidence"},
	{"requestedOutcome": "request_evidence"},
	{"caseHash": terms.HashOf([]byte("another case")).String()},
	{"policyHash": terms.HashOf([]byte("another policy")).String()},
	{"scopeHash": terms.HashOf([]byte("another scope")).String()},
	{"packetDigest": terms.HashOf([]byte("another view")).String()},
	{"subjectId": "item-8"},
	{"rulesVersion": "another"},
	{"contractVersion": "another"},
	{"outcome": "block_reliance"},
	{"outcome": "restore_decision"},
	{"openedAt": "2026-03-01T13:00:00Z"},
	{"evaluatedAt": "2026-02-28T12:00:00Z", "openedAt": "2026-02-28T11:00:00Z"},
	{"evaluatedAt": "2026-05-01T12:00:00Z", "recordedAt": "2026-05-01T12:00:00Z"},
	{"recordedAt": "2026-03-01T11:00:00Z"},
}

// TestWhatIsHandedInIsJudgedAsTheReplayJudgesIt asks the domain's replay as an oracle of each record.
func TestWhatIsHandedInIsJudgedAsTheReplayJudgesIt(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("own", 1).with(members{"originalDeciderId": string(reviewerID)})),
		d.mill.appealCase(passing("recused", 1).with(members{"neutralReview": review(reviewerID, reviewerID)})),
		d.mill.appealCase(passing("theirs", 1).with(members{"neutralReview": review("rev-another")})))
	seen := map[string]int{}
	for _, id := range []terms.ID{"case-1", "own", "recused", "theirs"} {
		view := d.caseFile(terms.AppealCases, id).View
		for _, changes := range alterations {
			sub, readable := d.asserted(&view, changes)
			if !readable {
				continue
			}
			m := sub.Record.Members()
			replayed := sub.Record.Replay(view.Policy(), view.Record(), sub.PacketSalt)
			_, _, _, err := d.offer(sub)
			verdict := verdictOf(err)
			seen[verdict]++
			var differs *records.DiffersError
			switch want := oracle(&replayed); {
			case want == "" && (verdict == "differs" || verdict == "broken"):
				t.Errorf("%s %v: %v, but it follows", id, changes, err)
			case want != "" && want != verdict:
				t.Errorf("%s %v: %v, want %s: %v", id, changes, err, want, replayed.Findings)
			case errors.As(err, &differs):
				found := view.Evaluation().Blockers()
				if m.EvaluatedAt != view.EvaluatedAt() {
					again := views.New(view.Policy(), view.Record(), view.Latest(), m.EvaluatedAt)
					found = again.Evaluation().Blockers()
				}
				if !slices.Equal(differs.Stated, m.ComputedBlockers) || !slices.Equal(differs.Found, found) || len(differs.Faults) == 0 {
					t.Errorf("%s %v: %+v", id, changes, differs)
				}
			}
		}
	}
	if seen["taken"] < 1 || seen["differs"] < 10 || seen["refused"] < 10 {
		t.Errorf("they are %v", seen)
	}
}

// oracle says what has to become of a record: differs, refused, or "" for what depends on the present.
func oracle(replayed *records.Replayed) string {
	if replayed.Has(records.ReplayRules) {
		return "unknown rules"
	}
	if len(replayed.Findings) == 1 && replayed.Has(records.ReplayView) {
		return "another salt"
	}
	for _, fault := range []records.ReplayFault{records.ReplayOtherPacket, records.ReplayBlockers, records.ReplayConclusion, records.ReplayView} {
		if replayed.Has(fault) {
			return "differs"
		}
	}
	if len(replayed.Findings) > 0 {
		return "refused"
	}
	return ""
}

func verdictOf(err error) string {
	var differs *records.DiffersError
	var stale *records.StaleError
	switch {
	case err == nil:
		return "taken"
	case errors.As(err, &differs):
		return "differs"
	case errors.As(err, &stale):
		return "stale"
	case errors.Is(err, ErrEarly):
		return "early"
	case errors.Is(err, ErrRulesUnknown):
		return "unknown rules"
	case errors.Is(err, ErrPacketSalt):
		return "another salt"
	case errors.Is(err, records.ErrRefused):
		return "refused"
	}
	return "broken"
}

// review is one that is assigned.
func review(reviewer terms.ID, recused ...terms.ID) members {
	return members{"assigned": true, "reviewerId": string(reviewer), "conflictChecked": true, "conflictFound": false,
		"recusedReviewerIds": append([]terms.ID{}, recused...)}
}

// asserted is the record of somebody whose program asks nothing: what the packet in view leads to, as somebody who may judge it
// would record it, but signed by the reviewer, and with other members.
func (d *fixture) asserted(view *views.View, changes members) (sub Submission, readable bool) {
	d.t.Helper()
	admin := *d
	admin.reviewer.ID, admin.reviewer.Role = "admin-1", terms.SafetyAdmin
	made := decision{outcome: terms.UpholdDecision, head: &consoleHead}
	if view.Evaluation().Gate() != terms.Pass {
		made.outcome = terms.BlockReliance
	}
	author := &admin
	if records.MayDecide(view, d.reviewer) == nil {
		author = d
	}
	if records.MayRecord(view, author.reviewer, 0) != nil {
		made.outcome, made.added = terms.BlockReliance, []terms.Blocker{terms.NoticeMissing}
	}
	record := author.decide(view, made)
	named := members{"reviewer": members{"id": string(d.reviewer.ID), "role": d.reviewer.Role.String(), "keyFingerprint": d.reviewer.KeyFingerprint}}
	return d.alteredIfReadable(record, named.with(changes))
}
