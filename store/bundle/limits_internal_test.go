package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// Of a file that is longer than any of its kind no more is read than shows it.
func TestOfAFileThatIsTooLongOneByteMoreThanItsLimitIsRead(t *testing.T) {
	t.Parallel()
	rejection := records.RecordID("019ecb6a-4e00-7abc-8def-0123456789ab")
	packet := verify.Ref{Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}}
	limits := map[string]int{signaturePath(0): 16_384, "packets/" + packetPath(packet): 4_194_304, checkpointFile: 65_536, serviceFile: 65_536,
		path.Join(rejectionsFolder, string(rejection)): 16_384, path.Join(cosignaturesFolder, "1"): 262_144, "keys/0.txt": 16_384, "keys/0.txt.sig": 16_384, "keys/0.txt.log": 16_384}
	f := below(t, "records/0.json")
	for name, limit := range limits {
		if err := f.put(name, make([]byte, limit+9)); err != nil {
			t.Fatal(err)
		}
	}
	b, err := Open(f.root.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	got := map[string]int{checkpointFile: len(b.head.Checkpoint), serviceFile: len(b.head.ServiceKey) - 1} // a line feed shows that it is none
	statement, failed := b.readStatement(keysFolder, 0)
	got["keys/0.txt"], got["keys/0.txt.sig"], got["keys/0.txt.log"] = len(statement.Text), len(statement.Signature), len(statement.LogSignature)
	documents, err := b.Packets(t.Context(), []verify.Ref{packet})
	failed = errors.Join(failed, err, b.Entries(t.Context(), 0, func(e verify.Entry) error {
		got[signaturePath(0)] = len(e.Signature)
		return nil
	}), b.Rejections(t.Context(), func(r verify.Rejection) error {
		got[path.Join(rejectionsFolder, string(rejection))] = len(r.Signed)
		return nil
	}), b.Cosignatures(t.Context(), func(c verify.Cosigned) error {
		got[path.Join(cosignaturesFolder, "1")] = len(c.Checkpoint)
		return nil
	}))
	if failed != nil || len(documents) != 1 {
		t.Fatal(failed)
	}
	got["packets/"+packetPath(packet)] = len(documents[0])
	for name, limit := range limits {
		if got[name] != limit+1 {
			t.Errorf("of %s %d bytes are read, want %d", name, got[name], limit+1)
		}
	}
}

func signaturePath(sequence int64) string { return path.Join(recordsFolder, signatureName(sequence)) }

