package identity

import (
	"context"
	"io"
	"time"

	"docket/store/agent"

	"golang.org/x/crypto/ssh"
)

const (
	// agentPatience is how long ssh-agent may take to list its keys, and to make a trial signature.
	agentPatience = 5 * time.Second
	// confirmPatience is how long it may take to sign: a person may have to confirm it first.
	confirmPatience = 2 * time.Minute
)

// An agentSigner opens a connection for each signature: the agent may be restarted meanwhile.
type agentSigner struct {
	key      ssh.PublicKey
	patience time.Duration
	ctx      context.Context // as long as which it waits, and no longer than the patience
}

func (s agentSigner) PublicKey() ssh.PublicKey { return s.key }

func (s agentSigner) Sign(_ io.Reader, data []byte) (*ssh.Signature, error) {
	return agent.Sign(s.ctx, s.key, data, s.patience)
}

// SignWithAlgorithm signs with an RSA key; agent.Sign chooses the algorithm that records take.
func (s agentSigner) SignWithAlgorithm(rand io.Reader, data []byte, _ string) (*ssh.Signature, error) {
	return s.Sign(rand, data)
}

// agentKey finds a key by its fingerprint (SHA256:…); the agent has to answer within patience.
func agentKey(ctx context.Context, fingerprint string, patience time.Duration) (ssh.Signer, error) {
	key, err := agent.Find(ctx, fingerprint, patience)
	if err != nil {
		return nil, err
	}
	return agentSigner{key, confirmPatience, context.Background()}, nil
}
