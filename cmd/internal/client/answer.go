package client

import (
	"encoding/json"
	"fmt"

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
	), shape.ParsedMember[none]("receivedAt", shape.FormString, "must be a time", func(e *api.Enforced) *terms.Instant { return &e.ReceivedAt }, terms.ParseInstant), shape.ElementsMember("proof", shape.Form{Kind: shape.FormList}, func(e *api.Enforced) *[]terms.Hash { return &e.Proof }, readHash))...)
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
	shape.ElementsMember("changes", shape.Form{Kind: shape.FormList}, func(p *api.Problem) *[]string { return &p.Changes }, readString),
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
	return shape.ElementsMember(name, shape.Form{Kind: shape.FormWords}, at, func(into *terms.Blocker, v canonical.Value, _ *none) *shape.Fault {
		code, err := terms.Blockers.Parse(v.Text())
		*into = code
		return shape.FaultUnless(err == nil, v, shape.WantWord+terms.Blockers.Name())
	})
}

// readDocument returns an object in canonical form, however it was written.
func readDocument(into *json.RawMessage, v canonical.Value, _ *none) *shape.Fault {
	*into = v.AppendCanonical(nil, "")
	return shape.FaultUnless(v.Kind() == canonical.Object, v, shape.WantObject)
}

func readHash(into *terms.Hash, v canonical.Value, _ *none) *shape.Fault {
	hash, ok := terms.ParseHash(v.Text())
	*into = hash
	return shape.FaultUnless(ok && v.Kind() == canonical.String, v, shape.WantHash)
}

func readString(into *string, v canonical.Value, _ *none) *shape.Fault {
	*into = v.Text()
	return shape.FaultUnless(v.Kind() == canonical.String, v, shape.WantString)
}

// readStatus reads an HTTP status.
func readStatus(into *api.Problem, v canonical.Value, _ *none) *shape.Fault {
	number, ok := v.Integer()
	into.Status = int(number)
	return shape.FaultUnless(ok && number >= 100 && number < 600, v, "must be an HTTP status")
}
