package report

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// figure is one of the large numbers at the head of the report with a sentence on how to read it.
type figure struct {
	Name, Value, Text string
	Failed, Risk      bool
	Between           string // the interval of the value; empty where it has none
	Assault           bool   // it tells the best attack
}

// detail finds the first detail of type T among the measures that were taken.
func detail[T any](o *study.Outcome) (*T, bool) {
	for k := range o.Measures {
		if d, ok := as[T](o.Measures[k].Value.Detail); ok {
			return d, true
		}
	}
	return nil, false
}

// as returns the detail as a T, given as such or by its address.
func as[T any](detail any) (*T, bool) {
	switch d := detail.(type) {
	case T:
		return &d, true
	case *T:
		return d, d != nil
	}
	return nil, false
}

// figures returns the headline figures that were measured, and a line for those that were tried and failed.
func figures(o *study.Outcome, public bool) []figure {
	var names []measure.Entry
	for k := range o.Measures {
		if e := o.Measures[k].Figure; e.Text != "" && !slices.Contains(names, e) {
			names = append(names, e)
		}
	}
	slices.SortStableFunc(names, func(a, b measure.Entry) int { return a.Place.Compare(b.Place) })
	var out []figure
	for _, e := range names {
		if f, ok := figureOf(o, e, public); ok {
			f.Name, f.Risk = e.Text, riskOf(o, e)
			out = append(out, f)
		}
	}
	return out
}

// riskOf reports whether a headline figure is one of risk.
func riskOf(o *study.Outcome, e measure.Entry) bool {
	k := slices.IndexFunc(o.Measures, func(m study.Measured) bool { return m.Figure == e })
	return k >= 0 && o.Measures[k].Side == measure.Risk
}

// figureOf returns the headline figure of a measure against the intruder where it weighs most or, failing any, why it could not be taken.
func figureOf(o *study.Outcome, e measure.Entry, public bool) (f figure, ok bool) {
	var best measure.Headline
	at, failed := -1, -1
	for k := range o.Measures {
		m := &o.Measures[k]
		if m.Figure != e {
			continue
		}
		if d, is := m.Value.Detail.(measure.Headliner); is {
			if h, has := d.Headline(measure.Reader{Public: public, Generalised: o.Generalised}); has && (!ok || h.Weight > best.Weight) {
				best, at, ok = h, k, true
			}
		}
		if failed < 0 && m.Err != "" && (!public || m.Side != measure.Risk) {
			failed = k
		}
	}
	switch {
	case ok:
		f = figure{Value: best.Value, Text: best.Text, Between: boundsOf(&o.Measures[at], best.Value)}
		if best.Intruder != nil {
			f.Text = whom(*best.Intruder) + " " + f.Text
		}
		_, f.Assault = o.Measures[at].Value.Detail.(measure.Assault)
		return f, true
	case failed >= 0:
		return figure{Value: "not measured", Text: failure(o.Measures[failed].Err, public), Failed: true}, true
	}
	return f, false
}

// boundsOf is the interval of a measure whose score is the figure shown.
func boundsOf(m *study.Measured, shown string) string {
	if r := rowOfMeasure(m, false); r.Score == shown {
		return r.Between
	}
	return ""
}

func failure(reason string, public bool) string {
	if public {
		return "This figure could not be taken."
	}
	return sentence(reason)
}

// tenth writes a figure with one decimal.
func tenth(v float64) string { return fmt.Sprintf("%.1f", v) }
