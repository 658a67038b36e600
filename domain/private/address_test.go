package private

import (
	"fmt"
	"strings"
	"testing"
)

func TestHandlesAreFoundAndPackagesAreNone(t *testing.T) {
	expect(t, Handle, true, []string{"@reviewer agreed", "https://example.org/@handle", "(@jane_roe)", "see @janeroe.", "@@janeroe", "jane: @j4ne, @bob"})
	expectNothing(t, []string{"@scope/pkg", "@scope/pkg@1.2.3", "@scope/pkg@1.2.3.4", "@ 5", "@", "@3pm", "pkg@1.2.3", "pkg@latest", "node_modules/@types/x", `the decorator "@staticmethod" stands`})
	expect(t, Email, true, []string{"@scope/pkg@example.org", "pkg@1.2.3.4", "jane@1.example.org", "lodash@example", `"jane"@media.example.org`, `write to "jane"@example`})
}

func TestChatLinksNeedAPathBehindAHostThatIsOne(t *testing.T) {
	expect(t, ChatLink, true, []string{"t.me/x", "(wa.me/15555550142)", "https://www.discord.gg/x", "tg://resolve?domain=x", "skype:jane.roe", "signal.me/#eu/x"})
	expectNothing(t, []string{"t.me", "t.me/", "report.me/x", "xt.me/x", "discord.com/developers", "skype: a program", "wa.me.example/x"})
}

func TestFourNumbersAreAnAddressUnlessAVersionIsNamed(t *testing.T) {
	expect(t, IPAddress, true, []string{"10.20.30.40", "192.0.2.1.", "0.0.0.0", "255.255.255.255", "http://192.0.2.1:80/", "x 192.0.2.1/24", "2001:db8::1", "2001:db8::/32", "::", "::/0", "[::]:8080", "ip: ::", "listens on ::, port 80", "from 2001:db8::", "::1", "1:2:3:4:5:6:7:8"})
	expectNothing(t, []string{"v1.2.3.4", "section 2.3.6.1", "rule 2.3.6.1", "§ 10.1.2.3", "clause 1.2.3.4", "article 1.2.3.4", "Linux 2.6.8.1", "version 1.2.3.4", "Version: 1.2.3.4", "@scope/pkg 1.2.3.4", "pkg==1.2.3.4", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.400", "01.02.03.04",
		"name :: value", ":: heading", "option ::", "::symbol", "see ::, then", "a::b", "10:00:00", "std::string", "00:1a:2b:3c:4d:5e", "1:2:3:4:5:6:7:8:9", "12::30::45"})
}

func TestEscapesAreReadAsOftenAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"jane%40example.org", "jane%2540example.org", "jane%252540example.org", `jane\u0040example.org`, `jane\u{40}example.org`, `jane\x40example.org`,
		"jane&#64;example.org", "jane&#064example.org", "jane&#x40;example.org", "jane&commat;example&period;org", "jane&amp;#64;example.org", "%6a%61%6e%65%40example.org",
		"jane%E2%80%8B%40example.org", "jane%EF%BC%A0example.org", "jane％40example.org"} {
		expect(t, Email, true, []string{text})
	}
	expectNothing(t, []string{"100% of 40", "50%", "a & b", `C:\Users\x`, "AT&T", "&unknown; &#; &#x;", "%zz", `\u12`, "%", `\`, "&", "&#99999999;"})
	for _, escape := range []string{"&#1114112;", `\u{110000}`, "&#0;", "%00", "%ff"} {
		expect(t, Email, true, []string{"jane" + "@example" + escape + ".org"})
	}
}

func TestLabelsAndCuesDecideOnNumbersThatAreBoth(t *testing.T) {
	expect(t, Phone, true, []string{"phone 4500123456", "my number is 5555550142", "mobile no. 5550142", "ring 71 123 456", "71 123 456 (mobile)", "order by calling 5555550142",
		"Orders are closed; 5555550142", "order 12.\nCall 5550142", "reach me: 601 123 456"})
	expectNothing(t, []string{"order 5555550142", "orders 5555550142, 5555550143 and 5555550144", "no. 5555550142", "#5555550142", "71 123 456 EUR", "USD 71 123 456", "71 123 456 units",
		"71 123 456.50", "phones: 2026-06-01", "12 34 56 78", "10.30 09.45", "2019 2020", "2000-3000"})
}

// The time per byte of each of the texts is the same for 8 KiB as for 64 KiB.
func BenchmarkScanHostileTexts(b *testing.B) {
	for _, part := range []string{"(at) @ // dot % ", "1.234, ", "a at b.c ", "x@", "%25", "&#64;", "a:1:", "0 ", "DE89", "t.me", ". . ", " dot "} {
		for _, size := range []int{1 << 13, 1 << 16} {
			b.Run(fmt.Sprintf("%q/%d", part, size), func(b *testing.B) { benchmark(b, strings.Repeat(part, size/len(part)+1)) })
		}
	}
}
