package overlap_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"docket/domain"
	"docket/domain/overlap"
)

// chain is that many receipts.
func chain(t testing.TB, count int) []overlap.Receipt {
	t.Helper()
	read, refusal := overlap.ReadRequest(encoded(t, request(token())))
	if refusal != nil {
		t.Fatal(refusal)
	}
	head := overlap.Beginning("docket/test")
	var receipts []overlap.Receipt
	for i := range count {
		_, entry := overlap.Respond(overlap.Actions.All()[i%3], read, overlap.Call{ReceiptID: idNumber(i), At: now})
		receipt, err := entry.After(head)
		if err != nil || !receipt.Follows(head) {
			t.Fatal(err)
		}
		head = receipt.Head()
		receipts = append(receipts, receipt)
	}
	return receipts
}

func TestReceiptsGoThereAndBackInCanonicalForm(t *testing.T) {
	for _, r := range chain(t, 7) {
		document := r.Document()
		canonicalForm, err := jcs.Transform(document)
		if err != nil || !bytes.Equal(canonicalForm, document) {
			t.Errorf("%s: %v", document, err)
		}
		if read, err := overlap.ReadReceipt(document); err != nil || read != r {
			t.Errorf("%s: %+v, %v", document, read, err)
		}
	}
}

func TestAReceiptHoldsOfTheFutureStoredFieldsTheReasonOnlyAndNothingForbidden(t *testing.T) {
	var members map[string]any
	if err := json.Unmarshal(chain(t, 1)[0].Document(), &members); err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(members))
	if !slices.Equal(names, overlap.ReceiptMembers()) || len(names) != 6 {
		t.Errorf("%q", names)
	}
	for _, field := range overlap.FutureStoredFields.All() {
		if slices.Contains(names, field.String()) != (field == overlap.FieldAuditReason) {
			t.Errorf("%s", field)
		}
	}
	for _, word := range slices.Concat(overlap.ForbiddenStoredFields.Texts(), overlap.ForbiddenOutputs.Texts(), overlap.ForbiddenInputs.Texts()) {
		if slices.Contains(names, word) {
			t.Errorf("%s is stored", word)
		}
	}
}

func TestAnyOtherByteIsNoReceiptOrAnotherOne(t *testing.T) {
	receipts := chain(t, 3)
	original := receipts[1]
	rapid.Check(t, func(t *rapid.T) {
		document := original.Document()
		document[rapid.IntRange(0, len(document)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		read, err := overlap.ReadReceipt(document)
		if err != nil {
			if !errors.Is(err, overlap.ErrNoReceipt) {
				t.Fatal(err)
			}
			return
		}
		if read == original || read.Head() == original.Head() || receipts[2].Follows(read.Head()) {
			t.Fatalf("%s is taken for %s", document, original.Document())
		}
	})
}

func TestWhatIsNoReceiptIsNotRead(t *testing.T) {
	document := string(chain(t, 1)[0].Document())
	for name, text := range map[string]string{
		"nothing":             "",
		"white space":         document + "\n",
		"one more member":     strings.Replace(document, "{", `{"a_raw_tag":"CANARY",`, 1),
		"another action":      strings.Replace(document, `"check"`, `"CANARY"`, 1),
		"another reason":      strings.Replace(document, "release_state_gated", "crypto_review_open", 1),
		"an unknown reason":   strings.Replace(document, "release_state_gated", "CANARY", 1),
		"no UUIDv7":           strings.Replace(document, "-7abc-", "-4abc-", 1),
		"another time":        strings.Replace(document, "12:00:00Z", "12:00:00.0Z", 1),
		"a negative sequence": strings.Replace(document, `"sequence":0`, `"sequence":-1`, 1),
		"another number form": strings.Replace(document, `"sequence":0`, `"sequence":0.0`, 1),
		"a text for a number": strings.Replace(document, `"sequence":0`, `"sequence":"0"`, 1),
		"no hash":             strings.Replace(document, "sha256:", "sha512:", 1),
	} {
		if read, err := overlap.ReadReceipt([]byte(text)); !errors.Is(err, overlap.ErrNoReceipt) || read != (overlap.Receipt{}) {
			t.Errorf("%s: %+v, %v", name, read, err)
		}
	}
}

func TestAReceiptFollowsItsOwnHeadOnly(t *testing.T) {
	receipts := chain(t, 5)
	heads := []overlap.Head{overlap.Beginning("docket/test")}
	for i := range receipts {
		heads = append(heads, receipts[i].Head())
	}
	for i := range receipts {
		for j, head := range heads {
			if receipts[i].Follows(head) != (i == j) {
				t.Errorf("receipt %d after %d", i, j)
			}
		}
		if receipts[i].Follows(overlap.Head{Size: int64(i)}) || receipts[i].Follows(overlap.Head{Size: int64(i), Hash: domain.HashOf(nil)}) {
			t.Errorf("receipt %d follows anything", i)
		}
	}
	if receipts[0].Follows(overlap.Beginning("docket/other")) || overlap.ChainOrigin("a") == overlap.ChainOrigin("b") {
		t.Error("a chain serves two stores")
	}
}

func FuzzReadReceipt(f *testing.F) {
	for _, r := range chain(f, 3) {
		f.Add(r.Document())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := overlap.ReadReceipt(text); err == nil && !bytes.Equal(r.Document(), text) {
			t.Fatalf("%q", text)
		}
	})
}
