package serve_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gowebpki/jcs"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// recorded hands in a record.
func (s *harness) recorded(t testing.TB, on verify.Ref, who person, change func(*records.Choice)) records.RecordID {
	t.Helper()
	record := s.Decide(on, who, change)
	s.handIn(t, record, who).want(t, http.StatusCreated, "a record")
	return record.Members().RecordID
}

func recordPath(id records.RecordID) string { return api.RecordsPath + "/" + string(id) }

func gatePath(on verify.Ref) string {
	path := api.AppealGatePath
	if terms.AreaOf(on.Table) == terms.Amendments {
		path = api.AmendmentGatePath
	}
	return strings.Replace(path, "{id}", string(on.Key.ID), 1)
}

// A readRecord is what another program reads of a record, and a readFeed of a page of them.
type (
	readRecord struct {
		Record       json.RawMessage
		Signature    string
		Receipt      readReceipt
		InForce      bool
		SupersededBy records.RecordID
	}
	readFeed struct {
		Records []readRecord
		After   string
		More    bool
	}
)

// record asks for a record.
func (s *harness) record(t testing.TB, who person, id records.RecordID) readRecord {
	t.Helper()
	return read[readRecord](t, s.get(t, recordPath(id), who), http.StatusOK)
}

// feed asks page by page until there is no more, and returns the ids of the records in the order in
// which they came. query has names and values by turns.
func (s *harness) feed(t testing.TB, who person, query ...string) (ids []records.RecordID,
	after string) {
	t.Helper()
	values, last := url.Values{}, int64(-1)
	for i := 0; i < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	for range 100 {
		page := read[readFeed](t, s.get(t, api.RecordsPath+"?"+values.Encode(), who), http.StatusOK)
		for _, r := range page.Records {
			if r.Receipt.Sequence <= last {
				t.Errorf("record %d comes after %d", r.Receipt.Sequence, last)
			}
			last = r.Receipt.Sequence
			ids = append(ids, r.Receipt.RecordID)
		}
		values.Set(api.AfterParameter, page.After)
		if !page.More {
			return ids, page.After
		}
	}
	t.Fatal("the pages do not end")
	return nil, ""
}

// feeds fails the test unless somebody's feed has those records.
func (s *harness) feeds(t testing.TB, who person, want []records.RecordID,
	query ...string) (after string) {
	t.Helper()
	got, after := s.feed(t, who, query...)
	if !slices.Equal(got, want) {
		t.Errorf("%s reads %d records with %q: %v, want %v", who.Token, len(got), query, got, want)
	}
	return after
}

// grown fills the log with records on cases and amendments of the reviewer.
func (s *harness) grown(t testing.TB, count int) (ids []records.RecordID) {
	t.Helper()
	for i := range count {
		on := verify.Ref{}
		if i%3 == 2 {
			on = s.Bring(t, terms.AmendmentRecords,
				verifytest.Amendment(fmt.Sprintf("amendment-of-%d", i), 1))
		} else {
			on = s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-of-%d", i),
				1))
		}
		ids = append(ids, s.recorded(t, on, Reviewer, nil))
	}
	return ids
}

// The answers are checked with an implementation of RFC 8785, one of RFC 6962 and one of the
// checkpoint. push.txtar checks the signature with ssh-keygen.
func TestARecordIsProvedByProgramsThatAreNotDockets(t *testing.T) {
	s := serving(t)
	ids := s.grown(t, 11)
	for i, id := range ids {
		answered := s.record(t, Reviewer, id)
		body, err := jcs.Transform(answered.Record)
		must(t, err)
		leaf := append([]byte("record\n"+answered.Receipt.At+"\n"), body...)
		proof := read[struct {
			readReceipt
			Checkpoint string
			Proof      []string
		}](t, s.get(t, recordPath(id)+"/proof", Reviewer), http.StatusOK)
		head := s.opened(t, []byte(proof.Checkpoint))
		var path tlog.RecordProof
		for _, hash := range proof.Proof {
			path = append(path, treeHash(t, hash))
		}
		root := tlog.Hash(head.Hash)
		if err := tlog.CheckRecord(path, int64(head.Size), root, answered.Receipt.Sequence, tlog.RecordHash(leaf)); err != nil {
			t.Errorf("record %d: %v", i, err)
		}
		if proof.Sequence != answered.Receipt.Sequence || proof.TreeSize != int64(head.Size) || treeHash(t, proof.Root) != root || treeHash(t, proof.LeafHash) != tlog.RecordHash(leaf) ||
			treeHash(t, answered.Receipt.LeafHash) != tlog.RecordHash(leaf) || proof.RecordID != id {
			t.Errorf("record %d: %+v, %+v", i, proof, answered.Receipt)
		}
		changed := bytes.Replace(leaf, []byte(`"gate":"pass"`), []byte(`"gate":"pasS"`), 1)
		if tlog.CheckRecord(path, int64(head.Size), root, proof.Sequence, tlog.RecordHash(changed)) == nil {
			t.Error("the proof holds of other bytes")
		}
	}
}

