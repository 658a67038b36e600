package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

const metricsMedia = "text/plain; version=0.0.4; charset=utf-8"

// A tallies holds the metrics; no label holds an id, an address, or an unknown path.
type tallies struct {
	set      *metrics.Set
	inFlight *metrics.Gauge
}

// durationBounds are the upper bounds of the buckets of durations, in seconds.
var durationBounds = []float64{0.0005, 0.002, 0.008, 0.032, 0.128, 0.512, 2.048, 8.192}

const noRoute = "none"

func newTallies() *tallies {
	metrics.ExposeMetadata(true)
	set := metrics.NewSet()
	return &tallies{set: set, inFlight: set.NewGauge("docket_http_in_flight", nil)}
}

func (m *tallies) count(v *visit, took time.Duration) {
	method, path := v.name()
	labels := fmt.Sprintf("method=%q,route=%q", method, path)
	m.inFlight.Dec()
	m.set.GetOrCreateCounter(fmt.Sprintf("docket_http_requests_total{%s,status=\"%d\"}", labels, v.status)).Inc()
	m.set.GetOrCreatePrometheusHistogramExt("docket_http_request_seconds{"+labels+"}", durationBounds).Update(took.Seconds())
	if v.route != nil && v.route.place == placeEnforcing {
		m.set.GetOrCreateCounter(fmt.Sprintf("docket_records_total{result=%q}", resultOf(v))).Inc()
	}
}

func resultOf(v *visit) string {
	switch {
	case v.status >= http.StatusBadRequest:
		return v.problem.Word()
	case v.status == http.StatusCreated:
		return "appended"
	}
	return "again"
}

func handleMetrics(s *Service, _ *call) (answer, error) {
	var page bytes.Buffer
	s.tallies.set.WritePrometheus(&page)
	metrics.WriteProcessMetrics(&page)
	return answer{status: http.StatusOK, document: page.Bytes(), media: metricsMedia}, nil
}
