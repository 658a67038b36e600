package selftest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/ui/wording"
)

// notAsked lists the members that may be missing from the sample of an area, in the order of the names; "*" is any
// entry of a list, or any trigger except the sample's own. The removal of any other member has to be refused or to
// block.
var notAsked = map[terms.Area][]string{
	terms.Appeals: {
		"policy/effectiveUntil", // absent: without end
		"policy/outcomeRules/*",
		"policy/outcomeRules/*/advisory",
		"policy/outcomeRules/*/compatible",
		"record/evidenceScope/statement",
		"record/neutralReview/recusedReviewerIds", // absent: nobody is recused
		"record/partyIds",                         // absent: nobody is named
		"record/remedyGap",                        // asked of the trigger externality_remedy_gap
		"record/requestedOutcome",
		"record/standing/privacySafeSummary", // asked of an affected party
	},
	terms.Amendments: {
		"policy/staleAfter", // absent: never
		"record/agreementId",
		"record/confirmations/*/expiresAt", // absent: never
		"record/destinationReview",         // asked of a change of destination
		"record/destinationReview/completed",
		"record/effects/compensationChange", // confirmed by every party, so that it may as well be there
		"record/effects/exposureIncrease",   // the same
		"record/neutralReview/recusedReviewerIds",
	},
}

// failClosed removes the inputs of the rules, one at a time, and then evaluates the whole sample docket, in which every
// fail-closed code of the area has to occur.
func failClosed(area terms.Area) check {
	return func(_ context.Context, b *bench) (string, error) {
		sample, err := b.pair(area)
		if err != nil {
			return "", err
		}
		if err := b.nothingPasses(area, sample); err != nil {
			return "", err
		}
		t, err := b.takenAway(area, sample)
		if err != nil {
			return "", err
		}
		if !slices.Equal(t.passed, notAsked[area]) {
			return "", fmt.Errorf("without these the sample still passes: %s; expected are: %s", strings.Join(t.passed, ", "),
				strings.Join(notAsked[area], ", "))
		}
		reached, judged, err := b.reached(area)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d of %d codes reached by %s, none of them passes with any; of %s taken away %d are refused, %d block, "+
			"%d are not asked for: %s", reached, len(rules.Book(area)), wording.Plural(judged, "sample", "samples"),
			wording.Plural(t.refused+t.blocked+t.unasked, "member", "members"), t.refused, t.blocked, t.unasked, strings.Join(t.passed, ", ")), nil
	}
}

// missing holds the codes that have to occur without a policy and without a record.
var missing = map[terms.Area][2]terms.Blocker{
	terms.Appeals:    {terms.AppealPolicyMissing, terms.AppealCaseMissing},
	terms.Amendments: {terms.PolicyMissing, terms.AmendmentMissing},
}

// nothingPasses checks that the complete sample passes, and that it blocks with the right codes without a policy, a
// record or both.
func (b *bench) nothingPasses(area terms.Area, sample pair) error {
	policy, record, fault := b.readPair(sample)
	if fault != nil {
		return fault
	}
	codes := missing[area]
	for _, try := range []struct {
		what           string
		policy, record packets.Packet
		want           []terms.Blocker
	}{
		{"no policy", packets.Packet{}, record, codes[:1]},
		{"no record", policy, packets.Packet{}, codes[1:]},
		{"neither policy nor record", packets.Packet{}, packets.Packet{}, codes[:]},
	} {
		question := b.question(area, try.policy, try.record)
		found := b.judge(&question)
		if found.gate != terms.Blocked {
			return fmt.Errorf("the gate passes with %s", try.what)
		}
		for _, code := range try.want {
			if !slices.Contains(found.blockers, code) {
				return fmt.Errorf("%s does not show with %s", code, try.what)
			}
		}
	}
	question := b.question(area, policy, record)
	if whole := b.judge(&question); whole.gate != terms.Pass || len(whole.blockers) > 0 {
		return errors.New("the whole sample does not pass")
	}
	return nil
}

// A taking is the result of removing members one at a time.
type taking struct {
	refused, blocked int
	unasked          int
	passed           []string // which those are, as in notAsked
}

