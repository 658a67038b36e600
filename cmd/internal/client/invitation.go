package client

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/cmd/internal/api"
	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// An Invitation is the file by which a service's operator invites a reviewer. It holds the token that authenticates the
// reviewer once the operator has entered the answer, so that only its owner may read it.
type Invitation struct {
	Name       string             // as the service lists it
	Address    string             // of the service
	Key        string             // verifier key of the service's log
	Operator   string             // fingerprint of the operator's key
	Statements []api.LogStatement // name the operator, and lead from the keys that the service had to the one that it has
	Principal  terms.ID
	Role       terms.Role
	Owners     []terms.ID
	Token      string
	OpenUntil  terms.Instant // the end of the invitation
	Expires    terms.Instant // the end of the token
}

// invitationForm is the first member of the file.
const invitationForm = "docket-invitation/v1"

// MaxInvitation is the largest file of an invitation, in bytes.
const MaxInvitation = 256 << 10

// ErrInvitation says that a file is not an invitation, whole and consistent. No error repeats its content.
var ErrInvitation = errors.New("it is not an invitation as `docket serve invite` writes it")

// Document returns the file.
func (i *Invitation) Document() []byte {
	owners := make([]string, 0, len(i.Owners))
	for _, owner := range i.Owners {
		owners = append(owners, string(owner))
	}
	var statements []ordered.Object
	for _, s := range i.Statements {
		statements = append(statements, ordered.Of("text", s.Text, "signature", s.Signature, "logSignature", s.LogSignature))
	}
	return append(ordered.Of("form", invitationForm, "invitation", i.Name, "service", i.Address, "key", i.Key, "operator", i.Operator,
		"statements", statements, "principal", string(i.Principal), "role", i.Role.String(), "owners", owners, "token", i.Token,
		"openUntil", i.OpenUntil.String(), "expires", i.Expires.String()).Indented(), '\n')
}

// An invitationFile holds the members of a file before they are compared with each other.
type invitationFile struct {
	Invitation
	form string
}

var invitationShape = shape.New(shape.All(
	shape.StringMember[none]("form", func(f *invitationFile) *string { return &f.form }),
	shape.StringMember[none]("invitation", func(f *invitationFile) *string { return &f.Name }),
	shape.StringMember[none]("service", func(f *invitationFile) *string { return &f.Address }),
	shape.StringMember[none]("key", func(f *invitationFile) *string { return &f.Key }),
	shape.StringMember[none]("operator", func(f *invitationFile) *string { return &f.Operator }),
	shape.ListMember("statements", statementShape, func(f *invitationFile) *[]api.LogStatement { return &f.Statements }),
	shape.ParsedMember[none]("principal", shape.FormString, shape.WantID, func(f *invitationFile) *terms.ID { return &f.Principal }, terms.ParseID),
	shape.ParsedMember[none]("role", shape.FormString, "must be a role of a reviewer",
		func(f *invitationFile) *terms.Role { return &f.Role }, parsing(terms.Roles.Parse)),
	parsedList("owners", shape.WantID, func(f *invitationFile) *[]terms.ID { return &f.Owners }, terms.ParseID),
	shape.StringMember[none]("token", func(f *invitationFile) *string { return &f.Token }),
	shape.ParsedMember[none]("openUntil", shape.FormString, shape.WantTime, func(f *invitationFile) *terms.Instant { return &f.OpenUntil }, terms.ParseInstant),
	shape.ParsedMember[none]("expires", shape.FormString, shape.WantTime, func(f *invitationFile) *terms.Instant { return &f.Expires }, terms.ParseInstant),
)...)

// ReadInvitation reads a file and compares its parts: the address is one of a service, the statements are signed, lead
// to the key and name the operator. The caller checks whether it has expired. The error wraps ErrInvitation and says
// which part is wrong.
func ReadInvitation(text []byte) (Invitation, error) {
	wrong := func(what string) (Invitation, error) { return Invitation{}, fmt.Errorf("%w: %s", ErrInvitation, what) }
	var doc canonical.Document
	if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
		return wrong("it is not JSON that every reader reads alike")
	}
	var file invitationFile
	if fault := invitationShape.Read(&file, doc.Root(), nil); fault != nil {
		return wrong(fault.Error())
	}
	i := file.Invitation
	_, named := terms.ParseID(i.Name)
	_, tokenErr := ParseToken(i.Token)
	key, keyErr := signed.ParseKey(i.Key)
	switch {
	case file.form != invitationForm:
		return wrong(fmt.Sprintf("its form differs from %s", invitationForm))
	case !named:
		return wrong("it has no name")
	case CheckAddress(i.Address) != nil:
		return wrong(fmt.Sprintf("its address cannot be called: %s", CheckAddress(i.Address).Error()))
	case tokenErr != nil:
		return wrong("it brings no token")
	case keyErr != nil:
		return wrong("the key of the service's log cannot be read")
	case i.Expires.Before(i.OpenUntil):
		return wrong("its token expires before it does")
	}
	_, opened := verify.ReadLineage(key.Origin(), i.Key, nil, api.Signed(i.Statements))
	if slices.ContainsFunc(opened, func(s verify.OpenedStatement) bool { return !s.OK }) {
		return wrong("a statement about the service's log is not signed as it has to be")
	}
	if operator := verify.OperatorOf(opened); operator == "" || operator != i.Operator {
		return wrong("the statements about the service's log name an operator other than its own")
	}
	return i, nil
}

// Pin binds the console to the service that the invitation names, by its key and its operator, as the first contact would. first reports
// that it was bound to none before. The errors are those of Pull.
func (i *Invitation) Pin(ctx context.Context, b Binding, operator func(records.LogStatement) error) (first bool, err error) {
	return bind(ctx, b, &api.Page{Key: i.Key, Statements: i.Statements}, operator)
}

// Enrolment returns the answer to the invitation by the holder of the public key, not yet signed by that key.
func (i *Invitation) Enrolment(publicKey string) signed.Enrolment {
	return signed.Answer(i.Name, i.Principal, publicKey, i.Token)
}
