package records

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/terms"
	"docket/domain/views"
)

// ErrEnforcement says that a document is not an enforcement record as Decide writes it: it was damaged, edited or forged.
var ErrEnforcement = errors.New("the enforcement record cannot be read")

// derived holds the members of a record that follow from others. They are compared and not kept.
type derived struct {
	Members
	reviewScope        []terms.Subject
	provenanceActivity string
	traceabilityStep   string
	mutation           string
}

// A member of a record: how it is read, and how it is written. It has to be there; one marked nullable may be null.
type member struct {
	packets.Member[*derived]
	write func(*derived, *ordered.Writer)
}

func nullable(m member) member {
	m.Nullable = true
	return m
}

func idMember(name string, at func(*derived) *terms.ID) member {
	return member{packets.IDMember(name, at), func(d *derived, w *ordered.Writer) { w.StringOrNull(string(*at(d))) }}
}

func recordIDMember(name string, at func(*derived) *RecordID) member {
	return member{recordIDOf(name, at), func(d *derived, w *ordered.Writer) { w.StringOrNull(string(*at(d))) }}
}

func textMember(name string, at func(*derived) *string) member {
	return member{packets.StringMember(name, at), func(d *derived, w *ordered.Writer) { w.String(*at(d)) }}
}

func numberMember(name string, at func(*derived) *int64) member {
	return member{shape.VersionMember[packets.Reading](name, at), func(d *derived, w *ordered.Writer) { w.IntOrNull(*at(d)) }}
}

func hashMember(name string, at func(*derived) *terms.Hash) member {
	return member{packets.HashMember(name, at), func(d *derived, w *ordered.Writer) { w.StringOrNull(at(d).String()) }}
}

func termMember[K terms.Kind](name string, at func(*derived) *terms.Term[K]) member {
	return member{packets.TermMember(name, at), func(d *derived, w *ordered.Writer) { packets.WriteTerm(w, *at(d)) }}
}

func termsMember[K terms.Kind](name string, at func(*derived) *[]terms.Term[K]) member {
	return member{packets.TermListMember(name, at), func(d *derived, w *ordered.Writer) { packets.WriteTerms(w, *at(d)) }}
}

// sharedMembers are those that every record has.
func sharedMembers() []member {
	return []member{
		recordIDMember("recordId", func(d *derived) *RecordID { return &d.RecordID }),
		textMember("contractVersion", func(d *derived) *string { return &d.ContractVersion }),
		textMember("rulesVersion", func(d *derived) *string { return &d.RulesVersion }),
		nullable(idMember("policyId", func(d *derived) *terms.ID { return &d.Policy.ID })),
		nullable(numberMember("policyVersion", func(d *derived) *int64 { return &d.Policy.Number })),
		nullable(hashMember("policyHash", func(d *derived) *terms.Hash { return &d.PolicyHash })),
		nullable(numberMember("latestPolicyVersion", func(d *derived) *int64 { return &d.Latest.PolicyVersion })),
		nullable(numberMember("latestRevision", func(d *derived) *int64 { return &d.Latest.Revision })),
		termsMember("computedBlockers", func(d *derived) *[]terms.Blocker { return &d.ComputedBlockers }),
		termsMember("reviewerBlockers", func(d *derived) *[]terms.Blocker { return &d.ReviewerBlockers }),
		termsMember("carriedBlockers", func(d *derived) *[]terms.Blocker { return &d.CarriedBlockers }),
		gateMember("gate", func(d *derived) *terms.Gate { return &d.Gate }),
		{shape.ObjectMember("reviewer", reviewerShape, func(d *derived) *Reviewer { return &d.Reviewer }),
			func(d *derived, w *ordered.Writer) { d.Reviewer.write(w) }},
		{shape.ObjectMember("logHead", logHeadShape, func(d *derived) *LogHead { return &d.LogHead }),
			func(d *derived, w *ordered.Writer) { d.LogHead.write(w) }},
		nullable(recordIDMember("supersedes", func(d *derived) *RecordID { return &d.Supersedes })),
		hashMember("packetDigest", func(d *derived) *terms.Hash { return &d.PacketDigest }),
		termsMember("sectionsViewed", func(d *derived) *[]views.SectionName { return &d.SectionsViewed }),
		timeMember("openedAt", func(d *derived) (*terms.Instant, *string) { return &d.OpenedAt, &d.written.opened }),
		timeMember("evaluatedAt", func(d *derived) (*terms.Instant, *string) { return &d.EvaluatedAt, &d.written.evaluated }),
		timeMember("recordedAt", func(d *derived) (*terms.Instant, *string) { return &d.RecordedAt, &d.written.recorded }),
		nullable(hashMember("statementDigest", func(d *derived) *terms.Hash { return &d.StatementDigest })),
		nullable(hashMember("noteDigest", func(d *derived) *terms.Hash { return &d.NoteDigest })),
		textMember("stateMutation", func(d *derived) *string { return &d.mutation }),
	}
}

