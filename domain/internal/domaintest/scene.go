// Package domaintest holds what the tests of several layers of domain share: a [Scene] is a
// question as JSON, a policy, a record and a time, that passes as it is and is changed by edits.
package domaintest

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the samples and the codes
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// Edited is the record's document with some members changed, in canonical form again.
func Edited(record records.Enforcement, edits ...Edit) []byte {
	document := Scene(Parsed(string(record.Document())))
	for _, e := range edits {
		document.Make(e)
	}
	return CanonicalForm(document)
}

// A Scene is a question as JSON: a table, a policy, a record, the latest numbers and the time.
type Scene map[string]any

func Replayed(v *views.View, record records.Enforcement) records.Replayed {
	return record.Replay(v.Policy(), v.Record(), SampleSalt)
}

// What the tests of recording share: a moment at which the packet was opened, evaluated (now) and
// recorded, a reviewer whom the samples name, and a choice that fits.
const (
	SampleRecordID = records.RecordID("019ecb27-7020-7abc-8def-0123456789ab") // of recordedAt
	OtherRecordID  = records.RecordID("019ecb27-7020-7abc-8def-0123456789ac")
	Fingerprint    = "SHA256:2UfXbbU4DYIOOaAY3dyTpYwjIUJFwXFlKQF1FSeOGkc"
	OpenedAt       = "2026-06-15T11:50:00Z"
	RecordedAt     = "2026-06-15T12:00:20Z"
	RecheckedAt    = "2026-06-15T12:00:21Z"
	sampleOrigin   = "docket/0123456789abcdef"
	SampleSalt     = packets.Salt("saltsaltsaltsaltsaltsalt")
)

// Records are one of each kind: passed, blocked and tightened, of both areas, sparse and full.
func Records(t TB) []records.Enforcement {
	t.Helper()
	all := []records.Enforcement{}
	for _, from := range []func() Scene{Appeal, Correction, MaterialChange, DestinationChange} {
		for _, edits := range [][]Edit{nil, {Del("/record/notice")}, {Del("/policy")}} {
			v := View(t, from(), edits...)
			full := ChoiceFor(&v, terms.NeutralReviewMissing)
			full.Supersedes, full.NoteDigest = OtherRecordID, terms.HashOf([]byte("note"))
			all = append(all, Recorded(t, &v, ChoiceFor(&v)), Recorded(t, &v, full))
		}
	}
	return all
}

func Reread(area terms.Area, document []byte) (records.Enforcement, error) {
	var reader packets.Reader
	return records.ReadEnforcement(&reader, area, document)
}

// TB is what the helpers need of *testing.T and *rapid.T.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// An Edit changes one value of a scene. When it happens decides which hashes still fit afterwards.
type Edit struct {
	Pointer string
	Value   any
	deletes bool
	stage   stage
}

type stage uint8

const (
	BeforeSealing stage = iota // every hash fits
	rescoped                   // as beforeSealing, but done by hand, for texts that a Sealer refuses
	resealed                   // the edited document's own hash fits; other hashes stay as they were
	afterSealing               // no hash follows
)

func Set(pointer string, value any) Edit     { return Edit{pointer, value, false, BeforeSealing} }
func Del(pointer string) Edit                { return Edit{pointer, nil, true, BeforeSealing} }
func SetText(pointer string, text any) Edit  { return Edit{pointer, text, false, rescoped} }
func LateSet(pointer string, value any) Edit { return Edit{pointer, value, false, resealed} }
func LateDel(pointer string) Edit            { return Edit{pointer, nil, true, resealed} }
func RawSet(pointer string, value any) Edit  { return Edit{pointer, value, false, afterSealing} }
func RawDel(pointer string) Edit             { return Edit{pointer, nil, true, afterSealing} }

// LookAgain makes the view of the packet of a scene at another time.
func LookAgain(t TB, s Scene, at string, edits ...Edit) views.View {
	t.Helper()
	return View(t, s, append([]Edit{Set("/at", at)}, edits...)...)
}

func Person(id terms.ID, role terms.Role) records.Reviewer {
	return records.Reviewer{ID: id, Role: role, KeyFingerprint: Fingerprint}
}

