package private

import (
	"strings"
	"testing"
)

// expect runs a table of texts that hold kind, or do not.
func expect(t *testing.T, kind Kind, hits bool, texts []string) {
	t.Helper()
	for _, text := range texts {
		if got := ScanString(text); got.Has(kind) != hits {
			t.Errorf("%q: found %v, want %v: %v", text, got.List(), kind, hits)
		}
	}
}

// expectNothing runs a table of texts without any private detail.
func expectNothing(t *testing.T, texts []string) {
	t.Helper()
	for _, text := range texts {
		if got := ScanString(text); !got.Empty() {
			t.Errorf("%q: found %v, want nothing", text, got.List())
		}
	}
}

var emailHits = []string{
	"reviewer@example.org",
	"Write to First.Last+tag@mail.example.co before noon.",
	"<a@b>",
	"user@localhost",
	`"first last"@example.org`,
	`"first last "@example.org`,
	"user@[192.0.2.1]",
	"user(comment)@example.org",
	"mailto:reviewer@example.org?subject=x",
	"REVIEWER@EXAMPLE.ORG",
	"müller@example.org",
	"用户@例子.测试",
	"почта@пример.испытание",
	"reviewer@bücher.example",
	"reviewer@xn--bcher-kva.example",
	"reviewer%40example.org",
	"?to=reviewer%40localhost&x=1",
	"reviewer%2540example.org",
	"reviewer&#64;example.org and &commat;",
	"reviewer&#x40;example.org",
	"name [at] example [dot] org",
	"name (at) example.org",
	"name(at)example(dot)org",
	"name{at}example{dot}org",
	"name <AT> example <DOT> org",
	"name(a)example.org",
	"name at example dot org",
	"Name At Mail Dot Example Dot Org",
	"name AT example DOT org",
	"name @ example.org",
	"name @example.org",
	"name@ example.org",
	"name [@] example.org",
	"name @ example [.] org",
	"name @ example dot org",
	"name@@example.org",
	"o'neil@example.org",
	"a/b@example.org",
	"@all: reviewer@example.org",
	"name [at] localhost",
	"a name at example dot org",
	"my name at example dot org",
	"a@b.example.org",
	"x" + strings.Repeat(".", maxLocal-1) + "@example.org",
	"reviewer%401.example.org",
}

var emailMisses = []string{
	"", "@", "@@", " @ ", "5 @ 3 each", "12 units @ USD 3.50", "12 @ 3.50 each", "at 5 @ 3. The rest follows",
	"see /@handle/path", "node_modules/@types/x",
	"meet at noon", "look at the dot on the map", "look at this dot carefully", "a dot at the end", "polka dot pattern",
	"anecdote at length", "section (a) applies", "under (a) no. 5", "item (a) and (b)", "at (about) ten", "(at)",
	"100%40", "a discount of 50%40 ", "R&D", "AT&T", "&#64;", "e.g. this", "example.org", "see www.example.org/page",
	"reviewer%4012 done", "[at] example", "name at exampledot org", "name at example dotted lines", "format example dot org", "the reviewer@ agreed", "name @ b.c and d", "name @ example .org", "name @ example dotted lines",
}

func TestEmailAddressesAreFound(t *testing.T) { expect(t, Email, true, emailHits) }

func TestAtSignsInProseAreNoEmail(t *testing.T) { expectNothing(t, emailMisses) }
