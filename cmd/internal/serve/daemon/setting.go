package daemon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/cmd/internal/serve"
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
	TrustedProxies   []string // as serve.ParseProxies takes them
	WitnessPolicy    string   // the policy of the witnesses whose cosignatures count for deadlines; "" for none
	Profile          string   // the incident response profile to publish; "" for none
	LogFormat        string   // one of logFormats
	LogFile          string   // "" for standard error
	LogLevel         string   // one of logLevels
	Limits           serve.Limits
}

// Defaults returns the values without a file and without a flag.
func Defaults() Values {
	return Values{Listen: "127.0.0.1:8417", SocketMode: "0600", LogFormat: "text", LogLevel: "info", Limits: serve.DefaultLimits()}
}

// Proxies returns the trusted proxies.
func (v *Values) Proxies() serve.Proxies {
	proxies, _ := serve.ParseProxies(v.TrustedProxies) // Load has read them
	return proxies
}

// A Setting is a row of the table of settings: a field of the Values.
type Setting struct {
	Name    string   // in the file; limits are below [limits]
	Meaning string   // one clause; the value of a flag stands in backquotes and capitals
	Words   []string // that it takes; nil for others
	// Live says that SIGHUP changes the setting; any other needs a new start.
	Live bool

	path   bool // of a file, beside the config file unless it begins with / or is the address of a database
	common bool // its flag is one of every command
	// field points to a *string, *bool, *[]string, *int, *int64 or *time.Duration of the values.
	field       func(*Values) any
	least, most int64 // of a number, or of a duration
}

// limits is the name of the table of limits in the file.
const limits = "limits."

// table is the one table of settings, in the order in which they are listed.
var table = []Setting{
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
	{Name: "log_file", Meaning: "write the log to this `FILE`, which SIGHUP opens again, in place of standard error", path: true, Live: true,
		field: func(v *Values) any { return &v.LogFile }},
	{Name: "log_level", Meaning: "the lowest `LEVEL` of the log lines that are written", Words: logLevels, Live: true,
		field: func(v *Values) any { return &v.LogLevel }},
	count("connections", 1<<20, "open connections; more wait", func(l *serve.Limits) *int { return &l.Connections }),
	count("bodies", 1<<16, "bodies in memory at a time, of at most 1 MiB each", func(l *serve.Limits) *int { return &l.Bodies }),
	count("reads", 1000, "requests that read the store or judge a packet at a time; of the store's four connections that read, one is for enforcing",
		func(l *serve.Limits) *int { return &l.Reads }),
	count("writes", 10000, "enforce requests at a time", func(l *serve.Limits) *int { return &l.Writes }),
	count("per_caller", 1<<16, "requests of one token, or of one address without a token, at a time; more are refused",
		func(l *serve.Limits) *int { return &l.PerCaller }),
	count("token_rate", 1e6, "requests a second of one token; twice as many at once after a pause", func(l *serve.Limits) *int { return &l.TokenRate }),
	count("address_rate", 1e6, "requests a second without a valid token of one address (of IPv6: of a network of 64 bits)",
		func(l *serve.Limits) *int { return &l.AddressRate }),
	lasting("head_time", "time for the head of a request", func(l *serve.Limits) *time.Duration { return &l.Head }),
	lasting("read_time", "time for a whole request, its body included", func(l *serve.Limits) *time.Duration { return &l.Read }),
	lasting("write_time", "time for the response, from the head of the request on", func(l *serve.Limits) *time.Duration { return &l.Write }),
	lasting("idle_time", "time after which an idle connection is closed", func(l *serve.Limits) *time.Duration { return &l.Idle }),
	lasting("handler_time", "time for the work of a request, waiting for a place included, once its body is there",
		func(l *serve.Limits) *time.Duration { return &l.Handler }),
	lasting("stop_time", "time for requests in progress when the service stops", func(l *serve.Limits) *time.Duration { return &l.Stop }),
	{Name: limits + "free_space", Meaning: "free bytes where the store lies, below which the service is not ready", most: 1 << 40,
		field: func(v *Values) any { return &v.Limits.FreeSpace }},
}

func count(name string, most int64, meaning string, at func(*serve.Limits) *int) Setting {
	return Setting{Name: limits + name, Meaning: meaning, least: 1, most: most, field: func(v *Values) any { return at(&v.Limits) }}
}

func lasting(name, meaning string, at func(*serve.Limits) *time.Duration) Setting {
	return Setting{Name: limits + name, Meaning: meaning, least: int64(time.Millisecond), most: int64(time.Hour),
		field: func(v *Values) any { return at(&v.Limits) }}
}

// Table lists every setting.
func Table() []Setting { return slices.Clone(table) }

// Flag returns the name of the setting's flag; "" for a limit, which has none.
func (s *Setting) Flag() string {
	if strings.HasPrefix(s.Name, limits) {
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
	switch s.field(&Values{}).(type) {
	case *bool:
		return settings.Bare
	case *[]string:
		return settings.List
	case *int, *int64:
		return settings.Number
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
	switch field := s.field(v).(type) {
	case *string:
		return *field
	case *bool:
		return strconv.FormatBool(*field)
	case *[]string:
		return strings.Join(*field, " ")
	case *int:
		return strconv.Itoa(*field)
	case *int64:
		return strconv.FormatInt(*field, 10)
	case *time.Duration:
		return field.String()
	}
	return ""
}

// set takes a value; list is the value of a list. It reports whether the setting accepts the value.
func (s *Setting) set(v *Values, text string, list []string) bool {
	switch field := s.field(v).(type) {
	case *string:
		*field = text
		return visible.Clean(text) && (s.Words == nil || slices.Contains(s.Words, text))
	case *bool:
		*field = text == "true"
		return *field || text == "false"
	case *[]string:
		*field = list
		_, err := serve.ParseProxies(list)
		return err == nil
	case *int:
		number, ok := s.number(strconv.ParseInt(text, 10, 64))
		*field = int(number)
		return ok
	case *int64:
		number, ok := s.number(strconv.ParseInt(text, 10, 64))
		*field = number
		return ok
	case *time.Duration:
		duration, err := time.ParseDuration(text)
		number, ok := s.number(int64(duration), err)
		*field = time.Duration(number)
		return ok
	}
	return false
}

// number returns the parsed number and whether it is within the bounds.
func (s *Setting) number(parsed int64, err error) (int64, bool) {
	return parsed, err == nil && parsed >= s.least && parsed <= s.most
}

// takes returns the values of the setting and, for the file, their form.
func (s *Setting) takes(inFile bool) string {
	said := "takes a text"
	switch {
	case s.Form() == settings.Number:
		said = fmt.Sprintf("takes a whole number from %d to %d", s.least, s.most)
	case s.most > 0:
		said = fmt.Sprintf("takes a duration from %s to %s", time.Duration(s.least), time.Duration(s.most))
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
