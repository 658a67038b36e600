package report

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/contracts"
	"docket/domain/ordered"
	"docket/domain/overlap"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// The bodies of the contracts as they follow from the vocabularies, rule books and definitions of package domain, and from what
// its rules find in the samples. The files in contracts/ are held to them.

func TestTheBodiesFollowFromVocabulariesAndRules(t *testing.T) {
	for kind, derived := range map[Kind]func() (ordered.Object, error){Appeals: appealBody, Amendments: amendmentBody} {
		want, err := derived()
		if err != nil {
			t.Fatal(err)
		}
		if got := kind.body(); !bytes.Equal(got.Text(), want.Text()) {
			t.Errorf("contracts/%s.json states\n%s\nand its body follows as\n%s", kind, got.Indented(), want.Indented())
		}
		stated := statementOfKind(kind)
		purposes := map[Kind]string{Appeals: appealPurpose, Amendments: amendmentPurpose}
		if stated.purpose != purposes[kind] {
			t.Errorf("%s: another purpose", kind)
		}
	}
}

func statementOfKind(kind Kind) *statement { return kind.spec().stated() }

// The statements of the appeals report alone, in the words of source 1, 2.3 and 4.1.
const (
	appealPurpose = "Scopes each appeal to one specific reviewed item, covers standing, triggers and advisory outcomes, " +
		"requires human review before any state change, and fails closed when appeal-case controls are missing."
	decisioningMode       = "deterministic_challenge_appeal_scope_only"
	appealEnforcementRule = "The route evaluates frozen appeal policies and appeal cases. Reliance on a correction to an " +
		"adverse decision requires such an enforcement record. The record cannot open appeals, correct records, allow " +
		"reliance, waive safety blockers, reopen settled obligations or publish public metrics. Fail-closed conditions apply."
)

// appealBody is the body of source 2.3.
func appealBody() (ordered.Object, error) {
	decision, evaluations, err := judgeAppealSamples()
	if err != nil {
		return nil, err
	}
	return ordered.Of(
		"decisioningMode", decisioningMode,
		"stateMutation", false,
		"subjects", terms.Subjects.Texts(),
		"standingCategories", terms.StandingCategories.Texts(),
		"appealTriggers", terms.Triggers.Texts(),
		"allowedOutcomes", terms.Outcomes.Texts(),
		"firstClassRecordTables", packetTables(terms.Appeals),
		"policySnapshotSubjects", []string{terms.SnapshotAppealCase.String()},
		"enforcementRule", appealEnforcementRule,
		"enforcementRecordTables", []string{terms.EnforcementTable(terms.Appeals).String()},
		"enforcementRoute", enforcementRoute(appealRoutePath),
		"appealCaseStatuses", terms.CaseStatuses.Texts(),
		"noticeStates", terms.NoticeStates.Texts(),
		"failClosedStatuses", failClosedStatuses(terms.Appeals),
		"approvedFactorCodes", terms.FactorCodes.Texts(),
		"invariants", views.Invariants(),
		"sampleDecision", decisionObject(decision),
		"appealCaseSampleEvaluationStatuses", evaluations,
		"contractTests", appealHooks,
	), nil
}

// packetTables are the tables of the first-class records of an area: its policies and what they judge.
func packetTables(area terms.Area) []string {
	return []string{terms.PolicyTable(area).String(), terms.RecordTable(area).String()}
}

// decisionObject writes a decision out as source 2.3.7 lists its members.
func decisionObject(d views.Decision) ordered.Object {
	return ordered.Of(
		"status", d.Status.String(),
		"outcome", d.Outcome.String(),
		"factorCodes", texts(d.FactorCodes),
		"humanReviewRequired", d.HumanReviewRequired,
		"stateMutation", d.StateMutation,
		"standingAccepted", d.StandingAccepted,
		"reviewScope", texts(d.ReviewScope),
		"requiredArtifacts", d.RequiredArtifacts,
		"privacyActions", d.PrivacyActions,
		"provenanceActivity", d.ProvenanceActivity,
		"traceabilityBusinessStep", d.TraceabilityStep,
		"appealScopeStatement", d.AppealScopeStatement,
		"blockers", texts(d.Blockers),
	)
}

