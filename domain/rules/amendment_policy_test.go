package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

// amendmentWithoutRecordRows are about a question that has no amendment.
var amendmentWithoutRecordRows = []domaintest.Row{
	domaintest.When("no policy either", "policy_missing amendment_missing", domaintest.Del("/policy"), domaintest.Del("/record")),
	domaintest.When("both null", "policy_missing amendment_missing", domaintest.Set("/policy", nil), domaintest.Set("/record", nil)),
	domaintest.When("good policy", "amendment_missing", domaintest.Del("/record")),
	domaintest.When("policy without transitions", "amendment_missing", domaintest.Del("/record"), domaintest.Del("/policy/transitions")),
	domaintest.When("policy mutable", "policy_mutable amendment_missing", domaintest.Del("/record"), domaintest.Set("/policy/status", "draft")),
	domaintest.When("policy stale", "policy_stale amendment_missing", domaintest.Del("/record"), domaintest.Set("/policy/staleAfter", domaintest.Now)),
	domaintest.When("policy overtaken", "policy_superseded amendment_missing", domaintest.Del("/record"), domaintest.Set("/latestPolicyVersion", 6)),
	domaintest.When("latest policy version absent", "policy_superseded amendment_missing", domaintest.Del("/record"), domaintest.Del("/latestPolicyVersion")),
	domaintest.When("latest policy version is smaller", "policy_superseded amendment_missing", domaintest.Del("/record"), domaintest.Set("/latestPolicyVersion", 4)),
	domaintest.When("policy hash absent", "amendment_missing invalid_policy_hash", domaintest.Del("/record"), domaintest.RawDel("/policy/policyHash")),
	domaintest.When("policy all wrong", "policy_mutable policy_stale policy_superseded amendment_missing invalid_policy_hash",
		domaintest.Del("/record"), domaintest.Set("/policy/status", "superseded"), domaintest.Del("/policy/frozenAt"), domaintest.Set("/policy/staleAfter", domaintest.LongAgo),
		domaintest.RawSet("/policy/policyHash", domaintest.OtherHash)),
}

func TestAmendmentPolicyRulesOnCorrections(t *testing.T) {
	check(t, domaintest.Correction, domaintest.AmendmentPolicyRows)
}

func TestAmendmentPolicyRulesOnMaterialChanges(t *testing.T) {
	check(t, domaintest.MaterialChange, domaintest.AmendmentPolicyRows)
}

func TestPolicySnapshotBundleRule(t *testing.T) {
	check(t, domaintest.Correction, domaintest.BundleRows)
}

func TestAmendmentRulesWithoutRecord(t *testing.T) {
	check(t, domaintest.Correction, amendmentWithoutRecordRows)
}
