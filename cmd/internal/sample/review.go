package sample

import "time"

// generatedReview is the part that generated cases and amendments share: who reviews, and what notice was given.
type generatedReview struct {
	assigned, checked, conflict bool
	reviewer, decider           string
	recused                     []string
	noticeState                 string
	deliveredAt                 time.Time
}

func (r *generatedReview) writeReview(w *jsonWriter) {
	w.open("neutralReview")
	w.bool("assigned", r.assigned)
	w.bool("conflictChecked", r.checked)
	w.bool("conflictFound", r.conflict)
	w.strings("recusedReviewerIds", r.recused)
	w.string("reviewerId", r.reviewer)
	w.close()
}

func (r *generatedReview) writeNotice(w *jsonWriter) {
	w.open("notice")
	w.time("deliveredAt", r.deliveredAt)
	w.string("state", r.noticeState)
	w.close()
}

// generatedPolicy is how a generated record names its policy.
type generatedPolicy struct {
	id      string
	version int64
	hash    string
}
