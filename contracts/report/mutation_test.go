package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"docket/contracts/report"
	"docket/domain/terms"
)

// A mutant is a report with one thing changed.
type mutant struct {
	pointer, how string
	text         []byte
}

// mutants gives every mutant of a document: each leaf and each array entry removed, changed in place and to another
// type, each array entry doubled and moved, and a member too much in each object.
func mutants(document []byte) []mutant {
	var root any
	if err := json.Unmarshal(document, &root); err != nil {
		panic(err)
	}
	m := mutator{root: root}
	m.visit("", root, func(v any) { m.root = v })
	return m.all
}

type mutator struct {
	root any
	all  []mutant
}

// with records the document as it is while put has been called with the value.
func (m *mutator) with(pointer, how string, was, now any, put func(any)) {
	put(now)
	text, err := json.Marshal(m.root)
	if err != nil {
		panic(err)
	}
	put(was)
	m.all = append(m.all, mutant{pointer, how, text})
}

func (m *mutator) visit(pointer string, v any, put func(any)) {
	switch v := v.(type) {
	case map[string]any:
		more := maps.Clone(v)
		more["kanarienvogel"] = true
		m.with(pointer, "a member too much", v, more, put)
		for name, inside := range v {
			less := maps.Clone(v)
			delete(less, name)
			m.with(pointer+"/"+name, "removed", v, less, put)
			m.visit(pointer+"/"+name, inside, func(now any) { v[name] = now })
		}
	case []any:
		m.array(pointer, v, put)
	default:
		m.leaf(pointer, v, put)
	}
}

func (m *mutator) array(pointer string, v []any, put func(any)) {
	for i, inside := range v {
		at := pointer + "/" + strconv.Itoa(i)
		m.with(at, "removed", v, slices.Delete(slices.Clone(v), i, i+1), put)
		m.with(at, "doubled", v, slices.Insert(slices.Clone(v), i, inside), put)
		m.with(at, "doubled at the end", v, append(slices.Clone(v), inside), put)
		if i > 0 {
			moved := slices.Clone(v)
			moved[i-1], moved[i] = moved[i], moved[i-1]
			m.with(at, "moved", v, moved, put)
			again := slices.Clone(v)
			again[i] = again[i-1]
			m.with(at, "replaced by the one before", v, again, put)
		}
		m.visit(at, inside, func(now any) { v[i] = now })
	}
	m.with(pointer, "one entry more", v, append(slices.Clone(v), "kanarienvogel"), put)
	m.with(pointer, "to null", v, nil, put)
	m.with(pointer, "to an object", v, map[string]any{}, put)
}

func (m *mutator) leaf(pointer string, v any, put func(any)) {
	m.with(pointer, "to null", v, nil, put)
	m.with(pointer, "to a number", v, 7, put)
	m.with(pointer, "to an array", v, []any{v}, put)
	switch v := v.(type) {
	case bool:
		m.with(pointer, "turned round", v, !v, put)
		m.with(pointer, "to a string", v, strconv.FormatBool(v), put)
	case string:
		m.with(pointer, "to a boolean", v, true, put)
		m.with(pointer, "emptied", v, "", put)
		m.with(pointer, "a letter more", v, v+"x", put)
		m.with(pointer, "in capitals", v, strings.ToUpper(v)+" ", put)
		m.with(pointer, "to a word of the contract", v, other(v), put)
	}
}

// other is a word of the contracts that is not this one; a time far ahead for a time, since any other time that has come
// would be as good.
func other(v string) string {
	if _, isTime := terms.ParseInstant(v); isTime {
		return "2999-01-01T00:00:00Z"
	}
	if v == "blocked" {
		return "pass"
	}
	return "blocked"
}

// reworded are the places where the source shows a string and no word of a vocabulary, as it shows them: labels,
// evidence, the purpose, rules and the sentences of the sample.
var reworded = regexp.MustCompile(`^(/purpose|/publicNonClaim|/validation/checks/\d+/(label|evidence)` +
	`|/publicContract/(enforcementRule|invariants/\d+|sampleDecision/((requiredArtifacts|privacyActions)/\d+|appealScopeStatement)` +
	`|namespaceRules/\d+/(label|allowedSource)|(blockedUntil|requiredReviews)/\d+|fallbackBehavior` +
	`|privacyRule|failClosedRule|transitionDefinitions/\d+/protectedBoundary))$`)

// sentences are the entries of lists of such strings.
var sentences = regexp.MustCompile(`^/publicContract/(invariants|blockedUntil|requiredReviews|sampleDecision/(requiredArtifacts|privacyActions))/\d+$`)

