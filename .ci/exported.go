// Exported finds exported names of this module that no other package of it uses: functions, variables, constants, types, and the methods and
// fields of exported types. Each is printed as PACKAGE.NAME or PACKAGE.TYPE.NAME with its place, unless the list named by -allowed gives a
// reason for it. It exits with 1 if it printed one, and if a line of the list allows nothing any more.
//
// A line of that list is a regular expression over the printed name, a colon and a space, and the reason; empty lines and those that begin
// with # are passed over.
//
// A use in a test counts for the packages that tests are written with, whose names end in "test", for the library (domain and contracts), whose
// tests stand for other programs, and for errors that a caller may ask for; of other names it says nothing. These need no use of their own: a
// method of an interface, or by which a type implements one; a constant of a type that is used; a type in what another package uses, such as
// the result of a function; a field that an encoding reads by its tag, and an embedded field. A name in a file of another platform counts as used.
//
//	go run .ci/exported.go -allowed .ci/exported
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A listed is a package as `go list` describes it.
type listed struct {
	Dir, ImportPath, Name, Export      string
	GoFiles, IgnoredGoFiles            []string
	TestGoFiles, XTestGoFiles          []string
	Imports, TestImports, XTestImports []string
	Module                             *struct{ Main bool }
}

// A survey is what is known of the names.
type survey struct {
	files   *token.FileSet
	imports types.Importer
	ours    map[string]bool         // packages of this module
	owners  map[types.Object]string // the keys of names, of packages that were looked at
	seen    map[*types.Package]bool // whose names have keys
	used    map[string]bool         // by another package
	loose   map[string]bool         // names in files that were only parsed
	asked   [][]string              // the exported methods of interfaces that have no exported name
}

func main() {
	log.SetFlags(0)
	allowed := flag.String("allowed", "", "file with the names that may stay without a use, and why")
	flag.Parse()
	packages, err := list()
	if err != nil {
		log.Fatal(err)
	}
	s := survey{files: token.NewFileSet(), ours: map[string]bool{}, owners: map[types.Object]string{}, seen: map[*types.Package]bool{},
		used: map[string]bool{}, loose: map[string]bool{}}
	if s.imports, err = exports(s.files, packages); err != nil {
		log.Fatal(err)
	}
	for _, p := range packages {
		s.ours[p.ImportPath] = true
	}
	for _, p := range packages {
		if err := s.look(p); err != nil {
			log.Fatal(err)
		}
	}
	names, err := s.unused(packages)
	if err != nil {
		log.Fatal(err)
	}
	wrong, err := without(names, *allowed)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range wrong {
		fmt.Println(line)
	}
	fmt.Printf("%d exported names without a use in another package, %d of them without a reason\n", len(names), len(wrong))
	if len(wrong) > 0 {
		os.Exit(1)
	}
}

// list describes the packages of this module.
func list() (packages []listed, err error) {
	return packages, golist(func(p listed) { packages = append(packages, p) }, "./...")
}

// golist calls tell for each package that `go list` with the arguments describes.
func golist(tell func(listed), args ...string) error {
	out, err := exec.Command("go", append([]string{"list", "-json"}, args...)...).Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return fmt.Errorf("go list: %w: %s", err, failed.Stderr)
	}
	if err != nil {
		return err
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			return err
		}
		tell(p)
	}
	return nil
}

// exports reads packages as the compiler wrote them, with those that tests import.
func exports(files *token.FileSet, packages []listed) (types.Importer, error) {
	wanted := map[string]bool{}
	for _, p := range packages {
		for _, path := range slices.Concat([]string{p.ImportPath}, p.TestImports, p.XTestImports) {
			wanted[path] = path != "C" && path != "unsafe"
		}
	}
	maps.DeleteFunc(wanted, func(_ string, is bool) bool { return !is })
	compiled := map[string]string{}
	err := golist(func(p listed) { compiled[p.ImportPath] = p.Export },
		append([]string{"-deps", "-export", "-json=ImportPath,Export"}, slices.Sorted(maps.Keys(wanted))...)...)
	return importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		if compiled[path] == "" {
			return nil, fmt.Errorf("%s is not compiled", path)
		}
		return os.Open(compiled[path])
	}), err
}

