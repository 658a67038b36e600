package bundle_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

func TestTheIndexHoldsEachDecisionAndReachesNowhere(t *testing.T) {
	t.Parallel()
	l := sampleLog(t)
	text := need(os.ReadFile(at(written(t, l), "index.html")))(t)
	page := need(html.Parse(strings.NewReader(string(text))))(t)
	articles, main, superseded := 0, 0, 0
	for n := range page.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "article":
			articles++
		case "main":
			main++
		case "script", "link", "img", "iframe", "form":
			t.Errorf("there is a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			if slices.Contains([]string{"src", "href", "action"}, a.Key) && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	superseded = strings.Count(string(text), "no longer in force")
	if articles != len(l.List) || main != 1 || superseded != 1 {
		t.Errorf("%d articles, %d mains, %d superseded", articles, main, superseded)
	}
	if strings.Count(string(text), "What this decision does not do") != 2 {
		t.Error("what the decisions of an area have in common does not stand once")
	}
}

func TestNothingPrivateIsInTheIndexOrTheProvenance(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	ref := l.Hold(terms.AmendmentRecords, verifytest.Amendment("change-1", 1))
	l.Append(l.Decide(ref, assigned, func(c *records.Choice) {
		c.NoteDigest = records.Note{Salt: "salt", Text: "canary-note"}.Digest()
	}))
	dir := written(t, l)
	for _, name := range []string{"index.html", "provenance.json"} {
		text := need(os.ReadFile(at(dir, name)))(t)
		for _, hidden := range []string{"canary", verifytest.Party, verifytest.Decider, verifytest.Recused, "owner-2"} {
			if strings.Contains(string(text), hidden) {
				t.Errorf("%s holds %s", name, hidden)
			}
		}
	}
}
