package private

import (
	"strings"
	"testing"
)

var phoneHits = []string{
	"+1 555 555 0100",
	"+15555550100",
	"+1.5555550100",
	"+1 (555) 555-0100",
	"(+49) 30 5550100",
	"+49 (0)30 555 01 00",
	"+ 49 30 5550100",
	"+44 20 7946 0958",
	"+33 1 99 00 12 34",
	"+41/44/555/01/00",
	"+48 555 010 000",
	"0049 30 5550100",
	"00 49 30 5550100",
	"00493055501001",
	"001-555-555-0100",
	"555-555-0100",
	"(555) 123-4567",
	"(555)123-4567",
	"555.555.0100",
	"555 555 0100",
	"555/555/0100",
	"1-555-555-0100",
	"555-5550100",
	"5555550100",
	"15555550100",
	"call 555-0100",
	"Call me at 555-0100",
	"phone: 555 0100",
	"Tel.: 5550100",
	"telephone number is 555-0100",
	"mobile no. 555.0100",
	"WhatsApp 555-0100",
	"FAX #555-0100",
	"smartphone 555 01 00",
	"Téléphone 555 01 00",
	"0171 2345678",
	"030/1234567",
	"(030) 1234567",
	"01 23 45 67 89",
	"01.23.45.67.89",
	"020 7946 0958",
	"reached on 030 - 1234567 today",
	"tel:+1-555-555-0100",
	"phone     5550100",
	"+49 3055 000",
	"+4930555",
	"room 5 +4930555",
	"no. 5+ 4930555",
	"+1.5555550",
	"212 555 0100",
	"555-0100",
	"phone      5550100",
	"cells 555 01 00",
	"Telnr. 555 01 00",
	"call 45-13-2026",
}

var phoneMisses = []string{
	"2026-06-01", "01.06.2026", "06/01/2026", "01.06.2026 10:00", "01.06.26 10.30", "01-06-2026 - 30-06-2026",
	"2026-06-01T10:00:00Z", "2026-06-01T10:00:00+02:00", "2026-06-01 09:30 and 2026-06-02 10:45", "20260601",
	"10:00 2026-06-01", "1,000,000.00", "USD 12 500", "30 000 000", "1 001 234 567", "+12 500 000", "+30 000 000",
	"12.5%", "1.2.3", "INV-2026-0001", "case-2026-00017", "evr-000123", "ISBN 978-3-16-148410-0",
	"ISBN 0-306-40615-2", "section 2.3.6", "1.25:1", "10-15", "2019-2026", "2019-2026, 2027-2031",
	"300-4000 units", "phone call of 2026-06-01", "calls 2019-2026", "called at 01.06.2026", "call 12 500 000", "5 + 1234567",
	"items 300 500 2026-06-01", "pi is 3.1415926535", "0.1234567890", "123456789012", "call 2 of 3",
	"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"sha256:a5551234567bcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	"0c5551234567e1ab", "f81d4fae-7dec-11d0-a765-05551234567b",
	"id f81d4fae-7dec-11d0-0171-234567890123, again", "items 000123 and 000456",
	"a refund of 1250.00 on 3 of 12 lots", "v2.10.4", "10.30 09.45", "+13.404954",
	"cellar 555 0100", "ringed 555 0100", "06/01/2026 10:00", "01.06.1999 10:00",
	"00 049 30 5550100", "0049 3055", "+120 500 000", "1:0171 234567", "1,0171 234567", "123.0123456789", "called at 24.12.2026", "called at 31.01.2026",
}

func TestPhoneNumbersAreFound(t *testing.T) { expect(t, Phone, true, phoneHits) }

func TestOtherNumbersAreNoPhone(t *testing.T) { expectNothing(t, phoneMisses) }

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
