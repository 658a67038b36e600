package identity

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// AskPassphrase asks a person for the passphrase of a key. It may return an error if there is nobody to ask.
type AskPassphrase func(prompt string) ([]byte, error)

// createKey writes a new ed25519 key in OpenSSH format, readable by its owner only. A file that is there already is
// left alone and is an error.
func createKey(path, comment string, passphrase []byte) (err error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	block, err := marshalKey(key, comment, passphrase)
	if err != nil {
		return fmt.Errorf("write the key in OpenSSH format: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("there is a key at %s already; take it with --key, or move it away", path)
	}
	if err != nil {
		return fmt.Errorf("create the key file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := pem.Encode(file, block); err != nil {
		return fmt.Errorf("write the key to %s: %w", path, err)
	}
	return file.Sync()
}

func marshalKey(key ed25519.PrivateKey, comment string, passphrase []byte) (*pem.Block, error) {
	if len(passphrase) == 0 {
		return ssh.MarshalPrivateKey(key, comment)
	}
	return ssh.MarshalPrivateKeyWithPassphrase(key, comment, passphrase)
}

// loadKey reads an OpenSSH private key file and asks for its passphrase if it has one.
func loadKey(path string, ask AskPassphrase) (ssh.Signer, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the key %s is not a file", path)
	}
	if tooOpen(info) {
		return nil, fmt.Errorf("the key %s can be read by others; run `chmod 600` on it", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) {
		passphrase, askErr := ask("Passphrase of " + path + ": ")
		if askErr != nil {
			return nil, fmt.Errorf("the key %s has a passphrase: %w", path, askErr)
		}
		signer, err = ssh.ParsePrivateKeyWithPassphrase(text, passphrase)
	}
	if err != nil {
		// The library's error is not passed on: it may quote the file.
		return nil, fmt.Errorf("the key %s cannot be used: it is not an OpenSSH private key, or the passphrase is wrong", path)
	}
	return signer, nil
}

// agentPatience is how long ssh-agent may take to list its keys.
const agentPatience = 5 * time.Second

// agentKey finds a key of ssh-agent by its fingerprint in OpenSSH's SHA256:… form. The agent has that long to answer.
func agentKey(fingerprint string, patience time.Duration) (ssh.Signer, error) {
	socket := os.Getenv("SSH_AUTH_SOCK")
	if socket == "" {
		return nil, errors.New("ssh-agent is not running here: SSH_AUTH_SOCK is not set")
	}
	connection, err := net.DialTimeout("unix", socket, patience)
	if err != nil {
		return nil, fmt.Errorf("ssh-agent does not answer: %w", err)
	}
	err = connection.SetDeadline(time.Now().Add(patience))
	if err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	signers, err := agent.NewClient(connection).Signers()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("ssh-agent does not list its keys: %w", err), connection.Close())
	}
	// Signing may wait for a person who has to confirm it, so it has no such limit.
	if err := connection.SetDeadline(time.Time{}); err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	for _, signer := range signers {
		if ssh.FingerprintSHA256(signer.PublicKey()) == fingerprint {
			// The connection stays open for as long as the key may sign: until the program ends.
			return signer, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("ssh-agent has no key %s; add it with ssh-add", fingerprint), connection.Close())
}
