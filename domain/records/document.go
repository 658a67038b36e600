package records

import (
	"cmp"
	"errors"
	"fmt"

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

// The members that every record has. Every member must be there; those marked nullable may be null.
func sharedEnforcementMembers() []packets.Member[*derived] {
	return []packets.Member[*derived]{
		recordIDMember("recordId", func(d *derived) *RecordID { return &d.RecordID }),
		packets.StringMember("contractVersion", func(d *derived) *string { return &d.ContractVersion }),
		packets.StringMember("rulesVersion", func(d *derived) *string { return &d.RulesVersion }),
		shape.Nullable(packets.IDMember("policyId", func(d *derived) *terms.ID { return &d.Policy.ID })),
		shape.Nullable(shape.VersionMember[packets.Reading]("policyVersion", func(d *derived) *int64 { return &d.Policy.Number })),
		shape.Nullable(packets.HashMember("policyHash", func(d *derived) *terms.Hash { return &d.PolicyHash })),
		shape.Nullable(shape.VersionMember[packets.Reading]("latestPolicyVersion", func(d *derived) *int64 { return &d.Latest.PolicyVersion })),
		shape.Nullable(shape.VersionMember[packets.Reading]("latestRevision", func(d *derived) *int64 { return &d.Latest.Revision })),
		packets.TermListMember("computedBlockers", func(d *derived) *[]terms.Blocker { return &d.ComputedBlockers }),
		packets.TermListMember("reviewerBlockers", func(d *derived) *[]terms.Blocker { return &d.ReviewerBlockers }),
		packets.TermListMember("carriedBlockers", func(d *derived) *[]terms.Blocker { return &d.CarriedBlockers }),
		gateMember("gate", func(d *derived) *terms.Gate { return &d.Gate }),
		shape.ObjectMember("reviewer", reviewerShape, func(d *derived) *Reviewer { return &d.Reviewer }),
		shape.ObjectMember("logHead", logHeadShape, func(d *derived) *LogHead { return &d.LogHead }),
		shape.Nullable(recordIDMember("supersedes", func(d *derived) *RecordID { return &d.Supersedes })),
		packets.HashMember("packetDigest", func(d *derived) *terms.Hash { return &d.PacketDigest }),
		packets.TermListMember("sectionsViewed", func(d *derived) *[]views.SectionName { return &d.SectionsViewed }),
		timeMember("openedAt", func(d *derived) (*terms.Instant, *string) { return &d.OpenedAt, &d.written.opened }),
		timeMember("evaluatedAt", func(d *derived) (*terms.Instant, *string) { return &d.EvaluatedAt, &d.written.evaluated }),
		timeMember("recordedAt", func(d *derived) (*terms.Instant, *string) { return &d.RecordedAt, &d.written.recorded }),
		shape.Nullable(packets.HashMember("statementDigest", func(d *derived) *terms.Hash { return &d.StatementDigest })),
		shape.Nullable(packets.HashMember("noteDigest", func(d *derived) *terms.Hash { return &d.NoteDigest })),
		packets.StringMember("stateMutation", func(d *derived) *string { return &d.mutation }),
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

var appealEnforcementShape = enforcementShape(
	packets.IDMember("caseId", func(d *derived) *terms.ID { return &d.Key.ID }),
	shape.VersionMember[packets.Reading]("caseRevision", func(d *derived) *int64 { return &d.Key.Number }),
	shape.Nullable(packets.HashMember("caseHash", func(d *derived) *terms.Hash { return &d.ContentHash })),
	shape.Nullable(packets.HashMember("scopeHash", func(d *derived) *terms.Hash { return &d.ScopeHash })),
	shape.Nullable(packets.TermMember("subject", func(d *derived) *terms.Subject { return &d.Subject })),
	shape.Nullable(packets.IDMember("subjectId", func(d *derived) *terms.ID { return &d.SubjectID })),
	shape.Nullable(packets.TermMember("trigger", func(d *derived) *terms.Trigger { return &d.Trigger })),
	packets.TermMember("advisoryOutcome", func(d *derived) *terms.Outcome { return &d.Advisory }),
	shape.Nullable(packets.TermMember("requestedOutcome", func(d *derived) *terms.Outcome { return &d.Requested })),
	shape.Nullable(packets.TermMember("preliminaryOutcome", func(d *derived) *terms.Outcome { return &d.Preliminary })),
	packets.TermMember("outcome", func(d *derived) *terms.Outcome { return &d.Outcome }),
	packets.TermListMember("factorCodes", func(d *derived) *[]terms.FactorCode { return &d.Factors }),
	packets.TermListMember("reviewScope", func(d *derived) *[]terms.Subject { return &d.reviewScope }),
	packets.StringMember("provenanceActivity", func(d *derived) *string { return &d.provenanceActivity }),
	packets.StringMember("traceabilityBusinessStep", func(d *derived) *string { return &d.traceabilityStep }),
)

var amendmentEnforcementShape = enforcementShape(
	packets.IDMember("amendmentId", func(d *derived) *terms.ID { return &d.Key.ID }),
	shape.VersionMember[packets.Reading]("amendmentRevision", func(d *derived) *int64 { return &d.Key.Number }),
	shape.Nullable(packets.HashMember("amendmentHash", func(d *derived) *terms.Hash { return &d.ContentHash })),
	packets.IDMember("ownerId", func(d *derived) *terms.ID { return &d.OwnerID }),
	shape.Nullable(packets.IDMember("agreementId", func(d *derived) *terms.ID { return &d.AgreementID })),
	shape.Nullable(packets.TermMember("transition", func(d *derived) *terms.Transition { return &d.Transition })),
	shape.Nullable(packets.TermMember("subjectType", func(d *derived) *terms.SubjectType { return &d.SubjectType })),
	shape.Nullable(packets.TermMember("amendmentType", func(d *derived) *terms.AmendmentType { return &d.AmendmentType })),
	shape.Nullable(packets.HashMember("beforeTermsHash", func(d *derived) *terms.Hash { return &d.BeforeTermsHash })),
	shape.Nullable(packets.HashMember("afterTermsHash", func(d *derived) *terms.Hash { return &d.AfterTermsHash })),
	packets.TermListMember("blockedTransitions", func(d *derived) *[]terms.GuardedAction { return &d.Blocked }),
)

func enforcementShape(own ...packets.Member[*derived]) *packets.ShapeOf[*derived] {
	members := append(sharedEnforcementMembers(), own...)
	for i := range members {
		members[i].Required = true
	}
	return shape.New(members...)
}

// EnforcementShape describes the records of an area: which members they have and of what form.
func EnforcementShape(area terms.Area) shape.Shape {
	switch area {
	case terms.Appeals:
		return *appealEnforcementShape.Shape()
	case terms.Amendments:
		return *amendmentEnforcementShape.Shape()
	}
	return shape.Shape{}
}

// ReadEnforcement reads a record of the area as strictly as a packet, and refuses one that is not in canonical form,
// or in which a member that follows from others says something else. The error wraps ErrEnforcement, and the *Fault where
// a member is at fault.
func ReadEnforcement(r *packets.Reader, area terms.Area, document []byte) (Enforcement, error) {
	shape := appealEnforcementShape
	if area == terms.Amendments {
		shape = amendmentEnforcementShape
	}
	if len(document) > MaxEnforcementSize {
		return Enforcement{}, fmt.Errorf("%w: it is over %d bytes", ErrEnforcement, MaxEnforcementSize)
	}
	root, fault := r.Parse(document)
	if fault != nil {
		return Enforcement{}, fmt.Errorf("%w: %s", ErrEnforcement, fault.Reason)
	}
	d := derived{}
	d.Area = area
	if fault := shape.Read(&d, root, &packets.Reading{}); fault != nil {
		return Enforcement{}, fmt.Errorf("%w: %w", ErrEnforcement, fault)
	}
	// Writing the members again must give the very same bytes: that covers the canonical form and all that follows
	// from other members in one comparison.
	again := d.Members.following()
	if string(again.document()) != string(document) {
		return Enforcement{}, fmt.Errorf("%w: it is not what its own members say", ErrEnforcement)
	}
	if area == terms.Appeals && len(d.Factors) == 0 {
		return Enforcement{}, fmt.Errorf("%w: it has no factor code", ErrEnforcement)
	}
	return Enforcement{d.Members, append([]byte(nil), document...)}, nil
}

func recordIDMember[R any](name string, at func(R) *RecordID) packets.Member[R] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormString}, func(r R, v canonical.Value, _ *packets.Reading) *shape.Fault {
		*at(r) = RecordID(v.Text())
		return shape.FaultUnless(at(r).Valid(), v, "must be a UUIDv7 in lower case")
	})
}

