package selftest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// filesUnder lists the files below a folder with their sizes.
func filesUnder(folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		files = append(files, fmt.Sprintf("%s %d", path, info.Size()))
		return nil
	})
	return files, err
}

// withoutIn holds every file below a folder to containing none of the texts. It returns how many files there are.
func withoutIn(folder string, texts ...string) (files int, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				return errors.New("what was private is in a file")
			}
		}
		return nil
	})
	return files, err
}
