package store

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"docket/domain/canonical"
	"docket/domain/records"
	"docket/domain/terms"
)

// forge rewrites a member of a record, as somebody could who does not go through records.Decide, and signs it.
func (d *fixture) forge(sub Submission, change func(record map[string]any)) Submission {
	d.t.Helper()
	record := map[string]any{}
	must(d.t, json.Unmarshal(sub.Record.Document(), &record))
	change(record)
	var doc canonical.Document
	if fault := doc.Parse(text(d.t, record), canonical.Limits{}); fault != nil {
		d.t.Fatal(fault)
	}
	forged := need(records.ReadEnforcement(&d.mill.reader, terms.Appeals, doc.Root().AppendCanonical(nil, "")))(d.t)
	return Submission{Record: forged, Signature: sign(d.t, d.key, forged.Document(), records.SignatureNamespace), PacketSalt: sub.PacketSalt,
		Statement: sub.Statement}
}

func TestWhoMayNotRecordIsRefusedAtTheStore(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	for _, c := range []struct{ id, role, want string }{
		{"rev-recused", "neutral_reviewer", "recused"},
		{"party-own", "neutral_reviewer", "you are a party"},
		{"party-own", "safety_admin", "you are a party"},
		{string(deciderID), "neutral_reviewer", "you took the decision"},
		{"rev-other", "neutral_reviewer", "assigned to another"},
		{"rev-other", "safety_admin", "may only block"},
	} {
		forged := d.forge(sub, func(record map[string]any) {
			reviewer := record["reviewer"].(map[string]any)
			reviewer["id"], reviewer["role"] = c.id, c.role
		})
		_, err := d.store.Append(t.Context(), forged)
		var refusal *records.Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, c.want) {
			t.Errorf("%s as %s: %v", c.id, c.role, err)
		}
	}
	wantSame(t, "records", len(need(d.store.Records(t.Context(), 0, 1))(t)), 0)
}

func TestAnOutcomeThatTheGateForbidsIsRefusedAtTheStore(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	for name, change := range map[string]func(map[string]any){
		"an outcome that the policy does not permit": func(r map[string]any) {
			r["outcome"], r["provenanceActivity"], r["traceabilityBusinessStep"] = "record_remedy", "remedy_recorded", "remedy_recorded"
		},
		"a time in the future": func(r map[string]any) { r["recordedAt"] = "2027-01-01T00:00:00Z" },
	} {
		_, err := d.store.Append(t.Context(), d.forge(sub, change))
		var refusal *records.Refusal
		if !errors.As(err, &refusal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASignatureMustBeTheReviewersOwn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	document := sub.Record.Document()
	for name, signature := range map[string][]byte{
		"absent":            nil,
		"no signature":      []byte("-----BEGIN SSH SIGNATURE-----\nnone\n-----END SSH SIGNATURE-----\n"),
		"another key":       sign(t, newKey(t, 2), document, records.SignatureNamespace),
		"another namespace": sign(t, d.key, document, "file"),
		"other bytes":       sign(t, d.key, append([]byte{' '}, document...), records.SignatureNamespace),
	} {
		wantErr(t, name, errOf(d.store.Append(t.Context(), Submission{Record: sub.Record, Signature: signature, PacketSalt: packetSalt, Statement: sub.Statement})), records.ErrRefused)
	}
	if _, err := d.store.Append(t.Context(), sub); err != nil {
		t.Errorf("the right signature: %v", err)
	}
}

func TestANoteMustBeTheOneTheRecordVouchesFor(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	with := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "a", Text: "b"}})
	without := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	for name, sub := range map[string]Submission{
		"absent":   {Record: with.Record, Signature: with.Signature, PacketSalt: packetSalt, Statement: with.Statement},
		"another":  {Record: with.Record, Signature: with.Signature, PacketSalt: packetSalt, Statement: with.Statement, Note: records.Note{Salt: "c", Text: "b"}},
		"unwanted": {Record: without.Record, Signature: without.Signature, PacketSalt: packetSalt, Statement: without.Statement, Note: with.Note},
	} {
		wantErr(t, name, errOf(d.store.Append(t.Context(), sub)), records.ErrRefused)
	}
}
