package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// mayBeJoined are the texts that are joined to others although they look like parts of sentences, with the reason. The key is the
// file and the text.
var mayBeJoined = map[string]string{
	`cmd/internal/cli/queue.go:  decided`:                                                 "a mark in a cell",
	`cmd/internal/cli/queue.go:  rejected`:                                                "a mark in a cell",
	`cmd/internal/cli/queue.go:  skipped`:                                                 "a mark in a cell",
	`cmd/internal/client/attempt.go: Bearer `:                                             "a header of HTTP",
	`cmd/internal/manual/manual.go:  \fI`:                                                 "markup of roff",
	`cmd/internal/manual/manual.go:  \fICOMMAND\fP`:                                       "markup of roff",
	`cmd/internal/manual/manual.go:  or `:                                                 "compared with a text, not shown",
	`cmd/internal/serve/openapi.go: "$ref": "#/components/schemas/`:                       "JSON",
	"domain/statement/html.go: \n<article aria-labelledby=\"":                             "markup of HTML",
	"domain/statement/html.go: \n<section aria-labelledby=\"":                             "markup of HTML",
	`domain/statement/html.go: <p><strong>Note:</strong> `:                                "markup of HTML, whose sentence is whole",
	`domain/statement/html.go: <section aria-labelledby="`:                                "markup of HTML",
	`domain/statement/html.go: h2 id="`:                                                   "markup of HTML",
	`store/postgres/local.go: draft = excluded.draft, saved_at = excluded.saved_at`:       "SQL in small letters",
	`store/postgres/local.go: reason = excluded.reason, skipped_at = excluded.skipped_at`: "SQL in small letters",
	`store/postgres/arrivals.go: table_name = '`:                                          "SQL in small letters",
	`store/postgres/tables.go: .sequence + 1`:                                             "SQL in small letters",
	`store/sqlite/arrivals.go: assignee, '`:                                               "SQL in small letters",
	`store/sqlite/tables.go: .sequence + 1`:                                               "SQL in small letters",
	`ui/screen/board/count.go:  gate:blocked`:                                             "terms of the language of filters",
}

// ofDatabases finds the words of SQL, which no person reads. Its statements are put together from parts.
var ofDatabases = regexp.MustCompile(`\b(SELECT|FROM|WHERE|INSERT|UPDATE|DELETE|EXISTS|CREATE|VALUES|CASE|AND|AS|IN|SET|WHEN|ORDER BY|DROP|PRAGMA|VACUUM FULL|AS)\b|coalesce\(`)

// anyNoun finds the plural of a noun that is filled in.
var anyNoun = regexp.MustCompile(`%(\[\d\])?[sqv]s\b`)

// goesOn finds the format of a part that goes on with a sentence which another statement began. What follows a comma or a semicolon is a
// further item of a list, and what begins with a capital is a sentence of its own.
var goesOn = regexp.MustCompile(`^ [\p{Ll}%]`)

// isPart reports whether a text is words of a sentence: several words, or one with a blank beside it.
func isPart(text string) bool {
	return strings.Contains(text, " ") && strings.ContainsFunc(text, unicode.IsLower) && !ofDatabases.MatchString(text)
}

// literal is the text of a string literal.
func literal(e ast.Expr) (text string, is bool) {
	if l, of := e.(*ast.BasicLit); of && l.Kind == token.STRING {
		text, err := strconv.Unquote(l.Value)
		return text, err == nil
	}
	return "", false
}

// operands are the operands of a chain of +.
func operands(e ast.Expr) []ast.Expr {
	if sum, is := e.(*ast.BinaryExpr); is && sum.Op == token.ADD {
		return append(operands(sum.X), operands(sum.Y)...)
	}
	return []ast.Expr{e}
}

// called is the selector of a call with its package, as in fmt.Sprintf; "" for any other expression.
func called(e ast.Expr) (name string, arguments []ast.Expr) {
	if call, is := e.(*ast.CallExpr); is {
		if s, is := call.Fun.(*ast.SelectorExpr); is {
			if of, is := s.X.(*ast.Ident); is {
				return of.Name + "." + s.Sel.Name, call.Args
			}
		}
	}
	return "", nil
}

