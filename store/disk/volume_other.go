//go:build !linux

package disk

// VolumeOf returns the zero Volume: it is implemented for Linux only.
func VolumeOf(string) Volume { return Volume{} }
