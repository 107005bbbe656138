package distributions

import (
	"math"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// columns returns the columns of a kind that are neither identifier nor weight.
func columns(t *table.Table, kind table.Kind) []int {
	var out []int
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == kind && a.Role&(table.Identifier|table.Weight) == 0 {
			out = append(out, j)
		}
	}
	return out
}

// confidential says which of the numeric columns have the role; all when none has it.
func confidential(t *table.Table, cols []int) []bool {
	out := make([]bool, len(cols))
	some := false
	for k, j := range cols {
		out[k] = t.Attr(j).Role&table.Confidential != 0
		some = some || out[k]
	}
	for k := range out {
		out[k] = out[k] || !some
	}
	return out
}

// correlated says whether any two columns have a correlation.
func correlated(corr [][]float64) bool {
	for k, row := range corr {
		for _, c := range row[:k] {
			if c == c {
				return true
			}
		}
	}
	return false
}

// biasTally takes the largest and the mean of figures of attributes k, or of pairs k, l of them.
type biasTally struct {
	Change
	sum  float64
	k, l int
}

// add takes a figure; NaN, what is not defined, is left out.
func (t *biasTally) add(v float64, k, l int) {
	if v != v {
		return
	}
	if t.Of++; t.Of == 1 || v > t.Largest {
		t.Largest, t.k, t.l = v, k, l
	}
	t.sum += v
	t.Mean = t.sum / float64(t.Of)
}

// over returns the figures with the names of those that the largest is of.
func (t *biasTally) over(names []string) Change {
	if t.Of > 0 {
		t.Where = names[t.k]
		if t.l != t.k {
			t.Where = names[t.l] + " and " + names[t.k]
		}
	}
	return t.Change
}

// compareMoments sets types A, B and C and the figures over all numeric attributes, and returns what could not be
// taken.
func (d *Detail) compareMoments() (notes []message.Sentence) {
	var a, b, c, shift, all biasTally
	for k, sd := range d.SDOriginal {
		if sd > 0 {
			a.add(math.Abs(d.SDReleased[k]/sd-1), k, k)
			shift.add(math.Abs(d.MeanReleased[k]-d.MeanOriginal[k])/sd, k, k)
		}
		for l := range k {
			diff := math.Abs(d.CorrOriginal[k][l] - d.CorrReleased[k][l])
			all.add(diff, k, l)
			switch {
			case d.Confidential[k] && d.Confidential[l]:
				b.add(diff, k, l)
			case d.Confidential[k] != d.Confidential[l]:
				c.add(diff, k, l)
			}
		}
	}
	d.A, d.B, d.C, d.Shift = a.over(d.Names), b.over(d.Names), c.over(d.Names), shift.over(d.Names)
	d.LargestCorrDiff, d.MeanCorrDiff, d.pairs = all.Largest, all.Mean, all.Of
	p := len(d.Names)
	if pairs := p * (p - 1) / 2; d.pairs < pairs {
		notes = append(notes, message.Say("measure.bias.note.pairs").Count("left", pairs-d.pairs).Count("pairs", pairs))
	}
	if d.A.Of < p {
		notes = append(notes, message.Say("measure.bias.note.noA").Count("left", p-d.A.Of).Count("columns", p))
	}
	if d.B.Of == 0 {
		notes = append(notes, message.Say("measure.bias.note.noB"))
	}
	if d.C.Of == 0 {
		notes = append(notes, d.noTypeC())
	}
	return notes
}

// noTypeC says why there is no type C.
func (d *Detail) noTypeC() message.Sentence {
	for _, yes := range d.Confidential {
		if !yes {
			return message.Say("measure.bias.note.noC")
		}
	}
	return message.Say("measure.bias.note.allC")
}
