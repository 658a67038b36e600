package incident_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/contracts/incident"
)

const profiles = "../../testdata/profiles"

// files reads every file of a folder of profiles, by name without its ending.
func files(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(profiles, folder, "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no profiles in %s: %v", folder, err)
	}
	read := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		must(t, err)
		read[strings.TrimSuffix(filepath.Base(name), ".json")] = text
	}
	return read
}

func minimal(t testing.TB) []byte { return files(t, "valid")["minimal"] }

func TestValidProfilesHaveNoProblem(t *testing.T) {
	for name, text := range files(t, "valid") {
		profile, problems := incident.Read(text)
		if !problems.OK() || len(problems.List) > 0 || profile.Version == "" || len(profile.SeverityLevels) == 0 {
			t.Errorf("%s: %v", name, problems.List)
		}
	}
}

func TestTheSampleThatIsShippedIsTheOneUnderTestdata(t *testing.T) {
	text, err := os.ReadFile("sample.json")
	sample, problems := incident.Read(text)
	if err != nil || !bytes.Equal(text, files(t, "valid")["sample"]) || !problems.OK() || incident.Sample().Version != sample.Version {
		t.Errorf("contracts/incident/sample.json differs: %v", problems.List)
	}
}

func TestEveryRuleHasAProfileThatBreaksItAlone(t *testing.T) {
	covered := map[string]bool{
		incident.TooLarge.String(): true, // TestAProfileOver16MiBIsRefusedUnread
	}
	for folder, warns := range map[string]bool{"invalid": false, "odd": true} {
		for name, text := range files(t, folder) {
			word, _, _ := strings.Cut(name, "--")
			rule, err := incident.Rules.Parse(word)
			if err != nil {
				t.Errorf("%s is named after no rule", name)
				continue
			}
			covered[word] = true
			_, problems := incident.Read(text)
			found, none := problems.List, problems.Warnings
			if warns {
				found, none = none, found
			}
			if problems.OK() != warns || len(found) == 0 || len(none) > 0 || problems.Total+problems.Warned != len(found) {
				t.Errorf("%s: %d problems, %d warnings", name, problems.Total, problems.Warned)
			}
			for _, problem := range found {
				if problem.Rule != rule {
					t.Errorf("%s: %s", name, problem.Error())
				}
				if strings.Contains(problem.Error(), "CANARY") || strings.Contains(problem.Error(), "$schema") {
					t.Errorf("%s repeats what is in the profile: %s", name, problem.Error())
				}
			}
		}
	}
	for _, rule := range incident.Rules.Texts() {
		if !covered[rule] {
			t.Errorf("no invalid profile breaks %s", rule)
		}
	}
	page, err := os.ReadFile("../docs/contracts.md")
	for _, rule := range incident.Rules.Texts() {
		if err != nil || !bytes.Contains(page, []byte("`"+rule+"`")) {
			t.Errorf("docs/contracts.md does not list %s: %v", rule, err)
		}
	}
}

func TestEachProblemPointsToItsPlace(t *testing.T) {
	invalid := files(t, "invalid")
	maps.Copy(invalid, files(t, "odd"))
	for name, pointer := range map[string]string{
		"strict_json": "", "strict_json--huge-number": "/severityLevels/0/notificationSlaHours",
		"strict_json--duplicate-member": "", "strict_json--empty": "",
		"wrong_type": "/purpose", "wrong_type--null": "/severityLevels/0/label",
		"wrong_type--hours-as-text":            "/severityLevels/0/responseSlaHours",
		"wrong_type--object-for-array":         "/responsePhases",
		"wrong_type--text-in-array-of-objects": "/readinessGates/0",
		"unknown_member":                       "", "unknown_member--inside": "/disclosureRules/0", "unknown_member--schema": "",
		"member_missing": "/incidentTests", "member_missing--inside": "/incidentCategories/0/owner",
		"empty_text": "/version", "empty_text--item": "/publicNonClaims/0",
		"empty_array": "/intakeChannels", "empty_array--inside": "/readinessGates/0/requires",
		"hours_not_positive": "/severityLevels/0/responseSlaHours", "duplicate_key": "/disclosureRules/1/key",
		"unknown_severity": "/responsePhases/0/requiredForSeverity/1", "severity_not_served": "/severityLevels/1",
		"private_details": "/incidentCategories/0/owner", "private_details--in-a-channel": "/intakeChannels/0/rule",
		"channel_address": "/intakeChannels/0/rule",
	} {
		_, problems := incident.Read(invalid[name])
		if all := append(problems.List, problems.Warnings...); len(all) != 1 || all[0].Pointer != pointer {
			t.Errorf("%s: %v", name, all)
		}
	}
}

func TestAllProblemsAreFoundAtOnce(t *testing.T) {
	_, problems := incident.Read([]byte(`{"version":"","purpose":1,"intakeChannels":[],"incidentCategories":[{"key":"k"}],
		"severityLevels":[{"key":"s","label":"l","publicSummary":"p","responseSlaHours":0,"notificationSlaHours":1},
		{"key":"s","label":"l","publicSummary":"p","responseSlaHours":1,"notificationSlaHours":1}],"other":1,"another":2}`))
	var found []string
	for _, problem := range problems.List {
		found = append(found, problem.Pointer+" "+problem.Rule.String())
	}
	want := []string{" unknown_member", "/version empty_text", "/purpose wrong_type", "/intakeChannels empty_array",
		"/incidentCategories/0/label member_missing", "/incidentCategories/0/owner member_missing",
		"/incidentCategories/0/examples member_missing", "/severityLevels/0/responseSlaHours hours_not_positive",
		"/responsePhases member_missing", "/disclosureRules member_missing", "/readinessGates member_missing",
		"/publicNonClaims member_missing", "/incidentTests member_missing"}
	if !slices.Equal(found, want) || problems.Warned != 1 || problems.Warnings[0].Pointer != "/severityLevels/1/key" || !strings.Contains(problems.List[0].Reason, "2 in all") {
		t.Errorf("found %q", found)
	}
}