func (b *bench) takenAway(area terms.Area, sample pair) (taking, error) {
	var t taking
	for _, table := range []terms.Table{terms.PolicyTable(area), terms.RecordTable(area)} {
		from := sample.record
		if table == sample.policy.table {
			from = sample.policy
		}
		var pointers []string
		walk(from.record, "", func(pointer string, _ any) {
			if last := pointer[strings.LastIndexByte(pointer, '/')+1:]; strings.Trim(last, "0123456789") != "" {
				pointers = append(pointers, pointer)
			}
		})
		for _, pointer := range pointers {
			if err := b.takeAway(&t, sample, table, pointer); err != nil {
				return t, err
			}
		}
	}
	slices.Sort(t.passed)
	t.passed = slices.Compact(t.passed)
	if t.refused == 0 || t.blocked == 0 {
		return t, errors.New("nothing that is taken away is refused, or nothing blocks")
	}
	return t, nil
}

// place returns a pointer into the pair in the form of notAsked.
func (p pair) place(table terms.Table, pointer string) string {
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, step := range steps {
		otherTrigger := i == 1 && steps[0] == "outcomeRules" && step != p.record.record["trigger"]
		if otherTrigger || strings.Trim(step, "0123456789") == "" {
			steps[i] = "*"
		}
	}
	part := "record/"
	if table == p.policy.table {
		part = "policy/"
	}
	return part + strings.Join(steps, "/")
}

// takeAway removes one member and makes the hashes fit the rest, so that only its absence shows.
func (b *bench) takeAway(t *taking, sample pair, table terms.Table, pointer string) error {
	without := sample
	from := &without.record
	if table == sample.policy.table {
		from = &without.policy
	}
	*from = from.with(pointer, removed{})
	if _, _, fault := b.readPair(without); fault != nil {
		t.refused++
		return nil
	}
	var err error
	switch info, _ := packets.Info(table); {
	case pointer == "/"+info.HashMember:
	case strings.HasSuffix(pointer, "Hash"): // sealing would put it back
		*from, err = from.rehashed()
	default:
		without, err = without.sealed()
	}
	if err != nil {
		return fmt.Errorf("without %s%s: %w", table, pointer, err)
	}
	found, fault := b.judged(without)
	switch {
	case fault != nil:
		t.refused++
	case found.gate == terms.Blocked:
		t.blocked++
	default:
		t.unasked++
		t.passed = append(t.passed, sample.place(table, pointer))
	}
	return nil
}

// reached evaluates every case or amendment of the sample docket and counts the codes that occur. All have to occur;
// none may occur in a passing one.
func (b *bench) reached(area terms.Area) (codes, judged int, err error) {
	policies, latest, err := b.policies(area)
	if err != nil {
		return 0, 0, err
	}
	var all terms.BlockerSet
	info, _ := packets.Info(terms.RecordTable(area))
	newest := map[any]int64{}
	for _, p := range b.docket {
		if p.table == terms.RecordTable(area) {
			newest[p.record[info.IDMember]] = max(newest[p.record[info.IDMember]], p.number())
		}
	}
	for _, p := range b.docket {
		if p.table != terms.RecordTable(area) {
			continue
		}
		record, fault := b.read(p.text())
		if fault != nil {
			return 0, 0, fault
		}
		key := namedPolicy(record)
		question := rules.PacketInput(policies[key], record,
			rules.Latest{PolicyVersion: latest[key.ID], Revision: newest[p.record[info.IDMember]]}, b.instant())
		found := b.judge(&question)
		if (len(found.blockers) == 0) != (found.gate == terms.Pass) {
			return 0, 0, fmt.Errorf("a sample's gate is %s with %s", found.gate, wording.Plural(len(found.blockers), "blocker", "blockers"))
		}
		all = all.Union(terms.SetOf(found.blockers...))
		judged++
	}
	if unseen := rules.AllBlockers(area).Minus(all); !unseen.Empty() {
		return 0, 0, fmt.Errorf("no sample reaches %s", strings.Join(unseen.Texts(), ", "))
	}
	return all.Len(), judged, nil
}

