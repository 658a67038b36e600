package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"

	"docket/store/disk"
	"docket/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
)

type verdict struct {
	kind   error
	advice string
}

// The next steps after errors of the server.
const (
	adviceLocked    = "another process holds the lock of the store; try again, and end a process that was stopped"
	adviceWrite     = "the server is a replica, or was told to take no writes: name the one that takes them, or only read"
	adviceSpace     = "free some space on the server, then do it again; nothing that was acknowledged is lost"
	adviceDisk      = "check the server's disk, then do it again; nothing that was acknowledged is lost"
	adviceRoles     = "make sure that the login may connect and is a member of docket_writer, or of docket_reader to read; `docket serve db init` makes the roles"
	adviceSchema    = "have its owner run `docket serve db init`"
	adviceCrowd     = "raise max_connections of the server, or lower " + poolSize + " in the address of the database, then try again"
	advicePassword  = "the password of the login is wrong or missing: check the file of PGPASSFILE (~/.pgpass), or the address in DOCKET_DB"
	adviceAuthority = "the server's certificate is of no authority that is known here: name the authority's file with sslrootcert in the address"
	adviceServer    = "make sure that the server runs and can be reached, then try again"
)

// verdicts is indexed by SQLSTATE or its class; other codes are not the server's fault.
var verdicts = map[string]verdict{
	"25006": {disk.ErrReadOnly, adviceWrite},  // a replica
	"55P03": {disk.ErrLocked, adviceLocked},   // lock_timeout
	"53100": {disk.ErrDiskFull, adviceSpace},  // no space on the disk
	"53300": {disk.ErrCrowded, adviceCrowd},   // too many connections
	"58030": {disk.ErrDevice, adviceDisk},     // input or output failed
	"XX001": {disk.ErrDamaged, adviceDamaged}, // a page or a row
	"XX002": {disk.ErrDamaged, adviceDamaged}, // an index
	"42501": {disk.ErrNoAccess, adviceRoles},  // a right is missing
	"22023": {disk.ErrNoAccess, adviceRoles},  // there is no such role
	"28P01": {disk.ErrNoAccess, advicePassword},
	"28":    {disk.ErrNoAccess, adviceRoles}, // the login
	"3D000": {disk.ErrNoAccess, "make the database, or name another one"},
	"3F000": {disk.ErrNotAStore, adviceSchema},
	"42P01": {disk.ErrAltered, "a table is gone; keep a copy, then restore a backup"},
	"57P":   {disk.ErrNoAccess, adviceServer}, // it starts or stops
	"08":    {disk.ErrNoAccess, adviceServer}, // the connection
}

const adviceDamaged = "keep a copy of the server's folder, then restore a backup"

// codeOf returns the server's code; "" if the error is not the server's.
func codeOf(err error) string {
	var failed *pgconn.PgError
	if !errors.As(err, &failed) {
		return ""
	}
	return failed.Code
}

func verdictOf(err error) (verdict, bool) {
	code := codeOf(err)
	for length := len(code); length >= 2; length-- {
		if v, known := verdicts[code[:length]]; known {
			return v, true
		}
	}
	var refused *pgconn.ConnectError
	var authority x509.UnknownAuthorityError
	if errors.As(err, &authority) {
		return verdict{disk.ErrNoAccess, adviceAuthority}, true
	}
	if code == "" && (errors.As(err, &refused) || connectionEnded(err)) {
		return verdict{disk.ErrNoAccess, adviceServer}, true
	}
	return verdict{}, false
}

// whyRefused says why no connection was made, in words that hold no password; "" if it is unknown.
func whyRefused(err error) string {
	var refused *pgconn.ConnectError
	var answer *pgconn.PgError
	var certificate *tls.CertificateVerificationError
	var network *net.OpError
	switch {
	case !errors.As(err, &refused):
	case errors.As(err, &answer):
		return answer.Message + "; "
	case errors.As(err, &certificate):
		return certificate.Error() + "; "
	case errors.As(err, &network):
		return network.Err.Error() + "; "
	}
	return ""
}

// Explain turns an error of the server into a *disk.Problem with the name of the database, and adds
// doing to any other.
func (d *DB) Explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if v, known := verdictOf(err); known && !ended {
		return &disk.Problem{Path: d.Name(), Kind: v.kind, Advice: whyRefused(err) + v.advice, Cause: err}
	}
	return fmt.Errorf("%s: %s: %w", d.Name(), doing, err)
}

// Broken reports whether the transaction may have been committed in spite of the error.
func (d *DB) Broken(err error) bool { return engine.Doubtful(err) || connectionEnded(err) }

// Passing reports whether the server ended the transaction in favour of another one, or the
// connection to it ended: a second try may succeed.
func (d *DB) Passing(err error) bool {
	code := codeOf(err)
	return code == "40001" || code == "40P01" || connectionEnded(err)
}
