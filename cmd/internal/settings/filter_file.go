package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"docket/store/disk"
	"docket/ui"
)

// A FilterFile keeps the filters that were saved in the console. It lies beside the config file, which the console never
// writes, and looks as that file's table of filters does. It may be edited; what cannot be read is refused with its line.
//
// Each change reads the file again and puts a new one in its place at once, so that a reader never meets half a file and
// what another console has saved meanwhile stays.
type FilterFile struct{ Path string }

// Filters lists the filters of the file in its order; none if there is no file. The error is that of
// Load.
func (f FilterFile) Filters() ([]ui.SavedFilter, error) {
	e := defaults(saved)
	e.Path = f.Path
	if err := e.readFile(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return e.Filters, nil
}

// Save keeps a filter, and replaces one of that name.
func (f FilterFile) Save(filter ui.SavedFilter) ([]ui.SavedFilter, error) {
	return f.change(func(kept []ui.SavedFilter) []ui.SavedFilter {
		if at := slices.IndexFunc(kept, func(one ui.SavedFilter) bool { return one.Name == filter.Name }); at >= 0 {
			kept[at] = filter
			return kept
		}
		return append(kept, filter)
	})
}

// Drop deletes the filter of that name.
func (f FilterFile) Drop(name string) ([]ui.SavedFilter, error) {
	return f.change(func(kept []ui.SavedFilter) []ui.SavedFilter {
		return slices.DeleteFunc(kept, func(one ui.SavedFilter) bool { return one.Name == name })
	})
}

func (f FilterFile) change(change func([]ui.SavedFilter) []ui.SavedFilter) ([]ui.SavedFilter, error) {
	kept, err := f.Filters()
	if err != nil {
		return nil, err
	}
	kept = change(kept)
	if err := f.replace(kept); err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w; make its folder writable for you", f.Path, err)
	}
	return kept, nil
}

// replace writes a new file beside the old one and renames it. A link stays a link.
func (f FilterFile) replace(filters []ui.SavedFilter) error {
	if path, err := filepath.EvalSymlinks(f.Path); err == nil {
		f.Path = path
	}
	if err := disk.Replace(f.Path, []byte(filterText(filters))); err != nil {
		return disk.Reason(err)
	}
	return nil
}

// filterText returns the content of the file.
func filterText(filters []ui.SavedFilter) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# The filters that were saved in docket's console, which writes this file. Those of config.toml are beside them.\n[filters]\n")
	for _, filter := range filters {
		fmt.Fprintf(&out, "%s = %s\n", basic(filter.Name), basic(filter.Text))
	}
	return out.String()
}

// basic returns a text without control characters as a basic string of TOML.
func basic(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
