// Archive packs a folder into a .tar.gz or a .zip, the same bytes for the same files: sorted, owned by root, and as old as
// SOURCE_DATE_EPOCH says.
//
//	go run .ci/archive.go OUT.tar.gz FOLDER
//
// The archive holds the folder under its own name.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("go run .ci/archive.go OUT.tar.gz|OUT.zip FOLDER")
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		log.Fatal("SOURCE_DATE_EPOCH has to be the time of the sources, in seconds")
	}
	if err := pack(os.Args[1], os.Args[2], time.Unix(seconds, 0).UTC()); err != nil {
		log.Fatal(err)
	}
}

func pack(out, folder string, at time.Time) (err error) {
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	put, end := inTar(file, at)
	if strings.HasSuffix(out, ".zip") {
		put, end = inZip(file, at)
	}
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error { // in the order of the names
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		below, err := filepath.Rel(filepath.Dir(filepath.Clean(folder)), name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if base := path.Base(name); base == "docket" || base == "docket.exe" {
			mode = 0o755
		}
		return put(filepath.ToSlash(below), mode, text)
	})
	return errors.Join(err, end())
}

type putter func(name string, mode int64, text []byte) error

func inTar(out io.Writer, at time.Time) (putter, func() error) {
	packed := gzip.NewWriter(out)
	list := tar.NewWriter(packed)
	return func(name string, mode int64, text []byte) error {
		err := list.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(text)), ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatPAX})
		if err == nil {
			_, err = list.Write(text)
		}
		return err
	}, func() error { return errors.Join(list.Close(), packed.Close()) }
}

func inZip(out io.Writer, at time.Time) (putter, func() error) {
	list := zip.NewWriter(out)
	return func(name string, mode int64, text []byte) error {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
		header.SetMode(fs.FileMode(mode))
		file, err := list.CreateHeader(header)
		if err == nil {
			_, err = file.Write(text)
		}
		return err
	}, list.Close
}
