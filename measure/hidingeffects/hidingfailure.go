package hidingeffects

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// HidingFailure measures how many of the sensitive patterns of the original the release still has: hiding failure.
//
// Patterns are frequent itemsets, or association rules where one is listed as sensitive, with the same thresholds on
// both tables. Sensitive are those that are listed (parameter sensitive) and, unless asked otherwise, all that have all
// items of one of them: who knows the larger pattern knows the smaller one. An empty denominator gives 0, and a note
// says so.
//
// Missing values: no item. Items of the release that may or may not be there give three readings; the score is the
// middle one, and its bounds are the others.
//
// Cost: that of counting all frequent itemsets of both tables: n/64 for each that is tried; the measures of hiding
// share it.
//
// Departures: The thresholds of an intruder are not known: a pattern that is hidden at these is found at lower ones.
// The parts and the detail say by how many records each is hidden.
//
// Reference: S. Oliveira and O. Zaiane 2002; E. Bertino, I. Nai Fovino and L. Parasiliti Provenza 2005, section 2.3.
var HidingFailure = measure.Measure{
	Card: card.Card{
		Name:      "hidingfailure",
		Title:     "Hiding failure",
		Aliases:   []string{"hiding failure", "HF"},
		Summary:   "How many of the sensitive patterns of the original can still be found in the release.",
		Paper:     "Bertino, Nai Fovino & Parasiliti Provenza 2005, section 2.3; Oliveira & Zaiane 2002",
		Needs:     "a list of sensitive itemsets or rules, and columns with items",
		Preserves: "0 when every sensitive pattern is below the thresholds",
		Biases:    "a pattern hidden by a single record counts as hidden; another threshold may find it again",
		Missing:   "no item; uncertain items give bounds",
		Cost:      "O(n/64) per itemset tested",
	},
	Facts:  measure.Facts{Sets: true, About: measure.Secret, Effort: measure.Fast, Counts: measure.Records},
	Side:   measure.Risk,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Ratio, message.Say("unit.ofSensitivePatterns")),
	New:    func() measure.Meter { return param.Default(&HidingFailureMeter{}) },
}

// HidingFailureMeter measures it.
type HidingFailureMeter struct{ Options }

// HidingFailureDetail is what became of the patterns that are listed. It tells them, so it is the custodian's alone.
type HidingFailureDetail struct {
	Rules     bool        `json:"rules"`    // patterns are rules
	Original  int         `json:"original"` // sensitive patterns of the original, supersets included
	Found     int         `json:"found"`    // of them in the release
	Sensitive []Sensitive `json:"sensitive"`
}

// Sensitive is a pattern that is listed. Supports are shares of the records, confidences 0 for an itemset.
type Sensitive struct {
	Pattern string   `json:"pattern"`
	Rule    bool     `json:"rule"` // a rule, not an itemset
	Was     bool     `json:"was"`  // it reached the thresholds in the original
	Is      bool     `json:"is"`   // and in the release
	Before  Strength `json:"before"`
	After   Strength `json:"after"`
	// Low and High are what is left where items that may be there are not, and where they are: the pessimistic and the
	// optimistic reading, After the middle. Nil where no item is in doubt.
	Low  *Strength `json:"low"`
	High *Strength `json:"high"`
	// Short is how many records with all its items would bring a hidden pattern back; -1 where no number does.
	Short int `json:"short"`
}

// Strength is the support of a pattern, and the confidence of a rule.
type Strength struct {
	Support    float64 `json:"support"`
	Confidence float64 `json:"confidence,omitempty"`
}

// Measure returns the share of the sensitive patterns of the original that the release still has, with a Detail.
func (m *HidingFailureMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := Of(ctx, r, m.Options)
	if err != nil {
		return measure.Value{}, err
	}
	v := s.Value(func(reading int) float64 { return Share(s.Found[reading], s.HiddenFrom) })
	v.CountRecords()
	if s.HiddenFrom == 0 {
		v.Notes = append(v.Notes, message.Say("measure.hidingfailure.note.nothing"))
	}
	d := HidingFailureDetail{Rules: s.Rules, Original: s.HiddenFrom, Found: s.Found[Middle]}
	least := 0
	for _, f := range s.Sensitive {
		p := Sensitive{
			Pattern: f.Text,
			Rule:    f.Rule,
			Was:     f.Was,
			Is:      f.Is[Middle],
			Before:  strength(f.Before, f.Rule),
			After:   strength(f.After, f.Rule),
			Short:   f.Short,
		}
		if s.Doubtful {
			p.Low, p.High = reading(f.Low, f.Rule), reading(f.High, f.Rule)
		}
		if f.Was && f.Short > 0 && (least == 0 || f.Short < least) {
			least = f.Short
		}
		d.Sensitive = append(d.Sensitive, p)
	}
	if least > 0 {
		v.Parts = append(v.Parts,
			measure.Part{Key: "restoring", Name: message.Say("measure.hidingfailure.part.restoring"), Score: float64(least)})
		if least < 5 {
			v.Notes = append(v.Notes, message.Say("measure.hidingfailure.note.few").Count("n", least))
		}
	}
	v.Detail = d
	return v, nil
}

func strength(c Counts, rule bool) Strength {
	s := Strength{}
	if c.Records > 0 {
		s.Support = c.Both / c.Records
	}
	if rule {
		s.Confidence = c.Confidence()
	}
	return s
}

func reading(of [2]float64, rule bool) *Strength {
	s := &Strength{Support: of[0]}
	if rule {
		s.Confidence = of[1]
	}
	return s
}
