package selftest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// evaluateBreakings break what `docket evaluate` answers.
func evaluateBreakings() []breaking {
	var all []breaking
	for _, hook := range []string{"challenge_appeal_evaluate_route_contract", "agreement_amendment_route_contract"} {
		all = append(all,
			breaking{hook, "an answer has a member too many", "members", answering(func(o object) object { return edited(o, "score", 1) })},
			breaking{hook, "an answer lacks a member", "members", answering(func(o object) object { return edited(o, "revision", removed{}) })},
			breaking{hook, "everything passes", "its gate is not blocked", answering(func(o object) object {
				return edited(edited(o, "gate", "pass"), "blockers", []any{})
			})},
			breaking{hook, "nothing passes", "its gate is not pass", answering(func(o object) object { return edited(o, "gate", "blocked") })},
			breaking{hook, "a gate passes in spite of blockers", "its gate is", answering(func(o object) object {
				return edited(edited(o, "gate", "pass"), "blockers", []any{"notice_missing"})
			})},
			breaking{hook, "no two answers are the same", "two answers", func(t *testing.T, p *program) {
				times := 0
				p.evaluate = func(line []byte) []byte {
					times++
					return altering(t, evaluate(line), func(o object) object { return edited(o, "id", strconv.Itoa(times)) })
				}
			}},
			breaking{hook, "an unreadable line is answered", "a refusal", func(_ *testing.T, p *program) {
				var last []byte
				p.evaluate = func(line []byte) []byte {
					if answer := evaluate(line); !bytes.HasPrefix(answer, []byte(`{"error"`)) {
						last = answer
					}
					return last
				}
			}},
			breaking{hook, "a refusal repeats the line", "repeats", func(t *testing.T, p *program) {
				p.evaluate = func(line []byte) []byte {
					return altering(t, evaluate(line), func(o object) object {
						if o["error"] == nil {
							return o
						}
						return edited(o, "error/reason", string(line))
					})
				}
			}},
			breaking{hook, "an evaluation writes something", "wrote a file", func(t *testing.T, p *program) {
				p.evaluate = func(line []byte) []byte {
					folders, err := filepath.Glob(filepath.Join(os.TempDir(), "docket-selftest-*", "hook-*"))
					if err != nil || len(folders) != 1 {
						t.Fatal("no folder of the hook", folders, err)
					}
					if err := os.WriteFile(filepath.Join(folders[0], "cache"), line, 0o600); err != nil {
						t.Fatal(err)
					}
					return evaluate(line)
				}
			}})
	}
	appeals, amendments := all[0].hook, "agreement_amendment_route_contract"
	return append(all,
		breaking{appeals, "a decision needs no human", "needs no human", answering(func(o object) object {
			return edited(o, "decision/humanReviewRequired", false)
		})},
		breaking{appeals, "a decision has a member too many", "the decision has", answering(func(o object) object {
			return edited(o, "decision/note", "")
		})},
		breaking{appeals, "every decision is ready", "the decision is not blocked", answering(func(o object) object {
			return edited(o, "decision/status", "ready_for_human_review")
		})},
		breaking{amendments, "a transition holds back too little", "does not hold back", answering(func(o object) object {
			list, _ := o["blockedTransitions"].([]any)
			return edited(o, "blockedTransitions", list[:max(0, len(list)-1)])
		})},
		breaking{amendments, "a pass holds something back", "an amendment that passes", answering(func(o object) object {
			return edited(o, "blockedTransitions", []any{"payment_capture"})
		})},
		breaking{amendments, "the boundary is not told", "lacks", answering(func(o object) object {
			return edited(o, "protectedBoundary", nil)
		})})
}

// answering changes every answer, and no refusal.
func answering(change func(object) object) func(*testing.T, *program) {
	return func(t *testing.T, p *program) {
		p.evaluate = func(line []byte) []byte {
			return altering(t, evaluate(line), func(o object) object {
				if o["error"] != nil {
					return o
				}
				return change(o)
			})
		}
	}
}
