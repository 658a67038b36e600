package statement_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"docket/domain/internal/domaintest"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/domain/visible"
)

// hostile are texts that mean something to a terminal, to Markdown or to a browser.
var hostile = []string{
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</p></blockquote><h1>Forged</h1>", "{{.}}", "&lt;b&gt;",
	"\x1b]0;title\x07", "\u202eevil", "\u200bzero", "a\r\nb", "\x00",
	"# Forged", "**bold** _em_ `code` [link](http://x.example) ![i](x) <http://x.example> http://x.example www.x.example", "- item\n1. one\n> quote",
	"| a | b |", "```sh\nrm\n```", "---\n===", "\\*", "~~~", "&copy;", "[^1]: note", "*a*b*",
}

func TestHostileReasonsAreShownAsText(t *testing.T) {
	for _, text := range hostile {
		v := domaintest.View(t, domaintest.Appeal())
		choice := domaintest.ChoiceFor(&v, terms.NoticeMissing)
		choice.Statement.Text = "Reasons: " + strings.ReplaceAll(text, "http://x.example", "x")
		if choice.Statement.Check() != nil {
			continue // it cannot be recorded
		}
		if choice.Statement.Check() != nil { // it is refused, so that no record has it
			continue
		}
		in := inputOf(&v, domaintest.Recorded(t, &v, choice))
		in.Reasons = choice.Statement
		checkHostile(t, &in, choice.Statement.Text)
	}
}

func TestWhatHonestPeopleWriteStandsAsTheyWroteIt(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	choice := domaintest.ChoiceFor(&v, terms.NoticeMissing)
	choice.Statement.Text = "می\u200cخواهم שלום\nक्\u200dष ⚠\ufe0f"
	in := inputOf(&v, domaintest.Recorded(t, &v, choice))
	in.Reasons = choice.Statement
	d := statement.New(&in)
	for form, page := range written(&d) {
		for line := range strings.SplitSeq(choice.Statement.Text, "\n") {
			if !strings.Contains(page, line) || form == "html" && !strings.Contains(page, `<p dir="auto">`+line+"</p>") {
				t.Errorf("%s: %q is not there", form, line)
			}
		}
		if strings.Contains(page, `\n`) || strings.Contains(page, `\u200`) {
			t.Errorf("%s has escapes", form)
		}
	}
}

func TestHostileChannelsAndOriginsAreShownAsText(t *testing.T) {
	for _, text := range hostile {
		in := blocked(t, domaintest.Appeal(), terms.NoticeMissing)
		in.Profile = statement.Profile{Version: text, Channels: []statement.Channel{{Label: text, Audience: text, Rule: text}}}
		in.Place.Origin, in.Place.VerifierKey = text, text
		in.Standing.Faults = []string{text}
		checkHostile(t, &in, text)
	}
}

// checkHostile writes a statement and finds the text in it, as text.
func checkHostile(t *testing.T, in *statement.Input, text string) {
	t.Helper()
	d := statement.New(in)
	for form, page := range written(&d) {
		for line := range strings.Lines(page) {
			if line = strings.TrimSuffix(line, "\n"); !visible.Clean(line) {
				t.Errorf("%s: %q reaches the reader as it is", form, line)
			}
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	shown := unspaced(visible.String(first))
	page, err := html.Parse(strings.NewReader(d.HTML()))
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]int{}
	var read strings.Builder
	for n := range page.Descendants() {
		if n.Type == html.ElementNode {
			tags[n.Data]++
		} else if n.Type == html.TextNode {
			read.WriteString(n.Data)
		}
	}
	if tags["script"]+tags["img"]+tags["a"]+tags["iframe"]+tags["link"] > 0 || tags["h1"] != 1 || tags["blockquote"] > 1 {
		t.Errorf("%q made elements: %v", text, tags)
	}
	if !strings.Contains(unspaced(read.String()), shown) {
		t.Errorf("%q does not read as itself in the page", text)
	}
	if !strings.Contains(unspaced(strings.ReplaceAll(d.Text(), "\n> ", "\n")), shown) {
		t.Errorf("%q does not read as itself in the text", text)
	}
	checkMarkdown(t, d.Markdown(), shown)
}

func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

// checkMarkdown renders the Markdown as a renderer does that makes links of bare addresses, and reads the text in the result.
func checkMarkdown(t *testing.T, text, shown string) {
	t.Helper()
	var rendered strings.Builder
	renderer := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList))
	if err := renderer.Convert([]byte(text), &rendered); err != nil {
		t.Fatal(err)
	}
	page, err := html.Parse(strings.NewReader(rendered.String()))
	if err != nil {
		t.Fatal(err)
	}
	var read strings.Builder
	for n := range page.Descendants() {
		switch {
		case n.Type == html.TextNode:
			read.WriteString(n.Data)
		case n.Type == html.ElementNode && slices.Contains([]string{"a", "img", "em", "del", "hr", "ol", "script", "dl", "sup", "h3"}, n.Data),
			n.Type == html.ElementNode && n.Data == "code" && n.Parent.Data != "pre", n.Type == html.CommentNode,
			n.Type == html.ElementNode && n.Data == "li" && n.FirstChild != nil && n.FirstChild.Data == "ul":
			t.Errorf("%q made <%s>", shown, n.Data)
		}
	}
	if !strings.Contains(unspaced(read.String()), shown) {
		t.Errorf("%q does not read as itself in Markdown: %s", shown, rendered.String())
	}
}

// A code of the vocabularies needs no escape, so that it reads the same in all forms.
func TestCodesReadTheSameInMarkdown(t *testing.T) {
	in := blocked(t, domaintest.Appeal(), terms.NoticeMissing)
	d := statement.New(&in)
	if !strings.Contains(d.Markdown(), "| notice_missing |") || !strings.Contains(d.Markdown(), "| "+views.EffectOf(terms.RouteHumanReview).ProvenanceActivity+" |") {
		t.Error(d.Markdown())
	}
}
