package learned

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
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
	Name    string           `json:"name"`
	By      message.Sentence `json:"by"`
	Knows   []string         `json:"knows"`
	Gaps    bool             `json:"gaps"`
	Tried   int              `json:"tried"` // people it was counted on
	Right   float64          `json:"right"` // guesses
	Attack  float64          `json:"attack"`
	Control float64          `json:"control"`
	Against message.Sentence `json:"against"` // the control
	Share   float64          `json:"share"`   // of the attack beyond the control
	Lo      float64          `json:"lo"`
	Hi      float64          `json:"hi"`
	Before  *float64         `json:"before"` // the share with the original in place of the release
	Surest  Guess            `json:"surest"` // the attack that is right most often
	Kept    bool             `json:"kept"`   // whether the value is missing is as in the original
	against control
}

// Guess is an attack that is right most often, of people in the release or not.
type Guess struct {
	By      message.Sentence `json:"by"`
	Right   float64          `json:"right"`   // share of the people
	Control float64          `json:"control"` // of the control
	// share of the people for whom all records that vote, two at least, have one value
	One float64 `json:"one"`
}

// Attack returns the attack that learns the most.
func (d *Detail) Attack() measure.Attack {
	s := d.Secrets[d.Worst]
	return measure.Attack{
		Intruder: d.Intruder,
		By:       s.By,
		Knows:    s.Knows,
		Gaps:     s.Gaps,
		Secret:   s.Name,
		Tried:    s.Tried,
		People:   d.People,
		Right:    s.Right,
		Share:    s.Share,
		Lo:       s.Lo,
		Hi:       s.Hi,
		Before:   s.Before,
	}
}

// Sentence says what the intruder learns.
func (d *Detail) Sentence() message.Sentence {
	s := d.Secrets[d.Worst]
	if s.Before == nil {
		return message.Say("measure.learned.says").Part("attack", s.By).Name("column", s.Name).
			Share("right", s.Attack).Count("people", s.Tried).Share("control", s.Control).
			Part("against", s.Against).Share("share", s.Share)
	}
	return message.Say("measure.learned.saysBefore").Part("attack", s.By).Name("column", s.Name).
		Share("right", s.Attack).Count("people", s.Tried).Share("control", s.Control).Part("against", s.Against).
		Share("share", s.Share).Share("before", *s.Before)
}

// Headline says how much the intruder learns. It is not for the public: it tells an intruder how far to trust a guess.
func (d *Detail) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	if r.Public {
		return h, false
	}
	s := d.Secrets[d.Worst]
	return measure.Headline{Value: message.Share(s.Share), Intruder: &d.Intruder, Weight: s.Share,
		Says: message.Say("measure.learned.head").Name("column", s.Name).Part("attack", s.By)}, true
}

// value gathers the figures.
func (d *Detail) value() measure.Value {
	s := d.Secrets[d.Worst]
	v := measure.Value{Score: s.Share, Lo: s.Lo, Hi: s.Hi, Detail: d}
	for _, s := range d.Secrets {
		v.Parts = append(
			v.Parts,
			measure.Part{
				Key:   "learned",
				Of:    s.Name,
				Name:  message.Say("measure.learned.part.learned").Name("column", s.Name),
				Score: s.Share,
			},
			measure.Part{
				Key:   "right",
				Of:    s.Name,
				Name:  message.Say("measure.learned.part.right").Name("column", s.Name),
				Score: s.Attack,
			},
			measure.Part{
				Key:   "control",
				Of:    s.Name,
				Name:  message.Say("measure.learned.part.control").Name("column", s.Name),
				Score: s.Control,
			},
			measure.Part{
				Key:   "surest",
				Of:    s.Name,
				Name:  message.Say("measure.learned.part.surest").Name("column", s.Name),
				Score: s.Surest.Right,
			},
			measure.Part{
				Key:   "one-value",
				Of:    s.Name,
				Name:  message.Say("measure.learned.part.one-value").Name("column", s.Name),
				Score: s.Surest.One,
			},
		)
		switch {
		case s.against == common:
			v.Notes = append(v.Notes, message.Say("measure.learned.note.common").Name("column", s.Name))
		case s.Surest.Control >= telling:
			v.Notes = append(
				v.Notes,
				message.Say("measure.learned.note.follows").Name("column", s.Name).Share("right", s.Surest.Right).
					Share("control", s.Surest.Control).Part("attack", s.Surest.By),
			)
		}
		if s.Kept {
			v.Notes = append(v.Notes, message.Say("measure.learned.note.gaps").Name("column", s.Name))
		}
	}
	return v
}

// telling is the share of right guesses from which a secret is said to follow from what is known.
const telling = 0.9
