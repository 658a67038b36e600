package contracts_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"docket/contracts"
	"docket/domain/packets"
)

// packet is a small valid packet with that id.
func packet(id string) string {
	return fmt.Sprintf(`{"table":"trade_appeal_policies","record":`+
		`{"policyId":"%s","policyVersion":1,"contractVersion":"v","status":"draft"}}`, id)
}

// pretty is the same packet over several lines.
func pretty(id string) string {
	return fmt.Sprintf("{\n  \"table\": \"trade_appeal_policies\",\n  \"record\": {\n    \"policyId\": \"%s\",\n"+
		"    \"policyVersion\": 1,\n    \"contractVersion\": \"v\",\n    \"status\": \"draft\"\n  }\n}", id)
}

// readAll reads a file and lists the results in their order: "line id" for packets, "line pointer: reason" for refusals.
func readAll(t testing.TB, text string) []string {
	t.Helper()
	return readFrom(t, strings.NewReader(text))
}

func readFrom(t testing.TB, r io.Reader) []string {
	t.Helper()
	var got []string
	err := contracts.ReadPackets(context.Background(), "f", r, contracts.Handler{
		Packet: func(line int, p packets.Packet) error {
			got = append(got, fmt.Sprintf("%d %s", line, p.Key().ID))
			return nil
		},
		Refused: func(r contracts.Refusal) {
			for _, fault := range r.All() {
				got = append(got, fmt.Sprintf("%d %s: %s", fault.Line, fault.Pointer, fault.Reason))
			}
		},
	})
	if err != nil {
		t.Fatalf("reading: %v", err)
	}
	return got
}

func TestMaskedTextsAreReportedWithTheirPlaces(t *testing.T) {
	masked := strings.Replace(packet("b"), `"v"`, `"call 030 1234567 or write to jane@example.org"`, 1)
	read := func(text string, told func(contracts.Masked)) (count int) {
		err := contracts.ReadPackets(context.Background(), "f", strings.NewReader(text),
			contracts.Handler{Packet: func(int, packets.Packet) error { count++; return nil }, Masked: told})
		must(t, err)
		return count
	}
	for _, c := range []struct{ text, at string }{
		{packet("a") + "\n" + masked, "2 /record/contractVersion"},
		{"[" + packet("a") + ",\n\n" + masked + "]", "3 /1/record/contractVersion"},
		{strings.ReplaceAll(masked, ",", ",\n"), "4 /record/contractVersion"},
	} {
		var kinds []string
		packets := read(c.text, func(m contracts.Masked) {
			if m.File != "f" || fmt.Sprint(m.Line, " ", m.Pointer) != c.at {
				t.Errorf("told %+v, want %s", m, c.at)
			}
			kinds = append(kinds, m.Kind)
		})
		if got := strings.Join(kinds, ", "); got != "e-mail address, phone number" {
			t.Errorf("%s: the kinds are %s", c.at, got)
		}
		if read(c.text, nil) != packets {
			t.Errorf("%s: %d packets, and others where nobody is told what is masked", c.at, packets)
		}
	}
}

// must fails a test at an error.
func must(t interface {
	Helper()
	Fatal(args ...any)
}, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
