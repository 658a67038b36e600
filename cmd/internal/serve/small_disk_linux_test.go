package serve_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"docket/store/postgres/postgrestest"
)

// A smallDisk is a disk of a few megabytes, in memory. The process has to have mounts of its own.
type smallDisk struct{ folder string }

// newSmallDisk mounts a disk on an empty folder.
func newSmallDisk(t testing.TB, folder string, megabytes int) *smallDisk {
	t.Helper()
	must(t, syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=1777", megabytes)))
	t.Cleanup(func() { must(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	return &smallDisk{folder}
}

// newOnSmallDisk makes an empty database on a disk of so many megabytes. The rest of the server, with its write-ahead log, is elsewhere.
func newOnSmallDisk(t testing.TB, s *postgrestest.Server, megabytes int) (*postgrestest.Database, *smallDisk) {
	t.Helper()
	folder := filepath.Join(s.Folder, "small")
	must(t, os.Mkdir(folder, 0o700))
	disk := newSmallDisk(t, folder, megabytes)
	server, err := os.Stat(s.Data())
	must(t, err)
	must(t, os.Chown(folder, int(server.Sys().(*syscall.Stat_t).Uid), -1))
	d := s.New(t)
	pool, err := sql.Open("pgx", s.DSN(postgrestest.Superuser, "postgres"))
	must(t, err)
	defer func() { must(t, pool.Close()) }()
	for _, statement := range []string{"CREATE TABLESPACE small LOCATION '" + folder + "'", "ALTER DATABASE " + d.Name + " SET TABLESPACE small"} {
		_, err := pool.ExecContext(t.Context(), statement)
		must(t, err)
	}
	return d, disk
}

// onSmallDisk runs start with a disk of so many megabytes for temporary files.
func onSmallDisk(t testing.TB, megabytes int, start func()) *smallDisk {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "docket-small-*")
	must(t, err)
	t.Cleanup(func() { must(t, os.Remove(folder)) })
	must(t, os.Chmod(folder, 0o711))
	disk := newSmallDisk(t, folder, megabytes)
	within, set := os.LookupEnv("TMPDIR")
	defer func() {
		if err = os.Setenv("TMPDIR", within); !set {
			err = os.Unsetenv("TMPDIR")
		}
	}()
	must(t, os.Setenv("TMPDIR", folder))
	start()
	return disk
}

// fill leaves no room on the disk until free is called.
func (d *smallDisk) fill(t testing.TB) (free func()) {
	t.Helper()
	filler := filepath.Join(d.folder, "filler")
	file, err := os.Create(filler)
	must(t, err)
	for part := make([]byte, 4096); err == nil; {
		_, err = file.Write(part)
	}
	if closed := file.Close(); !errors.Is(err, syscall.ENOSPC) || closed != nil {
		t.Fatalf("the disk is not full: %v, %v", err, closed)
	}
	return func() { must(t, os.Remove(filler)) }
}
