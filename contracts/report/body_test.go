package report_test

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"errors"
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
	for kind, derived := range map[report.Kind]func() (json.Object, error){report.Appeals: appealBody,
		report.Overlap: overlapBody, report.Amendments: amendmentBody} {
		want, err := derived()
		must(t, err)
		var document struct {
			PublicContract map[string]stdjson.RawMessage
		}
		must(t, stdjson.Unmarshal(published(t, kind), &document))
		for _, member := range want {
			var got bytes.Buffer
			must(t, stdjson.Compact(&got, document.PublicContract[member.Name]))
			text := json.Of("", member.Value).Text()
			if want := strings.TrimSuffix(strings.TrimPrefix(string(text), `{"":`), "}"); got.String() != want {
				t.Errorf("%s: %s states\n%s\nand follows as\n%s", kind, member.Name, got.String(), want)
			}
		}
	}
}

func appealBody() (json.Object, error) {
	decision, evaluations, err := judgeAppealSamples()
	if err != nil {
		return nil, err
	}
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
		"sampleDecision", decisionObject(decision),
		"appealCaseSampleEvaluationStatuses", evaluations,
	), nil
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

func overlapBody() (json.Object, error) {
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
	), nil
}

func amendmentBody() (json.Object, error) {
	evaluations, err := judgeAmendmentSamples()
	if err != nil {
		return nil, err
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
	), nil
}

// enforcementRoute is what a report says of the one route that writes.
func enforcementRoute(path string) json.Object {
	return json.Of("method", "POST", "path", path, "auth", "authenticated", "stateMutation", records.EnforcementMutation)
}

// samples/ holds the packets that the published sample decision and evaluations are judged from: a policy and
// two records for each area, as `docket import` takes them.

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
func judgeAppealSamples() (views.Decision, json.Object, error) {
	packets, err := readSamples(terms.Appeals)
	if err != nil {
		return views.Decision{}, nil, err
	}
	var decision views.Decision
	var evaluations json.Object
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
func judgeAmendmentSamples() (json.Object, error) {
	packets, err := readSamples(terms.Amendments)
	if err != nil {
		return nil, err
	}
	var evaluations json.Object
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
	text, err := os.ReadFile(filepath.FromSlash(name))
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

// words are those as they stand in a report; never nil.
func words[W fmt.Stringer](words []W) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.String()
	}
	return list
}
