package merkle_test

import (
	"reflect"
	"testing"

	"docket/domain/signed"
	"docket/store/merkle"
)

// One random hash in thirty has digits that a scan for private details takes for a number of a telephone.
func TestWhatIsKeptBesideTheAnchorIsReadAsItWasWritten(t *testing.T) {
	folder, origin := t.TempDir(), "docket/4930901820004930901820004930901a"
	statement := signed.Statement{Text: origin + "\n+49 30 9018 2000\n", Signature: []byte("4930901820"), LogSignature: []byte("— 4930901820\n")}
	restored := merkle.Restored{Statement: statement, Checkpoint: []byte(origin + "\n0\n")}
	if err := restored.Keep(folder, origin); err != nil {
		t.Fatal(err)
	}
	if read, err := merkle.ReadRestored(folder, origin); err != nil || !reflect.DeepEqual(*read, restored) {
		t.Errorf("%+v, %v", read, err)
	}
	if err := merkle.KeepErasure(folder, origin, statement); err != nil {
		t.Fatal(err)
	}
	if read, err := merkle.ReadErasures(folder, origin); err != nil || len(read) != 1 || !reflect.DeepEqual(read[0], statement) {
		t.Errorf("%+v, %v", read, err)
	}
}
