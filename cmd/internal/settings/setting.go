// Package settings holds the one table of settings of the console and of the service. Config
// files, the environment, flags, `docket config` and `docket serve --check` are read by it; the
// committed examples, the schema and the table of cmd/docs/commands.md are held to it by tests.
//
// A flag takes precedence over the environment, the environment over the file, and the file over
// the default. What cannot be read is refused with its place, and never repeated.
package settings

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/cmd/internal/client"
	"docket/cmd/internal/serve"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/postgres"
	"docket/ui"
	"docket/ui/action"
	"docket/ui/theme"
)

// Values are the settings as the program uses them.
type Values struct {
	Profile string // path of the incident response profile; "": the sample, and none for the service
	Policy  string // path of the witness policy; "" for none

	// Of the console.
	Theme      theme.Name
	Docket     terms.Area
	Sort       queue.SortOrder
	BlindFirst bool
	Service    string // the address of the service; "" for none
	Mouse      bool
	MaxAge     time.Duration    // how long ago the quorum of the policy may have cosigned
	Backups    string           // path of what each backup changes; "" for none
	BackupsAge time.Duration    // how long ago the last backup may have been made
	Filters    []ui.SavedFilter // in the order of the config file
	Keys       action.Keymap    // the actions with the reader's keys

	// Of the service.
	Store            string   // a file, or the address of a database; "" for that of the command
	Listen           string   // an address with a port, or unix: and a path
	SocketMode       string   // of a unix socket, in octal digits
	Certificate, Key string   // PEM files; "" for no TLS
	BehindProxy      bool     // a proxy in front terminates TLS
	TrustedProxies   []string // as serve.ParseProxies takes them
	LogFormat        string
	LogFile          string // "" for standard error
	LogLevel         string
	Limits           serve.Limits
}

// Defaults returns the values without a file, a variable and a flag.
func Defaults() Values {
	return Values{Docket: terms.Appeals, Sort: queue.ByDeadline, MaxAge: 7 * day, BackupsAge: 2 * day,
		Listen: "127.0.0.1:8417", SocketMode: "0600", LogFormat: "text", LogLevel: "info", Limits: serve.DefaultLimits()}
}

// Proxies returns the trusted proxies.
func (v *Values) Proxies() serve.Proxies {
	proxies, _ := serve.ParseProxies(v.TrustedProxies) // Load has read them
	return proxies
}

// A Reader is a program or file that a setting is for.
type Reader uint8

// Readers.
const (
	Console Reader = iota + 1
	Service
)

// A Kind is the form of a setting's value.
type Kind uint8

// Kinds.
const (
	Plain    Kind = iota // any text
	Word                 // one of the setting's words
	Switch               // true or false
	Count                // a whole number within the setting's bounds
	Duration             // such as 20s, within the setting's bounds
	Age                  // a number of days or hours
	Path                 // of a file; in a file it is relative to the folder of that file
	Database             // a Path, or the address of a database
	Address              // of a service
	Networks             // a list of addresses
	Filters              // a table: names, each with a filter
	Keys                 // a table: names of actions, each with a key or a list of keys
)

// kinds describes what each kind takes; Count and Duration name their bounds, Word its words.
var kinds = [...]string{
	Plain: "a text", Word: "one of %s", Switch: "true or false", Count: "a whole number from %d to %d",
	Duration: "a duration from %s to %s", Age: AgeForm, Path: "the path of a file",
	Database: "the path of a file, or postgres:// and the address of a database",
	Address:  "the address of a service, such as https://docket.example.org",
	Networks: "addresses of networks, such as 10.0.0.0/8, or of hosts, and unix",
	Filters:  `a table of filters: [filters], then lines such as mine = "is:mine"`,
	Keys:     `a table of actions: [keys], then lines such as skip = "x" or down = ["j", "down"]`,
}

