package client

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"slices"

	"docket/cmd/internal/api"
	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// An Invitation is the file by which an operator invites a reviewer. Only its owner may read it:
// its token authenticates the reviewer once the operator has entered the answer.
type Invitation struct {
	Form     string `json:"form"`       // invitationForm
	Name     string `json:"invitation"` // as the service lists it
	Address  string `json:"service"`
	Key      string `json:"key"`      // verifier key of the service's log
	Operator string `json:"operator"` // fingerprint of the operator's key
	// Statements name the operator, and lead from the service's earlier keys to its present one.
	Statements []api.LogStatement `json:"statements"`
	Principal  terms.ID           `json:"principal"`
	Role       terms.Role         `json:"role"`
	Owners     []terms.ID         `json:"owners"`
	Token      string             `json:"token"`
	OpenUntil  terms.Instant      `json:"openUntil"` // the end of the invitation
	Expires    terms.Instant      `json:"expires"`   // the end of the token
}

const invitationForm = "docket-invitation/v1"

// MaxInvitation is the largest file of an invitation, in bytes.
const MaxInvitation = 256 << 10

// ErrInvitation says that a file is no whole and consistent invitation. No error repeats the file.
var ErrInvitation = errors.New("it is not an invitation as `docket serve invite` writes it")

// Document returns the file.
func (i Invitation) Document() []byte {
	i.Form = invitationForm
	i.Statements, i.Owners = append([]api.LogStatement{}, i.Statements...), append([]terms.ID{}, i.Owners...)
	text, _ := stdjson.MarshalIndent(i, "", "  ") // all of it can be written
	return append(text, '\n')
}

var invitationReader = api.NewReader[Invitation]()

// ReadInvitation reads a file and compares its parts: the address is one of a service, the
// statements are signed, lead to the key and name the operator. The caller checks whether it has
// expired. The error wraps ErrInvitation and says which part is wrong.
func ReadInvitation(text []byte) (Invitation, error) {
	wrong := func(what string) (Invitation, error) { return Invitation{}, fmt.Errorf("%w: %s", ErrInvitation, what) }
	var doc json.Document
	if fault := doc.Parse(text, json.Limits{}); fault != nil {
		return wrong("it is not JSON that every reader reads alike")
	}
	i, fault := invitationReader.Read(doc.Root())
	if fault != nil {
		return wrong(fault.Error())
	}
	_, named := terms.ParseID(i.Name)
	_, tokenErr := ParseToken(i.Token)
	key, keyErr := signed.ParseKey(i.Key)
	switch {
	case i.Form != invitationForm:
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

// Pin binds the console to the service of the invitation, by key and operator, as the first contact
// would. first reports that it was bound to none before. The errors are those of Pull.
func (i *Invitation) Pin(ctx context.Context, b Store, operator func(records.LogStatement) error) (first bool, err error) {
	known, err := b.KnownOfService(ctx)
	if err == nil {
		err = (&Session{Store: b, Operator: operator}).bind(ctx, &known, &api.Page{Key: i.Key, Statements: i.Statements})
	}
	return err == nil && len(known.Keys) == 0, err
}
