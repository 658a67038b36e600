package incident_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"docket/contracts/incident"
	"docket/domain/pages"
	"docket/domain/visible"
)

func TestHoursAreReadable(t *testing.T) {
	for hours, want := range map[float64]string{
		36: "1d 12h", 1: "1h", 24: "1d", 0.5: "30m", 0.25: "15m", 25.5: "1d 1h 30m", 720: "30d", 0.01: "36s", 1.0 / 3600: "1s",
		1.0 / 3: "20m", 0.00001: "<1s", 0.001: "~4s", 23.99999: "~1d", 47.99999999: "~2d", 9007199254740991: "375299968947541d 7h",
		0: "", -1: "",
	} {
		if got := incident.HoursText(hours); got != want {
			t.Errorf("%v is %q, want %q", hours, got, want)
		}
	}
	for _, hours := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := incident.HoursText(hours); got != "" {
			t.Errorf("%v is %q", hours, got)
		}
	}
}

// eachText visits every string of a value.
func eachText(value reflect.Value, visit func(string)) {
	switch value.Kind() {
	case reflect.String:
		visit(value.String())
	case reflect.Struct:
		for i := range value.NumField() {
			eachText(value.Field(i), visit)
		}
	case reflect.Slice:
		for i := range value.Len() {
			eachText(value.Index(i), visit)
		}
	case reflect.Pointer:
		if !value.IsNil() {
			eachText(value.Elem(), visit)
		}
	}
}

func checkView(t testing.TB, v pages.Page) {
	t.Helper()
	eachText(reflect.ValueOf(v), func(text string) {
		if !visible.Clean(text) {
			t.Errorf("%q is not safe to print", text)
		}
	})
}

func TestTheViewHasEveryTextOfTheProfile(t *testing.T) {
	profile, _ := incident.Read(files(t, "valid")["sample"])
	view := profile.Page()
	checkView(t, view)
	var all strings.Builder
	eachText(reflect.ValueOf(view), func(text string) { all.WriteString(text + "\n") })
	texts := 0
	eachText(reflect.ValueOf(profile), func(text string) {
		texts++
		if !strings.Contains(all.String(), text) {
			t.Errorf("%q is not in the view", text)
		}
	})
	if texts < 80 {
		t.Errorf("only %d texts were looked for", texts)
	}
	for _, hours := range []string{"30m", "1d", "4h", "1d 12h", "5d", "3d", "30d"} {
		if !strings.Contains(all.String(), hours+"\n") {
			t.Errorf("%s is not in the view", hours)
		}
	}
}

func TestTheViewSaysWhichPhaseServesWhichSeverity(t *testing.T) {
	profile, _ := incident.Read(files(t, "valid")["sample"])
	var served []string
	for _, section := range profile.Page().Parts {
		if section.Title == "Which phase serves which severity" {
			for _, phase := range section.Rows {
				served = append(served, phase.Value)
			}
		}
	}
	if len(served) != 5 || served[0] != "critical, high, moderate, low" || served[1] != "critical, high" || served[2] != "critical, high, moderate" {
		t.Errorf("%q", served)
	}
}

func TestHostileTextsAreVisibleEscapesInTheView(t *testing.T) {
	text := strings.Replace(string(minimal(t)), `"purpose": "p"`, `"purpose": "\u001b]0;title\u0007\u202e\u200b"`, 1)
	profile, problems := incident.Read([]byte(text))
	if !problems.OK() {
		t.Fatal(problems.List)
	}
	if shown := profile.Page().Parts[0].Rows[1].Value; shown == profile.Purpose || !visible.Clean(shown) {
		t.Errorf("%q", shown)
	}
}
