package overlap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/domain"
	"docket/domain/overlap"
)

var now = domain.InstantOf(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))

func idNumber(n int) domain.RecordID {
	return domain.RecordID(fmt.Sprintf("019ecb6a-4e00-7abc-8def-%012x", n))
}

// anyRequest draws requests of every size with tokens of every kind.
func anyRequest() *rapid.Generator[object] {
	return rapid.Custom(func(t *rapid.T) object {
		tokens := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any {
			return object{
				"blinded_tag":   rapid.StringMatching(`[0-9a-f]{64}`).Draw(t, "tag"),
				"tag_namespace": rapid.SampledFrom(overlap.Namespaces.Texts()).Draw(t, "namespace"),
				"token_version": rapid.IntRange(1, overlap.MaxTokenVersion).Draw(t, "version"),
				"expires_at": domain.InstantOf(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "second"),
					rapid.Int64Range(0, 999999999).Draw(t, "nanosecond"))).String(),
			}
		}), 1, 5).Draw(t, "tokens")
		return object{"tokens": tokens}
	})
}

func TestEveryAnswerIsBlockedAndHasTheThreeMembersAndNoOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		action := rapid.SampledFrom(overlap.Actions.All()).Draw(t, "action")
		text, err := json.Marshal(anyRequest().Draw(t, "request"))
		if err != nil {
			t.Fatal(err)
		}
		read, refusal := overlap.ReadRequest(text)
		if refusal != nil {
			t.Fatal(refusal)
		}
		answer, _ := overlap.Respond(action, read, overlap.Call{ReceiptID: idNumber(1), At: now})
		if answer.Gate() != domain.Blocked || len(answer.Blockers) != 7 {
			t.Fatalf("%+v", answer)
		}
		for _, review := range overlap.RequiredReviews() {
			if !slices.Contains(answer.Blockers, review.Blocker) {
				t.Fatalf("%s is open and does not block", review.Key)
			}
		}
		printed, err := json.Marshal(answer)
		var members map[string]any
		if err != nil || json.Unmarshal(printed, &members) != nil || len(members) != 3 {
			t.Fatalf("%s: %v", printed, err)
		}
		for _, name := range overlap.AllowedOutputs.Texts() {
			if members[name] == nil {
				t.Fatalf("%s is not there: %s", name, printed)
			}
		}
	})
}

func TestAnswersAndReceiptsOfDifferentTokensAreEqual(t *testing.T) {
	call := overlap.Call{ReceiptID: idNumber(1), At: now}
	rapid.Check(t, func(t *rapid.T) {
		action := rapid.SampledFrom(overlap.Actions.All()).Draw(t, "action")
		var answers, documents [2]string
		for i := range answers {
			text, err := json.Marshal(anyRequest().Draw(t, "request"))
			if err != nil {
				t.Fatal(err)
			}
			read, refusal := overlap.ReadRequest(text)
			if refusal != nil {
				t.Fatal(refusal)
			}
			answer, entry := overlap.Respond(action, read, call)
			receipt, err := entry.After(overlap.Beginning("docket/test"))
			if err != nil {
				t.Fatal(err)
			}
			printed, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			answers[i], documents[i] = string(printed), string(receipt.Document())
		}
		if answers[0] != answers[1] || documents[0] != documents[1] {
			t.Fatalf("%q\n%q", answers, documents)
		}
	})
}

func TestEachRouteAnswersWithItsStatusFirst(t *testing.T) {
	read, _ := overlap.ReadRequest(encoded(t, request(token())))
	call := overlap.Call{ReceiptID: idNumber(1), At: now}
	for i, respond := range []func(overlap.Request, overlap.Call) (overlap.Answer, overlap.Entry){
		overlap.Check, overlap.Refresh, overlap.Delete,
	} {
		answer, _ := respond(read, call)
		endpoint := overlap.PlannedEndpoints()[i]
		if answer.Blockers[0].String() != endpoint.Status.String() || answer.Blockers[1] != overlap.BlockerLiveEndpointDisabled ||
			answer.ResultBucket != overlap.NotEvaluated || answer.ReceiptID != call.ReceiptID {
			t.Errorf("%s: %+v", endpoint.Path, answer)
		}
		again, _ := overlap.Respond(endpoint.Action, read, call)
		if !slices.Equal(again.Blockers, answer.Blockers) {
			t.Errorf("%s: %+v", endpoint.Path, again)
		}
	}
}

func TestWhatWasNeverReadIsBlockedAndLeavesNoReceipt(t *testing.T) {
	call := overlap.Call{ReceiptID: idNumber(1), At: now}
	read, _ := overlap.ReadRequest(encoded(t, request(token())))
	for name, made := range map[string]struct {
		action  overlap.Action
		request overlap.Request
		call    overlap.Call
		head    overlap.Head
	}{
		"no request": {overlap.CheckOverlap, overlap.Request{}, call, overlap.Beginning("o")},
		"no action":  {0, read, call, overlap.Beginning("o")},
		"no id":      {overlap.CheckOverlap, read, overlap.Call{At: now}, overlap.Beginning("o")},
		"no UUIDv7":  {overlap.CheckOverlap, read, overlap.Call{ReceiptID: "CANARY", At: now}, overlap.Beginning("o")},
		"no time":    {overlap.CheckOverlap, read, overlap.Call{ReceiptID: idNumber(1)}, overlap.Beginning("o")},
		"no chain":   {overlap.CheckOverlap, read, call, overlap.Head{}},
	} {
		answer, entry := overlap.Respond(made.action, made.request, made.call)
		if answer.Gate() != domain.Blocked || len(answer.Blockers) < 6 {
			t.Errorf("%s: %+v", name, answer)
		}
		if receipt, err := entry.After(made.head); err == nil || receipt != (overlap.Receipt{}) {
			t.Errorf("%s: a receipt is written", name)
		}
	}
	if _, err := (overlap.Entry{}).After(overlap.Beginning("o")); err == nil {
		t.Error("the zero entry leaves a receipt")
	}
}

// TestNoOverlapResultReachesTheQueueThePacketOrADecision holds whatever makes them to not knowing this package.
func TestNoOverlapResultReachesTheQueueThePacketOrADecision(t *testing.T) {
	for _, pattern := range []string{"../*.go", "../../ui/queue*.go", "../../ui/packet*.go", "../../ui/decide*.go", "../../store/queue*.go",
		"../../store/dossier*.go", "../../store/append*.go", "../../store/records*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte(`"docket/domain/overlap"`)) {
				t.Errorf("%s knows of overlaps", file)
			}
		}
	}
}