// timeMember reads a time, and keeps how it is written if Instant.String writes it otherwise.
func timeMember(name string, at func(*derived) (*terms.Instant, *string)) packets.Member[*derived] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormTime}, func(d *derived, v canonical.Value, _ *packets.Reading) *shape.Fault {
		instant, written := at(d)
		read, ok := terms.ParseInstantBytes(v.Bytes())
		if *instant = read; ok && read.String() != v.Text() {
			*written = v.Text()
		}
		return shape.FaultUnless(ok && v.Kind() == canonical.String, v, shape.WantTime)
	})
}

func originMember[R any](name string, at func(R) *string) packets.Member[R] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormString}, func(r R, v canonical.Value, _ *packets.Reading) *shape.Fault {
		*at(r) = v.Text()
		return shape.FaultUnless(ofConsole(*at(r)), v, "must be the origin of a console's log")
	})
}

// fingerprintMember reads the fingerprint of a key. It is not scanned: its digits may look like a phone number.
func fingerprintMember[R any](name string, at func(R) *string) packets.Member[R] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormString}, func(r R, v canonical.Value, _ *packets.Reading) *shape.Fault {
		*at(r) = v.Text()
		return shape.FaultUnless(isFingerprint(*at(r)), v, "must be the fingerprint of an OpenSSH key")
	})
}

