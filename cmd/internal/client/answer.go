package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain/canonical"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
)

// Answers are read by package shape without a state.
type none = struct{}

const (
	// mostDepth is the largest nesting depth of an answer: a packet within its page.
	mostDepth = 64 + 2
	// mostValues is the largest number of values of an answer: what is read of them takes many times the room of their text.
	mostValues = 4 << 20
)

// readAnswer reads an answer. The error wraps ErrUnreadable and names only members of the shape.
func readAnswer[T any](text []byte, answer *shape.Of[none, *T]) (T, error) {
	var into T
	var doc canonical.Document
	if fault := doc.Parse(text, canonical.Limits{Depth: mostDepth, Values: mostValues}); fault != nil {
		return into, fmt.Errorf("%w: it is not JSON that every reader reads alike: %s", ErrUnreadable, fault.Reason)
	}
	if fault := answer.Read(&into, doc.Root(), nil); fault != nil {
		return *new(T), fmt.Errorf("%w: %w", ErrUnreadable, fault)
	}
	return into, nil
}

// The successful answers of a service.
var (
	pageShape = shape.New(
		shape.Required(shape.ElementsMember("packets", shape.Form{Kind: shape.FormList}, func(p *api.Page) *[]json.RawMessage { return &p.Packets }, readDocument)),
		shape.StringMember[none]("cursor", func(p *api.Page) *string { return &p.Cursor }),
		shape.FlagMember[none]("more", func(p *api.Page) *bool { return &p.More }),
		shape.Required(shape.StringMember[none]("key", func(p *api.Page) *string { return &p.Key })),
		shape.ListMember("statements", statementShape, func(p *api.Page) *[]api.LogStatement { return &p.Statements }),
		shape.ListMember("keys", statementShape, func(p *api.Page) *[]api.LogStatement { return &p.Keys }),
		shape.ListMember("reassigned", reassignedShape, func(p *api.Page) *[]api.Reassigned { return &p.Reassigned }),
		shape.ListMember("erasures", statementShape, func(p *api.Page) *[]api.LogStatement { return &p.Erasures }),
	)
	statementsShape = shape.New(
		shape.Required(shape.ListMember("statements", statementShape, func(s *api.LogStatements) *[]api.LogStatement { return &s.Statements })),
	)
	statementShape = shape.New(shape.All(
		shape.StringMember[none]("text", func(s *api.LogStatement) *string { return &s.Text }),
		shape.StringMember[none]("signature", func(s *api.LogStatement) *string { return &s.Signature }),
		shape.StringMember[none]("logSignature", func(s *api.LogStatement) *string { return &s.LogSignature }),
	)...)
	reassignedShape = shape.New(shape.All(
		shape.ParsedMember[none]("table", shape.FormString, "must be a table of cases or amendments", func(r *api.Reassigned) *terms.Table { return &r.Table },
			func(text string) (terms.Table, bool) {
				table, err := terms.Tables.Parse(text)
				return table, err == nil && table == terms.RecordTable(terms.AreaOf(table))
			}),
		shape.ParsedMember[none]("id", shape.FormString, "must be an id", func(r *api.Reassigned) *terms.ID { return &r.ID }, terms.ParseID),
		shape.VersionMember[none]("revision", func(r *api.Reassigned) *int64 { return &r.Revision }),
	)...)
	enforcedShape = shape.New(append(shape.All(
		shape.ObjectMember("receipt", receiptShape, func(e *api.Enforced) *records.Receipt { return &e.Receipt }),
		shape.StringMember[none]("checkpoint", func(e *api.Enforced) *string { return &e.Checkpoint }),
	),
		shape.ParsedMember[none]("receivedAt", shape.FormString, "must be a time",
			func(e *api.Enforced) *terms.Instant { return &e.ReceivedAt }, terms.ParseInstant),
		parsedList("proof", shape.WantHash,
			func(e *api.Enforced) *[]terms.Hash { return &e.Proof }, terms.ParseHash),
	)...)
	receiptShape = shape.New(
		shape.Required(recordIDMember("recordId", func(r *records.Receipt) *records.RecordID { return &r.RecordID })),
		shape.Required(shape.CountMember[none]("sequence", func(r *records.Receipt) *int64 { return &r.Sequence })),
		shape.Required(hashMember("leafHash", func(r *records.Receipt) *terms.Hash { return &r.LeafHash })),
		shape.Required(shape.CountMember[none]("treeSize", func(r *records.Receipt) *int64 { return &r.TreeSize })),
		shape.Required(hashMember("root", func(r *records.Receipt) *terms.Hash { return &r.Root })),
		shape.StringMember[none]("caution", func(r *records.Receipt) *string { return &r.Caution }),
	)
)

// problemShape is a problem document. It may have other members (RFC 9457).
var problemShape = shape.New(
	shape.Required(shape.StringMember[none]("type", func(p *api.Problem) *string { return &p.Type })),
	shape.StringMember[none]("title", func(p *api.Problem) *string { return &p.Title }),
	shape.Required(shape.NewMember("status", shape.Form{Kind: shape.FormCount}, readStatus)),
	shape.StringMember[none]("detail", func(p *api.Problem) *string { return &p.Detail }),
	shape.StringMember[none]("pointer", func(p *api.Problem) *string { return &p.Pointer }),
	parsedList("changes", shape.WantString, func(p *api.Problem) *[]string { return &p.Changes },
		func(text string) (string, bool) { return text, true }),
	recordIDMember("inForce", func(p *api.Problem) *records.RecordID { return &p.InForce }),
	shape.CountMember[none]("latest", func(p *api.Problem) *int64 { return &p.Latest }),
	blockersMember("stated", func(p *api.Problem) *[]terms.Blocker { return &p.Stated }),
	blockersMember("found", func(p *api.Problem) *[]terms.Blocker { return &p.Found }),
	blockersMember("blockers", func(p *api.Problem) *[]terms.Blocker { return &p.Blockers }),
	shape.StringMember[none]("rejection", func(p *api.Problem) *string { return &p.Rejection }),
	shape.ObjectMember("record", recordShape, func(p *api.Problem) *api.Record {
		p.Record = &api.Record{}
		return p.Record
	}),
).Open()

