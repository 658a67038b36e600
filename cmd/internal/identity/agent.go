package identity

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

const (
	// agentPatience is how long ssh-agent may take to list its keys, and to sign on trial.
	agentPatience = 5 * time.Second
	// confirmPatience is how long it may take to sign: a person may have to confirm it first.
	confirmPatience = 2 * time.Minute
)

// An agentSigner signs with a key of ssh-agent. It asks the agent anew for each signature, so that one that was
// restarted meanwhile, and given the key again, is as good.
type agentSigner struct {
	key      ssh.PublicKey
	patience time.Duration
}

func (s agentSigner) PublicKey() ssh.PublicKey { return s.key }

func (s agentSigner) Sign(_ io.Reader, data []byte) (signature *ssh.Signature, err error) {
	err = withAgent(s.patience, func(client agent.ExtendedAgent) error {
		signature, err = client.Sign(s.key, data)
		return err
	})
	return signature, err
}

// agentKey finds a key of ssh-agent by its fingerprint in OpenSSH's SHA256:… form. The agent has that long to answer.
func agentKey(fingerprint string, patience time.Duration) (ssh.Signer, error) {
	var held []*agent.Key
	err := withAgent(patience, func(client agent.ExtendedAgent) (err error) {
		held, err = client.List()
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, key := range held {
		if ssh.FingerprintSHA256(key) != fingerprint {
			continue
		}
		parsed, err := ssh.ParsePublicKey(key.Blob)
		if err != nil {
			return nil, fmt.Errorf("the key %s of ssh-agent cannot be read", fingerprint)
		}
		return agentSigner{parsed, confirmPatience}, nil
	}
	return nil, fmt.Errorf("ssh-agent has no key %s among its %d; add it with `ssh-add FILE`, and see `ssh-add -l`", fingerprint, len(held))
}

// withAgent asks ssh-agent something. The whole of it may take that long.
func withAgent(patience time.Duration, ask func(agent.ExtendedAgent) error) error {
	socket := os.Getenv("SSH_AUTH_SOCK")
	if socket == "" {
		return errors.New("ssh-agent is not running here: SSH_AUTH_SOCK is not set; start one and add the key with `ssh-add FILE`")
	}
	connection, err := net.DialTimeout("unix", socket, patience)
	if err != nil {
		return fmt.Errorf("no ssh-agent listens at %s, where SSH_AUTH_SOCK points; start one and add the key with `ssh-add FILE`", socket)
	}
	deadline := time.Now().Add(patience)
	err = connection.SetDeadline(deadline)
	if err == nil {
		err = ask(agent.NewClient(connection))
	}
	closing := connection.Close()
	switch {
	case err == nil:
		return closing
	case !time.Now().Before(deadline): // the error of the library does not wrap that of the connection
		return fmt.Errorf("ssh-agent at %s did not answer within %s; unlock it, confirm the use of the key if it asks, or start it again", socket, patience)
	}
	return fmt.Errorf("ssh-agent at %s refused: %w; see `ssh-add -l`", socket, err)
}
