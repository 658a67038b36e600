package main_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/modfile"
)

// mayImport is who may import whom among the packages of this module. Everything below a folder counts as the folder.
var mayImport = map[string][]string{
	"cmd":       {"cmd", "ui", "store", "contracts", "domain"},
	"ui":        {"ui", "store", "domain"},
	"contracts": {"contracts", "domain"},
	"store":     {"store", "domain"},
	"domain":    {"domain"},
}

// layers are the packages of each room from the lowest up: one may import those before it. Every package is in its list.
var layers = map[string][]string{
	"domain": {"json", "visible", "terms", "pages", "private", "overlap", "packets", "rules", "views", "records", "signed", "keys", "stats", "statement", "queue",
		"", "internal/domaintest"},
	"contracts": {"", "incident", "report"},
	"ui": {"theme", "line", "wording", "tty", "decision", "workbench", "listing", "action", "screen", "widget", "topic", "page", "screen/findings", "task", "screen/board",
		"screen/contracts", "screen/stats", "screen/records", "screen/packet", "screen/queue", "screen/decide", "frame", "", "plain",
		"internal/workbenchtest"},
	"cmd": {"internal/api", "internal/identity", "internal/licenses", "internal/output", "internal/sample", "internal/doctor", "internal/intake",
		"internal/client", "internal/witness", "internal/contractview", "internal/serve", "internal/settings", "internal/serve/daemon",
		"internal/cli", "docket", "internal/programtest", "docket/frozen", "docket/damage", "docket/recording", "docket/walks", "release"},
}

