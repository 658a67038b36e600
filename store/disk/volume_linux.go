package disk

import (
	"fmt"
	"syscall"
)

// A fileSystem is the meaning of a number in statfs(2).
type fileSystem struct {
	name    string
	network bool
}

var fileSystems = map[uint32]fileSystem{
	0xef53: {"ext4", false}, 0x58465342: {"xfs", false}, 0x9123683e: {"btrfs", false}, 0x01021994: {"tmpfs", false},
	0x2fc12fc1: {"zfs", false}, 0xf2f52010: {"f2fs", false}, 0x794c7630: {"overlayfs", false}, 0x4d44: {"vfat", false},
	0x2011bab0: {"exfat", false}, 0x7366746e: {"ntfs3", false}, 0x9660: {"iso9660", false}, 0x73717368: {"squashfs", false},
	0x6969: {"nfs", true}, 0xff534d42: {"cifs", true}, 0xfe534d42: {"smb2", true}, 0x517b: {"smb", true},
	0x65735546: {"fuse", true}, 0x01021997: {"9p", true}, 0x00c36400: {"ceph", true}, 0x5346414f: {"afs", true},
	0x73757245: {"coda", true}, 0x564c: {"ncp", true}, 0x0bd00bd0: {"lustre", true}, 0x01161970: {"gfs2", true},
	0x7461636f: {"ocfs2", true}, 0x786f4256: {"vboxsf", true}, 0xbacbacbc: {"vmhgfs", true},
}

// VolumeOf asks the system where a path lies.
func VolumeOf(path string) Volume {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return Volume{}
	}
	return volumeFrom(&s)
}

// volumeFrom interprets the answer, in which the 32 bits of a number are in a field of any width.
func volumeFrom(s *syscall.Statfs_t) Volume {
	const readOnly = 1 // ST_RDONLY
	magic := uint32(s.Type)
	v := Volume{Known: true, Name: fmt.Sprintf("%#x", magic), ReadOnly: s.Flags&readOnly != 0,
		Free: int64(s.Bavail) * int64(s.Bsize)}
	if known, ok := fileSystems[magic]; ok {
		v.Name, v.Network = known.name, known.network
	}
	return v
}