// policies returns those of the sample docket, and the latest version of each.
func (b *bench) policies(area terms.Area) (map[packets.Key]packets.Packet, map[terms.ID]int64, error) {
	policies, latest := map[packets.Key]packets.Packet{}, map[terms.ID]int64{}
	for _, p := range b.docket {
		if p.table != terms.PolicyTable(area) {
			continue
		}
		policy, fault := b.read(p.text())
		if fault != nil {
			return nil, nil, fault
		}
		key := policy.Key()
		policies[key], latest[key.ID] = policy, max(latest[key.ID], key.Number)
	}
	return policies, latest, nil
}

// namedPolicy returns the key of the policy that a record names.
func namedPolicy(record packets.Packet) packets.Key {
	if c := record.AppealCase(); c.Held() {
		return packets.Key{ID: c.Record().PolicyID, Number: c.Record().PolicyVersion}
	}
	if a := record.Amendment(); a.Held() {
		return packets.Key{ID: a.Record().PolicyID, Number: a.Record().PolicyVersion}
	}
	return packets.Key{}
}

// outOfScope holds the blocker of each requested effect that no appeal can have (source 2.3.6, invariant 5).
var outOfScope = map[terms.RequestedEffect]terms.Blocker{
	terms.WaiveSafetyBlocker:      terms.SafetyBlockerWaiverAttempted,
	terms.ReopenSettledObligation: terms.SettledObligationReopenAttempted,
	terms.ChangeParentRecord:      terms.ScopeMissing,
	terms.ShowPrivateDetails:      terms.PrivateDetailsUnredacted,
}

// appealScope checks that an appeal is limited to its one item.
func appealScope(_ context.Context, b *bench) (string, error) {
	sample, err := b.pair(terms.Appeals)
	if err != nil {
		return "", err
	}
	found, fault := b.judged(sample)
	if fault != nil {
		return "", fault
	}
	subject, _ := sample.record.record["subject"].(string)
	scope := found.decision.ReviewScope
	if len(scope) != 1 || scope[0].String() != subject || found.gate != terms.Pass {
		return "", errors.New("the review scope of the sample is not its one subject")
	}
	moved, err := b.movedScope(sample)
	if err != nil {
		return "", err
	}
	for _, effect := range terms.RequestedEffects.All() {
		asking, err := (pair{sample.policy, sample.record.with("requestedEffects", []any{effect.String()})}).sealed()
		if err != nil {
			return "", err
		}
		code, listed := outOfScope[effect]
		if !listed {
			return "", fmt.Errorf("no blocker answers %s", effect)
		}
		if err := b.blocksWith(asking, code); err != nil {
			return "", fmt.Errorf("a request to %s: %w", effect, err)
		}
	}
	return fmt.Sprintf("review scope 1 of 1 subject; %s of the scope and %s each block with their code",
		wording.Plural(moved, "change", "changes"), wording.Plural(len(outOfScope), "requested effect", "requested effects")), nil
}

// movedScope changes a member that the scope hash covers and leaves the scope hash unchanged; the case's own hash fits.
func (b *bench) movedScope(sample pair) (int, error) {
	changes := map[string]any{
		"subjectId": "another-item", "subject": terms.SubjectClaim.String(), "evidenceScope/items": []any{"another-item"},
		"evidenceScope/statement": "It is about something else.",
	}
	for pointer, value := range changes {
		record, err := sample.record.with(pointer, value).rehashed()
		if err != nil {
			return 0, err
		}
		if err := b.blocksWith(pair{sample.policy, record}, terms.ScopeMissing); err != nil {
			return 0, fmt.Errorf("a changed %s: %w", pointer, err)
		}
	}
	return len(changes), nil
}

// blocksWith checks that a pair blocks with this code and no other.
func (b *bench) blocksWith(p pair, code terms.Blocker) error {
	found, fault := b.judged(p)
	if fault != nil {
		return fault
	}
	if found.gate != terms.Blocked || !slices.Equal(found.blockers, []terms.Blocker{code}) {
		return fmt.Errorf("it does not block with %s alone", code)
	}
	return nil
}
