package store

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// errIrregular says that a path leads to a folder, a FIFO, a device or a socket.
var errIrregular = errors.New("it is no regular file")

// openRegular opens a regular file and nothing else. It never waits: without O_NONBLOCK a FIFO without a writer would be waited
// for without end.
func openRegular(path string, flag int) (*os.File, error) {
	file, err := os.OpenFile(path, flag|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// readRegular reads a regular file of at most so many bytes.
func readRegular(path string, bound int64) (content []byte, err error) {
	file, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if content, err = io.ReadAll(io.LimitReader(file, bound+1)); err != nil {
		return nil, err
	}
	if int64(len(content)) > bound {
		return nil, fmt.Errorf("it has more than %d bytes", bound)
	}
	return content, nil
}
