package learned

import (
	"fmt"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
)

// Detail is what is learned, secret by secret.
type Detail struct {
	Intruder string   `json:"intruder"`
	People   int      `json:"people"` // there are
	Secrets  []Secret `json:"secrets"`
	Worst    int      `json:"worst"` // position of the secret of which most is learned, as chosen on the other half
}

// Secret is a column and the best attack on it.
type Secret struct {
	Name    string   `json:"name"`
	By      string   `json:"by"`
	Knows   []string `json:"knows"`
	Gaps    bool     `json:"gaps"`
	Tried   int      `json:"tried"` // people it was counted on
	Right   float64  `json:"right"` // guesses
	Attack  float64  `json:"attack"`
	Control float64  `json:"control"`
	Against string   `json:"against"` // the control
	Share   float64  `json:"share"`   // of the attack beyond the control
	Lo      float64  `json:"lo"`
	Hi      float64  `json:"hi"`
	Before  *float64 `json:"before"` // the share with the original in place of the release
	Surest  Guess    `json:"surest"` // the attack that is right most often
	Kept    bool     `json:"kept"`   // whether the value is missing is as in the original
}

// Guess is an attack that is right most often, of people in the release or not.
type Guess struct {
	By      string  `json:"by"`
	Right   float64 `json:"right"`   // share of the people
	Control float64 `json:"control"` // of the control
	One     float64 `json:"one"`     // share of the people for whom all records that vote, two at least, have one value
}

// Attack returns the attack that learns the most.
func (d *Detail) Attack() measure.Attack {
	s := d.Secrets[d.Worst]
	return measure.Attack{Intruder: d.Intruder, By: s.By, Knows: s.Knows, Gaps: s.Gaps, Secret: s.Name, Tried: s.Tried, People: d.People,
		Right: s.Right, Share: s.Share, Lo: s.Lo, Hi: s.Hi, Before: s.Before}
}

// Sentence says what the intruder learns.
func (d *Detail) Sentence() string {
	s := d.Secrets[d.Worst]
	text := numeral.Sprintf("By %s it guesses %s right for %s of %d people, and for %s of the control (%s); beyond that it learns %s", s.By, s.Name,
		numeral.Percent(s.Attack), s.Tried, numeral.Percent(s.Control), s.Against, numeral.Percent(s.Share))
	if s.Before != nil {
		text += fmt.Sprintf(", of the original %s", numeral.Percent(*s.Before))
	}
	return text + "."
}

// Headline says how much the intruder learns. It is not for the public: it tells an intruder how far to trust a guess.
func (d *Detail) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	if r.Public {
		return h, false
	}
	s := d.Secrets[d.Worst]
	return measure.Headline{Value: numeral.Percent(s.Share), Intruder: &d.Intruder, Weight: s.Share, Text: fmt.Sprintf(
		"learns the %s of so many, beyond what it guesses of people who are not in the release, by %s.", s.Name, s.By)}, true
}

// value gathers the figures.
func (d *Detail) value() measure.Value {
	s := d.Secrets[d.Worst]
	v := measure.Value{Score: s.Share, Lo: s.Lo, Hi: s.Hi, Detail: d}
	for _, s := range d.Secrets {
		v.Parts = append(v.Parts, measure.Part{Key: "learned", Of: s.Name, Name: s.Name + ": learned", Score: s.Share}, measure.Part{Key: "right", Of: s.Name, Name: s.Name + ": guessed right", Score: s.Attack},
			measure.Part{Key: "control", Of: s.Name, Name: s.Name + ": guessed right of the control", Score: s.Control},
			measure.Part{Key: "surest", Of: s.Name, Name: s.Name + ": guessed right by the surest attack", Score: s.Surest.Right},
			measure.Part{Key: "one-value", Of: s.Name, Name: s.Name + ": all who vote on a person have one value", Score: s.Surest.One})
		switch {
		case s.Against == string(common):
			v.Notes = append(v.Notes, fmt.Sprintf("column %q: the tables are not paired and there is no hold-out, so the guess of the commonest value is the "+
				"control: the figure includes what the pattern gives away of anyone", s.Name))
		case s.Surest.Control >= telling:
			v.Notes = append(v.Notes, fmt.Sprintf("column %q is guessed right for %s of the people, and for %s of those who are not in the release, by %s: it "+
				"follows from what is known, which is no part of the figure", s.Name, numeral.Percent(s.Surest.Right), numeral.Percent(s.Surest.Control), s.Surest.By))
		}
		if s.Kept {
			v.Notes = append(v.Notes, fmt.Sprintf("column %q: whether the value is missing is released as it is", s.Name))
		}
	}
	return v
}

// telling is the share of right guesses from which a secret is said to follow from what is known.
const telling = 0.9
