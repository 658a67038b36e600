//go:build ignore

// Mutants plants small faults, one at a time, in the packages and files that it is given, and tells which of them the
// tests find.
//
//	go run testdata/measure/mutants.go [flags] PACKAGE|FILE ...
//
// A PACKAGE is a folder such as cmd/internal/serve or domain/rules. Candidates are turned comparisons and bounds, negated conditions, guards that
// never hold, swapped && and ||, swapped arithmetic, constants that are one more, turned booleans, dropped statements,
// and errors that are not returned. -n of them are drawn by -seed, from all that are named together.
//
// The faults of a package are compiled together through an overlay, so that the working tree is never touched: each stands behind
// a switch, and an environment variable names the one that is on. One that cannot be switched, a constant say, is
// compiled by itself. Then the tests of its package run on each fault; if they pass, those of -also, in turn, one test
// package or PACKAGE:REGEXP each. -run and -skip choose among the tests of the package itself, -skip also among the
// others. A fault is killed if some test fails, has lived if all pass, and hung where they do not end within -limit, or within a minute and
// ten times what the same tests take without it, which counts as not killed. One that does not compile is not counted, and another is drawn.
//
// Before a package's tests run on faults, each runs alone and without one, and has to pass. It notes which switches it comes by; of the
// tests, only those that come by a fault run on it. A fault that is compiled by itself has all tests.
//
// Tests that build the program anew, instead of running it in the process, do not see the faults.
//
// testdata/measure/mutants.txt lists changes that no test can find, each with the reason. One of those is not counted either. With
// -ledger they are tried: if one is killed the list is wrong, and the exit status is 1. A change of the list that cannot be made any
// more is an error.
//
// The layers of domain read what a lower one makes: they are tried with -also for the layers above, as in
//
//	go run testdata/measure/mutants.go -n 0 -also domain/rules -also domain/views -also domain/records domain/packets
//
// -list prints what would be drawn and runs nothing; -only runs those of the given numbers.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ledgerFile lists the changes that no test can find: file, function, kind, line and reason, separated by tabs.
const ledgerFile = "testdata/measure/mutants.txt"

// changedFile begins the names of the files with faults, as the compiler's messages have them.
const changedFile = "changed-"

// A mutant is one fault: the bytes from start to end of a file are replaced.
type mutant struct {
	file, function, kind string
	line                 int
	start, end           int
	replacement          string
	code                 string // its line, with the place between « and »
	switched             *edit  // how it is planted behind a switch; nil if it cannot be
}