func gateMember[R any](name string, at func(R) *terms.Gate) packets.Member[R] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormWord, Words: terms.Gates()}, func(r R, v canonical.Value, _ *packets.Reading) *shape.Fault {
		gate, err := terms.ParseGate(v.Text())
		*at(r) = gate
		return shape.FaultUnless(err == nil, v, shape.WantWord+"gate")
	})
}

// append appends the record in canonical form: the members stand in the order of RFC 8785.
func (m *Members) append(dst []byte) []byte {
	w := ordered.Append(dst)
	if m.Area == terms.Appeals {
		m.writeAppeal(&w)
	} else {
		m.writeAmendment(&w)
	}
	return w.Text()
}

func (m *Members) writeAppeal(w *ordered.Writer) {
	w.Open()
	packets.WriteTerm(w.Name("advisoryOutcome"), m.Advisory)
	packets.WriteTerms(w.Name("carriedBlockers"), m.CarriedBlockers)
	w.Name("caseHash").StringOrNull(m.ContentHash.String())
	w.Name("caseId").StringOrNull(string(m.Key.ID))
	w.Name("caseRevision").Int(m.Key.Number)
	packets.WriteTerms(w.Name("computedBlockers"), m.ComputedBlockers)
	w.Name("contractVersion").String(m.ContractVersion)
	w.Name("evaluatedAt").StringOrNull(cmp.Or(m.written.evaluated, m.EvaluatedAt.String()))
	packets.WriteTerms(w.Name("factorCodes"), m.Factors)
	w.Name("gate").StringOrNull(m.Gate.String())
	w.Name("latestPolicyVersion").IntOrNull(m.Latest.PolicyVersion)
	w.Name("latestRevision").IntOrNull(m.Latest.Revision)
	m.LogHead.write(w.Name("logHead"))
	w.Name("noteDigest").StringOrNull(m.NoteDigest.String())
	w.Name("openedAt").StringOrNull(cmp.Or(m.written.opened, m.OpenedAt.String()))
	packets.WriteTerm(w.Name("outcome"), m.Outcome)
	w.Name("packetDigest").StringOrNull(m.PacketDigest.String())
	w.Name("policyHash").StringOrNull(m.PolicyHash.String())
	w.Name("policyId").StringOrNull(string(m.Policy.ID))
	w.Name("policyVersion").IntOrNull(m.Policy.Number)
	packets.WriteTerm(w.Name("preliminaryOutcome"), m.Preliminary)
	w.Name("provenanceActivity").String(m.effect().ProvenanceActivity)
	w.Name("recordId").StringOrNull(string(m.RecordID))
	w.Name("recordedAt").StringOrNull(cmp.Or(m.written.recorded, m.RecordedAt.String()))
	packets.WriteTerm(w.Name("requestedOutcome"), m.Requested)
	packets.WriteTerms(w.Name("reviewScope"), views.ReviewScope(m.Subject))
	m.Reviewer.write(w.Name("reviewer"))
	packets.WriteTerms(w.Name("reviewerBlockers"), m.ReviewerBlockers)
	w.Name("rulesVersion").String(m.RulesVersion)
	w.Name("scopeHash").StringOrNull(m.ScopeHash.String())
	packets.WriteTerms(w.Name("sectionsViewed"), m.SectionsViewed)
	w.Name("stateMutation").StringOrNull(EnforcementMutation)
	w.Name("statementDigest").StringOrNull(m.StatementDigest.String())
	packets.WriteTerm(w.Name("subject"), m.Subject)
	w.Name("subjectId").StringOrNull(string(m.SubjectID))
	w.Name("supersedes").StringOrNull(string(m.Supersedes))
	w.Name("traceabilityBusinessStep").String(m.effect().TraceabilityStep)
	packets.WriteTerm(w.Name("trigger"), m.Trigger)
	w.Close()
}

