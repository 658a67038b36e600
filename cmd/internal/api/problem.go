package api

import (
	"docket/domain"
)

// A ProblemKind is a reason for which a request is not granted. The zero value is an internal error.
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
	RulesUnknown
	CheckpointForked
	CheckpointShorter
	BodyTooLarge
	UnsupportedMediaType
	EvaluationDiffers
	RecordRefused
	RateLimited
	Unavailable
)

// problems is the one table of problems.
var problems = [...]struct {
	word   string
	status int
	title  string
	final  domain.RejectionReason // of a record that will never be taken
}{
	Internal:             {"internal", 500, "Something went wrong in the service; nothing was acknowledged.", 0},
	Malformed:            {"malformed", 400, "The request cannot be read.", 0},
	Unauthenticated:      {"unauthenticated", 401, "The request carries no token that is valid now.", 0},
	Forbidden:            {"forbidden", 403, "The token does not allow this.", 0},
	NotTheReviewer:       {"not_the_reviewer", 403, "The record is another reviewer's, or in another role than the token's.", 0},
	NotTheOwner:          {"not_the_owner", 403, "The amendment belongs to an owner that the token is not for.", 0},
	KeyNotRegistered:     {"key_not_registered", 403, "The record is signed with a key that is not registered for the reviewer.", 0},
	SignatureInvalid:     {"signature_invalid", 403, "The signature is not one of this record.", 0},
	NotFound:             {"not_found", 404, "There is nothing here by that name for this caller.", 0},
	MethodNotAllowed:     {"method_not_allowed", 405, "The route does not take this method.", 0},
	PacketStale:          {"packet_stale", 409, "What was judged has changed since.", domain.PacketStale},
	RecordSuperseded:     {"record_superseded", 409, "Another record is in force than the one that this record supersedes.", domain.RecordSuperseded},
	RecordConflict:       {"record_conflict", 409, "Another record is held under the same id.", domain.RecordConflict},
	Early:                {"early", 409, "The record was made later than it is by the service's clock; it can be taken once that time has come.", 0},
	RulesUnknown:         {"rules_unknown", 409, "The record was judged by a rule book that the service does not have; it can be taken once it has.", 0},
	CheckpointForked:     {"checkpoint_forked", 409, "The log does not extend what it was when the service last saw it.", 0},
	CheckpointShorter:    {"checkpoint_shorter", 409, "The log is shorter than when the service last saw it.", 0},
	BodyTooLarge:         {"body_too_large", 413, "The body is over 1 MiB.", 0},
	UnsupportedMediaType: {"unsupported_media_type", 415, "The body is not of the media type that the route reads.", 0},
	EvaluationDiffers:    {"evaluation_differs", 422, "The service's evaluation differs from the record's.", domain.EvaluationDiffers},
	RecordRefused:        {"record_refused", 422, "The record may not be recorded.", domain.RecordRefused},
	RateLimited:          {"rate_limited", 429, "There were too many requests; try again after the time given.", 0},
	Unavailable:          {"unavailable", 503, "The service cannot take this now; nothing was acknowledged.", 0},
}

// ProblemKinds lists all kinds.
func ProblemKinds() []ProblemKind {
	kinds := make([]ProblemKind, len(problems))
	for i := range kinds {
		kinds[i] = ProblemKind(i)
	}
	return kinds
}

// ParseProblem reads the type of a problem document. What is not one of this table is an internal error, which rejects
// nothing.
func ParseProblem(uri string) ProblemKind {
	for kind := range problems {
		if ProblemKind(kind).URI() == uri {
			return ProblemKind(kind)
		}
	}
	return Internal
}

// entry is the kind's place in the table; one that is not in it is an internal error.
func (k ProblemKind) entry() int {
	if int(k) < len(problems) {
		return int(k)
	}
	return int(Internal)
}

// Word is the last part of the type.
func (k ProblemKind) Word() string { return problems[k.entry()].word }

// URI is the type of the problem document (RFC 9457). It is stable and leads nowhere.
func (k ProblemKind) URI() string { return problemPrefix + k.Word() }

const problemPrefix = "urn:docket:problem:"

// Status is the HTTP status.
func (k ProblemKind) Status() int { return problems[k.entry()].status }

// Title is the same for every problem of the kind.
func (k ProblemKind) Title() string { return problems[k.entry()].title }

// Rejects is the reason for which the same record will never be taken: it has to be judged again. It is absent for whatever
// else keeps a record from being taken, which may pass.
func (k ProblemKind) Rejects() domain.RejectionReason { return problems[k.entry()].final }

// KindOf is the kind of problem that answers for a rejection.
func KindOf(reason domain.RejectionReason) ProblemKind {
	for i := range problems {
		if reason.Present() && problems[i].final == reason {
			return ProblemKind(i)
		}
	}
	return Internal
}

// A Problem is a problem document (RFC 9457). No member holds a value of the request other than ids and codes.
type Problem struct {
	Type   string `json:"type"` // ProblemKind.URI
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"` // what to do; never a value that could be private

	Pointer   string           `json:"pointer,omitempty"`   // JSON Pointer into the body, of what cannot be read
	Faults    []Fault          `json:"faults,omitempty"`    // malformed: all that is wrong, where there is more than one thing
	Changes   []string         `json:"changes,omitempty"`   // packet_stale and record_superseded: what is different now
	InForce   domain.RecordID  `json:"inForce,omitempty"`   // the record in force on the revision, where there is one
	Latest    int64            `json:"latest,omitempty"`    // the latest revision held, where the record is on an earlier one
	Stated    []domain.Blocker `json:"stated,omitzero"`     // evaluation_differs: the record's computedBlockers
	Found     []domain.Blocker `json:"found,omitzero"`      // evaluation_differs: the service's
	Blockers  []domain.Blocker `json:"blockers,omitempty"`  // packet_stale: the fail-closed codes that hold now
	Size      *int64           `json:"size,omitempty"`      // checkpoint_…: the size that the service holds
	Rejection string           `json:"rejection,omitempty"` // final kinds: the signed domain.Rejection
}

// A Fault is one thing that is wrong with a body.
type Fault struct {
	Pointer string `json:"pointer"`
	Reason  string `json:"reason"` // one clause, without any value
}

// New is a problem of the kind, with what to do about it.
func (k ProblemKind) New(detail string) *Problem {
	return &Problem{Type: k.URI(), Title: k.Title(), Status: k.Status(), Detail: detail}
}

// Kind is the kind of the problem.
func (p *Problem) Kind() ProblemKind { return ParseProblem(p.Type) }

// Error says what the problem is.
func (p *Problem) Error() string {
	if p.Detail == "" {
		return p.Title
	}
	return p.Title + " " + p.Detail
}
