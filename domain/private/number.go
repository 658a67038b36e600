package private

// numberKinds are the kinds that scanNumbers looks for.
const numberKinds Kinds = 1<<Phone | 1<<IBAN | 1<<PaymentCard | 1<<Coordinates

// scanNumbers goes from one run of digits to the next and tries every kind that
// could start there. The text has total digits.
func scanNumbers(text string, total int) Kinds {
	var found Kinds
	g := groups{text: text}
	for i := 0; i < len(text); {
		if !is(text[i], isDigit) {
			i++
			continue
		}
		digits := g.read(i)
		if total >= minIBANDigits && !found.Has(IBAN) && iban(text, i) {
			found.add(IBAN)
		}
		i = g.end[g.n-1]
		for k := range g.n {
			if g.n == maxGroups && k == stride {
				i = g.start[k] // read on from here, with room behind again
				break
			}
			found |= scanGroup(&g, k, digits)
			digits -= g.size(k)
		}
		if found == numberKinds {
			break
		}
	}
	return found
}

// scanGroup looks for what starts at group k; digits counts from there.
func scanGroup(g *groups, k, digits int) Kinds {
	var found Kinds
	if coordinates(g, k) {
		found.add(Coordinates)
	}
	if digits >= minPhoneDigits && phone(g, k) {
		found.add(Phone)
	}
	if digits >= minCardDigits && card(g, k) {
		found.add(PaymentCard)
	}
	return found
}
