package domain

// What the confirmations of an amendment add up to. An effect is confirmed, and a party has confirmed, only by what
// the record shows; nothing here takes an absent party, term or time for agreement.

// confirmed tells whether every required party has a live confirmation of the effect. No party is not every party.
func (a *Amendment) confirmed(effect Effect, now Instant) bool {
	for _, party := range a.RequiredParties {
		if !a.hasLive(party, effect, now) {
			return false
		}
	}
	return len(a.RequiredParties) > 0
}

func (a *Amendment) hasLive(party ID, effect Effect, now Instant) bool {
	for i := range a.Confirmations {
		if a.Confirmations[i].live(party, effect, a.AfterTermsHash, now) {
			return true
		}
	}
	return false
}

// confirmationRequired tells whether the parties must confirm anew: always, but for a correction that rules out every
// effect that a confirmation could cover.
func (a *Amendment) confirmationRequired() bool {
	if a.Transition != PostLockCorrection {
		return true
	}
	for effect := RetroactivePerformance; effect <= ThirdPartyObligationChange; effect++ {
		if ConfirmableEffects.Has(effect) && !a.Effects.Off(effect) {
			return true
		}
	}
	return false
}

// everyPartyConfirmed tells whether there are required parties and each has at least one confirmation, of whatever.
func (a *Amendment) everyPartyConfirmed() bool {
	for _, party := range a.RequiredParties {
		if held, _ := a.confirmationsOf(party, Instant{}); held == 0 {
			return false
		}
	}
	return len(a.RequiredParties) > 0
}

// someConfirmationExpired tells whether a required party has confirmations and all of them have expired.
func (a *Amendment) someConfirmationExpired(now Instant) bool {
	for _, party := range a.RequiredParties {
		if held, expired := a.confirmationsOf(party, now); held > 0 && held == expired {
			return true
		}
	}
	return false
}

// confirmationsOf counts the party's confirmations and those of them that have expired.
func (a *Amendment) confirmationsOf(party ID, now Instant) (held, expired int) {
	for i := range a.Confirmations {
		if a.Confirmations[i].PartyRef != party {
			continue
		}
		held++
		if a.Confirmations[i].ExpiresAt.notAfter(now) {
			expired++
		}
	}
	return held, expired
}

// someConfirmationOfOtherTerms tells whether any confirmation names no terms, or others than the amendment brings.
func (a *Amendment) someConfirmationOfOtherTerms() bool {
	for i := range a.Confirmations {
		if !a.Confirmations[i].TermsHash.Matches(a.AfterTermsHash) {
			return true
		}
	}
	return false
}
