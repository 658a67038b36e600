package records

import (
	"cmp"
	"errors"
	"fmt"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/domain/views"
)

// ErrEnforcement says that a document is not as Decide writes it: damaged, edited or forged.
var ErrEnforcement = errors.New("the enforcement record cannot be read")

// A doc is a record with the members that follow from others, which are compared and not kept.
type doc struct {
	Members
	reviewScope        []terms.Subject
	provenanceActivity string
	traceabilityStep   string
	mutation           string
}

func recordIDField(name string, at func(*doc) *RecordID) packets.Field[*doc] {
	return packets.Field[*doc]{Member: recordIDOf(name, at),
		Put: func(d *doc, w *json.Writer) { w.StringOrNull(string(*at(d))) }}
}

func sharedMembers() []packets.Field[*doc] {
	return []packets.Field[*doc]{
		recordIDField("recordId", func(d *doc) *RecordID { return &d.RecordID }),
		packets.ScannedField("contractVersion", func(d *doc) *string { return &d.ContractVersion }),
		packets.ScannedField("rulesVersion", func(d *doc) *string { return &d.RulesVersion }),
		packets.IDField("policyId", func(d *doc) *terms.ID { return &d.Policy.ID }).Null(),
		packets.NumberField("policyVersion", func(d *doc) *int64 { return &d.Policy.Number }).Null(),
		packets.HashField("policyHash", func(d *doc) *terms.Hash { return &d.PolicyHash }).Null(),
		packets.NumberField("latestPolicyVersion", func(d *doc) *int64 { return &d.Latest.PolicyVersion }).Null(),
		packets.NumberField("latestRevision", func(d *doc) *int64 { return &d.Latest.Revision }).Null(),
		packets.TermsField("computedBlockers", func(d *doc) *[]terms.Blocker { return &d.ComputedBlockers }),
		packets.TermsField("reviewerBlockers", func(d *doc) *[]terms.Blocker { return &d.ReviewerBlockers }),
		packets.TermsField("carriedBlockers", func(d *doc) *[]terms.Blocker { return &d.CarriedBlockers }),
		gateField("gate", func(d *doc) *terms.Gate { return &d.Gate }),
		packets.ObjectField("reviewer", reviewerCodec, func(d *doc) *Reviewer { return &d.Reviewer }),
		packets.ObjectField("logHead", logHeadCodec, func(d *doc) *LogHead { return &d.LogHead }),
		recordIDField("supersedes", func(d *doc) *RecordID { return &d.Supersedes }).Null(),
		packets.HashField("packetDigest", func(d *doc) *terms.Hash { return &d.PacketDigest }),
		packets.TermsField("sectionsViewed", func(d *doc) *[]views.SectionName { return &d.SectionsViewed }),
		timeField("openedAt", func(d *doc) (*terms.Instant, *string) { return &d.OpenedAt, &d.written.opened }),
		timeField("evaluatedAt", func(d *doc) (*terms.Instant, *string) { return &d.EvaluatedAt, &d.written.evaluated }),
		timeField("recordedAt", func(d *doc) (*terms.Instant, *string) { return &d.RecordedAt, &d.written.recorded }),
		packets.HashField("statementDigest", func(d *doc) *terms.Hash { return &d.StatementDigest }).Null(),
		packets.HashField("noteDigest", func(d *doc) *terms.Hash { return &d.NoteDigest }).Null(),
		packets.ScannedField("stateMutation", func(d *doc) *string { return &d.mutation }),
	}
}

var reviewerCodec = packets.NewCodec(
	packets.IDField("id", func(r *Reviewer) *terms.ID { return &r.ID }),
	packets.TermField("role", func(r *Reviewer) *terms.Role { return &r.Role }),
	// The fingerprint is not scanned: its digits may look like a phone number.
	packets.Field[*Reviewer]{
		Member: json.ParsedMember[packets.Reading]("keyFingerprint", json.FormString,
			"must be the fingerprint of an OpenSSH key", func(r *Reviewer) *string { return &r.KeyFingerprint },
			func(text string) (string, bool) { return text, isFingerprint(text) }),
		Put: func(r *Reviewer, w *json.Writer) { w.String(r.KeyFingerprint) }},
)

var logHeadCodec = packets.NewCodec(
	packets.Field[*LogHead]{
		Member: json.ParsedMember[packets.Reading]("origin", json.FormString,
			"must be the origin of a console's log", func(l *LogHead) *string { return &l.Origin },
			func(text string) (string, bool) { return text, ofConsole(text) }),
		Put: func(l *LogHead, w *json.Writer) { w.StringOrNull(l.Origin) }},
	packets.CountField("size", func(l *LogHead) *int64 { return &l.Size }),
	packets.HashField("root", func(l *LogHead) *terms.Hash { return &l.Root }),
)

var appealRecord = recordOf(
	packets.IDField("caseId", func(d *doc) *terms.ID { return &d.Key.ID }),
	packets.NumberField("caseRevision", func(d *doc) *int64 { return &d.Key.Number }),
	packets.HashField("caseHash", func(d *doc) *terms.Hash { return &d.ContentHash }).Null(),
	packets.HashField("scopeHash", func(d *doc) *terms.Hash { return &d.ScopeHash }).Null(),
	packets.TermField("subject", func(d *doc) *terms.Subject { return &d.Subject }).Null(),
	packets.IDField("subjectId", func(d *doc) *terms.ID { return &d.SubjectID }).Null(),
	packets.TermField("trigger", func(d *doc) *terms.Trigger { return &d.Trigger }).Null(),
	packets.TermField("advisoryOutcome", func(d *doc) *terms.Outcome { return &d.Advisory }),
	packets.TermField("requestedOutcome", func(d *doc) *terms.Outcome { return &d.Requested }).Null(),
	packets.TermField("preliminaryOutcome", func(d *doc) *terms.Outcome { return &d.Preliminary }).Null(),
	packets.TermField("outcome", func(d *doc) *terms.Outcome { return &d.Outcome }),
	packets.TermsField("factorCodes", func(d *doc) *[]terms.FactorCode { return &d.Factors }),
	packets.TermsField("reviewScope", func(d *doc) *[]terms.Subject { return &d.reviewScope }),
	packets.ScannedField("provenanceActivity", func(d *doc) *string { return &d.provenanceActivity }),
	packets.ScannedField("traceabilityBusinessStep", func(d *doc) *string { return &d.traceabilityStep }),
)

