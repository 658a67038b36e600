package api

import (
	"docket/domain/records"
	"docket/domain/terms"
)

// A ProblemKind is a reason to refuse a request. The zero value is an internal error.
type ProblemKind uint8

// The kinds.
const (
	Internal ProblemKind = iota
	Malformed
	Unauthenticated
	Forbidden
	NotTheReviewer
	NotTheOwner
	KeyNotRegistered
	SignatureInvalid
	NotFound
	MethodNotAllowed
	PacketStale
	RecordSuperseded
	RecordConflict
	Early
	Setback
	RulesUnknown
	BodyTooLarge
	UnsupportedMediaType
	EvaluationDiffers
	RecordRefused
	KeyRevoked
	RateLimited
	Unavailable
)

var problems = [...]struct {
	word   string
	status int
	title  string
	final  records.RejectionReason // set if the record will never be accepted
}{
	Internal:         {"internal", 500, "The service failed internally; nothing was acknowledged.", 0},
	Malformed:        {"malformed", 400, "The request is malformed.", 0},
	Unauthenticated:  {"unauthenticated", 401, "The request has no valid token.", 0},
	Forbidden:        {"forbidden", 403, "The token does not allow this.", 0},
	NotTheReviewer:   {"not_the_reviewer", 403, "The record's reviewer or role is not the token's.", 0},
	NotTheOwner:      {"not_the_owner", 403, "The token does not cover the owner of the amendment.", 0},
	KeyNotRegistered: {"key_not_registered", 403, "The record is signed with a key that is not registered for the reviewer.", 0},
	SignatureInvalid: {"signature_invalid", 403, "The signature of the record is not valid.", 0},
	NotFound:         {"not_found", 404, "Not found, or not visible to this caller.", 0},
	MethodNotAllowed: {"method_not_allowed", 405, "The route does not take this method.", 0},
	PacketStale:      {"packet_stale", 409, "The packet has changed since the record was made.", records.PacketStale},
	RecordSuperseded: {"record_superseded", 409,
		"The record in force is not the one that this record supersedes.", records.RecordSuperseded},
	RecordConflict: {"record_conflict", 409, "A different record has the same id.", records.RecordConflict},
	Early:          {"early", 409, "The time of the record is ahead of the service's clock; hand it in again after that time.", 0},
	Setback: {"setback", 409,
		"The record was acknowledged before the service was restored, and cannot be taken yet; hand it in again later.", 0},
	RulesUnknown: {"rules_unknown", 409,
		"The record names a rule book that the service does not have; hand it in again after the service is updated.", 0},
	BodyTooLarge:         {"body_too_large", 413, "The body is larger than 1 MiB.", 0},
	UnsupportedMediaType: {"unsupported_media_type", 415, "The route does not accept a body of this media type.", 0},
	EvaluationDiffers:    {"evaluation_differs", 422, "The service's evaluation differs from the record's.", records.EvaluationDiffers},
	RecordRefused:        {"record_refused", 422, "The rules do not allow this record.", records.RecordRefused},
	KeyRevoked: {"key_revoked", 422,
		"The key that signed the record was revoked before the record came in.", records.SignerRevoked},
	RateLimited: {"rate_limited", 429, "Too many requests; try again after the time in Retry-After.", 0},
	Unavailable: {"unavailable", 503, "The service is unavailable now; nothing was acknowledged.", 0},
}

// ProblemKinds lists all kinds.
func ProblemKinds() []ProblemKind {
	kinds := make([]ProblemKind, len(problems))
	for i := range kinds {
		kinds[i] = ProblemKind(i)
	}
	return kinds
}

// entry returns the kind's index in the table, Internal for an unknown kind.
func (k ProblemKind) entry() int {
	if int(k) < len(problems) {
		return int(k)
	}
	return int(Internal)
}

// Word returns the last part of the type.
func (k ProblemKind) Word() string { return problems[k.entry()].word }

// URI returns the type of the problem document (RFC 9457). It is stable and cannot be dereferenced.
func (k ProblemKind) URI() string { return problemPrefix + k.Word() }

const problemPrefix = "urn:docket:problem:"

// Status returns the HTTP status.
func (k ProblemKind) Status() int { return problems[k.entry()].status }

// Title returns the title, which is the same for every problem of the kind.
func (k ProblemKind) Title() string { return problems[k.entry()].title }

// Rejects returns the reason why the same record will never be accepted, so that its packet must be
// decided again. It is absent for temporary problems.
func (k ProblemKind) Rejects() records.RejectionReason { return problems[k.entry()].final }

// A Problem is a problem document (RFC 9457). It holds no value of the request but ids and codes.
type Problem struct {
	Type   string `json:"type"`              // ProblemKind.URI
	Title  string `json:"title" optional:""` // RFC 9457 has it so
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"` // what to do; never a value that may be private

	Pointer   string           `json:"pointer,omitempty"`   // JSON Pointer into the body, to the fault
	Faults    []Fault          `json:"faults,omitempty"`    // malformed: all, if more than one
	Changes   []string         `json:"changes,omitempty"`   // packet_stale, record_superseded
	InForce   records.RecordID `json:"inForce,omitempty"`   // in force on the revision, if any
	Latest    int64            `json:"latest,omitempty"`    // if the record is on an earlier one
	Stated    []terms.Blocker  `json:"stated,omitzero"`     // evaluation_differs: by the record
	Found     []terms.Blocker  `json:"found,omitzero"`      // evaluation_differs: the service's
	Blockers  []terms.Blocker  `json:"blockers,omitempty"`  // packet_stale: the blockers that hold now
	Rejection string           `json:"rejection,omitempty"` // final kinds: signed records.Rejection
	Record    *Record          `json:"record,omitempty"`    // final kinds: in force, if visible
}

// A Fault is one fault of a body.
type Fault struct {
	Pointer string `json:"pointer"`
	Reason  string `json:"reason"` // one clause, without any value
}

// New returns a problem of the kind. The detail says what to do.
func (k ProblemKind) New(detail string) *Problem {
	return &Problem{Type: k.URI(), Title: k.Title(), Status: k.Status(), Detail: detail}
}

// Kind returns the kind of the problem's type; an unknown one is internal, which rejects nothing.
func (p *Problem) Kind() ProblemKind {
	for _, kind := range ProblemKinds() {
		if kind.URI() == p.Type {
			return kind
		}
	}
	return Internal
}

// Error returns the title and the detail.
func (p *Problem) Error() string {
	if p.Detail == "" {
		return p.Title
	}
	return p.Title + " " + p.Detail
}
