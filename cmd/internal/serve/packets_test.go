package serve_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

// packetPath is before the id of a packet.
const packetPath = "/api/trade/packets/"

// page asks for the packets after a cursor.
func (s *harness) page(t testing.TB, who person, cursor string) api.Page {
	t.Helper()
	path := api.QueuePath
	if cursor != "" {
		path += "?cursor=" + url.QueryEscape(cursor)
	}
	return read[api.Page](t, s.get(t, path, who), http.StatusOK)
}

// pull asks page by page until there is no more, and returns the packets' names in the order in which they came.
func (s *harness) pull(t testing.TB, who person, cursor string) (names []string, after string) {
	t.Helper()
	for range 1000 {
		page := s.page(t, who, cursor)
		names = append(names, namesOf(t, page)...)
		cursor = page.Cursor
		if !page.More {
			return names, cursor
		}
	}
	t.Fatal("the pages do not end")
	return nil, ""
}

// namesOf names the packets of a page, each of which must be a redacted packet as domain writes it.
func namesOf(t testing.TB, page api.Page) (names []string) {
	t.Helper()
	for _, document := range page.Packets {
		key := stored(t, document).Key()
		names = append(names, fmt.Sprintf("%s/%d", key.ID, key.Number))
	}
	return names
}

// stored is the redacted packet of a document.
func stored(t testing.TB, document []byte) packets.Packet {
	t.Helper()
	var reader packets.Reader
	packet, err := reader.ReadStored(document)
	if err != nil {
		t.Fatalf("it is no packet: %v\n%s", err, document)
	}
	return packet
}

var policies = []string{"appeal-policy/1", "amendment-policy/1"}

// With a cursor of other rights the queue starts from the beginning.
func TestTheQueueGivesEachPrincipalWhatTheyMaySee(t *testing.T) {
	s := serving(t)
	s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-2", 1).With(toStranger))
	s.Bring(t, terms.AmendmentRecords, verifytest.Amendment("amendment-2", 1).With(verifytest.Record{
		"ownerId": OtherOwner}).With(toStranger))
	s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-3", 1).With(verifytest.Record{"neutralReview": nil}))
	want := map[string][]string{
		"reviewer":  {"case-1/1", "amendment-1/1"},
		"ownerless": {"case-1/1"},
		"admin":     {"case-1/1", "case-2/1", "case-3/1", "amendment-1/1"},
		"stranger":  {"case-2/1", "amendment-2/1"},
	}
	others := ""
	for _, who := range []person{Reviewer, Ownerless, Admin, Stranger} {
		got, cursor := s.pull(t, who, "")
		if again, _ := s.pull(t, who, others); !slices.Equal(again, got) {
			t.Errorf("with another's cursor %s sees %v, not %v", who.Token, again, got)
		}
		others = cursor
		listed(t, "seen first by "+who.Token, got[:2], policies)
		listed(t, "then by "+who.Token, got[2:], want[who.Token])
	}
}

func TestATextThatDeceivesIsEscapedInAnswers(t *testing.T) {
	s := serving(t)
	s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-2", 1).With(verifytest.Record{
		"evidenceScope": map[string]any{"items": []string{"ev-1"}, "statement": "left \u202eright\u200b"}}))
	for _, path := range []string{api.QueuePath, packetPath + "case-2"} {
		answered := s.get(t, path, Admin)
		if body := string(answered.body); answered.status != http.StatusOK || strings.ContainsAny(body, "\u202e\u200b") || !strings.Contains(body, `left \u202eright\u200b`) {
			t.Errorf("%s: %s", path, body)
		}
	}
}

func TestPagesGoOnWhereTheOneBeforeEnded(t *testing.T) {
	s := serving(t)
	want := append(slices.Clone(policies), "case-1/1", "amendment-1/1")
	for i := range 250 {
		id := fmt.Sprintf("case-%d", i+100)
		s.Bring(t, terms.AppealCases, verifytest.AppealCase(id, 1))
		want = append(want, id+"/1")
	}
	first := s.page(t, Reviewer, "")
	if len(first.Packets) == 0 || len(first.Packets) > 100 || !first.More {
		t.Errorf("the first page has %d packets, more %t", len(first.Packets), first.More)
	}
	got, cursor := s.pull(t, Reviewer, "")
	listed(t, "given packets", got, want)
	if got, again := s.pull(t, Reviewer, cursor); len(got) > 0 || again == "" {
		t.Errorf("after the end there is %v, cursor %q", got, again)
	}
	s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-new", 1))
	if got, _ := s.pull(t, Reviewer, cursor); !slices.Equal(got, []string{"case-new/1"}) {
		t.Errorf("what came later is %v", got)
	}
}

func TestAPacketComesWithAllItsRevisionsAndPolicies(t *testing.T) {
	s := serving(t)
	s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-1", 2))
	want := map[string][]string{"case-1": {"appeal-policy/1", "case-1/1", "case-1/2"},
		"amendment-1": {"amendment-policy/1", "amendment-1/1"}}
	for id, names := range want {
		for _, who := range []person{Reviewer, Admin} {
			page := read[api.Page](t, s.get(t, packetPath+id, who), http.StatusOK)
			if got := namesOf(t, page); !slices.Equal(got, names) || page.More || page.Cursor != "" || page.Key == "" {
				t.Errorf("%s for %s: %v", id, who.Token, got)
			}
		}
	}
}

// Who is assigned is for the latest revision to say.
func TestACaseThatIsGivenToSomebodyElseIsToldToWhoHadItAndNothingIsWritten(t *testing.T) {
	s := serving(t)
	cursors := map[string]string{}
	people := []person{Reviewer, Ownerless, Admin, Stranger}
	for _, who := range people {
		_, cursors[who.Token] = s.pull(t, who, "")
	}
	s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-1", 2).With(toStranger))
	s.Bring(t, terms.AmendmentRecords, verifytest.Amendment("amendment-1", 2).With(toStranger))
	before := s.Dump(t)
	taken := api.Reassigned{Table: terms.AppealCases, ID: "case-1", Revision: 2}
	want := map[string][]api.Reassigned{
		"reviewer":  {taken, {Table: terms.AmendmentRecords, ID: "amendment-1", Revision: 2}},
		"ownerless": {taken}, // of amendments they see none
	}
	for _, who := range people {
		answered := s.get(t, api.QueuePath+"?cursor="+url.QueryEscape(cursors[who.Token]), who)
		page := read[api.Page](t, answered, http.StatusOK)
		if !slices.Equal(page.Reassigned, want[who.Token]) {
			t.Errorf("%s is told %v, want %v", who.Token, page.Reassigned, want[who.Token])
		}
		if who.ID == Reviewer.ID && strings.Contains(string(answered.body), string(Stranger.ID)) {
			t.Errorf("it names whom the case was given to: %s", answered.body)
		}
		seen, _ := s.pull(t, who, "")
		if sees := slices.Contains(seen, "case-1/2"); sees != (who.ID != Reviewer.ID) ||
			sees != slices.Contains(namesOf(t, page), "case-1/2") {
			t.Errorf("%s sees %v", who.Token, seen)
		}
		if next := s.page(t, who, page.Cursor); len(next.Reassigned) != 0 {
			t.Errorf("%s is told twice", who.Token)
		}
	}
	same(t, before, s.Dump(t))
}
