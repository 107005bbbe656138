package ranking

// Axis is one side of a risk-utility map.
type Axis struct {
	Higher bool    // higher is better
	Margin float64 // a difference up to it does not count
	Coarse float64 // half an interval above it is too wide to call two points alike; 0 for none
}

// Point is one setting on the map.
type Point struct {
	X, Y  Estimate
	Aside bool // is there to compare with, and takes no part in the frontier
}

// Map is a risk-utility map as figures (Duncan, Keller-McNulty & Stokes 2001).
type Map struct {
	X, Y   Axis
	Points []Point
}

// Standing says where a setting stands among the others.
type Standing int

// Settings that no other beats in the mean, by being at least as good on both axes and better on one, form the
// Frontier. One that is beaten is Dominated when that other is clearly better on an axis, and Close when it is not. An
// axis that tells no two settings apart counts for nothing.
const (
	Unknown Standing = iota // a value is missing
	Aside                   // takes no part
	Dominated
	Close
	Frontier
)

// Clearly reports whether p is clearly better than q.
func (a Axis) Clearly(p, q Estimate) bool {
	switch {
	case !p.Known() || !q.Known():
		return false
	case a.Higher:
		return p.Above(q, a.Margin)
	}
	return q.Above(p, a.Margin)
}

// wide reports whether the interval of p is too wide to call anything like it.
func (a Axis) wide(p Estimate) bool {
	lo, hi := p.Ends()
	return a.Coarse > 0 && (hi-lo)/2 > a.Coarse
}

// Gain returns how much better p's mean is than q's.
func (a Axis) Gain(p, q Estimate) float64 {
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
			if m.X.Clearly(q.X, p.X) && !flatX || m.Y.Clearly(q.Y, p.Y) && !flatY {
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
	return m.beats(q, p, flatX, flatY) && (m.X.Clearly(q.X, p.X) || m.Y.Clearly(q.Y, p.Y))
}

func (p *Point) known() bool { return p.X.Known() && p.Y.Known() }

func (p *Point) takesPart() bool { return p.known() && !p.Aside }

// beats reports whether q's means are at least as good as p's on both axes and better on one.
func (m Map) beats(q, p Point, flatX, flatY bool) bool {
	x, y := m.X.Gain(q.X, p.X), m.Y.Gain(q.Y, p.Y)
	if flatX {
		x = 0
	}
	if flatY {
		y = 0
	}
	return x >= 0 && y >= 0 && x+y > 0
}

// Flat says of each axis whether it tells no two points apart. A single point is not flat, and neither is an axis with
// an interval too wide to tell anything: its means still count. Cost: O(k^2).
func (m Map) Flat() (x, y bool) {
	x, y = true, true
	n := 0
	for _, p := range m.Points {
		if !p.takesPart() {
			continue
		}
		n++
		x, y = x && !m.X.wide(p.X), y && !m.Y.wide(p.Y)
		for _, q := range m.Points {
			if q.takesPart() {
				x = x && !m.X.Clearly(q.X, p.X)
				y = y && !m.Y.Clearly(q.Y, p.Y)
			}
		}
	}
	return x && n > 1, y && n > 1
}
