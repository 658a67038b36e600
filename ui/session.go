package ui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// session is what the reader has done since the console opened. It is kept in memory only and ends with the program.
type session struct {
	took    []time.Duration // of each decision, from opening the packet to its receipt
	blocked int             // decisions whose gate was blocked
	skipped map[packets.Key]bool
	met     map[terms.Blocker]int // in how many decisions a blocker was found or added

	handedIn, rejected int64 // records of this log, also of earlier sessions, that the service took and rejected meanwhile
}

// decided counts a decision.
func (w *session) decided(d screen.Decided, now terms.Instant) {
	w.took = append(w.took, max(now.Sub(d.OpenedAt), 0))
	if d.Gate == terms.Blocked {
		w.blocked++
	}
	if w.met == nil {
		w.met = map[terms.Blocker]int{}
	}
	for _, code := range d.Blockers.Terms() {
		w.met[code]++
	}
}

// skip counts a revision that was put aside, or no longer is.
func (w *session) skip(s widget.Skip) {
	if w.skipped == nil {
		w.skipped = map[packets.Key]bool{}
	}
	if s.Reason == "" {
		delete(w.skipped, s.Key)
	} else {
		w.skipped[s.Key] = true
	}
}

// note counts the results that belong to the session, before they are carried out.
func (w *session) note(e screen.Effect, s *screen.Scene) {
	switch e := e.(type) {
	case widget.Skipped:
		if e.Err == nil {
			w.skip(e.Skip)
		}
	case screen.HandInsRead:
		if e.Err == nil {
			w.answered(s.Service.Tally, e.Tally, s.Service.Read)
		}
	}
}

// answered counts what the service has answered since the console opened. A rejection that is judged again in the same
// moment in which another one comes is not noticed.
func (w *session) answered(before, now records.HandInTally, known bool) {
	if known {
		w.handedIn += max(now.Accepted-before.Accepted, 0)
		w.rejected += max(now.Rejected-before.Rejected, 0)
	}
}

// idle tells whether there is nothing to sum up.
func (w *session) idle() bool {
	return len(w.took) == 0 && len(w.skipped) == 0 && w.handedIn == 0 && w.rejected == 0
}

// median is the time that the decision in the middle took; of two in the middle the mean.
func (w *session) median() time.Duration {
	if len(w.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(w.took))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

// mostMet is how many blockers a summary names.
const mostMet = 3

// met lists the blockers that were met most, the first of equals first.
func (w *session) often() []string {
	codes := make([]terms.Blocker, 0, len(w.met))
	for code := range w.met {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b terms.Blocker) int { return cmp.Or(w.met[b]-w.met[a], cmp.Compare(a, b)) })
	var texts []string
	for _, code := range codes[:min(len(codes), mostMet)] {
		texts = append(texts, fmt.Sprintf("%s in %d", code, w.met[code]))
	}
	return texts
}

// summary is the session in words: labels and what stands behind them.
func (w *session) summary() [][2]string {
	sum := [][2]string{{"decided", wording.Plural(len(w.took), "case", "cases")}}
	if count := len(w.took); count > 0 {
		sum[0][1] += fmt.Sprintf(", %s with the gate blocked", wording.Thousands(w.blocked))
		sum = append(sum, [2]string{"time a case", durationText(w.median()) + " median, from opening to receipt"})
	}
	sum = append(sum, [2]string{"skipped", wording.Plural(len(w.skipped), "case", "cases")})
	if w.handedIn > 0 || w.rejected > 0 {
		text := wording.Plural(int(w.handedIn), "record", "records")
		if w.rejected > 0 {
			text += ", " + wording.Thousands(int(w.rejected)) + " " + wording.Rejected + " by the service"
		}
		sum = append(sum, [2]string{wording.HandedIn, text})
	}
	if often := w.often(); len(often) > 0 {
		text := often[0]
		for _, more := range often[1:] {
			text += ", " + more
		}
		sum = append(sum, [2]string{"blockers met", text})
	}
	return sum
}

// durationText writes how long something took: 45s, 2m 10s, 1h 5m.
func durationText(d time.Duration) string {
	seconds := int(d.Round(time.Second) / time.Second)
	switch {
	case seconds < 60:
		return fmt.Sprintf("%ds", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%dm %ds", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%dh %dm", seconds/3600, seconds/60%60)
}

// sheet lays the summary out; it is what the overlay shows, and what stands on the terminal after the console has ended.
func (w *session) sheet(width int) line.Sheet {
	var sheet line.Sheet
	for _, one := range w.summary() {
		pair, _ := widget.Pair(nil, one[0], line.Of(theme.Plain, one[1]), summaryLabel, width)
		sheet = append(sheet, pair...)
	}
	return sheet
}

const summaryLabel = 12
