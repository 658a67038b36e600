package selftest

import (
	"slices"
	"testing"

	"docket/contracts/report"
)

func TestTheHooksAreThoseThatTheReportsNameInTheirOrder(t *testing.T) {
	var named, held []string
	for _, kind := range report.Kinds() {
		for _, name := range kind.ContractTests() {
			named = append(named, kind.String()+" "+name)
		}
	}
	for _, hook := range Hooks() {
		held = append(held, hook.Kind.String()+" "+hook.Name)
		if hook.Checks == "" || hook.run == nil {
			t.Errorf("%s says nothing or does nothing", hook.Name)
		}
	}
	if !slices.Equal(named, held) {
		t.Errorf("the reports name %v, the table holds %v", named, held)
	}
	if len(held) != 19 {
		t.Errorf("%d hooks, not 19", len(held))
	}
}
