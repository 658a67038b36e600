package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"docket/store/verify"
)

// A comparison is an output that writes nothing: it compares what is due with what is there.
type comparison struct {
	*folder
	findings []verify.Finding
}

func (c *comparison) found(kind verify.Code, name string) {
	if len(c.findings) < verify.DefaultKeep {
		c.findings = append(c.findings, verify.Finding{Sequence: verify.NoSequence, Code: kind, Detail: name})
	}
}

func (c *comparison) put(name string, due []byte) error {
	there, err := c.read(name, int64(len(due)))
	switch {
	case err != nil:
		return err
	case there == nil:
		c.found(verify.FileMissing, name)
	case !bytes.Equal(there, due):
		c.found(verify.FileDiffers, name)
	}
	return nil
}

// create compares a file that is made bit by bit.
func (c *comparison) create(name string) (io.WriteCloser, error) {
	if info, err := c.root.Lstat(name); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		c.found(verify.FileMissing, name)
		return &comparedFile{of: c, name: name, differs: true}, nil
	}
	file, err := c.root.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	return &comparedFile{of: c, name: name, file: file}, nil
}

type comparedFile struct {
	of      *comparison
	name    string
	file    *os.File // nil if there is none
	there   []byte
	differs bool
}

// Write compares the next bytes that are due.
func (f *comparedFile) Write(due []byte) (int, error) {
	if f.differs {
		return len(due), nil
	}
	if len(f.there) < len(due) {
		f.there = make([]byte, len(due))
	}
	n, err := io.ReadFull(f.file, f.there[:len(due)])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, fmt.Errorf("read %s: %w", f.name, err)
	}
	f.differs = !bytes.Equal(f.there[:n], due)
	return len(due), nil
}

// Close compares the end.
func (f *comparedFile) Close() error {
	if f.file == nil {
		return nil
	}
	if !f.differs {
		n, err := f.file.Read(make([]byte, 1))
		if err != nil && !errors.Is(err, io.EOF) {
			return errors.Join(fmt.Errorf("read %s: %w", f.name, err), f.file.Close())
		}
		f.differs = n > 0
	}
	if f.differs {
		f.of.found(verify.FileDiffers, f.name)
	}
	return f.file.Close()
}
