package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docket/store/disk"
)

// The key file holds the private half of the log's key, and of a service the cosigning key, one a line. It lies in the
// store's folder, readable for its owner only. It is named after the log and not after the database: several stores may lie in
// one folder, and a database that is renamed or restored there finds its key.

// keyFileBound is more than a key file has.
const keyFileBound = 4096

// keyFile is the path of the key file of a log whose store lies at the path.
func keyFile(path, origin string) string {
	return filepath.Join(filepath.Dir(path), "docket-"+nameOf(origin)[:16]+".key")
}

// ErrNoKey says that the store's key file is not there or is not its own, so that nothing can be recorded.
var ErrNoKey = errors.New("the key file of the store cannot be used")

// makeKeyFile writes a new key file and brings it to the disk.
func makeKeyFile(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, disk.FileMode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return disk.SyncFolder(filepath.Dir(path))
}

// unlock reads the key file. The error is a *Problem that names the file.
func (s *Store) unlock(key *logKey) error {
	path := keyFile(s.path, key.origin)
	text, err := disk.ReadRegular(path, keyFileBound)
	if err == nil {
		err = key.unlock(string(text))
	}
	if err == nil {
		return nil
	}
	why := reasonOf(err)
	if errors.Is(err, fs.ErrNotExist) {
		why = errors.New("it is not there")
	}
	return &Problem{Path: s.path, Kind: ErrNoKey, Cause: err,
		Advice: fmt.Sprintf("%v; put %s back from where you keep a copy of it; until then the store is only read", why, path)}
}

// KeyFile is the path of the file with the log's private key; "" if the store names no usable key.
func (s *Store) KeyFile() string {
	s.handles.RLock()
	defer s.handles.RUnlock()
	if s.key == nil {
		return ""
	}
	return keyFile(s.path, s.key.origin)
}

// reasonOf is the bare reason of a file error.
func reasonOf(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// loadKey reads the log's key, and its private half where the key file has it. That it does not keeps nobody from reading.
func (s *Store) loadKey(ctx context.Context, q querier) (*logKey, error) {
	key, err := loadLogKey(ctx, q)
	if err == nil {
		_ = s.unlock(key)
	}
	return key, err
}