func treeHash(t testing.TB, hash string) (h tlog.Hash) {
	t.Helper()
	sum, err := hex.DecodeString(strings.TrimPrefix(hash, "sha256:"))
	if err != nil || copy(h[:], sum) != tlog.HashSize {
		t.Fatalf("%s is no hash", hash)
	}
	return h
}

func TestTheFeedHasEachRecordOnceInTheOrderOfTheLog(t *testing.T) {
	s := serving(t)
	want := s.grown(t, 130)
	first := read[readFeed](t, s.get(t, api.RecordsPath, Reviewer), http.StatusOK)
	if len(first.Records) != 100 || !first.More {
		t.Errorf("the first page has %d records, more %t", len(first.Records), first.More)
	}
	after := s.feeds(t, Reviewer, want)
	if again := s.feeds(t, Reviewer, nil, api.AfterParameter, after); again != after {
		t.Errorf("after the end the cursor is %q, was %q", again, after)
	}
	next := s.recorded(t, s.Case, Reviewer, nil)
	s.feeds(t, Reviewer, []records.RecordID{next}, api.AfterParameter, after)
	s.feeds(t, Admin, append(want, next), api.AfterParameter,
		after) // with another's cursor it begins again
}

// Each caller's feed has what the packets' latest revisions say.
func TestTheFeedHasWhatTheCallerMaySeeAndNothingElse(t *testing.T) {
	s := serving(t)
	type ids = []records.RecordID
	mine := s.recorded(t, s.Case, Reviewer, nil)
	blocked := s.recorded(t, s.Case, Admin, func(c *records.Choice) { Block(c); c.Supersedes = mine })
	theirs := s.recorded(t, s.Bring(t, terms.AppealCases,
		verifytest.AppealCase("case-2", 1).With(toStranger)), Stranger, nil)
	amendment := s.recorded(t, s.Amendment, Reviewer, nil)
	others := s.recorded(t, s.Bring(t, terms.AmendmentRecords,
		verifytest.Amendment("amendment-2", 1).With(toStranger).With(
			verifytest.Record{"ownerId": OtherOwner})), Stranger, nil)
	want := map[string]ids{"reviewer": {mine, blocked, amendment}, "ownerless": {mine, blocked},
		"stranger": {theirs, others},
		"admin":    {mine, blocked, theirs, amendment}, "recused": {mine, blocked, theirs, amendment}}
	for _, who := range []person{Reviewer, Ownerless, Stranger, Admin, Recused} {
		s.feeds(t, who, want[who.Token])
		for _, id := range (ids{mine, blocked, theirs, amendment, others}) {
			status := http.StatusNotFound
			if slices.Contains(want[who.Token], id) {
				status = http.StatusOK
			}
			s.get(t, recordPath(id), who).want(t, status, who.Token)
			s.get(t, recordPath(id)+"/proof", who).want(t, status, who.Token)
		}
	}
	s.feeds(t, Reviewer, ids{mine, blocked}, api.CaseParameter, "case-1")
	s.feeds(t, Stranger, ids{others}, api.AmendmentParameter, "amendment-2")
	if first, second := s.record(t, Reviewer, mine), s.record(t, Reviewer, blocked); first.InForce || first.SupersededBy != blocked || !second.InForce || second.SupersededBy != "" {
		t.Errorf("%+v, %+v", first, second)
	}
	// The case is given to somebody else: what was recorded on it goes with it.
	s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-1", 2).With(toStranger))
	s.get(t, recordPath(mine), Reviewer).is(t, api.NotFound)
	s.feeds(t, Stranger, ids{mine, blocked, theirs, others})
	// The amendment's latest revision is of another owner: nobody without both owners reads what was recorded on it.
	s.Bring(t, terms.AmendmentRecords, verifytest.Amendment("amendment-1", 2).With(verifytest.Record{"ownerId": OtherOwner}))
	for _, who := range []person{Reviewer, Admin, Stranger} {
		s.get(t, recordPath(amendment), who).is(t, api.NotFound)
	}
}

