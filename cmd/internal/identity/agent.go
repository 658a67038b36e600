package identity

import (
	"context"
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

func (s agentSigner) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return s.during(context.Background()).Sign(rand, data)
}

// during returns a signer that waits for the agent as long as ctx lasts, and no longer than the patience.
func (s agentSigner) during(ctx context.Context) ssh.Signer { return awaited{s, ctx} }

// awaited is an agentSigner for one signature.
type awaited struct {
	agentSigner
	ctx context.Context
}

func (s awaited) Sign(_ io.Reader, data []byte) (signature *ssh.Signature, err error) {
	err = withAgent(s.ctx, s.patience, func(client agent.ExtendedAgent) error {
		signature, err = client.Sign(s.key, data)
		return err
	})
	return signature, err
}

// agentKey finds a key of ssh-agent by its fingerprint in OpenSSH's SHA256:… form. The agent has that long to answer.
func agentKey(ctx context.Context, fingerprint string, patience time.Duration) (ssh.Signer, error) {
	var held []*agent.Key
	err := withAgent(ctx, patience, func(client agent.ExtendedAgent) (err error) {
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

// withAgent asks ssh-agent something. The whole of it may take that long, and ends with ctx at once: the error then wraps
// the cause of ctx.
func withAgent(ctx context.Context, patience time.Duration, ask func(agent.ExtendedAgent) error) error {
	socket := os.Getenv("SSH_AUTH_SOCK")
	if socket == "" {
		return errors.New("ssh-agent is not running here: SSH_AUTH_SOCK is not set; start one and add the key with `ssh-add FILE`")
	}
	waiting, stop := context.WithTimeout(ctx, patience)
	defer stop()
	err := askAgent(waiting, socket, ask)
	var unreachable *net.OpError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("ssh-agent at %s was not waited for: %w", socket, context.Cause(ctx))
	case waiting.Err() != nil: // the error of the library does not wrap that of the connection
		return fmt.Errorf("ssh-agent at %s did not answer within %s; unlock it, confirm the use of the key if it asks, or start it again", socket, patience)
	case errors.As(err, &unreachable) && unreachable.Op == "dial":
		return fmt.Errorf("no ssh-agent listens at %s, where SSH_AUTH_SOCK points; start one and add the key with `ssh-add FILE`", socket)
	}
	return fmt.Errorf("ssh-agent at %s refused: %w; see `ssh-add -l`", socket, err)
}

// askAgent asks over a connection that is closed when ctx ends, which ends a read or a write that waits.
func askAgent(ctx context.Context, socket string, ask func(agent.ExtendedAgent) error) error {
	connection, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return err
	}
	keep := context.AfterFunc(ctx, func() { _ = connection.Close() })
	err = ask(agent.NewClient(connection))
	if !keep() { // it is closed already
		return errors.Join(err, ctx.Err())
	}
	return errors.Join(err, connection.Close())
}
