//go:build unix

package daemon

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docket/cmd/internal/serve"
	"docket/domain/terms"
)

func TestAProcessSaysWhoCalledToItsAccountAlone(t *testing.T) {
	p := start(t, "listen = \"127.0.0.1:0\"\n")
	all, err := p.who.Ask()
	if err != nil || len(all) != 1 || !all[0].Since.Present() || len(all[0].Uses) != 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	if info, err := os.Stat(p.who.Folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
	if other, err := (ContactsPlace{Folder: p.who.Folder, Log: "another key"}).Ask(); err != nil || other != nil {
		t.Errorf("another service: %+v, %v", other, err)
	}
	// Who connects and reads nothing holds nobody up, and who sends is not read.
	sockets, err := p.who.sockets()
	if err != nil || len(sockets) != 1 {
		t.Fatal(sockets, err)
	}
	silent, err := net.Dial("unix", sockets[0])
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	_, _ = silent.Write(bytes.Repeat([]byte("GET / HTTP/1.1\r\n"), 100))
	if all, err := p.who.Ask(); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	p.stop()
	if err := <-p.err; err != nil {
		t.Error(err)
	}
	if all, err := p.who.Ask(); err != nil || all != nil {
		t.Errorf("after the end: %+v, %v", all, err)
	}
	if left, err := os.ReadDir(p.who.Folder); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestASocketThatAKilledProcessLeftIsPassedOverAndRemoved(t *testing.T) {
	place := ContactsPlace{Folder: filepath.Join(t.TempDir(), "who"), Log: "key"}
	if err := os.Mkdir(place.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(place.Folder, place.prefix()+"1")
	killed, err := net.ListenUnix("unix", &net.UnixAddr{Name: left, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	killed.SetUnlinkOnClose(false)
	_ = killed.Close()
	other := filepath.Join(place.Folder, place.prefix()+"2")
	if err := os.WriteFile(other, nil, 0o600); err != nil { // is no socket
		t.Fatal(err)
	}
	if all, err := place.Ask(); err != nil || all != nil {
		t.Errorf("%+v, %v", all, err)
	}
	listener, err := place.listen()
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if sockets, err := place.sockets(); err != nil || slices.Contains(sockets, left) || len(sockets) != 1 {
		t.Errorf("%q, %v", sockets, err)
	}
	if _, err := os.Lstat(other); err != nil {
		t.Error(err)
	}
}

func TestContactsAreReadAsTheyAreWrittenOrNotAtAll(t *testing.T) {
	at, _ := terms.ParseInstant("2026-06-15T12:00:00.5Z")
	want := serve.Contacts{Since: at, Uses: []serve.TokenUse{{Token: "token-a", Principal: "rev-1", At: at}}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, fault := readContacts(text); fault != nil || got.Since != at || !slices.Equal(got.Uses, want.Uses) {
		t.Errorf("%+v, %v", got, fault)
	}
	for _, broken := range []string{"", "{}", string(text) + "{}", string(text[:len(text)-1]), `{"since":"now","uses":[]}`, `{"since":null,"uses":[]}`,
		`{"since":"2026-06-15T12:00:00Z","uses":[{"token":"a","principal":"not an id","at":"2026-06-15T12:00:00Z"}]}`} {
		if got, fault := readContacts([]byte(broken)); fault == nil {
			t.Errorf("%s: %+v", broken, got)
		}
	}
}