// fragments are the parts of sentences that a file joins to a text that is not known before the program runs: with +, with +=, as
// words between the elements of a list, or as the s of a plural. Constants, panics and sentences that are written over several
// lines have none.
func fragments(file *ast.File) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.BasicLit:
			if text, is := literal(n); is && anyNoun.MatchString(text) {
				found = append(found, text)
			}
		case *ast.CallExpr:
			if name, is := n.Fun.(*ast.Ident); is && name.Name == "panic" {
				return false
			}
			if name, arguments := called(n); name == "strings.Join" && len(arguments) == 2 {
				if text, is := literal(arguments[1]); is && isPart(text) {
					found = append(found, text)
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.ADD_ASSIGN {
				return true
			}
			part := n.Rhs[0]
			if name, arguments := called(part); name == "fmt.Sprintf" {
				part = arguments[0]
			}
			if text, is := literal(part); is && isPart(text) && goesOn.MatchString(text) {
				found = append(found, text)
			}
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				return true
			}
			var parts []string
			list := operands(n)
			for _, operand := range list {
				if text, is := literal(operand); is {
					parts = append(parts, text)
				}
			}
			if len(parts) < len(list) && !slices.ContainsFunc(parts, ofDatabases.MatchString) {
				for _, text := range parts {
					if isPart(text) || text == "s" {
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

// linked are the packages of this module that the program is made of.
func linked(t *testing.T) (list []goPackage) {
	t.Helper()
	byPath := map[string]goPackage{}
	for _, p := range packages(t) {
		byPath[p.ImportPath] = p
	}
	paths := []string{module + "/cmd/docket"}
	for i := 0; i < len(paths); i++ {
		p := byPath[paths[i]]
		list = append(list, p)
		for _, imported := range p.Imports {
			if _, ours := byPath[imported]; ours && !slices.Contains(paths, imported) {
				paths = append(paths, imported)
			}
		}
	}
	return list
}

// wholeSentence finds a text that begins as a sentence and ends as one. An error has neither a capital nor a full stop.
var wholeSentence = regexp.MustCompile(`^\p{Lu}[^\n]* [^\n]* [^\n]* [^\n]*\.$`)

// A sentence that two files of a package tell is a constant of the package, so that it is translated once.
func TestASentenceStandsInOneFileOfItsPackage(t *testing.T) {
	t.Parallel()
	sentences := 0
	for _, p := range linked(t) {
		files := map[string]string{}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				e, is := n.(*ast.BasicLit)
				if !is {
					return true
				}
				text, _ := literal(e)
				if !wholeSentence.MatchString(text) || ofDatabases.MatchString(text) {
					return true
				}
				sentences++
				if other := files[text]; other != "" && other != name {
					t.Errorf("%s: %s and %s write %q; make it a constant", p.ImportPath, other, name, text)
				}
				files[text] = name
				return true
			})
		}
	}
	if sentences < 300 {
		t.Errorf("only %d sentences were read", sentences)
	}
}

// A sentence stands as a whole, with %s and %d for what is filled in, so that it can be translated.
func TestNoSentenceIsJoinedFromParts(t *testing.T) {
	t.Parallel()
	files, given := 0, map[string]bool{}
	for _, p := range linked(t) {
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files++
			for _, text := range fragments(file) {
				place := fmt.Sprintf("%s/%s: %s", strings.TrimPrefix(p.ImportPath, module+"/"), name, text)
				if given[place] = true; mayBeJoined[place] == "" {
					t.Errorf("%q is joined to another text; write the whole sentence as a format", place)
				}
			}
		}
	}
	for place := range mayBeJoined {
		if !given[place] {
			t.Errorf("%q needs no reason", place)
		}
	}
	if files < 400 {
		t.Errorf("only %d files were read", files)
	}
}

func TestAJoinedSentenceIsFound(t *testing.T) {
	t.Parallel()
	parsed := func(code string) *ast.File {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func f() { x "+code+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, code := range []string{`= "The revision " + n + " is held"`, `= n + " more"`, `= a + b + ", in force"`, `= noun + "s"`, `+= " in force"`,
		`+= fmt.Sprintf(" at revision %s", n)`, `= strings.Join(list, " and ")`, `= fmt.Sprintf("%d %ss", n, noun)`} {
		if len(fragments(parsed(code))) == 0 {
			t.Errorf("%s is not found", code)
		}
	}
	for _, code := range []string{`= "one line " + "and the next"`, `= n + ", "`, `= "✗ " + n`, `= "case-" + n`, `+= " A sentence of its own."`, `+= ", added"`,
		`= strings.Join(list, ", ")`, `= fmt.Sprintf("%d cases", n)`, `= "SELECT id FROM " + table + " ORDER BY place"`} {
		if found := fragments(parsed(code)); len(found) > 0 {
			t.Errorf("%s: %q are found", code, found)
		}
	}
}
