package terms_test

import (
	"testing"

	"docket/domain"
)

type colourList struct{}

var colourWords = domain.NewWordList("colour", "red", "dark_blue")

func (colourList) WordList() *domain.WordList { return colourWords }

func TestWordsOfOtherPackagesGoThereAndBack(t *testing.T) {
	var colours domain.Vocabulary[colourList]
	roundTrip(t, colours.Name(), colours.All(), colours.Parse, unmarshal)
	if set := domain.SetOf(colours.All()...); colours.Len() != 2 || set.Len() != 2 || set.Texts()[1] != "dark_blue" {
		t.Errorf("%q", set.Texts())
	}
}
