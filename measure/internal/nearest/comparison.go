package nearest

import (
	"slices"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Comparison sets a figure of released records, of which small values give persons away, against that of a control.
type Comparison struct {
	Originals int `json:"originals"` // records
	Judged    int `json:"judged"`    // released records
	Records   int `json:"records"`   // there are
	Controls  int `json:"controls"`  // records judged of the control: of a hold-out one of each person
	// Alone says that there is no hold-out: the control is each original with the others.
	Alone     bool    `json:"alone"`
	Percent   float64 `json:"percent"`
	Threshold float64 `json:"threshold"` // that quantile of the control
	Below     float64 `json:"below"`     // share of the released records at most there
	Expected  float64 `json:"expected"`  // and of the control; more than the percentage where many figures are equal
	Released  Spread  `json:"released"`
	Control   Spread  `json:"control"`

	risk []float64 // by original record
	each bool      // of a hold-out in which people have several records
}

// Spread is the small end and the middle of a figure.
type Spread struct {
	Low    float64 `json:"low"` // the percentage's quantile
	Median float64 `json:"median"`
}

// Compare compares a figure of the released records and the control. The risk of an original is the largest share of
// the control above the figure of a released record that it is the nearest to; 0 when it is the nearest to none.
func (c *Closeness) Compare(figure func(first, second float64) float64, percent float64) *Comparison {
	of := func(n *Nearest) (values, sorted []float64) {
		for k, first := range n.First {
			values = append(values, figure(first, n.Second[k]))
		}
		sorted = slices.Sorted(slices.Values(values))
		return values, sorted
	}
	values, released := of(&c.Released)
	_, control := of(&c.Control)
	o := &Comparison{
		Originals: c.Records,
		Judged:    len(released),
		Records:   c.Released.All,
		Controls:  len(control),
		Alone:     c.Alone,
		each:      c.Each,
		Percent:   percent,
		Released:  spreadOf(released, percent),
		Control:   spreadOf(control, percent),
		risk:      make([]float64, c.Records),
	}
	o.Threshold = o.Control.Low
	o.Below, o.Expected = notAbove(released, o.Threshold), notAbove(control, o.Threshold)
	for k, i := range c.Released.Record {
		o.risk[i] = max(o.risk[i], 1-notAbove(control, values[k]))
	}
	return o
}

func spreadOf(sorted []float64, percent float64) Spread {
	return Spread{quantile.At(sorted, percent/100), quantile.At(sorted, 0.5)}
}

// notAbove returns the share of sorted values that are at most v.
func notAbove(sorted []float64, v float64) float64 {
	n, _ := slices.BinarySearchFunc(sorted, v, func(x, v float64) int {
		if x <= v {
			return -1
		}
		return 1
	})
	return float64(n) / float64(len(sorted))
}

// Value returns the share of released records at or below the threshold beyond that of the control (Beyond), with its
// 95 % interval. Of is what the figure is called.
func (o *Comparison) Value(of message.Sentence, detail any) measure.Value {
	released, control := float64(o.Judged), float64(o.Controls)
	v := measure.Value{Detail: detail}
	v.Score, v.Lo, v.Hi = BeyondInterval(float64(o.Below*released), released, float64(o.Expected*control), control)
	v.Parts = []measure.Part{
		{
			Key:   "low-released",
			Name:  message.Say("measure.nearest.part.low-released").Number("percent", o.Percent, 0).Part("of", of),
			Score: o.Released.Low,
		},
		{
			Key:   "low-control",
			Name:  message.Say("measure.nearest.part.low-control").Number("percent", o.Percent, 0).Part("of", of),
			Score: o.Control.Low,
		},
		{
			Key:   "median-released",
			Name:  message.Say("measure.nearest.part.median-released").Part("of", of),
			Score: o.Released.Median,
		},
		{
			Key:   "median-control",
			Name:  message.Say("measure.nearest.part.median-control").Part("of", of),
			Score: o.Control.Median,
		},
		{Key: "below", Name: message.Say("measure.nearest.part.below"), Score: o.Below},
		{Key: "below-control", Name: message.Say("measure.nearest.part.below-control"), Score: o.Expected},
	}
	if o.Alone {
		v.Notes = append(v.Notes, message.Say("measure.nearest.note.noHoldout"))
	}
	if o.each {
		v.Notes = append(v.Notes, message.Say("measure.nearest.note.each").Count("n", o.Controls))
	}
	if o.Judged < o.Records {
		v.Notes = append(v.Notes,
			message.Say("measure.nearest.note.sample").Count("tried", o.Judged).Count("records", o.Records))
	}
	return v
}

// Risk returns the risk of every original record.
func (o *Comparison) Risk() []float64 { return o.risk }

// Nearer returns the share of the released records that are nearer to an original than to a record of the hold-out,
// ties counted half, and the share expected of records that have nothing to do with either; ok is false without a
// hold-out.
func (c *Closeness) Nearer() (share, expected float64, ok bool) {
	if c.Alone {
		return 0, 0, false
	}
	hits := 0.0
	for k, d := range c.Released.First {
		switch held := c.Holdout.First[k]; {
		case d < held:
			hits++
		case d == held:
			hits += 0.5
		}
	}
	return hits / float64(len(c.Released.First)), float64(c.Records) / float64(c.Records+c.Held), true
}

// Who names the control.
func (o *Comparison) Who() message.Sentence {
	if o.Alone {
		return message.Say("measure.nearest.control.others")
	}
	return message.Say("measure.nearest.control.holdout")
}
