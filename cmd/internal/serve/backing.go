package serve

import (
	"context"
	"errors"

	"docket/cmd/internal/exchange"
	"docket/domain"
	"docket/domain/overlap"
)

// A Principal is who calls: what the token that came with the request stands for.
type Principal struct {
	ID     domain.ID
	Role   domain.Role
	Owners []domain.ID // the owners whose amendments it may read and judge; none: no amendment
	Token  string      // names the token in lists and logs; no secret
}

// Owns tells whether the principal may read and judge amendments of the owner.
func (p *Principal) Owns(owner domain.ID) bool {
	for _, id := range p.Owners {
		if id == owner && owner.Present() {
			return true
		}
	}
	return false
}

// ErrUnknownToken says that a token is unknown, expired or revoked; which of them is nobody's business.
var ErrUnknownToken = errors.New("the token is not valid")

// ErrNotHeld says that what was asked for is not there, or not for this principal.
var ErrNotHeld = errors.New("it is not held")

// ErrUnavailable says that what lies behind the service cannot take or give anything now.
var ErrUnavailable = errors.New("the store cannot be used now")

// A Registry knows who may call.
type Registry interface {
	// Principal returns whom the token with this SHA-256 stands for now; ErrUnknownToken if it stands for nobody.
	Principal(ctx context.Context, digest [32]byte) (Principal, error)
	// HasKey tells whether the key is registered for the principal. The fingerprint is in OpenSSH's SHA256:… form.
	HasKey(ctx context.Context, principal domain.ID, fingerprint string) (bool, error)
}

// A Handed is a record that a principal hands in. Its signature has been read but not verified.
type Handed struct {
	Principal Principal
	Record    domain.Enforcement
	Signature []byte // armored SSHSIG

	PacketSalt domain.Salt      // of the record's packetDigest
	Statement  domain.Statement // of reasons; the zero Statement if there is none
}

// A Ledger takes records in.
type Ledger interface {
	// Append verifies the signature, judges the packets again as they were and as they are now, and appends the record to
	// the log. When it returns an answer, the record is durable; again is true where it was there before. The error is
	// ErrNotHeld if the packet is not held or not one that the principal may judge, a *domain.DiffersError if the record
	// does not follow from the packets that it names, a *domain.StaleError if it did and does not any more, another error
	// that wraps domain.ErrRefused if the record may not be recorded, ErrConflict, ErrForged, or ErrUnavailable. After
	// ErrEarly and ErrRulesUnknown the same record may be taken another day.
	Append(ctx context.Context, handed Handed) (answer exchange.Enforced, again bool, err error)
	// Standing tells what holds now on the revision that a record is about, for whoever was refused.
	Standing(ctx context.Context, record domain.Enforcement) (Standing, error)
	// Reject signs the statement that a record is turned away for good; Origin is filled in.
	Reject(ctx context.Context, rejection domain.Rejection) (signed string, err error)
}

// ErrEarly says that a record was made more than a minute later than it is by the service's clock.
var ErrEarly = errors.New("the record is from the future of this clock")

// ErrRulesUnknown says that a record was judged by a rule book that is not here.
var ErrRulesUnknown = errors.New("the rule book of the record is not here")

// ErrConflict says that another record is held under the same id.
var ErrConflict = errors.New("another record has this id")

// ErrForged says that the signature is not one of the record.
var ErrForged = errors.New("the signature is not one of this record")

// A Standing is what holds now on a revision.
type Standing struct {
	InForce  domain.RecordID // "" for none
	Latest   int64           // the latest revision held
	Blockers []domain.Blocker
	Carried  domain.BlockerSet // added by people, in records on the revision
}

// A Library gives packets out, redacted as they are stored. What a principal may not see is not there for them: a neutral
// reviewer sees what is assigned to them by its latest revision, a safety admin everything; of amendments both see only
// those of their owners. Policies are for everybody.
type Library interface {
	// Page returns at most so many packets after the cursor, and the cursor after them. The empty cursor is the beginning;
	// so is one that was given to a principal with other rights. ErrCursor if it is none.
	Page(ctx context.Context, principal Principal, cursor string, most int) (exchange.Page, error)
	// Packet returns all revisions of a case or amendment, after the policies that they name; ErrNotHeld if there is none.
	Packet(ctx context.Context, principal Principal, id domain.ID) (exchange.Page, error)
}

// ErrCursor says that a cursor was not given out by this service.
var ErrCursor = errors.New("it is no cursor of this service")

// A Witness remembers the checkpoints of consoles.
type Witness interface {
	// Cosign verifies that the checkpoint is signed by its log, that it extends what the witness last saw of the
	// log, remembers it and cosigns it. The error is a *CheckpointError, or ErrUnavailable.
	Cosign(ctx context.Context, principal Principal, lodging exchange.Lodging) (exchange.Cosigned, error)
}

// A CheckpointError says why a checkpoint is not cosigned.
type CheckpointError struct {
	Kind exchange.ProblemKind // Malformed, CheckpointForked or CheckpointShorter
	Size int64                // the size that the witness holds of the log; 0 for none
}

// Error names the reason.
func (e *CheckpointError) Error() string { return e.Kind.Title() }

// Receipts proves the receipts of the overlap pilot.
type Receipts interface {
	// SignReceipt returns the receipt as its id, signed with the service's key. It writes nothing.
	SignReceipt(ctx context.Context, receipt overlap.Receipt) (overlap.ReceiptID, error)
}
