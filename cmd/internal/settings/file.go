package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/terms"
	"docket/domain/visible"
	"docket/ui/action"
)

// take puts an entry into the values and returns its setting.
func (e *Entry) take(v *Values) (int, *Problem) {
	at := slices.IndexFunc(table, func(s Setting) bool { return s.Name == e.Path[0] })
	if at < 0 {
		return 0, &Problem{Line: e.Line, Reason: fmt.Sprintf("there is no such setting; %s", suggest(e.Path[0]))}
	}
	s := &table[at]
	deep := 1
	if s.named() {
		deep = 2
	}
	switch {
	case s.named() && e.Form == Opening && len(e.Path) == 1:
		return at, nil
	case !s.takes(e.Form) || len(e.Path) != deep:
		return 0, &Problem{Line: e.Line, Reason: s.wants()}
	}
	if s.Kind == Keys {
		v.bind(e)
		return at, nil
	}
	if err := s.take(v, e.Path[len(e.Path)-1], e.Text); err != nil {
		if errors.Is(err, errWord) {
			err = errors.New(s.wants())
		}
		return 0, &Problem{Line: e.Line, Reason: err.Error()}
	}
	return at, nil
}

// takes reports whether a value of the setting has the form.
func (s *Setting) takes(form Form) bool {
	switch s.Kind {
	case Switch:
		return form == Bare
	case Keys:
		return form == Text || form == List
	}
	return form == Text
}

// errWord says that a text is not one of the setting's words.
var errWord = errors.New("it is none of the words of the setting")

// take reads a text for the setting. The error names the allowed values, or is errWord.
func (s *Setting) take(v *Values, name, text string) error {
	_, age := ParseAge(text)
	if s.Kind == Age && !age || s.Words != nil && !slices.Contains(s.Words, text) || s.Kind == Path && !visible.Clean(text) {
		return errWord
	}
	return s.set(v, name, text)
}

// suggest lists the settings, those with the most similar names first.
func suggest(name string) string {
	var all []string
	for i := range table {
		all = append(all, table[i].Name)
	}
	return fmt.Sprintf("there are, the nearest first, %s", strings.Join(terms.Nearest(strings.ToLower(name), all, terms.Distance), ", "))
}

// sampleService is the address in the example; no service is there.
const sampleService = "https://docket.example.org"

// sampleFilters are the filters in the example.
var sampleFilters = [][2]string{
	{"mine", "is:mine -is:decided -is:skipped"},
	{"soon", "due:<48h -is:decided"},
	{"ready", "gate:pass is:mine -is:decided"},
}

// Example returns a config file with every setting at its default, with its meaning. It can be used as it is.
func Example() string {
	var out strings.Builder
	out.WriteString("# docket's settings. `docket config --path` says where this file belongs, `docket config` what counts.\n" +
		"# A flag goes before the environment, that before this file. Times are in UTC, always.\n")
	for i := range table {
		s := &table[i]
		fmt.Fprintf(&out, "\n# %s: %s.\n", s.Name, s.Meaning)
		if s.Kind == Filters {
			fmt.Fprintf(&out, "[%s]\n", s.Name)
			for _, filter := range sampleFilters {
				fmt.Fprintf(&out, "%s = %q\n", filter[0], filter[1])
			}
			continue
		}
		if s.Kind == Keys {
			fmt.Fprintf(&out, "# An action's name, and a key or a list of keys in place of its own, such as skip = \"x\". These are their own:\n[%s]\n", s.Name)
			for _, own := range action.OwnKeys() {
				quoted := make([]string, len(own.Keys))
				for j, key := range own.Keys {
					quoted[j] = strconv.Quote(key)
				}
				fmt.Fprintf(&out, "# %s = [%s]\n", own.Action, strings.Join(quoted, ", "))
			}
			continue
		}
		if s.Kind == Address {
			fmt.Fprintf(&out, "# Environment: %s.\n# %s = %q\n", s.Variable, s.Name, sampleService)
			continue
		}
		if s.Kind == Path {
			out.WriteString("# A path; one that does not begin with / or ~/ is beside this file. \"\": none.\n")
		} else if s.Kind == Age {
			out.WriteString("# In days or hours, such as 90d or 12h.\n")
		} else {
			fmt.Fprintf(&out, "# One of: %s.\n", strings.Join(s.Words, ", "))
		}
		if s.Variable != "" {
			fmt.Fprintf(&out, "# Environment: %s. ", s.Variable)
		} else {
			out.WriteString("# ")
		}
		standard := strconv.Quote(s.Default)
		if s.Kind == Switch {
			standard = s.Default
		}
		fmt.Fprintf(&out, "Flag: --%s.\n%s = %s\n", s.Flag(), s.Name, standard)
	}
	return out.String()
}