// TestTheOverlapBodyHasTheWordsOfTheDomain; the source's own words are held by the test of the source.
func TestTheOverlapBodyHasTheWordsOfTheDomain(t *testing.T) {
	var endpoints []ordered.Object
	for _, endpoint := range overlap.PlannedEndpoints() {
		endpoints = append(endpoints, ordered.Of("method", endpoint.Method,
			"path", strings.TrimPrefix(endpoint.Path, "{base_url}"), "status", string(endpoint.Status)))
	}
	reviews := overlap.RequiredReviews()
	for _, member := range Overlap.body() {
		var want any
		switch member.Name {
		case "releaseState":
			want = overlap.ReleaseState
		case "storageState":
			want = overlap.StorageState
		case "plannedEndpoints":
			want = endpoints
		case "blockedUntil":
			want = reviews[:4]
		case "requiredReviews":
			want = reviews
		case "fallbackBehavior":
			want = overlap.FallbackBehavior
		default:
			continue
		}
		if got := ordered.Of("", member.Value).Text(); !bytes.Equal(got, ordered.Of("", want).Text()) {
			t.Errorf("%s is %s", member.Name, got)
		}
	}
}

// The statements of the amendments report alone, in the words of source 1, 4.2 and 7.
const (
	amendmentPurpose = "Fail-closed rules for changing locked donation offsets and pledge swaps after lock: append-only " +
		"amendment records, before/after term hashes, renewed confirmations, non-retroactivity, notice, reviewer quality, " +
		"baseline integrity, neutral review."
	privacyRule = "Public contract responses never carry private narratives, participant identities, confirmation payloads, " +
		"reviewer notes, payment details, private baselines or counterparty-specific terms."
	failClosedRule           = views.FailClosedText + " " + views.ParentRecordText
	amendmentEnforcementRule = "A record can prove that a gate is pass or blocked. A record cannot apply an amendment, edit " +
		"a parent record, authorize a material change, authorize payment, authorize reliance or publish public metrics. " +
		"Fail-closed conditions apply."
)

// amendmentBody is the body of source 2.5.
func amendmentBody() (ordered.Object, error) {
	evaluations, err := judgeAmendmentSamples()
	if err != nil {
		return nil, err
	}
	return ordered.Of(
		"privacyRule", privacyRule,
		"failClosedRule", failClosedRule,
		"enforcementRule", amendmentEnforcementRule,
		"firstClassRecordTables", packetTables(terms.Amendments),
		"enforcementRecordTables", []string{terms.EnforcementTable(terms.Amendments).String()},
		"enforcementRoute", enforcementRoute(amendmentRoutePath),
		"policySnapshotSubjects", []string{terms.SnapshotAgreementAmendment.String()},
		"transitions", terms.Transitions.Texts(),
		"subjectTypes", terms.SubjectTypes.Texts(),
		"amendmentTypes", terms.AmendmentTypes.Texts(),
		"amendmentStates", terms.AmendmentStates.Texts(),
		"confirmationStates", terms.ConfirmationStates.Texts(),
		"failClosedStatuses", failClosedStatuses(terms.Amendments),
		"transitionDefinitions", transitionDefinitions(),
		"agreementAmendmentSampleEvaluationStatuses", evaluations,
		"contractTests", amendmentHooks,
	), nil
}

// transitionDefinitions is source 2.5.1: every transition needs a record of both amendment tables.
func transitionDefinitions() []ordered.Object {
	var list []ordered.Object
	for _, definition := range rules.TransitionDefinitions() {
		list = append(list, ordered.Of(
			"key", definition.Key.String(),
			"protectedBoundary", definition.ProtectedBoundary,
			"requiredRecords", packetTables(terms.Amendments),
			"blocksTransitions", texts(definition.Blocks),
		))
	}
	return list
}

// The enforcement routes of source 4.1 and 4.2. Paths are relative to the service's base address.
const (
	appealRoutePath    = "/api/trade/challenge-appeal/enforce"
	amendmentRoutePath = "/api/trade/agreement-amendments/enforce"
	routeMethod        = "POST"
	routeAuth          = "authenticated"
)

// enforcementRoute is what a report says of the one route that writes.
func enforcementRoute(path string) ordered.Object {
	return ordered.Of(
		"method", routeMethod, "path", path, "auth", routeAuth, "stateMutation", records.EnforcementMutation,
	)
}

