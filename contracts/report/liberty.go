package report

import (
	"regexp"
	"strings"
	"unicode"

	"docket/contracts/internal/schemagen"
	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/visible"
)

// A liberty is a place of a report where the source leaves the wording to the publisher: it shows a string or a list of strings
// there, and no word of a vocabulary. Everywhere else a report has to equal the built-in one.
type liberty struct {
	place  string // from the report down; "*" stands for any step
	asks   string // what stands there, to go behind "must be"
	holds  func(want, got canonical.Value) bool
	schema func(wants []canonical.Value) ordered.Object // given what stands there in each entry; nil for that of its vocabulary
}

// anyText asks for a text that a reader can see. That it holds no private details is asked of every text of a report.
func anyText(place string) liberty {
	return liberty{place, "a text of at least one visible character",
		func(_, got canonical.Value) bool { return isText(got) },
		func([]canonical.Value) ordered.Object { return schemagen.Sentence() }}
}

// anyTexts asks for a list of such texts, of any length.
func anyTexts(place string) liberty {
	return liberty{place, "a list of texts of at least one visible character",
		func(_, got canonical.Value) bool { return isList(got, isText) },
		func([]canonical.Value) ordered.Object { return schemagen.List(schemagen.Sentence()) }}
}

// liberties are all of them.
var liberties = []liberty{
	anyText("/purpose"),
	anyText("/publicNonClaim"),
	anyText("/validation/checks/*/label"),
	anyText("/validation/checks/*/evidence"),

	anyText("/publicContract/enforcementRule"),
	{"/publicContract/enforcementRoute/path", asksPath, isRoutePath, pathSchema},
	{"/publicContract/enforcementRoute/stateMutation", "append_only_enforcement_record, in this or another spelling",
		func(_, got canonical.Value) bool { return appendOnly.MatchString(got.Text()) },
		func([]canonical.Value) ordered.Object { return schemagen.Pattern(appendOnly.String()) }},
	anyText("/publicContract/invariants/*"),
	{"/publicContract/sampleDecision/factorCodes", "a list of different factor codes",
		func(_, got canonical.Value) bool { return got.Len() > 0 && isList(got, isText) && isDistinct(got) }, nil},
	anyTexts("/publicContract/sampleDecision/requiredArtifacts"),
	anyTexts("/publicContract/sampleDecision/privacyActions"),
	anyText("/publicContract/sampleDecision/appealScopeStatement"),

	anyText("/publicContract/namespaceRules/*/label"),
	{"/publicContract/namespaceRules/*/allowedSource", "a text that names the namespace's kind of tag",
		func(want, got canonical.Value) bool {
			return isText(got) && strings.Contains(strings.ToLower(got.Text()), tagStem(want.Text()))
		},
		func([]canonical.Value) ordered.Object { return schemagen.Sentence() }},
	{"/publicContract/plannedEndpoints/*/path", asksPath, isRoutePath, pathSchema},
	anyText("/publicContract/blockedUntil/*"),
	anyText("/publicContract/requiredReviews/*"),
	anyText("/publicContract/fallbackBehavior"),

	anyText("/publicContract/privacyRule"),
	anyText("/publicContract/failClosedRule"),
	anyText("/publicContract/transitionDefinitions/*/protectedBoundary"),
}

// libertyAt returns the liberty of a place; nil if the source fixes its text.
func libertyAt(place string) *liberty {
	for i := range liberties {
		if matches(liberties[i].place, place) {
			return &liberties[i]
		}
	}
	return nil
}

// OpenLists are the pointers to the lists of a body whose length the source does not fix.
func OpenLists() []string {
	var list []string
	for _, l := range liberties {
		if strings.HasPrefix(l.place, "/publicContract/sampleDecision/") && !strings.HasSuffix(l.place, "Statement") {
			list = append(list, l.place)
		}
	}
	return list
}

// matches reports whether a pointer is one of a pattern's.
func matches(pattern, place string) bool {
	return strings.Count(pattern, "/") == strings.Count(place, "/") && covers(pattern, place)
}

func isText(v canonical.Value) bool {
	return v.Kind() == canonical.String && strings.ContainsFunc(v.Text(), func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && visible.Clean(string(r))
	})
}

func isList(v canonical.Value, holds func(canonical.Value) bool) bool {
	if v.Kind() != canonical.Array {
		return false
	}
	for _, entry := range entries(v) {
		if !holds(entry) {
			return false
		}
	}
	return true
}

// isDistinct reports whether no text of a list stands there twice.
func isDistinct(list canonical.Value) bool {
	return len(textSet(list)) == list.Len()
}

const asksPath = "the route's path, after {base_url}, after a base address or alone"

// baseAddress matches the text before a path: nothing, the source's placeholder, or an address without user information.
const baseAddress = `(\{base_url\}|https?://[A-Za-z0-9._~:\[\]-]+(/[A-Za-z0-9._~-]+)*)?`

func isRoutePath(want, got canonical.Value) bool {
	return got.Kind() == canonical.String && regexp.MustCompile(`^`+baseAddress+regexp.QuoteMeta(want.Text())+`$`).MatchString(got.Text())
}

func pathSchema(wants []canonical.Value) ordered.Object {
	var paths []string
	for _, want := range wants {
		paths = append(paths, regexp.QuoteMeta(want.Text()))
	}
	return schemagen.Pattern(`^` + baseAddress + `(` + strings.Join(paths, "|") + `)$`)
}

// appendOnly matches the source's words for the change that an enforcement route makes: "append-only enforcement record", of an
// owner or not, and in the record itself "append_only_enforcement_record".
var appendOnly = regexp.MustCompile(`^[Aa]ppend[-_ ]only([-_ ](owner[-_ ]scoped[-_ ])?(enforcement[-_ ])?record)?$`)

// tagStem is what a text about a namespace's source names: capability, constraint or verification, without an ending that
// changes in the plural.
func tagStem(allowedSource string) string {
	words := strings.Fields(allowedSource)
	return strings.TrimSuffix(words[2], "y")
}
