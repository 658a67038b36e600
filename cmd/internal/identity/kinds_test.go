package identity_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/pem"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"docket/cmd/internal/identity"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/agent/agenttest"
)

// made returns a key, or ends the test.
func made[K crypto.PrivateKey](t *testing.T) func(K, error) crypto.PrivateKey {
	return func(key K, err error) crypto.PrivateKey {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
}

// fileOf writes a private key as ssh-keygen does.
func fileOf(t *testing.T, key crypto.PrivateKey) string {
	t.Helper()
	block, err := ssh.MarshalPrivateKey(key, "")
	must(t, err)
	path := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	return path
}

// setUp sets an identity up.
func setUp(t *testing.T, s identity.Setup) (identity.Identity, error) {
	t.Helper()
	s.ID, s.Role = "rev-7", terms.NeutralReviewer
	place := identity.Place{Folder: t.TempDir()}
	return place.Init(t.Context(), s, nil)
}

// agentWith lets an agent listen, and returns the fingerprint of its one key.
func agentWith(t *testing.T, keys agent.Agent) string {
	t.Helper()
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	listed, err := keys.List()
	if err != nil || len(listed) != 1 {
		t.Fatal(listed, err)
	}
	return ssh.FingerprintSHA256(listed[0])
}

// signs checks that OpenSSH and docket take the signature of an identity.
func signs(t *testing.T, held identity.Identity) {
	t.Helper()
	document := "a record"
	armored, err := held.Sign(t.Context(), []byte(document))
	must(t, err)
	signature, err := sshsig.Unarmor(armored)
	if err != nil || signed.Verify(records.SignatureNamespace, []byte(document), signature) != nil {
		t.Errorf("docket refuses the signature: %v", err)
	}
	if signed.Verify(records.SignatureNamespace, []byte("another"), signature) == nil || signed.Verify(records.LogStatementNamespace, []byte(document), signature) == nil {
		t.Error("the signature is taken for another one")
	}
	if err := held.Try(t.Context()); err != nil {
		t.Error(err)
	}
	program, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"signers": held.AllowedSigner() + "\n", "signature": string(armored)} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	verify := exec.CommandContext(t.Context(), program, "-Y", "verify", "-f", filepath.Join(folder, "signers"), "-I", "rev-7",
		"-n", records.SignatureNamespace, "-s", filepath.Join(folder, "signature"))
	verify.Stdin = strings.NewReader(document)
	if said, err := verify.CombinedOutput(); err != nil {
		t.Errorf("ssh-keygen: %v\n%s", err, said)
	}
}

func TestEveryKindOfKeyThatCountsSignsFromItsFileAndThroughTheAgent(t *testing.T) {
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	for name, key := range map[string]crypto.PrivateKey{
		"ed25519":   made[ed25519.PrivateKey](t)(edwards, err),
		"ECDSA 256": made[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)),
		"ECDSA 384": made[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P384(), rand.Reader)),
		"ECDSA 521": made[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P521(), rand.Reader)),
		"RSA 3072":  made[*rsa.PrivateKey](t)(rsa.GenerateKey(rand.Reader, 3072)),
	} {
		t.Run(name, func(t *testing.T) {
			keys := agent.NewKeyring()
			must(t, keys.Add(agent.AddedKey{PrivateKey: key}))
			for _, setup := range []identity.Setup{{KeyFile: fileOf(t, key)}, {Agent: agentWith(t, keys)}} {
				held, err := setUp(t, setup)
				must(t, err)
				signs(t, held)
			}
		})
	}
}

func TestAShortRSAKeyNeitherSignsNorCounts(t *testing.T) {
	short := made[*rsa.PrivateKey](t)(rsa.GenerateKey(rand.Reader, 2048))
	signer, err := ssh.NewSignerFromKey(short)
	must(t, err)
	_, err = setUp(t, identity.Setup{KeyFile: fileOf(t, short)})
	if err == nil || !strings.Contains(err.Error(), "an RSA key of fewer than 3072 bits") {
		t.Error(err)
	}
	if _, err := signed.PublicKey(signed.AuthorizedKey(signer.PublicKey())); err == nil {
		t.Error("it can be registered")
	}
	signature, err := sshsig.Sign(strings.NewReader("a record"), signer, sshsig.HashSHA512, records.SignatureNamespace)
	if err != nil || signed.Verify(records.SignatureNamespace, []byte("a record"), signature) == nil {
		t.Errorf("its signature counts: %v", err)
	}
}

