// Package agenttest makes ssh-agents for tests: Keys signs, NeverSigns and NeverAnswers hang, and
// Serve lets any of them listen on a socket.
package agenttest

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// Keys is an agent that holds one new key, with the key's fingerprint.
func Keys(t testing.TB) (keys agent.Agent, fingerprint string) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys = agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		t.Fatal(err)
	}
	listed, err := keys.List()
	if err != nil {
		t.Fatal(err)
	}
	return keys, ssh.FingerprintSHA256(listed[0])
}

// Serve answers on a socket as the agent does, until the test ends; without an agent it takes
// connections and never answers. The test is skipped where there are no unix sockets.
func Serve(t testing.TB, answering agent.Agent) (socket string) {
	t.Helper()
	folder, err := os.MkdirTemp("", "agent") // short, because the path of a socket may not be long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	socket = filepath.Join(folder, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skipf("no unix sockets here: %v", err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			if answering == nil {
				defer connection.Close() // a connection that nothing refers to would be closed at once
				continue
			}
			go agent.ServeAgent(answering, connection)
		}
	}()
	return socket
}

// hanging does not answer before the test has ended.
type hanging struct {
	agent.Agent
	asked chan<- struct{}
	ended context.Context
	lists bool
}

// NeverSigns returns an agent that lists the keys and never signs. It sends on asked when it is
// asked to sign.
func NeverSigns(t testing.TB, keys agent.Agent) (hangs agent.Agent, asked <-chan struct{}) {
	told := make(chan struct{}, 1)
	return hanging{keys, told, t.Context(), true}, told
}

// NeverAnswers returns an agent that neither lists the keys nor signs. It sends on asked when it is
// asked for either.
func NeverAnswers(t testing.TB, keys agent.Agent) (hangs agent.Agent, asked <-chan struct{}) {
	told := make(chan struct{}, 1)
	return hanging{keys, told, t.Context(), false}, told
}

func (h hanging) List() ([]*agent.Key, error) {
	if h.lists {
		return h.Agent.List()
	}
	return nil, h.hang()
}

func (h hanging) Sign(ssh.PublicKey, []byte) (*ssh.Signature, error) { return nil, h.hang() }

func (h hanging) hang() error {
	select {
	case h.asked <- struct{}{}:
	default:
	}
	<-h.ended.Done()
	return h.ended.Err()
}
