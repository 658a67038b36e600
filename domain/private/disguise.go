package private

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escape is a way to write a character by its number, percent, JSON and HTML, or
// by the name that HTML has for a mark of an address.
var escape = expression(
	`(?i)^(?:%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\x[0-9a-f]{2}|\\/|&#x[0-9a-f]{1,6};?|&#[0-9]{1,7};?|` +
		`&(?:commat|period|colon|sol|plus|nbsp|lowbar|hyphen|dash|lpar|rpar|num|amp);)`)

const maxEscape = 12

var entities = map[string]string{
	"commat": "@", "period": ".", "colon": ":", "sol": "/", "plus": "+", "nbsp": " ", "lowbar": "_", "hyphen": "-", "dash": "-",
	"lpar": "(", "rpar": ")", "num": "#", "amp": "&",
}

// unescape replaces escapes by characters, ASCII or not; changed reports whether there was any.
func unescape(text string) (plain string, changed bool) {
	var out []byte
	from := 0
	for i := 0; i < len(text); i++ {
		if !is(text[i], isEscape) {
			continue
		}
		size := len(escape().FindString(text[i:min(len(text), i+maxEscape)]))
		if size == 0 {
			continue
		}
		out = append(out, text[from:i]...)
		out = appendUnescaped(out, text[i:i+size])
		from = i + size
		i = from - 1
	}
	if from == 0 {
		return text, false
	}
	return string(append(out, text[from:]...)), true
}

func appendUnescaped(dst []byte, escape string) []byte {
	digits := strings.Trim(escape, `%\&#;`)
	base := 16
	switch {
	case escape == `\/`:
		return append(dst, '/')
	case escape[0] == '&' && escape[1] != '#':
		return append(dst, entities[strings.ToLower(digits)]...)
	case escape[0] == '&' && digits[0]|0x20 != 'x':
		base = 10
	case escape[0] != '%':
		digits = strings.Trim(digits[1:], "{}") // behind u or x
	}
	switch n, err := strconv.ParseUint(digits, base, 32); {
	case err != nil || n > utf8.MaxRune || n < ' ':
		return append(dst, ' ')
	case escape[0] == '%':
		return append(dst, byte(n)) // one byte of UTF-8
	default:
		return utf8.AppendRune(dst, rune(n))
	}
}

// A domain of two labels or more, the last one a word; spelled is the dot that was a word.
const (
	spelled     = 0x04
	word        = `[a-zA-Z0-9\x01]`
	domainLabel = `[a-zA-Z0-9\x01_-]+`
	dotted      = domainLabel + `(?:[.\x04]` + domainLabel + `)*[.\x04](?:[a-zA-Z]{2}|\x01)`
	gap         = `[\s_*-]{1,4}`
)

var (
	// Brackets are never prose: "jane [at] example [dot] org". The German "(a)" is
	// a list mark as well, so a domain has to follow.
	enclosedAt  = expression(`(?i)(` + word + `["')\]}>]{0,2})[\s_*-]{0,4}[\[({<]\s{0,4}(?:at|@)\s{0,4}[\])}>][\s_*-]{0,4}(` + word + `)`)
	enclosedA   = expression(`(?i)\s{0,4}[\[({<]\s{0,4}a\s{0,4}[\])}>]\s{0,4}(` + dotted + `)`)
	enclosedDot = expression(`(?i)\s{0,4}[\[({<]\s{0,4}(?:dot|punkt|\.)\s{0,4}[\])}>]\s{0,4}`)
	spelledDot  = expression(`(?i)(` + domainLabel + `?)(?:` + gap + `(?:dot|punkt)` + gap + `|\s{1,4}\.\s{1,4})(` + word + `)`)
	article     = expression(`(?i)^(?:the|an?|this|that|each|every|its|one|polka|red|black)$`)
	spelledAt   = expression(`(?i)(` + word + `)` + gap + `at` + gap + `(` + domainLabel + `(?:\.` + domainLabel + `){0,8}\x04)`)
	joinedAt    = expression(`(?i)(` + word + `)[_*-]at[_*-](` + dotted + `)`)
	capitalAt   = expression(`(` + word + `)` + gap + `AT` + gap + `(` + dotted + `)`)
	announcedAt = expression(
		`(?i)\b(?:e-?mail|mail|mailbox|write|contact|reach|reply)(?:s|ed)?\b(?:[\s:,]+(?:to|me|us|him|her|them|is|under|via|address|back))*[\s:,]+([a-z0-9\x01._+-]+)\s+at\s+(` +
			dotted + `)`)
	nobodyAt = expression(
		`(?i)^(?:to|me|us|him|her|them|is|under|via|address|back|page|form|desk|list|the|one|it|office|team|people|details|information|support)$`)
	setApart = expression(`(` + word + `["')\]}>]{0,2})\s{0,4}@[\s(\[]{0,4}(` + dotted + `)`)
)

