package private

import (
	"fmt"
	"strings"
	"testing"
)

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

// The time per byte of each of the texts is the same for 8 KiB as for 64 KiB.
func BenchmarkScanHostileTexts(b *testing.B) {
	for _, part := range []string{"(at) @ // dot % ", "1.234, ", "a at b.c ", "x@", "%25", "&#64;", "a:1:", "0 ", "DE89", "t.me", ". . ", " dot "} {
		for _, size := range []int{1 << 13, 1 << 16} {
			b.Run(fmt.Sprintf("%q/%d", part, size), func(b *testing.B) { benchmark(b, strings.Repeat(part, size/len(part)+1)) })
		}
	}
}
