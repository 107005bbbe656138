package uncertainty

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/posterior"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Knowledge measures what more knowledge gives an intruder: the entropies of re-identification and of the class as a
// function of the number of attributes known, against the unperturbed file (Islam 2007, section 8.1 and table 8.1).
//
// What it does. The attributes that the intruder knows are added one by one, in the order of the columns, in a given
// one, or in random ones over which it averages, and after each the two entropies of every target are worked out on the
// release and on the original file released as it is (package posterior). With nothing known the record entropy is log2
// n, given that the target is in the file. The score is the record entropy with everything known, in bits, as in
// package reidentification; parts give the curve. The Detail holds it for a chosen record, too: table 8.1.
//
// It needs what the intruder knows; a class for the class entropies. Missing values: as package reidentification.
//
// Cost: for every order and either file some three times that of reidentification, for the product over the first
// attributes is part of that over more; where noise depends on that of other attributes, some people have several
// records or the law fits no record for somebody, that of reidentification for every number of attributes. It takes a
// sample of the targets: as many as fit the parameter pairs, at most those of the parameter targets.
//
// Reference: Islam 2007, section 8.1, table 8.1.
var Knowledge = measure.Measure{
	Card: card.Card{
		Name:      "knowledge",
		Title:     "Entropies by what is known",
		Short:     "Entropies",
		Aliases:   []string{"supplementary knowledge", "table 8.1"},
		Summary:   "How uncertainty about record and class decreases with every attribute an intruder knows.",
		Paper:     "Islam 2007, section 8.1, table 8.1",
		Needs:     "an intruder; the plan, or paired records; a class for the class entropies",
		Preserves: "log2 of the number of records when even full knowledge reveals nothing",
		Missing:   "missing values are not known to the intruder",
		Cost: "O(n m p) for n targets, m released records and p known attributes, per order; p times that for " +
			"joint noise; sampled above the parameters pairs and targets",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Effort: measure.Slow,
		Place:  3,
		Bounds: map[string]string{"pairs": "5000000", "targets": "100"},
	},
	Side:     measure.Risk,
	Better:   measure.Higher,
	Range:    table.Interval{Lo: 0, Hi: 64},
	Unit:     measure.In(measure.Bits, message.Say("unit.bits")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&KnowledgeMeter{}) },
}

// KnowledgeMeter measures the entropies by knowledge.
type KnowledgeMeter struct {
	posterior.Options
	Targets int      // at most
	Record  int      // row of a chosen record, from 1; 0 for none
	Order   []string // known attributes, the first known first; the others follow by column
	Orders  int      // random orders to average over; 0 for Order
}

// Params declares the parameters.
func (m *KnowledgeMeter) Params() param.Set {
	return append(param.Set{
		param.Int(&m.Targets, "targets", 100, 1, math.MaxInt32, "persons", "test at most this many people, a "+
			"sample of the original"),
		param.Int(&m.Record, "record", 0, 0, math.MaxInt32, "row from 1", "show the curve of the record in this "+
			"row of the original; 0: none"),
		param.Names(&m.Order, "order", "order in which attributes become known; the others follow in column order "+
			"(default: column order)"),
		param.Int(&m.Orders, "orders", 0, 0, 1000, "orders", "average over this many random orders; 0: use the "+
			"parameter order"),
		m.ClassParam(),
	}, m.Options.Params()...)
}

// Point is the entropies with so many attributes known, in bits; means over the targets and orders, or over the orders
// for one record.
type Point struct {
	Known     int    `json:"known"`
	Attribute string `json:"attribute"` // the one known last, in a single order
	Released  Pair   `json:"released"`
	Original  Pair   `json:"original"`
}

// Pair is the entropy of the records, and of the class where there is one.
type Pair struct {
	Record float64  `json:"record"`
	Class  *float64 `json:"class"`
}

// KnowledgeDetail is the curve, from nothing known to everything.
type KnowledgeDetail struct {
	Intruder string  `json:"intruder"`
	Targets  int     `json:"targets"`
	Released int     `json:"released"` // records
	Outside  float64 `json:"outside"`  // probability that the intruder gives to a person's not being in the file
	Orders   int     `json:"orders"`
	Curve    []Point `json:"curve"`
	Record   int     `json:"record"`
	Chosen   []Point `json:"chosen"` // of the chosen record
}

// Measure returns the mean record entropy with everything known and a Detail. It fails when a table has no records, for
// a record that the original does not have and for an order of attributes that the intruder does not know.
func (m *KnowledgeMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	view, err := r.View()
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return measure.Value{}, err
	}
	n := r.Original.Rows()
	switch {
	case n == 0:
		return measure.Value{}, errors.New("the original table has no records")
	case m.Record > n:
		return measure.Value{}, fmt.Errorf("parameter %q: there is no row %d, the original has %d", "record", m.Record, n)
	}
	orders, err := m.orders(r.Original, view, src)
	if err != nil {
		return measure.Value{}, err
	}
	rows := r.Targets(min(m.Targets, max(100, m.Pairs/max(1, r.Released.Rows()))), 0)
	released, err := m.study(ctx, r, view, orders, rows)
	if err != nil {
		return measure.Value{}, err
	}
	plain := &measure.Release{
		Original: r.Original,
		Released: r.Original,
		Paired:   true,
		Work:     r.Work.Another(),
		Intruder: r.Intruder,
		Owners:   r.Owners,
	}
	original, err := m.study(ctx, plain, view, orders, rows)
	if err != nil {
		return measure.Value{}, err
	}
	d := KnowledgeDetail{
		Intruder: view.Name,
		Targets:  rows.Tried,
		Released: released.last.Records,
		Orders:   len(orders),
		Record:   m.Record,
		Outside:  released.last.Outside,
	}
	for k := range len(view.Known) + 1 {
		p := Point{Known: k}
		if k > 0 && len(orders) == 1 {
			p.Attribute = r.Original.Attr(orders[0][k-1].Column).Name
		}
		p.Released, p.Original = released.mean[k], original.mean[k]
		d.Curve = append(d.Curve, p)
		if m.Record > 0 {
			p.Released, p.Original = released.chosen[k], original.chosen[k]
			d.Chosen = append(d.Chosen, p)
		}
	}
	return d.value(released), nil
}

