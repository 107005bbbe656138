package relation

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/table"
)

// reach is the numbers that a generalised value may stand for: from lo to hi, both of them; of dates in days.
type reach struct{ lo, hi float64 }

var anywhere = reach{math.Inf(-1), math.Inf(1)}

// general reports whether a source of the step was made general: categories that are no numbers stand for its numbers.
func (s *Step) general(t *table.Table) bool {
	return slices.ContainsFunc(s.Sources(s.Target), func(name string) bool {
		j := t.Find(name)
		return j >= 0 && t.Attr(j).Kind == table.Categorical &&
			slices.ContainsFunc(t.Attr(j).Labels, func(l string) bool { _, ok := number64(l); return !ok })
	})
}

// spanned returns the target of a step whose sources were made general: what all values that they stand for come to, as
// categories, and never less than that. Where a source has no value, nor has the target. Cost: O(n), and a step for
// every combination of the sources' values.
func (s *Step) spanned(a table.Attribute, original, t *table.Table) table.Column {
	out := table.Column{Attribute: a, Cat: make([]int32, t.Rows())}
	out.Kind, out.Labels, out.Ordered, out.Declared = table.Categorical, nil, false, false
	out.Step, out.Dates, out.Domain = 0, "", table.Interval{}
	var sources []func(i int) (reach, bool)
	own := slices.Index(s.Columns, s.Target)
	for k, name := range s.Columns {
		j := t.Find(name)
		switch {
		case k == own:
			sources = append(sources, func(int) (reach, bool) { return reach{}, true })
			continue
		case j < 0 || original.Find(name) < 0:
			return empty(out.Attribute, t.Rows())
		}
		sources = append(sources, reaches(t, j, original.Attr(original.Find(name))))
	}
	codes, of := map[string]int32{}, []reach{}
	v := make([]reach, len(sources))
	for i := range out.Cat {
		all := true
		for k, of := range sources {
			var ok bool
			v[k], ok = of(i)
			all = all && ok
		}
		if out.Cat[i] = -1; !all {
			continue
		}
		r := s.over(own, v)
		l := written(&a, r)
		code, ok := codes[l]
		if !ok {
			code = int32(len(of))
			codes[l], of, out.Labels = code, append(of, r), append(out.Labels, l)
		}
		out.Cat[i] = code
	}
	return ascending(out, of)
}

// ascending returns a column of categories in the order of what they stand for, whatever the order of the records.
func ascending(c table.Column, of []reach) table.Column {
	order := make([]int, len(of))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(of[a].lo, of[b].lo), cmp.Compare(of[a].hi, of[b].hi), cmp.Compare(c.Labels[a], c.Labels[b]))
	})
	labels, code := make([]string, len(of)), make([]int32, len(of))
	for n, k := range order {
		labels[n], code[k] = c.Labels[k], int32(n)
	}
	for i, k := range c.Cat {
		if k >= 0 {
			c.Cat[i] = code[k]
		}
	}
	c.Labels = labels
	return c
}

// reaches returns what the values of a column stand for, by row; false for a missing one.
func reaches(t *table.Table, j int, as *table.Attribute) func(i int) (reach, bool) {
	if t.Attr(j).Kind == table.Numeric {
		of := reader(t, j)
		return func(i int) (reach, bool) { v := of(i); return reach{v, v}, v == v }
	}
	codes, labels := t.Cat(j), t.Attr(j).Labels
	of := make([]reach, len(labels))
	for k, l := range labels {
		of[k] = reachOf(l, as)
	}
	return func(i int) (reach, bool) {
		if codes[i] < 0 {
			return reach{}, false
		}
		return of[codes[i]], true
	}
}

// reachOf reads the label of a generalised value of an attribute; anywhere where it says no more.
func reachOf(label string, a *table.Attribute) reach {
	if r, ok := exactly(label, a); ok {
		return reach{r, r}
	}
	if l, part, ok := calendar.Part(label); ok && a.Dates != "" {
		return reach{float64(l.First(part)), below(float64(l.First(part+1)), a)}
	}
	for _, end := range []struct {
		mark string
		to   func(v float64) reach
	}{
		{"<= ", func(v float64) reach { return reach{math.Inf(-1), v} }},
		{">= ", func(v float64) reach { return reach{v, math.Inf(1)} }},
		{"< ", func(v float64) reach { return reach{math.Inf(-1), below(v, a)} }},
		{"> ", func(v float64) reach { return reach{v, math.Inf(1)} }},
	} {
		if text, ok := strings.CutPrefix(label, end.mark); ok {
			if v, ok := limit(text, a); ok {
				return end.to(v)
			}
			return anywhere
		}
	}
	from, to, ok := strings.Cut(strings.Trim(label, "[]()"), ", ")
	lo, known := limit(from, a)
	hi, also := limit(to, a)
	if !ok || !known || !also {
		return anywhere
	}
	if strings.HasSuffix(label, ")") {
		hi = below(hi, a)
	}
	return reach{lo, hi}
}

