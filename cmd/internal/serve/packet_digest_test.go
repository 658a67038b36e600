package serve_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A material is what the service answers about a record, from which anybody computes its packetDigest.
type material struct {
	packets, answer, evaluation []byte

	record         map[string]any // of the answer
	salt           string
	packet, policy map[string]any // of the record; nil for none
}

// parsed is a JSON object.
func parsed(t testing.TB, text []byte) (object map[string]any) {
	t.Helper()
	must(t, json.Unmarshal(text, &object))
	return object
}

// gather asks the service for what a client has.
func (s *harness) gather(t testing.TB, on verify.Ref, id records.RecordID) *material {
	t.Helper()
	m := &material{packets: s.get(t, "/api/trade/packets/"+string(on.Key.ID), Reviewer).body, answer: s.get(t, recordPath(id), Reviewer).body}
	answer := parsed(t, m.answer)
	m.record, m.salt = answer["record"].(map[string]any), answer["packetSalt"].(string)
	asked := map[string]any{"table": on.Table, "at": m.record["evaluatedAt"], "policy": nil,
		"record": nil}
	for _, one := range parsed(t, m.packets)["packets"].([]any) {
		document := one.(map[string]any)
		record := document["record"].(map[string]any)
		switch {
		case strings.HasSuffix(document["table"].(string), "_policies"):
			if record["policyId"] == m.record["policyId"] && record["policyVersion"] == m.record["policyVersion"] {
				m.policy, asked["policy"] = document, record
			}
		case record["caseId"] == string(on.Key.ID) &&
			record["revision"] == m.record["caseRevision"],
			record["amendmentId"] == string(on.Key.ID) &&
				record["revision"] == m.record["amendmentRevision"]:
			m.packet, asked["record"] = document, record
		}
	}
	for _, name := range []string{"latestPolicyVersion", "latestRevision"} {
		if number := m.record[name]; number != nil {
			asked[name] = number
		}
	}
	question, err := json.Marshal(asked)
	must(t, err)
	path := api.AppealEvaluatePath
	if terms.AreaOf(on.Table) == terms.Amendments {
		path = api.AmendmentEvaluatePath
	}
	m.evaluation = s.post(t, path, Reviewer, question).want(t, http.StatusOK, path).body
	return m
}

// view is what the page says that packetDigest is over.
func (m *material) view(t testing.TB) map[string]any {
	t.Helper()
	evaluation := parsed(t, m.evaluation)
	conclusion := map[string]any{}
	if decision, isAppeal := evaluation["decision"].(map[string]any); isAppeal {
		for _, name := range []string{"factorCodes", "outcome", "provenanceActivity", "reviewScope", "standingAccepted", "status", "traceabilityBusinessStep"} {
			conclusion[name] = decision[name]
		}
	} else {
		conclusion["blockedTransitions"] = evaluation["blockedTransitions"]
	}
	at := m.record["evaluatedAt"].(string)
	if strings.Contains(at, ".") {
		at = strings.TrimSuffix(strings.TrimRight(strings.TrimSuffix(at, "Z"), "0"), ".") + "Z"
	}
	view := map[string]any{"blockers": m.record["computedBlockers"], "conclusion": conclusion,
		"gate":   "blocked",
		"packet": m.packet, "policy": nil, "evaluatedAt": at,
		"latestPolicyVersion": m.record["latestPolicyVersion"],
		"latestRevision":      m.record["latestRevision"]}
	if m.policy != nil {
		view["policy"] = m.policy
	}
	if len(m.record["computedBlockers"].([]any)) == 0 {
		view["gate"] = "pass"
	}
	return view
}

