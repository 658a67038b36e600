package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"docket/domain/canonical"
	"docket/domain/private"
	"docket/domain/terms"
)

// A PrivateFinding is something in a report that no public contract response may carry (source 1, rule 4). It holds the place and
// the kind, never the content.
type PrivateFinding struct {
	Pointer  string                `json:"pointer"` // down to the last member whose name may be shown
	Category terms.PrivateCategory `json:"category"`
	Found    string                `json:"found"` // how it was recognized, in words of this program
}

// maxPrivate is how many findings are listed.
const maxPrivate = 100

// privateNames are the names of private things: those of the categories, and the other names that the source uses. Singular, in
// words.
var privateNames = func() []privateName {
	var names []privateName
	for _, category := range terms.PrivateCategories.All() {
		if category != terms.PrivateOther {
			names = append(names, privateName{category, nameWords(category.String())})
		}
	}
	for _, other := range []struct {
		category terms.PrivateCategory
		name     string
	}{
		{terms.ExactWish, "exact_ask"}, {terms.ExactWish, "private_wish"}, {terms.ReviewerNote, "raw_note"},
		{terms.ReviewerNote, "private_note"}, {terms.ContactData, "contact_detail"},
		{terms.SensitiveConstraint, "precise_location"}, {terms.PrivateNarrative, "raw_source_text"},
		{terms.PrivateNarrative, "raw_text"}, {terms.PrivateNarrative, "free_text"}, {terms.PrivateOther, "private_detail"},
	} {
		names = append(names, privateName{other.category, nameWords(other.name)})
	}
	return names
}()

type privateName struct {
	category terms.PrivateCategory
	words    []string
}

// kindCategory says to which category a private detail in a text belongs.
func kindCategory(kind private.Kind) terms.PrivateCategory {
	switch kind {
	case private.Email, private.Phone, private.URLUserInfo, private.IPAddress, private.Handle, private.ChatLink:
		return terms.ContactData
	case private.IBAN, private.PaymentCard:
		return terms.PaymentDetail
	}
	return terms.PrivateOther
}

// privateSearch goes through a document.
type privateSearch struct {
	known map[string]bool // member names that may be shown
	found []PrivateFinding
	more  int // findings that are not listed
}

// walk looks at a value and everything below it. at is the pointer to the last step that may be named.
func (s *privateSearch) walk(v canonical.Value, at string, exact bool) {
	switch v.Kind() {
	case canonical.String:
		if _, isTime := parseUTC(v.Text()); !isTime || at != checkedAtPlace { // the digits of a time are no phone number
			s.text(at, v.Text(), "a text holds")
		}
	case canonical.Array:
		for i, entry := range entries(v) {
			inside := at
			if exact {
				inside += "/" + strconv.Itoa(i)
			}
			s.walk(entry, inside, exact)
		}
	case canonical.Object:
		for _, member := range entries(v) {
			name, inside, exactly := member.Name(), at, false
			var category terms.PrivateCategory
			if !s.known[name] {
				category = privateCategory(name)
			}
			if exact && (s.known[name] || category.Present() && nameForm.MatchString(name)) {
				inside, exactly = at+"/"+name, true
			}
			if category.Present() {
				s.add(PrivateFinding{inside, category, "a member is named so"})
			}
			s.text(at, name, "a member's name holds")
			s.walk(member, inside, exactly)
		}
	}
}

// nameForm is what a member name must look like to be shown when it names a category.
var nameForm = regexp.MustCompile(`^[A-Za-z_-]{1,64}$`)

func (s *privateSearch) text(at, text, how string) {
	for _, kind := range private.ScanString(text).List() {
		s.add(PrivateFinding{at, kindCategory(kind), fmt.Sprintf("%s the form of: %s", how, kind.String())})
	}
}

func (s *privateSearch) add(f PrivateFinding) {
	if len(s.found) == maxPrivate {
		s.more++
		return
	}
	s.found = append(s.found, f)
}

// privateCategory is the category that a member's name denotes in any spelling; absent for none.
func privateCategory(name string) terms.PrivateCategory {
	found := nameWords(name)
	squashed := strings.Join(found, "")
	for _, private := range privateNames {
		if inOrder(private.words, found) || strings.Contains(squashed, strings.Join(private.words, "")) {
			return private.category
		}
	}
	return 0
}

// inOrder reports whether all wanted words stand among the words, in that order.
func inOrder(wanted, words []string) bool {
	for _, word := range words {
		if len(wanted) > 0 && word == wanted[0] {
			wanted = wanted[1:]
		}
	}
	return len(wanted) == 0
}

// nameWords splits a name at separators and humps into lower-case words without the s of a plural.
func nameWords(name string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, singular(word.String()))
			word.Reset()
		}
	}
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			end()
		}
		lower = unicode.IsLower(r)
		word.WriteRune(unicode.ToLower(r))
	}
	end()
	return words
}

// singular removes the ending of a plural.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "shes"):
		return strings.TrimSuffix(word, "es")
	case len(word) > 3 && !strings.HasSuffix(word, "ss"):
		return strings.TrimSuffix(word, "s")
	}
	return word
}