var Assigned = Person("reviewer-7", terms.NeutralReviewer)

// ChoiceFor is a choice that may be recorded for the view.
func ChoiceFor(v *views.View, added ...terms.Blocker) records.Choice {
	c := records.Choice{AddedBlockers: terms.SetOf(added...), OpenedAt: Instant(OpenedAt),
		SectionsViewed: []views.SectionName{views.SectionGate, views.SectionPolicy, views.SectionReview}}
	if v.Area() == terms.Appeals {
		c.Outcome, c.Factors = terms.RouteHumanReview, terms.SetOf(terms.HumanReviewRequired, terms.SpecificReviewedClaim)
	}
	if records.StatementRequired(v, &c) != "" {
		c.Statement = SampleReasons
	}
	return c
}

func StampOf(who records.Reviewer) records.Stamp {
	return records.Stamp{RecordID: SampleRecordID, Reviewer: who, RecordedAt: Instant(RecordedAt), PacketSalt: SampleSalt,
		LogHead: records.LogHead{Origin: sampleOrigin, Size: 41, Root: terms.HashOf([]byte("root"))}}
}

// Question seals the scene with the edits made when they say; it returns rules.ReadInput's line.
func (s Scene) Question(t TB, edits ...Edit) []byte {
	t.Helper()
	s.Apply(BeforeSealing, edits)
	s.seal(t)
	for _, at := range []stage{rescoped, resealed, afterSealing} {
		touched := s.Apply(at, edits)
		if at == rescoped && touched["record"] && s.Record()["scopeHash"] != nil {
			s.Record()["scopeHash"] = HashOf(Only(s.Record(), "subject", "subjectId", "evidenceScope"))
		}
		for _, part := range []string{"policy", "record"} {
			if document, there := s[part].(map[string]any); there && touched[part] && at != afterSealing {
				own := s.OwnHash(part)
				document[own] = HashOf(Without(document, own))
			}
		}
	}
	return Encoded(s)
}

// Recorded is the record of a choice that must be accepted.
func Recorded(t TB, v *views.View, c records.Choice) records.Enforcement {
	t.Helper()
	record, err := records.Decide(v, c, StampOf(Assigned))
	if err != nil {
		t.Fatalf("not recorded: %v", err)
	}
	return record
}

// Refused makes sure that the error is a refusal, and that no record came with it.
func Refused(t *testing.T, what string, record records.Enforcement, err error) {
	t.Helper()
	var refusal *records.Refusal
	if !errors.As(err, &refusal) || !errors.Is(err, records.ErrRefused) || refusal.Reason == "" {
		t.Errorf("%s: %v", what, err)
	}
	if record.Document() != nil || record.Table() != 0 {
		t.Errorf("%s: a record was made", what)
	}
}

// Apply makes the edits of a stage and returns which parts they touched.
func (s Scene) Apply(at stage, edits []Edit) map[string]bool {
	touched := map[string]bool{}
	for _, e := range edits {
		if e.stage == at {
			touched[strings.Split(e.Pointer, "/")[1]] = true
			s.Make(e)
		}
	}
	return touched
}

// Make makes the edit, with the objects that lead to it.
func (s Scene) Make(e Edit) { made(map[string]any(s), strings.Split(e.Pointer, "/")[1:], e) }

var gone = new(struct{})

// made is the value with the edit made where the steps lead.
func made(value any, steps []string, e Edit) any {
	if len(steps) == 0 {
		if e.deletes {
			return gone
		}
		return Normal(e.Value)
	}
	switch container := value.(type) {
	case nil:
		return made(map[string]any{}, steps, e)
	case map[string]any:
		if container[steps[0]] = made(container[steps[0]], steps[1:], e); container[steps[0]] == gone {
			delete(container, steps[0])
		}
	case []any:
		index, err := strconv.Atoi(steps[0])
		if err != nil {
			panic(err)
		}
		if container[index] = made(container[index], steps[1:], e); container[index] == gone {
			return slices.Delete(container, index, index+1)
		}
	default:
		panic(e.Pointer + " leads nowhere")
	}
	return value
}

