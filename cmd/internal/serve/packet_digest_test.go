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

	record map[string]any // of the answer
	salt   string
}

// parsed is a JSON object.
func parsed(t testing.TB, text []byte) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err, string(text))
	}
	return object
}

// held are the packet and the policy of the record among the packets that the service answers with; nil for none.
func (m *material) held(t testing.TB) (packet, policy map[string]any) {
	t.Helper()
	id, number := m.record["caseId"], m.record["caseRevision"]
	if id == nil {
		id, number = m.record["amendmentId"], m.record["amendmentRevision"]
	}
	for _, one := range parsed(t, m.packets)["packets"].([]any) {
		document := one.(map[string]any)
		record := document["record"].(map[string]any)
		switch {
		case strings.HasSuffix(document["table"].(string), "_policies"):
			if record["policyId"] == m.record["policyId"] && record["policyVersion"] == m.record["policyVersion"] {
				policy = document
			}
		case (record["caseId"] == id || record["amendmentId"] == id) && record["revision"] == number:
			packet = document
		}
	}
	return packet, policy
}

// recordOf is the record of a stored packet; nil for none.
func recordOf(packet map[string]any) any {
	if packet == nil {
		return nil
	}
	return packet["record"]
}

// gather asks the service for what a client has.
func (s *harness) gather(t testing.TB, on verify.Ref, id records.RecordID) *material {
	t.Helper()
	m := &material{packets: s.get(t, "/api/trade/packets/"+string(on.Key.ID), Reviewer).body, answer: s.get(t, recordPath(id), Reviewer).body}
	answer := parsed(t, m.answer)
	m.record, m.salt = answer["record"].(map[string]any), answer["packetSalt"].(string)
	packet, policy := m.held(t)
	asked := map[string]any{"table": on.Table, "at": m.record["evaluatedAt"], "policy": recordOf(policy), "record": recordOf(packet)}
	for _, name := range []string{"latestPolicyVersion", "latestRevision"} {
		if number := m.record[name]; number != nil {
			asked[name] = number
		}
	}
	question, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	evaluated := s.post(t, evaluatePath(t, question), Reviewer, question)
	if evaluated.status != http.StatusOK {
		t.Fatalf("%d %s", evaluated.status, evaluated.body)
	}
	m.evaluation = evaluated.body
	return m
}

// view is what the page says that packetDigest is over.
func (m *material) view(t testing.TB) map[string]any {
	t.Helper()
	packet, policy := m.held(t)
	evaluation := parsed(t, m.evaluation)
	conclusion := map[string]any{}
	if decision, isAppeal := evaluation["decision"].(map[string]any); isAppeal {
		for _, name := range []string{"factorCodes", "outcome", "provenanceActivity", "reviewScope", "standingAccepted", "status", "traceabilityBusinessStep"} {
			conclusion[name] = decision[name]
		}
	} else {
		conclusion["blockedTransitions"] = evaluation["blockedTransitions"]
	}
	view := map[string]any{"blockers": m.record["computedBlockers"], "conclusion": conclusion, "gate": "blocked", "packet": packet, "policy": nil}
	if policy != nil {
		view["policy"] = policy
	}
	if len(m.record["computedBlockers"].([]any)) == 0 {
		view["gate"] = "pass"
	}
	view["latestPolicyVersion"], view["latestRevision"] = m.record["latestPolicyVersion"], m.record["latestRevision"]
	at := m.record["evaluatedAt"].(string)
	if strings.Contains(at, ".") {
		at = strings.TrimSuffix(strings.TrimRight(strings.TrimSuffix(at, "Z"), "0"), ".") + "Z"
	}
	view["evaluatedAt"] = at
	return view
}

