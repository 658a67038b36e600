package domain_test

import (
	"strconv"
	"strings"

	"docket/domain"
)

// A scene is a question as JSON: a table, a policy, a record, the latest numbers and the time.
type scene map[string]any

func appeal() scene         { return parsed(appealSample) }
func correction() scene     { return parsed(correctionSample) }
func materialChange() scene { return parsed(materialChangeSample) }

// tb is what the helpers need of *testing.T and *rapid.T.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

// An edit changes one value of a scene. When it happens decides which hashes still fit afterwards.
type edit struct {
	pointer string
	value   any
	deletes bool
	stage   stage
}

type stage uint8

const (
	beforeSealing stage = iota // every hash fits
	rescoped                   // as beforeSealing, but done by hand, for texts that a Sealer refuses
	resealed                   // the edited document's own hash fits; other hashes stay as they were
	afterSealing               // no hash follows
)

func set(pointer string, value any) edit     { return edit{pointer, value, false, beforeSealing} }
func del(pointer string) edit                { return edit{pointer, nil, true, beforeSealing} }
func setText(pointer string, text any) edit  { return edit{pointer, text, false, rescoped} }
func lateSet(pointer string, value any) edit { return edit{pointer, value, false, resealed} }
func lateDel(pointer string) edit            { return edit{pointer, nil, true, resealed} }
func rawSet(pointer string, value any) edit  { return edit{pointer, value, false, afterSealing} }
func rawDel(pointer string) edit             { return edit{pointer, nil, true, afterSealing} }

// question seals the scene, with the edits made when they say, and returns the line that ReadQuestion takes.
func (s scene) question(t tb, edits ...edit) []byte {
	t.Helper()
	s.apply(t, beforeSealing, edits)
	s.seal(t)
	for _, at := range []stage{rescoped, resealed, afterSealing} {
		touched := s.apply(t, at, edits)
		if at == rescoped && touched["record"] && s.record()["scopeHash"] != nil {
			s.record()["scopeHash"] = hashOf(t, only(s.record(), "subject", "subjectId", "evidenceScope"))
		}
		for _, part := range []string{"policy", "record"} {
			if document, there := s[part].(map[string]any); there && touched[part] && at != afterSealing {
				own := s.ownHash(part)
				document[own] = hashOf(t, without(document, own))
			}
		}
	}
	return encoded(s)
}

// apply makes the edits of a stage and returns which parts they touched.
func (s scene) apply(t tb, at stage, edits []edit) map[string]bool {
	t.Helper()
	touched := map[string]bool{}
	for _, e := range edits {
		if e.stage == at {
			touched[strings.Split(e.pointer, "/")[1]] = true
			s.make(t, e)
		}
	}
	return touched
}

func (s scene) make(t tb, e edit) {
	t.Helper()
	steps := strings.Split(e.pointer, "/")[1:]
	var at any = map[string]any(s)
	for i, step := range steps {
		last := i == len(steps)-1
		switch container := at.(type) {
		case map[string]any:
			switch {
			case !last && container[step] == nil:
				container[step] = map[string]any{}
			case last && e.deletes:
				delete(container, step)
			case last:
				container[step] = normal(e.value)
			}
			at = container[step]
		case []any:
			index, err := strconv.Atoi(step)
			if err != nil || index >= len(container) || last && e.deletes {
				t.Fatalf("%s does not lead to an element that can be set", e.pointer)
				return
			}
			if last {
				container[index] = normal(e.value)
			}
			at = container[index]
		default:
			t.Fatalf("%s leads nowhere", e.pointer)
		}
	}
}

// seal has the policy and the record sealed by one Sealer, so that the record gets the policy's hash.
func (s scene) seal(t tb) {
	t.Helper()
	var sealer domain.Sealer
	for _, part := range []string{"policy", "record"} {
		if s[part] == nil {
			continue
		}
		sealed, fault := sealer.Seal(encoded(map[string]any{"table": s.tableOf(part), "record": s[part]}))
		if fault != nil {
			t.Fatalf("the %s cannot be sealed: %v", part, fault)
			return
		}
		s[part] = parsed(string(sealed))["record"]
	}
}

func (s scene) record() map[string]any { return s["record"].(map[string]any) }

// tableOf is the table of the scene's policy or record.
func (s scene) tableOf(part string) string {
	table, _ := s["table"].(string)
	if part == "record" {
		return table
	}
	return map[string]string{"trade_appeal_cases": "trade_appeal_policies",
		"trade_agreement_amendment_records": "trade_agreement_amendment_policies"}[table]
}

func (s scene) ownHash(part string) string {
	return map[string]string{"trade_appeal_cases": "caseHash", "trade_agreement_amendment_records": "amendmentHash",
		"trade_appeal_policies": "policyHash", "trade_agreement_amendment_policies": "policyHash"}[s.tableOf(part)]
}
