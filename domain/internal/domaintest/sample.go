package domaintest

import (
	_ "embed"

	"docket/domain/records"
)

// The samples that the tests start from: one policy for each area, one appeal case and two
// amendments that pass, as JSON text without hashes. A scene seals them.
var (
	//go:embed appeal.json
	appeal string
	//go:embed amendment.json
	amendment string
)

func Appeal() Scene { return Parsed(appeal) }

func MaterialChange() Scene {
	s := Scene(Parsed(amendment))
	s.Make(Set("/record/effects/exposureIncrease", true))
	return s
}

func Correction() Scene {
	s := Scene(Parsed(amendment))
	s.Record()["transition"], s.Record()["amendmentType"] = "post_lock_correction", "correction"
	s.Make(Set("/record/confirmationState", "not_required_for_stage"))
	s.Make(Set("/record/changedTerms", []string{"wording"}))
	s.Make(Del("/record/requiredParties"))
	s.Make(Del("/record/confirmations"))
	return s
}

var SampleReasons = records.Statement{Salt: SampleSalt, Text: "The notice does not say who was told."}

// The scenes that pass, from which controls are taken away. Together they use every member.
func Passing() map[string]Scene {
	gap := Appeal()
	gap.Record()["trigger"], gap.Record()["remedyGap"] = "externality_remedy_gap", "The stream was not restored."
	gap.Record()["standing"].(map[string]any)["category"] = "affected_party"
	gap.Record()["requestedOutcome"] = "record_remedy"
	return map[string]Scene{"appeal": Appeal(), "appeal of an affected party": gap, "correction": Correction(),
		"material change": MaterialChange(), "change of destination": DestinationChange()}
}

func DestinationChange() Scene {
	s := MaterialChange()
	s.Record()["transition"], s.Record()["amendmentType"] = "destination_change", "destination_change"
	s.Record()["destinationReview"] = map[string]any{"completed": true}
	return s
}

// ConfirmationOf is a live confirmation of everything, with other members where they are given.
func ConfirmationOf(party string, members ...any) map[string]any {
	c := map[string]any{"partyRef": party, "covers": []string{"exposureIncrease"}, "termsHash": AfterTerms,
		"confirmedAt": "2026-06-06T10:00:00Z", "expiresAt": "2026-12-06T10:00:00Z"}
	for i := 0; i < len(members); i += 2 {
		c[members[i].(string)] = members[i+1]
	}
	return c
}

// MailInText is a text with something private in it.
const MailInText = "Write to somebody@example.org about it."