// A Setting is one row of the table.
type Setting struct {
	Name     string // in the file, with its table; a flag has the same name
	Kind     Kind
	Meaning  string   // one clause; the value of a flag may stand in backquotes and capitals
	Words    []string // of a Word
	Variable string   // of the environment; "" if there is none

	field       any   // points to the setting's value; nil for Filters and Keys
	least, most int64 // of a Count or a Duration
}

// limits is the table of limits in the file of the service.
const limits = "limits."

// tableOf is the one table of settings, of a reader with its values, in the order in which they are
// listed.
func tableOf(reader Reader, v *Values) []Setting {
	if reader == Console {
		return []Setting{
			{Name: "theme", Kind: Word, Words: theme.Words(), Variable: "DOCKET_THEME", field: &v.Theme,
				Meaning: "the colours of the console"},
			{Name: "docket", Kind: Word, Words: terms.Areas.Texts(), field: &v.Docket,
				Meaning: "which docket shows first"},
			{Name: "sort", Kind: Word, Words: queue.SortOrders.Texts(), field: &v.Sort,
				Meaning: "the order of the queue at first"},
			{Name: "blind_first", Kind: Switch, field: &v.BlindFirst,
				Meaning: "the reviewer judges an appeal before the advice shows"},
			{Name: "service", Kind: Address, Variable: "DOCKET_SERVICE", field: &v.Service,
				Meaning: "the service with which pull and push work where none is named"},
			{Name: "mouse", Kind: Switch, field: &v.Mouse,
				Meaning: "the wheel scrolls; a click moves the cursor of a list and opens its row"},
			{Name: "incident_profile", Kind: Path, field: &v.Profile,
				Meaning: "the incident response profile that the contracts page shows in place of the sample"},
			{Name: "witness_policy", Kind: Path, field: &v.Policy,
				Meaning: "the policy that says which witnesses have to cosign the log"},
			{Name: "witness_max_age", Kind: Age, field: &v.MaxAge,
				Meaning: "how long ago the quorum of the witness policy may have cosigned"},
			{Name: "backups", Kind: Path, field: &v.Backups,
				Meaning: "the folder of the backups, or a file that each backup writes, whose age docket doctor checks"},
			{Name: "backups_max_age", Kind: Age, field: &v.BackupsAge,
				Meaning: "how long ago the last backup may have been made"},
			{Name: "keys", Kind: Keys,
				Meaning: "other keys for actions of the console, by the action's name"},
			{Name: "filters", Kind: Filters, Meaning: "saved filters by name, which the queue offers"},
		}
	}
	l := &v.Limits
	return []Setting{
		{Name: "db", Kind: Database, field: &v.Store,
			Meaning: "the store's `FILE`, or a database of PostgreSQL: postgres://user@host/name"},
		{Name: "listen", Kind: Plain, field: &v.Listen,
			Meaning: "the `ADDRESS` to listen on, with a port, or unix: and the path of a socket; port 0 takes any free port"},
		{Name: "socket_mode", Kind: Word, Words: []string{"0600", "0660"}, field: &v.SocketMode,
			Meaning: "the `MODE` of the unix socket: its owner may connect, or its group, too"},
		{Name: "tls_cert", Kind: Path, field: &v.Certificate,
			Meaning: "serve with TLS and the certificate chain in this PEM `FILE`"},
		{Name: "tls_key", Kind: Path, field: &v.Key,
			Meaning: "the key of the certificate, in this PEM `FILE`"},
		{Name: "behind_proxy", Kind: Switch, field: &v.BehindProxy,
			Meaning: "a proxy in front terminates TLS; no caller counts as local then"},
		{Name: "trusted_proxy", Kind: Networks, field: &v.TrustedProxies,
			Meaning: "a `NETWORK` such as 10.0.0.0/8, or unix for the unix socket, whose peers say for whom they send a request; may be repeated"},
		{Name: "profile", Kind: Path, field: &v.Profile,
			Meaning: "publish the incident response profile in this `FILE`"},
		{Name: "log_format", Kind: Word, Words: []string{"text", "json"}, field: &v.LogFormat,
			Meaning: "the `FORMAT` of log lines"},
		{Name: "log_file", Kind: Path, field: &v.LogFile,
			Meaning: "write the log to this `FILE`, which SIGHUP opens again, in place of standard error"},
		{Name: "log_level", Kind: Word, Words: []string{"debug", "info", "warn", "error"}, field: &v.LogLevel,
			Meaning: "the lowest `LEVEL` of the log lines that are written"},
		count("connections", 1<<20, "open connections; more wait", &l.Connections),
		count("bodies", 1<<16, "bodies in memory at a time, of at most 1 MiB each", &l.Bodies),
		count("reads", 1000,
			"requests that read the store or judge a packet at a time; of the store's four connections that read, two are for enforcing",
			&l.Reads),
		count("writes", 10000, "enforce requests at a time", &l.Writes),
		count("per_caller", 1<<16,
			"requests of one token, or of one address without a token, at a time; more are refused",
			&l.PerCaller),
		count("token_rate", 1e6, "requests a second of one token; twice as many at once after a pause",
			&l.TokenRate),
		count("address_rate", 1e6,
			"requests a second without a valid token of one address (of IPv6: of a network of 64 bits)",
			&l.AddressRate),
		lasting("head_time", "time for the head of a request", &l.Head),
		lasting("read_time", "time for a whole request, its body included", &l.Read),
		lasting("write_time", "time for the response, from the head of the request on", &l.Write),
		lasting("idle_time", "time after which an idle connection is closed", &l.Idle),
		lasting("handler_time",
			"time for the work of a request, waiting for a place included, once its body is there",
			&l.Handler),
		lasting("stop_time", "time for requests in progress when the service stops", &l.Stop),
		{Name: limits + "free_space", Kind: Count, most: 1 << 40, field: &l.FreeSpace,
			Meaning: "free bytes where the store lies, below which the service is not ready"},
	}
}

