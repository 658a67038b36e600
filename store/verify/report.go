package verify

import (
	"cmp"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
)

// A Report holds the findings of a check, with counts. Its texts are safe to print.
type Report struct {
	Newest      terms.Instant   // recordedAt of the newest record, if any, by its machine's clock
	Origin      string          // that the log says it has
	VerifierKey string          // with which the checkpoint verified; "" if it did not
	Size        int64           // entries read
	Root        terms.Hash      // computed from them
	Checkpoint  records.LogHead // what the checkpoint signs; its Root is absent if it did not verify
	Appeals     int64           // records of each area, as far as they could be read
	Amendments  int64
	Passed      int64 // gate pass; the others are blocked
	Superseded  int64
	ServiceKey  string                 // with which rejections were verified; "" if there is none
	Receipts    int64                  // of the service, of records that it took in
	Rejected    int64                  // records that the service turned away
	AtService   int64                  // records of the service's log that other consoles handed in
	LeftOut     int64                  // entries of which an export of a part has only the leaf hash
	Owner       terms.ID               // whom that export is for
	Assigned    terms.ID               // the reviewer to whom the packets of that export are assigned
	Since       int64                  // first entry of an export of later ones; 0 for another
	Beside      []string               // what file managers and version control left in a bundle
	NotInForce  []int64                // the sequences of the records that a revoked key signed
	Reviewers   []Reviewer             // who signed, by id and key
	Accepted    []records.LogStatement // what persons stated about the log
	Depth       Depth                  // to which it was checked
	Anchored    bool                   // the log was held to a checkpoint kept outside its place
	Unanchored  string                 // why the log was not held to an anchor or a stand-in; or ""
	Lineage     Lineage                // the log, and those before it
	Followed    []string               // of earlier logs, a clause each, by AcceptRestore
	Lost        int64                  // entries under a kept checkpoint that a restore left out
	Cosigners   []Cosigner             // who cosigned the log, by key
	Coverage    *Coverage              // by Options.Policy; nil without one
	Cause       string                 // of findings in a bundle, where one thing explains them
	Findings    []Finding              // at most Options.Keep, in the order in which they were found
	Total       int64                  // findings in all
	counts      [len(codes)]int64
}

// A Reviewer is a signer of records, with the key and the number of records.
type Reviewer struct {
	ID          terms.ID `json:"id"`
	Fingerprint string   `json:"keyFingerprint"`
	Records     int64    `json:"records"`
	Span        Span     `json:"-"`
}

// A Span is the time during which a key signed.
type Span struct {
	First   terms.Instant // recordedAt of the first record by it
	Last    terms.Instant // recordedAt of the newest record by it that counts; absent if none does
	Revoked bool          // it was revoked
}

// A Cosigner is a witness that cosigned the log, with the newest checkpoint that it cosigned.
type Cosigner struct {
	Witness string        `json:"witness"` // the name of its key
	Key     string        `json:"key"`
	Size    int64         `json:"size"`
	At      terms.Instant `json:"at"`
}

// Records is how many records could be read.
func (r *Report) Records() int64 { return r.Appeals + r.Amendments }

// OK reports whether there is no finding.
func (r *Report) OK() bool { return r.Total == 0 }

// Sound reports whether there is no finding except about records that a revoked key signed, which
// are not in force, and about a setback of its service.
func (r *Report) Sound() bool {
	return r.Total == r.Count(SignedAfterRevocation)+r.Count(ServiceSetBack)
}

// Count returns how many findings of the code there are.
func (r *Report) Count(code Code) int64 {
	if int(code) >= len(r.counts) {
		return 0
	}
	return r.counts[code]
}

// Add adds a finding as Check does: counted, passed to Options.Found and kept if there is room.
func (r *Report) Add(f Finding, o *Options) {
	keep := o.Keep
	if keep <= 0 {
		keep = DefaultKeep
	}
	r.Total++
	r.counts[f.Code]++
	if len(r.Findings) < keep {
		r.Findings = append(r.Findings, f)
	}
	if o.Found != nil {
		o.Found(f)
	}
}

func reviewers(tally map[Reviewer]int64, spans map[Reviewer]Span) []Reviewer {
	list := make([]Reviewer, 0, len(tally))
	for reviewer, records := range tally {
		reviewer.Span = spans[reviewer]
		reviewer.Records, reviewer.Fingerprint = records, visible.String(reviewer.Fingerprint)
		list = append(list, reviewer)
	}
	json.Sort(list, func(a, b Reviewer) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	return list
}