func TestPackagesImportTheLayersBelowOnly(t *testing.T) {
	t.Parallel()
	found := 0
	for _, p := range packages(t) {
		top := room(p.ImportPath)
		order, layered := layers[top]
		if !layered {
			continue
		}
		within := func(path string) int {
			if path == module+"/"+top {
				return slices.Index(order, "")
			}
			below, is := strings.CutPrefix(path, module+"/"+top+"/")
			if !is {
				return -1
			}
			return slices.Index(order, below)
		}
		layer := within(p.ImportPath)
		if layer < 0 {
			t.Errorf("%s is in no layer", p.ImportPath)
			continue
		}
		found++
		for _, imported := range p.Imports {
			if within(imported) >= layer {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
	all := 0
	for _, order := range layers {
		all += len(order)
	}
	if found != all {
		t.Errorf("%d of %d layers were found", found, all)
	}
}

// Of the screens only the decision and the queue take another one, the packet.
func TestScreensDoNotKnowOneAnother(t *testing.T) {
	t.Parallel()
	const screens = module + "/ui/screen/"
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			between := strings.HasPrefix(p.ImportPath, screens) && strings.HasPrefix(imported, screens)
			if between && (imported != screens+"packet" || p.ImportPath != screens+"decide" && p.ImportPath != screens+"queue") {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// impure are packages that domain may not import, because it does no IO, reads no clock and draws no random number.
// Package time is allowed for its types; that no clock is read is held by TestDomainReadsNoClock.
var impure = []string{"os", "io/fs", "net", "net/http", "os/exec", "math/rand", "math/rand/v2", "crypto/rand", "log", "syscall",
	"database/sql", "path/filepath"}

// module is the path of this module.
const module = "docket"

type goPackage struct {
	ImportPath, Dir         string
	Imports                 []string
	GoFiles, IgnoredGoFiles []string
}

// listPackages asks go for the packages of this module, once.
var listPackages = sync.OnceValues(func() (listed []goPackage, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles,IgnoredGoFiles", "../../...").Output()
	for decoder := json.NewDecoder(strings.NewReader(string(out))); err == nil && decoder.More(); {
		var p goPackage
		err = decoder.Decode(&p)
		listed = append(listed, p)
	}
	return listed, err
})

func packages(t *testing.T) []goPackage {
	t.Helper()
	listed, err := listPackages()
	if err != nil || len(listed) < 8 {
		t.Fatalf("go list: %d packages, %v", len(listed), err)
	}
	return listed
}

// room is the top-level folder of a package of this module, "" for any other.
func room(path string) string {
	rest, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		return ""
	}
	top, _, _ := strings.Cut(rest, "/")
	return top
}

func TestPackagesImportAlongTheArrowsOnly(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		allowed, known := mayImport[room(p.ImportPath)]
		if !known {
			t.Errorf("%s lies in no known room", p.ImportPath)
		}
		for _, imported := range p.Imports {
			to := room(imported)
			if to == "" {
				continue
			}
			if !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// storeRooms is which rooms of the store may import which.
var storeRooms = map[string][]string{
	"docket/store":        {"docket/store/engine", "docket/store/sqlite", "docket/store/merkle", "docket/store/disk", "docket/store/verify", "docket/store/turn", "docket/store/parsed"},
	"docket/store/sqlite": {"docket/store/engine", "docket/store/disk", "docket/store/turn"},
	"docket/store/engine": {"docket/store/disk"},
	"docket/store/merkle": {"docket/store/disk", "docket/store/agent"},
	"docket/store/agent":  {},
	"docket/store/disk":   {},
	"docket/store/parsed": {},
	"docket/store/verify": {},
	"docket/store/turn":   {"docket/store/disk"},
	"docket/store/bundle": {"docket/store/disk", "docket/store/merkle", "docket/store/verify"},

	"docket/store/verify/verifytest": {"docket/store/verify", "docket/store/merkle"}, // for tests: it forges stores past the guards
	"docket/store/agent/agenttest":   {},
	"docket/store/disk/disktest":     {"docket/store/disk"},
	"docket/store/peertest":          {},

	"docket/store/postgres": {"docket/store/engine", "docket/store/disk"},

	"docket/store/postgres/postgrestest": {},
}

// What only SQLite speaks is behind store/sqlite, so that another database can stand beside it.
func TestTheRoomsOfTheStoreImportDownwards(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			allowed, known := storeRooms[p.ImportPath]
			if known && room(imported) == "store" && !slices.Contains(allowed, imported) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
			if room(p.ImportPath) == "store" && strings.HasPrefix(imported, "modernc.org/sqlite") &&
				p.ImportPath != "docket/store/sqlite" && p.ImportPath != "docket/store/verify/verifytest" {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
		if room(p.ImportPath) == "store" && storeRooms[p.ImportPath] == nil {
			t.Errorf("%s is no known room of the store", p.ImportPath)
		}
	}
}

func TestDomainDoesNoIO(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if room(p.ImportPath) != "domain" {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(impure, imported) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

var readsClock = regexp.MustCompile(`\btime\.(Now|Since|Until|After|Tick|Sleep|NewTimer|NewTicker)\(`)

func TestDomainReadsNoClock(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(filepath.Join("..", "..", "domain"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if readsClock.Match(text) {
			t.Errorf("%s reads a clock", path)
		}
		return err
	})
	if err != nil || files < 20 {
		t.Fatalf("%d files were read: %v", files, err)
	}
}

// mayKnowOverlap are the packages that may know the private-overlap pilot: what answers for it and shows it. The
// queue, the packet and a decision are made in packages that do not.
var mayKnowOverlap = []string{"docket/contracts/report", "docket/cmd/internal/serve", "docket/cmd/internal/contractview"}

func TestNoOverlapResultCanReachTheQueueThePacketOrADecision(t *testing.T) {
	t.Parallel()
	knowing := 0
	for _, p := range packages(t) {
		if !slices.Contains(p.Imports, "docket/domain/overlap") {
			continue
		}
		knowing++
		if !slices.Contains(mayKnowOverlap, p.ImportPath) {
			t.Errorf("%s imports the private-overlap pilot", p.ImportPath)
		}
	}
	if knowing < 3 {
		t.Errorf("only %d packages import it: is it looked for under its name?", knowing)
	}
}

// Each module that go.mod requires directly has a row on the page on development, which says why; nothing is replaced, because
// `go install` refuses a module that replaces another.
func TestEachDirectDependencyHasItsReason(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	must(t, err)
	page, err := os.ReadFile("../docs/develop.md")
	must(t, err)
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil || len(file.Replace) > 0 {
		t.Fatalf("%v, %d modules are replaced", err, len(file.Replace))
	}
	_, section, _ := strings.Cut(string(page), "\n## Dependencies\n")
	section, _, _ = strings.Cut(section, "\n## ")
	listed := map[string]bool{}
	for line := range strings.Lines(section) {
		first, _, is := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		for _, name := range strings.Split(first, ", ") {
			if is && strings.HasPrefix(name, "`") {
				listed[strings.Trim(name, "`")] = true
			}
		}
	}
	for _, required := range file.Require {
		if !required.Indirect && !listed[required.Mod.Path] {
			t.Errorf("%s has no row", required.Mod.Path)
		}
		delete(listed, required.Mod.Path)
	}
	for name := range listed {
		t.Errorf("%s has a row and is not required", name)
	}
}

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
