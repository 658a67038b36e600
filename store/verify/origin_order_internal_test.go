package verify

import (
	"math/rand/v2"
	"testing"
)

// In any order of arrival, the newest record on a shorter log is found.
func TestTheNewestRecordOnAShorterLogIsFound(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var order originOrder
		var taken []originStep
		for range 30 {
			size, recorded := draw.Int64N(12), draw.Int64N(40)
			want, some := int64(0), false
			for _, one := range taken {
				if one.size < size {
					want, some = max(want, one.newest), true
				}
			}
			if got, found := order.before(size); got != want || found != some {
				t.Fatalf("before %d: %d, want %d, of %v", size, got, want, taken)
			}
			order, taken = order.add(size, recorded), append(taken, originStep{size, recorded})
		}
	}
}
