package overlap_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docket/domain/overlap"
	"docket/domain/terms"
)

func TestEveryAnswerIsBlockedAndHasTheThreeMembersAndNoOther(t *testing.T) {
	for _, action := range overlap.Actions.All() {
		answer := overlap.AnswerTo(action, "receipt")
		endpoint, _ := overlap.EndpointOf(action)
		if answer.Gate() != terms.Blocked || len(answer.Blockers) != 7 || answer.Blockers[0].String() != endpoint.Status.String() ||
			answer.Blockers[1] != overlap.BlockerLiveEndpointDisabled || answer.ResultBucket != overlap.NotEvaluated || answer.ReceiptID != "receipt" {
			t.Errorf("%+v", answer)
		}
		for _, review := range overlap.RequiredReviews() {
			if !slices.Contains(answer.Blockers, review.Blocker) {
				t.Errorf("%s is open and does not block", review.Key)
			}
		}
		printed, err := json.Marshal(answer)
		var members map[string]any
		if err != nil || json.Unmarshal(printed, &members) != nil || len(members) != 3 {
			t.Errorf("%s: %v", printed, err)
		}
		for _, name := range overlap.AllowedOutputs.Texts() {
			if members[name] == nil {
				t.Errorf("%s is not there: %s", name, printed)
			}
		}
	}
	if answer := overlap.AnswerTo(0, ""); answer.Gate() != terms.Blocked || len(answer.Blockers) != 6 {
		t.Errorf("no action: %+v", answer)
	}
}

// The rooms that make queues, packets and decisions do not know this package. Only the service's part of the store does: it signs
// receipts.
func TestNoOverlapResultReachesTheQueueThePacketOrADecision(t *testing.T) {
	for _, room := range []string{"../terms", "../packets", "../rules", "../views", "../records", "../queue", "../../store", "../../ui"} {
		files := 0
		err := filepath.WalkDir(room, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" || file == "../../store/service.go" {
				return err
			}
			files++
			text, err := os.ReadFile(file)
			if bytes.Contains(text, []byte(`"docket/domain/overlap"`)) {
				t.Errorf("%s knows of overlaps", file)
			}
			return err
		})
		if err != nil || files == 0 {
			t.Fatalf("%d files in %s: %v", files, room, err)
		}
	}
}
