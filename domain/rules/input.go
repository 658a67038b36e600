package rules

import (
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
)

// An Input is all that an evaluation depends on: a policy or none, a record or none, the latest
// known numbers of both, and the time.
type Input struct {
	area            terms.Area
	appealPolicy    *packets.Redacted[packets.AppealPolicy]
	appealCase      *packets.Redacted[packets.AppealCase]
	amendmentPolicy *packets.Redacted[packets.AmendmentPolicy]
	amendment       *packets.Redacted[packets.Amendment]
	latest          Latest
	at              terms.Instant
}

// Latest holds the highest known numbers; 0 is not known, which blocks if a rule reads it.
type Latest struct{ PolicyVersion, Revision int64 }

// AppealInput is the input for an appeal case. policy and record may be nil.
func AppealInput(policy *packets.Redacted[packets.AppealPolicy],
	record *packets.Redacted[packets.AppealCase], latest Latest, at terms.Instant) Input {
	return Input{area: terms.Appeals, appealPolicy: policy, appealCase: record, latest: latest, at: at}
}

// AmendmentInput is the input for an amendment. policy and record may be nil.
func AmendmentInput(policy *packets.Redacted[packets.AmendmentPolicy],
	record *packets.Redacted[packets.Amendment], latest Latest, at terms.Instant) Input {
	return Input{area: terms.Amendments, amendmentPolicy: policy, amendment: record, latest: latest, at: at}
}

// PacketInput is the input for a case or an amendment. The zero Packet stands for no policy; a
// packet of a table that is not expected counts as none, which blocks.
func PacketInput(policy, record packets.Packet, latest Latest, at terms.Instant) Input {
	if terms.AreaOf(record.Table()) == terms.Amendments {
		return AmendmentInput(policy.AmendmentPolicy(), record.Amendment(), latest, at)
	}
	return AppealInput(policy.AppealPolicy(), record.AppealCase(), latest, at)
}

// Area names the rule book by which the input is evaluated.
func (q *Input) Area() terms.Area { return q.area }

// At is the time for which the input is evaluated.
func (q *Input) At() terms.Instant { return q.at }

// AppealPolicy is the policy of an appeal; nil otherwise. The three methods below are alike.
func (q *Input) AppealPolicy() *packets.Redacted[packets.AppealPolicy] { return q.appealPolicy }

// AppealCase is the case.
func (q *Input) AppealCase() *packets.Redacted[packets.AppealCase] { return q.appealCase }

// AmendmentPolicy is the policy of an amendment.
func (q *Input) AmendmentPolicy() *packets.Redacted[packets.AmendmentPolicy] {
	return q.amendmentPolicy
}

// Amendment is the amendment.
func (q *Input) Amendment() *packets.Redacted[packets.Amendment] { return q.amendment }

// Table is the table of the record that is asked about.
func (q *Input) Table() terms.Table {
	if !q.area.Present() {
		return 0
	}
	return terms.RecordTable(q.area)
}

// Key names the record that is asked about; false if there is none.
func (q *Input) Key() (packets.Key, bool) {
	switch {
	case q.appealCase.Held():
		return q.appealCase.Key(), true
	case q.amendment.Held():
		return q.amendment.Key(), true
	}
	return packets.Key{}, false
}

type inputParts struct {
	table          terms.Table
	at             terms.Instant
	policy, record json.Value
	latest         Latest
}

var inputShape = json.NewReader(
	json.Required(packets.TermMember(packets.TableMember, func(p *inputParts) *terms.Table { return &p.table })),
	json.Required(packets.TimeMember(packets.AtMember, func(p *inputParts) *terms.Instant { return &p.at })),
	json.Nullable(json.ValueMember[packets.Reading](packets.PolicyMember, func(p *inputParts) *json.Value { return &p.policy })),
	json.Nullable(json.ValueMember[packets.Reading](packets.RecordMember, func(p *inputParts) *json.Value { return &p.record })),
	json.CountMember[packets.Reading](packets.LatestPolicyVersionMember, func(p *inputParts) *int64 { return &p.latest.PolicyVersion }),
	json.CountMember[packets.Reading](packets.LatestRevisionMember, func(p *inputParts) *int64 { return &p.latest.Revision }),
)