// look notes which names of other packages a package uses.
func (s *survey) look(p listed) error {
	product, err := s.parse(p.Dir, p.GoFiles)
	if err != nil {
		return err
	}
	tests, err := s.parse(p.Dir, p.TestGoFiles)
	if err != nil {
		return err
	}
	outside, err := s.parse(p.Dir, p.XTestGoFiles)
	if err != nil {
		return err
	}
	s.check(p.ImportPath, product, nil)
	forTests := func(object types.Object) bool {
		path, _ := strings.CutPrefix(object.Pkg().Path(), "docket/")
		top, _, _ := strings.Cut(path, "/")
		return strings.HasSuffix(path, "test") || top == "domain" || top == "contracts" || types.AssignableTo(object.Type(), errorType)
	}
	if len(tests) > 0 {
		s.check(p.ImportPath, slices.Concat(product, tests), forTests)
	}
	if len(outside) > 0 {
		s.check(p.ImportPath+"_test", outside, forTests)
	}
	other, err := s.parse(p.Dir, p.IgnoredGoFiles)
	for _, file := range other {
		ast.Inspect(file, func(n ast.Node) bool {
			if selected, is := n.(*ast.SelectorExpr); is {
				s.loose[selected.Sel.Name] = true
			}
			return true
		})
	}
	return err
}

func (s *survey) parse(folder string, names []string) (files []*ast.File, err error) {
	for _, name := range names {
		file, err := parser.ParseFile(s.files, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// errorType is the type error.
var errorType = types.Universe.Lookup("error").Type()

// check notes the uses in files; counts says which of them count, nil: all. What an external test takes from a test of the
// package itself is not known to it, and no error.
func (s *survey) check(path string, files []*ast.File, counts func(types.Object) bool) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: s.imports, Error: func(error) {}}
	_, _ = config.Check(path, s.files, files, info)
	note := func(object types.Object) {
		if of := object.Pkg(); of == nil || of.Path() == path || !s.ours[of.Path()] || counts != nil && !counts(object) {
			return
		}
		if key := s.key(object); key != "" {
			s.used[key] = true
		}
	}
	for _, object := range info.Uses {
		note(object)
	}
	for _, of := range info.Types {
		if i, is := of.Type.(*types.Interface); is && of.IsType() && i.NumMethods() > 0 {
			var names []string
			for method := range i.Methods() {
				names = append(names, method.Name())
			}
			s.asked = append(s.asked, names)
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			literal, is := n.(*ast.CompositeLit)
			if !is || len(literal.Elts) == 0 {
				return true
			}
			if _, keyed := literal.Elts[0].(*ast.KeyValueExpr); keyed || info.Types[literal].Type == nil {
				return true
			}
			if of, is := under(info.Types[literal].Type).(*types.Struct); is {
				for field := range of.Fields() {
					note(field)
				}
			}
			return true
		})
	}
}

// under is the type below names and one pointer.
func under(t types.Type) types.Type {
	if pointer, is := t.Underlying().(*types.Pointer); is {
		t = pointer.Elem()
	}
	return t.Underlying()
}

// key names an object of a package of this module; "" for one that no other package could name.
func (s *survey) key(object types.Object) string {
	switch o := object.(type) {
	case *types.Func:
		object = o.Origin()
	case *types.Var:
		object = o.Origin()
	}
	if of := object.Pkg(); of == nil || !s.ours[of.Path()] {
		return ""
	} else if !s.seen[of] {
		s.seen[of] = true
		for _, name := range of.Scope().Names() {
			s.own(of.Path()+"."+name, of.Scope().Lookup(name))
		}
	}
	return s.owners[object]
}

// own gives keys to a name of a package and to the methods and fields of a type.
func (s *survey) own(key string, object types.Object) {
	s.owners[object] = key
	name, is := object.(*types.TypeName)
	if !is || name.IsAlias() {
		return
	}
	named, is := name.Type().(*types.Named)
	if !is {
		return
	}
	for method := range named.Methods() {
		s.owners[method] = key + "." + method.Name()
	}
	s.ownMembers(key, named.Underlying())
}

