package workbench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/contracts/incident"
	"docket/ui/contractpage"
)

// profileAt is the page of the profile in a file of that text.
func profileAt(t *testing.T, text string) (contractpage.Page, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return pageOf(t, path), CheckProfile(path)
}

func pageOf(t *testing.T, path string) contractpage.Page {
	t.Helper()
	d := &Workbench{Clock: func() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }, Profile: path}
	list, err := d.Contracts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Name == "incident profile" {
			return p
		}
	}
	t.Fatal("there is no page of the profile")
	return contractpage.Page{}
}

func TestWithoutAProfileOfTheirOwnTheSampleIsShownAsSuch(t *testing.T) {
	p := pageOf(t, "")
	if !strings.Contains(p.State, "the sample") || p.Mark != contractpage.None || len(p.Parts) < 5 {
		t.Errorf("%s, %d parts", p.State, len(p.Parts))
	}
}

// sampleText is the sample profile as it is written.
func sampleText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/profiles/valid/sample.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAProfileOfTheirOwnIsShownInPlaceOfTheSample(t *testing.T) {
	sample := incident.Sample()
	own := strings.Replace(sampleText(t), sample.Purpose, "To answer for Oslo.", 1)
	p, err := profileAt(t, own)
	if err != nil {
		t.Fatal(err)
	}
	if text := words(p); !strings.Contains(text, "To answer for Oslo.") || strings.Contains(text, sample.Purpose) || p.Mark != contractpage.Good || !strings.Contains(text, "profile.json") {
		t.Errorf("%s\n%s", p.State, text)
	}
}

func TestAProfileThatIsNotAsTheContractWantsItIsRefusedWithReasonsAndNotShown(t *testing.T) {
	purpose := incident.Sample().Purpose
	for name, c := range map[string]struct{ text, says string }{
		"no JSON":         {"{", "strict_json"},
		"no profile":      {"{}", "member_missing"},
		"one wrong place": {strings.Replace(sampleText(t), purpose, "", 1), "empty_text"},
	} {
		p, err := profileAt(t, c.text)
		text := words(p)
		if err == nil || p.Mark != contractpage.Bad || !strings.HasPrefix(p.State, "refused: ") || !strings.Contains(text, c.says) || len(p.Parts) != 1 || strings.Contains(text, purpose) {
			t.Errorf("%s: %v, %s\n%s", name, err, p.State, text)
		}
	}
}

func TestAProfileThatCannotBeReadIsRefusedAndTheSampleDoesNotStandIn(t *testing.T) {
	for name, path := range map[string]string{"absent": filepath.Join(t.TempDir(), "none.json"), "a folder": t.TempDir()} {
		p, err := pageOf(t, path), CheckProfile(path)
		if text := words(p); err == nil || p.Mark != contractpage.Bad || !strings.Contains(text, path) || strings.Contains(text, incident.Sample().Purpose) {
			t.Errorf("%s: %v, %s\n%s", name, err, p.State, text)
		}
	}
}

func TestAProfileThatIsOnlyOddIsShownWithItsWarnings(t *testing.T) {
	sample := incident.Sample()
	channel := sample.IntakeChannels[0].Rule
	p, err := profileAt(t, strings.Replace(sampleText(t), channel, "Write to intake@example.org.", 1))
	if err != nil {
		t.Fatal(err)
	}
	text := words(p)
	if p.Mark != contractpage.Good || !strings.HasSuffix(p.State, "; 1 warning") || p.Parts[1].Heading != "Warnings" ||
		!strings.Contains(text, "channel_address") || !strings.Contains(text, "Write to intake@example.org.") {
		t.Errorf("%s\n%s", p.State, text)
	}
}
