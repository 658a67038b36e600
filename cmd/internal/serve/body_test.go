package serve_test

import (
	stdjson "encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/json"
	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

// A badBody is a body that cannot be read, with where and why.
type badBody struct {
	name, body, pointer, reason string
}

// jsonFaults are what no body of any route may be.
var jsonFaults = []badBody{
	{"empty", "", "", "empty input"},
	{"null", "null", "", "must be an object"},
	{"an array", "[]", "", "must be an object"},
	{"a text", `"` + canary + `"`, "", "must be an object"},
	{"broken off", `{"` + canary, "", "the JSON stops early; it may be cut off"},
	{"not JSON", canary, "", "unexpected character"},
	{"an unknown member", `{"` + canary + `":1}`, "", "not known"},
	{"invalid UTF-8", "{\"" + canary + "\":\"\xff\"}", "", "invalid UTF-8"},
	{"a lone surrogate", `{"` + canary + `":"\ud800"}`, "", "lone surrogate"},
	{"too deep", `{"` + canary + `":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, "", "nested too deep"},
	{"a huge number", `{"` + canary + `":1e400}`, "", "2^53"},
	{"a byte order mark", "\ufeff{}", "", "byte order mark"},
	{"the same member twice", `{"` + canary + `":1,"` + canary + `":2}`, "", "duplicate"},
}

// replaced is a text with one part, which it has, in place of another.
func replaced(t testing.TB, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("it has no %s", old)
	}
	return strings.Replace(text, old, new, 1)
}

// refusesAll sends every body and holds the answer to its row.
func (s *harness) refusesAll(t *testing.T, path string, bodies []badBody) {
	t.Helper()
	for _, b := range bodies {
		answered := s.post(t, path, Reviewer, []byte(b.body))
		silent(t, answered)
		if answered.status != http.StatusBadRequest {
			t.Errorf("%s: %s: %d %s", path, b.name, answered.status, answered.body)
			continue
		}
		problem := answered.is(t, api.Malformed)
		if problem.Pointer != b.pointer || !strings.Contains(problem.Detail, b.reason) {
			t.Errorf("%s: %s: refused at %q with %q, want %q with %q", path, b.name, problem.Pointer, problem.Detail, b.pointer, b.reason)
		}
	}
}

func TestEveryFaultOfAnEvaluationInputIsTold(t *testing.T) {
	s := serving(t)
	body := `{"table":"trade_appeal_cases","at":"` + canary + `","` + canary + `":1,"record":{"caseId":"c","revision":1,"status":"` + canary + `"}}`
	answered := s.post(t, api.AppealEvaluatePath, Reviewer, []byte(body))
	silent(t, answered)
	problem := answered.is(t, api.Malformed)
	var told []string
	for _, fault := range problem.Faults {
		told = append(told, fault.Pointer)
		if fault.Reason == "" {
			t.Errorf("%s without a reason", fault.Pointer)
		}
	}
	if got := strings.Join(told, " "); got != "/at  /record/contractVersion /record/status" || problem.Pointer != "" && problem.Pointer != "/at" {
		t.Errorf("told are %q, foremost %q", got, problem.Pointer)
	}
	one := s.post(t, api.AppealEvaluatePath, Reviewer, []byte(`{"table":"trade_appeal_cases"}`)).is(t, api.Malformed)
	if one.Pointer != "/at" || one.Faults != nil {
		t.Errorf("one fault: %+v", one)
	}
	huge := `{"table":"trade_appeal_cases","at":"2026-01-01T00:00:00Z","latestRevision":1e10000000}`
	if problem := s.post(t, api.AppealEvaluatePath, Reviewer, []byte(huge)).is(t, api.Malformed); problem.Pointer != "/latestRevision" || problem.Faults != nil {
		t.Errorf("a huge exponent: %+v", problem)
	}
}

func TestABodyIsReadStrictly(t *testing.T) {
	s := serving(t)
	for _, path := range []string{api.AppealEnforcePath, api.AmendmentEnforcePath, api.AppealEvaluatePath, api.AmendmentEvaluatePath} {
		s.refusesAll(t, path, jsonFaults)
	}
}

func TestARecordIsReadStrictly(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	good := string(s.Body(t, record))
	change := func(old, new string) string { return replaced(t, good, old, new) }
	var parts api.Enforce
	must(t, stdjson.Unmarshal([]byte(good), &parts))
	statement := `"statement":` + string(verifytest.Reasons.Document())
	factors := regexp.MustCompile(`"factorCodes":\[[^]]*\]`).FindString(good)
	signature := `"signature":"` + strings.ReplaceAll(parts.Signature, "\n", `\n`) + `"`
	s.refusesAll(t, api.AppealEnforcePath, []badBody{
		{"bytes after it", good + "x", "", "bytes after the value"},
		{"two of them", good + good, "", "bytes after the value"},
		{"no record", "{" + signature + "}", "/record", "required and absent"},
		{"no signature", `{"record":` + string(parts.Record) + `}`, "/signature", "required and absent"},
		{"record in the wrong case", change(`"record"`, `"Record"`), "", "wrong case; it must be record"},
		{"signature in the wrong case", change(`"signature"`, `"Signature"`), "", "wrong case; it must be signature"},
		{"a member that looks the same", change(`"signature"`, "\"\u017fignature\""), "", "wrong case; it must be signature"},
		{"record twice", strings.TrimSuffix(good, "}") + `,"record":{}}`, "", "duplicate member name"},
		{"a member of the record twice", change(`"gate":`, `"gate":"pass","gate":`), "/record", "duplicate member name"},
		{"a member beside", strings.TrimSuffix(good, "}") + `,"` + canary + `":1}`, "", "not known"},
		{"a member in the record", change(`{"advisoryOutcome"`, `{"`+canary+`":1,"advisoryOutcome"`), "/record", "not known"},
		{"a member of the record in the wrong case", change(`"gate"`, `"Gate"`), "/record", "wrong case"},
		{"no gate", change(`"gate":"pass",`, ``), "/record/gate", "required and absent"},
		{"a null gate", change(`"gate":"pass"`, `"gate":null`), "/record/gate", "may not be null"},
		{"an unknown gate", change(`"gate":"pass"`, `"gate":"`+canary+`"`), "/record/gate", "vocabulary"},
		{"an unknown word in a list", change(`"human_review_required"`, `"`+canary+`"`), "/record/factorCodes/1", "vocabulary"},
		{"a role that is none", change(`"neutral_reviewer"`, `"`+canary+`"`), "/record/reviewer/role", "vocabulary"},
		{"a member of another's", change(`"provenanceActivity":"`, `"provenanceActivity":"`+canary), "/record", "no enforcement record"},
		{"no factor", change(factors, `"factorCodes":[]`), "/record", "no enforcement record"},
		{"a number in the record", change(`"caseRevision":1`, `"caseRevision":1e999`), "/record/caseRevision", "2^53"},
		{"a record that is a text", `{"record":"` + canary + `",` + signature + `}`, "/record", "must be an object"},
		{"a record that is null", `{"record":null,` + signature + `}`, "/record", "must be an object"},
		{"a signature that is a number", `{"record":` + string(parts.Record) + `,"signature":1}`, "/signature", "must be a string"},
		{"a signature that is none", strings.Replace(good, signature, `"signature":"`+canary+`"`, 1), "/signature", "no armored SSH signature"},
		{"no salt", change(`"packetSalt":"`+string(verifytest.Salt)+`"`, `"packetSalt":""`), "/packetSalt", "22 to 128"},
		{"a statement that is a text", change(statement, `"statement":"`+canary+`"`), "/statement", "must be an object"},
		{"a statement without a salt", change(statement, `"statement":{"statement":"`+canary+`"}`), "/statement", "must be"},
		{"no statement where the record holds its digest", change(statement, `"statement":null`), "/statement", "not the one"},
		{"another statement", change(verifytest.Reasons.Text, canary), "/statement", "not the one"},
		{"a signature without an end", `{"record":` + string(parts.Record) + `,"signature":"` + strings.Repeat(canary, 4000) + `"}`,
			"/signature", "too long"},
		{"a record over the log's limit", change(`"sectionsViewed":[`, `"sectionsViewed":[`+strings.Repeat(`"gate",`, 10000)),
			"/record", "no enforcement record"},
	})
	s.refusesAll(t, api.AmendmentEnforcePath, []badBody{{"a record of the other area", good, "/record", "not known"}})
	s.taken(t, s.post(t, api.AppealEnforcePath, Reviewer, []byte(good)), http.StatusCreated)
}

// What a service answered before it was restored comes beside a record; a fault in it names its place.
func TestWhatComesBesideARecordIsReadStrictly(t *testing.T) {
	s := serving(t)
	hash := terms.HashOf(nil).String()
	acknowledged := `{"receipt":{"recordId":"019ecb6a-4e00-7abc-8def-0123456789ab","sequence":0,"at":"2026-01-01T00:00:00.000Z","leafHash":"` + hash + `","treeSize":1,"root":"` + hash +
		`"},"checkpoint":"` + canary + `","receivedAt":"2026-01-01T00:00:00Z","proof":["` + hash + `"]}`
	good := strings.TrimSuffix(string(s.Body(t, s.Decide(s.Case, Reviewer, nil))), "}")
	proof := func(n int) string {
		return `"proof":[` + strings.TrimSuffix(strings.Repeat(`"`+hash+`",`, n), ",") + `]`
	}
	one := proof(1)
	var bodies []badBody
	with := func(what, old, new, pointer, reason string) {
		text := replaced(t, acknowledged, old, new)
		bodies = append(bodies, badBody{what, good + `,"acknowledged":` + text + "}", "/acknowledged" + pointer, reason})
	}
	with("a text", acknowledged, `"`+canary+`"`, "", "must be an object")
	with("null", acknowledged, "null", "", "must be an object")
	with("an unknown member", `"checkpoint":`, `"`+canary+`":1,"checkpoint":`, "", "not known")
	with("no checkpoint", `"checkpoint":"`+canary+`",`, "", "/checkpoint", "required and absent")
	with("a checkpoint that is a number", `"checkpoint":"`+canary+`"`, `"checkpoint":1`, "/checkpoint", "must be a string")
	with("a long checkpoint", `"checkpoint":"`, `"checkpoint":"`+strings.Repeat("x", 4<<10), "/checkpoint", "too long")
	with("a proof that is a hash", one, `"proof":"`+hash+`"`, "/proof", "must be")
	with("a hash that is a number", one, `"proof":["`+hash+`",1]`, "/proof/1", json.WantHash)
	with("a hash that is short", one, `"proof":["`+hash[:20]+`"]`, "/proof/0", json.WantHash)
	with("a hash within a list", one, `"proof":[["`+hash+`"]]`, "/proof/0", json.WantHash)
	with("a long proof", one, proof(65), "/proof", "too long")
	with("a sequence below 0", `"sequence":0`, `"sequence":-1`, "/receipt/sequence", "must be")
	with("a time of the log that is a number", `"at":"2026-01-01T00:00:00.000Z"`, `"at":1`, "/receipt/at", "must be a string")
	with("an id that is none", "019ecb6a-4e00-7abc", "019ECB6A-4e00-7abc", "/receipt/recordId",
		"UUIDv7")
	with("an id of another version", "-7abc-", "-4abc-", "/receipt/recordId", "UUIDv7")
	with("a leaf that is no hash", `"leafHash":"`+hash, `"leafHash":"x`, "/receipt/leafHash",
		json.WantHash)
	with("a root that is no hash", `"root":"`+hash, `"root":"x`, "/receipt/root", json.WantHash)
	with("a size that is a text", `"treeSize":1`, `"treeSize":"1"`, "/receipt/treeSize", "must be")
	with("a time that is none", `"2026-01-01T00:00:00Z"`, `"`+canary+`"`, "/receivedAt",
		"must be a time")
	s.refusesAll(t, api.AppealEnforcePath, bodies)
}

func TestAnEvaluationInputIsReadStrictly(t *testing.T) {
	s := serving(t)
	good := string(oracle(t)[0].text)
	change := func(old, new string) string { return replaced(t, good, old, new) }
	s.refusesAll(t, api.AppealEvaluatePath, []badBody{
		{"no table", change(`"table":"trade_appeal_cases"`, `"latestRevision":1`), "", "duplicate member name"},
		{"nothing but a table", `{"table":"trade_appeal_cases"}`, "/at", "required and absent"},
		{"a table that is none", change(`"trade_appeal_cases"`, `"`+canary+`"`), "/table", "vocabulary"},
		{"a policy's table", change(`"trade_appeal_cases"`, `"trade_appeal_policies"`), "/table", "must be the table"},
		{"two on one line", good + "\n" + good, "", "bytes after the value"},
		{"an unknown member of the record", change(`"subjectId":`, `"`+canary+`":1,"subjectId":`), "/record", "not known"},
		{"private details", change(`"policy":`, `"private":{"reviewer_note":"`+canary+`"},"policy":`), "", "not known"},
	})
}

// The salt is not signed: one that somebody changed on the way rejects nothing for good.
func TestARecordWithAnotherSaltIsTakenOnceItComesWithItsOwn(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	good := s.Body(t, record)
	other := strings.Replace(string(good), `"packetSalt":"`, `"packetSalt":"other`, 1)
	s.post(t, api.AppealEnforcePath, Reviewer, []byte(other)).is(t, api.Malformed)
	s.taken(t, s.post(t, api.AppealEnforcePath, Reviewer, good), http.StatusCreated)
}
