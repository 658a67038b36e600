package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"docket/contracts/report"
	"docket/domain/terms"
)

// What the source says of each report is in testdata/source.json: its version and validator (source 9), the ids of its
// checks (2.6), the members of its body in the order of the tables (2.3 to 2.5), each with its words or with "" where it
// has texts of its own, and the texts and tables (2.3.6, 2.3.7, 2.4, 2.5.1, 3.3, 4.3) at their places in the body.
type sourceReport struct {
	Version [3]string
	Checks  string
	Members []struct{ Name, Words string }
	Texts   map[string]string
}

func ofSource(t *testing.T, kind report.Kind) sourceReport {
	t.Helper()
	text, err := os.ReadFile("testdata/source.json")
	must(t, err)
	var all map[string]sourceReport
	must(t, json.Unmarshal(text, &all))
	return all[kind.String()]
}

// A node is JSON with the order of its members kept.
type node struct {
	names   []string // of an object
	members []node   // of an object or an array
	text    string   // of a scalar
	array   bool
}

func (n node) member(t *testing.T, name string) node {
	t.Helper()
	i := slices.Index(n.names, name)
	if i < 0 {
		t.Fatalf("there is no member %s", name)
	}
	return n.members[i]
}

// flat writes codes with blanks between, and the members of an object as name=code.
func (n node) flat() string {
	if n.names == nil && !n.array {
		return n.text
	}
	var parts []string
	for i, inside := range n.members {
		if n.names != nil {
			parts = append(parts, n.names[i]+"="+inside.flat())
		} else {
			parts = append(parts, inside.flat())
		}
	}
	return strings.Join(parts, " ")
}

func decoded(t *testing.T, text []byte) node {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	n := decodedNext(t, decoder)
	if decoder.More() {
		t.Fatal("more than one value")
	}
	return n
}

