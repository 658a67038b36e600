//go:build ignore

// Mutants plants small faults, one at a time, in the packages and files that it is given, and tells which of them the
// tests find.
//
//	go run testdata/measure/mutants.go [flags] PACKAGE|FILE ...
//
// A PACKAGE is a folder such as cmd/internal/serve. Candidates are turned comparisons and bounds, negated conditions, guards that
// never hold, swapped && and ||, swapped arithmetic, constants that are one more, turned booleans, dropped statements,
// and errors that are not returned. -n of them are drawn by -seed, from all that are named together.
//
// Each is compiled through an overlay, so that the working tree is never touched, and the tests of its package run against it;
// if they pass, those of -also, in turn, one test package or PACKAGE:REGEXP each. -skip leaves slow tests out of all of
// them. A fault is killed if some test fails, has lived if all pass, and hung where they do not end within -limit, which
// counts as not killed. One that does not compile is not counted, and another is drawn.
//
// testdata/measure/mutants.txt lists changes that no test can find, each with the reason. One of those is not counted either. With
// -ledger they are tried: if one is killed the list is wrong, and the exit status is 1.
//
// Takes minutes to hours. -list prints what would be drawn and runs nothing; -only runs those of the given numbers.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ledgerFile lists the changes that no test can find: file, function, kind, line and reason, separated by tabs.
const ledgerFile = "testdata/measure/mutants.txt"

// A mutant is one fault: the bytes from start to end of a file are replaced.
type mutant struct {
	file, function, kind string
	line                 int
	start, end           int
	replacement          string
	code                 string // its line, with the place between « and »
}

func (m *mutant) identity() string {
	return strings.Join([]string{m.file, m.function, m.kind, m.code}, "\t")
}

func (m *mutant) pkg() string { return filepath.Dir(m.file) }

// A fate is what the tests make of a mutant.
type fate string

const (
	killed  fate = "killed"
	lived   fate = "lived"
	hung    fate = "hung"
	noBuild fate = "no build"
)

type options struct {
	n, seed    int
	limit      time.Duration
	also       []string
	skip, only string
	list       bool
	ledger     bool
	verbose    bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 20, "how many faults are tried")
	flag.IntVar(&o.seed, "seed", 1, "which ones are drawn depends on it")
	flag.DurationVar(&o.limit, "limit", 5*time.Minute, "how long the tests of one package may take on a fault")
	flag.StringVar(&o.skip, "skip", "", "tests that are left out, as go test -skip")
	flag.StringVar(&o.only, "only", "", "only the faults with these numbers of the list, separated by commas")
	flag.BoolVar(&o.list, "list", false, "print the faults and run nothing")
	flag.BoolVar(&o.ledger, "ledger", false, "try the listed changes of the named files instead")
	flag.BoolVar(&o.verbose, "v", false, "print which test killed a fault")
	flag.Func("also", "a further test package, or PACKAGE:REGEXP; may be given again", func(text string) error {
		o.also = append(o.also, text)
		return nil
	})
	flag.Parse()
	status, err := run(&o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		status = 2
	}
	os.Exit(status)
}

func run(o *options, named []string) (status int, err error) {
	if len(named) == 0 {
		return 2, errors.New("name a package or a file")
	}
	ledger, err := readLedger()
	if err != nil {
		return 2, err
	}
	candidates, err := find(named)
	if err != nil {
		return 2, err
	}
	fmt.Printf("%d places in %s\n", len(candidates), strings.Join(named, " "))
	random := rand.New(rand.NewPCG(uint64(o.seed), 0))
	random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	candidates = slices.DeleteFunc(candidates, func(m mutant) bool { return ledger[m.identity()] != o.ledger })
	if o.ledger {
		o.n = len(candidates)
	}
	folder, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return 2, err
	}
	defer os.RemoveAll(folder)
	tally := map[string]map[fate]int{}
	count, tried := 0, 0
	for i := range candidates {
		m := &candidates[i]
		if tried == o.n {
			break
		}
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), strconv.Itoa(i)) {
			continue
		}
		if o.list {
			fmt.Printf("%4d %s:%d %s: %s: %s\n", i, m.file, m.line, m.function, m.kind, m.code)
			tried++
			continue
		}
		began := time.Now()
		became, by, err := try(o, folder, m)
		if err != nil {
			return 2, err
		}
		if tally[m.pkg()] == nil {
			tally[m.pkg()] = map[fate]int{}
		}
		tally[m.pkg()][became]++
		if became != noBuild {
			tried++
		}
		count++
		if became != noBuild {
			fmt.Printf("%-7s %4d %s:%d %s: %s: %s (%.0fs%s)\n", became, i, m.file, m.line, m.function, m.kind, m.code, time.Since(began).Seconds(), by)
		}
		if o.ledger && became == killed {
			status = 1
			fmt.Println("        is listed as one that no test can find, and was killed")
		}
	}
	if !o.list {
		table(tally)
	}
	return status, nil
}

