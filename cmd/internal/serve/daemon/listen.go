package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/coreos/go-systemd/v22/activation"

	"docket/cmd/internal/settings"
	"docket/store/disk"
)

// unixPrefix begins a listen setting that is the path of a unix socket.
const unixPrefix = "unix:"

// A place is an address or a socket at which the service listens.
type place struct {
	address *net.TCPAddr
	socket  string // a path
}

func parseListen(text string) (place, bool) {
	if path, is := strings.CutPrefix(text, unixPrefix); is {
		return place{socket: path}, filepath.IsAbs(path)
	}
	address, err := net.ResolveTCPAddr("tcp", text)
	return place{address: address}, err == nil
}

// listen opens the socket that systemd passed on, if any, otherwise the one of the settings.
func listen(v *settings.Values) (net.Listener, error) {
	passed, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("the sockets that systemd passed on cannot be used: %w", err)
	}
	if len(passed) > 1 {
		return nil, fmt.Errorf("systemd passed on %d sockets; give the unit of the socket one ListenStream=", len(passed))
	}
	if len(passed) == 1 {
		return passed[0], checkPassed(passed[0], v)
	}
	at, _ := parseListen(v.Listen)
	var listener net.Listener
	if at.socket == "" {
		listener, err = net.ListenTCP("tcp", at.address)
	} else {
		listener, err = listenUnix(at.socket, v.SocketMode)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; %s", v.Listen, bareOf(err), adviceOn(err))
	}
	return listener, nil
}

func adviceOn(err error) string {
	switch {
	case errors.Is(err, errInUse), errors.Is(err, syscall.EADDRINUSE):
		return "stop that program, or name another address with listen"
	case errors.Is(err, fs.ErrNotExist):
		return "make the folder of the socket, or name another one with listen"
	case errors.Is(err, fs.ErrPermission):
		return "give the service the right to, or name another address with listen"
	}
	return "name another address with listen"
}

// checkPassed checks a socket that systemd passed on as a listen setting is checked.
func checkPassed(passed net.Listener, v *settings.Values) error {
	if passed == nil {
		return errors.New("systemd passed on a socket that is no stream; use ListenStream=")
	}
	address, is := passed.Addr().(*net.TCPAddr)
	if is && !address.IP.IsLoopback() && v.Certificate == "" && !v.BehindProxy {
		return errors.Join(errors.New(
			"systemd passed on a socket that can be reached from other machines: set tls_cert and tls_key, or behind_proxy "+
				"if a proxy terminates TLS; nothing is served"), passed.Close())
	}
	return nil
}

var errInUse = errors.New("a program listens there")

// listenUnix replaces a socket without a listener; no program connects before it has its mode.
func listenUnix(path, mode string) (net.Listener, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.Mode().Type() != fs.ModeSocket:
		return nil, errors.New("there is a file that is no socket")
	default:
		if conn, err := net.Dial("unix", path); err == nil {
			return nil, errors.Join(errInUse, conn.Close())
		} else if !errors.Is(err, syscall.ECONNREFUSED) {
			return nil, err
		}
	}
	bits, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), ".docket-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(folder)
	made := filepath.Join(folder, "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: made, Net: "unix"})
	if err != nil {
		return nil, err
	}
	listener.SetUnlinkOnClose(false)
	if err = os.Chmod(made, fs.FileMode(bits)); err == nil {
		err = os.Rename(made, path)
	}
	if err != nil {
		return nil, errors.Join(err, listener.Close(), os.Remove(made))
	}
	if info, err = os.Lstat(path); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &socket{listener, path, info}, nil
}

// A socket is a listener at a path, which it removes when it is closed.
type socket struct {
	net.Listener
	path string
	made fs.FileInfo
}

// Addr returns the path.
func (s *socket) Addr() net.Addr { return &net.UnixAddr{Name: s.path, Net: "unix"} }

// Close closes the listener and removes the socket, unless another file replaced it.
func (s *socket) Close() error {
	err := s.Listener.Close()
	if now, failed := os.Lstat(s.path); failed == nil && os.SameFile(now, s.made) {
		err = errors.Join(err, os.Remove(s.path))
	}
	return err
}

// urlOf returns the service's URL for its address; that of a unix socket names its path.
func urlOf(v *settings.Values, address net.Addr) string {
	switch {
	case address.Network() == "unix":
		return unixPrefix + address.String()
	case v.Certificate != "":
		return "https://" + address.String()
	}
	return "http://" + address.String()
}

// bareOf returns the cause of an error without the address or path, which the caller names.
func bareOf(err error) error {
	var operation *net.OpError
	if errors.As(err, &operation) {
		err = operation.Err
	}
	return disk.Reason(err)
}
