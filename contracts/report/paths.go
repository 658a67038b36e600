package report

import (
	"regexp"
	"strings"
)

// A path leads to places from the report down, "*" standing for any step, and names their check:
// the first that leads to a place, or to something that holds it, is the place's.
type path struct{ at, check string }

const (
	bodyMember    = "publicContract"
	checkedAt     = "/checkedAt"
	factorCodes   = "/publicContract/sampleDecision/factorCodes"
	approvedCodes = "approvedFactorCodes"
)

// envelopePaths are those of every report (source 2.1), the last for any place; their checks are
// this project's choice and stand in no report.
var envelopePaths = []path{
	{"/contractVersion", "contract-version"},
	{"/validation/contractVersion", "contract-version"},
	{"/validation/validatorName", "validator-identity"},
	{"/validation/validatorVersion", "validator-identity"},
	{"/purpose", "stated-purpose"},
	{"/publicNonClaim", "stated-purpose"},
	{checkedAt, "time-of-check"},
	{"/validation/checks/*/status", "stated-results"},
	{"/validation/checks/*/evidence", "stated-results"},
	{"/validation/checks", "check-list"},
	{"/validation/status", "stated-results"},
	{"/validation/blockers", "stated-results"},
	{"/validation/liveReady", "stated-results"},
	{"/ok", "stated-results"},
	{"/blockers", "stated-results"},
	{"", "report-schema"},
}

// The paths of each body (source 2.3 to 2.5) with the checks of source 2.6; which check has which
// member is this project's choice.
var (
	appealPaths = []path{
		{"/publicContract/subjects", "subject-coverage"},
		{"/publicContract/standingCategories", "standing-coverage"},
		{"/publicContract/invariants/2", "standing-coverage"},
		{"/publicContract/appealTriggers", "trigger-and-outcome-coverage"},
		{"/publicContract/allowedOutcomes", "trigger-and-outcome-coverage"},
		{"/publicContract/invariants/6", "trigger-and-outcome-coverage"},
		{"/publicContract/firstClassRecordTables", "first-class-record-coverage"},
		{"/publicContract/policySnapshotSubjects", "first-class-record-coverage"},
		{"/publicContract/invariants/3", "first-class-record-coverage"},
		{"/publicContract/enforcementRecordTables", "enforcement-record-coverage"},
		{"/publicContract/enforcementRoute", "enforcement-record-coverage"},
		{"/publicContract/enforcementRule", "enforcement-record-coverage"},
		{"/publicContract/appealCaseStatuses", "appeal-case-state-coverage"},
		{"/publicContract/noticeStates", "appeal-case-state-coverage"},
		{"/publicContract/failClosedStatuses", "appeal-case-fail-closed-coverage"},
		{"/publicContract/sampleDecision", "sample-decision-validation"},
		{"/publicContract/approvedFactorCodes", "sample-decision-validation"},
		{"/publicContract/appealCaseSampleEvaluationStatuses", "sample-appeal-case-evaluations"},
		{"/publicContract/invariants/5", "remedy-and-human-control"},
		{"/publicContract/invariants/9", "remedy-and-human-control"},
		{"/publicContract/invariants/4", "no-silent-reopen-or-safety-waiver"},
		{"/publicContract/invariants/7", "privacy-and-provenance"},
		{"/publicContract/invariants/8", "privacy-and-provenance"},
		{"/publicContract/invariants", "narrow-appeal-scope"},
		{"/publicContract/decisioningMode", "nonmutating-decision-mode"},
		{"/publicContract/stateMutation", "nonmutating-decision-mode"},
		{"/publicContract/contractTests", "contract-tests"},
	}
	overlapPaths = []path{
		{"/publicContract/releaseState", "governance-gated-release-state"},
		{"/publicContract/liveEndpointEnabled", "governance-gated-release-state"},
		{"/publicContract/liveReady", "governance-gated-release-state"},
		{"/publicContract/storageState", "governance-gated-release-state"},
		{"/publicContract/requiredReviews", "review-gates"},
		{"/publicContract/blockedUntil", "review-gates"},
		{"/publicContract/contractTests", "review-gates"},
		{"/publicContract/namespaceRules/*/rawValueRetention", "raw-values-forbidden"},
		{"/publicContract/namespaceRules/*/storedRepresentation", "future-storage-is-blinded-only"},
		{"/publicContract/namespaceRules", "curated-tags-only"},
		{"/publicContract/forbiddenInputs", "curated-tags-only"},
		{"/publicContract/forbiddenStoredFields", "raw-values-forbidden"},
		{"/publicContract/futureStoredFields", "future-storage-is-blinded-only"},
		{"/publicContract/plannedEndpoints", "blocked-live-endpoints"},
		{"/publicContract/participantOutput", "counts-only-output"},
		{"/publicContract/fallbackBehavior", "deterministic-fallback"},
	}
	amendmentPaths = []path{
		{"/publicContract/firstClassRecordTables", "record-table-coverage"},
		{"/publicContract/privacyRule", "record-table-coverage"},
		{"/publicContract/enforcementRecordTables", "enforcement-record-table-coverage"},
		{"/publicContract/enforcementRule", "enforcement-record-table-coverage"},
		{"/publicContract/enforcementRoute", "enforcement-route-coverage"},
		{"/publicContract/policySnapshotSubjects", "policy-subject-coverage"},
		{"/publicContract/transitions", "transition-coverage"},
		{"/publicContract/subjectTypes", "subject-type-coverage"},
		{"/publicContract/amendmentTypes", "amendment-type-coverage"},
		{"/publicContract/amendmentStates", "amendment-state-coverage"},
		{"/publicContract/confirmationStates", "amendment-state-coverage"},
		{"/publicContract/failClosedStatuses", "fail-closed-coverage"},
		{"/publicContract/failClosedRule", "fail-closed-coverage"},
		{"/publicContract/transitionDefinitions", "transition-definition-coverage"},
		{"/publicContract/agreementAmendmentSampleEvaluationStatuses", "sample-evaluation-coverage"},
		{"/publicContract/contractTests", "contract-test-coverage"},
	}
)

