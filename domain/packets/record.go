package packets

import (
	"docket/domain/canonical"
	"docket/domain/shape"
	"docket/domain/terms"
)

// Record is any of the four records that packets carry.
type Record interface {
	AppealPolicy | AppealCase | AmendmentPolicy | Amendment
}

// A Redacted record holds nothing private: its texts have been scanned and, where need be, masked. Only reading makes
// one; a nil or zero Redacted counts as no record at all.
type Redacted[R Record] struct {
	record  R
	digests Digests
	masked  bool
	held    bool
}

// Record returns a copy of the record; the zero record if there is none.
func (r *Redacted[R]) Record() R {
	if r == nil {
		var none R
		return none
	}
	return r.record
}

// Held tells whether there is a record.
func (r *Redacted[R]) Held() bool { return r != nil && r.held }

// Key is the record's id and its version or revision; the zero Key if there is no record.
func (r *Redacted[R]) Key() Key {
	if !r.Held() {
		return Key{}
	}
	return tableOf[R]().key(&r.record)
}

// Digests are the hashes recomputed over the record as it came in, before anything was masked.
func (r *Redacted[R]) Digests() Digests {
	if r == nil {
		return Digests{}
	}
	return r.digests
}

// Pointer returns the record for those who only read it: nothing may be changed through it. It is nil if there is none.
func (r *Redacted[R]) Pointer() *R {
	if !r.Held() {
		return nil
	}
	return &r.record
}

// Digests are hashes over RFC 8785 canonical forms.
type Digests struct {
	Content terms.Hash // the record without its own hash member: what policyHash, caseHash or amendmentHash must be
	Scope   terms.Hash // of cases: subject, subjectId and evidenceScope, absent ones left out: what scopeHash must be
	Record  terms.Hash // the whole record: tells whether two packets are the same; computed for packets only
}

// kindOf describes one packet table: the shape of its records, which members are its key and its own hash.
type kindOf[R Record] struct {
	table      terms.Table
	shape      *ShapeOf[R]
	idMember   string
	numMember  string
	hashMember string
	key        func(*R) Key
	ownHash    func(*R) terms.Hash
}

// A Key names one version of a policy or one revision of a case or amendment.
type Key struct {
	ID     terms.ID
	Number int64 // policyVersion or revision
}

var (
	appealPolicyTable = kindOf[AppealPolicy]{terms.AppealPolicies, appealPolicyShape, "policyId", "policyVersion", "policyHash",
		func(p *AppealPolicy) Key { return Key{p.PolicyID, p.PolicyVersion} },
		func(p *AppealPolicy) terms.Hash { return p.PolicyHash }}
	appealCaseTable = kindOf[AppealCase]{terms.AppealCases, appealCaseShape, "caseId", "revision", "caseHash",
		func(c *AppealCase) Key { return Key{c.CaseID, c.Revision} },
		func(c *AppealCase) terms.Hash { return c.CaseHash }}
	amendmentPolicyTable = kindOf[AmendmentPolicy]{terms.AmendmentPolicies, amendmentPolicyShape, "policyId", "policyVersion",
		"policyHash",
		func(p *AmendmentPolicy) Key { return Key{p.PolicyID, p.PolicyVersion} },
		func(p *AmendmentPolicy) terms.Hash { return p.PolicyHash }}
	amendmentTable = kindOf[Amendment]{terms.AmendmentRecords, amendmentShape, "amendmentId", "revision", "amendmentHash",
		func(a *Amendment) Key { return Key{a.AmendmentID, a.Revision} },
		func(a *Amendment) terms.Hash { return a.AmendmentHash }}
)

// tableOf describes the table of the records of a type.
func tableOf[R Record]() *kindOf[R] {
	var table any
	switch any((*R)(nil)).(type) {
	case *AppealPolicy:
		table = &appealPolicyTable
	case *AppealCase:
		table = &appealCaseTable
	case *AmendmentPolicy:
		table = &amendmentPolicyTable
	case *Amendment:
		table = &amendmentTable
	}
	return table.(*kindOf[R])
}

// ReadRecord reads a record that stands in something else than a packet. The fault points from the record down.
func ReadRecord[R Record](r *Reader, record canonical.Value) (*Redacted[R], *shape.Fault) {
	return tableOf[R]().read(record, false, &r.buf)
}

// TableInfo says how a packet table is keyed and sealed.
type TableInfo struct {
	Shape        shape.Shape
	IDMember     string
	NumberMember string // policyVersion or revision
	HashMember   string // the member that seals the record
}

// Info describes a packet table; false for any other table.
func Info(t terms.Table) (TableInfo, bool) {
	switch t {
	case terms.AppealPolicies:
		return appealPolicyTable.info(), true
	case terms.AppealCases:
		return appealCaseTable.info(), true
	case terms.AmendmentPolicies:
		return amendmentPolicyTable.info(), true
	case terms.AmendmentRecords:
		return amendmentTable.info(), true
	}
	return TableInfo{}, false
}

func (k *kindOf[R]) info() TableInfo {
	return TableInfo{*k.shape.Shape(), k.idMember, k.numMember, k.hashMember}
}

// maxRecordSize is in bytes of the record's text as it stands in the file.
const maxRecordSize = 1 << 20

// read takes a record from JSON: its members, and the digests of the text as it came. buf is scratch memory.
func (k *kindOf[R]) read(v canonical.Value, stored bool, buf *[]byte) (*Redacted[R], *shape.Fault) {
	// A stored record has been measured before; masks may have made it longer since.
	if !stored && v.End()-v.Offset() > maxRecordSize {
		return nil, shape.FaultAt(v, reasonRecordSize)
	}
	in := Reading{stored: stored}
	r := &Redacted[R]{held: true}
	if fault := k.shape.Read(&r.record, v, &in); fault != nil {
		return nil, fault
	}
	r.masked = in.masked
	*buf = v.AppendCanonical((*buf)[:0], k.hashMember)
	r.digests.Content = terms.HashOf(*buf)
	if k.table == terms.AppealCases {
		*buf = v.AppendMembers((*buf)[:0], "subject", "subjectId", "evidenceScope")
		r.digests.Scope = terms.HashOf(*buf)
	}
	return r, nil
}
