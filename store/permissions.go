package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
)

// Permissions say what a principal of a service may see: policies always; cases and amendments as a
// neutral reviewer where their latest revision is assigned to the principal, as a safety admin all
// of them; amendments only of the owners. The zero Permissions see nothing but policies.
type Permissions struct {
	ID     terms.ID
	Role   terms.Role
	Owners []terms.ID
}

// see judges a packet with this assignee and, where it is an amendment, this owner.
func (r *Permissions) see(area terms.Area, assignee, owner terms.ID) bool {
	if area != terms.Appeals && !(owner.Present() && slices.Contains(r.Owners, owner)) {
		return false
	}
	switch r.Role {
	case terms.NeutralReviewer:
		return assignee.Present() && assignee == r.ID
	case terms.SafetyAdmin:
		return r.ID.Present()
	}
	return false
}

// scope returns the scope of a query for all of an area that the principal may see; false for none.
func (r *Permissions) scope(area terms.Area) (scope engine.Scope, some bool) {
	switch {
	case !r.ID.Present() || area != terms.Appeals && len(r.Owners) == 0:
		return engine.Scope{}, false
	case r.Role == terms.NeutralReviewer:
		return engine.Scope{Reviewer: r.ID}, true
	case r.Role != terms.SafetyAdmin:
		return engine.Scope{}, false
	case area != terms.Appeals:
		return engine.Scope{Owners: r.Owners}, true
	}
	return engine.Scope{}, true
}

// digest is the same for the same permissions, in any order of the owners.
func (r *Permissions) digest() [sha256.Size]byte {
	owners := slices.Clone(r.Owners)
	slices.Sort(owners)
	var text bytes.Buffer
	fmt.Fprintf(&text, "%q %q", r.ID, r.Role)
	for _, owner := range slices.Compact(owners) {
		fmt.Fprintf(&text, " %q", owner)
	}
	return sha256.Sum256(text.Bytes())
}

// An About names a case or an amendment.
type About struct {
	Area terms.Area
	ID   terms.ID
}

// Sees reports whether the principal may see a case or an amendment, by its latest revision; false
// for an id that the store does not hold.
func (s *Store) Sees(ctx context.Context, r Permissions, table terms.Table, id terms.ID) (bool, error) {
	area := terms.AreaOf(table)
	if table != terms.RecordTable(area) {
		return false, nil
	}
	return ask(ctx, s, "look up who may see a packet", func(ctx context.Context, tx engine.Tx) (bool, error) {
		return r.sees(ctx, tx, About{area, id})
	})
}

func (r *Permissions) sees(ctx context.Context, tx engine.Tx, about About) (bool, error) {
	latest, err := tx.Packets().Latest(ctx, terms.RecordTable(about.Area), about.ID)
	return err == nil && r.see(about.Area, latest.Assignee, latest.Owner), unlessNoRow(err)
}

// checkSees returns an error that wraps ErrNotFound unless the principal may see it.
func (r *Permissions) checkSees(ctx context.Context, tx engine.Tx, about About) error {
	sees, err := r.sees(ctx, tx, about)
	if err == nil && !sees {
		return fmt.Errorf("%s: %w", about.ID, ErrNotFound)
	}
	return err
}

// seesRecord is sees for a record, which has to be of an owner if on an amendment (source 5 (2)).
func (r *Permissions) seesRecord(ctx context.Context, tx engine.Tx, m *records.Members) (bool, error) {
	if m.Area != terms.Appeals && !slices.Contains(r.Owners, m.OwnerID) {
		return false, nil
	}
	return r.sees(ctx, tx, About{m.Area, m.Key.ID})
}

// scopes returns scopes with every record of an area that the principal may see, and few others.
func (r *Permissions) scopes(area terms.Area) (scopes []engine.RecordScope) {
	scope, some := r.scope(area)
	switch {
	case !some:
		return nil
	case r.Role == terms.SafetyAdmin && area != terms.Appeals:
		for _, owner := range scope.Owners {
			scopes = append(scopes, engine.RecordScope{Owner: owner})
		}
		return scopes
	}
	return []engine.RecordScope{{Assignee: scope.Reviewer}}
}

// ErrCursor says that this store did not make a cursor.
var ErrCursor = errors.New("it is no cursor of this store")

// pageTables are in the order in which a cursor goes through them: policies first.
var pageTables = [...]terms.Table{
	terms.AppealPolicies, terms.AmendmentPolicies, terms.AppealCases, terms.AmendmentRecords,
}

// A cursor says how far a principal with certain permissions has read, and reveals and grants
// nothing: each request checks the permissions.
type cursor struct {
	tables   [len(pageTables)]cursorPlace
	erasures int64 // how many statements about the log were looked through for erasures
}

type cursorPlace struct {
	row    int64 // place of the last packet that is done
	number int64 // the last revision that was given of what comes with the next row; 0 for none
}

// An encoded cursor holds its kind, digests of the log and of the permissions, and numbers.
const (
	packetCursor = 2
	recordCursor = 3
	digestSize   = 16 // bytes of a digest that are written
)

func (c *cursor) values() (list []*int64) {
	for i := range c.tables {
		list = append(list, &c.tables[i].row, &c.tables[i].number)
	}
	return append(list, &c.erasures)
}

func cursorMark(k *merkle.Key, r *Permissions) (origin, rights []byte) {
	ofStore, ofRights := sha256.Sum256([]byte(k.Origin)), r.digest()
	return ofStore[:digestSize], ofRights[:digestSize]
}

func writeCursor(kind byte, values []*int64, k *merkle.Key, r *Permissions) string {
	origin, rights := cursorMark(k, r)
	text := append([]byte{kind}, origin...)
	text = append(text, rights...)
	for _, value := range values {
		text = binary.AppendUvarint(text, uint64(*value))
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// readCursorOf decodes a cursor of a kind; an empty one, or of other permissions, is not same.
func readCursorOf(kind byte, values []*int64, written string, k *merkle.Key, r *Permissions) (same bool, err error) {
	if written == "" {
		return false, nil
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(written) // which ignores line feeds
	origin, rights := cursorMark(k, r)
	rest, ours := bytes.CutPrefix(text, append([]byte{kind}, origin...))
	if err != nil || !ours || len(rest) < digestSize || strings.ContainsAny(written, "\r\n") {
		return false, ErrCursor
	}
	same, rest = bytes.Equal(rest[:digestSize], rights), rest[digestSize:]
	for _, value := range values {
		number, size := binary.Uvarint(rest)
		if size <= 0 || number > math.MaxInt64 {
			return false, ErrCursor
		}
		*value, rest = int64(number), rest[size:]
	}
	if len(rest) > 0 {
		return false, ErrCursor
	}
	return same, nil
}
