package postgrestest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A SmallDisk is a disk of a few megabytes, in memory. The process has to have mounts of its own.
type SmallDisk struct{ folder string }

// newSmallDisk mounts a disk on an empty folder.
func newSmallDisk(t testing.TB, folder string, megabytes int) *SmallDisk {
	t.Helper()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=1777", megabytes)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return &SmallDisk{folder}
}

// NewOnSmallDisk makes an empty database on a disk of so many megabytes. The rest of the server, with its write-ahead log, is elsewhere.
func (s *Server) NewOnSmallDisk(t testing.TB, megabytes int) (*Database, *SmallDisk) {
	t.Helper()
	folder := filepath.Join(s.Folder, "small")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := newSmallDisk(t, folder, megabytes)
	if err := s.as.own(folder); err != nil {
		t.Fatal(err)
	}
	d := s.New(t)
	for _, statement := range []string{"CREATE TABLESPACE small LOCATION '" + folder + "'", "ALTER DATABASE " + d.Name + " SET TABLESPACE small"} {
		if err := s.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", statement, s.DSN(Superuser, "postgres")); err != nil {
			t.Fatal(err)
		}
	}
	return d, disk
}

// StartOnSmallDisk starts a server all of which is on a disk of so many megabytes.
func StartOnSmallDisk(t testing.TB, megabytes int, settings ...string) (s *Server, disk *SmallDisk) {
	t.Helper()
	disk = onSmallDisk(t, megabytes, func() { s = Start(t, settings...) })
	return s, disk
}

// ReplicaOnSmallDisk is Replica, with all of the replica on a disk of so many megabytes.
func (s *Server) ReplicaOnSmallDisk(t testing.TB, megabytes int) (r *Server, disk *SmallDisk) {
	t.Helper()
	disk = onSmallDisk(t, megabytes, func() { r = s.Replica(t) })
	return r, disk
}

// onSmallDisk runs start with a disk of so many megabytes for temporary files.
func onSmallDisk(t testing.TB, megabytes int, start func()) *SmallDisk {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "docket-small-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(folder); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(folder, 0o711); err != nil {
		t.Fatal(err)
	}
	disk := newSmallDisk(t, folder, megabytes)
	within, set := os.LookupEnv("TMPDIR")
	defer func() {
		if err = os.Setenv("TMPDIR", within); !set {
			err = os.Unsetenv("TMPDIR")
		}
	}()
	if err := os.Setenv("TMPDIR", folder); err != nil {
		t.Fatal(err)
	}
	start()
	return disk
}

// Fill leaves no room on the disk until free is called.
func (d *SmallDisk) Fill(t testing.TB) (free func()) {
	t.Helper()
	filler := filepath.Join(d.folder, "filler")
	file, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	for part := make([]byte, 4096); err == nil; {
		_, err = file.Write(part)
	}
	if closed := file.Close(); !errors.Is(err, syscall.ENOSPC) || closed != nil {
		t.Fatalf("the disk is not full: %v, %v", err, closed)
	}
	return func() {
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}
}

// Restart starts the server again, from any state.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.up = false
	_ = s.control("stop", "-m", "immediate") // it may have ended by itself
	s.Launch(t)
}
