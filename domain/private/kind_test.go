package private

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// texts reads the texts below a heading of testdata/kinds.txt.
func texts(t testing.TB, heading string) (list []string) {
	t.Helper()
	file, err := os.ReadFile("testdata/kinds.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(file), "\n== "+heading+"\n")
	part, _, _ = strings.Cut(part, "\n== ")
	for line := range strings.SplitSeq(strings.TrimSpace(part), "\n") {
		text, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("%s: %s", heading, line)
		}
		list = append(list, text)
	}
	return list
}

var listed = []Kind{Email, Phone, IBAN, PaymentCard, Coordinates, URLUserInfo}

func everyHit(t testing.TB) (all []string) {
	for _, kind := range listed {
		all = append(all, texts(t, kind.String())...)
	}
	return all
}

// everyMiss are texts in which the scan finds nothing.
func everyMiss(t testing.TB) []string {
	all := []string{prose, figures}
	for _, like := range []string{"an e-mail address", "a phone number", "coordinates"} {
		all = append(all, texts(t, "nothing like "+like)...)
	}
	return all
}

// expect runs a table of texts that hold kind, or do not.
func expect(t *testing.T, kind Kind, hits bool, texts []string) {
	t.Helper()
	for _, text := range texts {
		if got := ScanString(text); got.Has(kind) != hits {
			t.Errorf("%q: found %v, want %v: %v", text, got.Terms(), kind, hits)
		}
	}
}

// expectNothing runs a table of texts without any private detail.
func expectNothing(t *testing.T, texts []string) {
	t.Helper()
	for _, text := range texts {
		if got := ScanString(text); !got.Empty() {
			t.Errorf("%q: found %v, want nothing", text, got.Terms())
		}
	}
}

func TestEachKindIsFoundAndWhatOnlyLooksLikeItIsNot(t *testing.T) {
	for _, kind := range append(slices.Clone(listed), Handle, ChatLink, IPAddress) {
		expect(t, kind, true, texts(t, kind.String()))
	}
	expect(t, Email, true, texts(t, "e-mail address, not a package"))
	expect(t, Phone, true, texts(t, "phone number, by its words"))
	for _, kind := range []Kind{IBAN, PaymentCard, URLUserInfo} {
		expect(t, kind, false, texts(t, "not "+kind.String()))
	}
	expectNothing(t, everyMiss(t))
	for _, like := range []string{"a handle", "a chat link", "an IP address", "a phone number, by its words"} {
		expectNothing(t, texts(t, "nothing like "+like))
	}
}