// Whole answers are compared, but for the request's own id.
func TestWhatIsNotTheirsIsAnsweredAsOneThatIsNotThere(t *testing.T) {
	s := serving(t)
	id := s.recorded(t, s.Case, Reviewer, nil)
	pairs := [][2]string{
		{recordPath(id), recordPath(aRecordID)}, {recordPath(id) + "/proof", recordPath(aRecordID) + "/proof"}, {recordPath(canary), recordPath(aRecordID)},
		{api.RecordsPath + "?caseId=case-1", api.RecordsPath + "?caseId=case-99"}, {api.RecordsPath + "?amendmentId=amendment-1", api.RecordsPath + "?amendmentId=no"},
		{api.RecordsPath + "?caseId=appeal-policy", api.RecordsPath + "?caseId=no"}, {api.RecordsPath + "?caseId=", api.RecordsPath + "?caseId=" + canary + "%20"},
		{gatePath(s.Case), "/api/trade/challenge-appeal/gate/case-99"},
		{gatePath(s.Amendment), "/api/trade/agreement-amendments/gate/%00"},
	}
	for _, id := range []string{"case-1", "amendment-1", "appeal-policy", "amendment-policy", "%00", "a%2Fb", canary + "%20", strings.Repeat("a", 200)} {
		pairs = append(pairs, [2]string{packetPath + id, packetPath + "case-99"})
	}
	for _, pair := range pairs {
		hidden, absent := s.get(t, pair[0], Stranger), s.get(t, pair[1], Stranger)
		hidden.is(t, api.NotFound)
		silent(t, absent)
		hidden.header.Del("X-Request-Id")
		absent.header.Del("X-Request-Id")
		if !bytes.Equal(hidden.body, absent.body) || fmt.Sprint(hidden.header) != fmt.Sprint(absent.header) {
			t.Errorf("%s is told apart: %s %v, %s %v", pair[0], hidden.body, hidden.header, absent.body, absent.header)
		}
	}
	s.get(t, gatePath(s.Amendment), Ownerless).is(t, api.NotFound)
	s.get(t, packetPath+"amendment-1", Ownerless).is(t, api.NotFound)
}

func TestWhatHasNotChangedIsNotSentAgainToItsReader(t *testing.T) {
	s := serving(t)
	id := s.recorded(t, s.Case, Reviewer, nil)
	paths := []string{api.RecordsPath, api.RecordsPath + "?caseId=case-1", recordPath(id),
		recordPath(id) + "/proof", gatePath(s.Case)}
	tags := map[string]string{}
	for _, path := range paths {
		answered := s.get(t, path, Reviewer)
		tags[path] = answered.header.Get("ETag")
		if tags[path] == "" || answered.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: %v", path, answered.header)
		}
		if again := s.unlike(t, path, tags[path], Reviewer); again.status != http.StatusNotModified || len(again.body) > 0 || again.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: %d", path, again.status)
		}
		if theirs := s.unlike(t, path, tags[path], Stranger); theirs.status != http.StatusNotFound && path != api.RecordsPath {
			t.Errorf("%s: the tag of another's answer is answered with %d", path, theirs.status)
		}
	}
	other := gatePath(s.Amendment)
	tags[other] = s.get(t, other, Reviewer).header.Get("ETag")
	s.recorded(t, s.Case, Reviewer, Supersede(id))
	if same := s.unlike(t, other, tags[other], Reviewer); same.status != http.StatusNotModified {
		t.Errorf("%s: after a record on something else %d", other, same.status)
	}
	for _, path := range paths {
		if changed := s.unlike(t, path, tags[path], Reviewer); changed.status != http.StatusOK || changed.header.Get("ETag") == tags[path] {
			t.Errorf("%s: after another record %d", path, changed.status)
		}
	}
}

