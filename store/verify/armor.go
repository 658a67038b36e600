package verify

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/hiddeco/sshsig"
)

// The armor of a signature as this program writes it, which is how PEM is written: lines of 64 characters in between.
const (
	armorBegin = "-----BEGIN " + sshsig.PEMType + "-----\n"
	armorEnd   = "-----END " + sshsig.PEMType + "-----\n"
	armorLine  = 64
)

// unarmor reads a signature, and only as sshsig.Armor writes it: PEM allows for spaces, other lines and text around
// it. It takes a fraction of the time of reading it as PEM and writing it again to compare.
func unarmor(armored []byte) (*sshsig.Signature, bool) {
	body, begins := bytes.CutPrefix(armored, []byte(armorBegin))
	body, ends := bytes.CutSuffix(body, []byte(armorEnd))
	if !begins || !ends {
		return nil, false
	}
	text := make([]byte, 0, len(body))
	for len(body) > 0 {
		end := min(armorLine, len(body)-1)
		if body[end] != '\n' {
			return nil, false
		}
		text, body = append(text, body[:end]...), body[end+1:]
	}
	blob := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	size, err := base64.StdEncoding.Strict().Decode(blob, text)
	padding := strings.Count(string(text[max(0, len(text)-2):]), "=")
	// The decoder passes over ends of lines within a line: then it is not a multiple of four, or there is less.
	if err != nil || len(text)%4 != 0 || size != len(blob)-padding {
		return nil, false
	}
	signature, err := sshsig.ParseSignature(blob[:size])
	if err != nil || !bytes.Equal(signature.Marshal(), blob[:size]) {
		return nil, false
	}
	return signature, true
}
