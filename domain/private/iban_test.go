package private

import (
	"fmt"
	"strings"
	"testing"
)

// The samples are those that the registry and the banks publish as examples.
var ibanHits = []string{
	"DE89370400440532013000",
	"DE89 3704 0044 0532 0130 00",
	"de89 3704 0044 0532 0130 00",
	"DE89-3704-0044-0532-0130-00",
	"DE 89 37040044 0532013000",
	"D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0",
	"IBAN:DE89370400440532013000.",
	"IBANDE89370400440532013000",
	"accountDE89370400440532013000x",
	"GB29 NWBK 6016 1331 9268 19",
	"gb29nwbk60161331926819",
	"IBANGB29NWBK60161331926819",
	"pay FR14 2004 1010 0505 0001 3M02 606 by June",
	"CH93 0076 2011 6238 5295 7",
	"NL91 ABNA 0417 1643 00",
	"NO93 8601 1117 947",
	"MT84 MALT 0110 0001 2345 MTLC AST0 01S",
	"AT61 1904 3002 3457 3201",
	"BE68 5390 0754 7034",
	"ES91 2100 0418 4502 0005 1332",
	"IT60 X054 2811 1010 0000 0123 456",
	"PL61 1090 1014 0000 0712 1981 2874",
	"SE45 5000 0000 0583 9825 7466",
	"DЕ89 3704 0044 0532 0130 00", // a Cyrillic Е
	"🇩🇪89 3704 0044 0532 0130 00",
	withCheckDigits("ZZ", "123456789012345"),
	withCheckDigits("QQ", "ABCD12345678901234"),
	withCheckDigits("QQ", "123456789A12345"),
	withCheckDigits("QQ", "12345678901"),
	withCheckDigits("QQ", "A1234567890"),
	withCheckDigits("QQ", "ABCDEFGHIJ1234567890"),
	withCheckDigits("QQ", "123456789012345678901234567890"),
	withCheckDigits("NL", "ABNAWXYZ123456"),
	"🇦🇹61 1904 3002 3457 3201",
	strings.Replace(withCheckDigits("ZZ", "123456789012345"), "ZZ", "🇿🇿", 1),
}

var ibanMisses = []string{
	"DE88 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130", "GB29 NWBK 6016 1331 9268 18", "DE89", "GB 29",
	"NL91 ABNA", "in 2026 we saw 12 cases", "on 12 May 2026, at 10", "be 12 and not 15 of them, as 2026 showed",
	"no. 12 of 2026", "sha256:de89370400440532abcd4f12ee90210076beefde12345678901234567890abcd",
	"INV-2026-0001", "evr-000123", "AT 2026-06-01 10:00", "ab12cd34ef56", "version de12", "DEAD BEEF 0123",
	"de893704-0044-0532-0130-00abcdef0123",
	"REGB29NWBK60161331926819",
	withCheckDigits("QQ", "1234567890"),
	withCheckDigits("QQ", "AB123456789"),
	withCheckDigits("QQ", "ABCDEFGHIJK1234567890"),
	withCheckDigits("QQ", "1234567890123456789012345678901"),
	withCheckDigits("NL", "ABNAVWXYZ12345"),
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

func TestIBANsAreFound(t *testing.T) { expect(t, IBAN, true, ibanHits) }

func TestTextsThatOnlyLookLikeAnIBANAreNone(t *testing.T) { expect(t, IBAN, false, ibanMisses) }

func TestEveryCountryOfTheTableIsFound(t *testing.T) {
	for _, c := range countries {
		text := withCheckDigits(c.code, strings.Repeat("2741", 8)[:c.length])
		expect(t, IBAN, true, []string{text, strings.ToLower(text) + " is mine"})
		shorter := withCheckDigits(c.code, strings.Repeat("2741", 8)[:c.length-1])
		expect(t, IBAN, false, []string{shorter})
	}
}
