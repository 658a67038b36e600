package selftest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/shape"
	"docket/domain/terms"
	"docket/store/verify"
)

// wholeBreakings break single steps of the whole way.
func wholeBreakings() []breaking {
	hook := "technical_spec_challenge_appeal_smoke"
	return []breaking{
		{hook, "nothing is redacted", "private values are counted", func(t *testing.T, p *program) {
			p.read = func(text []byte) (packets.Packet, *shape.Fault) {
				return read(altering(t, text, func(o object) object { return edited(o, "private", removed{}) }))
			}
		}},
		{hook, "what is private gets into the packet", "what was private is in a file", func(t *testing.T, p *program) {
			p.read = func(text []byte) (packets.Packet, *shape.Fault) {
				if !bytes.Contains(text, []byte(canary)) {
					return read(text)
				}
				return read(leaking(t, text))
			}
		}},
		{hook, "the rules say something else than the view", "as it was judged", judging(func(_ *rules.Input, v verdict) verdict {
			return without(v, terms.NoticeMissing)
		})},
		{hook, "a file of the bundle was edited", "the bundle does not verify: record_", func(t *testing.T, p *program) {
			p.checkBundle = func(ctx context.Context, dir string, o verify.Options) (verify.Report, error) {
				edit(t, filepath.Join(dir, "records", "1.json"))
				return thisProgram().checkBundle(ctx, dir, o)
			}
		}},
		{hook, "a signature was edited", "the bundle does not verify: signature_", func(t *testing.T, p *program) {
			p.checkBundle = func(ctx context.Context, dir string, o verify.Options) (verify.Report, error) {
				edit(t, filepath.Join(dir, "records", "1.json.sig"))
				return thisProgram().checkBundle(ctx, dir, o)
			}
		}},
		{hook, "a record of the log was edited", "the log does not verify", func(_ *testing.T, p *program) {
			p.checkLog = func(ctx context.Context, log verify.Source, o verify.Options) (verify.Report, error) {
				return verify.Check(ctx, alteredLog{log}, o)
			}
		}},
		{hook, "the log is checked as an empty one", "does not hold both records", func(_ *testing.T, p *program) {
			p.checkLog = func(context.Context, verify.Source, verify.Options) (verify.Report, error) {
				return verify.Report{}, nil
			}
		}},
	}
}

// leaking is the packet with what is private in a text of its record, sealed over it.
func leaking(t *testing.T, text []byte) []byte {
	t.Helper()
	return altering(t, text, func(o object) object {
		leaky := edited(o, "record/remedyGap", canary)
		record, _ := leaky["record"].(object)
		sealed, err := packet{terms.AppealCases, record}.rehashed()
		if err != nil {
			t.Fatal(err)
		}
		return edited(leaky, "record", sealed.record)
	})
}

// edit changes the first byte of a file, so that it cannot be read.
func edit(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if content[0]++; os.WriteFile(path, content, 0o600) != nil {
		t.Fatal("not edited")
	}
}

// alteredLog is a log in which every record was edited.
type alteredLog struct{ verify.Source }

func (l alteredLog) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	return l.Source.Entries(ctx, from, func(e verify.Entry) error {
		e.Document = bytes.Replace(e.Document, []byte("route_human_review"), []byte("close_unresolved"), 1)
		return yield(e)
	})
}
