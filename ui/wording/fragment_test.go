package wording_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// joined are the texts that may be joined to others with +: none of them is part of a sentence.
var joined = map[string]string{
	" gate:blocked": "terms of the language of filters",
}

// isPart reports whether a text is words of a sentence: several words, or one with a blank beside it.
func isPart(text string) bool {
	return strings.Contains(text, " ") && strings.ContainsFunc(text, unicode.IsLower)
}

// operands are the operands of a chain of +.
func operands(e ast.Expr) []ast.Expr {
	if sum, is := e.(*ast.BinaryExpr); is && sum.Op == token.ADD {
		return append(operands(sum.X), operands(sum.Y)...)
	}
	return []ast.Expr{e}
}

// fragments are the parts of sentences that a file joins with + to a text that is not known before the program runs. Constants,
// panics and sentences that are written over several lines have none.
func fragments(file *ast.File) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.CallExpr:
			if name, is := n.Fun.(*ast.Ident); is && name.Name == "panic" {
				return false
			}
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				return true
			}
			var parts []string
			list := operands(n)
			for _, operand := range list {
				if literal, is := operand.(*ast.BasicLit); is && literal.Kind == token.STRING {
					if text, err := strconv.Unquote(literal.Value); err == nil {
						parts = append(parts, text)
					}
				}
			}
			if len(parts) < len(list) {
				for _, text := range parts {
					if isPart(text) && joined[text] == "" {
						found = append(found, text)
					}
				}
			}
		}
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// A sentence stands as a whole, with %s and %d for what is filled in, so that it can be translated.
func TestNoSentenceIsJoinedFromParts(t *testing.T) {
	files := 0
	for _, folder := range []string{"..", "../../domain/queue", "../../domain/records", "../../domain/rules", "../../domain/stats", "../../domain/views"} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "internal":
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files++
			for _, text := range fragments(file) {
				t.Errorf("%s joins %q to another text; write the whole sentence as a format", path, text)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 150 {
		t.Errorf("only %d files were read", files)
	}
}

func TestAJoinedSentenceIsFound(t *testing.T) {
	for _, code := range []string{`"The revision " + n + " is held"`, `n + " more"`, `a + b + ", in force"`} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p; var x = "+code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(fragments(file)) == 0 {
			t.Errorf("%s is not found", code)
		}
	}
	for _, code := range []string{`"one line " + "and the next"`, `n + ", "`, `"✗ " + n`, `"case-" + n`} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p; var x = "+code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if found := fragments(file); len(found) > 0 {
			t.Errorf("%s: %q are found", code, found)
		}
	}
}
