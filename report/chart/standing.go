package chart

import "github.com/dither-data/dither/table"

// Axis is one side of a risk-utility map.
type Axis struct {
	Title    string // measure and unit
	Good     string // what its better end is called: safer, more useful
	Higher   bool   // higher is better
	Decimals int
	Range    table.Interval // the possible scores; infinite or equal ends mean unbounded
	Margin   float64        // a difference up to it does not count
}

// Point is one setting on the map.
type Point struct {
	Label string // beside the point
	Name  string // in full, in the tooltip
	X, Y  Estimate
	Path  int  // settings of one technique, joined in the order given; 0 joins nothing
	Aside bool // is shown to compare with, and takes no part in the frontier
}

// Standing says where a setting stands among the others.
type Standing int

// Settings that no other beats in the mean, by being at least as good on both axes and better on one, form the Frontier. One that is beaten is
// Dominated when that other is clearly better on an axis, and Close when it is not. An axis that tells no two settings apart counts for
// nothing.
const (
	Unknown Standing = iota // a value is missing
	Aside                   // takes no part
	Dominated
	Close
	Frontier
)

// Map is a risk-utility map (Duncan, Keller-McNulty & Stokes 2001).
type Map struct {
	Title  string // for screen readers
	X, Y   Axis
	Points []Point
	// Original is the table released as it is: a mark to compare with that takes no part in the frontier. Nil for none.
	Original *Point
	Width    float64 // in pixels; 0 takes that of a small multiple
}

// clearly reports whether p is clearly better than q.
func (a Axis) clearly(p, q Estimate) bool {
	if a.Higher {
		return p.Above(q, a.Margin)
	}
	return q.Above(p, a.Margin)
}

// gain returns how much better p's mean is than q's.
func (a Axis) gain(p, q Estimate) float64 {
	if a.Higher {
		return p.Mean - q.Mean
	}
	return q.Mean - p.Mean
}

// Standings ranks the points. Cost: O(k^2) for k points.
func (m Map) Standings() []Standing {
	out := make([]Standing, len(m.Points))
	flatX, flatY := m.Flat()
	for i, p := range m.Points {
		if !p.known() {
			continue
		}
		if p.Aside {
			out[i] = Aside
			continue
		}
		out[i] = Frontier
		for _, q := range m.Points {
			if !q.takesPart() || !m.beats(q, p, flatX, flatY) {
				continue
			}
			out[i] = min(out[i], Close)
			if m.X.clearly(q.X, p.X) && !flatX || m.Y.clearly(q.Y, p.Y) && !flatY {
				out[i] = Dominated
			}
		}
	}
	return out
}

// Dominates reports whether point k dominates point i. Cost: O(k^2).
func (m Map) Dominates(k, i int) bool {
	p, q := m.Points[i], m.Points[k]
	if !p.takesPart() || !q.takesPart() {
		return false
	}
	flatX, flatY := m.Flat()
	return m.beats(q, p, flatX, flatY) && (m.X.clearly(q.X, p.X) || m.Y.clearly(q.Y, p.Y))
}

func (p *Point) known() bool { return p.X.Known() && p.Y.Known() }

func (p *Point) takesPart() bool { return p.known() && !p.Aside }

// beats reports whether q's means are at least as good as p's on both axes and better on one.
func (m Map) beats(q, p Point, flatX, flatY bool) bool {
	x, y := m.X.gain(q.X, p.X), m.Y.gain(q.Y, p.Y)
	if flatX {
		x = 0
	}
	if flatY {
		y = 0
	}
	return x >= 0 && y >= 0 && x+y > 0
}

// Flat says of each axis whether it tells no two points apart. A single point is not flat. Cost: O(k^2).
func (m Map) Flat() (x, y bool) {
	x, y = true, true
	n := 0
	for _, p := range m.Points {
		if !p.takesPart() {
			continue
		}
		n++
		for _, q := range m.Points {
			if q.takesPart() {
				x = x && !m.X.clearly(q.X, p.X)
				y = y && !m.Y.clearly(q.Y, p.Y)
			}
		}
	}
	return x && n > 1, y && n > 1
}
