package overlap_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain/overlap"
	"docket/domain/terms"
)

// texts is what the tests ask of any vocabulary.
type texts interface {
	Name() string
	Texts() []string
}

// vocabularies are the words as the source lists them, and where it shows none as this project chose them.
var vocabularies = []struct {
	got  texts
	want string
}{
	{overlap.Namespaces, "exact_capability_tag exact_constraint_tag exact_verification_tag"},
	{overlap.ForbiddenInputs, "free_text exact_wish exact_ask raw_source_text contact_details precise_location"},
	{overlap.ForbiddenStoredFields, "raw_tag canonical_tag raw_text exact_private_wish non_overlap_value"},
	{overlap.FutureStoredFields, "blinded_tag token_version tag_namespace expires_at audit_reason"},
	{overlap.AllowedOutputs, "result_bucket receipt_id blockers"},
	{overlap.ForbiddenOutputs, "matching_tag_names non_overlap_tags raw_tokens counterparty_tag_set"},
	{overlap.ReleaseStates, "governance_gated_pilot"},
	{overlap.StorageStates, "pilot_schema_created"},
	{overlap.RawValueRetentions, "forbidden"},
	{overlap.StoredRepresentations, "blinded_token_only"},
	{overlap.RouteStatuses, "governance_gated blocked_pending_crypto_review"},
	{overlap.Reviews, `dpia_privacy_design_review cryptographic_design_review threat_model_abuse_case_review
		external_security_privacy_review redaction_and_deletion_property_tests`},
	{overlap.ReviewStates, "open"},
	{overlap.Actions, "check refresh_tokens delete_tokens"},
	{overlap.ResultBuckets, "not_evaluated"},
	{overlap.Blockers, `governance_gated blocked_pending_crypto_review live_endpoint_disabled
		dpia_privacy_design_review_open cryptographic_design_review_open threat_model_abuse_case_review_open
		external_security_privacy_review_open redaction_and_deletion_property_tests_open`},
	{overlap.RefusalCodes, `malformed_json too_large wrong_type forbidden_input unknown_member member_missing
		not_a_blinded_tag not_a_namespace not_a_token_version not_a_time token_count`},
}

func TestVocabulariesAreTheSources(t *testing.T) {
	names := map[string]bool{}
	for _, v := range vocabularies {
		if want := strings.Fields(v.want); !slices.Equal(v.got.Texts(), want) {
			t.Errorf("%s: %q", v.got.Name(), v.got.Texts())
		}
		if names[v.got.Name()] {
			t.Errorf("two are called %q", v.got.Name())
		}
		names[v.got.Name()] = true
	}
}

func TestWordsGoThereAndBack(t *testing.T) {
	for _, blocker := range overlap.Blockers.All() {
		text, err := json.Marshal(blocker)
		var read overlap.Blocker
		if err != nil || json.Unmarshal(text, &read) != nil || read != blocker {
			t.Errorf("%s is read as %v: %v", text, read, err)
		}
	}
}

func TestTheConstantsNameTheirWords(t *testing.T) {
	for word, want := range map[string]string{
		overlap.ExactVerificationTag.String(): "exact_verification_tag", overlap.FieldAuditReason.String(): "audit_reason",
		overlap.OutputBlockers.String(): "blockers", overlap.GovernanceGatedPilot.String(): "governance_gated_pilot",
		overlap.PilotSchemaCreated.String(): "pilot_schema_created", overlap.RetentionForbidden.String(): "forbidden",
		overlap.BlindedTokenOnly.String(): "blinded_token_only", overlap.ReviewOpen.String(): "open",
		overlap.NotEvaluated.String(): "not_evaluated", overlap.PropertyTests.String(): "redaction_and_deletion_property_tests",
		overlap.DeleteTokens.String():             "delete_tokens",
		overlap.BlockerPropertyTestsOpen.String(): "redaction_and_deletion_property_tests_open",
		overlap.TokenCount.String():               "token_count",
	} {
		if word != want {
			t.Errorf("%q, want %q", word, want)
		}
	}
}

