package chart

import (
	"github.com/dither-data/dither/study/ranking"
	"github.com/dither-data/dither/table"
)

// Axis is one side of a risk-utility map.
type Axis struct {
	Title    string // measure and unit
	Better   string // which way is better: safer to the left
	Higher   bool   // higher is better
	Decimals int
	Range    table.Interval // the possible scores; infinite or equal ends mean unbounded
	Margin   float64        // a difference up to it does not count
	Limit    *float64       // the largest score that is allowed, drawn as a line; nil for none
}

// Point is one setting on the map.
type Point struct {
	Label string // beside the point
	Name  string // in full, in the tooltip
	X, Y  Estimate
	Path  int  // settings of one technique, joined in the order given; 0 joins nothing
	Aside bool // may not go out: it is shown to compare with, and takes no part in the frontier
	// Link is the id of what says more of the setting, such as the command that makes it; empty for none.
	Link string
}

// Map is a risk-utility map (Duncan, Keller-McNulty & Stokes 2001).
type Map struct {
	Title  string // for screen readers
	X, Y   Axis
	Points []Point
	// Original is the table released as it is: a mark to compare with that takes no part in the frontier. Nil for none.
	Original *Point
	Width    float64 // in pixels; 0 takes that of a small multiple
}

// figures is the map without its words.
func (m Map) figures() ranking.Map {
	out := ranking.Map{X: m.X.side(), Y: m.Y.side()}
	for _, p := range m.Points {
		out.Points = append(out.Points, ranking.Point{X: p.X, Y: p.Y, Aside: p.Aside})
	}
	return out
}

func (a Axis) side() ranking.Axis { return ranking.Axis{Higher: a.Higher, Margin: a.Margin} }

func (p *Point) known() bool { return p.X.Known() && p.Y.Known() }