func count(name string, most int64, meaning string, field *int) Setting {
	return Setting{Name: limits + name, Kind: Count, Meaning: meaning, least: 1, most: most, field: field}
}

func lasting(name, meaning string, field *time.Duration) Setting {
	return Setting{Name: limits + name, Kind: Duration, Meaning: meaning,
		least: int64(time.Millisecond), most: int64(time.Hour), field: field}
}

// Table lists the settings of a reader with their defaults.
func Table(of Reader) []Setting {
	v := Defaults()
	return tableOf(of, &v)
}

// Flag returns the name of the setting's flag; "" for a table, a limit and an address.
func (s *Setting) Flag() string {
	if s.field == nil || s.Kind == Address || strings.HasPrefix(s.Name, limits) {
		return ""
	}
	return strings.ReplaceAll(s.Name, "_", "-")
}

// Value returns the setting's value for display: without quotes and the password of a database, a
// list with a space between its texts.
func (s *Setting) Value() string {
	switch field := s.field.(type) {
	case nil:
		return ""
	case *string:
		if s.Kind == Database && postgres.IsAddress(*field) {
			return postgres.Bare(*field)
		}
		return *field
	case *[]string:
		return strings.Join(*field, " ")
	case *time.Duration:
		if s.Kind == Age {
			return WriteAge(*field)
		}
		return field.String()
	default:
		return fmt.Sprint(reflect.ValueOf(field).Elem())
	}
}

var errForm = errors.New("it has another form")

