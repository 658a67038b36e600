package admission

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limits are the limits of a service. The table of Table names each of them, with its default and its bounds.
type Limits struct {
	Connections           int64
	ConnectionsPerAddress int64
	Streams               int64

	Head    time.Duration
	Read    time.Duration
	Write   time.Duration
	Idle    time.Duration
	Handler time.Duration
	Stop    time.Duration

	HeadBytes           int64
	BodyRate            int64
	Bodies              int64
	BodiesPerCaller     int64
	BodyMemory          int64
	BodyMemoryPerCaller int64

	Reads           int64
	ReadsPerCaller  int64
	Writes          int64
	WritesPerCaller int64
	Waiting         int64

	PrincipalTime  time.Duration
	PrincipalBurst time.Duration
	AddressTime    time.Duration
	AddressBurst   time.Duration
	RefusalPause   time.Duration

	FreeSpace int64
}

// A Kind is the form of the value of a limit.
type Kind uint8

// The kinds.
const (
	Count    Kind = iota // a whole number
	Bytes                // a whole number of bytes
	Duration             // a number with a unit, such as 20s or 250ms
)

// A Limit is a row of the table of limits.
type Limit struct {
	Name        string // in the config file
	Meaning     string // one clause
	Kind        Kind
	Default     int64
	Least, Most int64

	at    func(*Limits) *int64
	above func(*Limits) *int64 // the limit that this one may not exceed; nil for none
}

const (
	second = int64(time.Second)
	hour   = int64(time.Hour)
	kib    = int64(1) << 10
	mib    = int64(1) << 20
)

// table is the one table of limits.
var table = []Limit{
	{Name: "connections", Kind: Count, Default: 1024, Least: 2, Most: 1 << 20,
		Meaning: "open connections, of all callers together; when there are more, one without a valid token that is idle is closed",
		at:      func(l *Limits) *int64 { return &l.Connections }},
	{Name: "connections_per_address", Kind: Count, Default: 256, Least: 1, Most: 1 << 20,
		Meaning: "open connections of one address (of IPv6: of a network of 64 bits); a trusted proxy may have as many as there are",
		at:      func(l *Limits) *int64 { return &l.ConnectionsPerAddress }, above: func(l *Limits) *int64 { return &l.Connections }},
	{Name: "streams_per_connection", Kind: Count, Default: 32, Least: 1, Most: 1000,
		Meaning: "concurrent requests on one HTTP/2 connection",
		at:      func(l *Limits) *int64 { return &l.Streams }},
	{Name: "head_time", Kind: Duration, Default: 5 * second, Least: second / 10, Most: hour,
		Meaning: "time for the head of a request",
		at:      func(l *Limits) *int64 { return (*int64)(&l.Head) }},
	{Name: "read_time", Kind: Duration, Default: 20 * second, Least: second / 10, Most: hour,
		Meaning: "time for a whole request, its body included",
		at:      func(l *Limits) *int64 { return (*int64)(&l.Read) }},
	{Name: "write_time", Kind: Duration, Default: 50 * second, Least: second / 10, Most: hour,
		Meaning: "time for the response, from the head of the request on",
		at:      func(l *Limits) *int64 { return (*int64)(&l.Write) }},
	{Name: "idle_time", Kind: Duration, Default: 60 * second, Least: second / 10, Most: 24 * hour,
		Meaning: "time after which an idle connection is closed",
		at:      func(l *Limits) *int64 { return (*int64)(&l.Idle) }},
	{Name: "handler_time", Kind: Duration, Default: 20 * second, Least: second / 1000, Most: hour,
		Meaning: "time for the work of a request, waiting for a place included, once its body is there",
		at:      func(l *Limits) *int64 { return (*int64)(&l.Handler) }},
	{Name: "stop_time", Kind: Duration, Default: 30 * second, Least: second / 100, Most: hour,
		Meaning: "time for requests in progress when the service stops; a body that is not there ends at once",
		at:      func(l *Limits) *int64 { return (*int64)(&l.Stop) }},
	{Name: "head_bytes", Kind: Bytes, Default: 16 * kib, Least: kib, Most: mib,
		Meaning: "size of the head of a request; 4096 more are let through",
		at:      func(l *Limits) *int64 { return &l.HeadBytes }},
	{Name: "body_rate", Kind: Bytes, Default: 4 * kib, Least: 1, Most: 1 << 30,
		Meaning: fmt.Sprintf("bytes a second at which a body has to arrive, after its first %d seconds", bodyStart/time.Second),
		at:      func(l *Limits) *int64 { return &l.BodyRate }},
	{Name: "bodies", Kind: Count, Default: 512, Least: 1, Most: 1 << 20,
		Meaning: "bodies that arrive at a time, of all callers together",
		at:      func(l *Limits) *int64 { return &l.Bodies }},
	{Name: "bodies_per_caller", Kind: Count, Default: 16, Least: 1, Most: 1 << 20,
		Meaning: "bodies of one principal that arrive at a time",
		at:      func(l *Limits) *int64 { return &l.BodiesPerCaller }, above: func(l *Limits) *int64 { return &l.Bodies }},
	{Name: "body_memory", Kind: Bytes, Default: 64 * mib, Least: 2 * mib, Most: 1 << 40,
		Meaning: "memory of the bodies that arrive or wait for a place, of all callers together",
		at:      func(l *Limits) *int64 { return &l.BodyMemory }},
	{Name: "body_memory_per_caller", Kind: Bytes, Default: 16 * mib, Least: 2 * mib, Most: 1 << 40,
		Meaning: "memory of the bodies of one principal that arrive or wait for a place",
		at:      func(l *Limits) *int64 { return &l.BodyMemoryPerCaller }, above: func(l *Limits) *int64 { return &l.BodyMemory }},
	{Name: "reads", Kind: Count, Default: 3, Least: 1, Most: 1000,
		Meaning: "requests that read the store or judge a packet at a time; the store has four connections that read, and one is for enforcing",
		at:      func(l *Limits) *int64 { return &l.Reads }},
	{Name: "reads_per_caller", Kind: Count, Default: 1, Least: 1, Most: 1000,
		Meaning: "such requests of one principal at a time; others wait",
		at:      func(l *Limits) *int64 { return &l.ReadsPerCaller }, above: func(l *Limits) *int64 { return &l.Reads }},
	{Name: "writes", Kind: Count, Default: 64, Least: 1, Most: 10000,
		Meaning: "enforce requests at a time",
		at:      func(l *Limits) *int64 { return &l.Writes }},
	{Name: "writes_per_caller", Kind: Count, Default: 4, Least: 1, Most: 10000,
		Meaning: "enforce requests of one principal at a time; others wait",
		at:      func(l *Limits) *int64 { return &l.WritesPerCaller }, above: func(l *Limits) *int64 { return &l.Writes }},
	{Name: "waiting_per_caller", Kind: Count, Default: 64, Least: 0, Most: 100000,
		Meaning: "requests of one principal that wait for a place; more are refused",
		at:      func(l *Limits) *int64 { return &l.Waiting }},
	{Name: "principal_time", Kind: Duration, Default: 600 * second / 1000, Least: second / 1e6, Most: 1000 * second,
		Meaning: "processor time that the requests of one principal may cost a second, of all of its tokens and addresses",
		at:      func(l *Limits) *int64 { return (*int64)(&l.PrincipalTime) }},
	{Name: "principal_burst", Kind: Duration, Default: second, Least: second / 1e6, Most: 1000 * second,
		Meaning: "processor time that a principal may cost at once after a pause",
		at:      func(l *Limits) *int64 { return (*int64)(&l.PrincipalBurst) }},
	{Name: "address_time", Kind: Duration, Default: 25 * second / 1000, Least: second / 1e6, Most: 1000 * second,
		Meaning: "processor time that requests without a valid token may cost a second, of one address (of IPv6: of a network of 64 bits)",
		at:      func(l *Limits) *int64 { return (*int64)(&l.AddressTime) }},
	{Name: "address_burst", Kind: Duration, Default: 50 * second / 1000, Least: second / 1e6, Most: 1000 * second,
		Meaning: "processor time that such requests may cost at once after a pause",
		at:      func(l *Limits) *int64 { return (*int64)(&l.AddressBurst) }},
	{Name: "refusal_pause", Kind: Duration, Default: 200 * second / 1000, Least: 0, Most: 10 * second,
		Meaning: "time by which a refusal for too many requests is held back, so that asking again at once costs the caller time",
		at:      func(l *Limits) *int64 { return (*int64)(&l.RefusalPause) }},
	{Name: "free_space", Kind: Bytes, Default: 16 * mib, Least: 0, Most: 1 << 40,
		Meaning: "free space where the store lies, below which the service is not ready",
		at:      func(l *Limits) *int64 { return &l.FreeSpace }},
}

