package postgrestest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// A Database is a database for one test.
type Database struct {
	Server *Server
	Name   string
}

// shared is the server of this binary. It ends with the process.
var shared = sync.OnceValues(func() (*Server, error) { return start(nil) })

// New makes an empty database on the server that all tests of the binary share. It is dropped with
// the test, its connections closed. Without a server, the test is skipped.
func New(t testing.TB) *Database {
	t.Helper()
	if reason := Reason(); reason != "" {
		t.Skip(reason)
	}
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s.New(t)
}

var made atomic.Int64

// New makes an empty database on the server in the same way, with more options of createdb.
func (s *Server) New(t testing.TB, options ...string) *Database {
	t.Helper()
	d := &Database{s, fmt.Sprintf("docket_%d", made.Add(1))}
	args := append([]string{"-h", s.Folder, "-p", fmt.Sprint(port), "-U", Superuser, "-O", Owner, "-T", "template0"}, options...)
	if err := s.run("createdb", append(args, d.Name)...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !s.up {
			return // it went with its server
		}
		if err := s.run("dropdb", "--force", "-h", s.Folder, "-p", fmt.Sprint(port), "-U", Superuser, d.Name); err != nil {
			t.Error(err)
		}
	})
	return d
}

// DSN is the URL of the database for a role.
func (d *Database) DSN(role string) string { return d.Server.DSN(role, d.Name) }

// Psql runs statements in the database as a role, as Server.Psql does; the test fails with them.
func (d *Database) Psql(t testing.TB, role, statements string) string {
	t.Helper()
	out, err := d.Server.Psql(role, d.Name, statements)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
