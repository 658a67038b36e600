package daemon

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestTheExampleHasEverySettingOnceWithItsDefaultAndWhatItIs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "service.toml"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := load(t, string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range e.Rows() {
		s := &table[i]
		if row.Value != s.Default() || row.From != "file" && row.Value != "" {
			t.Errorf("%+v", row)
		}
		line := regexp.MustCompile(`(?m)^# .*\n(# .*\n)*(# )?` + strings.TrimPrefix(s.Name, limits) + ` = `)
		if found := line.FindAllString(string(text), -1); len(found) != 1 {
			t.Errorf("%s is in the file %d times with a comment", s.Name, len(found))
		}
	}
}
