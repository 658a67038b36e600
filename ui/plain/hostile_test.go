package plain

import (
	"os"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/domain/visible"
	"docket/ui/internal/workbenchtest"
)

// Every sixth text is tried in a session, and another sixth in the next; with DOCKET_LONG=1 all are tried in each.
func TestNoHostileTextReachesTheTerminal(t *testing.T) {
	for i := range transcripts {
		t.Run(transcripts[i].name, func(t *testing.T) {
			t.Parallel()
			for at, text := range workbenchtest.HostileTexts {
				if at%6 != i%6 && os.Getenv("DOCKET_LONG") != "1" {
					continue
				}
				output := transcript(t, i, "<"+text+">")
				onlyText(t, output)
				// A line may be broken inside a text with blanks; none of these has any.
				if shown := visible.String("<" + text); !strings.Contains(strings.ReplaceAll(output, "\n  ", ""), shown) {
					t.Errorf("%q is not shown as %s", text, shown)
				}
			}
		})
	}
}

func TestTypedTextIsWrittenAsEscapes(t *testing.T) {
	output := works(t, workbenchtest.Sample(t), "appeals", "filter a\u202eb", "open AC-2041", "skip \u200bquiet", "quit")
	onlyText(t, output)
	says(t, output, `a\u202eb`, `\u200bquiet`)
}

func TestNothingPrivateIsSaid(t *testing.T) {
	const canary = "kanarienvogel"
	workbench := workbenchtest.Sample(t)
	workbench.Add(terms.AppealCases, workbenchtest.Case("AC-9000", time.Hour), map[string]any{"contact_data": []string{canary}, canary: canary})
	leaking := workbenchtest.Case("AC-9001", time.Hour)
	leaking["remedyGap"] = "write to " + canary + "@example.org"
	workbench.AddUnsealed(terms.AppealCases, leaking)
	output := works(t, workbench, "appeals", "AC-9000", "all", "AC-9001", "all", "decide", "5", "", "", "", "", "record", "records", "1", "quit")
	says(t, output, "Redacted: contact data, 1 value never kept.", "private details unredacted", "Recorded: AC-9001")
	saysNot(t, output, canary)
}