func TestAFileBesideARecordIsNamedAfterOneOfTheLog(t *testing.T) {
	t.Parallel()
	l := &layout{records: 3}
	for name, want := range map[string]bool{"salts/0.json": true, "salts/2.json": true, "salts/3.json": false, "salts/4.json": false, "salts/a/2.json": false,
		"2.json": true, "salts/2.txt": false, "salts/-1.json": false} {
		if besideRecord(l, name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

func TestTheRecordsOfTheServicesLogAreCountedByTheirNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		names   []string
		records int64
		strays  []string
	}{
		"no folder":      {nil, 0, nil},
		"one":            {[]string{"service-records/0.json"}, 1, nil},
		"a gap":          {[]string{"service-records/0.json", "service-records/4.json"}, 5, nil},
		"the widest gap": {[]string{"service-records/10000.json"}, 10_001, nil},
		"too wide a gap": {[]string{"service-records/10001.json"}, 1, nil},
		"the last name":  {[]string{"service-records/16777215.json"}, 1, nil},
		"no name":        {[]string{"service-records/16777216.json"}, 0, []string{"service-records/16777216.json"}},
	} {
		l := &layout{}
		if err := below(t, c.names...).surveyServiceRecords(l); err != nil || l.atService != c.records || !slices.Equal(l.strays, c.strays) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
}

func TestStatementsAreNumberedUpToALimit(t *testing.T) {
	t.Parallel()
	l := &layout{}
	names := []string{"service-statements/0.txt", "service-statements/1048575.txt", "service-statements/1048576.txt"}
	if err := surveyStatements(serviceStatementsFolder, ofService)(below(t, names...), l); err != nil || !slices.Equal(l.strays, names[2:]) || l.service.numbers != 1<<20 || l.statements.files != 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestSoManyFilesThatDifferAreTold(t *testing.T) {
	t.Parallel()
	var c comparison
	for n := range verify.DefaultKeep + 3 {
		c.found(verify.FileDiffers, fmt.Sprint(n))
	}
	if n := len(c.findings); n != verify.DefaultKeep || c.findings[n-1] != (verify.Finding{Sequence: verify.NoSequence, Code: verify.FileDiffers, Detail: "999"}) {
		t.Errorf("%d: %+v", n, c.findings[n-1])
	}
}

// A section goes to a file with the first byte that memory is not to hold.
func TestASectionIsKeptInMemoryUpToALimit(t *testing.T) {
	t.Parallel()
	for size, spilled := range map[int]bool{1_048_575: false, 1_048_576: true} { // and the line feed before it
		var s section
		s.put(make([]byte, size))
		if (s.file != nil) != spilled || s.err != nil {
			t.Errorf("%d bytes: in a file is %v, %v", size, !spilled, s.err)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

func TestASectionWithoutAFileForItIsAnError(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	t.Setenv("TMP", filepath.Join(t.TempDir(), "nowhere"))
	var s section
	for range 2 {
		s.put(make([]byte, 2<<20))
	}
	if err := s.writeTo(io.Discard); !errors.Is(err, os.ErrNotExist) || s.file != nil || len(s.text) > 0 {
		t.Errorf("%v, %d bytes are kept", err, len(s.text))
	}
}

// writeOnly is an open file that cannot be read.
func writeOnly(t *testing.T) *os.File {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(t.TempDir(), "file"), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func TestWhatCannotBeReadIsNotComparedOrCopied(t *testing.T) {
	t.Parallel()
	if n, err := (&comparedFile{of: &comparison{}, file: writeOnly(t), name: "file"}).Write([]byte("due")); err == nil || n != 0 {
		t.Errorf("%d bytes are compared: %v", n, err)
	}
	s := section{file: writeOnly(t), written: true, text: []byte("rest")}
	var out strings.Builder
	if err := s.writeTo(&out); err == nil || out.Len() > 0 {
		t.Errorf("%q is copied: %v", out.String(), err)
	}
}

func TestARecordThatIsNoneHasNoRowInASpreadsheet(t *testing.T) {
	t.Parallel()
	for _, document := range []string{"", "x", "[]", "{}", `{"reviewer":7}`} {
		s, err := newSheet(nowhere{}, appealsFile, terms.Appeals)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.add(17, []byte(document)); err == nil || !strings.HasPrefix(err.Error(), "record 17: ") {
			t.Errorf("%q: %v", document, err)
		}
	}
}

func TestAKeyCountsFromItsFirstRecordToItsRevocation(t *testing.T) {
	t.Parallel()
	at := func(seconds float64) terms.Instant {
		return terms.InstantOf(time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second))))
	}
	for name, c := range map[string]struct {
		span verify.Span
		want string
	}{
		"nothing signed":             {verify.Span{}, ""},
		"nothing signed, revoked":    {verify.Span{Revoked: true}, ""},
		"in use":                     {verify.Span{First: at(1.9), Last: at(7)}, `valid-after="20260615120001",`},
		"revoked":                    {verify.Span{First: at(1.9), Last: at(7.9), Revoked: true}, `valid-after="20260615120001",valid-before="20260615120007",`},
		"revoked within a second":    {verify.Span{First: at(1.1), Last: at(1.9), Revoked: true}, `valid-after="20260615120001",valid-before="20260615120002",`},
		"revoked after two":          {verify.Span{First: at(1), Last: at(2), Revoked: true}, `valid-after="20260615120001",valid-before="20260615120002",`},
		"revoked before it counted":  {verify.Span{First: at(1), Revoked: true}, `valid-before="19700102000000",`},
		"in use, none of it counted": {verify.Span{First: at(1)}, `valid-after="20260615120001",`},
	} {
		if got := validityOf(c.span); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestThoseWhoSignedAreListedOnceInOrderAndReadBack(t *testing.T) {
	t.Parallel()
	key := func(seed string) ssh.PublicKey { return verifytest.Key(seed).PublicKey() }
	signer := func(id terms.ID, seed string) verify.Signer { return verify.Signer{ID: id, Key: key(seed)} }
	reviewer := func(id terms.ID, seed string) verify.Reviewer {
		return verify.Reviewer{ID: id, Fingerprint: ssh.FingerprintSHA256(key(seed))}
	}
	all := []verify.Signer{signer("rev-3", "c"), signer("rev-1", "a"), signer("rev-2", "b"), signer("rev-1", "a"), signer("rev-1", "b"), signer("rev-2", "a"), signer("rev-4", "d")}
	text := allowedSigners(all, []verify.Reviewer{reviewer("rev-1", "a"), reviewer("rev-3", "c"), reviewer("rev-2", "b")})
	var want strings.Builder
	signed := []verify.Signer{signer("rev-1", "a"), signer("rev-2", "b"), signer("rev-3", "c")}
	for _, s := range signed {
		fmt.Fprintf(&want, "%s namespaces=%q %s", s.ID, records.SignatureNamespace, ssh.MarshalAuthorizedKey(s.Key))
	}
	if string(text) != want.String() {
		t.Errorf("%s", text)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for _, other := range []string{"", "\n", "# a comment\n", line, " " + line + "\n", line + " a comment\n", strings.Replace(line, "rev-1", "rev 1", 1) + "\n", strings.Replace(line, "rev-1", "", 1) + "\n",
		strings.Replace(line, "ssh-", "ssh", 1) + "\n"} {
		back := parseSigners([]byte(string(text) + other))
		if len(back) != len(signed) {
			t.Fatalf("with %q: %v", other, back)
		}
		for i, s := range back {
			if s.ID != signed[i].ID || string(s.Key.Marshal()) != string(signed[i].Key.Marshal()) {
				t.Errorf("with %q: %v", other, s)
			}
		}
	}
}

// A newer packet that is only in the log comes with its texts in their places, and without the salt of a store.
func TestAPacketOfAStoreIsExportedAsItIsShown(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	shown := l.Held[l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1))]
	var reader packets.Reader
	packet, err := reader.ReadStored(shown)
	if err != nil {
		t.Fatal(err)
	}
	stored := packets.Joined(packet.Stored("saltsaltsaltsaltsaltsalt"))
	for _, document := range [][]byte{stored, shown, []byte("no packet"), nil} {
		want := shown
		if !strings.HasPrefix(string(document), "{") {
			want = document
		}
		got, err := documentsOf(&verify.Checked{Refs: make([]verify.Ref, 1)}, func([]verify.Ref) ([][]byte, error) { return [][]byte{document}, nil })
		if err != nil || len(got) != 1 || string(got[0]) != string(want) {
			t.Errorf("%q: %q, %v", document, got, err)
		}
	}
	if string(stored) == string(shown) {
		t.Error("the store keeps it as it is shown")
	}
}

// A folder that cannot be listed is not one without files.
func TestAFolderThatCannotBeListedHasNoEnd(t *testing.T) {
	t.Parallel()
	b := &Bundle{folder: *below(t, "rejections/", "cosignatures/")}
	if err := b.root.Close(); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"rejections":      b.Rejections(t.Context(), func(verify.Rejection) error { return nil }),
		"cosignatures":    b.Cosignatures(t.Context(), func(verify.Cosigned) error { return nil }),
		"service records": b.surveyServiceRecords(&layout{}),
		"statements":      surveyStatements(keysFolder, ofLog)(&b.folder, &layout{}),
		"setbacks":        b.surveySetbacks(&layout{}),
		"records":         b.surveyRecords(&layout{}),
		"lost receipts":   b.surveyLost(&layout{}),
	} {
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whether a key counted depends on the service's receipt, and one that cannot be read is not taken for none.
func TestAStandingWhoseReceiptCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	failed := func() (*signed.Acceptance, error) { return nil, errFull }
	m := records.Members{RecordID: "019ecb6a-4e00-7abc-8def-0123456789ab", Supersedes: "019ecb6a-4e00-7abc-8def-0123456789ac"}
	for name, ring := range map[string]*keys.Ring{"no key was revoked": nil, "a key was revoked": keys.New(false)} {
		s := &standings{ring: ring, supersededBy: map[records.RecordID]records.RecordID{}}
		if err := s.take(0, &m, failed); errors.Is(err, errFull) != (ring != nil) || len(s.supersededBy) > 0 != (ring == nil) {
			t.Errorf("%s: %v, %v", name, err, s.supersededBy)
		}
	}
}

func TestAWalkAlongTheRecordsThatIsCancelledYieldsNothing(t *testing.T) {
	t.Parallel()
	b := bundleOf(t, logOf(t))
	ctx, cancel := context.WithCancel(t.Context())
	var sequences []int64
	take := func(sequence int64, _ []byte) error { sequences = append(sequences, sequence); return nil }
	if err := b.documents(ctx, take); err != nil || !slices.Equal(sequences, []int64{0, 1, 2}) {
		t.Errorf("%v, %v", sequences, err)
	}
	if err := b.documents(ctx, func(int64, []byte) error { return errFull }); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
	cancel()
	if err := b.documents(ctx, take); !errors.Is(err, context.Canceled) || len(sequences) != 3 {
		t.Errorf("%v, %v", sequences, err)
	}
}
