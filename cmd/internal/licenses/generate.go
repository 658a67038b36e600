//go:build ignore

// Generate writes notices.txt, and the same packed: the notices of Go and of every module that is linked into docket on one of the platforms of a release.
// It reads the files that the modules themselves hold, and fails where one holds none.
//
//	go generate ./cmd/internal/licenses
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// A module is a linked module.
type module struct{ name, folder string }

// noticeFile matches the names of files with notices.
var noticeFile = regexp.MustCompile(`(?i)^(licen[cs]e|notice|copying|patents|authors|copyright)([-.].*)?$`)

// readmeLicence matches the section of a README that replaces a license file.
var readmeLicence = regexp.MustCompile(`(?is)\n#+ *licen[cs]e\s*\n(.*?)(\n#|$)`)

func main() {
	log.SetFlags(0)
	modules := linked()
	goroot := strings.TrimSpace(string(output(exec.Command("go", "env", "GOROOT"))))
	modules = append([]module{{"Go, its runtime and standard library", goroot}}, modules...)

	named := map[string][]string{} // the modules by the text of a file
	var texts []string
	for _, m := range modules {
		files := notices(m)
		if len(files) == 0 {
			log.Fatalf("%s holds no notice", m.name)
		}
		for _, text := range files {
			if named[text] == nil {
				texts = append(texts, text)
			}
			named[text] = append(named[text], m.name)
		}
	}
	var page bytes.Buffer
	for _, text := range texts {
		fmt.Fprintf(&page, "%s\n%s\n\n%s\n\n\n", strings.Repeat("=", 80), strings.Join(named[text], "\n"), strings.Trim(text, "\n"))
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(page.Bytes())
	}
	if err = errors.Join(err, w.Close()); err == nil {
		err = os.WriteFile("notices.txt", page.Bytes(), 0o644)
	}
	if err == nil {
		err = os.WriteFile("notices.txt.gz", packed.Bytes(), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// linked lists the modules of the packages that are linked on any of the platforms, sorted.
func linked() []module {
	found := map[string]module{}
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		list := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}{{"\t"}}{{.Dir}}{{end}}{{end}}`, "docket/cmd/docket")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
		for line := range strings.Lines(string(output(list))) {
			if name, folder, is := strings.Cut(strings.TrimSpace(line), "\t"); is {
				found[name] = module{name, folder}
			}
		}
	}
	var list []module
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b module) int { return cmp.Compare(a.name, b.name) })
	return list
}

// notices returns the texts of a module's notices.
func notices(m module) (texts []string) {
	entries, err := os.ReadDir(m.folder)
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range entries {
		if !entry.IsDir() && noticeFile.MatchString(entry.Name()) {
			texts = append(texts, read(filepath.Join(m.folder, entry.Name())))
		}
	}
	if len(texts) == 0 {
		if said := readmeLicence.FindStringSubmatch(read(filepath.Join(m.folder, "README.md"))); said != nil {
			texts = append(texts, "The module holds no license file. Its README says: "+strings.TrimSpace(said[1])+"\n")
		}
	}
	return texts
}

func read(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func output(cmd *exec.Cmd) []byte {
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatal(err)
	}
	return out
}
