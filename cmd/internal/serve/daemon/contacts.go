package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"docket/cmd/internal/serve"
	"docket/domain/canonical"
	"docket/domain/shape"
	"docket/domain/terms"
)

// A ContactsPlace is the place where the processes of a service on this machine report their callers: each has a socket
// in a folder that only the account of the service may enter. Each connection gets an answer, and nothing is read from
// it.
type ContactsPlace struct {
	Folder string
	Log    string // the verifier key of the service's log
}

// How long a process waits for the asking program, and that program for an answer; the largest size of an answer, in
// bytes.
const (
	contactsPatience = 2 * time.Second
	mostContacts     = 64 << 20
)

// prefix begins the names of the sockets of the service.
func (p ContactsPlace) prefix() string {
	return terms.HashOf([]byte(p.Log)).String()[len("sha256:"):][:12] + "-"
}

// listen makes the socket of this process, and removes the sockets of killed processes.
func (p ContactsPlace) listen() (net.Listener, error) {
	if err := os.MkdirAll(p.Folder, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(p.Folder, 0o700); err != nil {
		return nil, err
	}
	sockets, err := p.sockets()
	if err != nil {
		return nil, err
	}
	for _, path := range sockets {
		if conn, err := net.DialTimeout("unix", path, contactsPatience); err == nil {
			_ = conn.Close()
		} else if errors.Is(err, syscall.ECONNREFUSED) {
			_ = os.Remove(path)
		}
	}
	return net.Listen("unix", filepath.Join(p.Folder, fmt.Sprintf("%s%d", p.prefix(), os.Getpid())))
}

// sockets lists the sockets of the service; killed processes may have left some.
func (p ContactsPlace) sockets() (paths []string, err error) {
	entries, err := os.ReadDir(p.Folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), p.prefix()) && entry.Type() == os.ModeSocket {
			paths = append(paths, filepath.Join(p.Folder, entry.Name()))
		}
	}
	return paths, err
}

// tell answers connections, one after the other, until the listener is closed.
func (p ContactsPlace) tell(listener net.Listener, log *slog.Logger, contacts func() serve.Contacts) {
	defer func() {
		if cause := recover(); cause != nil {
			log.Error("callers are not reported any more", slog.String("reason", fmt.Sprintf("a panic: %T", cause)))
		}
	}()
	for {
		conn, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			log.Warn("callers are not reported any more", slog.String("reason", bareOf(err).Error()))
			return
		}
		_ = conn.SetDeadline(time.Now().Add(contactsPatience))
		_ = json.NewEncoder(conn).Encode(contacts()) // the asking program may be gone
		_ = conn.Close()
	}
}

// errUnreadContacts says that a process of the service gives no answer that can be used.
var errUnreadContacts = errors.New("the service's answer about its callers cannot be read")

// Ask returns what each process of the service on this machine saw; none if none runs.
func (p ContactsPlace) Ask() (all []serve.Contacts, err error) {
	sockets, err := p.sockets()
	if err != nil {
		return nil, err
	}
	for _, path := range sockets {
		conn, err := net.DialTimeout("unix", path, contactsPatience)
		if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, os.ErrNotExist) {
			continue // it was killed, or has ended
		}
		if err != nil {
			return nil, fmt.Errorf("the service cannot be asked for its callers: %w; --log takes its log instead", bareOf(err))
		}
		_ = conn.SetDeadline(time.Now().Add(contactsPatience))
		text, err := io.ReadAll(io.LimitReader(conn, mostContacts))
		_ = conn.Close()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errUnreadContacts, bareOf(err))
		}
		contacts, fault := readContacts(text)
		if fault != nil {
			return nil, fmt.Errorf("%w: %w", errUnreadContacts, fault)
		}
		all = append(all, contacts)
	}
	return all, nil
}

// Contacts are read without a state.
type none = struct{}

func instantMember[T any](name string, at func(*T) *terms.Instant) shape.Member[none, *T] {
	return shape.Required(shape.ParsedMember[none](name, shape.FormString, "must be a time", at, terms.ParseInstant))
}

var contactsShape = shape.New(
	instantMember("since", func(c *serve.Contacts) *terms.Instant { return &c.Since }),
	shape.Required(shape.ListMember("uses", shape.New(
		shape.Required(shape.StringMember[none]("token", func(u *serve.TokenUse) *string { return &u.Token })),
		shape.Required(shape.ParsedMember[none]("principal", shape.FormString, "must be an id", func(u *serve.TokenUse) *terms.ID { return &u.Principal }, terms.ParseID)),
		instantMember("at", func(u *serve.TokenUse) *terms.Instant { return &u.At }),
	), func(c *serve.Contacts) *[]serve.TokenUse { return &c.Uses })),
)

func readContacts(text []byte) (serve.Contacts, *shape.Fault) {
	var contacts serve.Contacts
	var doc canonical.Document
	if fault := doc.Parse(text, canonical.Limits{Depth: 4}); fault != nil {
		return serve.Contacts{}, &shape.Fault{Reason: fault.Reason}
	}
	if fault := contactsShape.Read(&contacts, doc.Root(), nil); fault != nil {
		return serve.Contacts{}, fault
	}
	return contacts, nil
}
