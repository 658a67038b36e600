package domain

import (
	"docket/domain/canonical"
	"docket/domain/shape"
)

// A Question is what is put to the rules: a policy or none, a record or none, the latest numbers known of both, and
// the time. Evaluation depends on nothing else.
type Question struct {
	area                Area
	appealPolicy        *Redacted[AppealPolicy]
	appealCase          *Redacted[AppealCase]
	amendmentPolicy     *Redacted[AmendmentPolicy]
	amendment           *Redacted[Amendment]
	latestPolicyVersion int64
	latestRevision      int64
	at                  Instant
}

// Latest are the highest policy version and revision that are known; 0 is not known, which blocks where a rule asks.
type Latest struct{ PolicyVersion, Revision int64 }

// AppealQuestion asks about an appeal case. Either may be nil.
func AppealQuestion(policy *Redacted[AppealPolicy], record *Redacted[AppealCase], latest Latest, at Instant) Question {
	return Question{area: Appeals, appealPolicy: policy, appealCase: record,
		latestPolicyVersion: latest.PolicyVersion, latestRevision: latest.Revision, at: at}
}

// AmendmentQuestion asks about an amendment. Either may be nil.
func AmendmentQuestion(policy *Redacted[AmendmentPolicy], record *Redacted[Amendment], latest Latest, at Instant) Question {
	return Question{area: Amendments, amendmentPolicy: policy, amendment: record,
		latestPolicyVersion: latest.PolicyVersion, latestRevision: latest.Revision, at: at}
}

// PacketQuestion asks about the case or amendment in a packet. policy may be the zero Packet: none. A packet of
// another table than the one expected counts as none, which blocks.
func PacketQuestion(policy, record Packet, latest Latest, at Instant) Question {
	if AreaOf(record.Table()) == Amendments {
		return AmendmentQuestion(policy.AmendmentPolicy(), record.Amendment(), latest, at)
	}
	return AppealQuestion(policy.AppealPolicy(), record.AppealCase(), latest, at)
}

// Area tells which rule book answers the question.
func (q *Question) Area() Area { return q.area }

// At is the time for which the question is asked.
func (q *Question) At() Instant { return q.at }

// AppealPolicy is the policy of a question about an appeal; nil if there is none, and for amendments. So do the three below for
// what they name.
func (q *Question) AppealPolicy() *Redacted[AppealPolicy] { return q.appealPolicy }

// AppealCase is the case that is asked about.
func (q *Question) AppealCase() *Redacted[AppealCase] { return q.appealCase }

// AmendmentPolicy is the policy of a question about an amendment.
func (q *Question) AmendmentPolicy() *Redacted[AmendmentPolicy] { return q.amendmentPolicy }

// Amendment is the amendment that is asked about.
func (q *Question) Amendment() *Redacted[Amendment] { return q.amendment }

// Table is the table of the record that is asked about.
func (q *Question) Table() Table {
	switch q.area {
	case Appeals:
		return AppealCases
	case Amendments:
		return AmendmentRecords
	}
	return 0
}

// Key names the record that is asked about; false if there is none.
func (q *Question) Key() (Key, bool) {
	switch {
	case q.appealCase.Held():
		return q.appealCase.Key(), true
	case q.amendment.Held():
		return q.amendment.Key(), true
	}
	return Key{}, false
}

type questionParts struct {
	table          Table
	at             Instant
	policy, record canonical.Value
	latest         Latest
}

var questionShape = shape.New(
	shape.Required(wordMember(tableMember, func(p *questionParts) *Table { return &p.table })),
	shape.Required(timeMember(atMember, func(p *questionParts) *Instant { return &p.at })),
	shape.Nullable(shape.ValueMember[reading](policyMember, func(p *questionParts) *canonical.Value { return &p.policy })),
	shape.Nullable(shape.ValueMember[reading](recordMember, func(p *questionParts) *canonical.Value { return &p.record })),
	shape.CountMember[reading](latestPolicyVersionMember, func(p *questionParts) *int64 { return &p.latest.PolicyVersion }),
	shape.CountMember[reading](latestRevisionMember, func(p *questionParts) *int64 { return &p.latest.Revision }),
)

// ReadQuestion reads {"table", "at", "policy", "record", "latestPolicyVersion", "latestRevision"} as strictly as a
// packet. table and at are required; table is that of the cases or of the amendments. policy and record may be null; a
// latest number that is not known is left out, or 0.
func ReadQuestion(r *Reader, text []byte) (Question, *Fault) {
	root, fault := r.Parse(text)
	if fault != nil {
		return Question{}, fault
	}
	var parts questionParts
	if fault := questionShape.Read(&parts, root, &reading{}); fault != nil {
		return Question{}, fault
	}
	q := Question{latestPolicyVersion: parts.latest.PolicyVersion, latestRevision: parts.latest.Revision, at: parts.at}
	switch parts.table {
	case AppealCases:
		q.area = Appeals
		if q.appealPolicy, fault = readPart[AppealPolicy](r, parts.policy, policyMember); fault == nil {
			q.appealCase, fault = readPart[AppealCase](r, parts.record, recordMember)
		}
	case AmendmentRecords:
		q.area = Amendments
		if q.amendmentPolicy, fault = readPart[AmendmentPolicy](r, parts.policy, policyMember); fault == nil {
			q.amendment, fault = readPart[Amendment](r, parts.record, recordMember)
		}
	default:
		fault = &Fault{Pointer: "/" + tableMember, Reason: reasonQuestionTable}
	}
	if fault != nil {
		return Question{}, fault
	}
	return q, nil
}

// readPart reads the policy or the record of a question; nil if there is none.
func readPart[R Record](r *Reader, v canonical.Value, name string) (*Redacted[R], *Fault) {
	if !v.Exists() {
		return nil, nil
	}
	part, fault := ReadRecord[R](r, v)
	if fault != nil {
		return nil, fault.Under(name)
	}
	return part, nil
}
