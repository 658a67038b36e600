package domain

import (
	"cmp"
	"slices"
)

// A Consent is what the confirmations of an amendment add up to. It is found in one go, in little more time than
// reading them takes, because a record may name tens of thousands of parties. Nothing in it takes an absent party, term
// or time for agreement: the zero Consent is none.
type Consent struct {
	Confirmed EffectSet // what every required party has a live confirmation of; no party is not every party
	Complete  bool      // there are required parties, and each has given at least one confirmation, of any terms
	Expired   bool      // a required party has given confirmations, and all of those have expired
}

// partyConsent is what the given confirmations of one party add up to.
type partyConsent struct {
	party   ID
	live    EffectSet // what the live ones cover
	expired bool      // all have expired
}

// Consent sums the confirmations up for every required party.
func (a *Amendment) Consent(now Instant) Consent {
	if len(a.RequiredParties) == 0 {
		return Consent{}
	}
	var room [8]partyConsent // enough for most amendments to be judged without allocating
	byParty := a.byParty(room[:0], now)
	sum := Consent{Confirmed: a.confirmable(), Complete: true}
	for _, party := range a.RequiredParties {
		i, found := slices.BinarySearchFunc(byParty, party, func(p partyConsent, id ID) int { return cmp.Compare(p.party, id) })
		if !found {
			sum.Confirmed, sum.Complete = 0, false
			continue
		}
		sum.Confirmed &= byParty[i].live
		sum.Expired = sum.Expired || byParty[i].expired
	}
	return sum
}

// byParty appends what each party has confirmed by now, sorted by party. A confirmation that is not given counts nowhere.
func (a *Amendment) byParty(into []partyConsent, now Instant) []partyConsent {
	for i := range a.Confirmations {
		c := &a.Confirmations[i]
		if !c.Given(now) {
			continue
		}
		one := partyConsent{party: c.PartyRef, expired: c.ExpiresAt.NotAfter(now)}
		if c.live(a.AfterTermsHash, now) {
			one.live = c.Covers
		}
		into = append(into, one)
	}
	slices.SortFunc(into, func(p, q partyConsent) int { return cmp.Compare(p.party, q.party) })
	merged := into[:0]
	for _, one := range into {
		if last := len(merged) - 1; last >= 0 && merged[last].party == one.party {
			merged[last].live = merged[last].live.Union(one.live)
			merged[last].expired = merged[last].expired && one.expired
			continue
		}
		merged = append(merged, one)
	}
	return merged
}

// ConfirmationRequired tells whether the parties must confirm anew: always, but for a correction that rules out every
// effect that a confirmation could cover.
func (a *Amendment) ConfirmationRequired() bool {
	if a.Transition != PostLockCorrection {
		return true
	}
	for effect := RetroactivePerformance; effect <= ThirdPartyObligationChange; effect++ {
		if ConfirmableEffects.Has(effect) && !a.RulesOut(effect) {
			return true
		}
	}
	return false
}

// ConfirmsOtherTerms tells whether any confirmation names no terms, or others than the amendment brings.
func (a *Amendment) ConfirmsOtherTerms() bool {
	for i := range a.Confirmations {
		if !a.Confirmations[i].TermsHash.Matches(a.AfterTermsHash) {
			return true
		}
	}
	return false
}
