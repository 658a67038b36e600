package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"docket/store/postgres/postgrestest"
)

// A proxy stands between clients and a server, and ends connections in the middle of a COMMIT where a test asks for it.
type proxy struct {
	folder   string // of its socket
	server   *postgrestest.Server
	listener net.Listener

	answers, requests atomic.Int64 // how many more of each are lost
	endings           atomic.Int64 // connections that were ended

	mutex sync.Mutex
	open  map[net.Conn]bool
	wait  sync.WaitGroup
}

// socket is the name of a server's socket.
const socket = ".s.PGSQL.5432"

// newProxy starts a proxy before the server. It ends with the test.
func newProxy(t testing.TB, s *postgrestest.Server) *proxy {
	t.Helper()
	folder, err := os.MkdirTemp(filepath.Dir(s.Folder), "docket-proxy-*")
	must(t, err)
	p := &proxy{folder: folder, server: s, open: map[net.Conn]bool{}}
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
		err = errors.Join(err, os.RemoveAll(folder))
		wantNot(t, err != nil, "%v", err)
	})
	return p
}

// dsn is the URL of a database behind the proxy for a role.
func (p *proxy) dsn(role, database string) string {
	return strings.Replace(p.server.DSN(role, database), url.QueryEscape(p.server.Folder), url.QueryEscape(p.folder), 1)
}

// loseAnswer ends the next connection whose transaction the server has committed, before the client hears of it.
func (p *proxy) loseAnswer() { p.answers.Add(1) }

// loseRequest ends the next connection that asks for a COMMIT, before the server hears of it.
func (p *proxy) loseRequest() { p.requests.Add(1) }

// ended is how many connections were ended in a COMMIT.
func (p *proxy) ended() int64 { return p.endings.Load() }

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // it was closed
		}
		server, err := net.Dial("unix", filepath.Join(p.server.Folder, socket))
		if err != nil {
			_ = client.Close() // as a server that is not there does
			continue
		}
		p.mutex.Lock()
		p.open[client], p.open[server] = true, true
		p.mutex.Unlock()
		asks := asksForCommit()
		p.wait.Go(func() { p.pass(server, client, func(m message) bool { return asks(m) && p.take(&p.requests) }) })
		p.wait.Go(func() {
			p.pass(client, server, func(m message) bool { return m.tells("C", "COMMIT") && p.take(&p.answers) })
		})
	}
}

// pass passes on the messages of one side, up to the one that is lost.
func (p *proxy) pass(to, from net.Conn, lost func(message) bool) {
	defer func() {
		_, _ = to.Close(), from.Close() // one of them has ended
		p.mutex.Lock()
		delete(p.open, to)
		delete(p.open, from)
		p.mutex.Unlock()
	}()
	in, out := bufio.NewReader(from), bufio.NewWriter(to)
	for {
		m, err := readMessage(in)
		if err != nil || lost(m) {
			_ = out.Flush() // what came before
			return
		}
		_, err = out.Write(m)
		if err == nil && in.Buffered() == 0 {
			err = out.Flush()
		}
		if err != nil {
			return
		}
	}
}

// take takes one of what is to be lost, if there is one.
func (p *proxy) take(left *atomic.Int64) bool {
	for {
		count := left.Load()
		if count == 0 {
			return false
		}
		if left.CompareAndSwap(count, count-1) {
			p.endings.Add(1)
			return true
		}
	}
}

// A message of the protocol: a letter, its length, and its parts. The first one of a client has no letter, and begins with a zero byte.
type message []byte

func readMessage(in *bufio.Reader) (message, error) {
	letter, err := in.Peek(1)
	if err != nil {
		return nil, err
	}
	lead := 1
	if letter[0] == 0 {
		lead = 0
	}
	head, err := in.Peek(lead + 4)
	if err != nil {
		return nil, err
	}
	m := make(message, lead+int(binary.BigEndian.Uint32(head[lead:])))
	_, err = io.ReadFull(in, m)
	return m, err
}

// parts are the first texts of a message.
func (m message) parts(count int) []string {
	parts := strings.SplitN(string(m[min(5, len(m)):]), "\x00", count+1)
	return parts[:min(count, len(parts))]
}

// tells reports whether the message has the letter and begins with the texts.
func (m message) tells(letter string, texts ...string) bool {
	return m[0] == letter[0] && slices.Equal(m.parts(len(texts)), texts)
}

// asksForCommit returns a function that reports of each message of a client whether it asks for a COMMIT: as it is, or as what was prepared.
func asksForCommit() func(message) bool {
	prepared := map[string]bool{}
	return func(m message) bool {
		switch m[0] {
		case 'P':
			parts := m.parts(2)
			prepared[parts[0]] = strings.EqualFold(parts[1], "COMMIT")
		case 'B':
			return prepared[m.parts(2)[1]]
		}
		return m[0] == 'Q' && strings.EqualFold(m.parts(1)[0], "COMMIT")
	}
}