// digestOf is the packetDigest over a view, by RFC 8785 and SHA-256 alone.
func digestOf(t testing.TB, salt string, view any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"salt": salt, "view": view})
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := jcs.Transform(text)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// examined are records on packets of each kind.
func (s *harness) examined(t *testing.T) map[string]*material {
	t.Helper()
	const odd = "Said: \"<b>\" & \\ ünïcode 漢字 \u2028 \U0001F44D\ttab"
	all := map[string]*material{}
	for name, packet := range map[string]verifytest.Record{
		"an appeal that passes":           verifytest.AppealCase("case-a", 1),
		"an appeal with odd texts":        verifytest.AppealCase("case-b", 1).With(verifytest.Record{"remedyGap": odd}),
		"an appeal that is blocked":       verifytest.AppealCase("case-c", 1).With(verifytest.Record{"notice": nil, "scopeHash": nil}),
		"an appeal without its policy":    verifytest.AppealCase("case-d", 1).With(verifytest.Record{"policyVersion": 7}),
		"an amendment that passes":        verifytest.Amendment("amendment-a", 1),
		"an amendment that is blocked":    verifytest.Amendment("amendment-b", 1).With(verifytest.Record{"baselineIntegrity": nil}),
		"an amendment without its policy": verifytest.Amendment("amendment-c", 1).With(verifytest.Record{"policyId": "no-policy"}),
	} {
		table := terms.AppealCases
		if strings.HasPrefix(name, "an amendment") {
			table = terms.AmendmentRecords
		}
		on := s.Bring(t, table, packet)
		all[name] = s.gather(t, on, s.recorded(t, on, Reviewer, nil))
	}
	on := s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-e", 1))
	honest := s.Decide(on, Reviewer, nil)
	at := strings.TrimSuffix(honest.Members().EvaluatedAt.String(), "Z") + ".000000000Z"
	record := reread(t, terms.Appeals, s.Log.Forged(honest, verifytest.Record{"evaluatedAt": at}))
	s.takes(t, record, Reviewer)
	all["an appeal with zeros at the end of a time"] = s.gather(t, on, record.Members().RecordID)
	return all
}

// TestAClientComputesThePacketDigestFromWhatTheServiceAnswers uses nothing of docket's but the answers.
func TestAClientComputesThePacketDigestFromWhatTheServiceAnswers(t *testing.T) {
	s := serving(t)
	for name, m := range s.examined(t) {
		view := m.view(t)
		if got := digestOf(t, m.salt, view); got != m.record["packetDigest"] {
			t.Errorf("%s: computed is %s, the record says %s", name, got, m.record["packetDigest"])
		}
		blocked := len(m.record["computedBlockers"].([]any)) > 0
		if blocked != (strings.Contains(name, "blocked") || strings.Contains(name, "without")) || (view["policy"] == nil) != strings.Contains(name, "without") {
			t.Errorf("%s: it is not what it is called: %v", name, view)
		}
		for member := range view {
			without := m.view(t)
			delete(without, member)
			if digestOf(t, m.salt, without) == m.record["packetDigest"] {
				t.Errorf("%s: the digest is not over %s", name, member)
			}
		}
		if digestOf(t, m.salt+"x", view) == m.record["packetDigest"] {
			t.Errorf("%s: the digest is not over the salt", name)
		}
	}
}

// recordsPage is the page that documents packetDigest.
var recordsPage = filepath.Join("..", "..", "docs", "records.md")

// TestTheProgramOfThePageComputesThePacketDigest runs the program that the page names over the answers of the service.
func TestTheProgramOfThePageComputesThePacketDigest(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	program, err := filepath.Abs(filepath.Join("..", "..", "docs", "packet_digest.py"))
	if err != nil {
		t.Fatal(err)
	}
	s := newHarness(t, newServiceStore(t))
	for name, m := range s.examined(t) {
		folder := t.TempDir()
		for file, text := range map[string][]byte{"packets.json": m.packets, "record.json": m.answer, "evaluation.json": m.evaluation} {
			if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		run := exec.CommandContext(t.Context(), python, program, "packets.json", "record.json", "evaluation.json")
		run.Dir = folder
		said, err := run.CombinedOutput()
		if got := strings.TrimSpace(string(said)); err != nil || got != m.record["packetDigest"] {
			t.Errorf("%s: the program says %s, the record %s (%v)", name, got, m.record["packetDigest"], err)
		}
	}
}

// examplePath is the example that the page names.
var examplePath = filepath.Join("testdata", "packet_digest.json")

// TestTheWorkedExampleOfThePageIsOfARecordAndComesToItsDigest holds the example to a record, and computes its digest from the example alone.
func TestTheWorkedExampleOfThePageIsOfARecordAndComesToItsDigest(t *testing.T) {
	s := serving(t)
	m := s.gather(t, s.Case, s.recorded(t, s.Case, Reviewer, nil))
	want, err := json.MarshalIndent(map[string]any{"packetDigest": m.record["packetDigest"], "packetSalt": m.salt, "view": m.view(t)}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(examplePath, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
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
	if page, err := os.ReadFile(recordsPage); err != nil || !bytes.Contains(page, []byte(filepath.ToSlash(examplePath))) {
		t.Errorf("the page does not name the example (%v)", err)
	}
}