// value returns the measured value of a curve.
func (d KnowledgeDetail) value(s *study) measure.Value {
	v := measure.Value{Notes: s.last.Notes, Detail: d}
	v.Score, v.Lo, v.Hi = confidence.Mean(s.last.Least(s.last.H), s.last.People)
	v.Lo, v.Hi = max(0, v.Lo), min(64, v.Hi)
	for _, p := range d.Curve {
		v.Parts = append(
			v.Parts,
			measure.Part{
				Key:   "released",
				Of:    strconv.Itoa(p.Known),
				Name:  message.Say("measure.knowledge.part.released").Count("n", p.Known),
				Score: p.Released.Record,
			},
			measure.Part{
				Key:   "original",
				Of:    strconv.Itoa(p.Known),
				Name:  message.Say("measure.knowledge.part.original").Count("n", p.Known),
				Score: p.Original.Record,
			},
		)
	}
	return v
}

// orders returns the known attributes in the orders in which they become known.
func (m *KnowledgeMeter) orders(t *table.Table, view *intruder.View, src rng.Source) ([][]intruder.Known, error) {
	if m.Orders > 0 {
		out := make([][]intruder.Known, m.Orders)
		r := src.Fork("orders").Rand()
		for o := range out {
			for _, k := range r.Perm(len(view.Known)) {
				out[o] = append(out[o], view.Known[k])
			}
		}
		return out, nil
	}
	var first []intruder.Known
	left := slices.Clone(view.Known)
	for _, name := range m.Order {
		k := slices.IndexFunc(left, func(k intruder.Known) bool { return t.Attr(k.Column).Name == name })
		if k < 0 {
			return nil, fmt.Errorf("parameter %q: %q is not an attribute that the intruder %q knows, or is named "+
				"twice", "order", name, view.Name)
		}
		first = append(first, left[k])
		left = slices.Delete(left, k, k+1)
	}
	return [][]intruder.Known{append(first, left...)}, nil
}

// study is the entropies by the number of attributes known, averaged over orders: the mean of the targets and those of
// the chosen record.
type study struct {
	mean, chosen []Pair
	last         *posterior.Study // with everything known
}

func (m *KnowledgeMeter) study(
	ctx context.Context,
	r *measure.Release,
	view *intruder.View,
	orders [][]intruder.Known,
	rows measure.Targets,
) (*study, error) {
	trees, err := posterior.Grow(ctx, r, view, m.Options)
	if err != nil {
		return nil, err
	}
	out := &study{mean: make([]Pair, len(view.Known)+1), chosen: make([]Pair, len(view.Known)+1)}
	for _, order := range orders {
		known := *view
		known.Known = order
		if out.last, err = m.curve(ctx, r, &known, trees, rows, out.mean, len(orders)); err != nil {
			return nil, err
		}
		if m.Record == 0 {
			continue
		}
		one := measure.Targets{Rows: []int{m.Record - 1}, Tried: 1, People: r.Original.Rows()}
		if _, err = m.curve(ctx, r, &known, trees, one, out.chosen, len(orders)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// curve adds the mean entropies of targets in one of several orders to a curve and returns their study with everything
// known.
func (m *KnowledgeMeter) curve(
	ctx context.Context,
	r *measure.Release,
	view *intruder.View,
	trees posterior.Trees,
	rows measure.Targets,
	to []Pair,
	orders int,
) (last *posterior.Study, err error) {
	prefixes, err := posterior.Prefixes(ctx, r, view, trees, m.Options, rows)
	if err != nil {
		return nil, err
	}
	for k, s := range append(prefixes, nil) {
		if s == nil {
			some := *view
			some.Known = view.Known[:k]
			match, err := posterior.Match(r, &some, trees, m.Options)
			if err != nil {
				return nil, err
			}
			if s, err = match.Study(ctx, rows); err != nil {
				return nil, err
			}
		}
		to[k].add(s, orders)
		last = s
	}
	return last, nil
}

// add adds the mean entropies of a study in one of several orders.
func (p *Pair) add(s *posterior.Study, orders int) {
	record, _, _ := confidence.Mean(s.Least(s.H), s.Tried)
	p.Record += record / float64(orders)
	if s.Classes == 0 {
		return
	}
	if p.Class == nil {
		p.Class = new(float64)
	}
	h := make([]float64, len(s.Rows))
	for k := range h {
		h[k] = posterior.Entropy(s.Class[k*s.Classes : (k+1)*s.Classes])
	}
	for _, h := range s.Least(h) {
		*p.Class += h / float64(s.Tried*orders)
	}
}

// Sentence says what knowledge gives.
func (d KnowledgeDetail) Sentence() message.Sentence {
	last := d.Curve[len(d.Curve)-1]
	key := "measure.knowledge.says"
	if d.Outside > 0 {
		key = "measure.knowledge.saysInside"
	}
	return message.Say(key).Count("known", last.Known).Fixed("left", last.Released.Record, 2).
		Fixed("all", portable.Log2(float64(d.Released)), 2).Fixed("original", last.Original.Record, 2)
}
