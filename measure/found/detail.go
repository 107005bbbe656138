package found

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
)

// Detail is the best attack.
type Detail struct {
	Attacked  measure.Attack `json:"attack"`
	Attackers []measure.Part `json:"attackers"` // what each finds of the people on whom the attack is chosen, by name
	Released  int            `json:"released"`  // records
	Chosen    int            `json:"chosen"`    // people on whom the attack was chosen
}

// Attack returns the best attack.
func (d *Detail) Attack() measure.Attack { return d.Attacked }

func (d *Detail) value(notes []string) measure.Value {
	a := &d.Attacked
	v := measure.Value{Score: a.Share, Lo: a.Lo, Hi: a.Hi, Detail: d}
	v.Parts = []measure.Part{{Key: "guessed", Name: "share found by guessing", Score: 1 / float64(d.Released)}, {Key: "tried", Name: "people on whom it was counted", Score: float64(a.Tried)}}
	if a.Before != nil {
		v.Parts = append(v.Parts, measure.Part{Key: "found-before", Name: "share found in the original", Score: *a.Before})
	}
	if a.Sure != nil {
		v.Parts = append(v.Parts, measure.Part{Key: "found-sure", Name: "share found with at most 1 % false claims", Score: *a.Sure})
	}
	for _, p := range d.Attackers {
		v.Parts = append(v.Parts, measure.Part{Key: "found-by", Of: p.Name, Name: "share found by " + p.Name, Score: p.Score})
	}
	v.Notes = append(v.Notes, "by "+d.way())
	if all := a.Tried + d.Chosen; all < a.People {
		v.Notes = append(v.Notes, numeral.Sprintf("a sample of %d of %d persons: the attack was chosen on %d and counted on %d", all, a.People, d.Chosen, a.Tried))
	}
	v.Notes = append(v.Notes, notes...)
	return v
}

// shown is how many columns a sentence names.
const shown = 4

// way tells the attack and what it uses.
func (d *Detail) way() string {
	a := &d.Attacked
	uses := "nothing"
	switch n := len(a.Knows); {
	case n > shown+1:
		uses = fmt.Sprintf("%s and %d more columns", strings.Join(a.Knows[:shown], ", "), n-shown)
	case n > 0:
		uses = strings.Join(a.Knows, ", ")
	}
	switch {
	case a.Gaps && len(a.Knows) == 0:
		uses = "which values are missing"
	case a.Gaps:
		uses += " and which values are missing"
	}
	return a.By + ", from " + uses
}

// Sentence says what the best intruder can do.
func (d *Detail) Sentence() string {
	a := &d.Attacked
	text := numeral.Sprintf("The best of the attacks tried finds %s of %d people (95 %% bounds %s and %s), by %s",
		numeral.Percent(a.Share), a.Tried, numeral.Percent(a.Lo), numeral.Percent(a.Hi), d.way())
	if a.Before != nil {
		text += fmt.Sprintf("; in the original it would find %s", numeral.Percent(*a.Before))
	}
	return text + fmt.Sprintf("; guessing finds one in %s.", numeral.Count(float64(d.Released)))
}

// Headline says how many people the best intruder finds. It is not for the public: it tells an intruder how far to trust a match.
func (d *Detail) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	if r.Public {
		return h, false
	}
	a := &d.Attacked
	text := fmt.Sprintf("finds so many people (95 %% bounds %s and %s) by %s.", numeral.Percent(a.Lo), numeral.Percent(a.Hi), d.way())
	if a.Before != nil {
		text += fmt.Sprintf(" In the original it would be %s.", numeral.Percent(*a.Before))
	}
	return measure.Headline{Value: numeral.Percent(a.Share), Intruder: &a.Intruder, Weight: a.Share, Text: text}, true
}