// table prints what became of the faults of each package.
func table(tally map[string]map[fate]int) {
	names := make([]string, 0, len(tally))
	total := map[fate]int{}
	for name, counts := range tally {
		names = append(names, name)
		for became, n := range counts {
			total[became] += n
		}
	}
	slices.Sort(names)
	tally["together"] = total
	fmt.Printf("%-30s %7s %7s %7s %8s %9s\n", "", "killed", "lived", "hung", "score", "no build")
	for _, name := range append(names, "together") {
		c := tally[name]
		tried := c[killed] + c[lived] + c[hung]
		fmt.Printf("%-30s %7d %7d %7d %7.1f%% %9d\n", name, c[killed], c[lived], c[hung], 100*float64(c[killed])/float64(max(1, tried)), c[noBuild])
	}
}

// readLedger reads the list of changes that no test can find. One that is not in its file any more is an error.
func readLedger() (map[string]bool, error) {
	text, err := os.ReadFile(ledgerFile)
	if err != nil {
		return nil, err
	}
	ledger := map[string]bool{}
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 5 || parts[4] == "" {
			return nil, fmt.Errorf("%s:%d: a line has file, function, kind, code and reason", ledgerFile, n+1)
		}
		source, err := os.ReadFile(parts[0])
		if code := strings.NewReplacer("«", "", "»", "").Replace(parts[3]); err != nil || !strings.Contains(string(source), code) {
			return nil, fmt.Errorf("%s:%d: %s does not have the line any more", ledgerFile, n+1, parts[0])
		}
		ledger[strings.Join(parts[:4], "\t")] = true
	}
	return ledger, nil
}

// find lists all faults that can be planted in the packages and files.
func find(named []string) (all []mutant, err error) {
	for _, name := range named {
		files := []string{filepath.Clean(name)}
		if !strings.HasSuffix(name, ".go") {
			if files, err = filepath.Glob(filepath.Join(name, "*.go")); err != nil {
				return nil, err
			}
		}
		found := 0
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			mutants, err := mutantsOf(file, source)
			if err != nil {
				return nil, err
			}
			all, found = append(all, mutants...), found+1
		}
		if found == 0 {
			return nil, fmt.Errorf("%s has no source", name)
		}
	}
	return all, nil
}

// A planter collects the faults of one file.
type planter struct {
	file     string
	source   []byte
	set      *token.FileSet
	function string
	found    []mutant
}

func mutantsOf(file string, source []byte) ([]mutant, error) {
	p := &planter{file: file, source: source, set: token.NewFileSet()}
	tree, err := parser.ParseFile(p.set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, declared := range tree.Decls {
		switch d := declared.(type) {
		case *ast.FuncDecl:
			p.function = d.Name.Name
			if d.Recv != nil {
				p.function = strings.TrimLeft(p.text(d.Recv.List[0].Type), "*") + "." + p.function
			}
			if d.Body != nil && p.function != "String" && !strings.HasSuffix(p.function, ".String") && !strings.HasSuffix(p.function, ".Error") {
				ast.Inspect(d.Body, p.visit)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR || d.Tok == token.CONST {
				p.function = d.Tok.String()
				ast.Inspect(d, p.visit)
			}
		}
	}
	return p.found, nil
}

func (p *planter) text(n ast.Node) string {
	return string(p.source[p.offset(n.Pos()):p.offset(n.End())])
}

func (p *planter) offset(at token.Pos) int { return p.set.Position(at).Offset }

// plant notes that what stands between two places may be replaced.
func (p *planter) plant(kind string, from, to token.Pos, replacement string) {
	start, end := p.offset(from), p.offset(to)
	first := bytes.LastIndexByte(p.source[:start], '\n') + 1
	last := len(p.source)
	if n := bytes.IndexByte(p.source[start:], '\n'); n >= 0 {
		last = start + n
	}
	shown := min(end, last)
	code := string(p.source[first:start]) + "«" + string(p.source[start:shown]) + "»" + string(p.source[shown:last])
	p.found = append(p.found, mutant{p.file, p.function, kind, p.set.Position(from).Line, start, end, replacement, strings.TrimSpace(code)})
}

// The operators that take one another's place.
var (
	bounds  = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}
	turned  = map[token.Token]string{token.EQL: "!=", token.NEQ: "==", token.LAND: "||", token.LOR: "&&"}
	swapped = map[token.Token]string{token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*"}
)

func (p *planter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		end := n.OpPos + token.Pos(len(n.Op.String()))
		if other, is := bounds[n.Op]; is {
			p.plant("bound", n.OpPos, end, other)
		}
		if other, is := turned[n.Op]; is {
			p.plant("turned", n.OpPos, end, other)
		}
		if other, is := swapped[n.Op]; is && !isText(n.X) && !isText(n.Y) {
			p.plant("arithmetic", n.OpPos, end, other)
		}
	case *ast.BasicLit:
		if number, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			p.plant("constant", n.Pos(), n.End(), strconv.FormatInt(number+1, 10))
		}
	case *ast.Ident:
		if other, is := map[string]string{"true": "false", "false": "true"}[n.Name]; is {
			p.plant("boolean", n.Pos(), n.End(), other)
		}
	case *ast.IfStmt:
		p.plant("negated", n.Cond.Pos(), n.Cond.End(), "!("+p.text(n.Cond)+")")
		if n.Else == nil {
			p.plant("guard off", n.Cond.Pos(), n.Cond.End(), "false && ("+p.text(n.Cond)+")")
		}
	case *ast.IncDecStmt:
		other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok]
		p.plant("arithmetic", n.TokPos, n.TokPos+2, other)
	case *ast.BlockStmt:
		p.statements(n.List)
	case *ast.CaseClause:
		p.statements(n.Body)
	case *ast.CommClause:
		p.statements(n.Body)
	}
	return true
}

