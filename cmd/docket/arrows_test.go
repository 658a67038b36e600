package main_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport is who may import whom among the packages of this module. Everything below a folder counts as the folder.
var mayImport = map[string][]string{
	"cmd":       {"cmd", "ui", "store", "contracts", "domain"},
	"ui":        {"ui", "domain"},
	"contracts": {"contracts", "domain"},
	"store":     {"store", "domain"},
	"domain":    {"domain"},
}

// domainLayers are the packages of domain from the lowest up: one may import those before it.
var domainLayers = []string{"docket/domain/canonical", "docket/domain/private", "docket/domain/visible", "docket/domain/ordered",
	"docket/domain/shape", "docket/domain/terms", "docket/domain/packets", "docket/domain/rules",
	"docket/domain/views", "docket/domain/records", "docket/domain/stats", "docket/domain/statement", "docket/domain/queue", "docket/domain"}

func TestLayersOfDomainImportTheLayersBelowOnly(t *testing.T) {
	t.Parallel()
	found := 0
	for _, p := range packages(t) {
		layer := slices.Index(domainLayers, p.ImportPath)
		if layer < 0 {
			continue
		}
		found++
		for _, imported := range p.Imports {
			if slices.Index(domainLayers, imported) >= layer {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
	if found != len(domainLayers) {
		t.Errorf("%d of %d layers were found", found, len(domainLayers))
	}
}

// consoleRooms are the rooms of the console from the lowest up: one may import those before it. Of the screens only the decision
// and the queue take another one, the packet.
var consoleRooms = []string{"docket/ui/theme", "docket/ui/line", "docket/ui/contractpage", "docket/ui/wording", "docket/ui/decision", "docket/ui/mark", "docket/ui/session",
	"docket/ui/action", "docket/ui/screen", "docket/ui/widget", "docket/ui/topic", "docket/ui/erase", "docket/ui/screen/board",
	"docket/ui/screen/contracts", "docket/ui/screen/findings", "docket/ui/screen/stats", "docket/ui/screen/records", "docket/ui/screen/packet", "docket/ui/screen/queue",
	"docket/ui/screen/decide", "docket/ui/task", "docket/ui/frame", "docket/ui", "docket/ui/plain"}

func TestRoomsOfTheConsoleImportTheRoomsBelowOnly(t *testing.T) {
	t.Parallel()
	const screens = "docket/ui/screen/"
	found := 0
	for _, p := range packages(t) {
		if !strings.HasPrefix(p.ImportPath, "docket/ui") || strings.Contains(p.ImportPath, "/internal/") {
			continue
		}
		room := slices.Index(consoleRooms, p.ImportPath)
		if room < 0 {
			t.Errorf("%s is not among the rooms", p.ImportPath)
			continue
		}
		found++
		for _, imported := range p.Imports {
			between := strings.HasPrefix(p.ImportPath, screens) && strings.HasPrefix(imported, screens)
			if slices.Index(consoleRooms, imported) >= room || between && (imported != screens+"packet" || p.ImportPath == screens+"board") {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
	if found != len(consoleRooms) {
		t.Errorf("%d of %d rooms were found", found, len(consoleRooms))
	}
}

// impure are packages that domain may not import, because it does no IO, reads no clock and draws no random number.
// Package time is allowed for its types; that no clock is read is held by TestDomainReadsNoClock.
var impure = []string{"os", "io/fs", "net", "net/http", "os/exec", "math/rand", "math/rand/v2", "crypto/rand", "log", "syscall",
	"database/sql", "path/filepath"}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "../../...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var listed []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p goPackage
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		listed = append(listed, p)
	}
	if len(listed) < 8 {
		t.Fatalf("only %d packages were found", len(listed))
	}
	return listed
}

// room is the top-level folder of a package of this module, "" for any other.
func room(path string) string {
	rest, ours := strings.CutPrefix(path, strings.TrimSuffix(domainLayers[0], "domain/canonical"))
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
	"docket/store":        {"docket/store/engine", "docket/store/sqlite", "docket/store/merkle", "docket/store/disk", "docket/store/verify", "docket/store/turn"},
	"docket/store/sqlite": {"docket/store/engine", "docket/store/disk", "docket/store/turn"},
	"docket/store/engine": {},
	"docket/store/merkle": {"docket/store/disk", "docket/store/agent"},
	"docket/store/agent":  {},
	"docket/store/disk":   {},
	"docket/store/verify": {},
	"docket/store/turn":   {"docket/store/disk"},

	"docket/store/verify/verifytest": {"docket/store/verify", "docket/store/merkle"}, // for tests: it forges stores past the guards
	"docket/store/agent/agenttest":   {},

	"docket/store/postgres": {"docket/store/engine", "docket/store/disk"},

	"docket/store/engine/enginetest":     {"docket/store/engine"}, // for tests: it holds each engine to the same behaviour
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

// mayKnowOverlap are the packages that may know the private-overlap pilot: what answers, signs, checks and shows it. The
// queue, the packet and a decision are made in packages that do not.
var mayKnowOverlap = []string{"docket/store", "docket/contracts/report", "docket/cmd/internal/cli",
	"docket/cmd/internal/serve", "docket/cmd/internal/workbench",
	"docket/cmd/internal/selftest", "docket/domain/overlap"}

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
