package report_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/contracts"
	"docket/contracts/report"
	"docket/domain/json"
	"docket/domain/overlap"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// The members of the bodies that follow from the vocabularies, rule books and definitions of package domain,
// and from what its rules find in the samples.

func TestTheBodiesFollowFromVocabulariesAndRules(t *testing.T) {
	for kind, derived := range map[report.Kind]func(*testing.T) json.Object{report.Appeals: appealBody,
		report.Overlap: overlapBody, report.Amendments: amendmentBody} {
		var document struct {
			PublicContract map[string]stdjson.RawMessage
		}
		must(t, stdjson.Unmarshal(published(t, kind), &document))
		for _, member := range derived(t) {
			var got bytes.Buffer
			must(t, stdjson.Compact(&got, document.PublicContract[member.Name]))
			text := json.Of("", member.Value).Text()
			if want := strings.TrimSuffix(strings.TrimPrefix(string(text), `{"":`), "}"); got.String() != want {
				t.Errorf("%s: %s states\n%s\nand follows as\n%s", kind, member.Name, got.String(), want)
			}
		}
	}
}

func appealBody(t *testing.T) json.Object {
	samples, evaluations := sampleViews(t, terms.Appeals), json.Object{}
	for _, shown := range [][2]string{{"sample-complete-case", "pass"}, {"sample-incomplete-case", "blocked"}} {
		v := samples[terms.ID(shown[0])]
		judged := v.Record().AppealCase().Record()
		evaluations = evaluations.With(judged.Subject.String()+":"+judged.Trigger.String()+":"+shown[1], v.Evaluation().Gate().String())
	}
	complete := samples["sample-complete-case"]
	return json.Of(
		"subjects", terms.Subjects.Texts(),
		"standingCategories", terms.StandingCategories.Texts(),
		"appealTriggers", terms.Triggers.Texts(),
		"allowedOutcomes", terms.Outcomes.Texts(),
		"firstClassRecordTables", packetTables(terms.Appeals),
		"policySnapshotSubjects", []string{terms.SnapshotAppealCase.String()},
		"enforcementRecordTables", []string{terms.EnforcementTable(terms.Appeals).String()},
		"enforcementRoute", enforcementRoute("/api/trade/challenge-appeal/enforce"),
		"appealCaseStatuses", terms.CaseStatuses.Texts(),
		"noticeStates", terms.NoticeStates.Texts(),
		"failClosedStatuses", codesOf(rules.Book(terms.Appeals)),
		"approvedFactorCodes", terms.FactorCodes.Texts(),
		"invariants", views.Invariants(),
		"sampleDecision", decisionObject(views.DecisionOf(complete.Evaluation())),
		"appealCaseSampleEvaluationStatuses", evaluations,
	)
}

// codesOf are the codes of a rule book, in its order (source 7).
func codesOf(book []rules.Rule) []string {
	var codes []string
	for _, rule := range book {
		codes = append(codes, rule.Code.String())
	}
	return codes
}

// packetTables are the tables of the first-class records of an area: its policies and what they judge.
func packetTables(area terms.Area) []string {
	return []string{terms.PolicyTable(area).String(), terms.RecordTable(area).String()}
}

// decisionObject writes a decision out as source 2.3.7 lists its members.
func decisionObject(d views.Decision) json.Object {
	return json.Of(
		"status", d.Status.String(),
		"outcome", d.Outcome.String(),
		"factorCodes", words(d.FactorCodes),
		"humanReviewRequired", d.HumanReviewRequired,
		"stateMutation", d.StateMutation,
		"standingAccepted", d.StandingAccepted,
		"reviewScope", words(d.ReviewScope),
		"requiredArtifacts", d.RequiredArtifacts,
		"privacyActions", d.PrivacyActions,
		"provenanceActivity", d.ProvenanceActivity,
		"traceabilityBusinessStep", d.TraceabilityStep,
		"appealScopeStatement", d.AppealScopeStatement,
		"blockers", words(d.Blockers),
	)
}

func overlapBody(*testing.T) json.Object {
	var endpoints []json.Object
	for _, endpoint := range overlap.PlannedEndpoints() {
		endpoints = append(endpoints, json.Of("method", endpoint.Method,
			"path", strings.TrimPrefix(endpoint.Path, "{base_url}"), "status", string(endpoint.Status)))
	}
	reviews := overlap.RequiredReviews()
	return json.Of(
		"releaseState", overlap.ReleaseState,
		"storageState", overlap.StorageState,
		"plannedEndpoints", endpoints,
		"blockedUntil", reviews[:4],
		"requiredReviews", reviews,
		"fallbackBehavior", overlap.FallbackBehavior,
	)
}

func amendmentBody(t *testing.T) json.Object {
	samples, evaluations := sampleViews(t, terms.Amendments), json.Object{}
	for _, id := range []terms.ID{"sample-correction", "sample-burden-shift"} {
		v := samples[id]
		evaluations = evaluations.With(v.Evaluation().Transition().String(), v.Evaluation().Gate().String())
	}
	var definitions []json.Object
	for _, definition := range rules.TransitionDefinitions() {
		definitions = append(definitions, json.Of(
			"key", definition.Key.String(),
			"protectedBoundary", definition.ProtectedBoundary,
			"requiredRecords", packetTables(terms.Amendments),
			"blocksTransitions", words(definition.Blocks),
		))
	}
	return json.Of(
		"firstClassRecordTables", packetTables(terms.Amendments),
		"enforcementRecordTables", []string{terms.EnforcementTable(terms.Amendments).String()},
		"enforcementRoute", enforcementRoute("/api/trade/agreement-amendments/enforce"),
		"policySnapshotSubjects", []string{terms.SnapshotAgreementAmendment.String()},
		"transitions", terms.Transitions.Texts(),
		"subjectTypes", terms.SubjectTypes.Texts(),
		"amendmentTypes", terms.AmendmentTypes.Texts(),
		"amendmentStates", terms.AmendmentStates.Texts(),
		"confirmationStates", terms.ConfirmationStates.Texts(),
		"failClosedStatuses", codesOf(rules.Book(terms.Amendments)),
		"transitionDefinitions", definitions,
		"agreementAmendmentSampleEvaluationStatuses", evaluations,
	)
}

// enforcementRoute is what a report says of the one route that writes.
func enforcementRoute(path string) json.Object {
	return json.Of("method", "POST", "path", path, "auth", "authenticated", "stateMutation", records.EnforcementMutation)
}

// sampleViews are the records of an area's sample file as `docket import` takes them, under its policy and at one time; all are the
// latest that there are. The published sample decision and evaluations are judged from them (source 3.5).
func sampleViews(t *testing.T, area terms.Area) map[terms.ID]views.View {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("samples", area.String()+".json"))
	must(t, err)
	var policy packets.Packet
	all := map[terms.ID]views.View{}
	must(t, contracts.ReadPackets(t.Context(), "samples", bytes.NewReader(text), contracts.Handler{
		Packet: func(_ int, p packets.Packet) error {
			if p.Table() == terms.PolicyTable(area) {
				policy = p
				return nil
			}
			latest := rules.Latest{PolicyVersion: policy.Key().Number, Revision: p.Key().Number}
			all[p.Key().ID] = views.New(policy, p, latest, instant("2026-06-30T12:00:00Z"))
			return nil
		},
		Refused: func(r contracts.Refusal) { t.Error(r) },
	}))
	return all
}

// words are those as they stand in a report; never nil.
func words[W fmt.Stringer](words []W) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.String()
	}
	return list
}
