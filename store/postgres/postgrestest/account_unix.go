//go:build unix

package postgrestest

import (
	"os"
	"strconv"
	"syscall"
)

// An account is the user as whom a server runs: that of the tests or, for root, an ordinary one.
type account struct{ credential *syscall.Credential }

// noAccount says why no server can run here; "" if one can.
func noAccount() string {
	if _, err := accountOf(); err != nil {
		return err.Error()
	}
	return ""
}

func accountOf() (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	u, err := userOf()
	if err != nil {
		return account{}, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return account{}, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return account{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, err
}

// attributes puts a process in its own group, so that an interrupt of the tests does not reach it.
func (a account) attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential, Setpgid: true}
}

func (a account) own(folder string) error {
	if a.credential == nil {
		return nil
	}
	return os.Chown(folder, int(a.credential.Uid), int(a.credential.Gid))
}

func killProcess(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != syscall.ESRCH {
		return err
	}
	return os.ErrProcessDone
}