// set takes a value; list is that of a list.
func (s *Setting) set(text string, list []string) (err error) {
	if s.Words != nil && !slices.Contains(s.Words, text) || !visible.Clean(text) {
		return errForm
	}
	var number int64 // of a Count or a Duration
	ok := true
	switch field := s.field.(type) {
	case *string:
		if *field = text; s.Kind == Address {
			return client.CheckAddress(text)
		}
	case *theme.Name:
		*field, err = theme.ParseName(text)
	case *terms.Area:
		*field, err = terms.Areas.Parse(text)
	case *queue.SortOrder:
		*field, err = queue.SortOrders.Parse(text)
	case *bool:
		*field, ok = text == "true", text == "true" || text == "false"
	case *[]string:
		*field = list
		_, err = serve.ParseProxies(list)
	case *int:
		number, err = strconv.ParseInt(text, 10, strconv.IntSize)
		*field = int(number)
	case *int64:
		number, err = strconv.ParseInt(text, 10, 64)
		*field = number
	case *time.Duration:
		if s.Kind == Age {
			*field, ok = ParseAge(text)
		} else {
			*field, err = time.ParseDuration(text)
			number = int64(*field)
		}
	}
	if err != nil || !ok || s.most > 0 && (number < s.least || number > s.most) {
		return errForm
	}
	return nil
}

func (s *Setting) takes() string {
	form := kinds[s.Kind]
	switch s.Kind {
	case Word:
		return fmt.Sprintf(form, strings.Join(s.Words, ", "))
	case Count:
		return fmt.Sprintf(form, s.least, s.most)
	case Duration:
		return fmt.Sprintf(form, time.Duration(s.least), time.Duration(s.most))
	}
	return form
}

// takesInFile describes the values of the setting with their form in a file.
func (s *Setting) takesInFile() string {
	text := fmt.Sprintf("%s takes %s", s.Name, s.takes())
	switch s.Kind {
	case Filters, Keys:
		return text
	case Switch, Count:
		return text + ", without quotes"
	case Networks:
		return text + `, in quotes and brackets: ["10.0.0.0/8", "unix"]`
	}
	return text + ", in quotes"
}

// read reads a value of a file, and reports whether it has the form of the setting there.
func (s *Setting) read(value any) (text string, list []string, fits bool) {
	switch v := value.(type) {
	case string:
		return v, nil, s.Kind != Switch && s.Kind != Count && s.Kind != Networks
	case bool:
		return strconv.FormatBool(v), nil, s.Kind == Switch
	case int64:
		return strconv.FormatInt(v, 10), nil, s.Kind == Count
	}
	list = texts(value)
	return "", list, list != nil && s.Kind == Networks
}

// texts returns the texts of a list; nil if it is none, is empty, or has anything else in it.
func texts(value any) (list []string) {
	items, _ := value.([]any)
	for _, item := range items {
		text, is := item.(string)
		if !is {
			return nil
		}
		list = append(list, text)
	}
	return list
}

// AgeForm describes the form of an age.
const AgeForm = "a number of days or hours, such as 90d or 12h; at most 3650d"

const (
	day     = 24 * time.Hour
	longest = 3650 * day
)

// ParseAge reads 90d or 12h.
func ParseAge(text string) (time.Duration, bool) {
	unit := map[string]time.Duration{"d": day, "h": time.Hour}
	if len(text) < 2 || len(text) > 6 {
		return 0, false
	}
	number, err := strconv.ParseUint(text[:len(text)-1], 10, 32)
	age := time.Duration(number) * unit[text[len(text)-1:]]
	return age, err == nil && age > 0 && age <= longest
}

// WriteAge returns an age in the form that ParseAge reads.
func WriteAge(age time.Duration) string {
	if age%day == 0 {
		return fmt.Sprintf("%dd", age/day)
	}
	return fmt.Sprintf("%dh", age/time.Hour)
}

// Example is a config file of the console with every setting at its default.
//
//go:embed example.toml
var Example string

//go:embed config.schema.json
var schema []byte

// Schema returns the JSON Schema of the console's config file, for editors that read TOML.
func Schema() []byte {
	var names []string
	for _, own := range action.OwnKeys() {
		names = append(names, own.Action)
	}
	return bytes.Replace(schema, []byte(`ACTIONS`), []byte(strings.Join(names, `", "`)), 1)
}