// ownMembers gives keys to the fields of a struct, also where it stands within a type without a name, and to the methods of an interface.
func (s *survey) ownMembers(key string, t types.Type) {
	switch t := t.(type) {
	case *types.Struct:
		for field := range t.Fields() {
			s.owners[field] = key + "." + field.Name()
			s.ownMembers(key+"."+field.Name(), field.Type())
		}
	case *types.Interface:
		for method := range t.ExplicitMethods() {
			s.owners[method] = key + "." + method.Name()
		}
	case *types.Slice:
		s.ownMembers(key, t.Elem())
	case *types.Array:
		s.ownMembers(key, t.Elem())
	case *types.Pointer:
		s.ownMembers(key, t.Elem())
	case *types.Map:
		s.ownMembers(key, t.Elem())
	}
}

// An unusedName is an exported name that no other package uses.
type unusedName struct{ key, place string }

// unused lists the exported names that no other package uses.
func (s *survey) unused(packages []listed) (names []unusedName, err error) {
	s.implement(packages)
	for more := true; more; {
		if more, err = s.reach(packages); err != nil {
			return nil, err
		}
	}
	for _, p := range packages {
		if p.Name == "main" || len(p.GoFiles) == 0 {
			continue
		}
		of, err := s.imports.Import(p.ImportPath)
		if err != nil {
			return nil, err
		}
		add := func(object types.Object) {
			key := s.key(object)
			if object.Exported() && !s.used[key] && !s.loose[object.Name()] {
				place := s.files.Position(object.Pos())
				names = append(names, unusedName{key, fmt.Sprintf("%s:%d", strings.TrimPrefix(p.ImportPath+"/"+filepath.Base(place.Filename), "docket/"), place.Line)})
			}
		}
		for _, name := range of.Scope().Names() {
			object := of.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			add(object)
			kind, is := object.(*types.TypeName)
			if !is || kind.IsAlias() {
				continue
			}
			named, is := kind.Type().(*types.Named)
			if !is {
				continue
			}
			for method := range named.Methods() {
				add(method)
			}
			switch t := named.Underlying().(type) {
			case *types.Struct:
				for i := range t.NumFields() {
					if field := t.Field(i); !field.Embedded() && t.Tag(i) == "" {
						add(field)
					}
				}
			}
		}
	}
	slices.SortFunc(names, func(a, b unusedName) int { return strings.Compare(a.key, b.key) })
	return names, nil
}

// reach marks types that stand in what is used, and constants of types that are, and reports whether there were any.
func (s *survey) reach(packages []listed) (more bool, err error) {
	mark := func(name *types.TypeName) {
		if name.Pkg() == nil || !s.ours[name.Pkg().Path()] {
			return
		}
		if key := s.key(name); key != "" && !s.used[key] {
			s.used[key], more = true, true
		}
	}
	for _, p := range packages {
		if len(p.GoFiles) == 0 {
			continue
		}
		of, err := s.imports.Import(p.ImportPath)
		if err != nil {
			return false, err
		}
		for _, name := range of.Scope().Names() {
			object := of.Scope().Lookup(name)
			kind, is := object.(*types.TypeName)
			if !is {
				if s.used[s.key(object)] {
					typesIn(object.Type(), mark)
				} else if named, is := types.Unalias(object.Type()).(*types.Named); is && s.used[s.key(named.Obj())] {
					if _, is := object.(*types.Const); is {
						s.used[s.key(object)] = true
					}
				}
				continue
			}
			if !s.used[s.key(kind)] {
				continue
			}
			if kind.IsAlias() {
				typesIn(kind.Type(), mark)
				continue
			}
			typesIn(kind.Type().Underlying(), mark)
			if named, is := kind.Type().(*types.Named); is {
				for method := range named.Methods() {
					if method.Exported() {
						typesIn(method.Type(), mark)
					}
				}
			}
		}
	}
	return more, nil
}

