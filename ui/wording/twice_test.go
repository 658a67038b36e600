package wording_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sentences are the texts of four words or more in the code of a folder and of the folders in it but some, without what
// begins and ends them, with the place of each.
func sentences(t *testing.T, folder string, but ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for _, left := range but {
			if entry.IsDir() && path == filepath.Join(folder, left) {
				return filepath.SkipDir
			}
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, is := n.(*ast.BasicLit); is && literal.Kind == token.STRING {
				text, err := strconv.Unquote(literal.Value)
				text = strings.ToLower(strings.Trim(text, " ✗!:;,.%s"))
				if err == nil && len(strings.Fields(text)) > 3 {
					found[text] = path
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 20 {
		t.Fatalf("%d sentences in %s", len(found), folder)
	}
	return found
}

func TestNoSentenceIsWrittenInBothConsoles(t *testing.T) {
	full := sentences(t, "..", "plain", "wording", "decision", "internal")
	plain, shared := sentences(t, "../plain"), sentences(t, "../decision")
	maps.Copy(shared, sentences(t, "."))
	for text, path := range plain {
		if other, both := full[text]; both {
			t.Errorf("%q is written in %s and in %s; write it here", text, path, other)
		}
	}
	for text, path := range shared {
		if other := full[text] + plain[text]; other != "" {
			t.Errorf("%q is written in %s and in %s; take it from there", text, path, other)
		}
	}
}
