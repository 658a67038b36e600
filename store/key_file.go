package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
)

// The key file holds the private half of the log's key, or names the key of ssh-agent that is the log's. It lies in the store's folder,
// or in the one that the opening of a database names, readable for its owner only. It is named after the log and not after the database: several stores may lie in one folder, and a database
// that is renamed or restored there finds its key.

// keyFileBound is the largest size of a key file, in bytes; a real one is smaller.
const keyFileBound = 4096

// keyFile is the path of the key file of a log in a folder.
func keyFile(folder, origin string) string {
	return filepath.Join(folder, "docket-"+merkle.FileName(origin)[:16]+".key")
}

// makeKeyFile writes a new key file and syncs it.
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
func (s *Store) unlock(ctx context.Context, key *merkle.Key) error {
	path := keyFile(s.keyFolder(), key.Origin)
	text, err := disk.ReadRegular(path, keyFileBound)
	if err == nil {
		err = key.Unlock(ctx, string(text))
	}
	if err == nil {
		return nil
	}
	why := disk.Reason(err)
	if errors.Is(err, fs.ErrNotExist) {
		why = errors.New("it is not there")
	}
	if merkle.InAgent(string(text)) {
		return &Problem{Path: s.path, Kind: merkle.ErrNoKey, Cause: err,
			Advice: fmt.Sprintf("%v; open the store again then, or move it aside and run `docket restore` on it; until then it is only read", why)}
	}
	return &Problem{Path: s.path, Kind: merkle.ErrNoKey, Cause: err,
		Advice: fmt.Sprintf("%v; put %s back from where you keep a copy of it, or move the store aside and run `docket restore` on it; until then the store is only read", why, path)}
}

// KeyFile is the path of the file with the log's private key; "" if the store names no usable key.
func (s *Store) KeyFile() string {
	s.handles.RLock()
	defer s.handles.RUnlock()
	if s.key == nil {
		return ""
	}
	return keyFile(s.keyFolder(), s.key.Origin)
}

// loadKey reads the log's key, and its private half where the key file has it. Without it the store can be read.
func (s *Store) loadKey(ctx context.Context, tx engine.Tx) (*merkle.Key, error) {
	key, err := loadLogKey(ctx, tx)
	if err == nil {
		_ = s.unlock(ctx, key)
	}
	return key, err
}

// loadLogKey reads the public key; a *merkle.KeyError if it cannot be read.
func loadLogKey(ctx context.Context, tx engine.Tx) (*merkle.Key, error) {
	name, err := currentLog(ctx, tx)
	if err != nil {
		return nil, err
	}
	key, err := merkle.ParseKey(name.origin, name.verifier)
	if err != nil {
		return nil, &merkle.KeyError{Cause: err}
	}
	return key, nil
}

// metaValues reads rows of docket_meta; a *merkle.KeyError if one is missing.
func metaValues(ctx context.Context, tx engine.Tx, names ...string) ([]string, error) {
	values := make([]string, len(names))
	for i, name := range names {
		var err error
		if values[i], err = tx.Meta().Value(ctx, name); errors.Is(err, engine.ErrNoRow) {
			return nil, &merkle.KeyError{Cause: fmt.Errorf("%s is missing", name)}
		} else if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Verifier returns the public key of the store's checkpoints in the form of golang.org/x/mod/sumdb/note:
// "<origin>+<hash>+<base64>".
func (s *Store) Verifier(ctx context.Context) (encoded string, err error) {
	err = s.reading(ctx, "read the store's key", func(ctx context.Context, tx engine.Tx) error {
		name, err := currentLog(ctx, tx)
		encoded = name.verifier
		return err
	})
	return encoded, err
}