func TestTheContractIsTheSources(t *testing.T) {
	if overlap.Contract != (terms.Contract{Version: "background-private-overlap-pilot-v0.2-2026-06",
		ValidatorName: "background-private-overlap-design", ValidatorVersion: "background-private-overlap-validator-v0.2"}) {
		t.Errorf("%+v", overlap.Contract)
	}
	release := overlap.CurrentRelease()
	if release.ReleaseState != overlap.GovernanceGatedPilot || release.LiveEndpointEnabled || release.LiveReady ||
		release.StorageState != overlap.PilotSchemaCreated {
		t.Errorf("%+v", release)
	}
	var routes []string
	for i, e := range overlap.PlannedEndpoints() {
		routes = append(routes, e.Method+" "+e.Path+" "+e.Status.String())
		if of, ok := overlap.EndpointOf(overlap.Action(i + 1)); !ok || of != e {
			t.Errorf("%+v", e)
		}
	}
	if want := []string{
		"POST {base_url}/api/background/private-overlap/check governance_gated",
		"POST {base_url}/api/background/private-overlap/refresh-tokens blocked_pending_crypto_review",
		"DELETE {base_url}/api/background/private-overlap/tokens blocked_pending_crypto_review",
	}; !slices.Equal(routes, want) {
		t.Errorf("%q", routes)
	}
	for i, rule := range overlap.NamespaceRules() {
		kind := strings.TrimSuffix(strings.TrimPrefix(rule.Key.String(), "exact_"), "_tag")
		if rule.Key != overlap.Namespaces.All()[i] || rule.AllowedSource != "approved exact "+kind+" tags only" ||
			rule.RawValueRetention != overlap.RetentionForbidden || rule.StoredRepresentation != overlap.BlindedTokenOnly || rule.Label == "" {
			t.Errorf("%+v", rule)
		}
	}
	if len(overlap.NamespaceRules()) != 3 || len(overlap.Rules()) != 5 {
		t.Error("the rules are not all there")
	}
}

func TestAllFiveReviewsAreOpenAndFourOfThemAreTheConditions(t *testing.T) {
	reviews := overlap.RequiredReviews()
	blockers := map[overlap.Blocker]bool{}
	var said []string
	for i, r := range reviews {
		if r.Key != overlap.Reviews.All()[i] || r.State != overlap.ReviewOpen || r.Blocker.String() != r.Key.String()+"_open" {
			t.Errorf("%+v", r)
		}
		blockers[r.Blocker] = true
		said = append(said, r.Text)
	}
	want := []string{"a DPIA with a documented privacy-design review", "a formal cryptographic design review",
		"a narrow threat-model and abuse-case review", "an external security/privacy review before the pilot",
		"property tests for non-overlap redaction and token deletion"}
	if !slices.Equal(said, want) || len(blockers) != 5 || !slices.Equal(overlap.BlockedUntil(), want[:4]) {
		t.Errorf("%q", said)
	}
	for i, rule := range overlap.BlockerRules() {
		if int(rule.Code) != i+1 || rule.Meaning == "" || rule.Cure == "" {
			t.Errorf("%+v", rule)
		}
	}
	for _, code := range overlap.RefusalCodes.All() {
		if overlap.RefusalMeaning(code) == "" {
			t.Errorf("%s has no meaning", code)
		}
	}
}

func TestTablesReturnCopies(t *testing.T) {
	overlap.RequiredReviews()[0].State = 0
	overlap.PlannedEndpoints()[0].Status = 0
	overlap.BlockerRules()[0].Code = 0
	overlap.NamespaceRules()[0].Key = 0
	overlap.Rules()[0] = ""
	TestTheContractIsTheSources(t)
	TestAllFiveReviewsAreOpenAndFourOfThemAreTheConditions(t)
	if _, ok := overlap.EndpointOf(0); ok {
		t.Error("no action has a route")
	}
	if _, ok := overlap.EndpointOf(9); ok {
		t.Error("no action has a route")
	}
	if _, ok := overlap.RuleFor(0); ok || overlap.RefusalMeaning(0) != "" {
		t.Error("an absent word means something")
	}
}
