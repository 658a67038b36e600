package private

import (
	"strings"
)

// A role is what a word says about a number that comes after it.
type role uint8

const (
	filler    role = iota + 1 // nothing: the word before it decides
	possessed                 // it is a phone number if a possessive stands before the word
	cue                       // it is a phone number
	label                     // it counts things, or names a thing that is no person
	axis                      // it is a latitude or a longitude
	measure                   // it was measured
)

// roles has the words before numbers, in a few languages.
var roles = func() map[string]role {
	all := map[string]role{}
	for r, words := range map[role]string{
		filler:    "app number numbers no nr num is was are at on me us him her them the my our your his their line or under via by app of with and to from about",
		possessed: "registered",
		cue:       "contact contacto contatto kontakt kontak ph phn telp hp whats tel tlf tfn call calls called calling mob cell cells cel fax ring rings dial sms text signal handy natel viber portable gsm movil",
		label: "order orders invoice invoices inv po purchase ticket tickets shipment shipments parcel parcels consignment consignments tracking reference " +
			"references ref refs serial serials lot lots batch batches item items article articles art sku skus ean eans gtin upc isbn issn barcode barcodes " +
			"part parts model models form forms section sections page pages pp lines row rows case cases docket dockets claim claims contract contracts " +
			"policy policies transaction transactions receipt receipts timestamp timestamps epoch unix time ts version versions build commit revision rev " +
			"hash vote votes total amount amounts sum sums cost costs population patent grant container vin imei doi cas zip postcode code codes year " +
			"years started ended created closed id ids n note notes account accounts registration membership member product products voucher coupon permit " +
			"licence license certificate file dossier booking reservation record entry bestellung auftrag rechnung sendung paket artikel kunde commande " +
			"facture colis pedido factura envio lote",
		axis: "lat lats latitude latitud mlat lon lng mlon long longitude longitud breite breitengrad laenge laengengrad langengrad lange",
		measure: "ratio ratios weight weights weigh weighs weighed reading readings measure measures measured score scores factor factors price prices mean " +
			"median deviation coefficient coefficients value values tolerance tolerances rate rates size sizes dimension dimensions volume volumes mass " +
			"masses result results sample samples average averages length lengths width widths height heights between",
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = r
		}
	}
	return all
}()

// units has the words behind an amount: money, measures, and things that are counted in millions.
// Behind any other word, which may be a name, the number is none.
var units = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(
		"eur euro euros usd dollar dollars gbp pound pounds chf franc francs franken cent cents jpy yen cny rmb yuan inr rs rupee " +
			"rupees krw won sek nok dkk kr krona kronor krone kroner pln zloty zlotych czk koruna huf forint brl real reais mxn cop peso pesos try lira rub " +
			"ruble rubles rouble roubles ngn naira kes ugx tzs shilling shillings aed dinar dinars dirham dirhams zar rand " +
			"bit bits byte bytes b kb mb gb tb kib mib gib tib mm cm m km metre metres meter meters mg g kg t gram grams ton tons tonne tonnes ml l litre litres " +
			"liter liters w kw kwh mwh gwh wh joule joules ns us ms s sec second seconds min minute minutes h hour hours day days week weeks month months year years " +
			"unit units piece pieces pcs stk item items pack packs kit kits box boxes bag bags net nets seed seeds tree trees meal meals dose doses tablet tablets " +
			"book books share shares vote votes token tokens row rows line lines record records entry entries request requests view views visit visits user users " +
			"people persons inhabitants residents households families einwohner menschen personen habitants personnes personas habitantes") {
		all[word] = true
	}
	return all
}()

// Parts that make a word a cue: telephone, smartphone, mobiles.
var cueParts = [...]string{"phone", "telef", "telnr", "mobil", "whatsapp", "telegram", "hotline", "landline"}

const (
	maxContextWords = 7
	maxContextWord  = 20
	maxContext      = 80
	// maxCueGap is how far a cue may be from the next word or the number.
	maxCueGap = 8
)

// roleOf returns what the word, in any case, says; 0 for an unknown one.
func roleOf(word string) role {
	var buf [maxContextWord]byte
	if len(word) > len(buf) {
		return 0
	}
	lower := buf[:len(word)]
	for i := range lower {
		lower[i] = word[i] | 0x20
	}
	if r := roles[string(lower)]; r != 0 || len(word) < len("phone") {
		return r
	}
	named := label
	if !hasFold(word, len(word)-len("nummer"), "nummer") && !(word[len(word)-2] == 'I' && word[len(word)-1]|0x20 == 'd') {
		named = 0 // neither Sendungsnummer nor orderId
	}
	for _, part := range cueParts {
		for i := 0; i+len(part) <= len(word); i++ {
			if hasFold(word, i, part) {
				return cue
			}
		}
	}
	return named
}

