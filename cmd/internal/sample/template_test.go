package sample

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// aFile is a template file with one case that can be written.
const aFile = `{"table": "trade_appeal_cases", "like": {"contractVersion": "v", "status": "filed", "revision": 1},
"packets": [{"record": {"caseId": "case-1", "filedAt": "@-1d", "policyHash": "#terms"}}]}`

func TestATemplateIsCompletedAndSealed(t *testing.T) {
	packets, err := written(aFile)
	if err != nil || len(packets) != 1 {
		t.Fatalf("%d packets, error %v", len(packets), err)
	}
	var p packet
	if err := json.Unmarshal(packets[0], &p); err != nil {
		t.Fatal(err)
	}
	if p.Table != "trade_appeal_cases" || p.Record["status"] != "filed" || p.Private != nil {
		t.Errorf("%+v", p)
	}
	if p.Record["filedAt"] != "2031-03-13T09:26:53Z" {
		t.Errorf("filed at %v", p.Record["filedAt"])
	}
	for _, member := range []string{"caseHash", "scopeHash", "policyHash"} {
		if hash, _ := p.Record[member].(string); !strings.HasPrefix(hash, "sha256:") {
			t.Errorf("%s is %v", member, p.Record[member])
		}
	}
}

func TestABrokenTemplateIsAnError(t *testing.T) {
	for name, change := range map[string][2]string{
		"no JSON":                          {`"packets"`, `packets`},
		"unknown table":                    {"trade_appeal_cases", "trade_appeals"},
		"table that holds no packets":      {"trade_appeal_cases", "trade_challenge_appeal_enforcement_records"},
		"unknown member of the file":       {`"like"`, `"defaults"`},
		"unknown member of a packet":       {`{"record"`, `{"tempered": {}, "record"`},
		"member that stands twice":         {`"caseId": "case-1"`, `"caseId": "case-1", "caseId": "case-2"`},
		"unknown member of a record":       {`"filedAt"`, `"fieldAt"`},
		"record without its id":            {`"caseId": "case-1", `, ``},
		"time without a sign":              {"@-1d", "@1d"},
		"time without an offset":           {"@-1d", "@"},
		"time in an unknown unit":          {"@-1d", "@-1y"},
		"time that is no number":           {"@-1d", "@-d"},
		"time with something behind it":    {"@-1d", "@-1d "},
		"address in place of a time":       {"@-1d", "@example"},
		"hash without words":               {"#terms", "#"},
		"private details before sealing":   {`"revision": 1}`, `"revision": 1, "remedyGap": "ask a@example.org"}`},
		"placeholder in a tampered member": {`{"record"`, `{"tampered": {"deadline": "@soon"}, "record"`},
		"wrong type after slipping":        {`{"record"`, `{"slipped": {"remedyGap": 4}, "record"`},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(aFile, change[0], change[1], 1)
			if text == aFile {
				t.Fatal("nothing was changed")
			}
			if packets, err := written(text); err == nil || packets != nil {
				t.Errorf("%d packets, error %v", len(packets), err)
			}
		})
	}
}

func TestOnlyCasesHaveTextsToSlipDetailsInto(t *testing.T) {
	text := `{"table": "trade_appeal_policies", "packets": [{"slipped": {},
		"record": {"policyId": "p", "policyVersion": 1, "contractVersion": "v", "status": "draft"}}]}`
	if _, err := written(text); err == nil {
		t.Error("a policy took one")
	}
}

func TestOffsets(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"-3d": -72 * time.Hour, "+3h": 3 * time.Hour, "+6w": 6 * 7 * 24 * time.Hour, "-1d4h": -28 * time.Hour,
		"+90m": 90 * time.Minute, "-0m": 0,
	} {
		if got, err := parseOffset(text); err != nil || got != want {
			t.Errorf("%s is %v, error %v; want %v", text, got, err, want)
		}
	}
}

func TestTheSameWordsAreTheSameHashWithinARecordOnly(t *testing.T) {
	hash := func(id, words string) string {
		text, err := placeholders{start, 1, id}.text("#" + words)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first := hash("a", "terms")
	if again := hash("a", "terms"); again != first {
		t.Error("the same words in a record differ")
	}
	if first == hash("b", "terms") || first == hash("a", "other terms") {
		t.Error("other words, or those of another record, are alike")
	}
}

func TestMergingFollowsTheRulesOfAMergePatch(t *testing.T) {
	for _, c := range []struct{ target, patch, want string }{
		{`{"a":1}`, `{}`, `{"a":1}`},
		{`{"a":1}`, `{"a":2,"b":3}`, `{"a":2,"b":3}`},
		{`{"a":1,"b":2}`, `{"a":null,"c":null}`, `{"b":2}`},
		{`{"a":[1,2]}`, `{"a":[3]}`, `{"a":[3]}`},
		{`{"a":{"b":1,"c":2}}`, `{"a":{"b":null,"d":3}}`, `{"a":{"c":2,"d":3}}`},
		{`{"a":1}`, `{"a":{"b":null,"c":2}}`, `{"a":{"c":2}}`},
		{`{}`, `{"a":{"b":null}}`, `{"a":{}}`},
	} {
		target, patch, want := decoded(t, c.target), decoded(t, c.patch), decoded(t, c.want)
		if got := merged(target, patch); !reflect.DeepEqual(got, want) {
			t.Errorf("%s with %s is %v", c.target, c.patch, got)
		}
		if !reflect.DeepEqual(target, decoded(t, c.target)) || !reflect.DeepEqual(patch, decoded(t, c.patch)) {
			t.Errorf("merging %s into %s changed them", c.patch, c.target)
		}
	}
}

func decoded(t *testing.T, text string) object {
	t.Helper()
	var value object
	if err := json.NewDecoder(bytes.NewReader([]byte(text))).Decode(&value); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", text, err))
	}
	return value
}

func written(file string) ([][]byte, error) {
	list, err := readTemplates([]byte(file))
	if err != nil {
		return nil, err
	}
	return newWriter(start).packets(list)
}
