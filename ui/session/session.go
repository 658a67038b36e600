// Package session counts the work of a reviewer since a console opened and sums it up in words, for both consoles.
package session

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/wording"
)

// A Session is the reviewer's work since the console opened. It is in memory only and ends with the program.
type Session struct {
	took    []time.Duration // of each decision, from opening the packet to its receipt
	blocked int             // decisions whose gate was blocked
	skipped map[packets.Key]bool
	met     map[terms.Blocker]int // in how many decisions a blocker was found or added

	on    Case // the one before the reviewer, since
	since time.Time
	spent map[Case]time.Duration // before that

	handedIn, rejected int64 // records of this log, also of earlier sessions, that the service accepted and rejected meanwhile
}

// A Decision is a decision as a session counts it.
type Decision struct {
	OpenedAt terms.Instant // its packet
	Gate     terms.Gate
	Blockers terms.BlockerSet // found or added
}

// Decided counts a decision that was recorded.
func (s *Session) Decided(d Decision, at terms.Instant) {
	s.took = append(s.took, max(at.Sub(d.OpenedAt), 0))
	if d.Gate == terms.Blocked {
		s.blocked++
	}
	if s.met == nil {
		s.met = map[terms.Blocker]int{}
	}
	for _, code := range d.Blockers.Terms() {
		s.met[code]++
	}
}

// Skipped counts a revision that was skipped, or, without a reason, no longer is.
func (s *Session) Skipped(key packets.Key, reason string) {
	if s.skipped == nil {
		s.skipped = map[packets.Key]bool{}
	}
	if reason == "" {
		delete(s.skipped, key)
	} else {
		s.skipped[key] = true
	}
}

// Answered counts what the service has answered since the console opened. A rejection that is judged again at the same moment as the next one arrives is not
// noticed.
func (s *Session) Answered(before, now records.HandInTally, known bool) {
	if known {
		s.handedIn += max(now.Accepted-before.Accepted, 0)
		s.rejected += max(now.Rejected-before.Rejected, 0)
	}
}

// A Case is a case or an amendment, in any revision; the zero Case is none.
type Case struct {
	Table terms.Table
	ID    terms.ID
}

// On sets the case before the reviewer at a time. The time on a case continues when the reviewer comes back to it.
func (s *Session) On(c Case, at time.Time) {
	if c == s.on {
		return
	}
	if s.spent == nil {
		s.spent = map[Case]time.Duration{}
	}
	if s.on != (Case{}) {
		s.spent[s.on] += max(at.Sub(s.since), 0)
	}
	s.on, s.since = c, at
}

// A Load is the number of open and due cases.
type Load struct {
	Known       bool // the queues have been read
	Open, Today int  // open cases and amendments, and those of them whose deadline is still to come today
}

// Bar is the session in one line's parts: cases done, time on this case, open and due today.
func (s *Session) Bar(at time.Time, load Load) []string {
	parts := []string{fmt.Sprintf("%s done", wording.Plural(len(s.took), "case", "cases"))}
	if s.on != (Case{}) {
		parts = append(parts, fmt.Sprintf("%s on this case", wording.Span(s.spent[s.on]+max(at.Sub(s.since), 0), 0)))
	}
	if load.Known {
		parts = append(parts, fmt.Sprintf("%s open", wording.Thousands(load.Open)), fmt.Sprintf("%s due today", wording.Thousands(load.Today)))
	}
	return parts
}

// Idle reports whether there is nothing to sum up.
func (s *Session) Idle() bool {
	return len(s.took) == 0 && len(s.skipped) == 0 && s.handedIn == 0 && s.rejected == 0
}

// median is the time that the decision in the middle took; of two in the middle the mean.
func (s *Session) median() time.Duration {
	if len(s.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.took))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

// mostMet is how many blockers a summary names.
const mostMet = 3

// often lists the most frequent blockers, the first of equals first.
func (s *Session) often() []string {
	codes := make([]terms.Blocker, 0, len(s.met))
	for code := range s.met {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b terms.Blocker) int { return cmp.Or(s.met[b]-s.met[a], cmp.Compare(a, b)) })
	var texts []string
	for _, code := range codes[:min(len(codes), mostMet)] {
		texts = append(texts, fmt.Sprintf("%s in %d", code, s.met[code]))
	}
	return texts
}

// Summary is the session in words: labels and values.
func (s *Session) Summary() [][2]string {
	sum := [][2]string{{"decided", wording.Plural(len(s.took), "case", "cases")}}
	if count := len(s.took); count > 0 {
		sum[0][1] += fmt.Sprintf(", %s with the gate blocked", wording.Thousands(s.blocked))
		sum = append(sum, [2]string{"case time", fmt.Sprintf("%s median, from opening to receipt", durationText(s.median()))})
	}
	sum = append(sum, [2]string{"skipped", wording.Plural(len(s.skipped), "case", "cases")})
	if s.handedIn > 0 || s.rejected > 0 {
		text := wording.Plural(int(s.handedIn), "record", "records")
		if s.rejected > 0 {
			text += fmt.Sprintf(", %s %s by the service", wording.Thousands(int(s.rejected)), wording.Rejected)
		}
		sum = append(sum, [2]string{wording.HandedIn, text})
	}
	if often := s.often(); len(often) > 0 {
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
