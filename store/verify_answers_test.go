package store

import (
	"fmt"
	"strings"
	"testing"

	"docket/domain/signed"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// editedAnswers are edits of a served store, whose first record was accepted and whose second was rejected.
var editedAnswers = []struct {
	name  string
	edits []string
	want  []verify.Code
}{
	{"a rejection edited", []string{"UPDATE docket_handin_rejections SET signed = replace(signed, 'packet_stale', 'record_refused')"}, []verify.Code{verify.RejectionUnsigned}},
	{"what a rejection names edited beside it", []string{"UPDATE docket_handin_rejections SET inForce = 'x'"}, []verify.Code{verify.AnswerAltered}},
	{"changes that are none", []string{"UPDATE docket_handin_rejections SET changes = 'x'"}, []verify.Code{verify.AnswerAltered}},
	{"a rejection of another record", []string{"DELETE FROM docket_handin_acceptances", "UPDATE docket_handin_rejections SET sequence = 0"}, []verify.Code{verify.RejectionStray}},
	{"a rejection of no record", []string{"UPDATE docket_handin_rejections SET sequence = 77"}, []verify.Code{verify.RejectionStray}},
	{"a rejection gone", []string{"UPDATE docket_handin_rejections SET position = 1"}, []verify.Code{verify.AnswerMissing, verify.RecordWithoutLeaf}},
	{"a receipt edited", []string{"UPDATE docket_handin_acceptances SET receipt = replace(receipt, '\"sequence\":0', '\"sequence\":1')"}, []verify.Code{verify.AnswerAltered}},
	{"a receipt written otherwise", []string{"UPDATE docket_handin_acceptances SET receipt = receipt || ' '"}, []verify.Code{verify.AnswerAltered}},
	{"a size edited beside the receipt", []string{"UPDATE docket_handin_acceptances SET treeSize = 9"}, []verify.Code{verify.AnswerAltered}},
	{"a service's checkpoint edited", []string{"UPDATE docket_handin_acceptances SET checkpoint = checkpoint || 'x'"}, []verify.Code{verify.AnswerAltered}},
	{"a proof of a receipt that leads nowhere", []string{"UPDATE docket_handin_acceptances SET proof = 'sha256:' || hex(zeroblob(32)) || char(10)"}, []verify.Code{verify.AnswerAltered}},
	{"a second receipt of one record", []string{"INSERT INTO docket_handin_acceptances SELECT position + 1, 0, sequence, 'docket/service/00', treeSize, receipt, proof, checkpoint, keptAt FROM docket_handin_acceptances"}, []verify.Code{verify.AnswerAltered}},
	{"a receipt of a rejected record", []string{"UPDATE docket_handin_acceptances SET sequence = 1"}, []verify.Code{verify.AnswerAltered}},
	{"a receipt of no record", []string{"UPDATE docket_handin_acceptances SET sequence = 77"}, []verify.Code{verify.AnswerAltered}},
	{"a checkpoint that the service showed edited", []string{"UPDATE docket_handin_checkpoints SET checkpoint = checkpoint || 'x' WHERE kind = ''"}, []verify.Code{verify.AnswerAltered}},
	{"an earlier checkpoint after a later one", []string{"UPDATE docket_handin_checkpoints SET checkpoint = (SELECT checkpoint FROM docket_handin_checkpoints WHERE position = 3) WHERE position = 2", "UPDATE docket_handin_checkpoints SET checkpoint = (SELECT checkpoint FROM docket_handin_checkpoints WHERE position = 1) WHERE position = 3"}, []verify.Code{verify.AnswerAltered}},
	{"a setback of no kind", []string{"UPDATE docket_handin_checkpoints SET kind = 'x' WHERE position = 1"}, []verify.Code{verify.AnswerAltered}},
	{"a setback with another service's key", []string{"UPDATE docket_handin_checkpoints SET key = 'x' WHERE position = 1"}, []verify.Code{verify.AnswerAltered}},
	{"a setback made good", []string{"UPDATE docket_handin_checkpoints SET kind = '' WHERE position = 1"}, []verify.Code{verify.AnswerAltered}},
	{"a setback gone", []string{"DELETE FROM docket_handin_checkpoints WHERE position = 1"}, []verify.Code{verify.AnswerAltered, verify.RecordWithoutLeaf}},
	{"what is said of a record of the service's log edited beside it", []string{"UPDATE docket_handin_records SET supersedes = 'x'"}, []verify.Code{verify.ServiceRecordAltered}},
	{"a record of the service's log on another case", []string{"UPDATE docket_handin_records SET id = 'case-2'"}, []verify.Code{verify.ServiceRecordAltered}},
	{"a record of the service's log edited", []string{"UPDATE docket_handin_records SET record = replace(record, 'scope_missing', 'notice_missing')"}, []verify.Code{verify.ServiceRecordAltered}},
	{"another signature of a record of the service's log", []string{"UPDATE docket_handin_records SET signature = (SELECT signature FROM docket_signatures WHERE sequence = 0)"}, []verify.Code{verify.ServiceRecordAltered}},
	{"a stale record of the service's log after the one that is in force", []string{"INSERT INTO docket_handin_records SELECT position + 1, service, tableName, id, revision, recordId, supersedes, record, signature, origin, sequence, proof, checkpoint, afterRecords, afterRejections, keptAt FROM docket_handin_records"},
		[]verify.Code{verify.ServiceRecordAltered}},
	{"a record of the service's log that came before a record of this one", []string{"INSERT INTO docket_handin_records SELECT 1, service, tableName, 'case-2', revision, recordId, supersedes, record, signature, origin, sequence, proof, checkpoint, 0, afterRejections, keptAt FROM docket_handin_records"},
		[]verify.Code{verify.ServiceRecordAltered}},
	{"the service's key edited", []string{"UPDATE docket_handin_service SET key = 'x'"}, []verify.Code{verify.ServiceKeyUnusable, verify.RejectionUnsigned, verify.AnswerAltered, verify.ServiceRecordAltered}},
	{"the service gone", []string{"DELETE FROM docket_handin_service", "DELETE FROM docket_handin_pull"}, []verify.Code{verify.RejectionUnsigned, verify.AnswerAltered, verify.ServiceRecordAltered}},
	{"a second service", []string{"INSERT INTO docket_handin_service (key, boundAt) SELECT key, boundAt FROM docket_handin_service WHERE position = 0"}, []verify.Code{verify.ServiceKeyUnusable, verify.RejectionUnsigned, verify.AnswerAltered, verify.ServiceRecordAltered}},
}

func TestForgedAnswersOfTheServiceAreFound(t *testing.T) {
	t.Parallel()
	d := served(t)
	wantKinds(t, "as it was", proven(t, d.store))
	path := d.store.Path()
	d.close()
	for _, c := range editedAnswers {
		t.Run(c.name, func(t *testing.T) {
			forged := copied(t, path, "")
			forge(t, forged, c.edits...)
			s := openAt(t, forged, noon)
			opening := s.Findings() // looks at setbacks of the service, and at no other answer
			if len(opening) > 0 && !(len(opening) == 1 && strings.Contains(opening[0].Detail, "setback")) {
				t.Errorf("at opening: %v", opening)
			}
			list := proven(t, s)
			wantKinds(t, "in all", list, c.want...)
			for _, f := range list {
				if !strings.HasSuffix(f.Sentence(), ".") || strings.Contains(f.String(), "%!") {
					t.Errorf("it does not read well: %s", f)
				}
			}
		})
	}
}

// A receipt says which record it is of, and no signature covers that: only the proof ties it to the checkpoint that the service signed.
func TestAReceiptMadeOfACheckpointThatTheServiceShowedIsFound(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first, second := d.decided("case-1", ""), d.decided("case-2", "")
	_, _ = s.accept(first)
	receipt, checkpoint := s.accept(second)
	receipt.RecordID, receipt.LeafHash = first.Members().RecordID, merkle.FromTree(tlog.RecordHash(first.Document()))
	path := d.store.Path()
	d.close()
	for name, proof := range map[string]string{"without a proof": "", "with the proof of the other record": signed.WriteProof(s.proof(receipt))} {
		forged := copied(t, path, "")
		forge(t, forged, fmt.Sprintf("INSERT INTO docket_handin_acceptances VALUES (0, 0, 0, '%s', 2, '%s', '%s', '%s', '2026-06-15T12:00:00Z')",
			s.log.Origin, receipt.Document(), proof, checkpoint))
		wantKinds(t, name, proven(t, openAt(t, forged, noon)), verify.AnswerAltered)
	}
}

func TestAKeyOfAnotherServiceVouchesForNothing(t *testing.T) {
	t.Parallel()
	d := served(t)
	path := d.store.Path()
	d.close()
	forge(t, path, "UPDATE docket_handin_service SET key = '"+newService(t, "another").key+"'")
	wantKinds(t, "with another key", proven(t, openAt(t, path, noon)), verify.ServiceKeyUnusable, verify.RejectionUnsigned, verify.AnswerAltered, verify.ServiceRecordAltered)
}