func TestAnRSASignatureOfAnotherHashDoesNotCount(t *testing.T) {
	signer, err := ssh.NewSignerFromKey(made[*rsa.PrivateKey](t)(rsa.GenerateKey(rand.Reader, 3072)))
	must(t, err)
	weaker, err := ssh.NewSignerWithAlgorithms(signer.(ssh.AlgorithmSigner), []string{ssh.KeyAlgoRSASHA256})
	must(t, err)
	signature, err := sshsig.Sign(strings.NewReader("a record"), always256{weaker}, sshsig.HashSHA512, records.SignatureNamespace)
	if err != nil || signature.Signature.Format != ssh.KeyAlgoRSASHA256 {
		t.Fatal(signature, err)
	}
	if signed.Verify(records.SignatureNamespace, []byte("a record"), signature) == nil {
		t.Error("it counts")
	}
}

// always256 signs with SHA-256 in every case.
type always256 struct{ ssh.MultiAlgorithmSigner }

func (s always256) SignWithAlgorithm(rand io.Reader, data []byte, _ string) (*ssh.Signature, error) {
	return s.MultiAlgorithmSigner.SignWithAlgorithm(rand, data, ssh.KeyAlgoRSASHA256)
}

// A securityKey is an agent whose one key is on a security key (OpenSSH's PROTOCOL.u2f).
type securityKey struct {
	agent.Agent
	private ed25519.PrivateKey
	public  ssh.PublicKey
	flags   byte
	signed  int
}

const application = "ssh:"

func newSecurityKey(t *testing.T, flags byte) *securityKey {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	parsed, err := ssh.ParsePublicKey(ssh.Marshal(struct{ Type, Key, Application string }{ssh.KeyAlgoSKED25519, string(public), application}))
	must(t, err)
	return &securityKey{agent.NewKeyring(), private, parsed, flags, 0}
}

func (k *securityKey) List() ([]*agent.Key, error) {
	return []*agent.Key{{Format: k.public.Type(), Blob: k.public.Marshal()}}, nil
}

func (k *securityKey) Sign(_ ssh.PublicKey, data []byte) (*ssh.Signature, error) {
	k.signed++
	about, message := sha256.Sum256([]byte(application)), sha256.Sum256(data)
	rest := []byte{k.flags, 0, 0, 0, byte(k.signed)}
	return &ssh.Signature{Format: k.public.Type(), Blob: ed25519.Sign(k.private, append(append(about[:], rest...), message[:]...)), Rest: rest}, nil
}

func TestAKeyOnASecurityKeySignsThroughTheAgentOnceItIsTouched(t *testing.T) {
	key, asked := newSecurityKey(t, 1), 0
	place := identity.Place{Folder: t.TempDir(), Touch: func() { asked++ }}
	held, err := place.Init(t.Context(), identity.Setup{ID: "rev-7", Role: terms.NeutralReviewer, Agent: agentWith(t, key)}, nil)
	if err != nil || !held.OnSecurityKey() || key.signed != 0 {
		t.Fatal(held.OnSecurityKey(), key.signed, err)
	}
	signs(t, held)
	if key.signed != 1 || asked != 1 {
		t.Errorf("%d signatures, asked to touch it %d times", key.signed, asked)
	}
	if _, err := held.Silent().Sign(t.Context(), nil); err != nil || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func TestASignatureForWhichNobodyTouchedTheSecurityKeyDoesNotCount(t *testing.T) {
	held, err := setUp(t, identity.Setup{Agent: agentWith(t, newSecurityKey(t, 4))})
	must(t, err)
	armored, err := held.Sign(t.Context(), []byte("a record"))
	must(t, err)
	signature, err := sshsig.Unarmor(armored)
	if err != nil || signed.Verify(records.SignatureNamespace, []byte("a record"), signature) == nil {
		t.Errorf("it counts: %v", err)
	}
}

// A file that ssh-keygen writes for a security key holds no private key, only its handle.
func TestTheFileOfAKeyOnASecurityKeyIsSaidToBeOne(t *testing.T) {
	public := ssh.Marshal(struct {
		Type, Key, Application string
	}{"sk-ssh-ed25519@openssh.com", strings.Repeat("k", 32), "ssh:"})
	file := append([]byte("openssh-key-v1\x00"), ssh.Marshal(struct {
		Cipher, Derivation, Options string
		Keys                        uint32
		Public, Private             []byte
	}{"none", "none", "", 1, public, append(make([]byte, 8), public...)})...)
	path := filepath.Join(t.TempDir(), "id_ed25519_sk")
	text := pem.EncodeToMemory(&pem.Block{Type: "OPENSSH PRIVATE KEY", Bytes: file})
	must(t, os.WriteFile(path, text, 0o600))
	_, err := setUp(t, identity.Setup{KeyFile: path})
	if err == nil || !strings.Contains(err.Error(), "lies on a security key") || !strings.Contains(err.Error(), "ssh-add "+path) {
		t.Error(err)
	}
}
