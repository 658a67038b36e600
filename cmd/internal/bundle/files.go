package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// The most bytes that a file of a bundle may have; of a larger one no more is read, which then differs from what is due.
const (
	maxRecordFile  = 65535
	maxSignature   = 16 << 10
	maxPacket      = 4 << 20
	maxCheckpoint  = 64 << 10
	maxOtherSource = 16 << 20
)

// A folder reads and writes files below a root, which no link leads out of. One with no root holds nothing.
type folder struct {
	root    *os.Root
	careful bool // something below is neither file nor folder: look before opening
}

// within is a folder below this one, which takes half the time to get at its files. Where there is none, it holds
// nothing.
func (f *folder) within(name string) (folder, error) {
	root, err := f.root.OpenRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return folder{}, nil
	}
	if err != nil {
		return folder{}, fmt.Errorf("open a folder of the bundle: %w", err)
	}
	return folder{root, f.careful}, nil
}

func (f *folder) close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}

// read returns the content of a file, cut off after limit bytes and one more; nil if it is not there or is no file.
func (f *folder) read(name string, limit int64) ([]byte, error) {
	if f.root == nil {
		return nil, nil
	}
	if f.careful {
		info, err := f.root.Lstat(name)
		if err == nil && !info.Mode().IsRegular() {
			return nil, nil
		}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil && f.linked(name) {
		return nil, nil // whoever surveys the folder names it
	}
	if err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, file.Close()) // whoever surveys the folder names it
	}
	content := bytes.NewBuffer(make([]byte, 0, 4096))
	_, err = content.ReadFrom(io.LimitReader(file, limit+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if content.Len() == 0 {
		return []byte{}, nil
	}
	return content.Bytes(), nil
}

// linked tells whether a link is on the way to a file. One that leads out of the folder cannot be opened.
func (f *folder) linked(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if info, err := f.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// put writes a new file and the folders on the way to it. A file that is there is an error that wraps fs.ErrExist.
func (f *folder) put(name string, content []byte) error {
	file, err := f.create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

func (f *folder) create(name string) (io.WriteCloser, error) {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return nil, fmt.Errorf("make a folder of the bundle: %w", err)
		}
		file, err = f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("write the bundle: %w", err)
	}
	return file, nil
}
