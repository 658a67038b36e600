package private

import (
	"fmt"
	"strings"
	"testing"
)

func TestDigitsWithinAHashOrAUUIDAreFoundAtAnyPlace(t *testing.T) {
	long := strings.Repeat("a5", 64)
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"three letters in sixteen characters", "abc[555]5550100123", true},
		{"digits at the start", "[555]5550100123abc", true},
		{"two letters", "ab[555]55501001234", false},
		{"fifteen characters", "abc[555]555010012", false},
		{"a part of a word", "abc[555]5550100123x", false},
		{"128 characters, digits last", long[:127] + "[5]", true},
		{"128 characters, digits first", "[5]" + long[:127], true},
		{"129 characters, digits last", long + "[5]", false},
		{"129 characters, digits first", "[5]" + long, false},
		{"three letters of a UUID", "00000000-0000-4000-8abc-00[00]00000000", true},
		{"two letters of a UUID", "00000000-0000-4000-8ab0-00[00]00000000", false},
		{"behind a UUID", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6-[5]", false},
		{"right behind a UUID", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6[5]", false},
		{"the last of a UUID", "f81d4fae-7dec-11d0-a765-00a0c91e6bf[6]", true},
	} {
		for _, before := range []string{"", strings.Repeat("prose ", 40)} {
			text := before + c.text
			start, end := strings.Index(text, "["), strings.Index(text, "]")-1
			text = strings.NewReplacer("[", "", "]", "").Replace(text)
			if got := inIdentifier(text, start, end); got != c.want {
				t.Errorf("%s, %d bytes into the text: %v", c.name, len(before), got)
			}
		}
	}
}

func TestDigitsInCirclesStandForDigits(t *testing.T) {
	for text, want := range map[string]string{
		"⓪①②③④⑤⑥⑦⑧⑨": "0123456789", "⓿⓵⓶⓷⓸⓹⓺⓻⓼⓽": "0123456789", "❶❷❸❹❺❻❼❽❾": "123456789", "➀➁➂➃➄➅➆➇➈": "123456789",
		"🄋🄌": "00", "➊➋➌➍➎➏➐➑➒": "123456789", "⓾❿➉➓": "\x02\x02\x02\x02", "🇦🇿": "AZ",
	} {
		if got := fold(text); got != want {
			t.Errorf("%s folds to %q", text, got)
		}
	}
}

func TestACardIsFoundAfterAnyNumberOfOtherGroups(t *testing.T) {
	text := ""
	for range 3 * maxGroups {
		text += "7 "
		expect(t, PaymentCard, true, []string{text + "4111 1111 1111 1111", text + "4111 1111 1111 1111 " + text})
	}
}

func TestADateOfTwoDigitYearsMayEndTheText(t *testing.T) {
	for text, want := range map[string]bool{"01.06.26": true, "01.06.26.10": false, "01.06.26 10": true, "01.13.26": true, "13.13.26": false} {
		g := groups{text: text}
		g.read(0)
		if got := dateAt(&g, 0); got != want {
			t.Errorf("%q is a date: %v", text, got)
		}
	}
}

func TestACountryCodeFollowsTheZeros(t *testing.T) {
	g := groups{text: "00"}
	g.read(0)
	if international(&g, 0) {
		t.Error("two zeros are a number")
	}
}

func TestALaterPartOfALongChainOpensNoNumber(t *testing.T) {
	for _, separator := range []string{".", "-", "/"} {
		expectNothing(t, []string{strings.Repeat("1"+separator, stride) + "0171 234567" + strings.Repeat(" 1", maxGroups)})
	}
	expect(t, Phone, true, []string{strings.Repeat("1-", stride-1) + "1 0171 234567" + strings.Repeat(" 1", maxGroups)})
}

// withCheckDigits makes the IBAN of an account.
func withCheckDigits(code, bban string) string {
	rest := 0
	for _, c := range bban + code + "00" {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return fmt.Sprintf("%s%02d%s", code, 98-rest, bban)
}

func TestEveryCountryOfTheTableIsFound(t *testing.T) {
	for _, c := range countries {
		text := withCheckDigits(c.code, strings.Repeat("2741", 8)[:c.length])
		expect(t, IBAN, true, []string{text, strings.ToLower(text) + " is mine"})
		shorter := withCheckDigits(c.code, strings.Repeat("2741", 8)[:c.length-1])
		expect(t, IBAN, false, []string{shorter})
	}
}
