package valuedisclosure

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/proximity"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// known is what an intruder knows of one column: a law by record, or additive noise of a known deviation around values
// z.
type known struct {
	at  int // the column
	law noisemodel.Column
	z   []float64 // by released record; nil with a law
	sd  float64
}

// laws returns what is known of the judged columns, and how many of them the plan says nothing of.
func laws(r *measure.Release) (out []known, silent int) {
	for j := range r.Original.Width() {
		a := r.Original.Attr(j)
		if a.Kind != table.Numeric || a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		if !changed(r, j) {
			if a.Role&table.Confidential != 0 {
				out = append(out, known{at: j, law: noisemodel.Everywhere(noisemodel.Kept{})})
			}
			continue
		}
		if k, ok := lawOf(r, j); ok {
			out = append(out, k)
		} else {
			silent++
		}
	}
	return out, silent
}

// changed reports whether a column is perturbed: by what the plan changes or, without one, by the values.
func changed(r *measure.Release, j int) bool {
	for _, m := range r.Mechanisms {
		if slices.Contains(m.Changes(), r.Original.Attr(j).Name) {
			return true
		}
	}
	return len(r.Mechanisms) == 0 && (!r.Paired || proximity.Changed(r.Original.Column(j), r.Released.Column(j)))
}

// lawOf returns what the last mechanism that changes column j says of it: the release has the column from there.
func lawOf(r *measure.Release, j int) (known, bool) {
	name := r.Original.Attr(j).Name
	for _, m := range slices.Backward(r.Mechanisms) {
		if !slices.Contains(m.Changes(), name) {
			continue
		}
		if c, ok := noisemodel.Of(m, j); ok {
			return known{at: j, law: c}, true
		}
		if a, ok := m.(noisemodel.Additive); ok {
			names, z, noise, err := a.Additive(r.Released)
			if k := slices.Index(names, name); err == nil && k >= 0 {
				return known{at: j, z: z[k], sd: math.Sqrt(noise.At(k, k))}, true
			}
		}
	}
	return known{}, false
}

// normal is the law of normal noise, as a density up to a factor: y is where the noise has put the value.
type normal struct{ sd, nearest float64 }

// P divides by the density of the nearest possible value, so that a released value that lies far outside the domain
// still has numbers left.
func (k normal) P(x, y float64) float64 {
	if k.sd == 0 {
		if x == k.nearest {
			return 1
		}
		return 0
	}
	u, v := (x-y)/k.sd, (k.nearest-y)/k.sd
	return portable.Exp((float64(v*v) - float64(u*u)) / 2)
}

// parts are the segments of the released records, as one who knows the plan's trees finds them.
type parts struct {
	keys []uint64
	of   map[uint64]*segment.Segment
}

func newParts(r *measure.Release) (*parts, error) {
	p := &parts{of: map[uint64]*segment.Segment{}}
	f := r.Forest()
	if f == nil || len(r.Mechanisms) == 0 {
		return p, nil
	}
	p.keys = make([]uint64, r.Released.Rows())
	if err := f.Route(r.Released, p.keys); err != nil {
		return nil, err
	}
	for _, key := range p.keys {
		if p.of[key] == nil {
			s := f.Segment(key)
			p.of[key] = &s
		}
	}
	return p, nil
}

// segment returns that of a released record; one without sub-domains where the plan has no trees.
func (p *parts) segment(row int) *segment.Segment {
	if p.keys == nil {
		return &segment.Segment{}
	}
	return p.of[p.keys[row]]
}

// domain returns the values that are possible in column j of a segment.
func domain(a *table.Attribute, j int, s *segment.Segment) wrap.Domain {
	if sub, ok := s.Num[j]; ok {
		if d := wrap.On(sub.Intersect(a.Domain), a.Step); d.Size() > 0 {
			return d
		}
	}
	return wrap.On(a.Domain, a.Step)
}
