package damage_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// What a command leaves behind outlasts a power failure only if each file is synced, and each folder after the last name in it was
// made. The key of a log has to be there before the store that cannot do without it.
func TestWhatACommandLeavesIsOnTheDisk(t *testing.T) {
	t.Parallel()
	needsStrace(t)
	s := programtest.Decided(t)
	s.Done("docket-decide", programtest.SampleCase, "request_evidence")
	s.Done("docket", "export", s.At("again"))
	s.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	s.Write("more.jsonl", programtest.GoodPacket)
	for _, c := range []struct {
		name string
		made []string // patterns of which each has to be among the names that were made
		args []string
	}{
		{"a new store", []string{"new/store.db", "new/docket-*.key", "state/docket/anchors/*/checkpoint"},
			[]string{"--db", s.At("new/store.db"), "import", s.At("more.jsonl")}},
		{"a backup", []string{"backup.db"}, []string{"backup", s.At("backup.db")}},
		{"a bundle", []string{"out"}, []string{"export", s.At("out")}},
		{"a bundle in the place of an earlier one", []string{"again"}, []string{"export", s.At("again")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			trace := filepath.Join(t.TempDir(), "trace")
			s.Done("strace", append([]string{"-f", "-y", "-qq", "-o", trace, "-e",
				"trace=openat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,fsync,fdatasync,syncfs", "docket"}, c.args...)...)
			content, err := os.ReadFile(trace)
			must(t, err)
			seen := readTrace(string(content), s.Folder)
			if open := seen.open(); len(open) > 0 {
				t.Errorf("these or their folders were not synced after they were made: %v", open)
			}
			if len(seen.late) > 0 {
				t.Errorf("these were not on the disk when the store was: %v", seen.late)
			}
			for _, pattern := range c.made {
				found := false
				for _, path := range seen.made {
					match, err := filepath.Match(s.At(pattern), path)
					found = found || match && err == nil
				}
				if !found {
					t.Errorf("%s is not among what was made: %v", pattern, seen.made)
				}
			}
		})
	}
}

// A diskTrace is what a trace of system calls says of the names and files below a folder.
type diskTrace struct {
	folder string
	made   []string            // names, in the order in which they were made
	names  map[string][]string // by folder: names that were made since it was synced
	files  map[string]bool     // that were made, and were not synced since
	late   []string            // keys that were not on the disk when the store's file was synced
}

var (
	madeName   = regexp.MustCompile(`O_CREAT|mkdir|rename|link`)
	quotedName = regexp.MustCompile(`(?:\w+<([^>]*)>, )?"([^"]*)"`)
	syncedName = regexp.MustCompile(`(fsync|fdatasync|syncfs)\(\d+<([^>]*)>\) += 0`) // strace puts results into a column
	failedCall = regexp.MustCompile(`\) += -1`)
)

func readTrace(trace, folder string) *diskTrace {
	d := &diskTrace{folder: folder, names: map[string][]string{}, files: map[string]bool{}}
	begun := map[string]string{} // calls that had not ended when another thread made one, by thread
	for line := range strings.Lines(trace) {
		thread, call, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if start, is := strings.CutSuffix(call, " <unfinished ...>"); is {
			begun[thread] = start
			continue
		}
		if _, rest, is := strings.Cut(call, " resumed>"); is {
			call = begun[thread] + rest
		}
		d.take(call)
	}
	return d
}

// take takes the next call in.
func (d *diskTrace) take(call string) {
	if synced := syncedName.FindStringSubmatch(call); synced != nil {
		d.synced(synced[1], synced[2])
		return
	}
	names := quotedName.FindAllStringSubmatch(call, -1)
	if !madeName.MatchString(call) || failedCall.MatchString(call) || len(names) == 0 {
		return
	}
	path := absolute(names[len(names)-1]) // the new name comes last
	if !strings.HasPrefix(path, d.folder) || strings.HasSuffix(path, "-wal") || strings.HasSuffix(path, "-shm") {
		return
	}
	d.made = append(d.made, path)
	d.names[filepath.Dir(path)] = append(d.names[filepath.Dir(path)], path)
	if strings.Contains(call, "O_CREAT") {
		d.files[path] = true
	}
	if len(names) == 2 && strings.HasPrefix(call, "rename") {
		d.moved(absolute(names[0]), path)
	}
}

func absolute(name []string) string {
	if filepath.IsAbs(name[2]) {
		return name[2]
	}
	return filepath.Join(name[1], name[2])
}

// synced takes in that a file or a folder is on the disk, or the whole file system.
func (d *diskTrace) synced(call, path string) {
	if call == "syncfs" {
		clear(d.names)
		clear(d.files)
	}
	if strings.HasSuffix(strings.TrimSuffix(path, "-wal"), ".db") {
		for _, key := range slices.Concat(d.names[filepath.Dir(path)], slices.Collect(maps.Keys(d.files))) {
			if strings.HasSuffix(key, ".key") {
				d.late = append(d.late, key)
			}
		}
	}
	delete(d.names, path)
	delete(d.files, path)
}

// moved takes in that a file, or a folder with all that is in it, has another name.
func (d *diskTrace) moved(from, to string) {
	now := func(path string) string {
		if rest, is := strings.CutPrefix(path, from); is && (rest == "" || rest[0] == '/') {
			return to + rest
		}
		return path
	}
	files, names := d.files, d.names
	d.files, d.names = map[string]bool{}, map[string][]string{}
	for path := range files {
		d.files[now(path)] = true
	}
	for folder, paths := range names {
		for _, path := range paths {
			d.names[now(folder)] = append(d.names[now(folder)], now(path))
		}
	}
}

// open lists what is there still, and is not on the disk.
func (d *diskTrace) open() (paths []string) {
	all := slices.Collect(maps.Keys(d.files))
	for _, names := range d.names {
		all = append(all, names...)
	}
	for _, path := range all {
		if _, err := os.Lstat(path); err == nil {
			paths = append(paths, strings.TrimPrefix(path, d.folder))
		}
	}
	return paths
}
