package syntheticrisk

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
)

// DcrDetail is the distances in figures.
type DcrDetail struct {
	*nearest.Comparison
	Nearer         *float64 `json:"nearer"`         // share nearer to an original than to the hold-out
	NearerExpected *float64 `json:"nearerExpected"` // of records that have nothing to do with either
}

func closenessDistances(c *nearest.Closeness, percent float64) (measure.Value, error) {
	d := &DcrDetail{Comparison: c.Compare(func(first, _ float64) float64 { return first }, percent)}
	v := d.Value(message.Say("measure.dcr.of"), d)
	if share, expected, ok := c.Nearer(); ok {
		d.Nearer, d.NearerExpected = &share, &expected
		v.Parts = append(v.Parts,
			measure.Part{Key: "nearer", Name: message.Say("measure.dcr.part.nearer"), Score: share},
			measure.Part{Key: "nearer-expected", Name: message.Say("measure.dcr.part.nearer-expected"), Score: expected})
	}
	return v, nil
}

// Records returns the risk of every original record.
func (d *DcrDetail) Records() []float64 { return d.Risk() }

// Sentence says how near released records are.
func (d *DcrDetail) Sentence() message.Sentence {
	if d.Threshold == 0 {
		return message.Say("measure.dcr.same").Share("below", d.Below).Part("control", d.Who()).
			Share("expected", d.Expected)
	}
	return message.Say("measure.dcr.says").Share("below", d.Below).Digits("threshold", d.Threshold, 3).
		Part("control", d.Who()).Share("expected", d.Expected)
}
