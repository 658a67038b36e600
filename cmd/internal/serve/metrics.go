package serve

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"
)

// metricsMedia is the media type of the Prometheus text format.
const metricsMedia = "text/plain; version=0.0.4; charset=utf-8"

// metrics are the metrics of the service. No label holds an id, an address, or a path that is not in the route table.
type metrics struct {
	registry  *prometheus.Registry
	inFlight  prometheus.Gauge
	requests  *prometheus.CounterVec   // by route, method and status
	durations *prometheus.HistogramVec // by route and method
	records   *prometheus.CounterVec   // by result
}

// The results of a tally. Any other result is the word of a problem.
const (
	resultAppended = "appended"
	resultAgain    = "again"
)

// noRoute is the label of requests without a route.
const noRoute = "none"

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "docket_http_in_flight",
			Help: "Requests in progress."}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "docket_http_requests_total",
			Help: "Requests answered, by route, method and status."}, []string{"route", "method", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "docket_http_request_seconds",
			Help:    "Duration of requests, from the head of the request to the last byte of the response.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 8)}, []string{"route", "method"}),
		records: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "docket_records_total",
			Help: "Records handed in, by result."}, []string{"result"}),
	}
	m.registry.MustRegister(m.inFlight, m.requests, m.durations, m.records, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// count counts a request.
func (m *metrics) count(v *visit, took time.Duration) {
	m.inFlight.Dec()
	path, method := noRoute, noRoute
	counted := tallyNothing
	if v.route != nil {
		path, method, counted = v.route.Path, v.route.Method, v.route.tally
	}
	m.requests.WithLabelValues(path, method, strconv.Itoa(v.status)).Inc()
	m.durations.WithLabelValues(path, method).Observe(took.Seconds())
	switch counted {
	case tallyRecords:
		m.records.WithLabelValues(resultOf(v)).Inc()
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
	families, err := s.metrics.registry.Gather()
	if err != nil {
		return answer{}, err
	}
	var text bytes.Buffer
	encoder := expfmt.NewEncoder(&text, expfmt.NewFormat(expfmt.TypeTextPlain))
	for _, family := range families {
		if err := encoder.Encode(family); err != nil {
			return answer{}, err
		}
	}
	return answer{status: http.StatusOK, document: text.Bytes(), media: metricsMedia}, nil
}
