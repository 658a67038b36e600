package daemon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/cmd/internal/admission"
	"docket/cmd/internal/settings"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/postgres"
)

// Values are the settings as the service uses them.
type Values struct {
	Store            string   // a file, or the address of a database; "" for that of the command
	Listen           string   // an address with a port, or unix: and a path
	SocketMode       string   // of a unix socket, in octal digits
	Certificate, Key string   // PEM files; "" for no TLS
	BehindProxy      bool     // a proxy in front terminates TLS
	TrustedProxies   []string // as admission.ParseProxies takes them
	WitnessPolicy    string   // the policy of the witnesses whose cosignatures count for deadlines; "" for none
	Profile          string   // the incident response profile to publish; "" for none
	LogFormat        string   // one of logFormats
	LogLevel         string   // one of logLevels
	Limits           admission.Limits
}

// Defaults returns the values without a file and without a flag.
func Defaults() Values {
	return Values{Listen: "127.0.0.1:8417", SocketMode: "0600", LogFormat: "text", LogLevel: "info", Limits: admission.DefaultLimits()}
}

// Proxies returns the trusted proxies.
func (v *Values) Proxies() admission.Proxies {
	proxies, _ := admission.ParseProxies(v.TrustedProxies) // Load has read them
	return proxies
}

// A Setting is a row of the table of settings: a field of the Values, or a limit.
type Setting struct {
	Name    string   // in the file; limits are below [limits]
	Meaning string   // one clause; the value of a flag stands in backquotes and capitals
	Words   []string // that it takes; nil for others
	// Live says that SIGHUP changes the setting; any other needs a new start.
	Live bool

	path   bool // of a file, beside the config file unless it begins with / or is the address of a database
	common bool // its flag is one of every command
	// field points to a *string, *bool or *[]string of the values; nil for a limit.
	field func(*Values) any
	limit admission.Limit
}

// limits is the name of the table of limits in the file.
const limits = "limits."

// table is the one table of settings, in the order in which they are listed. The limits are those of package admission.
var table = withLimits([]Setting{
	{Name: "db", Meaning: "the store's `FILE`, or a database of PostgreSQL: postgres://user@host/name", path: true, common: true,
		field: func(v *Values) any { return &v.Store }},
	{Name: "listen", Meaning: "the `ADDRESS` to listen on, with a port, or unix: and the path of a socket; port 0 takes any free port",
		field: func(v *Values) any { return &v.Listen }},
	{Name: "socket_mode", Meaning: "the `MODE` of the unix socket: its owner may connect, or its group, too", Words: []string{"0600", "0660"},
		field: func(v *Values) any { return &v.SocketMode }},
	{Name: "tls_cert", Meaning: "serve with TLS and the certificate chain in this PEM `FILE`", path: true, Live: true,
		field: func(v *Values) any { return &v.Certificate }},
	{Name: "tls_key", Meaning: "the key of the certificate, in this PEM `FILE`", path: true, Live: true,
		field: func(v *Values) any { return &v.Key }},
	{Name: "behind_proxy", Meaning: "a proxy in front terminates TLS; no caller counts as local then",
		field: func(v *Values) any { return &v.BehindProxy }},
	{Name: "trusted_proxy", Meaning: "a `NETWORK` such as 10.0.0.0/8, or unix for the unix socket, whose peers say for whom they send a request; may be repeated",
		field: func(v *Values) any { return &v.TrustedProxies }},
	{Name: "profile", Meaning: "publish the incident response profile in this `FILE`", path: true,
		field: func(v *Values) any { return &v.Profile }},
	{Name: "witness_policy", Meaning: "judge the deadline of a record for the time at which the quorum of the witness policy in this `FILE` cosigned its console's log", path: true,
		field: func(v *Values) any { return &v.WitnessPolicy }},
	{Name: "log_format", Meaning: "the `FORMAT` of log lines", Words: logFormats,
		field: func(v *Values) any { return &v.LogFormat }},
	{Name: "log_level", Meaning: "the lowest `LEVEL` of the log lines that are written", Words: logLevels, Live: true,
		field: func(v *Values) any { return &v.LogLevel }},
})

func withLimits(rows []Setting) []Setting {
	for _, limit := range admission.Table() {
		rows = append(rows, Setting{Name: limits + limit.Name, Meaning: limit.Meaning, Live: true, limit: limit})
	}
	return rows
}

// Table lists every setting.
func Table() []Setting { return slices.Clone(table) }

// Flag returns the name of the setting's flag; "" for a limit, which has none.
func (s *Setting) Flag() string {
	if s.field == nil {
		return ""
	}
	return strings.ReplaceAll(s.Name, "_", "-")
}

// Common reports whether the setting's flag is common to all commands.
func (s *Setting) Common() bool { return s.common }

