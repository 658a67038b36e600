// Package agent asks ssh-agent to sign: for a reviewer, whose key signs records, and for a log,
// whose key signs checkpoints. Each signature opens a new connection to the agent, so that an agent
// may be restarted meanwhile if it gets the key again.
package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// Find finds a key of ssh-agent by its fingerprint in OpenSSH's SHA256:… form. The agent has to
// answer within patience.
func Find(ctx context.Context, fingerprint string, patience time.Duration) (ssh.PublicKey, error) {
	var held []*agent.Key
	err := ask(ctx, patience, func(client agent.ExtendedAgent) (err error) {
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
		return parsed, nil
	}
	return nil, fmt.Errorf(
		"ssh-agent has no key %s among its %d; add it with `ssh-add FILE`, and see `ssh-add -l`",
		fingerprint, len(held))
}

// Sign signs with a key of ssh-agent, which answers within patience; an RSA key with SHA-512.
func Sign(ctx context.Context, key ssh.PublicKey, data []byte, patience time.Duration) (signature *ssh.Signature, err error) {
	var flags agent.SignatureFlags
	if key.Type() == ssh.KeyAlgoRSA {
		flags = agent.SignatureFlagRsaSha512
	}
	err = ask(ctx, patience, func(client agent.ExtendedAgent) error {
		signature, err = client.SignWithFlags(key, data, flags)
		return err
	})
	return signature, err
}

// ask runs question over a connection to ssh-agent; at the end of ctx it returns its cause at once.
func ask(ctx context.Context, patience time.Duration, question func(agent.ExtendedAgent) error) error {
	socket := os.Getenv("SSH_AUTH_SOCK")
	if socket == "" {
		return errors.New("ssh-agent is not running here: SSH_AUTH_SOCK is not set; start one and add the key with `ssh-add FILE`")
	}
	waiting, stop := context.WithTimeout(ctx, patience)
	defer stop()
	err := exchange(waiting, socket, question)
	var unreachable *net.OpError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("ssh-agent at %s was not waited for: %w", socket, context.Cause(ctx))
	case waiting.Err() != nil: // the error of the library does not wrap that of the connection
		return fmt.Errorf(
			"ssh-agent at %s did not answer within %s; unlock it, confirm the use of the key if it asks, or start it again",
			socket, patience)
	case errors.As(err, &unreachable) && unreachable.Op == "dial":
		return fmt.Errorf("no ssh-agent listens at %s, where SSH_AUTH_SOCK points; start one and add the key with `ssh-add FILE`", socket)
	}
	return fmt.Errorf("ssh-agent at %s refused: %w; see `ssh-add -l`", socket, err)
}

// exchange asks over a connection that is closed when ctx ends, which ends a waiting read or write.
func exchange(ctx context.Context, socket string, question func(agent.ExtendedAgent) error) error {
	connection, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return err
	}
	keep := context.AfterFunc(ctx, func() { _ = connection.Close() })
	err = question(agent.NewClient(connection))
	if !keep() { // it is closed already
		return errors.Join(err, ctx.Err())
	}
	return errors.Join(err, connection.Close())
}
