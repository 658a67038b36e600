package report

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"

	"docket/contracts"
	"docket/domain"
	"docket/domain/ordered"
)

// samples/ holds the packets that the published sample decision and sample evaluations are judged from: a policy and
// two records for each area, as `docket import` takes them.
//
//go:embed samples/*.json
var sampleFiles embed.FS

// sampleAt is the time for which the samples are judged, so that a report says the same whenever it is made.
const sampleAt = "2026-06-30T12:00:00Z"

var errSample = errors.New("a sample that the program ships cannot be judged")

// A sample is one record of a sample file and what it is there to show (seed 3.5).
type sample struct {
	id    domain.ID
	shows domain.Gate
}

var (
	appealSamples    = []sample{{"sample-complete-case", domain.Pass}, {"sample-incomplete-case", domain.Blocked}}
	amendmentSamples = []sample{{"sample-correction", domain.Pass}, {"sample-burden-shift", domain.Blocked}}
)

// judgeAppealSamples judges the sample cases. It returns the decision on the complete one and the status of each, under
// the key <subject>:<trigger>:<what it is there to show>.
func judgeAppealSamples() (domain.Decision, ordered.Object, error) {
	packets, err := readSamples(domain.Appeals)
	if err != nil {
		return domain.Decision{}, nil, err
	}
	var decision domain.Decision
	var evaluations ordered.Object
	for _, sample := range appealSamples {
		judgment, record, err := packets.judge(sample.id)
		if err != nil {
			return domain.Decision{}, nil, err
		}
		content := record.AppealCase().Record()
		key := content.Subject.String() + ":" + content.Trigger.String() + ":" + sample.shows.String()
		evaluations = evaluations.With(key, judgment.Gate().String())
		if sample.shows == domain.Pass {
			decision = domain.DecisionOf(judgment)
		}
	}
	return decision, evaluations, nil
}

// judgeAmendmentSamples judges the sample amendments and returns the status of each under its transition.
func judgeAmendmentSamples() (ordered.Object, error) {
	packets, err := readSamples(domain.Amendments)
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
	policy  domain.Packet
	records map[domain.ID]domain.Packet
}

// readSamples reads a sample file as any packet file is read.
func readSamples(area domain.Area) (*samplePackets, error) {
	name := "samples/" + area.String() + ".json"
	text, err := sampleFiles.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSample, err)
	}
	read := &samplePackets{records: map[domain.ID]domain.Packet{}}
	var refusal error
	err = contracts.ReadPackets(context.Background(), name, bytes.NewReader(text), contracts.Handler{
		Packet: func(_ int, p domain.Packet) error {
			if p.Table() == domain.PolicyTable(area) {
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
func (s *samplePackets) judge(id domain.ID) (domain.Judgment, domain.Packet, error) {
	record, there := s.records[id]
	at, readable := domain.ParseInstant(sampleAt)
	if !there || !readable {
		return domain.Judgment{}, record, fmt.Errorf("%w: %s", errSample, id)
	}
	latest := domain.Latest{PolicyVersion: s.policy.Key().Number, Revision: record.Key().Number}
	question := domain.PacketQuestion(s.policy, record, latest, at)
	return domain.Judge(&question), record, nil
}
