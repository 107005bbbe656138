package syntheticrisk

import (
	"errors"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
)

// NndrDetail is the ratios in figures.
type NndrDetail struct{ *nearest.Comparison }

func closenessRatios(c *nearest.Closeness, percent float64) (measure.Value, error) {
	if c.Records < 2 || c.Alone && c.Records < 3 {
		return measure.Value{}, errors.New("there are too few records for a second nearest one")
	}
	d := &NndrDetail{c.Compare(ratio, percent)}
	return d.Value(message.Say("measure.nndr.of"), d), nil
}

// ratio returns first/second, where first is at most second; 1 when both are 0.
func ratio(first, second float64) float64 {
	if second == 0 {
		return 1
	}
	return first / second
}

// Records returns the risk of every original record.
func (d *NndrDetail) Records() []float64 { return d.Risk() }

// Sentence says how many records point at one person.
func (d *NndrDetail) Sentence() message.Sentence {
	return message.Say("measure.nndr.says").Share("below", d.Below).Digits("threshold", d.Threshold, 3).
		Part("control", d.Who()).Share("expected", d.Expected)
}
