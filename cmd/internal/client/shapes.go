package client

import (
	"encoding/json"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/domain/canonical"
)

// The answers that a service grants.
var (
	pageShape = shape[api.Page]{members: []member[api.Page]{
		list("packets", func(p *api.Page) *[]json.RawMessage { return &p.Packets }, document),
		opt(text("cursor", func(p *api.Page) *string { return &p.Cursor })),
		opt(flag("more", func(p *api.Page) *bool { return &p.More })),
		text("key", func(p *api.Page) *string { return &p.Key }),
	}}
	enforcedShape = shape[api.Enforced]{members: []member[api.Enforced]{
		within("receipt", func(e *api.Enforced) *domain.Receipt { return &e.Receipt }, receiptShape),
		text("checkpoint", func(e *api.Enforced) *string { return &e.Checkpoint }),
	}}
	cosignedShape = shape[api.Cosigned]{members: []member[api.Cosigned]{
		count("size", func(c *api.Cosigned) *int64 { return &c.Size }),
		text("cosignature", func(c *api.Cosigned) *string { return &c.Cosignature }),
		text("key", func(c *api.Cosigned) *string { return &c.Key }),
	}}
	receiptShape = shape[domain.Receipt]{members: []member[domain.Receipt]{
		parsed("recordId", func(r *domain.Receipt) *domain.RecordID { return &r.RecordID }, recordID),
		count("sequence", func(r *domain.Receipt) *int64 { return &r.Sequence }),
		parsed("leafHash", func(r *domain.Receipt) *domain.Hash { return &r.LeafHash }, domain.ParseHash),
		count("treeSize", func(r *domain.Receipt) *int64 { return &r.TreeSize }),
		parsed("root", func(r *domain.Receipt) *domain.Hash { return &r.Root }, domain.ParseHash),
		opt(text("caution", func(r *domain.Receipt) *string { return &r.Caution })),
	}}
)

// problemShape is a problem document. What it has besides is passed over.
var problemShape = shape[api.Problem]{open: true, members: []member[api.Problem]{
	text("type", func(p *api.Problem) *string { return &p.Type }),
	opt(text("title", func(p *api.Problem) *string { return &p.Title })),
	status("status", func(p *api.Problem) *int { return &p.Status }),
	opt(text("detail", func(p *api.Problem) *string { return &p.Detail })),
	opt(text("pointer", func(p *api.Problem) *string { return &p.Pointer })),
	opt(list("changes", func(p *api.Problem) *[]string { return &p.Changes }, func(v canonical.Value) (string, bool) {
		return v.Text(), v.Kind() == canonical.String
	})),
	opt(parsed("inForce", func(p *api.Problem) *domain.RecordID { return &p.InForce }, recordID)),
	opt(count("latest", func(p *api.Problem) *int64 { return &p.Latest })),
	opt(list("stated", func(p *api.Problem) *[]domain.Blocker { return &p.Stated }, blocker)),
	opt(list("found", func(p *api.Problem) *[]domain.Blocker { return &p.Found }, blocker)),
	opt(list("blockers", func(p *api.Problem) *[]domain.Blocker { return &p.Blockers }, blocker)),
	opt(member[api.Problem]{name: "size", read: func(into *api.Problem, v canonical.Value) bool {
		size, ok := v.Integer()
		into.Size = &size
		return ok && size >= 0
	}}),
	opt(text("rejection", func(p *api.Problem) *string { return &p.Rejection })),
}}

// document takes an object in canonical form, whatever it was written like.
func document(v canonical.Value) (json.RawMessage, bool) {
	return v.AppendCanonical(nil, ""), v.Kind() == canonical.Object
}

func recordID(text string) (domain.RecordID, bool) {
	id := domain.RecordID(text)
	return id, id.Valid()
}

func blocker(v canonical.Value) (domain.Blocker, bool) {
	code, err := domain.Blockers.Parse(v.Text())
	return code, err == nil
}

// flag reads true or false.
func flag[T any](name string, at func(*T) *bool) member[T] {
	return member[T]{name: name, read: func(into *T, v canonical.Value) bool {
		*at(into) = v.Kind() == canonical.True
		return v.Kind() == canonical.True || v.Kind() == canonical.False
	}}
}

// status reads an HTTP status.
func status[T any](name string, at func(*T) *int) member[T] {
	return member[T]{name: name, read: func(into *T, v canonical.Value) bool {
		number, ok := v.Integer()
		*at(into) = int(number)
		return ok && number >= 100 && number < 600
	}}
}

// within reads an object by a shape of its own.
func within[T, W any](name string, at func(*T) *W, s shape[W]) member[T] {
	return member[T]{name: name, read: func(into *T, v canonical.Value) bool {
		_, ok := s.read(at(into), v)
		return ok
	}}
}