// digestOf is the packetDigest over a view, by RFC 8785 and SHA-256 alone.
func digestOf(t testing.TB, salt string, view any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"salt": salt, "view": view})
	must(t, err)
	canonical, err := jcs.Transform(text)
	must(t, err)
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// A client computes the digest from what the service answers, with nothing of docket's: with an
// implementation of RFC 8785, and with the program that the page names.
func TestAClientComputesThePacketDigestFromWhatTheServiceAnswers(t *testing.T) {
	s := serving(t)
	python, _ := exec.LookPath("python3")
	program, err := filepath.Abs(filepath.Join("..", "..", "docs", "packet_digest.py"))
	must(t, err)
	const odd = "Said: \"<b>\" & \\ ünïcode 漢字 \u2028 \U0001F44D\ttab"
	for name, packet := range map[string]verifytest.Record{
		"an appeal that passes": verifytest.AppealCase("case-a", 1),
		"an appeal with odd texts": verifytest.AppealCase("case-b",
			1).With(verifytest.Record{"remedyGap": odd}),
		"an appeal that is blocked": verifytest.AppealCase("case-c",
			1).With(verifytest.Record{"notice": nil, "scopeHash": nil}),
		"an appeal without its policy": verifytest.AppealCase("case-d",
			1).With(verifytest.Record{"policyVersion": 7}),
		"an appeal with zeros at the end of a time": verifytest.AppealCase("case-e", 1),
		"an amendment that passes":                  verifytest.Amendment("amendment-a", 1),
		"an amendment that is blocked": verifytest.Amendment("amendment-b",
			1).With(verifytest.Record{"baselineIntegrity": nil}),
		"an amendment without its policy": verifytest.Amendment("amendment-c",
			1).With(verifytest.Record{"policyId": "no-policy"}),
	} {
		table := terms.AppealCases
		if strings.HasPrefix(name, "an amendment") {
			table = terms.AmendmentRecords
		}
		on := s.Bring(t, table, packet)
		record := s.Decide(on, Reviewer, nil)
		if strings.Contains(name, "zeros") {
			at := strings.TrimSuffix(record.Members().EvaluatedAt.String(), "Z") + ".000000000Z"
			record = s.forged(t, record, verifytest.Record{"evaluatedAt": at})
		}
		s.takes(t, record, Reviewer)
		m := s.gather(t, on, record.Members().RecordID)
		view, stated := m.view(t), m.record["packetDigest"]
		if got := digestOf(t, m.salt, view); got != stated {
			t.Errorf("%s: computed is %s, the record says %s", name, got, stated)
		}
		blocked, without := strings.Contains(name, "blocked"), strings.Contains(name, "without")
		if (len(m.record["computedBlockers"].([]any)) > 0) != (blocked || without) ||
			(view["policy"] == nil) != without {
			t.Errorf("%s: it is not what it is called: %v", name, view)
		}
		for member := range view {
			less := m.view(t)
			delete(less, member)
			if digestOf(t, m.salt, less) == stated {
				t.Errorf("%s: the digest is not over %s", name, member)
			}
		}
		if digestOf(t, m.salt+"x", view) == stated {
			t.Errorf("%s: the digest is not over the salt", name)
		}
		if python == "" {
			continue
		}
		run := exec.CommandContext(t.Context(), python, program, "packets.json", "record.json", "evaluation.json")
		run.Dir = t.TempDir()
		for file, text := range map[string][]byte{"packets.json": m.packets, "record.json": m.answer, "evaluation.json": m.evaluation} {
			must(t, os.WriteFile(filepath.Join(run.Dir, file), text, 0o600))
		}
		said, err := run.CombinedOutput()
		if got := strings.TrimSpace(string(said)); err != nil || got != stated {
			t.Errorf("%s: the program says %s, the record %s (%v)", name, got, stated, err)
		}
	}
}

// The example that the page names is of a record, and its digest is computed from the example
// alone.
func TestTheWorkedExampleOfThePageIsOfARecordAndComesToItsDigest(t *testing.T) {
	s := serving(t)
	path := filepath.Join("testdata", "packet_digest.json")
	m := s.gather(t, s.Case, s.recorded(t, s.Case, Reviewer, nil))
	want, err := json.MarshalIndent(map[string]any{"packetDigest": m.record["packetDigest"], "packetSalt": m.salt, "view": m.view(t)}, "", "  ")
	must(t, err)
	want = append(want, '\n')
	if *update {
		must(t, os.WriteFile(path, want, 0o644))
	}
	text, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(text, want) {
		t.Fatal("the example is not the record's; go test -update writes it")
	}
	example := parsed(t, text)
	digest := example["packetDigest"].(string)
	if got := digestOf(t, example["packetSalt"].(string), example["view"]); got != digest || example["view"].(map[string]any)["latestRevision"] != 1.0 {
		t.Errorf("the example comes to %s, and says %s", got, digest)
	}
	if answered := s.get(t, api.RecordsPath+"?caseId=case-1", Reviewer); !bytes.Contains(answered.body, []byte(digest)) {
		t.Error("the example's record is not in the feed")
	}
	if page, err := os.ReadFile(filepath.Join("..", "..", "docs", "records.md")); err != nil ||
		!bytes.Contains(page, []byte(filepath.ToSlash(path))) {
		t.Errorf("the page does not name the example (%v)", err)
	}
}
