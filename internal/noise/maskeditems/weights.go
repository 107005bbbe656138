package maskeditems

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/noisemodel/modelfile"
)

// touch is what a set has of a part.
type touch struct {
	*modelfile.Part         // nil for columns without a law
	number          int     // of the part
	mask            uint    // bits of the items of the set that are of it
	items           int     // how many they are
	columns         uint64  // bits of the columns of the part that they are of
	combinations    float64 // of the categories of these columns
}

// touched returns what a set has of every part that it has something of.
func (r *Release) touched(set []int32) (out []touch) {
	for i, c := range set {
		o := &r.of[c]
		k := slices.IndexFunc(out, func(t touch) bool { return t.number == o.part })
		if k < 0 {
			k = len(out)
			out = append(out, touch{number: o.part, combinations: 1})
			if o.part >= 0 {
				out[k].Part = &r.law.Parts[o.part]
			}
		}
		t := &out[k]
		t.mask |= 1 << i
		t.items++
		t.columns |= 1 << o.column
		if t.Part != nil && t.Record != nil {
			t.combinations = float64(t.combinations * float64(t.Record.Categories[o.column]))
		}
	}
	return out
}

// weights returns what records of a stratum count for by how many items of the part they have; nil where they count 0.
// False says that the law cannot be undone.
func (r *Release) weights(t *touch, s *stratum) (by, bool) {
	if t.Part == nil {
		return ends(t.items, 0, 0, 1), true
	}
	if s.lacks[t.number]&t.columns != 0 {
		return nil, true
	}
	switch p := t.Part; {
	case p.Items != nil:
		return p.Items.Bits().Weights(t.items), true
	case p.Sizes != nil:
		return r.sized(p.Sizes, s.items[t.number], t.items)
	case p.Record != nil:
		d := diagonal(p.Record, s.lacks[t.number])
		_, off := d.Subset(t.combinations)
		return ends(t.items, -off/d.Keep(), -off/d.Keep(), (1-off)/d.Keep()), true
	case p.Category != nil:
		return p.Category.Bits().Weights(1), true
	default:
		w := p.Group.Weights()
		return ends(t.items, w[1], 0, w[0]), true // who has none has the other value of all
	}
}

// ends returns the weights of who has none of k items, of who has some, and of who has all.
func ends(k int, none, some, all float64) by {
	w := make(by, k+1)
	for l := range w {
		w[l] = some
	}
	w[0], w[k] = none, all
	return w
}

// sized returns the weights of records that had so many items.
func (r *Release) sized(s *modelfile.Sizes, items, k int) (by, bool) {
	if k > items {
		return nil, true
	}
	at := [2]int{items, k}
	w, known := r.sizes[at]
	if !known {
		w, _ = s.Of(items).Sizes().Weights(k)
		r.sizes[at] = w
	}
	return w, w != nil
}

// diagonal returns the matrix of records that lack some of the columns.
func diagonal(r *modelfile.Record, lacks uint64) randomised.Diagonal {
	d := randomised.Diagonal{Gamma: r.Gamma, Size: 1}
	for c, k := range r.Categories {
		if lacks>>c&1 == 0 {
			d.Size = min(1e300, d.Size*float64(k))
		}
	}
	return d
}

// silent reports whether a law tells nothing of the original.
func silent(p *modelfile.Part) bool {
	same := func(b randomised.Bits) bool { return math.Abs(b.One+b.Zero-1) < 1e-9 }
	switch {
	case p.Items != nil:
		return same(p.Items.Bits())
	case p.Record != nil:
		return diagonal(p.Record, 0).Keep() < 1e-12
	case p.Category != nil:
		return same(p.Category.Bits())
	case p.Group != nil:
		return p.Group.Theta == 0.5
	}
	return false // by number of items: told where weights are made
}

// Lowest returns the lowest support of an itemset of k items that can be told from 0, 4 standard errors of its
// estimate: of the first part of the law that has one, and of the columns with the fewest categories. Other records
// have each of its items independently, as often as items are estimated to be in the mean. It may be infinite, and
// above 1.
func (r *Release) Lowest(k int) float64 {
	n := float64(r.rows.Len())
	for i := range r.law.Parts {
		switch p := &r.law.Parts[i]; {
		case p.Items != nil:
			return p.Items.Bits().Lowest(k, n, r.prior(i))
		case p.Sizes != nil:
			return randomised.LowestAt(r.sizeStrata(i, k), n)
		case p.Record != nil:
			sizes := slices.Sorted(slices.Values(p.Record.Categories))
			if k > len(sizes) {
				return math.Inf(1)
			}
			combinations := 1.0
			for _, c := range sizes[:k] {
				combinations = float64(combinations * float64(c))
			}
			return diagonal(p.Record, 0).Lowest(n, combinations)
		}
	}
	return r.lowestOfCategories(k)
}

// prior returns the mean estimate of the supports of the items of a part.
func (r *Release) prior(part int) float64 {
	b := r.law.Parts[part].Items.Bits()
	there, labels, records := 0.0, 0.0, 0.0
	count := make([]float64, len(r.of))
	for _, c := range r.rows.Items {
		count[c]++
	}
	for _, at := range r.rows.Of {
		if r.strata[at].lacks[part] == 0 {
			records++
		}
	}
	for c, o := range r.of {
		if o.part == part {
			there, labels = there+count[c], labels+1
		}
	}
	if labels == 0 || records == 0 {
		return 0
	}
	return min(1, max(0, (there/labels/records-(1-b.Zero))/(b.One+b.Zero-1)))
}

// sizeStrata returns the records of a part that goes by numbers of items, by these.
func (r *Release) sizeStrata(part, k int) (out []randomised.Stratum) {
	counts, labels := map[int]float64{}, 0.0
	for _, at := range r.rows.Of {
		if s := &r.strata[at]; s.lacks[part] == 0 {
			counts[s.items[part]]++
		}
	}
	for _, o := range r.of {
		if o.part == part {
			labels++
		}
	}
	for _, o := range r.law.Parts[part].Sizes.Operators {
		if a, ok := o.Sizes().Act(k); ok && counts[o.Items] > 0 {
			out = append(
				out,
				randomised.Stratum{
					Share:  counts[o.Items] / float64(r.rows.Len()),
					Prior:  min(1, float64(o.Items)/labels),
					Acting: a,
				},
			)
		}
	}
	return out
}

// lowestOfCategories is Lowest for values of k columns that are released by themselves, each with as many records as
// any other value of its column.
func (r *Release) lowestOfCategories(k int) float64 {
	var own []modelfile.Category
	for i := range r.law.Parts {
		switch p := &r.law.Parts[i]; {
		case p.Category != nil:
			own = append(own, *p.Category)
		case p.Group != nil:
			own = append(own, modelfile.Category{Categories: 2, Keep: p.Group.Theta})
		}
	}
	if k > len(own) {
		return math.Inf(1)
	}
	slices.SortStableFunc(own, func(a, b modelfile.Category) int { return a.Categories - b.Categories })
	all := randomised.Acting{Second: []float64{1, 1}, Whole: []float64{1, 1}}
	rest := 1.0
	for _, c := range own[:k] {
		a := c.Bits().Act(1)
		share := 1 / float64(c.Categories)
		all.Second[1] = float64(all.Second[1] * a.Second[1])
		rest = float64(rest * (float64(share*a.Second[1]) + float64((1-share)*a.Second[0])))
	}
	all.Second[0] = rest
	return randomised.LowestAt([]randomised.Stratum{{Share: 1, Acting: all}}, float64(r.rows.Len()))
}