func TestTheQueryIsReadStrictly(t *testing.T) {
	s := serving(t)
	_, packets := s.pull(t, Reviewer, "")
	_, feed := s.feed(t, Reviewer)
	for _, c := range []struct {
		path, name, good, other string
		more                    []string
	}{
		{api.QueuePath, "cursor", packets, feed, nil},
		{api.RecordsPath, "after", feed, packets, []string{"caseId=case-1&amendmentId=amendment-1",
			"caseId=case-1&caseId=case-1",
			"caseId=case-1;after=" + feed, "after=0", "after=-1"}},
	} {
		is := c.name + "="
		for _, query := range append([]string{is + canary, is + "%00", is + "%zz" + canary,
			strings.ToUpper(c.name[:1]) + c.name[1:] + "=" + c.good,
			canary + "=1", is + c.good + "&" + is + c.good, is + c.good + "&" + canary + "=1", is +
				c.good + "A", is + c.good[1:], is + c.other,
			is + strings.Repeat("A", 5000), is + c.good + ";a=b"}, c.more...) {
			answered := s.get(t, c.path+"?"+query, Reviewer)
			answered.is(t, api.Malformed)
			silent(t, answered)
		}
		s.get(t, c.path+"?"+is, Reviewer).want(t, http.StatusOK, "an empty cursor")
		if page := read[struct{ More bool }](t, s.get(t, c.path+"?"+is+c.good, Reviewer),
			http.StatusOK); page.More {
			t.Error("there is more after the end")
		}
	}
	s.get(t, api.QueuePath+"?after="+feed, Reviewer).is(t, api.Malformed)
	s.get(t, api.RecordsPath+"?cursor="+packets, Reviewer).is(t, api.Malformed)
}

// answeredGate is what a platform reads of a gate route.
type answeredGate struct {
	Table           string
	ID              string
	Revision        int
	Recorded        bool
	Gate            string
	RelianceGate    string
	RelianceReasons []string
	RecordID        records.RecordID
	Outcome         string
	RecordedAt      string
}

func (s *harness) gateOf(t testing.TB, on verify.Ref) answeredGate {
	t.Helper()
	gate := read[answeredGate](t, s.get(t, gatePath(on), Reviewer), http.StatusOK)
	if gate.ID != string(on.Key.ID) || gate.Table != on.Table.String() || (gate.RelianceGate == "pass") != (len(gate.RelianceReasons) == 0) {
		t.Errorf("%+v", gate)
	}
	return gate
}

// What the record in force says stands beside what may be relied on (source 4.1 (2) and 4.2 (1)).
func TestTheGateRouteNamesTheRecordInForceOnTheLatestRevision(t *testing.T) {
	s := serving(t)
	makes := map[terms.Area]func(string, int) verifytest.Record{terms.Appeals: verifytest.AppealCase, terms.Amendments: verifytest.Amendment}
	for _, on := range s.subjects() {
		area := terms.AreaOf(on.Table)
		if none := s.gateOf(t, on); none.Recorded || none.Gate != "blocked" || none.RecordID != "" || none.RelianceReasons[0] != records.NoRecord {
			t.Errorf("without a record: %+v", none)
		}
		first := s.recorded(t, on, Reviewer, nil)
		if passed := s.gateOf(t, on); !passed.Recorded || passed.Gate != "pass" || passed.RecordID != first ||
			(passed.Outcome != "") != (area == terms.Appeals) || (passed.RelianceGate == "pass") != (area == terms.Amendments) {
			t.Errorf("with a record that passes: %+v", passed)
		}
		second := s.recorded(t, on, Admin, func(c *records.Choice) { Block(c); c.Supersedes = first })
		if blocked := s.gateOf(t, on); !blocked.Recorded || blocked.Gate != "blocked" || blocked.RecordID != second ||
			blocked.RelianceReasons[0] != terms.NeutralReviewMissing.String() {
			t.Errorf("with a record that blocks: %+v", blocked)
		}
		s.Bring(t, on.Table, makes[area](string(on.Key.ID), 2))
		if later := s.gateOf(t, on); later.Recorded || later.Gate != "blocked" || later.Revision != 2 || later.RecordID != "" ||
			!slices.Contains(later.RelianceReasons, records.NotLatest) {
			t.Errorf("on a revision that nobody judged: %+v", later)
		}
	}
}

