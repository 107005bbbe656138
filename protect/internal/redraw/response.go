package redraw

import (
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/table"
)

// Response is randomised response: a category is kept with probability Keep, and else gives way to any other, each as
// likely.
type Response struct {
	Attrs   []table.Attribute
	Columns []int // positions of the categorical columns, ascending
	Keep    float64
}

// nothing is an epsilon that is none but for rounding.
const nothing = 1e-9

// Epsilon is the local differential privacy of a whole record: the sum over the columns. It is infinite where a
// released value can rule out an original one.
func (r Response) Epsilon() (total float64) {
	for _, k := range r.Sizes() {
		total += float64(transition.Epsilon(k, r.Keep) * float64(len(r.Of(k))))
	}
	return total
}

// Notes says how private a value and a record are, and of which columns all or nothing is released.
func (r Response) Notes() []message.Sentence {
	var odds []Odds
	var out []message.Sentence
	for _, k := range r.Sizes() {
		names, e := r.Of(k), transition.Epsilon(k, r.Keep)
		odds = append(odds, Odds{k, e, names})
		if e < nothing {
			out = append(out, message.Say("plan.redraw.nothing").Count("k", k).Quoted("columns", names))
		}
	}
	if odds == nil {
		return nil
	}
	if r.Keep == 1 {
		out = append(out, message.Say("plan.redraw.asIs"))
	}
	return append([]message.Sentence{Guarantee(odds)}, out...)
}

// Odds are columns, each of which moves the odds of two original values alike.
type Odds struct {
	Categories int
	Epsilon    float64  // of one of them
	Names      []string // of the columns
}

// Guarantee says how private a value of each column is, and a record, to which the columns add up.
func Guarantee(columns []Odds) message.Sentence {
	var figures []message.Sentence
	total := 0.0
	for _, o := range columns {
		total += float64(o.Epsilon * float64(len(o.Names)))
		figures = append(figures, message.Say("plan.redraw.value").Part("epsilon", bound(o.Epsilon)).Count("k", o.Categories).
			Quoted("columns", o.Names))
	}
	return message.Say("plan.redraw.epsilon").Part("values", message.Listed(figures)).Part("record", bound(total))
}

// bound prints an epsilon.
func bound(epsilon float64) message.Sentence {
	if math.IsInf(epsilon, 1) {
		return message.Say("plan.redraw.unbounded")
	}
	return message.Digits(epsilon, 3)
}

// Sizes returns the numbers of categories that the columns have, from 2 on, ascending.
func (r Response) Sizes() []int {
	var out []int
	for _, j := range r.Columns {
		if k := len(r.Attrs[j].Labels); k > 1 {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Of names the columns with k categories.
func (r Response) Of(k int) []string {
	var names []string
	for _, j := range r.Columns {
		if len(r.Attrs[j].Labels) == k {
			names = append(names, r.Attrs[j].Name)
		}
	}
	return names
}
