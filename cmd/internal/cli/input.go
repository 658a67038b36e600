package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// standardInput names it on the command line.
const standardInput = "-"

// withInput opens the one file that was named, or standard input if none was.
func (p *program) withInput(args []string, read func(name string, in io.Reader) error) (err error) {
	name := standardInput
	if len(args) > 0 {
		name = args[0]
	}
	in, _, err := p.openInput(name)
	if err != nil {
		return &failure{Refused, err}
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return read(name, in)
}

// openInput opens a file for reading and returns its size, 0 where it has none. A folder or a pipe without a writer,
// which would wait for ever, is refused with what to do instead.
func (p *program) openInput(name string) (io.ReadCloser, int64, error) {
	if name == standardInput {
		return io.NopCloser(p.In), 0, nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, fmt.Errorf("%s: there is no such file", name)
	case errors.Is(err, fs.ErrPermission):
		return nil, 0, fmt.Errorf("%s: it may not be read by this user", name)
	case err != nil:
		return nil, 0, fmt.Errorf("%s: it cannot be read: %w", name, err)
	case info.IsDir():
		return nil, 0, fmt.Errorf("%s: it is a folder; name the files in it", name)
	case !info.Mode().IsRegular() && !strings.HasPrefix(name, "/dev/fd/") && !strings.HasPrefix(name, "/proc/self/fd/"):
		return nil, 0, fmt.Errorf("%s: it is not a regular file; feed it through standard input with -", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: it cannot be opened: %w", name, reasonOf(err))
	}
	return file, info.Size(), nil
}

// reasonOf is the bare reason of a file error, without the path, which the caller has named already.
func reasonOf(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
