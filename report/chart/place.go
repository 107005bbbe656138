package chart

import "math"

// region is a box on a drawing.
type region struct{ x0, y0, x1, y1 float64 }

func (a region) meets(b region) bool { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 }

func (a region) holds(b region) bool {
	return a.x0 <= b.x0 && b.x1 <= a.x1 && a.y0 <= b.y0 && b.y1 <= a.y1
}

// segment is a straight line on a drawing.
type segment struct{ x1, y1, x2, y2 float64 }

// crosses reports whether the line runs through the box (Liang & Barsky 1984).
func (s segment) crosses(r region) bool {
	from, to := 0.0, 1.0
	clip := func(d, room float64) bool { // the part of the line where d*t <= room
		if d == 0 {
			return room >= 0
		}
		if t := room / d; d > 0 {
			to = math.Min(to, t)
		} else {
			from = math.Max(from, t)
		}
		return from <= to
	}
	dx, dy := s.x2-s.x1, s.y2-s.y1
	return clip(-dx, s.x1-r.x0) && clip(dx, r.x1-s.x1) && clip(-dy, s.y1-r.y0) && clip(dy, r.y1-s.y1)
}

// placer finds room for labels beside the points they belong to.
type placer struct {
	area  region
	taken []region  // labels and points, which no label may touch
	lines []segment // which a label should not lie on
}

// spot is where a label goes: its box, the end that stands at the point, and the line to the point when it stands off.
type spot struct {
	region
	anchor anchor
	leader *segment
}

// compass holds the directions in which a label is tried, best first: beside the point, then above and below, then
// askew.
var compass = [8][2]float64{{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}}

// offsets are the distances from the point's rim at which it is tried; from the second on a line leads to the point.
var offsets = []float64{3, 12, 22, 34, 48, 64}

// place finds the spot with the least cost for a label of width w and height h beside a point of radius r, at the first
// reach offsets; ok is false when there is none. The spot is taken from then on.
func (p *placer) place(x, y, r, w, h float64, reach int) (best spot, ok bool) {
	least := math.Inf(1)
	for ring, off := range offsets[:reach] {
		for k, d := range compass {
			s := around(x, y, r+off, w, h, d)
			cost := 3*float64(ring) + 0.4*float64(k)
			if ring > 0 {
				s.leader = &segment{x + d[0]*(r+1)*slant(d), y + d[1]*(r+1)*slant(d), clamp(x, s.x0, s.x1), clamp(y, s.y0, s.y1)}
			}
			if cost >= least || !p.free(s, region{x - r, y - r, x + r, y + r}) {
				continue
			}
			if cost += 2.5 * float64(p.crossings(s)); cost < least {
				best, least, ok = s, cost, true
			}
		}
	}
	if ok {
		p.taken = append(p.taken, best.region)
		if best.leader != nil {
			p.lines = append(p.lines, *best.leader)
		}
	}
	return best, ok
}

// around returns the label's box in direction d, its near side at the given distance.
func around(x, y, dist, w, h float64, d [2]float64) spot {
	dist *= slant(d)
	s := spot{anchor: middle, region: region{x - w/2, y - h/2, x + w/2, y + h/2}}
	switch {
	case d[0] > 0:
		s.anchor, s.x0, s.x1 = left, x+dist, x+dist+w
	case d[0] < 0:
		s.anchor, s.x0, s.x1 = right, x-dist-w, x-dist
	}
	switch {
	case d[1] > 0:
		s.y0, s.y1 = y+dist, y+dist+h
	case d[1] < 0:
		s.y0, s.y1 = y-dist-h, y-dist
	}
	return s
}

// slant is the length of a direction's components: askew ones are as far as straight ones.
func slant(d [2]float64) float64 {
	if d[0] != 0 && d[1] != 0 {
		return math.Sqrt2 / 2
	}
	return 1
}

// free reports whether the label and its leader touch nothing that is taken, but the point's own box for the leader.
func (p *placer) free(s spot, own region) bool {
	if !p.area.holds(s.region) {
		return false
	}
	for _, t := range p.taken {
		if s.meets(t) || s.leader != nil && t != own && s.leader.crosses(t) {
			return false
		}
	}
	return true
}

func (p *placer) crossings(s spot) int {
	n := 0
	for _, l := range p.lines {
		if l.crosses(s.region) {
			n++
		}
	}
	return n
}

func clamp(v, lo, hi float64) float64 { return math.Min(math.Max(v, lo), hi) }
