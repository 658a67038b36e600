package packet

import (
	"strings"
	"testing"

	"docket/domain/visible"
)

func TestLongTextsAreCutToWhereTheyDiffer(t *testing.T) {
	common := strings.Repeat("the same words again ", 30)
	before, after := apart(common+"old "+common, common+"new and more "+common)
	for text, word := range map[string]string{before: "old", after: "new and more"} {
		if !strings.Contains(text, word) || len(text) > 140 || !strings.HasPrefix(text, "… ") || !strings.HasSuffix(text, " …") {
			t.Errorf("%q", text)
		}
	}
	for _, pair := range [][2]string{{"", "a"}, {"a", ""}, {"same", "same"}, {strings.Repeat("é", 200), strings.Repeat("é", 199) + "è"}} {
		x, y := apart(pair[0], pair[1])
		if !visible.Clean(x) || !visible.Clean(y) {
			t.Errorf("%q and %q are cut within a character", x, y)
		}
	}
}
