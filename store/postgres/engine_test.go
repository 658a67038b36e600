package postgres_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/store/engine"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
)

func TestACertificateOfAForeignAuthorityIsSaidToBeOne(t *testing.T) {
	t.Parallel()
	db, err := postgres.New(postgres.Options{DSN: "postgres://docket@db.example/docket"})
	if err != nil {
		t.Fatal(err)
	}
	failed := &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	err = db.Explain("look at it", fmt.Errorf("connect: %w", failed))
	if err == nil || !strings.Contains(err.Error(), "of no authority that is known here") || !strings.Contains(err.Error(), "sslrootcert") {
		t.Errorf("the error is %v", err)
	}
}

// The password is in a file, in an address that nobody sees, or in a service file: as with every program that uses libpq.
func TestAPasswordComesFromItsFileAndStandsInNoError(t *testing.T) {
	const password = "CANARY"
	server := postgrestest.Start(t)
	d := server.New(t)
	server.Demand(t, postgrestest.Writer, password)
	inspect := func(address string) error {
		db, err := postgres.New(postgres.Options{DSN: address})
		if err != nil {
			return err
		}
		found, err := db.Inspect(t.Context())
		if err == nil && found != engine.Empty {
			t.Errorf("%s: it is found to be %v", postgres.Bare(address), found)
		}
		return db.Explain("look at it", err)
	}
	bare := d.DSN(postgrestest.Writer)
	with, err := url.Parse(bare)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"pass":    fmt.Sprintf("*:*:*:%s:%s\n", postgrestest.Writer, password),
		"wrong":   fmt.Sprintf("*:*:*:%s:not%s\n", postgrestest.Writer, password),
		"service": fmt.Sprintf("[docket]\nhost=%s\nport=5432\ndbname=%s\nuser=%s\n", server.Folder, d.Name, postgrestest.Writer),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(address string) {
		t.Helper()
		err := inspect(address)
		if err == nil || strings.Contains(err.Error(), password) || strings.Contains(fmt.Sprintf("%+v", err), password) {
			t.Errorf("the error is %v", err)
		}
		if err != nil && !strings.Contains(err.Error(), "the password of the login is wrong or missing") {
			t.Errorf("the error does not say that it is the password: %v", err)
		}
	}
	t.Setenv("PGPASSFILE", filepath.Join(folder, "none"))
	refused(bare)
	with.User = url.UserPassword(postgrestest.Writer, "not"+password)
	refused(with.String())
	t.Setenv("PGPASSFILE", filepath.Join(folder, "wrong"))
	refused(bare)
	with.User = url.UserPassword(postgrestest.Writer, password)
	if err := inspect(with.String()); err != nil {
		t.Error(err)
	}
	t.Setenv("PGPASSFILE", filepath.Join(folder, "pass"))
	t.Setenv("PGSERVICEFILE", filepath.Join(folder, "service"))
	for _, address := range []string{bare, "postgres:///?service=docket"} {
		if err := inspect(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
