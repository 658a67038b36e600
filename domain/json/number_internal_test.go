package json

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gowebpki/jcs"
)

// The doubles of RFC 8785, appendix B, and the places where ECMAScript changes
// from one notation to another.
func TestDoublesPrintAsInECMAScript(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325",
		0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		if got := string(appendNumber(nil, math.Float64frombits(bits))); got != want {
			t.Errorf("%016x: %s, want %s", bits, got, want)
		}
	}
}

func TestRandomDoublesPrintAsThePeerPrintsThem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		f := math.Float64frombits(random.Uint64())
		want, err := jcs.NumberToJSON(f)
		if err != nil {
			continue
		}
		if got := string(appendNumber(nil, f)); got != want {
			t.Fatalf("%x: %s, want %s", f, got, want)
		}
	}
}

func TestIntegersOfUpTo15DigitsAreTakenAsTheyStand(t *testing.T) {
	for text, want := range map[string]bool{"999999999999999": true, "-100000000000000": true, "1000000000000000": false, "1.0": false, "-0": false} {
		number, end, reason := scanNumber([]byte(text), 0)
		if number.canonical != want || end != len(text) || reason != "" {
			t.Errorf("%s: canonical %v, up to %d, %q", text, number.canonical, end, reason)
		}
	}
}
