package terms_test

import (
	"testing"

	"docket/domain/terms"
)

type colourList struct{}

var colourWords = terms.NewWordList("colour", "red", "dark_blue")

func (colourList) WordList() *terms.WordList { return colourWords }

func TestWordsOfOtherPackagesGoThereAndBack(t *testing.T) {
	var colours terms.Terms[colourList]
	roundTrip(t, colours.Name(), colours.All(), colours.Parse, unmarshal)
	if set := terms.SetOf(colours.All()...); colours.Len() != 2 || set.Len() != 2 || set.Texts()[1] != "dark_blue" {
		t.Errorf("%q", set.Texts())
	}
}
