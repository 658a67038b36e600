package store

import (
	"errors"

	"docket/domain"
)

// ErrRulesUnknown says that a record was judged by a rule book that this program does not have, so that it cannot be judged
// again here.
var ErrRulesUnknown = errors.New("the record names rules that this version of docket does not have")

// A rejudging judges the packets of a record again as they were when it was made, beside what else is done meanwhile.
type rejudging struct {
	record   domain.Enforcement
	replayed domain.Replayed
	wait     func() error
}

// rejudge begins with the packets in view, which are those under the names that the record gives. The error wraps
// ErrNotFound if the policy is not held; else finish has to be called.
func rejudge(sub *Submission, view *domain.View) (*rejudging, error) {
	r := &rejudging{record: sub.Record}
	packet, policy := view.Record(), view.Policy()
	switch named := sub.Record.Members().Policy; {
	case named == domain.Key{}:
		policy = domain.Packet{}
	case named != policy.Key() && policy.Table() == 0:
		return nil, notFound(domain.PolicyTable(sub.Record.Members().Area), named)
	}
	salt := sub.PacketSalt
	r.wait = beside(func() error {
		r.replayed = r.record.Replay(policy, packet, salt)
		return nil
	})
	return r, nil
}

// finish returns what is wrong with the record: a *domain.DiffersError if the evaluation differs, else a *domain.Refusal;
// nil if the record follows from its packets.
func (r *rejudging) finish() error {
	if err := r.wait(); err != nil {
		return err
	}
	return r.verdict()
}

// notTaken tells of each fault of a replay whether the record may not be taken although it says what was found.
var notTaken = [...]bool{
	domain.ReplayOwnDecision: true,
	domain.ReplayRecused:     true,
	domain.ReplayParty:       true,
	domain.ReplayNotTheirs:   true,
	domain.ReplayChoice:      true,
	domain.ReplayReasons:     true,
	domain.ReplayTime:        true,
}

// verdict turns what was found into an error.
func (r *rejudging) verdict() error {
	if len(r.replayed.Findings) == 0 {
		return nil
	}
	m := r.record.Members()
	differs := domain.DiffersError{Stated: m.ComputedBlockers}
	follows := true
	if r.replayed.Has(domain.ReplayRules) {
		return ErrRulesUnknown
	}
	for _, finding := range r.replayed.Findings {
		differs.Faults = append(differs.Faults, finding.Detail)
		follows = follows && int(finding.Fault) < len(notTaken) && notTaken[finding.Fault]
	}
	if follows {
		return &domain.Refusal{Reason: r.replayed.Findings[0].Detail}
	}
	differs.Found = r.replayed.Blockers
	return &differs
}