// The window around what may be a spelled at sign or dot.
const (
	windowBefore = 72
	windowAfter  = 96
)

// unspell returns what is around at signs and dots that are spelled as words, or
// set apart by spaces and brackets, written as one address; "" for none.
func unspell(text string) string {
	var out []byte
	for i, done := 0, 0; i < len(text); i++ {
		if classes[text[i]]&isHint == 0 || !mayBeSpelled(text, i) {
			continue
		}
		// Windows that overlap count as one, up to a length.
		start, end := max(done, i-windowBefore), min(len(text), i+windowAfter)
		for k := i + 1; k < end && end-start < 8*windowAfter; k++ {
			if classes[text[k]]&isHint != 0 && mayBeSpelled(text, k) {
				end = min(len(text), k+windowAfter)
			}
		}
		if plain := respell(text[start:end]); plain != text[start:end] {
			out = append(append(out, plain...), '\n')
		}
		i = end - 1
		done = max(start, end-windowBefore)
	}
	return string(out)
}

// mayBeSpelled reports whether at i there is a bracket around "at" or "dot", an
// at sign or a dot with space around, or the end of one of those words.
func mayBeSpelled(text string, i int) bool {
	switch c := text[i]; {
	case is(c, isOpener):
		next := skip(text, i+1, maxPadding, isSpace)
		end := skip(text, next, len("punkt"), isLetter|isAt)
		if end == next && isAtIndex(text, end, isJoint) && text[end] == '.' {
			end++
		}
		return end > next && strings.IndexByte("aAdDpP@.", text[next]) >= 0 && isAtIndex(text, skip(text, end, maxPadding, isSpace), isCloser)
	case c == '@':
		return isAtIndex(text, i-1, isSpace|isBracket) || isAtIndex(text, i+1, isSpace|isBracket)
	case c == '.':
		return isAtIndex(text, i-1, isSpace) && isAtIndex(text, i+1, isSpace)
	case c|0x20 != 't' || isAtIndex(text, i+1, isWord):
		return false
	}
	switch {
	case hasFold(text, i-1, "at") && !isAtIndex(text, i-2, isWord):
		return domainAfter(text, i+1)
	case hasFold(text, i-2, "dot") && !isAtIndex(text, i-3, isWord):
		return true
	}
	return hasFold(text, i-4, "punkt") && !isAtIndex(text, i-5, isWord)
}

func domainAfter(text string, i int) bool {
	for n := 0; i < len(text) && n < maxPadding && (is(text[i], isSpace) || strings.IndexByte("_*-", text[i]) >= 0); n++ {
		i++
	}
	end := labels(text, i)
	dot := strings.IndexByte(text[min(i, end):end], '.')
	return dot > 0 && isAtIndex(text, i+dot+1, isLetter)
}

func respell(text string) string {
	plain := enclosedAt().ReplaceAllString(text, "$1@$2")
	plain = enclosedA().ReplaceAllString(plain, "@$1")
	plain = enclosedDot().ReplaceAllString(plain, "\x04")
	plain = spellDots(plain)
	plain = spelledAt().ReplaceAllString(plain, "$1@$2")
	plain = joinedAt().ReplaceAllString(plain, "$1@$2")
	plain = capitalAt().ReplaceAllString(plain, "$1@$2")
	if m := announcedAt().FindStringSubmatch(plain); m != nil && !nobodyAt().MatchString(m[1]) {
		plain += "\n" + m[1] + "@" + m[2]
	}
	plain = setApart().ReplaceAllString(plain, "$1@$2")
	return strings.ReplaceAll(plain, "\x04", ".")
}

// spellDots takes two turns, since the labels of "a dot b dot c" overlap; "a dot" is an article.
func spellDots(text string) string {
	for range 2 {
		text = spelledDot().ReplaceAllStringFunc(text, func(found string) string {
			m := spelledDot().FindStringSubmatch(found)
			if m == nil || m[1] == "" || article().MatchString(m[1]) {
				return found
			}
			return m[1] + "\x04" + m[2]
		})
	}
	return text
}

func labels(text string, i int) int {
	for end := min(len(text), i+maxLocal); i < end && (is(text[i], isWord) || text[i] == '.' || text[i] == '-'); i++ {
	}
	return i
}
