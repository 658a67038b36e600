package sample

import (
	"encoding/binary"
	"strconv"
	"time"

	"docket/domain"
)

// pick draws one of the values.
func pick[V any](g *generator, from []V) V { return from[g.random.IntN(len(from))] }

// ago draws a moment that lies from least to most hours back.
func (g *generator) ago(least, most int) time.Time { return g.ahead(-most, -least) }

// ahead draws a moment that lies from least to most hours ahead, to the minute.
func (g *generator) ahead(least, most int) time.Time {
	return g.start.Add(time.Duration(least*60+g.random.IntN((most-least)*60)) * time.Minute)
}

// id is the id of the record with that number.
func (g *generator) id(prefix string, number int) string {
	return prefix + "-g" + strconv.FormatUint(g.seed, 10) + "-" + sixDigits(number)
}

// reference draws an id of something that a record refers to.
func (g *generator) reference(prefix string) string {
	return prefix + "-" + sixDigits(g.random.IntN(1_000_000))
}

// sixDigits pads to six digits; larger numbers have more.
func sixDigits(number int) string {
	text := strconv.Itoa(number)
	if len(text) < 6 {
		text = "000000"[len(text):] + text
	}
	return text
}

// hash draws a hash of nothing in particular.
func (g *generator) hash() string {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], g.random.Uint64())
	return domain.HashOf(word[:]).String()
}

// reviewers share the generated records among them.
var reviewers = []string{string(Reviewer), string(Reviewer), "rev-a07f32", "rev-81d4be", "rev-5c19ae"}

// drawReview draws a neutral reviewer and a notice delivered at some time after the record began.
func (g *generator) drawReview(began time.Time) generatedReview {
	return generatedReview{
		assigned:    true,
		checked:     true,
		reviewer:    pick(g, reviewers),
		decider:     "rev-3e60f8",
		recused:     []string{},
		noticeState: "delivered",
		deliveredAt: began.Add(g.start.Sub(began) / time.Duration(2+g.random.IntN(6))).Truncate(time.Second),
	}
}
