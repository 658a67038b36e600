package sample

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// start is in the middle of a second.
var start = time.Date(2031, 3, 14, 9, 26, 53, 589_793_238, time.UTC)

// aFile is a template file with one case that can be written.
const aFile = `{"table": "trade_appeal_cases", "like": {"contractVersion": "v", "status": "filed", "revision": 1},
"packets": [{"record": {"caseId": "case-1", "filedAt": "@-1d", "policyHash": "#terms"}}]}`

func TestATemplateIsCompletedAndSealed(t *testing.T) {
	for offset, filed := range map[string]string{"-1d": "2031-03-13T09:26:53Z", "-3d": "2031-03-11T09:26:53Z", "+3h": "2031-03-14T12:26:53Z",
		"+6w": "2031-04-25T09:26:53Z", "-1d4h": "2031-03-13T05:26:53Z", "+90m": "2031-03-14T10:56:53Z", "-0m": "2031-03-14T09:26:53Z"} {
		packets, err := written(strings.Replace(aFile, "-1d", offset, 1))
		if err != nil || len(packets) != 1 {
			t.Fatalf("%d packets, error %v", len(packets), err)
		}
		var p packet
		if err := json.Unmarshal(packets[0], &p); err != nil {
			t.Fatal(err)
		}
		if p.Table != "trade_appeal_cases" || p.Record["status"] != "filed" || p.Private != nil || p.Record["filedAt"] != filed {
			t.Errorf("%s: %+v", offset, p)
		}
		for _, member := range []string{"caseHash", "scopeHash", "policyHash"} {
			if hash, _ := p.Record[member].(string); !strings.HasPrefix(hash, "sha256:") {
				t.Errorf("%s is %v", member, p.Record[member])
			}
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
		"details slipped into a policy": {aFile, `{"table": "trade_appeal_policies", "packets": [{"slipped": {},
			"record": {"policyId": "p", "policyVersion": 1, "contractVersion": "v", "status": "draft"}}]}`},
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

func written(file string) ([][]byte, error) {
	list, err := readTemplates([]byte(file))
	if err != nil {
		return nil, err
	}
	return newWriter(start).packets(list)
}