// typesIn calls mark for the exported types that another package sees in a type.
func typesIn(t types.Type, mark func(*types.TypeName)) {
	switch t := t.(type) {
	case *types.Alias:
		mark(t.Obj())
		typesIn(t.Rhs(), mark)
	case *types.Named:
		mark(t.Obj())
		for argument := range t.TypeArgs().Types() {
			typesIn(argument, mark)
		}
	case *types.Pointer:
		typesIn(t.Elem(), mark)
	case *types.Slice:
		typesIn(t.Elem(), mark)
	case *types.Array:
		typesIn(t.Elem(), mark)
	case *types.Chan:
		typesIn(t.Elem(), mark)
	case *types.Map:
		typesIn(t.Key(), mark)
		typesIn(t.Elem(), mark)
	case *types.Signature:
		for variable := range t.Params().Variables() {
			typesIn(variable.Type(), mark)
		}
		for variable := range t.Results().Variables() {
			typesIn(variable.Type(), mark)
		}
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				typesIn(field.Type(), mark)
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			typesIn(method.Type(), mark)
		}
	}
}

// byName are asked for by package errors.
var byName = [][]string{{"Unwrap"}, {"Is"}, {"As"}}

// useAll marks the methods of a type that has all of these names. The types of methods are not compared: those of an interface without an
// exported name are known only where it stands.
func (s *survey) useAll(named *types.Named, names []string) {
	methods := types.NewMethodSet(types.NewPointer(named))
	var found []string
	for _, name := range names {
		one := methods.Lookup(nil, name)
		if one == nil {
			return
		}
		if of := one.Obj().Pkg(); of != nil && s.ours[of.Path()] {
			found = append(found, s.key(one.Obj()))
		}
	}
	for _, key := range found {
		s.used[key] = true
	}
}

// implement marks the methods by which types implement interfaces, of this module and of all packages that it imports.
func (s *survey) implement(packages []listed) {
	var interfaces []*types.Interface
	var all []*types.Named
	looked := map[*types.Package]bool{}
	var walk func(of *types.Package)
	walk = func(of *types.Package) {
		if looked[of] {
			return
		}
		looked[of] = true
		for _, name := range of.Scope().Names() {
			kind, is := of.Scope().Lookup(name).(*types.TypeName)
			if !is || kind.IsAlias() {
				continue
			}
			named, is := kind.Type().(*types.Named)
			if !is {
				continue
			}
			if i, is := named.Underlying().(*types.Interface); is {
				if i.NumMethods() > 0 && named.TypeParams().Len() == 0 {
					interfaces = append(interfaces, i)
				}
			} else if s.ours[of.Path()] {
				all = append(all, named)
			}
		}
		for _, imported := range of.Imports() {
			walk(imported)
		}
	}
	for _, p := range packages {
		if of, err := s.imports.Import(p.ImportPath); err == nil {
			walk(of)
		}
	}
	interfaces = append(interfaces, errorType.Underlying().(*types.Interface))
	for _, named := range all {
		pointer := types.NewPointer(named)
		methods := types.NewMethodSet(pointer)
		for _, i := range interfaces {
			if !types.Implements(pointer, i) {
				continue
			}
			for method := range i.Methods() {
				if found := methods.Lookup(method.Pkg(), method.Name()); found != nil && s.ours[found.Obj().Pkg().Path()] {
					s.used[s.key(found.Obj())] = true
				}
			}
		}
		for _, names := range append(s.asked, byName...) {
			s.useAll(named, names)
		}
	}
}

// without leaves out what a list gives a reason for, and says which of its lines allow nothing.
func without(names []unusedName, path string) (wrong []string, err error) {
	text := []byte{}
	if path != "" {
		if text, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	type reason struct {
		pattern *regexp.Regexp
		text    string
		used    bool
	}
	var reasons []*reason
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		before, after, is := strings.Cut(line, ": ")
		pattern, err := regexp.Compile("^(?:" + before + ")$")
		if err != nil || !is || strings.TrimSpace(after) == "" {
			return nil, errors.Join(err, fmt.Errorf("%s: a line is no name and its reason: %s", path, line))
		}
		reasons = append(reasons, &reason{pattern, line, false})
	}
	for _, name := range names {
		allowed := false
		for _, r := range reasons {
			if r.pattern.MatchString(name.key) {
				allowed, r.used = true, true
			}
		}
		if !allowed {
			wrong = append(wrong, name.key+"\t"+name.place)
		}
	}
	for _, r := range reasons {
		if !r.used {
			wrong = append(wrong, path+": allows nothing any more: "+r.text)
		}
	}
	return wrong, nil
}
