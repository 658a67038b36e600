package statement_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"docket/domain/internal/domaintest"
	"docket/domain/pages"
	"docket/domain/statement"
	"docket/domain/terms"
)

// attribute is an attribute of an element; "" for none.
func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// content is the text of a node.
func content(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	return text.String()
}

// checkPage holds a page to what a screen reader, a printer and a reader without a network need.
func checkPage(t *testing.T, text string) {
	t.Helper()
	if !strings.HasPrefix(text, "<!DOCTYPE html>\n<html lang=\"en\">") {
		t.Error("no document type, or no language")
	}
	page, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	ids, elements, level := map[string]bool{}, map[string]int{}, 0
	var labels []string
	for n := range page.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		elements[n.Data]++
		if id := attribute(n, "id"); id != "" {
			if ids[id] {
				t.Errorf("the id %s stands twice", id)
			}
			ids[id] = true
		}
		if label := attribute(n, "aria-labelledby"); label != "" {
			labels = append(labels, label)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || slices.Contains([]string{"src", "srcset", "action", "style", "background", "data"}, a.Key) ||
				a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s %s=%q> reaches out, or runs", n.Data, a.Key, a.Val)
			}
		}
		switch n.Data {
		case "h1", "h2", "h3", "h4":
			if next := int(n.Data[1] - '0'); next > level+1 {
				t.Errorf("h%d follows h%d: %s", next, level, content(n))
			} else {
				level = next
			}
			if strings.TrimSpace(content(n)) == "" {
				t.Error("a heading is empty")
			}
		case "table":
			checkTable(t, n)
		case "article":
			if attribute(n, "aria-labelledby") == "" {
				t.Error("an article has no name")
			}
		case "section":
			if n.FirstChild == nil || !slices.Contains([]string{"h2", "h3"}, n.FirstChild.NextSibling.Data) {
				t.Error("a section does not begin with its heading")
			}
		case "ul":
			for child := range n.ChildNodes() {
				if child.Type == html.ElementNode && child.Data != "li" {
					t.Errorf("a list holds <%s>", child.Data)
				}
			}
		}
	}
	slices.Sort(labels)
	if len(slices.Compact(slices.Clone(labels))) != len(labels) {
		t.Errorf("two parts have one name: %q", labels) // each name that a part has is a landmark to jump to
	}
	for _, label := range labels {
		if !ids[label] {
			t.Errorf("nothing has the id %s", label)
		}
	}
	for _, one := range []string{"title", "main", "h1"} {
		if elements[one] != 1 {
			t.Errorf("%d <%s>", elements[one], one)
		}
	}
	for _, none := range []string{"script", "link", "img", "iframe", "object", "embed", "font", "form", "svg", "video", "audio", "base"} {
		if elements[none] > 0 {
			t.Errorf("there is a <%s>", none)
		}
	}
	if !strings.Contains(text, "@media print") || !strings.Contains(text, "default-src 'none'") || strings.Contains(text, "@import") || strings.Contains(text, "url(") {
		t.Error("the style is not one for print, or reaches out")
	}
}

// checkTable finds a caption, a heading for each column with its scope, and a heading for each row.
func checkTable(t *testing.T, table *html.Node) {
	t.Helper()
	var columns, rows, captions int
	for n := range table.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "caption":
			captions++
		case "th":
			switch attribute(n, "scope") {
			case "col":
				columns++
			case "row":
				rows++
			default:
				t.Errorf("the heading %q has no scope", content(n))
			}
		case "tr":
			cells := 0
			for cell := range n.ChildNodes() {
				if cell.Type == html.ElementNode {
					cells++
				}
			}
			if cells != columns && columns > 0 && n.Parent.Data == "tbody" {
				t.Errorf("a row has %d cells, the table %d columns", cells, columns)
			}
		}
	}
	if captions != 1 || columns < 2 || rows == 0 {
		t.Errorf("a table has %d captions, %d columns, %d rows: %s", captions, columns, rows, content(table))
	}
}

func TestThePageCanBeReadByAScreenReaderAndOffline(t *testing.T) {
	for _, scene := range []domaintest.Scene{domaintest.Appeal(), domaintest.Correction(), domaintest.MaterialChange()} {
		for _, added := range [][]terms.Blocker{nil, {terms.NoticeMissing}} {
			in := blocked(t, scene, added...)
			in.Standing.SupersededBy = domaintest.OtherRecordID
			in.Profile = statement.Profile{Version: "1", Channels: []statement.Channel{{Label: "Form", Audience: "all", Rule: "Write."}}}
			d := statement.New(&in)
			checkPage(t, d.HTML())
		}
	}
	none := statement.New(&statement.Input{})
	checkPage(t, none.HTML())
}

func TestTheIndexHoldsEachDecisionOnOnePage(t *testing.T) {
	var text strings.Builder
	index, err := pages.NewIndex(&text, "Decisions", []string{"Two decisions."})
	if err != nil {
		t.Fatal(err)
	}
	for n, scene := range []domaintest.Scene{domaintest.Appeal(), domaintest.MaterialChange()} {
		in := blocked(t, scene, terms.NoticeMissing)
		in.Place.Receipt.Sequence = int64(n)
		d := statement.New(&in)
		if err := index.Add(&d); err != nil {
			t.Fatal(err)
		}
	}
	if err := index.Close(); err != nil {
		t.Fatal(err)
	}
	checkPage(t, text.String())
	for _, part := range []string{"Two decisions.", "case-17", "amendment-8", `id="record-0"`, `id="record-1"`} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("it does not hold %s", part)
		}
	}
}

func TestTheEndingOfAFileNameSelectsTheForm(t *testing.T) {
	for path, want := range map[string]string{"a.txt": "text", "A.TXT": "text", "x/b.md": "markdown", "c.markdown": "markdown", "d.html": "html", "e.Htm": "html",
		"": "", ".txt": "", "txt": "", "a.pdf": "", "a.txt ": "", "a.md.gz": ""} {
		form, err := pages.FormOf(path)
		if (err == nil) != (want != "") || form.Name != want {
			t.Errorf("%q is %q, %v", path, form.Name, err)
		}
	}
}
