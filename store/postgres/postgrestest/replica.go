package postgrestest

import (
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// replicaName is the name of a replica in synchronous_standby_names of its server.
const replicaName = "replica"

// Replica starts a server that streams from this one, and waits until it does. It is stopped and
// removed with the test.
func (s *Server) Replica(t testing.TB) *Server {
	t.Helper()
	r, err := prepare()
	if r != nil {
		r.removeWith(t)
	}
	if err == nil {
		err = r.run("pg_basebackup", "-D", r.Data(), "-R", "-c", "fast", "-h", s.Folder, "-p", strconv.Itoa(port), "-U", Superuser)
	}
	if err == nil {
		err = r.set([]string{"unix_socket_directories=" + r.Folder, "cluster_name=" + replicaName})
	}
	if err == nil {
		err = r.launch()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Await(t, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", "1")
	return r
}

// Synchronous makes commits wait for the replica from now on.
func (s *Server) Synchronous(t testing.TB) {
	t.Helper()
	s.Configure(t, "synchronous_standby_names="+replicaName)
	s.Await(t, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", "1")
}

// Promote lets a replica take writes.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	s.Await(t, "SELECT pg_promote()", "t")
}

// CatchUp waits until a replica has replayed all that its server has written.
func (s *Server) CatchUp(t testing.TB, of *Server) {
	t.Helper()
	written, err := of.Psql(Superuser, "postgres", "SELECT pg_current_wal_flush_lsn()")
	if err != nil {
		t.Fatal(err)
	}
	s.Await(t, "SELECT pg_last_wal_replay_lsn() >= '"+strings.TrimSpace(written)+"'", "t")
}

// Await runs a query until it returns the expected answer, without a time limit.
func (s *Server) Await(t testing.TB, query, due string) {
	t.Helper()
	for {
		found, err := s.Psql(Superuser, "postgres", query)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(found) == due {
			return
		}
		runtime.Gosched()
	}
}

// EitherDSN returns the URL of a database, for a role, on that one of the servers that takes
// writes.
func EitherDSN(role, database string, servers ...*Server) string {
	var folders []string
	for _, s := range servers {
		folders = append(folders, s.Folder)
	}
	ports := strings.Join(slices.Repeat([]string{strconv.Itoa(port)}, len(folders)), ",")
	return address(role, database, url.Values{"host": {strings.Join(folders, ",")}, "port": {ports},
		"target_session_attrs": {"read-write"}})
}
