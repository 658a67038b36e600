package identity

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/crypto/ssh"

	"docket/store/disk"
)

// AskPassphrase asks a person for the passphrase of a key. It may return an error if there is no
// one to ask, and returns one soon after ctx has ended.
type AskPassphrase func(ctx context.Context, prompt string) ([]byte, error)

// createKey writes a new ed25519 key, readable by its owner only; an existing file is an error.
func createKey(path, comment string, passphrase []byte) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	var block *pem.Block
	if len(passphrase) == 0 {
		block, err = ssh.MarshalPrivateKey(key, comment)
	} else {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(key, comment, passphrase)
	}
	if err != nil {
		return fmt.Errorf("write the key in OpenSSH format: %w", err)
	}
	return WriteNew(path, pem.EncodeToMemory(block))
}

// WriteNew writes a file that only its owner can read, and leaves nothing if that fails.
func WriteNew(path string, content []byte) error {
	err := disk.WriteNew(path, content)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("there is a file at %s already, which is left alone; name another one, or move it away", path)
	case err != nil:
		return fmt.Errorf("write %s: %w; nothing was kept: make room and the folder writable for you", path, disk.Reason(err))
	}
	return nil
}

// maxKeyFile is the largest size of a private key file, in bytes; a real one is far smaller.
const maxKeyFile = 64 << 10

// loadKey reads an OpenSSH private key file and asks for its passphrase if it has one.
func loadKey(ctx context.Context, path string, ask AskPassphrase) (ssh.Signer, error) {
	text, info, err := readFile(path, maxKeyFile)
	switch {
	case errors.Is(err, ErrNoFile):
		return nil, fmt.Errorf("there is no key at %s; name an OpenSSH private key file", path)
	case errors.Is(err, errTooLarge):
		return nil, notAKey(path)
	case errors.Is(err, errFolder), errors.Is(err, errOddFile):
		return nil, fmt.Errorf("the key %s is not a file; name an OpenSSH private key file", path)
	case err != nil:
		return nil, fmt.Errorf("read the key %s: %w", path, err)
	}
	if _, _, _, _, err := ssh.ParseAuthorizedKey(text); err == nil {
		return nil, fmt.Errorf(
			"%s is a public key; name the private key that belongs to it, which `ssh-keygen` wrote beside it without .pub",
			path)
	}
	if tooOpen(info) {
		return nil, fmt.Errorf("the key %s can be read by others; run `chmod 600` on it", path)
	}
	return parseKey(ctx, path, text, ask)
}

// parseKey reads a private key file; it returns no error of the library, which may quote the file.
func parseKey(ctx context.Context, path string, text []byte, ask AskPassphrase) (ssh.Signer, error) {
	signer, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) {
		prompt := fmt.Sprintf("Passphrase of %s: ", path)
		for range attempts {
			passphrase, askErr := ask(ctx, prompt)
			if askErr != nil {
				return nil, fmt.Errorf("the key %s has a passphrase: %w", path, askErr)
			}
			err = x509.IncorrectPasswordError
			if len(passphrase) > 0 {
				signer, err = ssh.ParsePrivateKeyWithPassphrase(text, passphrase)
			}
			if !errors.Is(err, x509.IncorrectPasswordError) {
				break
			}
			prompt = fmt.Sprintf("That is not the passphrase of %s. Passphrase: ", path)
		}
	}
	switch {
	case errors.Is(err, x509.IncorrectPasswordError):
		return nil, fmt.Errorf("%w of the key %s, %d times; run docket again to type it", ErrPassphrase, path, attempts)
	case err != nil && onSecurityKey(text):
		return nil, fmt.Errorf(
			"the key %s lies on a security key, which signs through ssh-agent: run `ssh-add %s`, then give --agent and the "+
				"fingerprint that `ssh-add -l` prints", path, path)
	case err != nil:
		return nil, notAKey(path)
	}
	return signer, nil
}

// onSecurityKey reports whether a private key file only points to a key on a security key.
func onSecurityKey(text []byte) bool {
	block, _ := pem.Decode(text)
	return block != nil && (bytes.Contains(block.Bytes, []byte("sk-ssh-ed25519")) || bytes.Contains(block.Bytes, []byte("sk-ecdsa-")))
}

const attempts = 3

// ErrPassphrase says that no attempt was the passphrase of a key.
var ErrPassphrase = errors.New("what was typed is not the passphrase")

func notAKey(path string) error {
	return fmt.Errorf(
		"%s is not an OpenSSH private key; make one with `ssh-keygen -t ed25519`, or leave --key away to have one made",
		path)
}

// The faults of a file that only its owner may read.
var (
	ErrNoFile  = errors.New("there is no such file")
	errTooOpen = errors.New("it can be read by others; run `chmod 600` on it")
	errFolder  = errors.New("it is a folder; name the file in it")
	errOddFile = errors.New("it is no regular file, or too large to hold this")

	errTooLarge = fmt.Errorf("%w", errOddFile)
)

// ReadPrivate reads a file of at most most bytes that only its owner may read. It checks the open
// file that it reads. The error wraps one of the above, or is the system's; it names the path and
// does not quote the content.
func ReadPrivate(path string, most int64) ([]byte, error) {
	content, info, err := readFile(path, most)
	if err == nil && tooOpen(info) {
		err = errTooOpen
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return content, nil
}

// readFile reads a regular file; the error is one of the above, or the system's without the path.
func readFile(path string, most int64) (content []byte, info fs.FileInfo, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, nil, errFolder
	}
	file, err := disk.OpenRegular(path, os.O_RDONLY)
	var failed *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, ErrNoFile
	case errors.As(err, &failed):
		return nil, nil, disk.Reason(err)
	case err != nil:
		return nil, nil, errOddFile
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if info, err = file.Stat(); err == nil {
		content, err = io.ReadAll(io.LimitReader(file, most+1))
	}
	switch {
	case err != nil:
		return nil, nil, disk.Reason(err)
	case int64(len(content)) > most:
		return nil, nil, errTooLarge
	}
	return content, info, nil
}
