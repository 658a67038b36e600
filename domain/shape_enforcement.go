package domain

import (
	"errors"
	"fmt"

	"docket/domain/canonical"
	"docket/domain/shape"
)

// ErrEnforcement says that a document is no enforcement record as Decide writes it: it was damaged, edited or forged.
var ErrEnforcement = errors.New("the enforcement record cannot be read")

// derived are the members of a record that follow from others. They are read to be compared, not kept.
type derived struct {
	EnforcementMembers
	reviewScope        []Subject
	provenanceActivity string
	traceabilityStep   string
	mutation           string
}

// The members that every record has. Every member must be there; those marked nullable may be null.
func sharedEnforcementMembers() []member[derived] {
	return []member[derived]{
		recordIDMember("recordId", func(d *derived) *RecordID { return &d.RecordID }),
		stringMember("contractVersion", func(d *derived) *string { return &d.ContractVersion }),
		stringMember("rulesVersion", func(d *derived) *string { return &d.RulesVersion }),
		shape.Nullable(idMember("policyId", func(d *derived) *ID { return &d.Policy.ID })),
		shape.Nullable(shape.VersionMember[reading]("policyVersion", func(d *derived) *int64 { return &d.Policy.Number })),
		shape.Nullable(hashMember("policyHash", func(d *derived) *Hash { return &d.PolicyHash })),
		shape.Nullable(shape.VersionMember[reading]("latestPolicyVersion", func(d *derived) *int64 { return &d.Latest.PolicyVersion })),
		shape.Nullable(shape.VersionMember[reading]("latestRevision", func(d *derived) *int64 { return &d.Latest.Revision })),
		wordListMember("computedBlockers", func(d *derived) *[]Blocker { return &d.ComputedBlockers }),
		wordListMember("reviewerBlockers", func(d *derived) *[]Blocker { return &d.ReviewerBlockers }),
		wordListMember("carriedBlockers", func(d *derived) *[]Blocker { return &d.CarriedBlockers }),
		gateMember("gate", func(d *derived) *Gate { return &d.Gate }),
		shape.ObjectMember("reviewer", reviewerShape, func(d *derived) *Reviewer { return &d.Reviewer }),
		shape.ObjectMember("logHead", logHeadShape, func(d *derived) *LogHead { return &d.LogHead }),
		shape.Nullable(recordIDMember("supersedes", func(d *derived) *RecordID { return &d.Supersedes })),
		hashMember("packetDigest", func(d *derived) *Hash { return &d.PacketDigest }),
		wordListMember("sectionsViewed", func(d *derived) *[]SectionName { return &d.SectionsViewed }),
		timeMember("openedAt", func(d *derived) *Instant { return &d.OpenedAt }),
		timeMember("evaluatedAt", func(d *derived) *Instant { return &d.EvaluatedAt }),
		timeMember("recordedAt", func(d *derived) *Instant { return &d.RecordedAt }),
		shape.Nullable(hashMember("statementDigest", func(d *derived) *Hash { return &d.StatementDigest })),
		shape.Nullable(hashMember("noteDigest", func(d *derived) *Hash { return &d.NoteDigest })),
		stringMember("stateMutation", func(d *derived) *string { return &d.mutation }),
	}
}

var reviewerShape = shape.New(
	shape.Required(idMember("id", func(r *Reviewer) *ID { return &r.ID })),
	shape.Required(wordMember("role", func(r *Reviewer) *Role { return &r.Role })),
	shape.Required(stringMember("keyFingerprint", func(r *Reviewer) *string { return &r.KeyFingerprint })),
)

var logHeadShape = shape.New(
	shape.Required(originMember("origin", func(l *LogHead) *string { return &l.Origin })),
	shape.Required(shape.CountMember[reading]("size", func(l *LogHead) *int64 { return &l.Size })),
	shape.Required(hashMember("root", func(l *LogHead) *Hash { return &l.Root })),
)

var appealEnforcementShape = enforcementShape(
	idMember("caseId", func(d *derived) *ID { return &d.Key.ID }),
	shape.VersionMember[reading]("caseRevision", func(d *derived) *int64 { return &d.Key.Number }),
	shape.Nullable(hashMember("caseHash", func(d *derived) *Hash { return &d.ContentHash })),
	shape.Nullable(hashMember("scopeHash", func(d *derived) *Hash { return &d.ScopeHash })),
	shape.Nullable(wordMember("subject", func(d *derived) *Subject { return &d.Subject })),
	shape.Nullable(idMember("subjectId", func(d *derived) *ID { return &d.SubjectID })),
	shape.Nullable(wordMember("trigger", func(d *derived) *Trigger { return &d.Trigger })),
	wordMember("advisoryOutcome", func(d *derived) *Outcome { return &d.Advisory }),
	shape.Nullable(wordMember("requestedOutcome", func(d *derived) *Outcome { return &d.Requested })),
	shape.Nullable(wordMember("preliminaryOutcome", func(d *derived) *Outcome { return &d.Preliminary })),
	wordMember("outcome", func(d *derived) *Outcome { return &d.Outcome }),
	wordListMember("factorCodes", func(d *derived) *[]FactorCode { return &d.Factors }),
	wordListMember("reviewScope", func(d *derived) *[]Subject { return &d.reviewScope }),
	stringMember("provenanceActivity", func(d *derived) *string { return &d.provenanceActivity }),
	stringMember("traceabilityBusinessStep", func(d *derived) *string { return &d.traceabilityStep }),
)

