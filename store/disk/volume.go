package disk

// A Volume is the file system that a file lies on.
type Volume struct {
	Known    bool   // the rest was found out
	Name     string // such as ext4, or its number where it has no name here
	Network  bool   // the files are another machine's, or some program's: locks may not hold there
	ReadOnly bool
	Free     int64 // bytes
}
