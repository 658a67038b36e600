package bundle_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"docket/store/verify"
)

// FuzzSince holds the reader of checkpoints to accepting, of all texts, only the one that the log's key signed: what
// --since names may be any file.
func FuzzSince(f *testing.F) {
	l := sampleLog(f)
	genuine := string(l.Says.Checkpoint)
	f.Add([]byte(genuine))
	for _, other := range []string{"", "\n", "\n\n", genuine + genuine, genuine + "\n", strings.TrimSuffix(genuine, "\n"), strings.Replace(genuine, "\n4\n", "\n04\n", 1),
		strings.Replace(genuine, "\n4\n", "\n99999999999999999999\n", 1), strings.Replace(genuine, "—", "-", 1), genuine[:len(genuine)/2],
		strings.Replace(genuine, "\n\n", "\nan extension\n\n", 1), strings.ReplaceAll(genuine, "\n", "\r\n"), strings.Repeat("— a AAAAAAAA\n", 200)} {
		f.Add([]byte(other))
	}
	f.Fuzz(func(t *testing.T, signed []byte) { checkSince(t, signed, genuine, l.Says.Origin, l.Says.VerifierKeys) })
}

func checkSince(t *testing.T, signed []byte, genuine, origin string, keys []string) {
	t.Helper()
	opened, err := verify.OpenCheckpoint(signed, origin, keys)
	var why *verify.CheckpointError
	switch {
	case err == nil && string(signed) != genuine:
		t.Errorf("%q is accepted as a checkpoint of %d records", signed, opened.Size)
	case err != nil && string(signed) == genuine:
		t.Errorf("the checkpoint itself: %v", err)
	case err != nil && (!errors.As(err, &why) || why.Code.String() == "" || opened.VerifierKey != ""):
		t.Errorf("%q: %v", signed, err)
	}
}

func TestARandomChangeOfACheckpointIsRefused(t *testing.T) {
	t.Parallel()
	l := sampleLog(t)
	genuine := string(l.Says.Checkpoint)
	random := rand.New(rand.NewPCG(3, 4))
	for range mutations() {
		changed := []byte(genuine)
		at, end := random.IntN(len(changed)), 0
		switch end = min(at+random.IntN(4), len(changed)); random.IntN(3) {
		case 0:
			changed[at] ^= byte(1 + random.IntN(255))
		case 1:
			changed = append(changed[:at], changed[end:]...)
		default:
			changed = append(changed[:at:at], genuine[random.IntN(len(genuine)):]...)
		}
		checkSince(t, changed, genuine, l.Says.Origin, l.Says.VerifierKeys)
	}
}