// limit reads the end of an interval; a part of the calendar begins with its first day.
func limit(text string, a *table.Attribute) (v float64, ok bool) {
	if v, ok = exactly(text, a); !ok && a.Dates != "" {
		if text == "24:00" && a.Dates.Timely() {
			return 1, true
		}
		var l calendar.Level
		var part int
		if l, part, ok = calendar.Part(text); ok {
			v = float64(l.First(part))
		}
	}
	return v, ok
}

// exactly reads a value as its attribute writes it, of dates in days.
func exactly(text string, a *table.Attribute) (v float64, ok bool) {
	if v, ok = a.ParseValue(text); ok && a.Dates != "" {
		v = a.Dates.Days(v)
	}
	return v, ok
}

// below is the last value of an attribute before a number; the number where there is no grid. Of months it is the last
// day, since a month holds no other number.
func below(v float64, a *table.Attribute) float64 {
	switch {
	case a.Dates != "" && a.Dates.Monthly():
		return v - 1
	case a.Dates != "":
		return v - a.Step/a.Dates.PerDay()
	}
	return v - a.Step
}

// over returns what a step comes to over the sources' reach; the one at the place of the target does not count.
func (s *Step) over(own int, v []reach) reach {
	switch s.Kind {
	case Linear:
		lo := s.Constant / s.Coefficients[own]
		hi := lo
		for k, c := range s.Coefficients {
			switch c /= -s.Coefficients[own]; {
			case k == own || c == 0:
			case c > 0:
				lo, hi = lo+float64(c*v[k].lo), hi+float64(c*v[k].hi)
			default:
				lo, hi = lo+float64(c*v[k].hi), hi+float64(c*v[k].lo)
			}
		}
		return reach{lo, hi}
	case Elapsed:
		return s.elapsedOver(v[1:])
	case Product, Ratio:
		if s.Kind == Ratio && v[2].lo <= 0 && v[2].hi >= 0 {
			return anywhere
		}
		return s.corners(v[1], v[2])
	case Determines, Order, OnlyTogether, NeverTogether: // are no sums
	}
	return anywhere
}

// corners is a product or a ratio over a rectangle, where it grows or falls along each side: its ends are corners.
func (s *Step) corners(x, y reach) reach {
	out := reach{math.Inf(1), math.Inf(-1)}
	for _, p := range []float64{x.lo, x.hi} {
		for _, q := range []float64{y.lo, y.hi} {
			v := s.result(p, q)
			if v != v {
				return anywhere
			}
			out.lo, out.hi = min(out.lo, v), max(out.hi, v)
		}
	}
	return out
}

// elapsedOver is the completed units from any first day to any last one.
func (s *Step) elapsedOver(v []reach) reach {
	out := anywhere
	to := reach{float64(s.Day), float64(s.Day)}
	if len(v) > 1 {
		to = v[1]
	}
	ends := func(from, to float64) (float64, bool) {
		if math.IsInf(from, 0) || math.IsInf(to, 0) {
			return 0, false
		}
		return s.elapsed([]float64{from, to}[:len(v)]), true
	}
	if x, ok := ends(v[0].hi, to.lo); ok {
		out.lo = x
	}
	if x, ok := ends(v[0].lo, to.hi); ok {
		out.hi = x
	}
	return out
}

// written is the label of what the target may be: the values of its grid within half a step of the reach, since that is
// how its values are rounded.
func written(a *table.Attribute, r reach) string {
	step := a.Step
	if a.Dates != "" {
		r = reach{a.Dates.FromDays(r.lo), a.Dates.FromDays(r.hi)}
	}
	if step > 0 {
		half := float64(step * 0.5 * (1 + 1e-9))
		r = reach{ceil(r.lo-half, step), -ceil(-r.hi-half, step)}
	}
	text := func(v float64) string { return string(a.AppendValue(nil, a.Snap(v)+0)) }
	switch low, high := !math.IsInf(r.lo, 0), !math.IsInf(r.hi, 0); {
	case !low && !high:
		return hierarchy.Top
	case !low:
		return "<= " + text(r.hi)
	case !high:
		return ">= " + text(r.lo)
	case text(r.lo) == text(r.hi):
		return text(r.lo)
	}
	return "[" + text(r.lo) + ", " + text(r.hi) + "]"
}

// ceil is the first multiple of a step that is not below v.
func ceil(v, step float64) float64 { return float64(math.Ceil(v/step) * step) }