func TestAProfileOver16MiBIsRefusedUnread(t *testing.T) {
	padded := append(minimal(t), bytes.Repeat([]byte(" "), incident.MaxSize)...)
	if _, problems := incident.Read(padded); len(problems.List) != 1 || problems.List[0].Rule != incident.TooLarge {
		t.Errorf("%v", problems.List)
	}
	if _, problems := incident.Read(padded[:incident.MaxSize]); !problems.OK() {
		t.Errorf("16 MiB: %v", problems.List)
	}
}

func TestAProfileOfTooManyValuesIsRefusedUnread(t *testing.T) {
	many := append(append([]byte(`{"publicNonClaims":[`), bytes.Repeat([]byte(`0,`), incident.MaxValues)...), `0]}`...)
	if _, problems := incident.Read(many); len(problems.List) != 1 || problems.List[0].Rule != incident.TooLarge {
		t.Errorf("%v", problems.List)
	}
	text := strings.Repeat(`,\",`, incident.MaxValues/2)
	if _, problems := incident.Read(bytes.Replace(minimal(t), []byte(`"purpose": "p"`), []byte(`"purpose": "`+text+`"`), 1)); !problems.OK() {
		t.Errorf("commas in a text: %v", problems.List)
	}
}

func TestNoMoreThanAThousandProblemsAndWarningsAreListedAndAllAreCounted(t *testing.T) {
	many := func(list, entry string) incident.Problems {
		_, problems := incident.Read(bytes.Replace(minimal(t), []byte(list), []byte(list+strings.Repeat(entry, 5000)), 1))
		return problems
	}
	if problems := many(`"publicNonClaims": [`, `"",`); problems.Total != 5000 || len(problems.List) != incident.MaxProblems {
		t.Errorf("%d of %d", len(problems.List), problems.Total)
	}
	problems := many(`"disclosureRules": [`, `{"key":"d","label":"l","rule":"r"},`)
	if problems.Warned != 5000 || len(problems.Warnings) != incident.MaxProblems || !problems.OK() {
		t.Errorf("%d of %d, %v", len(problems.Warnings), problems.Warned, problems.List)
	}
}

func TestHostileNumbersAreRefusedWithoutHarm(t *testing.T) {
	for _, number := range []string{"1e999", "1e10000000", "-1e999", "9007199254740992", "1e-999", "01", "NaN", "1e", "-0"} {
		text := bytes.Replace(minimal(t), []byte(`"responseSlaHours": 1`), []byte(`"responseSlaHours": `+number), 1)
		if _, problems := incident.Read(text); problems.OK() {
			t.Errorf("%s is taken", number)
		}
	}
	for _, number := range []string{"1e-9", "0.1", "9007199254740991", "1E2", "72.0"} {
		text := bytes.Replace(minimal(t), []byte(`"responseSlaHours": 1`), []byte(`"responseSlaHours": `+number), 1)
		if _, problems := incident.Read(text); !problems.OK() {
			t.Errorf("%s is refused: %v", number, problems.List)
		}
	}
}

func TestPrivateDetailsAreMaskedAndTheRestIsShown(t *testing.T) {
	profile, problems := incident.Read(files(t, "invalid")["private_details"])
	if profile.IncidentCategories[0].Owner != "[masked: e-mail address]" || profile.Purpose != "p" {
		t.Errorf("%+v, %+v", profile, problems)
	}
	keys := bytes.Replace(minimal(t), []byte(`"key": "s"`), []byte(`"key": "a.b@example.org"`), 1)
	keys = bytes.Replace(keys, []byte(`"requiredForSeverity": [
    "s"`), []byte(`"requiredForSeverity": [
    "a.b@example.org"`), 1)
	profile, problems = incident.Read(keys)
	if problems.Total != 2 || profile.SeverityLevels[0].Key != profile.ResponsePhases[0].RequiredForSeverity[0] {
		t.Errorf("%v", problems.List)
	}
}

func TestAnAddressIsShownInAnIntakeChannelAndNowhereElse(t *testing.T) {
	profile, problems := incident.Read(files(t, "odd")["channel_address"])
	if want := "CANARY.reporter@example.org"; !problems.OK() || !strings.Contains(profile.IntakeChannels[0].Rule, want) {
		t.Errorf("%v, %q", problems, profile.IntakeChannels[0].Rule)
	}
	for _, address := range []string{"Send it to @reporter_desk.", "Join t.me/reporter_desk and write there."} {
		text := bytes.Replace(minimal(t), []byte(`"rule": "r"`), []byte(`"rule": "`+address+`"`), 1)
		if profile, problems := incident.Read(text); !problems.OK() || problems.Warned != 1 || profile.IntakeChannels[0].Rule != address {
			t.Errorf("%s: %v, %q", address, problems, profile.IntakeChannels[0].Rule)
		}
	}
	account := files(t, "invalid")["private_details--in-a-channel"]
	both := bytes.Replace(account, []byte("pay to"), []byte("write to CANARY.reporter@example.org or pay to"), 1)
	for _, text := range [][]byte{account, both} {
		profile, problems := incident.Read(text)
		if problems.OK() || strings.Contains(profile.IntakeChannels[0].Rule, "CANARY") {
			t.Errorf("an account in a channel: %v, %q", problems, profile.IntakeChannels[0].Rule)
		}
	}
}

// must fails a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