var amendmentEnforcementShape = enforcementShape(
	idMember("amendmentId", func(d *derived) *ID { return &d.Key.ID }),
	shape.VersionMember[reading]("amendmentRevision", func(d *derived) *int64 { return &d.Key.Number }),
	shape.Nullable(hashMember("amendmentHash", func(d *derived) *Hash { return &d.ContentHash })),
	idMember("ownerId", func(d *derived) *ID { return &d.OwnerID }),
	shape.Nullable(idMember("agreementId", func(d *derived) *ID { return &d.AgreementID })),
	shape.Nullable(wordMember("transition", func(d *derived) *Transition { return &d.Transition })),
	shape.Nullable(wordMember("subjectType", func(d *derived) *SubjectType { return &d.SubjectType })),
	shape.Nullable(wordMember("amendmentType", func(d *derived) *AmendmentType { return &d.AmendmentType })),
	shape.Nullable(hashMember("beforeTermsHash", func(d *derived) *Hash { return &d.BeforeTermsHash })),
	shape.Nullable(hashMember("afterTermsHash", func(d *derived) *Hash { return &d.AfterTermsHash })),
	wordListMember("blockedTransitions", func(d *derived) *[]GuardedAction { return &d.Blocked }),
)

func enforcementShape(own ...member[derived]) *shapeOf[derived] {
	members := append(sharedEnforcementMembers(), own...)
	for i := range members {
		members[i].Required = true
	}
	return shape.New(members...)
}

// EnforcementShape describes the records of an area: which members they have and of what form.
func EnforcementShape(area Area) Shape {
	switch area {
	case Appeals:
		return *appealEnforcementShape.Shape()
	case Amendments:
		return *amendmentEnforcementShape.Shape()
	}
	return Shape{}
}

// ReadEnforcement reads a record of the area as strictly as a packet, and refuses one that is not in canonical form,
// or in which a member that follows from others says something else. The error wraps ErrEnforcement, and the *Fault where
// a member is at fault.
func ReadEnforcement(r *Reader, area Area, document []byte) (Enforcement, error) {
	shape := appealEnforcementShape
	if area == Amendments {
		shape = amendmentEnforcementShape
	}
	if len(document) > maxEnforcementSize {
		return Enforcement{}, fmt.Errorf("%w: it is over %d bytes", ErrEnforcement, maxEnforcementSize)
	}
	root, fault := r.Parse(document)
	if fault != nil {
		return Enforcement{}, fmt.Errorf("%w: %s", ErrEnforcement, fault.Reason)
	}
	d := derived{}
	d.Area = area
	if fault := shape.Read(&d, root, &reading{}); fault != nil {
		return Enforcement{}, fmt.Errorf("%w: %w", ErrEnforcement, fault)
	}
	// Writing the members again must give the very same bytes: that covers the canonical form and all that follows
	// from other members in one comparison.
	again := d.EnforcementMembers.following()
	if string(again.document()) != string(document) {
		return Enforcement{}, fmt.Errorf("%w: it is not what its own members say", ErrEnforcement)
	}
	if area == Appeals && len(d.Factors) == 0 {
		return Enforcement{}, fmt.Errorf("%w: it has no factor code", ErrEnforcement)
	}
	return Enforcement{d.EnforcementMembers, append([]byte(nil), document...)}, nil
}

func recordIDMember[R any](name string, at func(*R) *RecordID) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormString}, func(r *R, v canonical.Value, _ *reading) *Fault {
		*at(r) = RecordID(v.Text())
		return shape.FaultUnless(at(r).Valid(), v, "must be a UUIDv7 in lower case")
	})
}

func originMember[R any](name string, at func(*R) *string) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormString}, func(r *R, v canonical.Value, _ *reading) *Fault {
		*at(r) = v.Text()
		return shape.FaultUnless(OfConsole(*at(r)), v, "must be the origin of a console's log")
	})
}

func gateMember[R any](name string, at func(*R) *Gate) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormWord, Words: Gates()}, func(r *R, v canonical.Value, _ *reading) *Fault {
		gate, err := ParseGate(v.Text())
		*at(r) = gate
		return shape.FaultUnless(err == nil, v, shape.WantWord+"gate")
	})
}

// wordListMember reads a list of words in its own order.
func wordListMember[R any, K Kind](name string, at func(*R) *[]Word[K]) member[R] {
	form := Form{Kind: shape.FormWords, Words: Vocabulary[K]{}.Texts()}
	return shape.NewMember(name, form, func(r *R, v canonical.Value, _ *reading) *Fault {
		if v.Kind() != canonical.Array {
			return shape.FaultAt(v, shape.WantList)
		}
		words := make([]Word[K], 0, v.Len())
		for element := v.First(); element.Exists(); element = element.Next() {
			word, fault := readWord[K](element)
			if fault != nil {
				return fault.UnderIndex(len(words))
			}
			words = append(words, word)
		}
		*at(r) = words
		return nil
	})
}
