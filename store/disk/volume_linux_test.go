package disk

import (
	"syscall"
	"testing"
)

func TestAFileSystemIsKnownByItsNumber(t *testing.T) {
	for number, want := range map[int64]Volume{
		0xef53:     {Name: "ext4"},
		0x01021994: {Name: "tmpfs"},
		0x9123683e: {Name: "btrfs"},
		0x794c7630: {Name: "overlayfs"},
		0x73717368: {Name: "squashfs"},
		0x6969:     {Name: "nfs", Network: true},
		0x517b:     {Name: "smb", Network: true},
		0xff534d42: {Name: "cifs", Network: true},
		-0xacb2be:  {Name: "cifs", Network: true}, // as a system with 32-bit numbers says 0xff534d42
		0xfe534d42: {Name: "smb2", Network: true},
		0x65735546: {Name: "fuse", Network: true},
		0x01021997: {Name: "9p", Network: true},
		0x00c36400: {Name: "ceph", Network: true},
		0x12345678: {Name: "0x12345678"},
	} {
		s := syscall.Statfs_t{Bavail: 3, Bsize: 4096}
		setType(&s, number)
		want.Known, want.Free = true, 3*4096
		if got := volumeFrom(&s); got != want {
			t.Errorf("%#x: %+v", number, got)
		}
		s.Flags = 1 | 32
		if want.ReadOnly = true; volumeFrom(&s) != want {
			t.Errorf("%#x on a medium that can only be read: %+v", number, volumeFrom(&s))
		}
	}
}

// setType sets a field whose width differs from system to system.
func setType(s *syscall.Statfs_t, number int64) { assign(&s.Type, number) }

func assign[T ~int32 | ~int64 | ~uint32](field *T, number int64) { *field = T(number) }