// statements plants dropped statements and errors that are not returned.
func (p *planter) statements(list []ast.Stmt) {
	for _, statement := range list {
		switch s := statement.(type) {
		case *ast.ExprStmt, *ast.SendStmt, *ast.DeferStmt:
			p.plant("dropped", s.Pos(), s.End(), "_ = 0")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				p.plant("dropped", s.Pos(), s.End(), "_ = 0")
			}
		case *ast.BranchStmt:
			if other, is := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[s.Tok]; is && s.Label == nil {
				p.plant("branch", s.Pos(), s.End(), other)
			}
		case *ast.ReturnStmt:
			if len(s.Results) == 0 {
				continue
			}
			last := s.Results[len(s.Results)-1]
			if name, is := last.(*ast.Ident); is && (name.Name == "err" || strings.HasPrefix(name.Name, "Err") || strings.HasPrefix(name.Name, "err")) {
				p.plant("error", last.Pos(), last.End(), "nil")
			} else if call, is := last.(*ast.CallExpr); is && errorCall.MatchString(p.text(call.Fun)) {
				p.plant("error", last.Pos(), last.End(), "nil")
			}
		}
	}
}

// errorCall is a call that makes an error.
var errorCall = regexp.MustCompile(`^(fmt\.Errorf|errors\.(New|Join)|[a-z]\w*([Ee]rror|[Rr]efused|[Pp]roblem\w*|malformed))$`)

// isText tells whether an expression is plainly a text.
func isText(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind == token.STRING || x.Kind == token.CHAR
	case *ast.BinaryExpr:
		return isText(x.X) || isText(x.Y)
	case *ast.CallExpr:
		name, is := x.Fun.(*ast.Ident)
		return is && name.Name == "string"
	}
	return false
}

// try compiles the fault and runs the tests that may find it.
func try(o *options, folder string, m *mutant) (became fate, by string, err error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return "", "", err
	}
	changed := slices.Concat(source[:m.start], []byte(m.replacement), source[m.end:])
	file, overlay := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json")
	absolute, err := filepath.Abs(m.file)
	if err != nil {
		return "", "", err
	}
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {absolute: file}})
	if err != nil {
		return "", "", err
	}
	if err := errors.Join(os.WriteFile(file, changed, 0o600), os.WriteFile(overlay, replaced, 0o600)); err != nil {
		return "", "", err
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "./"+m.pkg()).CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("changed.go")) || bytes.Contains(out, []byte(filepath.Base(m.file))) {
			return noBuild, "", nil
		}
		return "", "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	for _, tests := range append([]string{"./" + m.pkg()}, o.also...) {
		pkg, pattern, _ := strings.Cut(tests, ":")
		if !strings.HasPrefix(pkg, "./") {
			pkg = "./" + pkg
		}
		args := []string{"test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast", "-ldflags=-s -w", "-timeout", o.limit.String()}
		if pattern != "" {
			args = append(args, "-run", pattern)
		}
		if o.skip != "" {
			args = append(args, "-skip", o.skip)
		}
		out, failed := limited(o.limit+30*time.Second, append(args, pkg)...)
		switch {
		case !failed:
		case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
			return "", "", fmt.Errorf("the tests of %s do not compile\n%s", pkg, out)
		case bytes.Contains(out, []byte("panic: test timed out")) || len(out) == 0:
			return hung, ", " + pkg, nil
		default:
			by = ", " + pkg
			if name := failedTest.FindSubmatch(out); name != nil && o.verbose {
				by += " " + string(name[1])
			}
			return killed, by, nil
		}
	}
	return lived, "", nil
}

var failedTest = regexp.MustCompile(`--- FAIL: (\S+)`)

// limited runs the go command, and ends it with all that it started when the time is up.
func limited(limit time.Duration, args ...string) (out []byte, failed bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, "go", args...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 10 * time.Second
	out, err := command.CombinedOutput()
	return out, err != nil
}
