package verify

import (
	"docket/domain/records"
	"docket/domain/terms"
)

// operators are the periods in which keys were those of a service's operator, oldest first.
type operators []operatorPeriod

// An operatorPeriod ends with the beginning of the next one.
type operatorPeriod struct {
	fingerprint string
	from        terms.Instant
}

func (o operators) newest() string {
	if len(o) == 0 {
		return ""
	}
	return o[len(o)-1].fingerprint
}

// allow reports whether the service may have made a statement, whose signatures were verified, and
// takes in one that names an operator, who from then on signs acceptances, restores, erasures and
// revocations; inOrder: statements come in the order of their making, as in the service's own log.
func (o *operators) allow(s records.LogStatement, inOrder bool) bool {
	switch s.Kind {
	case records.OperatorNamed:
		if len(*o) > 0 {
			return false
		}
	case records.OperatorChanged:
		if o.newest() != s.KeyFingerprint {
			return false
		}
	case records.OperatorReplaced:
		if o.newest() != s.Found[0] {
			return false
		}
	case records.LogRestored, records.AnchorAccepted:
		return len(*o) == 0 || o.at(s.KeyFingerprint, s.At)
	case records.Erased:
		return o.at(s.KeyFingerprint, s.At)
	case records.KeyRevoked:
		if !s.PersonSigns() {
			return len(*o) == 0 || !inOrder && !(*o)[0].from.Before(s.At)
		}
		return o.at(s.KeyFingerprint, s.At)
	default:
		return true
	}
	_, fingerprint := s.NewOperator()
	*o = append(*o, operatorPeriod{fingerprint, s.At})
	return true
}

func (o operators) at(fingerprint string, at terms.Instant) bool {
	for i, period := range o {
		ended := i+1 < len(o) && o[i+1].from.Before(at)
		if period.fingerprint == fingerprint && !at.Before(period.from) && !ended {
			return true
		}
	}
	return false
}
