package serve

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"docket/domain/ordered"
)

// metricsMedia is the media type of the Prometheus text format.
const metricsMedia = "text/plain; version=0.0.4; charset=utf-8"

// A tallies holds the metrics of the service. No label holds an id, an address, or a path that is not in the route table.
type tallies struct {
	began     time.Time
	mu        sync.Mutex
	inFlight  int64
	requests  map[requestLabels]int64
	durations map[requestLabels]*histogram // without a status
	records   map[string]int64             // handed in, by result
}

// requestLabels are the labels of requests that count as the same.
type requestLabels struct {
	method, route string
	status        int
}

// durationBounds are the upper bounds of the buckets of durations, in seconds.
var durationBounds = [...]float64{0.0005, 0.002, 0.008, 0.032, 0.128, 0.512, 2.048, 8.192}

// A histogram counts durations by bucket. The last bucket has no bound.
type histogram struct {
	buckets [len(durationBounds) + 1]int64
	sum     float64
}

// The results of a tally. Any other result is the word of a problem.
const (
	resultAppended = "appended"
	resultAgain    = "again"
)

// noRoute is the label of requests without a route.
const noRoute = "none"

func newTallies() *tallies {
	return &tallies{began: time.Now(), requests: map[requestLabels]int64{}, durations: map[requestLabels]*histogram{}, records: map[string]int64{}}
}

// begin counts a request that begins.
func (m *tallies) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight++
}

// count counts a request that has ended.
func (m *tallies) count(v *visit, took time.Duration) {
	of := requestLabels{method: noRoute, route: noRoute}
	counted := tallyNothing
	if v.route != nil {
		of.method, of.route, counted = v.route.Method, v.route.Path, v.route.tally
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight--
	d := m.durations[of]
	if d == nil {
		d = &histogram{}
		m.durations[of] = d
	}
	bucket, _ := slices.BinarySearch(durationBounds[:], took.Seconds())
	d.buckets[bucket]++
	d.sum += took.Seconds()
	of.status = v.status
	m.requests[of]++
	if counted == tallyRecords {
		m.records[resultOf(v)]++
	}
}

func resultOf(v *visit) string {
	switch {
	case v.status >= http.StatusBadRequest:
		return v.problem.Word()
	case v.status == http.StatusCreated:
		return resultAppended
	}
	return resultAgain
}

// handleMetrics returns the metrics in the Prometheus text format.
func handleMetrics(s *Service, _ *call) (answer, error) {
	return answer{status: http.StatusOK, document: []byte(s.tallies.text() + processText(s.tallies.began)), media: metricsMedia}, nil
}

// text writes the metrics of the requests.
func (m *tallies) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var page strings.Builder
	family(&page, "docket_http_in_flight", "gauge", "Requests in progress.")
	sample(&page, "docket_http_in_flight", float64(m.inFlight))

	family(&page, "docket_http_requests_total", "counter", "Requests answered, by route, method and status.")
	for _, of := range inOrder(m.requests) {
		sample(&page, fmt.Sprintf("docket_http_requests_total{method=%q,route=%q,status=\"%d\"}", of.method, of.route, of.status), float64(m.requests[of]))
	}

	const name = "docket_http_request_seconds"
	family(&page, name, "histogram", "Duration of requests, from the head of the request to the last byte of the response.")
	for _, of := range inOrder(m.durations) {
		d, labels, sum := m.durations[of], fmt.Sprintf("method=%q,route=%q", of.method, of.route), int64(0)
		for i, n := range d.buckets {
			bound := "+Inf"
			if i < len(durationBounds) {
				bound = strconv.FormatFloat(durationBounds[i], 'g', -1, 64)
			}
			sum += n
			sample(&page, fmt.Sprintf("%s_bucket{%s,le=%q}", name, labels, bound), float64(sum))
		}
		sample(&page, name+"_sum{"+labels+"}", d.sum)
		sample(&page, name+"_count{"+labels+"}", float64(sum))
	}

	family(&page, "docket_records_total", "counter", "Records handed in, by result.")
	for _, result := range slices.Sorted(maps.Keys(m.records)) {
		sample(&page, fmt.Sprintf("docket_records_total{result=%q}", result), float64(m.records[result]))
	}
	return page.String()
}

// inOrder returns the counted labels, sorted.
func inOrder[V any](counts map[requestLabels]V) []requestLabels {
	labels := slices.Collect(maps.Keys(counts))
	ordered.Sort(labels, func(a, b requestLabels) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.method, b.method), a.status-b.status)
	})
	return labels
}

// runtimeMetrics lists the metrics of the process, by their names in the Go runtime and in Prometheus.
var runtimeMetrics = []struct{ runtime, name, kind, help string }{
	{"/sched/goroutines:goroutines", "go_goroutines", "gauge", "Number of goroutines that currently exist."},
	{"/memory/classes/heap/objects:bytes", "go_memstats_alloc_bytes", "gauge", "Bytes of live and not yet freed objects."},
	{"/memory/classes/total:bytes", "go_memstats_sys_bytes", "gauge", "Bytes of memory that the Go runtime took from the system."},
	{"/gc/cycles/total:gc-cycles", "go_gc_cycles_total", "counter", "Garbage collections that are done."},
	{"/gc/heap/allocs:bytes", "go_memstats_alloc_bytes_total", "counter", "Bytes allocated since the process began."},
	{"/sync/mutex/wait/total:seconds", "go_sync_mutex_wait_total_seconds_total", "counter", "Time that goroutines waited for a lock."},
}

// processText writes the metrics of the process.
func processText(began time.Time) string {
	var page strings.Builder
	family(&page, "go_info", "gauge", "The version of Go.")
	sample(&page, fmt.Sprintf("go_info{version=%q}", runtime.Version()), 1)
	family(&page, "process_start_time_seconds", "gauge", "When the service began, in seconds since 1970.")
	sample(&page, "process_start_time_seconds", float64(began.UnixMilli())/1e3)
	if status, err := os.ReadFile("/proc/self/statm"); err == nil { // on Linux only
		if fields := strings.Fields(string(status)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			family(&page, "process_resident_memory_bytes", "gauge", "Memory of the process that is in the machine's memory.")
			sample(&page, "process_resident_memory_bytes", float64(pages)*float64(os.Getpagesize()))
		}
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		family(&page, "process_open_fds", "gauge", "Number of open file descriptors.")
		sample(&page, "process_open_fds", float64(len(open)))
	}
	read := make([]metrics.Sample, len(runtimeMetrics))
	for i := range runtimeMetrics {
		read[i].Name = runtimeMetrics[i].runtime
	}
	metrics.Read(read)
	for i := range runtimeMetrics {
		m, value := &runtimeMetrics[i], 0.0
		switch read[i].Value.Kind() {
		case metrics.KindUint64:
			value = float64(read[i].Value.Uint64())
		case metrics.KindFloat64:
			value = read[i].Value.Float64()
		default:
			continue // this version of Go has no such metric
		}
		family(&page, m.name, m.kind, m.help)
		sample(&page, m.name, value)
	}
	return page.String()
}

// family writes the lines that describe a metric.
func family(page *strings.Builder, name, kind, help string) {
	fmt.Fprintf(page, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes a line with a value.
func sample(page *strings.Builder, nameAndLabels string, value float64) {
	page.WriteString(nameAndLabels + " " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}
