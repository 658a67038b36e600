package serve

import (
	"crypto/rand"
	"net/http"

	"docket/domain/overlap"
)

// answerOverlap answers a planned route of the private-overlap pilot (source 3.4 and 4.3). It does not
// read the request, and keeps nothing: all answers of a route are the same except for the receipt's id.
func answerOverlap(route overlap.Endpoint) func(*Service, *call) (answer, error) {
	return func(*Service, *call) (answer, error) {
		return written(http.StatusForbidden, overlap.AnswerTo(route, rand.Text()))
	}
}