// ReadInput reads {"table", "at", "policy", "record", "latestPolicyVersion", "latestRevision"} as
// strictly as a packet. table and at are required; table is that of the cases or of the amendments.
// policy and record may be null; a latest number that is not known is left out, or 0.
func ReadInput(r *packets.Reader, text []byte) (Input, *json.Fault) {
	root, fault := r.ParseIncoming(text)
	if fault != nil {
		return Input{}, fault
	}
	var parts inputParts
	if fault := inputShape.Read(&parts, root, &packets.Reading{}); fault != nil {
		return Input{}, fault
	}
	q := Input{latest: parts.latest, at: parts.at}
	switch parts.table {
	case terms.AppealCases:
		q.area = terms.Appeals
		if q.appealPolicy, fault = readPart[packets.AppealPolicy](r, parts.policy, packets.PolicyMember); fault == nil {
			q.appealCase, fault = readPart[packets.AppealCase](r, parts.record, packets.RecordMember)
		}
	case terms.AmendmentRecords:
		q.area = terms.Amendments
		if q.amendmentPolicy, fault = readPart[packets.AmendmentPolicy](r, parts.policy, packets.PolicyMember); fault == nil {
			q.amendment, fault = readPart[packets.Amendment](r, parts.record, packets.RecordMember)
		}
	default:
		fault = &json.Fault{Pointer: "/" + packets.TableMember, Reason: packets.ReasonInputTable}
	}
	if fault != nil {
		return Input{}, fault
	}
	return q, nil
}

// CheckInput reports every fault of the shape of an input that ReadInput refuses.
func CheckInput(root json.Value, tell json.Tell) {
	var parts inputParts
	if !inputShape.Check(&parts, root, &packets.Reading{}, "", tell) || terms.RecordTable(terms.AreaOf(parts.table)) != parts.table {
		return
	}
	for name, part := range map[string]json.Value{packets.PolicyMember: parts.policy, packets.RecordMember: parts.record} {
		table := parts.table
		if name == packets.PolicyMember {
			table = terms.PolicyTable(terms.AreaOf(table))
		}
		if part.Exists() {
			packets.CheckRecord(table, part, "/"+name, tell)
		}
	}
}

func readPart[R packets.Record](r *packets.Reader, v json.Value, name string) (*packets.Redacted[R], *json.Fault) {
	if !v.Exists() {
		return nil, nil
	}
	part, fault := packets.ReadRecord[R](r, v)
	if fault != nil {
		return nil, fault.Under(name)
	}
	return part, nil
}

// NextChange is the first moment at which time alone may change the evaluation: the earliest time
// of the record that the rules compare with the clock and that has not passed yet; absent if there
// is none. NextPolicyChange tells it for the policy.
func (q *Input) NextChange() terms.Instant {
	w := earliest{now: q.at}
	if c := q.appealCase.Pointer(); c != nil {
		w.consider(c.FiledAt, c.Notice.DeliveredAt, c.Deadline)
	}
	if a := q.amendment.Pointer(); a != nil {
		w.consider(a.Notice.DeliveredAt)
		for i := range a.Confirmations {
			w.consider(a.Confirmations[i].ConfirmedAt, a.Confirmations[i].ExpiresAt)
		}
	}
	return w.first
}

// NextPolicyChange is NextChange for the times of the policy.
func (q *Input) NextPolicyChange() terms.Instant {
	w := earliest{now: q.at}
	if p := q.appealPolicy.Pointer(); p != nil {
		w.consider(p.FrozenAt, p.EffectiveFrom, p.EffectiveUntil)
	}
	if p := q.amendmentPolicy.Pointer(); p != nil {
		w.consider(p.FrozenAt, p.StaleAfter)
	}
	return w.first
}

// UnchangedUntil returns the time at or right after which time alone changes the blockers that a
// packet has at a moment; absent if it never does.
func UnchangedUntil(policy, record packets.Packet, latest Latest, from terms.Instant) terms.Instant {
	blockersAt := func(at terms.Instant) terms.BlockerSet {
		q := PacketInput(policy, record, latest, at)
		evaluation := Evaluate(&q)
		return evaluation.BlockerSet()
	}
	for at, found := from, blockersAt(from); ; {
		q := PacketInput(policy, record, latest, at)
		next := earliest{now: at}
		next.consider(q.NextChange(), q.NextPolicyChange())
		if !next.first.Present() {
			return terms.Instant{}
		}
		at = terms.InstantOf(next.first.Time().Add(1))
		if blockersAt(next.first) != found || blockersAt(at) != found {
			return next.first
		}
	}
}

type earliest struct{ now, first terms.Instant }

// consider keeps the earliest time not yet past; a deadline that is now has not passed.
func (w *earliest) consider(times ...terms.Instant) {
	for _, t := range times {
		if t.Present() && !t.Before(w.now) && t.Before(w.first) {
			w.first = t
		}
	}
}