// shown returns the setting's value for display, without the password of a database.
func (s *Setting) shown(v *Values) string {
	text := s.get(v)
	if s.common && postgres.IsAddress(text) {
		return postgres.Bare(text)
	}
	return text
}

// Form returns the form of the setting in the file.
func (s *Setting) Form() settings.Form {
	if s.field == nil {
		if s.limit.Kind == admission.Duration {
			return settings.Text
		}
		return settings.Number
	}
	switch s.field(&Values{}).(type) {
	case *bool:
		return settings.Bare
	case *[]string:
		return settings.List
	}
	return settings.Text
}

// Default returns the value without a file and without a flag, as Effective.Rows writes it.
func (s *Setting) Default() string {
	v := Defaults()
	return s.get(&v)
}

// get returns the setting's value, without quotes; a list with a space between its texts.
func (s *Setting) get(v *Values) string {
	if s.field == nil {
		return s.limit.Text(v.Limits)
	}
	switch field := s.field(v).(type) {
	case *string:
		return *field
	case *bool:
		return strconv.FormatBool(*field)
	case *[]string:
		return strings.Join(*field, " ")
	}
	return ""
}

// set takes a value; list is the value of a list. It reports whether the setting accepts the value.
func (s *Setting) set(v *Values, text string, list []string) bool {
	if s.field == nil {
		return s.limit.Set(&v.Limits, text) == nil
	}
	switch field := s.field(v).(type) {
	case *string:
		*field = text
		return visible.Clean(text) && (s.Words == nil || slices.Contains(s.Words, text))
	case *bool:
		*field = text == "true"
		return *field || text == "false"
	case *[]string:
		*field = list
		_, err := admission.ParseProxies(list)
		return err == nil
	}
	return false
}

// takes returns the values of the setting and, for the file, their form.
func (s *Setting) takes(inFile bool) string {
	said := "takes a text"
	switch {
	case s.field == nil:
		said = s.limit.Wants()
	case s.common:
		said = "takes the path of a file, or postgres:// and the address of a database"
	case s.path:
		said = "takes the path of a file"
	case s.Words != nil:
		said = fmt.Sprintf("takes one of %s", strings.Join(s.Words, ", "))
	case s.Form() == settings.Bare:
		said = "takes true or false"
	case s.Form() == settings.List:
		said = "takes addresses of networks, such as 10.0.0.0/8, or of hosts, and unix"
	}
	switch {
	case !inFile:
		return fmt.Sprintf("it %s", said)
	case s.Form() == settings.Text:
		return fmt.Sprintf("%s %s, in quotes", s.Name, said)
	case s.Form() == settings.List:
		return fmt.Sprintf("%s %s, in quotes and brackets: [\"10.0.0.0/8\", \"unix\"]", s.Name, said)
	}
	return fmt.Sprintf("%s %s, without quotes", s.Name, said)
}

// nearest returns the setting whose name is most similar to an unknown one, with or without the name of the table.
func nearest(name string) string {
	var all []string
	for i := range table {
		all = append(all, table[i].Name)
	}
	near := func(typed, word string) int {
		return min(terms.Distance(typed, word), terms.Distance(typed[strings.LastIndex(typed, ".")+1:], strings.TrimPrefix(word, limits)))
	}
	return terms.Nearest(strings.ToLower(name), all, near)[0]
}

// plain returns the meaning without the marks of a flag's value.
func (s *Setting) plain() string {
	parts := strings.Split(s.Meaning, "`")
	if len(parts) == 3 {
		parts[1] = strings.ToLower(parts[1])
	}
	return strings.Join(parts, "")
}

// literal returns a value of the setting in the form of the file.
func (s *Setting) literal(text string) string {
	switch s.Form() {
	case settings.Text:
		return strconv.Quote(text)
	case settings.List:
		var quoted []string
		for _, item := range strings.Fields(text) {
			quoted = append(quoted, strconv.Quote(item))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return text
}

// Example returns a config file with every setting at its default, with its meaning.
func Example() string {
	var out strings.Builder
	out.WriteString("# The settings of docket's service, at their defaults: `docket serve --config FILE`, and `--check` with it to try them.\n" +
		"# A flag overrides this file. A setting marked with * changes at SIGHUP, any other at the next start.\n")
	inLimits := false
	for i := range table {
		s := &table[i]
		name := strings.TrimPrefix(s.Name, limits)
		if name != s.Name && !inLimits {
			inLimits = true
			out.WriteString("\n[" + strings.TrimSuffix(limits, ".") + "]\n")
		}
		mark := ""
		if s.Live {
			mark = "*"
		}
		line := name + " = " + s.literal(s.Default())
		if s.Form() == settings.List || s.Default() == "" {
			line = "# " + line // there is none
		}
		fmt.Fprintf(&out, "\n# %s%s: %s.\n", name, mark, s.plain())
		if s.Words != nil {
			fmt.Fprintf(&out, "# One of: %s.\n", strings.Join(s.Words, ", "))
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}