// The contract test hooks of source 2.5.4: names that stand in the reports and that the program's own tests answer to.
var (
	appealHooks = []string{
		"challenge_appeal_contract_validator",
		"challenge_appeal_evaluate_route_contract",
		"challenge_appeal_enforce_route_contract",
		"challenge_appeal_enforcement_record_schema_contract",
		"appeal_case_record_contract",
		"appeal_case_fail_closed_evaluator",
		"challenge_appeal_scope_smoke",
		"technical_spec_challenge_appeal_smoke",
	}
	amendmentHooks = []string{
		"agreement_amendment_contract_validator",
		"agreement_amendment_evaluator_fail_closed",
		"agreement_amendment_route_contract",
		"agreement_amendment_enforce_route_contract",
		"agreement_amendment_schema_contract",
		"agreement_amendment_enforcement_record_schema_contract",
		"agreement_amendment_health_contract",
	}
)

// samples/ holds the packets that the published sample decision and sample evaluations are judged from: a policy and
// two records for each area, as `docket import` takes them.
//
//go:embed samples/*.json
var sampleFiles embed.FS

// sampleAt is the time for which the samples are judged, so that a report says the same whenever it is made.
const sampleAt = "2026-06-30T12:00:00Z"

var errSample = errors.New("a sample that the program ships cannot be judged")

// A sample is one record of a sample file and the gate that it shows (source 3.5).
type sample struct {
	id    terms.ID
	shows terms.Gate
}

var (
	appealSamples    = []sample{{"sample-complete-case", terms.Pass}, {"sample-incomplete-case", terms.Blocked}}
	amendmentSamples = []sample{{"sample-correction", terms.Pass}, {"sample-burden-shift", terms.Blocked}}
)

// judgeAppealSamples judges the sample cases. It returns the decision on the complete one and the status of each, under
// the key <subject>:<trigger>:<what it is there to show>.
func judgeAppealSamples() (views.Decision, ordered.Object, error) {
	packets, err := readSamples(terms.Appeals)
	if err != nil {
		return views.Decision{}, nil, err
	}
	var decision views.Decision
	var evaluations ordered.Object
	for _, sample := range appealSamples {
		judgment, record, err := packets.judge(sample.id)
		if err != nil {
			return views.Decision{}, nil, err
		}
		content := record.AppealCase().Record()
		key := content.Subject.String() + ":" + content.Trigger.String() + ":" + sample.shows.String()
		evaluations = evaluations.With(key, judgment.Gate().String())
		if sample.shows == terms.Pass {
			decision = views.DecisionOf(judgment)
		}
	}
	return decision, evaluations, nil
}

// judgeAmendmentSamples judges the sample amendments and returns the status of each under its transition.
func judgeAmendmentSamples() (ordered.Object, error) {
	packets, err := readSamples(terms.Amendments)
	if err != nil {
		return nil, err
	}
	var evaluations ordered.Object
	for _, sample := range amendmentSamples {
		judgment, _, err := packets.judge(sample.id)
		if err != nil {
			return nil, err
		}
		evaluations = evaluations.With(judgment.Transition().String(), judgment.Gate().String())
	}
	return evaluations, nil
}

// samplePackets are the packets of one sample file.
type samplePackets struct {
	policy  packets.Packet
	records map[terms.ID]packets.Packet
}

// readSamples reads a sample file as any packet file is read.
func readSamples(area terms.Area) (*samplePackets, error) {
	name := "samples/" + area.String() + ".json"
	text, err := sampleFiles.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSample, err)
	}
	read := &samplePackets{records: map[terms.ID]packets.Packet{}}
	var refusal error
	err = contracts.ReadPackets(context.Background(), name, bytes.NewReader(text), contracts.Handler{
		Packet: func(_ int, p packets.Packet) error {
			if p.Table() == terms.PolicyTable(area) {
				read.policy = p
			} else {
				read.records[p.Key().ID] = p
			}
			return nil
		},
		Refused: func(r contracts.Refusal) { refusal = errors.Join(refusal, r) },
	})
	if err = errors.Join(err, refusal); err != nil {
		return nil, fmt.Errorf("%w: %w", errSample, err)
	}
	return read, nil
}

// judge judges the record of that id under the file's policy, both being the latest there are.
func (s *samplePackets) judge(id terms.ID) (rules.Evaluation, packets.Packet, error) {
	record, there := s.records[id]
	at, readable := terms.ParseInstant(sampleAt)
	if !there || !readable {
		return rules.Evaluation{}, record, fmt.Errorf("%w: %s", errSample, id)
	}
	latest := rules.Latest{PolicyVersion: s.policy.Key().Number, Revision: record.Key().Number}
	question := rules.PacketInput(s.policy, record, latest, at)
	return rules.Evaluate(&question), record, nil
}

// texts are words as they stand in a report; never nil.
func texts[W fmt.Stringer](words []W) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.String()
	}
	return list
}