// An edit puts a text in the place of the bytes from start to end. In the text, %d is the number of the fault.
type edit struct {
	start, end int
	text       string
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
	n, seed   int
	limit     time.Duration
	also      []string
	run, skip string
	only      string
	list      bool
	ledger    bool
	verbose   bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 20, "how many faults are tried; 0 for all")
	flag.IntVar(&o.seed, "seed", 1, "which ones are drawn depends on it")
	flag.DurationVar(&o.limit, "limit", 5*time.Minute, "how long the tests of one package may take on a fault")
	flag.StringVar(&o.run, "run", "", "tests of the package that are run, as go test -run")
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
	candidates, err := find(named)
	if err != nil {
		return 2, err
	}
	ledger, err := readLedger(candidates)
	if err != nil {
		return 2, err
	}
	fmt.Printf("%d places in %s\n", len(candidates), strings.Join(named, " "))
	random := rand.New(rand.NewPCG(uint64(o.seed), 0))
	random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	candidates = slices.DeleteFunc(candidates, func(m mutant) bool { return ledger[m.identity()] != o.ledger })
	if o.ledger || o.n == 0 {
		o.n = len(candidates)
	}
	folder, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return 2, err
	}
	defer os.RemoveAll(folder)
	if o.only != "" {
		var chosen []mutant
		for i := range candidates {
			if slices.Contains(strings.Split(o.only, ","), strconv.Itoa(i)) {
				chosen = append(chosen, candidates[i])
			}
		}
		candidates = chosen
	}
	if o.list {
		for i := range candidates[:min(o.n, len(candidates))] {
			m := &candidates[i]
			fmt.Printf("%4d %s:%d %s: %s: %s\n", i, m.file, m.line, m.function, m.kind, m.code)
		}
		return 0, nil
	}
	h := &harness{options: o, folder: folder, tally: map[string]map[fate]int{}}
	for from := 0; h.tried < o.n && from < len(candidates); {
		to := min(len(candidates), from+o.n-h.tried)
		if err := h.draw(candidates[from:to]); err != nil {
			return 2, err
		}
		from = to
	}
	table(h.tally)
	if o.ledger && h.killed > 0 {
		fmt.Printf("%d are listed as ones that no test can find, and were killed\n", h.killed)
		status = 1
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

// readLedger reads what the list of changes that no test can find has about the files of the candidates. One that cannot be made any
// more is an error.
func readLedger(candidates []mutant) (map[string]bool, error) {
	text, err := os.ReadFile(ledgerFile)
	if err != nil {
		return nil, err
	}
	files, possible, ledger := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range candidates {
		files[candidates[i].file], possible[candidates[i].identity()] = true, true
	}
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 5 || parts[4] == "" {
			return nil, fmt.Errorf("%s:%d: a line has file, function, kind, code and reason", ledgerFile, n+1)
		}
		change := strings.Join(parts[:4], "\t")
		if files[parts[0]] && !possible[change] {
			return nil, fmt.Errorf("%s:%d: %s cannot be changed like that any more", ledgerFile, n+1, parts[0])
		}
		ledger[change] = true
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
			if compiled, err := build.Default.MatchFile(filepath.Dir(file), filepath.Base(file)); err != nil || !compiled {
				continue // it is of another system
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
	declared bool // what is looked at stands outside of functions
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
			if d.Tok == token.VAR || d.Tok == token.CONST || d.Tok == token.TYPE {
				p.function, p.declared = d.Tok.String(), true
				ast.Inspect(d, p.visit)
				p.declared = false
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
	p.found = append(p.found, mutant{p.file, p.function, kind, p.set.Position(from).Line, start, end, replacement, strings.TrimSpace(code), nil})
}

// behind says how the fault that was planted last stands behind a switch. In the text, § is the switch, that is whether the fault
// is on.
func (p *planter) behind(n ast.Node, text string) {
	start, end := p.offset(n.Pos()), p.offset(n.End())
	if p.declared || bytes.ContainsRune(p.source[start:end], '\n') {
		return // a line has to stay where it is
	}
	p.found[len(p.found)-1].switched = &edit{start, end, text}
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
		x, y := p.text(n.X), p.text(n.Y)
		for _, others := range []map[token.Token]string{bounds, turned} {
			if other, is := others[n.Op]; is {
				kind := "turned"
				if _, is := bounds[n.Op]; is {
					kind = "bound"
				}
				p.plant(kind, n.OpPos, end, other)
				p.behind(n, "(§ && ("+x+" "+other+" "+y+") || !§ && ("+x+" "+n.Op.String()+" "+y+"))")
			}
		}
		if other, is := swapped[n.Op]; is && !isText(n.X) && !isText(n.Y) {
			p.plant("arithmetic", n.OpPos, end, other)
			if other != "/" && !strings.Contains(x+y, "(") {
				p.behind(n, "mutantPick(§, "+x+" "+other+" "+y+", "+x+" "+n.Op.String()+" "+y+")")
			}
		}
	case *ast.BasicLit:
		if number, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			more := strconv.FormatInt(number+1, 10)
			p.plant("constant", n.Pos(), n.End(), more)
			p.behind(n, "mutantPick(§, "+more+", "+n.Value+")")
		}
	case *ast.Ident:
		if other, is := map[string]string{"true": "false", "false": "true"}[n.Name]; is {
			p.plant("boolean", n.Pos(), n.End(), other)
			p.behind(n, "mutantPick(§, "+other+", "+n.Name+")")
		}
	case *ast.IfStmt:
		condition := p.text(n.Cond)
		p.plant("negated", n.Cond.Pos(), n.Cond.End(), "!("+condition+")")
		p.behind(n.Cond, "(§ != ("+condition+"))")
		if n.Else == nil {
			p.plant("guard off", n.Cond.Pos(), n.Cond.End(), "false && ("+condition+")")
			p.behind(n.Cond, "(!§ && ("+condition+"))")
		}
	case *ast.IncDecStmt:
		other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok]
		p.plant("arithmetic", n.TokPos, n.TokPos+2, other)
		x := p.text(n.X)
		p.behind(n, "if § { "+x+other+" } else { "+x+n.Tok.String()+" }")
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
			p.drop(s)
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				p.drop(s)
			}
		case *ast.BranchStmt:
			if other, is := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[s.Tok]; is && s.Label == nil {
				p.plant("branch", s.Pos(), s.End(), other)
				p.behind(s, "if § { "+other+" } else { "+s.Tok.String()+" }")
			}
		case *ast.ReturnStmt:
			if len(s.Results) == 0 {
				continue
			}
			last := s.Results[len(s.Results)-1]
			name, isName := last.(*ast.Ident)
			call, isCall := last.(*ast.CallExpr)
			if isName && errorName.MatchString(name.Name) || isCall && errorCall.MatchString(p.text(call.Fun)) {
				p.plant("error", last.Pos(), last.End(), "nil")
				p.behind(s, "if § { "+string(p.source[p.offset(s.Pos()):p.offset(last.Pos())])+"nil }; "+p.text(s))
			}
		}
	}
}

