package packets

import (
	"reflect"

	"docket/domain/json"
	"docket/domain/terms"
)

// Record is any of the four records that packets carry.
type Record interface {
	AppealPolicy | AppealCase | AmendmentPolicy | Amendment
}

// A Redacted record holds nothing private: its texts have been scanned and, where need be, masked.
// Only reading makes one; a nil or zero Redacted counts as no record at all.
type Redacted[R Record] struct {
	record  R
	digests Digests
	matched HashesMatched
	masked  bool
	erased  bool
	kind    *kindOf[R] // nil: there is no record
}

type content interface {
	Masked() bool
	Erased() bool
	policyKey() Key
}

// policyKey names the policy of the record; it is the zero Key for a policy.
func (r *Redacted[R]) policyKey() Key {
	switch record := any(&r.record).(type) {
	case *AppealCase:
		return Key{record.PolicyID, record.PolicyVersion}
	case *Amendment:
		return Key{record.PolicyID, record.PolicyVersion}
	}
	return Key{}
}

// Record returns a copy of the record; the zero record if there is none.
func (r *Redacted[R]) Record() R {
	if r == nil {
		var none R
		return none
	}
	return r.record
}

// Held reports whether there is a record.
func (r *Redacted[R]) Held() bool { return r != nil && r.kind != nil }

// Key is the record's id and its version or revision; the zero Key if there is no record.
func (r *Redacted[R]) Key() Key {
	if !r.Held() {
		return Key{}
	}
	return r.kind.key(&r.record)
}

// Digests are the hashes recomputed over the record as it came in. Content and Scope are absent
// where a text is masked or erased: of what is not kept there is no digest either.
func (r *Redacted[R]) Digests() Digests {
	if r == nil {
		return Digests{}
	}
	return r.digests
}

// HashesMatched tells which of its hashes the record states rightly.
func (r *Redacted[R]) HashesMatched() HashesMatched {
	if r == nil {
		return HashesMatched{}
	}
	return r.matched
}

// Masked reports whether a text was not kept: it is private, or the case is not redacted.
func (r *Redacted[R]) Masked() bool { return r != nil && r.masked }

// Erased reports whether the texts of the record were erased after it came in.
func (r *Redacted[R]) Erased() bool { return r != nil && r.erased }

// Pointer returns the record for reading only; nil if there is none.
func (r *Redacted[R]) Pointer() *R {
	if !r.Held() {
		return nil
	}
	return &r.record
}

// Digests are hashes over RFC 8785 canonical forms.
type Digests struct {
	Content terms.Hash // without the record's own hash member: policyHash, caseHash or amendmentHash
	Scope   terms.Hash // of cases: of subject, subjectId and evidenceScope, if present: scopeHash
	// Record, of packets only, identifies the content: the record as stored, but a masked text is
	// {"masked":true}, any other {"text":true}, or {"text":false} if it has no visible character.
	Record terms.Hash
}

// HashesMatched tells which stated hashes equal those recomputed when the record came in. It is
// kept: where a text is masked or erased, nothing can be recomputed.
type HashesMatched struct {
	Own   bool // policyHash of a policy, caseHash or amendmentHash
	Scope bool // scopeHash of a case
}

// kindOf describes one packet table: its shape, key members and own hash.
type kindOf[R Record] struct {
	table      terms.Table
	shape      recordShape
	idMember   string
	numMember  string
	hashMember string
	matched    *ShapeOf[*HashesMatched]
	key        func(*R) Key
	// hashes are the hashes that the record states of itself; the second is nil but for cases.
	hashes func(*R) (own, scope *terms.Hash)
}

// A Key names one version of a policy or one revision of a case or amendment.
type Key struct {
	ID     terms.ID
	Number int64 // policyVersion or revision
}

