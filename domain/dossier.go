package domain

import "docket/domain/canonical"

// A Dossier is a packet in view together with what this store knows about it besides.
type Dossier struct {
	View      View
	Revisions []int64        // all that are held, ascending
	Arrived   []Instant      // when each of Revisions came in; absent where that is not known
	Records   []LoggedRecord // all on this revision, in log order
	Elsewhere []LoggedRecord // all on the other revisions of the same id, in log order
	InForce   RecordID       // the last of Records or, if the service rejected that, what it named, which Records may lack; "" for none
	Skipped   string         // the reason for which the local reviewer skipped this revision; "" if they did not
	Related   []QueueRow     // the latest revisions of what else is about the same RelatedBy, by id; at most MostRelated
	Unlisted  bool           // there are more of those
	Waits     string         // why nothing can be recorded here now, whoever sits here; "" if nothing stands against it
	Draft     KeptDraft      // the decision that the local reviewer began on this revision or, failing that, on an earlier one
}

// MostRelated is how many related packets a Dossier lists.
const MostRelated = 50

// RelatedBy is the id by which packets belong together: the subjectId of a case, the agreementId of an amendment; absent
// for anything else.
func RelatedBy(p Packet) ID {
	switch {
	case p.AppealCase().Held():
		return p.AppealCase().Pointer().SubjectID
	case p.Amendment().Held():
		return p.Amendment().Pointer().AgreementID
	}
	return ""
}

// A Note is a reviewer's private note on a record. It stays on this machine; the record holds only its digest, which
// the salt keeps from being guessed.
type Note struct {
	Salt string // random, as text
	Text string
}

// Digest is H({"note", "salt"}); absent if there is no note.
func (n Note) Digest() Hash {
	if n.Text == "" {
		return Hash{}
	}
	return HashOf(canonical.JSON(map[string]string{"salt": n.Salt, "note": n.Text}))
}
