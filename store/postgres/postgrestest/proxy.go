package postgrestest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// A Proxy stands between clients and a server, and ends connections in the middle of a COMMIT where a test asks for it.
type Proxy struct {
	folder   string // of its socket
	server   string // the server's socket
	listener net.Listener

	answers, requests atomic.Int64 // how many more of each are lost
	ended             atomic.Int64 // connections that were ended

	mutex sync.Mutex
	open  map[net.Conn]bool
	wait  sync.WaitGroup
}

// Proxy starts a proxy before the server. It ends with the test.
func (s *Server) Proxy(t testing.TB) *Proxy {
	t.Helper()
	folder, err := os.MkdirTemp(filepath.Dir(s.Folder), "docket-proxy-*")
	if err != nil {
		t.Fatal(err)
	}
	socket := fmt.Sprintf(".s.PGSQL.%d", port)
	p := &Proxy{folder: folder, server: filepath.Join(s.Folder, socket), open: map[net.Conn]bool{}}
	if p.listener, err = net.Listen("unix", filepath.Join(folder, socket)); err != nil {
		t.Fatal(errors.Join(err, os.RemoveAll(folder)))
	}
	p.wait.Go(p.accept)
	t.Cleanup(func() {
		err := p.listener.Close()
		p.mutex.Lock()
		for conn := range p.open {
			_ = conn.Close() // its client may have closed it
		}
		p.mutex.Unlock()
		p.wait.Wait()
		if err := errors.Join(err, os.RemoveAll(folder)); err != nil {
			t.Error(err)
		}
	})
	return p
}

// DSN is the URL of a database behind the proxy for a role.
func (p *Proxy) DSN(role, database string) string {
	address := url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database}
	address.RawQuery = url.Values{"host": {p.folder}, "port": {strconv.Itoa(port)}}.Encode()
	return address.String()
}

// LoseAnswer ends the next connection whose transaction the server has committed, before the client hears of it.
func (p *Proxy) LoseAnswer() { p.answers.Add(1) }

// LoseRequest ends the next connection that asks for a COMMIT, before the server hears of it.
func (p *Proxy) LoseRequest() { p.requests.Add(1) }

// Ended is how many connections were ended in a COMMIT.
func (p *Proxy) Ended() int64 { return p.ended.Load() }

// committed is what a server sends once it has committed, and committing the name under which pgx prepares the statement.
var (
	committed  = []byte("C\x00\x00\x00\x0bCOMMIT\x00")
	committing = func() []byte {
		digest := sha256.Sum256([]byte("COMMIT"))
		return []byte("stmtcache_" + hex.EncodeToString(digest[:24]))
	}()
)

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // it was closed
		}
		server, err := net.Dial("unix", p.server)
		if err != nil {
			_ = client.Close() // as a server that is not there does
			continue
		}
		p.mutex.Lock()
		p.open[client], p.open[server] = true, true
		p.mutex.Unlock()
		p.wait.Go(func() { p.pass(server, client, committing, &p.requests) })
		p.wait.Go(func() { p.pass(client, server, committed, &p.answers) })
	}
}

// pass passes on what one side sends, up to the mark if one more of it is to be lost.
func (p *Proxy) pass(to, from net.Conn, mark []byte, left *atomic.Int64) {
	defer func() {
		_, _ = to.Close(), from.Close() // one of them has ended
		p.mutex.Lock()
		delete(p.open, to)
		delete(p.open, from)
		p.mutex.Unlock()
	}()
	buffer, before := make([]byte, 1<<16), []byte(nil)
	for {
		n, err := from.Read(buffer)
		seen := append(before, buffer[:n]...)
		if bytes.Contains(seen, mark) && take(left) {
			p.ended.Add(1)
			return
		}
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
		before = bytes.Clone(seen[max(0, len(seen)-len(mark)+1):])
	}
}

// take takes one of what is left, if there is one.
func take(left *atomic.Int64) bool {
	for {
		count := left.Load()
		if count == 0 {
			return false
		}
		if left.CompareAndSwap(count, count-1) {
			return true
		}
	}
}
