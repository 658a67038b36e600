package postgrestest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A SmallDisk is a disk of a few megabytes, in memory, for a database.
type SmallDisk struct {
	*Database
	folder string
}

// NewOnSmallDisk mounts a disk of so many megabytes, and makes an empty database there. The process has to have mounts of its own.
func (s *Server) NewOnSmallDisk(t testing.TB, megabytes int) *SmallDisk {
	t.Helper()
	folder := filepath.Join(s.Folder, "small")
	err := os.Mkdir(folder, 0o700)
	if err == nil {
		err = syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=0700", megabytes))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if err := s.as.own(folder); err != nil {
		t.Fatal(err)
	}
	d := s.New(t)
	for _, statement := range []string{"CREATE TABLESPACE small LOCATION '" + folder + "'", "ALTER DATABASE " + d.Name + " SET TABLESPACE small"} {
		if err := s.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", statement, s.DSN(Superuser, "postgres")); err != nil {
			t.Fatal(err)
		}
	}
	return &SmallDisk{d, folder}
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
