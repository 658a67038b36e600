package terms

import (
	"slices"
	"testing"
)

func TestTheDistanceOfWordsCountsCharactersToChange(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"sort", "sort", 0}, {"srot", "sort", 2}, {"", "sort", 4}, {"sort", "", 4}, {"kitten", "sitting", 3}, {"é", "e", 1}, {"ab", "ba", 2}} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d", c.a, c.b, got)
		}
	}
}

func TestTheNearestWordsComeFirstAndEqualOnesKeepTheirOrder(t *testing.T) {
	words := []string{"down", "up", "skip", "sort"}
	if got := Nearest("skpi", words, Distance); !slices.Equal(got, []string{"skip", "up", "sort", "down"}) {
		t.Errorf("%q", got)
	}
	if got := Nearest("x", []string{"a", "b"}, Distance); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
	if words[0] != "down" {
		t.Error("the words were sorted in place")
	}
}