func (m *Members) writeAmendment(w *ordered.Writer) {
	w.Open()
	w.Name("afterTermsHash").StringOrNull(m.AfterTermsHash.String())
	w.Name("agreementId").StringOrNull(string(m.AgreementID))
	w.Name("amendmentHash").StringOrNull(m.ContentHash.String())
	w.Name("amendmentId").StringOrNull(string(m.Key.ID))
	w.Name("amendmentRevision").Int(m.Key.Number)
	packets.WriteTerm(w.Name("amendmentType"), m.AmendmentType)
	w.Name("beforeTermsHash").StringOrNull(m.BeforeTermsHash.String())
	packets.WriteTerms(w.Name("blockedTransitions"), m.Blocked)
	packets.WriteTerms(w.Name("carriedBlockers"), m.CarriedBlockers)
	packets.WriteTerms(w.Name("computedBlockers"), m.ComputedBlockers)
	w.Name("contractVersion").String(m.ContractVersion)
	w.Name("evaluatedAt").StringOrNull(cmp.Or(m.written.evaluated, m.EvaluatedAt.String()))
	w.Name("gate").StringOrNull(m.Gate.String())
	w.Name("latestPolicyVersion").IntOrNull(m.Latest.PolicyVersion)
	w.Name("latestRevision").IntOrNull(m.Latest.Revision)
	m.LogHead.write(w.Name("logHead"))
	w.Name("noteDigest").StringOrNull(m.NoteDigest.String())
	w.Name("openedAt").StringOrNull(cmp.Or(m.written.opened, m.OpenedAt.String()))
	w.Name("ownerId").StringOrNull(string(m.OwnerID))
	w.Name("packetDigest").StringOrNull(m.PacketDigest.String())
	w.Name("policyHash").StringOrNull(m.PolicyHash.String())
	w.Name("policyId").StringOrNull(string(m.Policy.ID))
	w.Name("policyVersion").IntOrNull(m.Policy.Number)
	w.Name("recordId").StringOrNull(string(m.RecordID))
	w.Name("recordedAt").StringOrNull(cmp.Or(m.written.recorded, m.RecordedAt.String()))
	m.Reviewer.write(w.Name("reviewer"))
	packets.WriteTerms(w.Name("reviewerBlockers"), m.ReviewerBlockers)
	w.Name("rulesVersion").String(m.RulesVersion)
	packets.WriteTerms(w.Name("sectionsViewed"), m.SectionsViewed)
	w.Name("stateMutation").StringOrNull(EnforcementMutation)
	w.Name("statementDigest").StringOrNull(m.StatementDigest.String())
	packets.WriteTerm(w.Name("subjectType"), m.SubjectType)
	w.Name("supersedes").StringOrNull(string(m.Supersedes))
	packets.WriteTerm(w.Name("transition"), m.Transition)
	w.Close()
}

func (l *LogHead) write(w *ordered.Writer) {
	w.Open().Name("origin").StringOrNull(l.Origin).Name("root").StringOrNull(l.Root.String()).Name("size").Int(l.Size).Close()
}

func (r *Reviewer) write(w *ordered.Writer) {
	w.Open().Name("id").StringOrNull(string(r.ID)).Name("keyFingerprint").String(r.KeyFingerprint)
	packets.WriteTerm(w.Name("role"), r.Role)
	w.Close()
}
