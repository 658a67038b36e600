package main_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os/exec"
	"testing"

	"docket/cmd/internal/programtest"
)

// overlapRequests are requests with the canary in every place, and good ones with tags that are the canary's hash.
func overlapRequests(t *testing.T) map[string][]byte {
	t.Helper()
	sum := sha256.Sum256([]byte(programtest.Canary))
	token := func(name string, value any) map[string]any {
		fields := map[string]any{"blinded_tag": hex.EncodeToString(sum[:]), "tag_namespace": "exact_verification_tag",
			"token_version": 48611, "expires_at": "2034-05-06T07:08:09.101112131Z"}
		if name != "" {
			fields[name] = value
		}
		return fields
	}
	requests := map[string][]byte{"not JSON": []byte(programtest.Canary), "truncated": []byte(`{"tokens":[{"blinded_tag":"` + programtest.Canary)}
	add := func(name string, body map[string]any) {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		requests[name] = text
	}
	add("good", map[string]any{"tokens": []any{token("", nil)}})
	add("two good ones", map[string]any{"tokens": []any{token("", nil), token("tag_namespace", "exact_constraint_tag")}})
	for _, name := range []string{"blinded_tag", "tag_namespace", "token_version", "expires_at", "audit_reason", "raw_tag", "canonical_tag",
		"raw_text", "exact_private_wish", "non_overlap_value", "free_text", "exact_wish", "exact_ask", "raw_source_text", "contact_details",
		"precise_location", "matching_tag_names", "non_overlap_tags", "raw_tokens", "counterparty_tag_set", programtest.Canary} {
		add("in a token's "+name, map[string]any{"tokens": []any{token(name, programtest.Canary)}})
		add("beside the tokens as "+name, map[string]any{"tokens": []any{token("", nil)}, name: programtest.Canary})
	}
	return requests
}

func TestNothingOfAnOverlapRequestReachesAnOutputOrAFile(t *testing.T) {
	t.Parallel()
	docket, home := programtest.Built(t), t.TempDir()
	env := []string{"HOME=" + home, "TMPDIR=" + home, "XDG_DATA_HOME=" + home + "/data", "XDG_CONFIG_HOME=" + home + "/config",
		"XDG_STATE_HOME=" + home + "/state"}
	sum := sha256.Sum256([]byte(programtest.Canary))
	traces := [][]byte{[]byte(programtest.Canary), []byte(hex.EncodeToString(sum[:])), sum[:], []byte("48611"), []byte("2034-05-06"),
		[]byte("101112131"), []byte("exact_verification_tag")}
	answered := 0
	var printed bytes.Buffer
	made := exec.CommandContext(t.Context(), docket, "import", "-")
	made.Env = env
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range overlapRequests(t) {
		for _, action := range []string{"check", "refresh", "delete"} {
			cmd := exec.CommandContext(t.Context(), docket, "overlap", action)
			var out bytes.Buffer
			cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, bytes.NewReader(text), &out, &printed
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("%s, %s: it ends with %v", name, action, err)
			}
			if out.Len() > 0 {
				answered++
			}
			printed.Write(out.Bytes())
		}
	}
	if answered != 6 {
		t.Errorf("%d requests were answered", answered)
	}
	cmd := exec.CommandContext(t.Context(), docket, "verify", "--json")
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &printed, &printed
	if err := cmd.Run(); err != nil {
		t.Errorf("verify: %v", err)
	}
	for _, trace := range traces {
		if bytes.Contains(printed.Bytes(), trace) {
			t.Errorf("an output holds %q", trace)
		}
	}
	programtest.HoldNoTrace(t, home, traces...)
}
