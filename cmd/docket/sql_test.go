package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// speaksSQL are the folders whose texts may be SQL: what both engines take, each engine's own, the forgeries, servers and machines of tests, and the self-test with a database of
// its own.
var speaksSQL = []string{"store/engine", "store/sqlite", "store/postgres", "store/verify/verifytest", "cmd/internal/programtest", "ui/internal/workbenchtest"}

// statementOfSQL is how a statement, or a piece of one, begins.
var statementOfSQL = regexp.MustCompile(`(?i)^\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|PRAGMA|CREATE|DROP|ALTER|WITH|VACUUM|ATTACH)\s+[A-Za-z_(]`)

// statementBegins is the first line of a statement in a file of SQL.
var statementBegins = regexp.MustCompile(`(?m)^(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH)\b`)

// sqlIn lists what of a file is SQL: imports of database/sql and texts in capitals that begin as a statement does, or name main.
func sqlIn(t *testing.T, path string) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	must(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		literal, is := n.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		if err != nil || statementOfSQL.MatchString(text) && word == strings.ToUpper(word) ||
			strings.HasPrefix(text, "database/sql") || strings.Contains(text, " main.") && !strings.Contains(text, " main.go") {
			found = append(found, literal.Value)
		}
		return true
	})
	return found
}

// What a database speaks is in the folders of the engines, and the rules are not.
func TestSQLStandsInTheFoldersOfTheEngines(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	files, engine := 0, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".sql" {
			text, err := os.ReadFile(path)
			engine += len(statementBegins.FindAll(text, -1))
			return err
		}
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for _, folder := range speaksSQL {
			if strings.HasPrefix(filepath.ToSlash(name), folder+"/") {
				engine += len(sqlIn(t, path))
				return nil
			}
		}
		for _, text := range sqlIn(t, path) {
			t.Errorf("%s: %s", name, text)
		}
		return nil
	})
	if err != nil || files < 200 || engine < 100 {
		t.Errorf("%d files, %d statements in the engine, %v", files, engine, err)
	}
}

// The store chooses its engine in one place, and knows it by its interface alone elsewhere.
func TestTheStoreNamesItsEngineInOnePlace(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "store", "*.go"))
	must(t, err)
	var naming []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		must(t, err)
		for _, imported := range file.Imports {
			if imported.Path.Value == `"docket/store/sqlite"` {
				naming = append(naming, filepath.Base(path))
			}
		}
	}
	if len(naming) != 1 || naming[0] != "store.go" {
		t.Errorf("store/sqlite is named in %v", naming)
	}
}
