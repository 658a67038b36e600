//go:build linux

package release

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"docket/cmd/internal/programtest"
)

// An image is what the last stage of the Containerfile makes: what stands after each word.
type image map[string][]string

// readImage reads the last stage. A line that it does not know fails the test.
func readImage(t *testing.T) (last image) {
	t.Helper()
	text := strings.ReplaceAll(read(t, "Containerfile"), "\\\n", " ")
	for _, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "", "#":
		case "FROM":
			last = image{word: {rest}}
		case "COPY", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD", "VOLUME", "WORKDIR", "EXPOSE", "STOPSIGNAL":
			last[word] = append(last[word], rest)
		default:
			t.Fatalf("the Containerfile has a line that is not known: %s", line)
		}
	}
	return last
}

// argumentsOf reads the form of a command that needs no shell.
func argumentsOf(t *testing.T, text string) (arguments []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &arguments); err != nil {
		t.Fatalf("%s needs a shell, and there is none: %v", text, err)
	}
	return arguments
}

func TestTheContainerHasTheProgramAndAPlaceForItsDataAndNothingElse(t *testing.T) {
	t.Parallel()
	i := readImage(t)
	wanted := image{"FROM": {"scratch"}, "RUN": nil, "USER": {"65532:65532"}, "VOLUME": {`["/data"]`},
		"COPY": {"--from=build /docket /docket", "--from=build --chown=65532:65532 /data /data"}, "ENV": {"HOME=/data"}}
	for word, want := range wanted {
		if !slices.Equal(i[word], want) {
			t.Errorf("%s %q, not %q", word, i[word], want)
		}
	}
	for _, option := range []string{"--read-only", "--cap-drop ALL", "no-new-privileges"} {
		if !strings.Contains(read(t, "Containerfile"), option) {
			t.Errorf("the Containerfile does not say to run it with %s", option)
		}
	}
}

// lent copies this test binary into the root as the program, with the libraries that it needs and a release does not.
func lent(t *testing.T, root string) {
	t.Helper()
	programtest.Needs(t, "ldd", "cp")
	self, err := os.Executable()
	must(t, err)
	if out, err := exec.Command("cp", self, filepath.Join(root, "docket")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, _ := exec.Command("ldd", self).Output() // fails for a program that needs none
	for _, library := range regexp.MustCompile(`(?m)(/\S+) \(0x`).FindAllStringSubmatch(string(out), -1) {
		if out, err := exec.Command("cp", "--parents", "-L", library[1], root).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

// There is no daemon of containers here. What the image holds is put into a folder, which is the root of the process: it is root's, and
// the process is the image's user, which can write into /data and nowhere else. The long form does so with the program as a release builds it.
func TestTheServiceRunsFromScratchWithAReadOnlyRoot(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can change the root of a process")
	}
	i := readImage(t)
	root := short(t) // the folders of a test are its user's alone
	long := os.Getenv("DOCKET_LONG") != ""
	if long {
		built(t, root)
	} else {
		lent(t, root)
	}
	data := filepath.Join(root, "data")
	for _, err := range []error{os.Chmod(root, 0o755), os.Mkdir(data, 0o700), os.Chown(data, 65532, 65532)} {
		must(t, err)
	}
	within := func(args ...string) *exec.Cmd {
		cmd := exec.Command(argumentsOf(t, i["ENTRYPOINT"][0])[0], args...)
		cmd.Dir, cmd.Env = "/", i["ENV"]
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		return cmd
	}
	args := argumentsOf(t, i["CMD"][0])
	place := slices.Index(args, "0.0.0.0:8417")
	if place < 0 {
		t.Fatalf("it listens elsewhere: %q", args)
	}
	args[place] = "127.0.0.1:0"
	service := started(t, within(args...), true)
	for _, path := range []string{"/healthz", "/readyz"} {
		answer, err := http.Get(service.first + path)
		must(t, err)
		if _ = answer.Body.Close(); answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
	token, err := within("serve", "token", "add", "--principal", "rev-0417", "--role", "neutral_reviewer", "--expires", "1d").Output()
	if err != nil || !strings.HasPrefix(string(token), "docket_") {
		t.Errorf("another command in the container: %q, %v", token, err)
	}
	if out, err := within("backup", "/outside.db").CombinedOutput(); err == nil {
		t.Errorf("it writes outside of its volume: %s", out)
	}
	if out, err := within("backup", "/data/backup.db").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if err := service.stop(); err != nil {
		t.Errorf("%v\n%s", err, service.log.String())
	}
	entries, err := os.ReadDir(root)
	if err != nil || long && len(entries) != 2 {
		t.Errorf("its root has %v, %v", entries, err)
	}
}
