package identity

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// What may be wrong with a file that only its owner may read.
var (
	ErrNoFile  = errors.New("there is no such file")
	ErrTooOpen = errors.New("it can be read by others; run `chmod 600` on it")
	ErrOddFile = errors.New("it is no file that could hold this")
)

// ReadPrivate reads a file that its owner alone may read, of at most so many bytes. What is checked is the very file that is
// read. The error wraps one of the above, or is what the system says; it names the path and nothing of the content.
func ReadPrivate(path string, most int64) (content []byte, err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, ErrOddFile) // a pipe would be waited for
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, ErrNoFile)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, reasonOf(err))
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, reasonOf(err))
	case !info.Mode().IsRegular() || info.Size() > most:
		return nil, fmt.Errorf("%s: %w", path, ErrOddFile)
	case tooOpen(info):
		return nil, fmt.Errorf("%s: %w", path, ErrTooOpen)
	}
	if content, err = io.ReadAll(io.LimitReader(file, most)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, reasonOf(err))
	}
	return content, nil
}
