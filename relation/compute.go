package relation

import (
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/table"
)

func number64(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// computed returns the target of a step, computed from a release.
func (s *Step) computed(a table.Attribute, original, t *table.Table) table.Column {
	out := empty(a, t.Rows())
	was := original.Find(s.Target)
	switch {
	case s.Kind == Determines:
		s.looked(&out, original, t)
	case s.general(t):
		out = s.spanned(a, original, t)
	default:
		s.worked(&out, t)
	}
	for i := range t.Rows() {
		if was >= 0 && original.MissingAt(i, was) {
			if out.Kind == table.Numeric {
				out.Num[i] = math.NaN()
			} else {
				out.Cat[i] = -1
			}
		}
	}
	return widened(out)
}

// looked fills in what the sources determine.
func (s *Step) looked(out *table.Column, original, t *table.Table) {
	var at []int
	for _, name := range s.Sources(s.Target) {
		j := t.Find(name)
		if j < 0 {
			return
		}
		at = append(at, j)
	}
	fill(out, t, at, s.near(original, t, at))
}

// fill fills in what is given for the keys of columns.
func fill(out *table.Column, t *table.Table, at []int, of func(key string) (string, bool)) {
	from := keysOf(t, at)
	give := make([]string, len(from.keys)) // by number of the key
	has := make([]bool, len(from.keys))
	for n, key := range from.keys {
		give[n], has[n] = of(key)
	}
	codes := map[string]int32{}
	for n, l := range out.Labels {
		codes[l] = int32(n)
	}
	for i, n := range from.of {
		if n < 0 || !has[n] {
			continue
		}
		if out.Kind == table.Numeric {
			if v, ok := number64(give[n]); ok {
				out.Num[i] = v
			}
		} else if code, ok := codes[give[n]]; ok {
			out.Cat[i] = code
		}
	}
}

// near returns what gives the value of the target for a key: where the original did not have it, that of the nearest
// number, what all values have that a range or a group stands for, or what the first source determines as a rule.
func (s *Step) near(original, t *table.Table, at []int) func(key string) (string, bool) {
	exact := func(key string) (string, bool) { v, ok := s.To[key]; return v, ok }
	switch {
	case len(at) > 1:
		return func(key string) (string, bool) {
			if v, ok := s.To[key]; ok {
				return v, true
			}
			first, _, _ := cut(key)
			v, ok := s.Rest[first]
			return v, ok
		}
	case t.Attr(at[0]).Kind != table.Numeric:
		was := original.Find(t.Attr(at[0]).Name)
		if was < 0 {
			return exact
		}
		if original.Attr(was).Kind == table.Numeric {
			return s.ranged(original.Attr(was))
		}
		if !slices.ContainsFunc(t.Attr(at[0]).Labels, func(l string) bool { return original.Attr(was).Code(l) < 0 }) {
			return exact
		}
		return s.grouped(original, was, t, at[0])
	}
	known := s.numbers()
	return func(key string) (string, bool) {
		if v, ok := s.To[key]; ok || len(known) == 0 {
			return v, ok
		}
		x, _ := number64(key)
		n, _ := slices.BinarySearch(known, x)
		if n == len(known) || n > 0 && x-known[n-1] <= known[n]-x {
			n--
		}
		v, ok := s.To[string(table.AppendNumber(nil, known[n], 0))]
		return v, ok
	}
}

// numbers returns the numbers of the only source, ascending.
func (s *Step) numbers() []float64 {
	known := make([]float64, 0, len(s.To))
	for key := range s.To {
		if v, ok := number64(key); ok {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	return known
}

// ranged returns what gives the value of the target for a range of the numbers, or of the dates, of its only source:
// that which all of them have; none where they differ.
func (s *Step) ranged(a *table.Attribute) func(key string) (string, bool) {
	known := s.numbers()
	days := slices.Clone(known) // of dates, as ranges have them
	for k, v := range days {
		if a.Dates != "" {
			days[k] = a.Dates.Days(v)
		}
	}
	return func(key string) (string, bool) {
		r := reachOf(key, a)
		from, _ := slices.BinarySearch(days, r.lo)
		to, _ := slices.BinarySearchFunc(days, r.hi, func(d, hi float64) int {
			if d > hi {
				return 1
			}
			return -1
		})
		return s.agreed(max(to-from, 0), func(k int) string { return string(table.AppendNumber(nil, known[from+k], 0)) })
	}
}

// grouped returns what gives the value of the target for a category of its only source, which was made general: that
// which all categories have that it stands for. Which these are, the hierarchy says that the column has by itself; none
// where a record shows that the release has another.
func (s *Step) grouped(original *table.Table, was int, t *table.Table, at int) func(key string) (string, bool) {
	c := original.Column(was)
	h, members := hierarchy.Build(&c), map[string][]int32{}
	for level := range h.Height() + 1 {
		for value, group := range h.Raise(0, level) {
			label := h.Labels(level)[group]
			members[label] = append(members[label], int32(value))
		}
	}
	seen := map[[2]int32]bool{}
	for i, code := range t.Cat(at) {
		value := c.Cat[i]
		if pair := [2]int32{code, value}; code >= 0 && value >= 0 && !seen[pair] {
			seen[pair] = true
			if label := t.Attr(at).Labels[code]; !slices.Contains(members[label], value) {
				delete(members, label)
			}
		}
	}
	return func(key string) (string, bool) {
		all := members[key]
		return s.agreed(len(all), func(k int) string { return c.Labels[all[k]] })
	}
}

// agreed returns the value of the target that so many keys have, those that have one; none where they differ.
func (s *Step) agreed(n int, key func(k int) string) (value string, ok bool) {
	for k := range n {
		to, known := s.To[key(k)]
		if known && ok && to != value {
			return "", false
		}
		if known {
			value, ok = to, true
		}
	}
	return value, ok
}

// cut takes the first part of a key of several columns.
func cut(key string) (first, rest string, ok bool) {
	for i := range len(key) {
		if key[i] == 0 {
			return key[:i], key[i+1:], true
		}
	}
	return key, "", false
}

// worked fills in what a sum, a product, a ratio or completed units come to.
func (s *Step) worked(out *table.Column, t *table.Table) {
	var read []func(i int) float64
	k := slices.Index(s.Columns, s.Target)
	for n, name := range s.Columns {
		if n == k {
			read = append(read, func(int) float64 { return 0 })
			continue
		}
		j := t.Find(name)
		if j < 0 {
			return
		}
		read = append(read, numbers(t, j))
	}
	v := make([]float64, len(read))
	for i := range t.Rows() {
		missing := false
		for n := range v {
			v[n] = read[n](i)
			missing = missing || v[n] != v[n]
		}
		if missing {
			continue
		}
		y := 0.0
		switch s.Kind {
		case Linear:
			y = -s.sum(v) / s.Coefficients[k]
		case Elapsed:
			y = s.elapsed(v[1:])
		case Product, Ratio:
			y = s.solved(k, v)
		case Determines, Order, OnlyTogether, NeverTogether: // are no sums
		}
		if math.IsInf(y, 0) || y != y {
			continue
		}
		if out.Dates != "" {
			y = out.Dates.FromDays(y)
		}
		out.Num[i] = out.Snap(y) + 0 // + 0 turns minus zero into zero
	}
}

// solved returns one of the three numbers of a product or a ratio, given the others.
func (b *Bound) solved(k int, v []float64) float64 {
	switch {
	case k == 0:
		return b.result(v[1], v[2])
	case b.Kind == Product:
		return v[0] / float64(b.Factor*v[3-k])
	case k == 1 && b.Power == 2:
		return float64(v[0]*float64(v[2]*v[2])) / b.Factor
	case k == 1:
		return float64(v[0]*v[2]) / b.Factor
	case b.Power == 2:
		return math.Sqrt(float64(b.Factor*v[1]) / v[0])
	}
	return float64(b.Factor*v[1]) / v[0]
}

// numbers reads a column of numbers, in days where it holds dates, or one that a technique has made categories of: of
// those only labels that are numbers count.
func numbers(t *table.Table, j int) func(i int) float64 {
	a := t.Attr(j)
	if a.Kind == table.Numeric {
		return reader(t, j)
	}
	labels := make([]float64, len(a.Labels))
	for k, l := range a.Labels {
		v, ok := number64(l)
		if !ok {
			v = math.NaN()
		}
		labels[k] = v
	}
	codes := t.Cat(j)
	return func(i int) float64 {
		if codes[i] < 0 {
			return math.NaN()
		}
		return labels[codes[i]]
	}
}