var reviewerShape = shape.New(
	shape.Required(packets.IDMember("id", func(r *Reviewer) *terms.ID { return &r.ID })),
	shape.Required(packets.TermMember("role", func(r *Reviewer) *terms.Role { return &r.Role })),
	shape.Required(fingerprintMember("keyFingerprint", func(r *Reviewer) *string { return &r.KeyFingerprint })),
)

var logHeadShape = shape.New(
	shape.Required(originMember("origin", func(l *LogHead) *string { return &l.Origin })),
	shape.Required(shape.CountMember[packets.Reading]("size", func(l *LogHead) *int64 { return &l.Size })),
	shape.Required(packets.HashMember("root", func(l *LogHead) *terms.Hash { return &l.Root })),
)

var appealRecord = recordOf(
	idMember("caseId", func(d *derived) *terms.ID { return &d.Key.ID }),
	numberMember("caseRevision", func(d *derived) *int64 { return &d.Key.Number }),
	nullable(hashMember("caseHash", func(d *derived) *terms.Hash { return &d.ContentHash })),
	nullable(hashMember("scopeHash", func(d *derived) *terms.Hash { return &d.ScopeHash })),
	nullable(termMember("subject", func(d *derived) *terms.Subject { return &d.Subject })),
	nullable(idMember("subjectId", func(d *derived) *terms.ID { return &d.SubjectID })),
	nullable(termMember("trigger", func(d *derived) *terms.Trigger { return &d.Trigger })),
	termMember("advisoryOutcome", func(d *derived) *terms.Outcome { return &d.Advisory }),
	nullable(termMember("requestedOutcome", func(d *derived) *terms.Outcome { return &d.Requested })),
	nullable(termMember("preliminaryOutcome", func(d *derived) *terms.Outcome { return &d.Preliminary })),
	termMember("outcome", func(d *derived) *terms.Outcome { return &d.Outcome }),
	termsMember("factorCodes", func(d *derived) *[]terms.FactorCode { return &d.Factors }),
	termsMember("reviewScope", func(d *derived) *[]terms.Subject { return &d.reviewScope }),
	textMember("provenanceActivity", func(d *derived) *string { return &d.provenanceActivity }),
	textMember("traceabilityBusinessStep", func(d *derived) *string { return &d.traceabilityStep }),
)

var amendmentRecord = recordOf(
	idMember("amendmentId", func(d *derived) *terms.ID { return &d.Key.ID }),
	numberMember("amendmentRevision", func(d *derived) *int64 { return &d.Key.Number }),
	nullable(hashMember("amendmentHash", func(d *derived) *terms.Hash { return &d.ContentHash })),
	idMember("ownerId", func(d *derived) *terms.ID { return &d.OwnerID }),
	nullable(idMember("agreementId", func(d *derived) *terms.ID { return &d.AgreementID })),
	nullable(termMember("transition", func(d *derived) *terms.Transition { return &d.Transition })),
	nullable(termMember("subjectType", func(d *derived) *terms.SubjectType { return &d.SubjectType })),
	nullable(termMember("amendmentType", func(d *derived) *terms.AmendmentType { return &d.AmendmentType })),
	nullable(hashMember("beforeTermsHash", func(d *derived) *terms.Hash { return &d.BeforeTermsHash })),
	nullable(hashMember("afterTermsHash", func(d *derived) *terms.Hash { return &d.AfterTermsHash })),
	termsMember("blockedTransitions", func(d *derived) *[]terms.GuardedAction { return &d.Blocked }),
)

// A record of an area: the shape by which it is read, and its members in the order in which they are written.
type record struct {
	shape   *packets.ShapeOf[*derived]
	members []member
}

func recordOf(own ...member) *record {
	members := append(sharedMembers(), own...)
	read := make([]packets.Member[*derived], len(members))
	for i := range members {
		members[i].Required = true
		read[i] = members[i].Member
	}
	ordered.Sort(members, func(a, b member) int { return strings.Compare(a.Name, b.Name) })
	return &record{shape.New(read...), members}
}

// EnforcementShape describes the records of an area: which members they have and of what form.
func EnforcementShape(area terms.Area) shape.Shape {
	switch area {
	case terms.Appeals:
		return *appealRecord.shape.Shape()
	case terms.Amendments:
		return *amendmentRecord.shape.Shape()
	}
	return shape.Shape{}
}