var amendmentRecord = recordOf(
	packets.IDField("amendmentId", func(d *doc) *terms.ID { return &d.Key.ID }),
	packets.NumberField("amendmentRevision", func(d *doc) *int64 { return &d.Key.Number }),
	packets.HashField("amendmentHash", func(d *doc) *terms.Hash { return &d.ContentHash }).Null(),
	packets.IDField("ownerId", func(d *doc) *terms.ID { return &d.OwnerID }),
	packets.IDField("agreementId", func(d *doc) *terms.ID { return &d.AgreementID }).Null(),
	packets.TermField("transition", func(d *doc) *terms.Transition { return &d.Transition }).Null(),
	packets.TermField("subjectType", func(d *doc) *terms.SubjectType { return &d.SubjectType }).Null(),
	packets.TermField("amendmentType", func(d *doc) *terms.AmendmentType { return &d.AmendmentType }).Null(),
	packets.HashField("beforeTermsHash", func(d *doc) *terms.Hash { return &d.BeforeTermsHash }).Null(),
	packets.HashField("afterTermsHash", func(d *doc) *terms.Hash { return &d.AfterTermsHash }).Null(),
	packets.TermsField("blockedTransitions", func(d *doc) *[]terms.GuardedAction { return &d.Blocked }),
)

func recordOf(own ...packets.Field[*doc]) *packets.Codec[*doc] {
	return packets.NewCodec(append(sharedMembers(), own...)...)
}

// EnforcementShape describes the records of an area: which members they have and of what form.
func EnforcementShape(area terms.Area) json.Shape {
	switch area {
	case terms.Appeals:
		return *appealRecord.Shape()
	case terms.Amendments:
		return *amendmentRecord.Shape()
	}
	return json.Shape{}
}

// ReadEnforcement reads a record of the area as strictly as a packet, and refuses one that is not
// in canonical form, or in which a member that follows from others says something else. The error
// wraps ErrEnforcement, and the *Fault where a member is at fault.
func ReadEnforcement(r *packets.Reader, area terms.Area, document []byte) (Enforcement, error) {
	if len(document) > MaxEnforcementSize {
		return Enforcement{}, fmt.Errorf("%w: it is over %d bytes", ErrEnforcement, MaxEnforcementSize)
	}
	root, fault := r.Parse(document)
	if fault != nil {
		return Enforcement{}, fmt.Errorf("%w: %s", ErrEnforcement, fault.Reason)
	}
	d := doc{}
	d.Area = area
	if fault := recordIn(area).Read(&d, root, &packets.Reading{}); fault != nil {
		return Enforcement{}, fmt.Errorf("%w: %w", ErrEnforcement, fault)
	}
	// Writing the members again checks the canonical form and all derived members at once.
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
	return json.ParsedMember[packets.Reading](name, json.FormString, "must be a UUIDv7 in lower case", at,
		func(text string) (RecordID, bool) { return RecordID(text), RecordID(text).Valid() })
}

// timeField reads a time, and keeps how it is written if Instant.String writes it otherwise.
func timeField(name string, at func(*doc) (*terms.Instant, *string)) packets.Field[*doc] {
	read := json.NewMember(name, json.Form{Kind: json.FormTime}, func(d *doc, v json.Value, _ *packets.Reading) *json.Fault {
		instant, written := at(d)
		read, ok := terms.ParseInstantBytes(v.Bytes())
		if *instant = read; ok && read.String() != v.Text() {
			*written = v.Text()
		}
		return json.FaultUnless(ok && v.Kind() == json.KindString, v, json.WantTime)
	})
	return packets.Field[*doc]{Member: read, Put: func(d *doc, w *json.Writer) {
		instant, written := at(d)
		w.StringOrNull(cmp.Or(*written, instant.String()))
	}}
}

func gateField(name string, at func(*doc) *terms.Gate) packets.Field[*doc] {
	form := json.Form{Kind: json.FormWord, Words: terms.Gates()}
	read := json.NewMember(name, form, func(d *doc, v json.Value, _ *packets.Reading) *json.Fault {
		gate, err := terms.ParseGate(v.Text())
		*at(d) = gate
		return json.FaultUnless(err == nil, v, json.WantWord+"gate")
	})
	return packets.Field[*doc]{Member: read,
		Put: func(d *doc, w *json.Writer) { w.StringOrNull(at(d).String()) }}
}

func recordIn(area terms.Area) *packets.Codec[*doc] {
	if area == terms.Amendments {
		return amendmentRecord
	}
	return appealRecord
}

func (m *Members) append(dst []byte) []byte {
	effect := views.EffectOf(m.Outcome) // the two members of source 2.3.7 follow from the outcome
	return recordIn(m.Area).Append(dst, &doc{*m, views.ReviewScope(m.Subject), effect.ProvenanceActivity,
		effect.TraceabilityStep, EnforcementMutation})
}
