package chart

import (
	"html/template"
	"math"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Generalised draws a numeric attribute that is released as intervals or other groups: the exact original as a grey
// area, and as a line what a reader of the release knows, every group spread evenly from the smallest to the largest
// original value in it. Group is the code of every original value among the released categories, of which there are so
// many; released are the codes of the release. Values without a group are left out of what is spread. Cost: O(n +
// groups · classes).
func Generalised(id string, a *table.Attribute, exact []float64, group, released []int32, groups int) template.HTML {
	h := histogram{attr: a, classes: classesOf(a.Step, exact)}
	title := message.Say("chart.distribution").Name("column", a.Name).String()
	if h.n == 0 {
		return empty(id, title)
	}
	h.before, h.after = h.shares(exact), h.even(exact, group, shareOf(released, groups))
	h.limit()
	h.axes()
	h.draw()
	desc := message.After(h.classed(), message.Say("chart.groupsSpread"))
	return h.svg(id, "small", title, desc.String(), smallWidth, histHeight)
}

// even returns the share in each class when the shares of groups are spread evenly over the values they hold.
func (h *histogram) even(exact []float64, group []int32, shares []float64) []float64 {
	lo, hi := make([]float64, len(shares)), make([]float64, len(shares))
	for g := range shares {
		lo[g], hi[g] = math.Inf(1), math.Inf(-1)
	}
	for i, v := range exact {
		if g := group[i]; g >= 0 && v == v {
			lo[g], hi[g] = math.Min(lo[g], v), math.Max(hi[g], v)
		}
	}
	out, sum := make([]float64, h.n), 0.0
	for g, share := range shares {
		if share == 0 || lo[g] > hi[g] {
			continue
		}
		from, to := lo[g]-h.attr.Step/2, hi[g]+h.attr.Step/2
		sum += share
		overlap := func(k int) float64 {
			left := h.lo + float64(k)*h.width
			return math.Max(0, math.Min(to, left+h.width)-math.Max(from, left))
		}
		whole := 0.0 // of all classes, which to-from is but for rounding
		for k := range out {
			whole += overlap(k)
		}
		if whole == 0 { // a single value of a continuous attribute has no width
			out[h.at(from)] += share
			continue
		}
		for k := range out {
			out[k] += share * overlap(k) / whole
		}
	}
	for k := range out {
		out[k] /= math.Max(sum, math.SmallestNonzeroFloat64)
	}
	return out
}