// TestRelianceIsJudgedWhenItIsAskedFor asks about each outcome on each kind of case: at once, after the policy's end, with a newer policy,
// and with a newer revision.
func TestRelianceIsJudgedWhenItIsAskedFor(t *testing.T) {
	if onPostgres() {
		t.Skip("the time of the store is changed by opening its file again")
	}
	s := serving(t)
	var all []string
	for _, outcome := range terms.Outcomes.All() {
		all = append(all, outcome.String())
	}
	policy := func(version int) verifytest.Record {
		return verifytest.AppealPolicy("short-policy", version).With(verifytest.Record{
			"effectiveUntil": Noon.Add(time.Minute).Format(time.RFC3339),
			"outcomeRules": verifytest.Record{"wrong_scope_evidence": verifytest.Record{
				"advisory": "uphold_decision", "compatible": all}}})
	}
	s.Bring(t, terms.AppealPolicies, policy(1))
	s.Bring(t, terms.AmendmentPolicies, verifytest.AmendmentPolicy("short-policy", 1).With(verifytest.Record{
		"staleAfter": Noon.Add(time.Minute).Format(time.RFC3339)}))
	type subject struct {
		on   verify.Ref
		what verifytest.Record
		pass bool
	}
	var subjects []subject
	add := func(table terms.Table, what verifytest.Record, pass bool, change func(*records.Choice)) {
		on := s.Bring(t, table, what.With(verifytest.Record{"policyId": "short-policy"}))
		s.recorded(t, on, Reviewer, change)
		subjects = append(subjects, subject{on, what.With(verifytest.Record{"policyId": "short-policy"}), pass})
	}
	for _, status := range []string{"under_neutral_review", "corrected", "upheld"} {
		for _, outcome := range terms.Outcomes.All() {
			what := verifytest.AppealCase(status+"-"+outcome.String(), 1).With(verifytest.Record{"status": status})
			relied := outcome == terms.CorrectRecord || outcome == terms.RecordRemedy
			add(terms.AppealCases, what, status == "corrected" && relied, func(c *records.Choice) { c.Outcome = outcome })
		}
	}
	add(terms.AmendmentRecords, verifytest.Amendment("passed", 1), true, nil)
	add(terms.AmendmentRecords, verifytest.Amendment("tightened", 1), false, Block)
	ask := func(when, area string, passes bool, reason string) {
		t.Helper()
		for _, one := range subjects {
			if area != "" && terms.AreaOf(one.on.Table).String() != area {
				continue
			}
			got := s.gateOf(t, one.on)
			if want := passes && one.pass; (got.RelianceGate == "pass") != want || reason != "" && !slices.Contains(got.RelianceReasons, reason) {
				t.Errorf("%s: %s is %s by %q", when, one.on.Key.ID, got.RelianceGate, got.RelianceReasons)
			}
		}
	}
	ask("at once", "", true, "")

	later := openStore(t, store.Options{Path: s.path, Service: true,
		Now:          func() time.Time { return Noon.Add(2 * time.Minute) },
		AnchorFolder: filepath.Join(filepath.Dir(s.path), "anchors")})
	now := s.service
	s.service = s.serving(t, later).service
	ask("after the policy's end", terms.Appeals.String(), false, "appeal_policy_not_current")
	ask("after the policy's end", terms.Amendments.String(), false, "policy_stale")
	s.service = now

	for _, one := range subjects {
		if !one.pass || one.on.Key.ID == "corrected-correct_record" {
			continue
		}
		s.Bring(t, one.on.Table, one.what.With(verifytest.Record{"revision": 2}))
		if got := s.gateOf(t, one.on); got.RelianceGate != "blocked" || !slices.Contains(got.RelianceReasons, records.NotLatest) {
			t.Errorf("with a newer revision: %+v", got)
		}
	}
	s.Bring(t, terms.AppealPolicies, policy(2))
	s.Bring(t, terms.AmendmentPolicies, verifytest.AmendmentPolicy("short-policy", 2))
	ask("with a newer policy", terms.Appeals.String(), false, "appeal_policy_not_current")
	ask("with a newer policy", terms.Amendments.String(), false, "policy_superseded")
}

// All that the routes answer for a case with private members and a masked text is looked at.
func TestNothingPrivateIsGivenOut(t *testing.T) {
	s := serving(t)
	text, err := json.Marshal(map[string]any{"table": terms.AppealCases,
		"record": verifytest.AppealCase("case-5", 1).With(verifytest.Record{
			"remedyGap": "Write to " + canary + "@example.org about it."}),
		"private": map[string]any{"reviewer_note": canary,
			"contact_data": []string{canary, canary}}})
	must(t, err)
	s.Hold(t, text)
	on := s.Log.HoldSealed(text)
	id := s.recorded(t, on, Reviewer, nil)
	for _, path := range []string{api.QueuePath, packetPath + "case-5"} {
		answered := s.get(t, path, Reviewer)
		silent(t, answered)
		if !slices.Contains(namesOf(t, read[api.Page](t, answered, http.StatusOK)), "case-5/1") {
			t.Errorf("%s does not give the redacted packet", path)
		}
	}
	for _, path := range []string{api.RecordsPath, recordPath(id), recordPath(id) + "/proof",
		api.RecordsPath + "?caseId=case-5", gatePath(on)} {
		silent(t, s.get(t, path, Reviewer).want(t, http.StatusOK, path))
	}
}

