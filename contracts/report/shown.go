package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"docket/domain/canonical"
	"docket/domain/private"
)

// words are the texts that may be shown of a document of another publisher: those of the built-in contracts, and codes composed
// of their parts. Everything else is only described.
type words struct {
	texts map[string]bool // every text of the built-in contracts
	parts map[string]bool // what their codes are made of
}

const (
	maxCode       = 64 // characters of a code that may be shown
	maxCodeDigits = 8  // fewer than a phone number or an account has
	maxShownInt   = 999
)

var (
	codeForm  = regexp.MustCompile(`^[a-z0-9]+([_.:/-]+[a-z0-9]+)*$`)
	codeBreak = regexp.MustCompile(`[_.:/-]+`)
	version   = regexp.MustCompile(`^v?[0-9]{1,4}$`)
)

// knownWords collects the texts of the built-in contracts and their reports.
func knownWords() words {
	w := words{texts: map[string]bool{}, parts: map[string]bool{}}
	for _, kind := range Kinds() {
		w.collect(kind.builtin())
		contract := kind.Contract()
		w.add(contract.Version, contract.ValidatorName, contract.ValidatorVersion, kind.Purpose(), kind.PublicNonClaim())
		for _, check := range kind.checks() {
			w.add(check.id, check.label)
		}
	}
	return w
}

func (w words) collect(v canonical.Value) {
	if v.Kind() == canonical.String {
		w.add(v.Text())
	}
	for _, entry := range entries(v) {
		w.collect(entry)
	}
}

func (w words) add(texts ...string) {
	for _, text := range texts {
		w.texts[text] = true
		if codeForm.MatchString(text) {
			for _, part := range codeBreak.Split(text, -1) {
				w.parts[part] = true
			}
		}
	}
}

// safe reports whether the text may be shown as it is.
func (w words) safe(text string) bool {
	if w.texts[text] {
		return true
	}
	if len(text) > maxCode || !codeForm.MatchString(text) || !private.ScanString(text).Empty() {
		return false
	}
	digits := 0
	for _, part := range codeBreak.Split(text, -1) {
		if !w.parts[part] && !version.MatchString(part) {
			return false
		}
		for _, c := range part {
			if '0' <= c && c <= '9' {
				digits++
			}
		}
	}
	return digits <= maxCodeDigits
}

// shown describes a value and shows it only where that is safe.
func (w words) shown(v canonical.Value) string {
	switch v.Kind() {
	case canonical.Null:
		return "null"
	case canonical.True:
		return "true"
	case canonical.False:
		return "false"
	case canonical.Number:
		if n, whole := v.Integer(); whole && n >= 0 && n <= maxShownInt {
			return strconv.FormatInt(n, 10)
		}
		return "a number"
	case canonical.String:
		return w.shownText(v.Text())
	case canonical.Array:
		return fmt.Sprintf("an array of %s", entryCount(v.Len()))
	case canonical.Object:
		return fmt.Sprintf("an object of %s", count(v.Len(), "member", "members"))
	}
	return shownAbsent
}

func (w words) shownText(text string) string {
	if w.safe(text) {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("a text of %s", count(utf8.RuneCountInString(text), "character", "characters"))
}

// builtin shows a value of a built-in contract; all of it may be shown.
func builtin(v canonical.Value) string {
	if v.Kind() == canonical.String {
		return strconv.Quote(v.Text())
	}
	return words{}.shown(v)
}

// plainText is shownText without quotation marks, for evidence.
func (w words) plainText(text string) string {
	if w.safe(text) {
		return strings.TrimSuffix(text, ".")
	}
	return w.shownText(text)
}

func entryCount(n int) string { return count(n, "entry", "entries") }
