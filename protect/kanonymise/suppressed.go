package kanonymise

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Whole is the release in which every record is as it is or loses all its quasi-identifiers. It serves the notes of the
// fit only.
type Whole struct {
	Rare       int     // records in classes that do not meet k
	Suppressed int     // records that lose their quasi-identifiers
	Limit      float64 // the least value of the parameter suppression, with two decimals, that allows it
}

// mostWhole is the share of the records up to which suppressing them is advised.
const mostWhole = 0.25

// whole is that release, where the limit forbids it and it loses less than the best node; nil where it does not.
func (q *Technique) whole(s *search, best result) *Whole {
	w := s.newWalker()
	lowest := w.lat.levels(0, w.levels)
	c := &s.f.base
	if w.roller.roll(lowest, c); s.f.rows > 0 {
		c = w.roller.join(c)
	}
	lost := w.judge.goal(c, s.f.rows)
	if lost <= s.most || float64(lost) > mostWhole*float64(s.f.rows) ||
		w.lat.bound[0]+w.judge.loss(lowest, c) >= best.loss {
		return nil
	}
	if len(s.f.sets) > 0 {
		return &Whole{lost, lost, allowing(lost, s.f.rows)}
	}
	rare, _ := w.judge.below(c, func(class int) bool { return int(c.count[class]) >= q.K })
	return &Whole{Rare: rare, Suppressed: lost, Limit: allowing(lost, s.f.rows)}
}

// allowing is the least share with two decimals that lets so many of the records be suppressed.
func allowing(lost, rows int) float64 { return math.Ceil(100*float64(lost)/float64(rows)-1e-9) / 100 }

// says is the advice to suppress instead of generalising.
func (w *Whole) says(p *Plan) message.Sentence {
	out := message.Say("plan.kanonymise.whole").Number("limit", w.Limit, 0.01).
		Count("kept", p.Found.Records-w.Suppressed).Count("lost", w.Suppressed)
	if w.Suppressed > w.Rare {
		out = message.Say("plan.kanonymise.pooled").Part("whole", out).Count("rare", w.Rare).Count("k", p.Goals.K)
	}
	return out
}

// Suppressed counts the records of a release that have lost all their quasi-identifiers, and how many of them the
// parameters of the fit allow (protect.Suppressing). Cost: O(n) per quasi-identifier.
func (p *Plan) Suppressed(original, released *table.Table, params []param.Value) (lost, most int) {
	share := 1.0
	for _, v := range params {
		if f, ok := v.Value.(float64); ok && v.Name == suppression {
			share = f
		}
	}
	return p.void(released) - p.void(original), int(float64(share*float64(released.Rows())) + 1e-9)
}

// void counts the records that lack all quasi-identifiers that a table has.
func (p *Plan) void(t *table.Table) (n int) {
	var columns []int
	for _, name := range p.Changes() {
		if j := t.Find(name); j >= 0 {
			columns = append(columns, j)
		}
	}
	for i := range t.Rows() {
		lacks := len(columns) > 0
		for _, j := range columns {
			lacks = lacks && t.MissingAt(i, j)
		}
		if lacks {
			n++
		}
	}
	return n
}

// most returns how many records may be suppressed.
func (q *Technique) most(t *table.Table) int {
	return int(float64(q.Suppression*float64(t.Rows())) + 1e-9)
}

func (q *Technique) beyond(lost int, p *Plan, t *table.Table, what string) error {
	return fmt.Errorf("%s suppresses %d of %d records to meet %s; expected %d at most (parameter %q, which from %v on "+
		"allows it)", what, lost, t.Rows(), p.goals(), q.most(t), suppression, allowing(lost, t.Rows()))
}
