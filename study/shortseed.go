package study

import (
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// shortSeed withholds a release that was drawn with a seed which can be tried out (rng.ShortSeed), or by a plan that
// was fitted with one. It holds beside whatever limits were asked for. Where none are by name, it is a matter of care.
func (j *judging) shortSeed(l *limit.Limit) {
	if !j.ShortSeed {
		return
	}
	if j.e.Limits.Name == limit.None {
		j.care(message.Say("demand.shortSeed"), message.Say("remedy.secretSeed"), nil)
		return
	}
	d := bare(l)
	d.Unit, d.Usual, d.said = measure.Counting(measure.Count, "unit.seeds"), true, message.Say("demand.shortSeed")
	d.figures(1, 1, 1)
	j.v.Demands = append(j.v.Demands, d)
}