// With is a copy of the scene with the edit made; what is deleted from a list goes as a whole.
func (s Scene) With(e Edit) Scene {
	copied := s.Copy()
	copied.Make(e)
	return copied
}

func (s Scene) Copy() Scene { return copied(map[string]any(s)).(map[string]any) }

// copied is the value as its JSON reads, with containers of its own.
func copied(value any) any {
	switch value := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, inner := range value {
			object[name] = copied(inner)
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i, inner := range value {
			list[i] = copied(inner)
		}
		return list
	case nil, bool, string, json.Number:
		return value
	}
	return Normal(value)
}

func (s Scene) seal(t TB) {
	t.Helper()
	var sealer packets.Sealer
	for _, part := range []string{"policy", "record"} {
		if s[part] == nil {
			continue
		}
		sealed, fault := sealer.Seal(Encoded(map[string]any{"table": s.TableOf(part), "record": s[part]}))
		if fault != nil {
			t.Fatalf("the %s cannot be sealed: %v", part, fault)
			return
		}
		s[part] = Parsed(string(sealed))["record"]
	}
}

// SealedByHand fills in every hash, as an attacker would who controls everything that is published.
func (s Scene) SealedByHand() []byte {
	s = s.Copy()
	policy, hasPolicy := s["policy"].(map[string]any)
	if hasPolicy {
		policy["policyHash"] = HashOf(Without(policy, "policyHash"))
	}
	if record, there := s["record"].(map[string]any); there {
		if hasPolicy {
			record["policyHash"] = policy["policyHash"]
			if bundle, there := record["policySnapshotBundle"].(map[string]any); there {
				bundle["policyHash"] = policy["policyHash"]
			}
		}
		if s["table"] == "trade_appeal_cases" {
			record["scopeHash"] = HashOf(Only(record, "subject", "subjectId", "evidenceScope"))
		}
		own := s.OwnHash("record")
		record[own] = HashOf(Without(record, own))
	}
	return Encoded(s)
}

func (s Scene) Record() map[string]any { return s["record"].(map[string]any) }

// TableOf is the table of the scene's policy or record.
func (s Scene) TableOf(part string) string {
	table, _ := s["table"].(string)
	if part == "record" {
		return table
	}
	return map[string]string{"trade_appeal_cases": "trade_appeal_policies",
		"trade_agreement_amendment_records": "trade_agreement_amendment_policies"}[table]
}

func (s Scene) OwnHash(part string) string {
	return map[string]string{"trade_appeal_cases": "caseHash", "trade_agreement_amendment_records": "amendmentHash",
		"trade_appeal_policies": "policyHash", "trade_agreement_amendment_policies": "policyHash"}[s.TableOf(part)]
}

// Look makes the view of a scene as it is, not sealed.
func Look(t TB, s Scene) views.View {
	t.Helper()
	return s.Look(t, Instant(s["at"].(string)))
}

// HashOf is the H of the specification.
func HashOf(value any) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(CanonicalForm(value))) }

// CanonicalForm is RFC 8785's, made with another implementation than the one under test.
func CanonicalForm(value any) []byte {
	form, err := jcs.Transform(Encoded(value))
	if err != nil {
		panic(err)
	}
	return form
}

func Without(document map[string]any, name string) map[string]any {
	rest := maps.Clone(document)
	delete(rest, name)
	return rest
}

func Only(document map[string]any, names ...string) map[string]any {
	part := maps.Clone(document)
	maps.DeleteFunc(part, func(name string, _ any) bool { return !slices.Contains(names, name) })
	return part
}

// Parsed reads JSON with its numbers as they are written.
func Parsed(text string) map[string]any {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	document := map[string]any{}
	if err := decoder.Decode(&document); err != nil {
		panic(err)
	}
	return document
}

// Normal turns a Go value into what parsing its JSON gives.
func Normal(value any) any {
	return Parsed(`{"value":` + string(Encoded(value)) + `}`)["value"]
}

