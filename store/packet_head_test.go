package store

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

func quotedSQL(text []byte) string { return "'" + strings.ReplaceAll(string(text), "'", "''") + "'" }

// Packets that nobody has judged yet are no less covered than the others.
func TestWhatSomebodyDoesToAPacketThatNobodyJudgedIsFound(t *testing.T) {
	t.Parallel()
	resealed := (&mill{t: t}).appealCase(passing("case-5", 1).with(members{"subjectId": "item-9"}))
	added := (&mill{t: t}).appealCase(passing("case-7", 1))
	const cases = "trade_appeal_cases"
	for name, c := range map[string]struct {
		edit string
		want []verify.Code
	}{
		"edited with all of its hashes": {"UPDATE " + cases + " SET document = " + quotedSQL(resealed.Document()) + " WHERE caseId = 'case-5'", []verify.Code{verify.PacketsDiffer}},
		"added":                         {"INSERT INTO " + cases + " (document, importedAt) VALUES (" + quotedSQL(added.Document()) + ", '2026-03-01T12:00:00Z')", []verify.Code{verify.PacketsDiffer}},
		"added before all others":       {"INSERT INTO " + cases + " (place, document, importedAt) VALUES (-9223372036854775808, " + quotedSQL(added.Document()) + ", '2026-03-01T12:00:00Z')", []verify.Code{verify.PacketsDiffer}},
		"removed":                       {"DELETE FROM " + cases + " WHERE caseId = 'case-5'", []verify.Code{verify.PacketsDiffer}},
		"edited":                        {"UPDATE " + cases + " SET document = replace(document, 'item-', 'itex-') WHERE caseId = 'case-5'", []verify.Code{verify.PacketsDiffer, verify.PacketAltered}},
		"no UTF-8":                      {"UPDATE " + cases + " SET document = CAST(replace(CAST(document AS BLOB), CAST('case-5' AS BLOB), x'636173652dff') AS TEXT) WHERE caseId = 'case-5'", []verify.Code{verify.PacketsDiffer, verify.PacketAltered}},
		"in another table":              {"INSERT INTO trade_agreement_amendment_records (document, importedAt) SELECT replace(document, 'caseId', 'amendmentId'), importedAt FROM " + cases + " WHERE caseId = 'case-5'", []verify.Code{verify.PacketsDiffer, verify.PacketAltered}},
		"all heads removed":             {"DELETE FROM docket_packet_heads", []verify.Code{verify.PacketsUnsigned, verify.PacketsRolledBack}},
		"when it came in edited":        {"UPDATE " + cases + " SET importedAt = '2026-03-01T11:00:00Z' WHERE caseId = 'case-5'", []verify.Code{verify.PacketsDiffer}},
		"removed with what covers it": {"DELETE FROM " + cases + " WHERE caseId = 'case-5'; DELETE FROM docket_packet_heads WHERE position = " +
			"(SELECT max(position) FROM docket_packet_heads)", []verify.Code{verify.PacketsRolledBack}},
		"an earlier head edited":  {"UPDATE docket_packet_heads SET note = replace(note, ' 1 ', ' 2 ') WHERE position = 2", []verify.Code{verify.PacketsUnsigned}},
		"an earlier head removed": {"DELETE FROM docket_packet_heads WHERE position = 2", []verify.Code{verify.PacketsUnsigned}},
		"a head added":            {"INSERT INTO docket_packet_heads SELECT max(position) + 1, note FROM docket_packet_heads", []verify.Code{verify.PacketsUnsigned}},
		"the newest head edited":  {"UPDATE docket_packet_heads SET note = replace(note, 'trade_appeal_cases 5', 'trade_appeal_cases 4')", []verify.Code{verify.PacketsUnsigned}},
	} {
		t.Run(name, func(t *testing.T) {
			d, o := anchoredFixture(t)
			d.close()
			forge(t, o.Path, c.edit)
			s := openWith(t, o)
			for _, kind := range c.want {
				if !slices.Contains(codesOf(proven(t, s)), kind) {
					t.Errorf("%v is not found: %v", kind, s.Findings())
				}
			}
			if !s.ReadOnly() {
				t.Error("it is not read-only")
			}
			mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{added})), ErrTampered)
			mustBe(t, openWith(t, o).Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db"), nil), ErrTampered)
		})
	}
}

// A document that is no JSON stops no check with an error of SQL.
func TestAPacketThatIsNoJSONIsAFinding(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	onRawFile(t, o.Path, `{"digests":{"record":"sha256:`, `["digests":{"record":"sha256:`)
	s := openWith(t, o)
	if list := proven(t, s); !slices.Contains(codesOf(list), verify.PacketAltered) {
		t.Errorf("found %v", list)
	}
	err := openWith(t, o).Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db"), nil)
	var problem *Problem
	if !errors.As(err, &problem) || problem.Kind != ErrTampered || strings.Contains(err.Error(), "SQL logic") {
		t.Errorf("the backup says %v", err)
	}
}

func TestANewHeadOfThePacketsGoesOnFromTheLast(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	again := fixtureAt(t, openWith(t, o))
	again.take(again.mill.appealCase(passing("case-8", 1)))
	wantSame(t, "results[0]", again.importing(again.mill.appealCase(passing("case-8", 1)))[0], Unchanged)
	wantKinds(t, "after another import", append(proven(t, again.store), again.store.Findings()...))
	var head merkle.PacketHead
	err := again.store.reading(t.Context(), "read the newest head", func(ctx context.Context, tx engine.Tx) (err error) {
		head, err = newestPacketHead(ctx, tx, again.store.key)
		return err
	})
	if err != nil || head.Chains[terms.AppealCases].Count != 6 || head.Chains[terms.AppealPolicies].Count != 1 {
		t.Errorf("%+v, %v", head, err)
	}
}