// A form is a place whose text the source describes and does not state word for word.
type form struct {
	at, want string
	holds    *regexp.Regexp // of the text; nil: any text, whose wording is not checked
	any      bool           // of a list: it may have any number of such texts
}

// baseAddress matches the text before a path: nothing, the source's placeholder, or an address.
const baseAddress = `^(\{base_url\}|https?://[A-Za-z0-9._~:\[\]-]+(/[A-Za-z0-9._~-]+)*)?`

// forms are the places where a report may use other words than the built-in one.
var forms = []form{
	{at: "/purpose"},
	{at: "/publicNonClaim"},
	{at: "/validation/checks/*/label"},
	{at: "/validation/checks/*/evidence"},
	{at: "/publicContract/enforcementRule"},
	{at: "/publicContract/enforcementRoute/stateMutation",
		want:  "append_only_enforcement_record, in this or another spelling",
		holds: regexp.MustCompile(`^[Aa]ppend[-_ ]only([-_ ](owner[-_ ]scoped[-_ ])?(enforcement[-_ ])?record)?$`)},
	{at: "/publicContract/invariants/*"},
	{at: "/publicContract/sampleDecision/requiredArtifacts", any: true},
	{at: "/publicContract/sampleDecision/privacyActions", any: true},
	{at: "/publicContract/sampleDecision/appealScopeStatement"},
	{at: "/publicContract/namespaceRules/*/label"},
	{at: "/publicContract/blockedUntil/*"},
	{at: "/publicContract/requiredReviews/*"},
	{at: "/publicContract/fallbackBehavior"},
	{at: "/publicContract/privacyRule"},
	{at: "/publicContract/failClosedRule"},
	{at: "/publicContract/transitionDefinitions/*/protectedBoundary"},
}

func formAt(place string) *form {
	for i := range forms {
		if leadsTo(forms[i].at, place) && strings.Count(forms[i].at, "/") == strings.Count(place, "/") {
			return &forms[i]
		}
	}
	return nil
}

func (k Kind) checkAt(place string) string {
	for _, rows := range [][]path{kinds[k].paths, envelopePaths} {
		for _, row := range rows {
			if leadsTo(row.at, place) {
				return row.check
			}
		}
	}
	return ""
}

// leadsTo reports whether the pattern leads to the place or to something that holds it.
func leadsTo(pattern, place string) bool {
	for step := range strings.SplitSeq(pattern, "/") {
		at := ""
		if at, place, _ = strings.Cut(place, "/"); step != at && (step != "*" || at == "") {
			return false
		}
	}
	return true
}