func Encoded(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

// The moment for which the samples are judged, and its neighbours.
const (
	Now       = "2026-06-15T12:00:00Z"
	JustAfter = "2026-06-15T12:00:00.000000001Z"
	JustPast  = "2026-06-15T11:59:59.999999999Z"
	LongAgo   = "2025-06-15T12:00:00Z"
	FarAhead  = "2027-06-15T12:00:00Z"
)

// Hashes of things that no program here ever sees, and one that belongs to nothing.
const (
	BeforeTerms = "sha256:b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1"
	AfterTerms  = "sha256:a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2"
	parentHash  = "sha256:c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3"
	OtherHash   = "sha256:d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4"
)

// The fail-closed lists of the source, in its order (source 7.1 and 7.2).
//
//go:embed codes.txt
var codes string

var AppealCodes, AmendmentCodes = func() ([]string, []string) {
	appeals, amendments, _ := strings.Cut(codes, "\n\n")
	return strings.Fields(appeals), strings.Fields(amendments)
}()

// Held are the blockers of the scene once it is sealed; nil if it is refused.
func Held(s Scene) []string {
	var reader packets.Reader
	question, fault := rules.ReadInput(&reader, s.SealedByHand())
	if fault != nil {
		return nil
	}
	return Codes(rules.Evaluate(&question))
}

// Pointers lists every value below the one at prefix.
func Pointers(value any, prefix string) []string {
	var all []string
	switch value := value.(type) {
	case map[string]any:
		for name, below := range value {
			all = append(append(all, prefix+"/"+name), Pointers(below, prefix+"/"+name)...)
		}
	case []any:
		for i, below := range value {
			at := prefix + "/" + strconv.Itoa(i)
			all = append(append(all, at), Pointers(below, at)...)
		}
	}
	return all
}

// EveryAction is what all transitions together block, once each.
const EveryAction = "payment_capture public_completed_claim payout_release performance_start " +
	"matched_trade_lock_update reliance_bearing_preview terms_snapshot_update evidence_acceptance " +
	"cleared_agreement_update performance_pause early_termination refund_or_carry_forward evidence_review " +
	"impact_claim_publication breach_remedy destination_reuse public_money_metric"

// Joined are the words of a list of JSON.
func Joined(list any) string { return strings.Trim(fmt.Sprint(list), "[]") }

// The names of an outcome in the provenance trail and the business steps, by the specification.
var OutcomeNames = map[string][2]string{
	"uphold_decision":       {"decision_upheld", "challenge_closed"},
	"request_evidence":      {"evidence_requested", "evidence_pending"},
	"route_human_review":    {"human_review_routed", "review_routed"},
	"open_challenge_window": {"challenge_window_opened", "challenge_opened"},
	"block_reliance":        {"reliance_blocked", "reliance_held"},
	"record_remedy":         {"remedy_recorded", "remedy_recorded"},
	"close_unresolved":      {"challenge_closed_unresolved", "challenge_closed"},
	"correct_record":        {"record_correction_proposed", "correction_proposed"},
}

// Texts writes words out.
func Texts[S ~[]E, E interface{ String() string }](words S) []string {
	all := []string{}
	for _, word := range words {
		all = append(all, word.String())
	}
	return all
}

// Evaluated reads the scene as one line of input and evaluates it.
func Evaluated(t TB, s Scene, edits ...Edit) (rules.Input, rules.Evaluation) {
	t.Helper()
	var reader packets.Reader
	input, fault := rules.ReadInput(&reader, s.Question(t, edits...))
	if fault != nil {
		t.Fatalf("the input is refused: %v", fault)
	}
	return input, rules.Evaluate(&input)
}

// Decided is the decision, the same from the evaluation and from the line that is printed.
func Decided(t TB, s Scene, edits ...Edit) views.Decision {
	t.Helper()
	input, evaluation := Evaluated(t, s, edits...)
	decision := views.DecisionOf(evaluation)
	printed := Parsed(string(views.AppendAnswer(nil, &input, evaluation)))["decision"]
	if string(Encoded(printed)) != string(Encoded(Normal(decision))) {
		t.Fatalf("printed %s, but decided %s", Encoded(printed), Encoded(decision))
	}
	return decision
}
