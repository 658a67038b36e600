package bundle_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

// python is the interpreter for which Debian's python3-prov installs the library.
const python = "/usr/bin/python3"

// readProvenance reads a document with the prov library, which checks it, and returns what it counted; the second result is what
// it complains of.
func readProvenance(t *testing.T, path string) (counts, complaint string) {
	t.Helper()
	script := need(filepath.Abs(filepath.Join("testdata", "provenance.py")))(t)
	out, err := exec.CommandContext(t.Context(), python, script, path).CombinedOutput()
	if err != nil {
		return "", string(out)
	}
	return string(out), ""
}

func needProv(t *testing.T) {
	t.Helper()
	if exec.CommandContext(t.Context(), python, "-c", "import prov").Run() != nil {
		t.Skip("the prov library for python3 is not installed")
	}
}

func TestTheProvLibraryReadsTheProvenance(t *testing.T) {
	t.Parallel()
	needProv(t)
	counts, complaint := readProvenance(t, at(written(t, sampleLog(t)), "provenance.json"))
	want := "Activity 4\nAgent 1\nAssociation 4\nAttribution 4\nDerivation 9\nEntity 9\nGeneration 4\nInvalidation 1\nUsage 8\n"
	if complaint != "" || counts != want {
		t.Errorf("%s%s", complaint, counts)
	}
	if _, complaint := readProvenance(t, at(written(t, verifytest.New(t)), "provenance.json")); complaint != "" {
		t.Errorf("of an empty log: %s", complaint)
	}
}

// The check must be able to fail.
func TestTheProvLibraryRefusesProvenanceThatIsNone(t *testing.T) {
	t.Parallel()
	needProv(t)
	path := at(written(t, sampleLog(t)), "provenance.json")
	text := need(os.ReadFile(path))(t)
	for name, change := range map[string][2]string{
		"no prefix":       {`"record":"urn:uuid:"`, `"recorx":"urn:uuid:"`},
		"not described":   {`"_:use0.0":{"prov:activity":"judging:`, `"_:use0.0":{"prov:activity":"judging:x`},
		"no such section": {`"wasGeneratedBy"`, `"wasGeneratedFrom"`},
		"time runs back":  {`"prov:startTime":"2026`, `"prov:startTime":"2027`},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Fatalf("%s changes nothing", name)
		}
		must(t, os.WriteFile(path, []byte(changed), 0o644))
		if _, complaint := readProvenance(t, path); complaint == "" {
			t.Errorf("%s: it is accepted", name)
		}
	}
}

func TestTheProvenanceSaysWhatSupersedesWhatAndWhatWasRejected(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1))
	first := l.Decide(ref, assigned, nil)
	l.Append(first)
	second := l.Decide(ref, assigned, func(c *records.Choice) { c.Supersedes = first.Members().RecordID })
	l.Append(second)
	turned := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 1)), assigned, nil)
	l.Append(turned)
	l.Reject(verifytest.NewService("one"), turned, "")
	text := need(os.ReadFile(at(written(t, l), "provenance.json")))(t)
	var sections struct {
		WasDerivedFrom   map[string]map[string]any
		WasInvalidatedBy map[string]map[string]any
	}
	must(t, json.Unmarshal(text, &sections))
	name := func(r records.Enforcement) string { return "record:" + string(r.Members().RecordID) }
	if revision := sections.WasDerivedFrom["_:revision1"]; revision["prov:generatedEntity"] != name(second) || revision["prov:usedEntity"] != name(first) {
		t.Errorf("%v", revision)
	}
	if over := sections.WasInvalidatedBy["_:invalidation0"]; over["prov:entity"] != name(first) || over["docket:reason"] != "superseded" {
		t.Errorf("%v", over)
	}
	if out := sections.WasInvalidatedBy["_:invalidation2"]; out["prov:entity"] != name(turned) || out["docket:reason"] != "record_superseded" {
		t.Errorf("%v", out)
	}
	if len(sections.WasInvalidatedBy) != 2 {
		t.Errorf("%v", sections.WasInvalidatedBy)
	}
}