func decodedNext(t *testing.T, d *json.Decoder) node {
	t.Helper()
	token, err := d.Token()
	must(t, err)
	delim, container := token.(json.Delim)
	if !container {
		text, _ := json.Marshal(token)
		return node{text: strings.Trim(string(text), `"`)}
	}
	n := node{array: delim == '['}
	for d.More() {
		if !n.array {
			name, err := d.Token()
			must(t, err)
			n.names = append(n.names, name.(string))
		}
		n.members = append(n.members, decodedNext(t, d))
	}
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTheEnvelopeHasTheMembersOfTheSourceInItsOrder(t *testing.T) {
	for _, kind := range report.Kinds() {
		root := decoded(t, published(t, kind))
		outer := "ok checkedAt contractVersion purpose validation publicContract blockers"
		inner := "status validatorName validatorVersion contractVersion checks blockers"
		if kind == report.Overlap {
			outer, inner = outer+" publicNonClaim", inner+" liveReady"
		}
		validation := root.member(t, "validation")
		if got := strings.Join(root.names, " "); got != outer {
			t.Errorf("%s: the report has %s", kind, got)
		}
		if got := strings.Join(validation.names, " "); got != inner {
			t.Errorf("%s: validation has %s", kind, got)
		}
		version := ofSource(t, kind).Version
		for name, want := range map[string]string{"contractVersion": version[0], "validatorName": version[1],
			"validatorVersion": version[2], "status": "pass", "blockers": ""} {
			if got := validation.member(t, name).flat(); got != want {
				t.Errorf("%s: validation has %s %q, want %q", kind, name, got, want)
			}
		}
		for name, want := range map[string]string{"ok": "true", "checkedAt": "2026-07-01T00:00:00Z", "contractVersion": version[0],
			"blockers": ""} {
			if got := root.member(t, name).flat(); got != want {
				t.Errorf("%s: %s is %q, want %q", kind, name, got, want)
			}
		}
		if kind == report.Overlap && validation.member(t, "liveReady").text != "false" {
			t.Error("the overlap report is ready to go live")
		}
	}
}

func TestTheBodiesHaveTheMembersAndWordsOfTheSourceInItsOrder(t *testing.T) {
	for _, kind := range report.Kinds() {
		body := decoded(t, published(t, kind)).member(t, "publicContract")
		var names []string
		for _, member := range ofSource(t, kind).Members {
			names = append(names, member.Name)
			if got := body.member(t, member.Name).flat(); member.Words != "" && got != member.Words {
				t.Errorf("%s: %s is %q, want %q", kind, member.Name, got, member.Words)
			}
		}
		if !slices.Equal(body.names, names) {
			t.Errorf("%s: the body has %v, want %v", kind, body.names, names)
		}
	}
}

func TestTheChecksAreThoseOfTheSourceInItsOrderAndAllPassWithEvidence(t *testing.T) {
	for _, kind := range report.Kinds() {
		var ids []string
		for _, check := range decoded(t, published(t, kind)).member(t, "validation").member(t, "checks").members {
			if got := strings.Join(check.names, " "); got != "id label status evidence" {
				t.Errorf("%s: a check has %s", kind, got)
			}
			ids = append(ids, check.member(t, "id").text)
			if check.member(t, "status").text != "pass" || check.member(t, "label").text == "" || check.member(t, "evidence").text == "" {
				t.Errorf("%s: %s does not pass, or has no label or evidence", kind, check.member(t, "id").text)
			}
		}
		if got := strings.Join(ids, " "); got != ofSource(t, kind).Checks {
			t.Errorf("%s: the checks are %s", kind, got)
		}
	}
}

// within follows names and indexes separated by slashes.
func (n node) within(t *testing.T, place string) node {
	t.Helper()
	for _, step := range strings.Split(place, "/") {
		if n.array {
			n = n.members[step[0]-'0']
		} else {
			n = n.member(t, step)
		}
	}
	return n
}

func TestTheBodiesHaveTheTextsOfTheSource(t *testing.T) {
	for _, kind := range report.Kinds() {
		body := decoded(t, published(t, kind)).member(t, "publicContract")
		for place, want := range ofSource(t, kind).Texts {
			if got := body.within(t, place).flat(); got != want {
				t.Errorf("%s: %s is %q, want %q", kind, place, got, want)
			}
		}
		for _, list := range []string{"invariants", "transitionDefinitions", "namespaceRules"} {
			want := map[string]int{"invariants": 10, "transitionDefinitions": 6, "namespaceRules": 3}[list]
			for _, name := range body.names {
				if name == list && len(body.member(t, name).members) != want {
					t.Errorf("%s: %s has %d entries, want %d", kind, name, len(body.member(t, name).members), want)
				}
			}
		}
	}
}

func TestTheTransitionDefinitionCheckStatesTwoRecordsForEachTransition(t *testing.T) {
	for _, check := range made(t, report.Amendments).Checks {
		if check.ID != "transition-definition-coverage" {
			continue
		}
		want := "donation_offset_material_change: 2 required records, pledge_swap_material_change: 2 required records, " +
			"post_lock_correction: 2 required records, pause_or_early_termination: 2 required records, " +
			"evidence_standard_change: 2 required records, destination_change: 2 required records"
		if check.Evidence != want {
			t.Errorf("the evidence is %q", check.Evidence)
		}
	}
}

func TestTheOverlapReportListsFourConditionsAndClaimsNothing(t *testing.T) {
	root := decoded(t, published(t, report.Overlap))
	if n := len(root.member(t, "publicContract").member(t, "blockedUntil").members); n != 4 {
		t.Errorf("blockedUntil has %d conditions", n)
	}
	if !strings.Contains(root.member(t, "publicNonClaim").text, "not live") {
		t.Error("publicNonClaim does not say that the pilot is not live")
	}
}

// The reports of the tests are made for one time and examined a minute later.
var (
	checkedAt = instant("2026-07-01T00:00:00Z")
	now       = instant("2026-07-01T00:01:00Z")
)

func instant(text string) terms.Instant {
	at, ok := terms.ParseInstant(text)
	if !ok {
		panic(text)
	}
	return at
}

func made(t testing.TB, kind report.Kind) report.Report {
	t.Helper()
	r, err := report.Of(kind, checkedAt)
	must(t, err)
	return r
}

// published is the report of a kind as a file.
func published(t testing.TB, kind report.Kind) []byte {
	t.Helper()
	return made(t, kind).JSON()
}

// must fails a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