// lawful reports whether another publisher may write what the mutant says.
func (m mutant) lawful() bool {
	list := path.Dir(m.pointer)
	switch {
	case m.pointer == "/validation/checks/9/evidence" && m.how == "to a word of the contract":
		return !bytes.Contains(m.text, []byte("trade-agreement-amendments")) // it has to state a count
	case path.Base(m.pointer) == "allowedSource" && m.how == "to a word of the contract":
		return false // it has to name its kind of tag
	case reworded.MatchString(m.pointer) && slices.Contains([]string{"a letter more", "in capitals", "to a word of the contract"}, m.how):
		return true
	case sentences.MatchString(m.pointer) && m.how == "moved":
		return true
	case list == "/publicContract/sampleDecision/requiredArtifacts" || list == "/publicContract/sampleDecision/privacyActions":
		return slices.Contains([]string{"removed", "doubled", "doubled at the end", "replaced by the one before"}, m.how)
	case m.pointer == "/publicContract/sampleDecision/requiredArtifacts" || m.pointer == "/publicContract/sampleDecision/privacyActions":
		return m.how == "one entry more"
	case list == "/publicContract/sampleDecision/factorCodes":
		return m.how == "removed" || m.how == "moved" // any of the approved codes, each once
	}
	return false
}

// mutationStep is how far apart the mutations stand that are tried; with DOCKET_LONG=1 every one is.
func mutationStep() int {
	if os.Getenv("DOCKET_LONG") == "1" {
		return 1
	}
	return 5
}

func TestEveryMutationOfAReportIsObjectedToUnlessTheSourceAllowsIt(t *testing.T) {
	t.Parallel()
	examiner, step := newExaminer(t), mutationStep()
	for _, kind := range report.Kinds() {
		t.Run(kind.String(), func(t *testing.T) {
			document := published(t, kind)
			killed, contract, schemaOnly, lawful := map[string]int{}, 0, 0, 0
			list := mutants(document)
			for i, m := range list {
				if i%step != 0 {
					continue
				}
				found, err := examiner.Examine(m.text, now)
				if err != nil {
					killed["(not taken for a report)"]++
					continue
				}
				objecting := found.Blockers()
				if m.lawful() {
					lawful++
					if len(objecting) > 0 || len(found.Differences) == 0 && m.how != "moved" {
						t.Errorf("%s %s: lawful, and %v objects; %d differences", m.pointer, m.how, objecting, len(found.Differences))
					}
					continue
				}
				if len(objecting) == 0 {
					t.Errorf("%s %s: nothing objects", m.pointer, m.how)
				}
				for _, id := range objecting {
					killed[id]++
				}
				inBody := strings.HasPrefix(m.pointer, "/publicContract/") && m.how != "a member too much"
				if inBody && !slices.ContainsFunc(found.Checks, short) {
					t.Errorf("%s %s: no check of the contract objects, only %v", m.pointer, m.how, objecting)
				}
				if inBody {
					contract++
				}
				if slices.Equal(objecting, []string{"report-schema"}) {
					schemaOnly++
				}
			}
			for _, title := range append(kind.CheckTitles(), report.EnvelopeTitles()...) {
				if killed[title.ID] == 0 && step == 1 && title.ID != "nothing-private" {
					t.Errorf("no mutation makes %s fall short", title.ID)
				}
			}
			t.Logf("%d mutations of %s: %d lawful and taken, the others objected to, %d by the contract's own checks, %d by the schema alone; %s",
				len(list), kind, lawful, contract, schemaOnly, tally(killed))
		})
	}
}

func short(c report.Check) bool { return c.Status != terms.Pass }

func tally(counts map[string]int) string {
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", id, counts[id]))
	}
	return strings.Join(parts, ", ")
}

func TestTheOrderOfMembersAndTheWhiteSpaceOfAReportDoNotMatter(t *testing.T) {
	examiner := newExaminer(t)
	for _, kind := range report.Kinds() {
		var members map[string]any
		if err := json.Unmarshal(published(t, kind), &members); err != nil {
			t.Fatal(err)
		}
		sorted, err := json.Marshal(members)
		if err != nil || bytes.Equal(sorted, published(t, kind)) {
			t.Fatal("the document is as it was", err)
		}
		found, err := examiner.Examine(sorted, now)
		if err != nil || !found.OK() || len(found.Differences) > 0 {
			t.Errorf("%s: %v %v %v", kind, err, found.Blockers(), found.Differences)
		}
	}
}
