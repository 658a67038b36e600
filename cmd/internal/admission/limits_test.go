package admission_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"docket/cmd/internal/admission"
)

func TestEveryLimitHasANameAndADefaultWithinItsBounds(t *testing.T) {
	standard := admission.DefaultLimits()
	if err := standard.Check(); err != nil {
		t.Fatal(err)
	}
	fields := reflect.TypeFor[admission.Limits]().NumField()
	rows, names := admission.Table(), map[string]bool{}
	if len(rows) != fields {
		t.Errorf("%d limits have a row, of %d", len(rows), fields)
	}
	var empty admission.Limits
	for i := range rows {
		row := &rows[i]
		if names[row.Name] || row.Name == "" || row.Meaning == "" || strings.HasSuffix(row.Meaning, ".") {
			t.Errorf("%q: %q", row.Name, row.Meaning)
		}
		names[row.Name] = true
		if row.DefaultText() != row.Text(standard) {
			t.Errorf("%s: %s and %s", row.Name, row.DefaultText(), row.Text(standard))
		}
		if err := row.Set(&empty, row.DefaultText()); err != nil {
			t.Error(err)
		}
	}
	if empty != standard {
		t.Errorf("the rows set %+v, want %+v", empty, standard)
	}
}

func TestALimitOutsideOfItsBoundsIsRefusedWithItsName(t *testing.T) {
	rows := admission.Table()
	for i := range rows {
		row := &rows[i]
		for _, text := range []string{"", " ", "many", "-1", "+5", "1e3", "99999999999999999999", "99999999999999999999s", "1h1", "0x10"} {
			l := admission.DefaultLimits()
			err := row.Set(&l, text)
			var limit *admission.LimitError
			if !errors.As(err, &limit) || limit.Name != row.Name || !strings.Contains(limit.Reason, "takes") || l != admission.DefaultLimits() {
				t.Errorf("%s = %q: %v", row.Name, text, err)
			}
		}
	}
	for name, value := range map[string]string{"reads_per_caller": "4", "writes_per_caller": "65", "bodies_per_caller": "513", "connections_per_address": "1025",
		"body_memory_per_caller": "67108865"} {
		l := admission.DefaultLimits()
		for i := range rows {
			if rows[i].Name == name {
				if err := rows[i].Set(&l, value); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := l.Check(); err == nil || !strings.HasPrefix(err.Error(), name+" is "+value) || !strings.Contains(err.Error(), "above") {
			t.Errorf("%s = %s: %v", name, value, err)
		}
	}
	if err := (admission.Limits{}).Check(); err == nil {
		t.Error("no limit at all is taken")
	}
}