// feedShape is a part of the records of the service's log, and recordShape one of them, without what is stored with it.
var (
	feedShape = shape.New(
		shape.Required(shape.ListMember("records", recordShape, func(f *api.RecordFeed) *[]api.Record { return &f.Records })),
		shape.Required(shape.StringMember[none]("after", func(f *api.RecordFeed) *string { return &f.After })),
		shape.FlagMember[none]("more", func(f *api.RecordFeed) *bool { return &f.More }),
	)
	recordShape = shape.New(
		shape.Required(shape.NewMember("record", shape.Form{Kind: shape.FormObject}, func(r *api.Record, v canonical.Value, in *none) *shape.Fault {
			return readDocument(&r.Record, v, in)
		})),
		shape.Required(shape.StringMember[none]("signature", func(r *api.Record) *string { return &r.Signature })),
		shape.Required(shape.ObjectMember("receipt", receiptShape, func(r *api.Record) *records.Receipt { return &r.Receipt })),
		shape.Required(shape.FlagMember[none]("inForce", func(r *api.Record) *bool { return &r.InForce })),
	).Open()
)

func recordIDMember[T any](name string, at func(*T) *records.RecordID) shape.Member[none, *T] {
	return shape.ParsedMember[none](name, shape.FormString, "must be a UUIDv7 in lower case", at, func(text string) (records.RecordID, bool) {
		id := records.RecordID(text)
		return id, id.Valid()
	})
}

func hashMember[T any](name string, at func(*T) *terms.Hash) shape.Member[none, *T] {
	return shape.ParsedMember[none](name, shape.FormHash, shape.WantHash, at, terms.ParseHash)
}

func blockersMember[T any](name string, at func(*T) *[]terms.Blocker) shape.Member[none, *T] {
	return parsedList(name, shape.WantWord+terms.Blockers.Name(), at, parsing(terms.Blockers.Parse))
}

// parsedList reads a list of strings that parse accepts; reason names the form that each must have.
func parsedList[T, E any](
	name, reason string, at func(*T) *[]E, parse func(string) (E, bool),
) shape.Member[none, *T] {
	read := func(into *E, v canonical.Value, _ *none) *shape.Fault {
		parsed, ok := parse(v.Text())
		*into = parsed
		return shape.FaultUnless(ok && v.Kind() == canonical.String, v, reason)
	}
	return shape.ElementsMember(name, shape.Form{Kind: shape.FormList}, at, read)
}

// parsing turns an error of parse into false.
func parsing[E any](parse func(string) (E, error)) func(string) (E, bool) {
	return func(text string) (E, bool) {
		parsed, err := parse(text)
		return parsed, err == nil
	}
}

// readDocument returns an object in canonical form, however it was written.
func readDocument(into *json.RawMessage, v canonical.Value, _ *none) *shape.Fault {
	*into = v.AppendCanonical(nil, "")
	return shape.FaultUnless(v.Kind() == canonical.Object, v, shape.WantObject)
}

// readStatus reads an HTTP status.
func readStatus(into *api.Problem, v canonical.Value, _ *none) *shape.Fault {
	number, ok := v.Integer()
	into.Status = int(number)
	return shape.FaultUnless(ok && number >= 100 && number < 600, v, "must be an HTTP status")
}

// A StatusError says that the response is not from a docket service but from a proxy or another program.
type StatusError struct{ Status int }

// Error says what to check.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%v: its status is %d %s", ErrUnreadable, e.Status, http.StatusText(e.Status))
	if e.Status >= 300 && e.Status < 400 {
		return fmt.Sprintf("%s; redirects are not followed, because they would get the token: give the final address of the service", text)
	}
	return fmt.Sprintf("%s; check the address of the service", text)
}

// Unwrap returns ErrUnreadable.
func (e *StatusError) Unwrap() error { return ErrUnreadable }

// problemOf reads the problem of a response. The type of the problem and the response must have the same status.
func problemOf(got *reply) error {
	if got.status < 400 || !isMedia(got.media, api.ProblemJSON) {
		return &StatusError{got.status}
	}
	problem, err := readAnswer(got.body, problemShape)
	if err != nil {
		return err
	}
	known := problem.Kind()
	if problem.Status != got.status || problem.Type == known.URI() && known.Status() != got.status {
		return fmt.Errorf("%w: the type of its problem and its status differ", ErrUnreadable)
	}
	if problem.Type == known.URI() {
		problem.Title = known.Title()
	}
	return &problem
}

// isProblem reports whether an error is a problem of the kind.
func isProblem(err error, kind api.ProblemKind) bool {
	var problem *api.Problem
	return errors.As(err, &problem) && problem.Kind() == kind
}

// isMedia reports whether a Content-Type has this media type, apart from parameters.
func isMedia(contentType, media string) bool {
	stated, _, err := mime.ParseMediaType(contentType)
	media, _, _ = strings.Cut(media, ";")
	return err == nil && stated == media
}