func (p *planter) drop(s ast.Stmt) {
	p.plant("dropped", s.Pos(), s.End(), "_ = 0")
	p.behind(s, "if !§ { "+p.text(s)+" }")
}

// errorName is what a variable with an error is called.
var errorName = regexp.MustCompile(`^(err|Err[A-Z]\w*|err[A-Z]\w*)$`)

// errorCall is a call that makes an error.
var errorCall = regexp.MustCompile(`^(fmt\.Errorf|errors\.(New|Join)|[a-z]\w*([Ee]rror|[Rr]efused|[Pp]roblem\w*|malformed))$`)

// isText reports whether an expression is plainly a text.
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

// A harness tries faults.
type harness struct {
	*options
	folder        string
	tally         map[string]map[fate]int
	tried, killed int
	number        int // of the last fault that stands behind a switch
}

// draw tries these faults, package by package.
func (h *harness) draw(drawn []mutant) error {
	byPackage := map[string][]*mutant{}
	for i := range drawn {
		byPackage[drawn[i].pkg()] = append(byPackage[drawn[i].pkg()], &drawn[i])
	}
	for _, pkg := range slices.Sorted(maps.Keys(byPackage)) {
		for waiting := byPackage[pkg]; len(waiting) > 0; {
			batch, rest := together(waiting)
			failed, err := h.batch(pkg, batch)
			if err != nil {
				return err
			}
			for _, m := range failed {
				if err := h.alone(m); err != nil {
					return err
				}
			}
			waiting = rest
		}
	}
	return nil
}

// together splits off faults that can stand behind switches side by side. Those that cannot be switched come along.
func together(waiting []*mutant) (batch, rest []*mutant) {
	taken := map[string][]*edit{}
	for _, m := range waiting {
		if m.switched != nil && slices.ContainsFunc(taken[m.file], func(e *edit) bool { return e.start < m.switched.end && m.switched.start < e.end }) {
			rest = append(rest, m)
			continue
		}
		if m.switched != nil {
			taken[m.file] = append(taken[m.file], m.switched)
		}
		batch = append(batch, m)
	}
	return batch, rest
}