// ReadEnforcement reads a record of the area as strictly as a packet, and refuses one that is not in canonical form,
// or in which a member that follows from others says something else. The error wraps ErrEnforcement, and the *Fault where
// a member is at fault.
func ReadEnforcement(r *packets.Reader, area terms.Area, document []byte) (Enforcement, error) {
	if len(document) > MaxEnforcementSize {
		return Enforcement{}, fmt.Errorf("%w: it is over %d bytes", ErrEnforcement, MaxEnforcementSize)
	}
	root, fault := r.Parse(document)
	if fault != nil {
		return Enforcement{}, fmt.Errorf("%w: %s", ErrEnforcement, fault.Reason)
	}
	d := derived{}
	d.Area = area
	if fault := recordIn(area).shape.Read(&d, root, &packets.Reading{}); fault != nil {
		return Enforcement{}, fmt.Errorf("%w: %w", ErrEnforcement, fault)
	}
	// Writing the members again must give the very same bytes: that covers the canonical form and all that follows
	// from other members in one comparison.
	again := d.Members.following()
	if area == 0 || string(again.document()) != string(document) {
		return Enforcement{}, fmt.Errorf("%w: it is not what its own members say", ErrEnforcement)
	}
	if area == terms.Appeals && len(d.Factors) == 0 {
		return Enforcement{}, fmt.Errorf("%w: it has no factor code", ErrEnforcement)
	}
	return Enforcement{d.Members, append([]byte(nil), document...)}, nil
}

func recordIDOf[R any](name string, at func(R) *RecordID) packets.Member[R] {
	return shape.ParsedMember[packets.Reading](name, shape.FormString, "must be a UUIDv7 in lower case", at,
		func(text string) (RecordID, bool) { return RecordID(text), RecordID(text).Valid() })
}

func originMember[R any](name string, at func(R) *string) packets.Member[R] {
	return shape.ParsedMember[packets.Reading](name, shape.FormString, "must be the origin of a console's log", at,
		func(text string) (string, bool) { return text, ofConsole(text) })
}

// fingerprintMember reads the fingerprint of a key. It is not scanned: its digits may look like a phone number.
func fingerprintMember[R any](name string, at func(R) *string) packets.Member[R] {
	return shape.ParsedMember[packets.Reading](name, shape.FormString, "must be the fingerprint of an OpenSSH key", at,
		func(text string) (string, bool) { return text, isFingerprint(text) })
}

// timeMember reads a time, and keeps how it is written if Instant.String writes it otherwise.
func timeMember(name string, at func(*derived) (*terms.Instant, *string)) member {
	read := shape.NewMember(name, shape.Form{Kind: shape.FormTime}, func(d *derived, v canonical.Value, _ *packets.Reading) *shape.Fault {
		instant, written := at(d)
		read, ok := terms.ParseInstantBytes(v.Bytes())
		if *instant = read; ok && read.String() != v.Text() {
			*written = v.Text()
		}
		return shape.FaultUnless(ok && v.Kind() == canonical.String, v, shape.WantTime)
	})
	return member{read, func(d *derived, w *ordered.Writer) {
		instant, written := at(d)
		w.StringOrNull(cmp.Or(*written, instant.String()))
	}}
}

func gateMember(name string, at func(*derived) *terms.Gate) member {
	form := shape.Form{Kind: shape.FormWord, Words: terms.Gates()}
	read := shape.NewMember(name, form, func(d *derived, v canonical.Value, _ *packets.Reading) *shape.Fault {
		gate, err := terms.ParseGate(v.Text())
		*at(d) = gate
		return shape.FaultUnless(err == nil, v, shape.WantWord+"gate")
	})
	return member{read, func(d *derived, w *ordered.Writer) { w.StringOrNull(at(d).String()) }}
}

// recordIn is the record of an area.
func recordIn(area terms.Area) *record {
	if area == terms.Amendments {
		return amendmentRecord
	}
	return appealRecord
}

// append appends the record in canonical form: the members stand in the order of RFC 8785.
func (m *Members) append(dst []byte) []byte {
	effect := views.EffectOf(m.Outcome) // it tells the two members of source 2.3.7 that follow from the outcome
	d := derived{*m, views.ReviewScope(m.Subject), effect.ProvenanceActivity, effect.TraceabilityStep, EnforcementMutation}
	w := ordered.Append(dst)
	w.Open()
	for i, members := 0, recordIn(m.Area).members; i < len(members); i++ {
		members[i].write(&d, w.Name(members[i].Name))
	}
	return w.Close().Text()
}

func (l *LogHead) write(w *ordered.Writer) {
	w.Open().Name("origin").StringOrNull(l.Origin).Name("root").StringOrNull(l.Root.String()).Name("size").Int(l.Size).Close()
}

func (r *Reviewer) write(w *ordered.Writer) {
	w.Open().Name("id").StringOrNull(string(r.ID)).Name("keyFingerprint").String(r.KeyFingerprint)
	packets.WriteTerm(w.Name("role"), r.Role)
	w.Close()
}