func TestAServedRecordHasItsStatementOfReasonsAndWhenItCameIn(t *testing.T) {
	s := serving(t)
	record := s.stamp(t, "1111111111111111", 5, -time.Hour)
	s.takes(t, record, Reviewer)
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
	kept := string(s.get(t, recordPath(record.Members().RecordID), Reviewer).body)
	reasons, err := json.Marshal(verifytest.Reasons)
	must(t, err)
	for _, want := range []string{`"statement":` + string(reasons),
		fmt.Sprintf(`"receivedAt":"%s"`, terms.InstantOf(Noon))} {
		if !strings.Contains(kept, want) {
			t.Errorf("no %s in %s", want, kept)
		}
	}
	if rows := s.Dump(t)["docket_service_received"]; len(rows) != 1 {
		t.Errorf("kept %v", rows)
	}
}

// TestATimeThatEndsInZerosIsTakenAsItIsSigned hands in records of another client, which writes its times with a fixed number of digits.
func TestATimeThatEndsInZerosIsTakenAsItIsSigned(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		honest := s.Decide(on, Reviewer, nil)
		times := verifytest.Record{}
		for member, at := range map[string]terms.Instant{"openedAt": honest.Members().OpenedAt, "evaluatedAt": honest.Members().EvaluatedAt, "recordedAt": honest.Members().RecordedAt} {
			times[member] = at.Time().Format("2006-01-02T15:04:05.000000Z")
		}
		record := s.forged(t, honest, times)
		s.takes(t, record, Reviewer)
		s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
		answered := s.record(t, Reviewer, record.Members().RecordID)
		for member, text := range times {
			if parsed(t, answered.Record)[member] != text {
				t.Errorf("%s is %v, and was handed in as %s", member, parsed(t, answered.Record)[member], text)
			}
		}
	}
	report, err := s.store.Verify(t.Context(), verify.Options{Now: terms.InstantOf(Noon)})
	if err != nil || len(report.Findings) > 0 {
		t.Errorf("%v, %v", report.Findings, err)
	}
}

// TestOfConflictingDecisionsAtOnceOneIsTaken hands in several decisions on one revision at the same time: the reviewer's from two consoles, and
// a safety admin's that blocks. One is acknowledged; the others are rejected by name of that one.
func TestOfConflictingDecisionsAtOnceOneIsTaken(t *testing.T) {
	s := serving(t)
	const rounds = 12
	var taken []records.RecordID
	for round := range rounds {
		on := s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-raced-%d", round), 1))
		if round%2 == 1 {
			on = s.Bring(t, terms.AmendmentRecords, verifytest.Amendment(fmt.Sprintf("amendment-raced-%d", round), 1))
		}
		decisions := []records.Enforcement{s.Decide(on, Reviewer, nil), s.Decide(on, Reviewer, nil), s.Decide(on, Admin, Block), s.Decide(on, Admin, Block)}
		answers := make([]reply, len(decisions))
		var begin, all sync.WaitGroup
		begin.Add(1)
		for i, record := range decisions {
			who, body := []person{Reviewer, Reviewer, Admin, Admin}[i], s.Body(t, record)
			all.Go(func() {
				begin.Wait()
				answers[i] = s.post(t, enforcePath(record), who, body)
			})
		}
		begin.Done()
		all.Wait()
		won := slices.IndexFunc(answers, func(a reply) bool { return a.status == http.StatusCreated })
		if won < 0 {
			t.Fatalf("nothing was taken: %+v", answers)
		}
		winner := decisions[won].Members().RecordID
		taken = append(taken, winner)
		for i := range answers {
			if i != won {
				problem := answers[i].problem(t)
				s.rejected(t, decisions[i], problem)
				if answers[i].status != http.StatusConflict || problem.InForce != winner {
					t.Errorf("%s: in force is %s, acknowledged was %s", problem.Type, problem.InForce, winner)
				}
				s.get(t, recordPath(decisions[i].Members().RecordID), Admin).is(t, api.NotFound)
			}
		}
	}
	if got, _ := s.feed(t, Admin); !slices.Equal(got, taken) {
		t.Errorf("the feed has %v, acknowledged were %v", got, taken)
	}
}
