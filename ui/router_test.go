package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// The router is small, and it knows no screen's inside: of the packages below screen it calls constructors only, keeps what they
// return as one of the interfaces that it declares or that package screen does, and names their types nowhere but in the aliases
// for this package's callers.

// mostMethods is how many methods the router has at most, those of screen.Host and of tea.Model included.
const mostMethods = 30

func TestTheRouterIsSmall(t *testing.T) {
	if n := len(methodsOf(t, "console")); n < 10 || n > mostMethods {
		t.Errorf("the router has %d methods, and may have %d: give one to the screen or to the task that it is about", n, mostMethods)
	}
}

func TestTheRouterKnowsNoScreensInside(t *testing.T) {
	screens := 0
	for _, file := range productFiles(t) {
		inside := map[string]bool{} // the names under which packages of screens are imported
		for _, one := range file.Imports {
			path, _ := strconv.Unquote(one.Path.Value)
			if !strings.HasPrefix(path, "docket/ui/screen/") {
				continue
			}
			screens++
			name := filepath.Base(path)
			if one.Name != nil {
				name = one.Name.Name
			}
			inside[name] = true
		}
		for _, fault := range screenFaults(file, inside) {
			t.Error(fault)
		}
	}
	if screens < 6 {
		t.Errorf("%d imports of screens were found", screens)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[console]()) {
		if path := field.Type.PkgPath(); strings.HasPrefix(path, "docket/ui/screen/") || field.Type.Kind() == reflect.Pointer &&
			strings.HasPrefix(field.Type.Elem().PkgPath(), "docket/ui/screen/") {
			t.Errorf("the router holds %s, a %s", field.Name, field.Type)
		}
	}
}

func TestACallIntoAScreenIsFound(t *testing.T) {
	for code, want := range map[string]int{
		"var c = console{queue: queue.New()}":               0,
		"type Filter = queue.Filter":                        0,
		"func f() { packet.Open().CarryOut(nil) }":          0,
		"func f() { q := queue.New(); q.Roll(1) }":          1,
		"func f() { queue.New().Roll(1) }":                  1,
		"func f() { queue.Rejected() }":                     1,
		"func f(q *queue.Screen) {}":                        1,
		"var only = queue.OnlyRejected":                     1,
		"func f(s any) { _ = s.(*packet.Screen).CaseFile }": 1,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "router.go", "package ui\n"+code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := screenFaults(file, map[string]bool{"queue": true, "packet": true}); len(got) != want {
			t.Errorf("%s: %q", code, got)
		}
	}
}

// screenFaults lists what a file knows of the inside of screens.
func screenFaults(file *ast.File, inside map[string]bool) (faults []string) {
	of := func(e ast.Expr) (name string, is bool) {
		selected, is := e.(*ast.SelectorExpr)
		if !is {
			return "", false
		}
		from, is := selected.X.(*ast.Ident)
		return selected.Sel.Name, is && inside[from.Name]
	}
	constructs := func(e ast.Expr) bool {
		call, is := e.(*ast.CallExpr)
		if !is {
			return false
		}
		_, is = of(call.Fun)
		return is
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			return !n.Assign.IsValid() // an alias may name a type
		case *ast.AssignStmt:
			for _, value := range n.Rhs {
				if n.Tok == token.DEFINE && constructs(value) {
					faults = append(faults, "a variable holds what a screen's constructor returns, with all its methods")
				}
			}
		case *ast.SelectorExpr:
			if name, is := of(n); is && !strings.HasPrefix(name, "New") && !strings.HasPrefix(name, "Open") {
				faults = append(faults, "it names "+name+" of a screen")
			}
			if constructs(n.X) && n.Sel.Name != "CarryOut" {
				faults = append(faults, "it calls "+n.Sel.Name+" of what a screen's constructor returns")
			}
		}
		return true
	})
	return faults
}

// methodsOf lists the methods of a type of this package.
func methodsOf(t *testing.T, of string) (names []string) {
	t.Helper()
	for _, file := range productFiles(t) {
		for _, d := range file.Decls {
			method, is := d.(*ast.FuncDecl)
			if !is || method.Recv == nil {
				continue
			}
			on := method.Recv.List[0].Type
			if star, is := on.(*ast.StarExpr); is {
				on = star.X
			}
			if name, is := on.(*ast.Ident); is && name.Name == of {
				names = append(names, method.Name.Name)
			}
		}
	}
	return names
}

// productFiles reads the files of this package without its tests.
func productFiles(t *testing.T) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal("there is no file", err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}