// roleBefore looks past other numbers for a label, as in a list, but not for a cue.
func roleBefore(text string, i int) role {
	if i > 0 && text[i-1] == '#' || i > 1 && text[i-1] == ' ' && text[i-2] == '#' {
		if roleOfWord(text, i-1) != cue {
			return label
		}
	}
	listed, numbered, broken := false, false, false
	for range maxContextWords {
		end := i
		for end > 0 && !is(text[end-1], isLetter) {
			if strings.IndexByte("\n;!?", text[end-1]) >= 0 {
				broken = true // where a label does not reach on
			}
			if is(text[end-1], isDigit) {
				listed = true
			} else if !listed && i-end > maxCueGap {
				return 0
			}
			if i-end > maxContext {
				return 0
			}
			end--
		}
		start := skipBack(text, end-1, maxContextWord, isLetter) + 1
		word := text[start:end]
		switch r := roleOf(word); {
		case r == possessed && possessive().MatchString(text[max(0, start-maxCueGap):start]):
			return cue
		case r == possessed:
			return 0
		case r == cue && listed, r == label && broken, r == measure && broken:
			return 0
		case r == filler:
			numbered = numbered || !listed && (hasFold(word, 0, "no") || hasFold(word, 0, "nr")) && len(word) == 2
		case r == 0 && numbered && !broken:
			return label // "no. 4500123456" of something
		default:
			return r
		}
		i = start
	}
	return 0
}

func roleOfWord(text string, i int) role {
	end := i
	for end > 0 && i-end < maxPadding && !is(text[end-1], isWord) {
		end--
	}
	return roleOf(text[skipBack(text, end-1, maxContextWord, isLetter)+1 : end])
}

func labelled(text string, i int) bool { return roleBefore(text, i) == label }

var (
	// A cue may also come after the number.
	cueAfter   = expression(`(?i)^[\s(,]{1,3}(?:mobile?|cell|phone|tel|telephone|whatsapp|fax|landline|handy)\b`)
	possessive = expression(`(?i)\b(?:my|our|his|her|their|your)\s+$`)
	hash       = expression(`(?i)^(?:.*[^0-9a-z])?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,128})$`)
)

// counted reports whether text[start:end] is an amount: a currency before it,
// decimals or a unit behind it.
func counted(text string, start, end int) bool {
	before := skipBack(text, start-1, 1, isSpace)
	if before >= 0 && text[before] == '$' || before >= 2 && isUpper(text[before]) &&
		isUpper(text[before-1]) && isUpper(text[before-2]) && !isAtIndex(text, before-3, isWord) {
		return true
	}
	if end+1 < len(text) && (text[end] == ',' || text[end] == '.') && is(text[end+1], isDigit) {
		return true
	}
	unit := skip(text, end, 1, isSpace)
	if unit == len(text) {
		return false
	}
	if strings.IndexByte("$%", text[unit]) >= 0 {
		return true
	}
	after := text[unit:skip(text, unit, maxContextWord, isLetter)]
	return units[strings.ToLower(after)]
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// attached reports whether the digits in text[start:end] are a part of a word or
// of an identifier such as INV-2026-0001.
func attached(text string, start, end int) bool {
	if inWord(text, start-1) || inWord(text, end) {
		return true
	}
	joined := start > 1 && (text[start-1] == '-' || text[start-1] == '_' || text[start-1] == '/')
	tailed := end+1 < len(text) && (text[end] == '-' || text[end] == '_')
	return joined && isAtIndex(text, start-2, isWord) || tailed && isAtIndex(text, end+1, isLetter)
}

const (
	minHexLetters = 3
	minHexRun     = 16
	maxHexRun     = 130
)

// inIdentifier reports whether the digits are part of a hash or a UUID with three letters at least,
// since ten digits in a row would make one hash in ten pass for a phone number.
func inIdentifier(text string, start, end int) bool { return identifierAt(text, start, end) != "" }

func inUUID(text string, i int) bool { return strings.Contains(identifierAt(text, i, i+1), "-") }

// identifierAt returns the hash or the UUID around text[start:end], "" for none.
func identifierAt(text string, start, end int) string {
	first, last := start, end
	for hexOrDash(text, first-1) && last-first < maxHexRun {
		first--
	}
	for hexOrDash(text, last) && last-first < maxHexRun {
		last++
	}
	if last-first < minHexRun || isAtIndex(text, first-1, isWord) || isAtIndex(text, last, isWord) {
		return ""
	}
	letters := 0
	for i := first; i < last; i++ {
		if is(text[i], isLetter) {
			letters++
		}
	}
	if letters < minHexLetters {
		return ""
	}
	return hash().FindString(text[first:last])
}

func hexOrDash(text string, i int) bool {
	return i >= 0 && i < len(text) && (isHex(text[i]) || text[i] == '-')
}
