package settings

import (
	"fmt"
	"strconv"
	"strings"
)

// sampleService is the one of the example, and no service.
const sampleService = "https://docket.example.org"

// sampleFilters are those of the example.
var sampleFilters = [][2]string{
	{"mine", "is:mine -is:decided -is:skipped"},
	{"soon", "due:<48h -is:decided"},
	{"ready", "gate:pass is:mine -is:decided"},
}

// Example is a config file in which every setting stands at its default, with what it means. It can be used as it is.
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
		if s.Kind == Address {
			fmt.Fprintf(&out, "# Environment: %s.\n# %s = %q\n", s.Variable, s.Name, sampleService)
			continue
		}
		if s.Kind == Path {
			out.WriteString("# A path; one that does not begin with / or ~/ is beside this file. \"\": none.\n")
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