var (
	appealPolicyTable = kindOf[AppealPolicy]{terms.AppealPolicies, shapeOf[AppealPolicy]("policyHash"),
		"policyId", "policyVersion", "policyHash",
		matchedShape("policyHash"),
		func(p *AppealPolicy) Key { return Key{p.PolicyID, p.PolicyVersion} },
		func(p *AppealPolicy) (own, scope *terms.Hash) { return &p.PolicyHash, nil }}
	appealCaseTable = kindOf[AppealCase]{terms.AppealCases, shapeOf[AppealCase]("caseHash"), "caseId", "revision", "caseHash",
		matchedShape("caseHash", matchedScope),
		func(c *AppealCase) Key { return Key{c.CaseID, c.Revision} },
		func(c *AppealCase) (own, scope *terms.Hash) { return &c.CaseHash, &c.ScopeHash }}
	amendmentPolicyTable = kindOf[AmendmentPolicy]{terms.AmendmentPolicies,
		shapeOf[AmendmentPolicy]("policyHash"), "policyId", "policyVersion",
		"policyHash", matchedShape("policyHash"),
		func(p *AmendmentPolicy) Key { return Key{p.PolicyID, p.PolicyVersion} },
		func(p *AmendmentPolicy) (own, scope *terms.Hash) { return &p.PolicyHash, nil }}
	amendmentTable = kindOf[Amendment]{terms.AmendmentRecords, shapeOf[Amendment]("amendmentHash"),
		"amendmentId", "revision", "amendmentHash",
		matchedShape("amendmentHash"),
		func(a *Amendment) Key { return Key{a.AmendmentID, a.Revision} },
		func(a *Amendment) (own, scope *terms.Hash) { return &a.AmendmentHash, nil }}
)

type recordTable interface {
	info() TableInfo
	check(record json.Value, at string, tell json.Tell)
	readInto(u *Unredacted, buf *[]byte) *json.Fault
	rereadInto(p *Packet, parts *storedParts, in *Reading, buf *[]byte) *json.Fault
}

var recordTables = map[terms.Table]recordTable{terms.AppealPolicies: &appealPolicyTable, terms.AppealCases: &appealCaseTable,
	terms.AmendmentPolicies: &amendmentPolicyTable, terms.AmendmentRecords: &amendmentTable}

func tableOf[R Record]() (of *kindOf[R]) {
	for _, table := range recordTables {
		if kind, is := table.(*kindOf[R]); is {
			of = kind
		}
	}
	return of
}

// ReadRecord reads a record outside a packet. The fault points from the record down.
func ReadRecord[R Record](r *Reader, record json.Value) (*Redacted[R], *json.Fault) {
	return tableOf[R]().read(record, &Reading{}, &r.buf)
}

// TableInfo says how a packet table is keyed and sealed.
type TableInfo struct {
	Shape        json.Shape
	IDMember     string
	NumberMember string // policyVersion or revision
	HashMember   string // the member that seals the record
}

// Info describes a packet table; false for any other table.
func Info(t terms.Table) (TableInfo, bool) {
	table, is := recordTables[t]
	if !is {
		return TableInfo{}, false
	}
	return table.info(), true
}

func (k *kindOf[R]) info() TableInfo {
	return TableInfo{*k.shape.Shape(), k.idMember, k.numMember, k.hashMember}
}

// maxRecordSize is in bytes of the record's text as it stands in the file.
const maxRecordSize = 1 << 20

// read takes a record from JSON, and drops the hashes as soon as a text is known to be masked.
func (k *kindOf[R]) read(v json.Value, in *Reading, buf *[]byte) (*Redacted[R], *json.Fault) {
	// A stored record has been measured before; masks may have made it longer since.
	if !in.stored && v.End()-v.Offset() > maxRecordSize {
		return nil, json.FaultAt(v, reasonRecordSize)
	}
	in.withheld = k.table == terms.AppealCases && v.Member("redaction").Member("status").Text() != terms.RedactionDone.String()
	r := &Redacted[R]{kind: k}
	if fault := k.shape.Read(reflect.ValueOf(&r.record).Elem(), v, in); fault != nil {
		return nil, fault
	}
	r.masked, r.erased = in.masked, in.erased
	own, scope := k.hashes(&r.record)
	if in.stored && (r.masked || r.erased) {
		return r, nil // what was found when it came in stands in
	}
	*buf = v.AppendCanonicalWith((*buf)[:0], k.hashMember, in.restore)
	content := terms.HashOf(*buf)
	r.matched.Own = own.Matches(content)
	var scoped terms.Hash
	if scope != nil {
		*buf = v.AppendMembers((*buf)[:0], in.restore, "subject", "subjectId", "evidenceScope")
		scoped = terms.HashOf(*buf)
		r.matched.Scope = scope.Matches(scoped)
	}
	in.sums = Digests{Content: content, Scope: scoped}
	if !r.masked {
		r.digests.Content, r.digests.Scope = content, scoped
		return r, nil
	}
	*own = terms.Hash{}
	if scope != nil {
		*scope = terms.Hash{}
	}
	return r, nil
}

func (k *kindOf[R]) check(record json.Value, at string, tell json.Tell) {
	if record.End()-record.Offset() <= maxRecordSize {
		k.shape.Check(reflect.ValueOf(new(R)).Elem(), record, &Reading{}, at, tell)
	}
}