// switches is the file that a package gets to turn faults on.
const switches = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var (
	mutantOn, _ = strconv.Atoi(os.Getenv("DOCKET_MUTANT"))
	// It is opened at once: a test may come by a switch as a user who may not open it. It is an error in any other process.
	mutantReached, mutantUnnoted = os.OpenFile(os.Getenv("DOCKET_MUTANT_REACHED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	mutantSeen                   sync.Map
)

func mutantIs(n int) bool {
	if mutantUnnoted == nil {
		if _, seen := mutantSeen.LoadOrStore(n, true); !seen {
			mutantReached.WriteString(strconv.Itoa(n) + "\n")
		}
	}
	return mutantOn == n
}

func mutantPick[T any](is bool, fault, right T) T {
	if is {
		return fault
	}
	return right
}

var _ = mutantPick[int]
`

// batch compiles faults behind switches and tries each. It returns those that have to be compiled alone.
func (h *harness) batch(pkg string, batch []*mutant) (failed []*mutant, err error) {
	var on []*mutant
	for _, m := range batch {
		if m.switched == nil {
			failed = append(failed, m)
		} else {
			on = append(on, m)
		}
	}
	for len(on) > 0 {
		numbers := map[*mutant]int{}
		files := map[string][]*mutant{}
		for _, m := range on {
			h.number++
			numbers[m] = h.number
			files[m.file] = append(files[m.file], m)
		}
		changed := map[string][]byte{filepath.Join(pkg, "mutant_switches.go"): fmt.Appendf(nil, switches, packageName(on[0].file))}
		for file, list := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			slices.SortFunc(list, func(a, b *mutant) int { return b.switched.start - a.switched.start })
			for _, m := range list {
				text := strings.ReplaceAll(m.switched.text, "§", fmt.Sprintf("mutantIs(%d)", numbers[m]))
				source = slices.Concat(source[:m.switched.start], []byte(text), source[m.switched.end:])
			}
			changed[file] = source
		}
		overlay, err := h.overlay(changed)
		if err != nil {
			return nil, err
		}
		if out, broken := limited(10*time.Minute, "build", "-overlay", overlay, "./"+pkg); broken {
			bad := blamed(on, out)
			if len(bad) == 0 {
				return nil, fmt.Errorf("go build: %s", out)
			}
			failed = append(failed, bad...)
			on = slices.DeleteFunc(on, func(m *mutant) bool { return slices.Contains(bad, m) })
			continue
		}
		programs := &programs{harness: h, overlay: overlay, pkg: pkg, built: map[string]string{}, reached: map[suite]map[int][]string{},
			took: map[string]time.Duration{}}
		for _, m := range on {
			began := time.Now()
			became, by, err := programs.fate(numbers[m])
			if err != nil {
				return nil, err
			}
			h.told(m, became, by, time.Since(began))
		}
		return failed, programs.remove()
	}
	return failed, nil
}

// alone compiles one fault and tries it.
func (h *harness) alone(m *mutant) error {
	began := time.Now()
	source, err := os.ReadFile(m.file)
	if err != nil {
		return err
	}
	overlay, err := h.overlay(map[string][]byte{m.file: slices.Concat(source[:m.start], []byte(m.replacement), source[m.end:])})
	if err != nil {
		return err
	}
	if out, broken := limited(10*time.Minute, "build", "-overlay", overlay, "./"+m.pkg()); broken {
		if !bytes.Contains(out, []byte(changedFile)) {
			return fmt.Errorf("go build: %s", out)
		}
		h.told(m, noBuild, "", 0)
		return nil
	}
	programs := &programs{harness: h, overlay: overlay, pkg: m.pkg(), built: map[string]string{}}
	became, by, err := programs.fate(0)
	if err != nil {
		return err
	}
	h.told(m, became, by, time.Since(began))
	return programs.remove()
}

// told counts and prints what became of a fault.
func (h *harness) told(m *mutant, became fate, by string, took time.Duration) {
	if h.tally[m.pkg()] == nil {
		h.tally[m.pkg()] = map[fate]int{}
	}
	h.tally[m.pkg()][became]++
	if became == noBuild {
		return
	}
	h.tried++
	if became == killed {
		h.killed++
	}
	fmt.Printf("%-7s %s:%d %s: %s: %s (%.0fs%s)\n", became, m.file, m.line, m.function, m.kind, m.code, took.Seconds(), by)
}

// overlay writes files that stand in for those of the module.
func (h *harness) overlay(changed map[string][]byte) (string, error) {
	replaced := map[string]string{}
	for file, content := range changed {
		absolute, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		replaced[absolute] = filepath.Join(h.folder, fmt.Sprintf("%s%d.go", changedFile, len(replaced)))
		if err := os.WriteFile(replaced[absolute], content, 0o600); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return "", err
	}
	path := filepath.Join(h.folder, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}

// blamed are the faults on whose lines the compiler found something.
func blamed(on []*mutant, out []byte) (bad []*mutant) {
	for _, place := range errorPlace.FindAllSubmatch(out, -1) {
		line, _ := strconv.Atoi(string(place[2]))
		for _, m := range on {
			if filepath.Base(m.file) == string(place[1]) && m.line == line && !slices.Contains(bad, m) {
				bad = append(bad, m)
			}
		}
	}
	if len(bad) == 0 && len(on) > 0 && len(errorPlace.FindAll(out, 1)) > 0 {
		return on
	}
	return bad
}

var errorPlace = regexp.MustCompile(`(?m)([\w.-]+\.go):(\d+):`)

func packageName(file string) string {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return tree.Name.Name
}

// programs are the test programs with faults in them, compiled when they are needed.
type programs struct {
	*harness
	overlay, pkg string
	built        map[string]string          // by package
	reached      map[suite]map[int][]string // tests by the number of the faults that they come by; nil: not to be known
	took         map[string]time.Duration   // a test alone and without a fault, by package and name
}

// A suite is the tests of one package that run on a fault.
type suite struct{ pkg, pattern string }

func (p *programs) suites() []suite {
	all := []suite{{"./" + p.pkg, p.run}}
	for _, tests := range p.also {
		pkg, pattern, _ := strings.Cut(tests, ":")
		all = append(all, suite{"./" + strings.TrimPrefix(pkg, "./"), pattern})
	}
	return all
}

// reach runs each test of a suite alone and without a fault, and notes by which faults it comes.
func (p *programs) reach(s suite) error {
	program, err := p.program(s.pkg)
	if err != nil {
		return err
	}
	listed, failed := bounded(time.Minute, s.pkg, nil, program, "-test.list="+cmp.Or(s.pattern, "."))
	if failed {
		return fmt.Errorf("the tests of %s cannot be listed: %s", s.pkg, listed)
	}
	var work errgroup
	var lock sync.Mutex
	found := map[int][]string{}
	for i, name := range testName.FindAllString(string(listed), -1) {
		if left, _, _ := strings.Cut(p.skip, "/"); left != "" && left == p.skip && regexp.MustCompile(left).MatchString(name) {
			continue
		}
		marks := filepath.Join(p.folder, fmt.Sprintf("reached-%d", i))
		work.run(func() error {
			defer os.Remove(marks)
			out, failed := []byte(nil), true
			began := time.Now()
			for again := 0; failed && again < 3; again++ { // on a busy machine
				out, failed = bounded(p.limit+30*time.Second, s.pkg, []string{"DOCKET_MUTANT=0", "DOCKET_MUTANT_REACHED=" + marks}, program,
					p.arguments("^"+name+"$", p.limit)...)
			}
			if failed {
				return fmt.Errorf("%s of %s fails without a fault: %s", name, s.pkg, out)
			}
			text, err := os.ReadFile(marks)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			lock.Lock()
			defer lock.Unlock()
			p.took[s.pkg+" "+name] = time.Since(began)
			for _, number := range slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(text))))) {
				n, err := strconv.Atoi(number)
				if err != nil {
					return err
				}
				found[n] = append(found[n], name)
			}
			return err
		})
	}
	if err := work.wait(); err != nil {
		return err
	}
	p.reached[s] = found
	return nil
}

var testName = regexp.MustCompile(`(?m)^(Test|Fuzz|Example)\S*$`)

// An errgroup runs functions, as many at a time as there are processors.
type errgroup struct {
	all   sync.WaitGroup
	lock  sync.Mutex
	err   error
	slots chan struct{}
}

func (g *errgroup) run(f func() error) {
	if g.slots == nil {
		g.slots = make(chan struct{}, runtime.NumCPU())
	}
	g.slots <- struct{}{}
	g.all.Go(func() {
		err := f()
		g.lock.Lock()
		g.err = errors.Join(g.err, err)
		g.lock.Unlock()
		<-g.slots
	})
}

func (g *errgroup) wait() error {
	g.all.Wait()
	return g.err
}

// arguments has the tests of a pattern run.
func (p *programs) arguments(pattern string, limit time.Duration) []string {
	return []string{"-test.count=1", "-test.failfast", "-test.timeout=" + limit.String(), "-test.run=" + pattern, "-test.skip=" + p.skip}
}

func (p *programs) remove() (err error) {
	for _, program := range p.built {
		err = errors.Join(err, os.Remove(program))
	}
	return err
}

// program is the test program of a package.
func (p *programs) program(pkg string) (string, error) {
	if built, there := p.built[pkg]; there {
		return built, nil
	}
	path := filepath.Join(p.folder, fmt.Sprintf("tests-%d", len(p.built)))
	if out, broken := limited(10*time.Minute, "test", "-c", "-overlay", p.overlay, "-vet=off", "-ldflags=-s -w", "-o", path, pkg); broken {
		return "", fmt.Errorf("the tests of %s do not compile\n%s", pkg, out)
	}
	p.built[pkg] = path
	return path, nil
}

// fate runs the tests on the fault with that number.
func (p *programs) fate(number int) (became fate, by string, err error) {
	none := true
	for _, tests := range p.suites() {
		pkg, pattern := tests.pkg, tests.pattern
		if p.reached != nil {
			if p.reached[tests] == nil {
				if err := p.reach(tests); err != nil {
					return "", "", err
				}
			}
			if len(p.reached[tests][number]) == 0 {
				continue
			}
			pattern = "^(" + strings.Join(p.reached[tests][number], "|") + ")$"
		}
		none = false
		program, err := p.program(pkg)
		if err != nil {
			return "", "", err
		}
		limit := p.limit
		if p.reached != nil {
			usual := time.Duration(0)
			for _, name := range p.reached[tests][number] {
				usual += p.took[pkg+" "+name]
			}
			limit = min(limit, time.Minute+10*usual)
		}
		out, failed := bounded(limit+30*time.Second, pkg, []string{fmt.Sprintf("DOCKET_MUTANT=%d", number)}, program, p.arguments(pattern, limit)...)
		switch {
		case !failed:
		case bytes.Contains(out, []byte("panic: test timed out")) || len(out) == 0:
			return hung, ", " + pkg, nil
		default:
			by = ", " + pkg
			if name := failedTest.FindSubmatch(out); name != nil && p.verbose {
				by += " " + string(name[1])
			}
			return killed, by, nil
		}
	}
	if none {
		by = ", no test comes by it"
	}
	return lived, by, nil
}

var failedTest = regexp.MustCompile(`--- FAIL: (\S+)`)

// limited runs the go command.
func limited(limit time.Duration, args ...string) (out []byte, failed bool) {
	return bounded(limit, "", nil, "go", args...)
}

// bounded runs a program, and ends it with all that it started when the time is up.
func bounded(limit time.Duration, folder string, environment []string, program string, args ...string) (out []byte, failed bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Dir, command.Env = folder, append(os.Environ(), environment...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 10 * time.Second
	out, err := command.CombinedOutput()
	return out, err != nil
}
