package bundle_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// signedBy is what a key signed on two days of June.
func signedBy(id, key string) *verify.Reviewer {
	at := func(day int) terms.Instant { return terms.InstantOf(time.Date(2026, 6, day, 12, 0, 0, 0, time.UTC)) }
	return &verify.Reviewer{ID: terms.ID(id), Fingerprint: ssh.FingerprintSHA256(verifytest.Key(key).PublicKey()), Span: verify.Span{First: at(15), Last: at(16)}}
}

// lineFor is a line of allowed_signers.
func lineFor(names, options, key string) string {
	return strings.Join(append(strings.Fields(names+" "+options), string(ssh.MarshalAuthorizedKey(verifytest.Key(key).PublicKey()))), " ")
}

func TestAFileOfAllowedSignersAllowsItsKeysForTheirReviewersAndTimesAlone(t *testing.T) {
	const records = `namespaces="docket-enforcement-record"`
	for name, one := range map[string]struct {
		line string
		want bool
	}{
		"its key":                     {lineFor("rev-1", records, "one"), true},
		"its key for any namespace":   {lineFor("rev-1", "", "one"), true},
		"among several of both":       {lineFor("rev-2,rev-1", `namespaces="file,docket-enforcement-record"`, "one"), true},
		"within its time":             {lineFor("rev-1", `valid-after="20260615",valid-before="20260616120000Z",`+records, "one"), true},
		"with a comment above":        {"# who\n\n" + lineFor("rev-1", records, "one"), true},
		"nothing":                     {"", false},
		"the key of somebody else":    {lineFor("rev-2", records, "one"), false},
		"a different key":             {lineFor("rev-1", records, "two"), false},
		"a key for something else":    {lineFor("rev-1", `namespaces="file"`, "one"), false},
		"a key that came later":       {lineFor("rev-1", `valid-after="20260615130000",`+records, "one"), false},
		"a key that had ended before": {lineFor("rev-1", `valid-before="202606160000",`+records, "one"), false},
	} {
		allowed, err := bundle.ReadAllowed([]byte(one.line))
		if err != nil || allowed.Allows(signedBy("rev-1", "one")) != one.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestALineThatIsNotOneOfAllowedSignersIsRefusedByItsNumber(t *testing.T) {
	for name, line := range map[string]string{
		"no key": "rev-1 namespaces=\"x\"", "a key alone": lineFor("", "", "one"), "a pattern": lineFor("rev-*", "", "one"), "an authority": lineFor("rev-1", "cert-authority", "one"),
		"no time": lineFor("rev-1", `valid-after="tomorrow"`, "one"), "an unknown option": lineFor("rev-1", `valid-until="20260616"`, "one"),
	} {
		allowed, err := bundle.ReadAllowed([]byte(lineFor("rev-1", "", "two") + line))
		if err == nil || !strings.Contains(err.Error(), "line 2") || allowed != nil || strings.Contains(err.Error(), "tomorrow") {
			t.Errorf("%s: %v, %v", name, allowed, err)
		}
	}
}

func FuzzReadAllowed(f *testing.F) {
	f.Add([]byte(lineFor("rev-1", `valid-after="20260615",namespaces="docket-enforcement-record"`, "one")))
	f.Add([]byte("# x\n\nrev-1 ssh-ed25519 AAAA\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if allowed, err := bundle.ReadAllowed(text); err != nil && allowed != nil {
			t.Error("a refused file allows something")
		}
	})
}