// Table returns the rows of the table of limits.
func Table() []Limit { return append([]Limit(nil), table...) }

// DefaultLimits returns the limits of a service without a configuration. A console that hands in all of its records
// does not reach them.
func DefaultLimits() Limits {
	var l Limits
	for i := range table {
		*table[i].at(&l) = table[i].Default
	}
	return l
}

// A LimitError says which limit is wrong, and why.
type LimitError struct {
	Name   string // of the limit
	Reason string // one clause that says what it takes
}

func (e *LimitError) Error() string { return e.Name + " " + e.Reason }

// Check returns a *LimitError for the first limit that is out of its bounds, or above the limit of which it is a share;
// otherwise nil.
func (l Limits) Check() error {
	for i := range table {
		row := &table[i]
		if value := *row.at(&l); value < row.Least || value > row.Most {
			return &LimitError{row.Name, row.Wants()}
		}
	}
	for i := range table {
		row := &table[i]
		if row.above == nil || *row.at(&l) <= *row.above(&l) {
			continue
		}
		for j := range table {
			if table[j].at(&l) == row.above(&l) {
				return &LimitError{row.Name, fmt.Sprintf("is %s and may not be above %s, which is %s", row.Text(l), table[j].Name, table[j].Text(l))}
			}
		}
	}
	return nil
}

// Set reads the value of the limit in the form of a config file: a whole number, or a duration such as 20s. The error
// is a *LimitError; l is unchanged then.
func (r *Limit) Set(l *Limits, text string) error {
	value, err := strconv.ParseInt(text, 10, 64)
	if r.Kind == Duration {
		var d time.Duration
		d, err = time.ParseDuration(text)
		value = int64(d)
	}
	if err != nil || value < r.Least || value > r.Most || strings.HasPrefix(text, "+") {
		return &LimitError{r.Name, r.Wants()}
	}
	*r.at(l) = value
	return nil
}

// Text returns the value of the limit in the form that Set reads.
func (r *Limit) Text(l Limits) string { return r.Kind.text(*r.at(&l)) }

// DefaultText returns the default in the form that Set reads.
func (r *Limit) DefaultText() string { return r.Kind.text(r.Default) }

// Wants returns the values that the limit takes.
func (r *Limit) Wants() string {
	return fmt.Sprintf("takes %s from %s to %s", [...]string{Count: "a whole number", Bytes: "a whole number of bytes",
		Duration: "a duration"}[r.Kind], r.Kind.text(r.Least), r.Kind.text(r.Most))
}

func (k Kind) text(value int64) string {
	if k == Duration {
		return time.Duration(value).String()
	}
	return strconv.FormatInt(value, 10)
}
