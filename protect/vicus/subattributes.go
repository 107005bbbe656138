package vicus

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// SubAttributes orders the values of a category by numeric sub-attributes that have natural orderings, and adds
// noise to the ranks (Giggins & Brankovic 2003, after Brankovic 1998).
//
// A city, for example, has a population and a latitude. The sub-attributes of a column are given (parameter
// "subattributes", city=Sydney:5.3,-33.9), or they are the means of numeric columns over the records that have the
// value (parameter "by"). Each is brought to mean 0 and standard deviation 1 over the values. By one sub-attribute
// the values are sorted; of several a chain is made: it begins with the value that has least of the first one, and
// goes on to the nearest that is not in it yet, of equally near ones the first label. A value then moves along the
// order: the probability of moving by r ranks is proportional to exp(-r²/2s²), with the spread s, among the ranks
// that there are.
//
// Reconstruction: the sources at hand (Islam 2007, section 6.2) tell of the orderings and that they let noise be
// added; scaling, chain and the law of the ranks are ours.
//
// Cost: O(v² a) for v values and a sub-attributes of each column, one pass for means, and a draw for each value.
//
// Reference: H. Giggins & L. Brankovic, "Protecting privacy in genetic databases", EMAC 2003; L. Brankovic,
// "Usability of secure statistical databases", 1998; Islam 2007, section 6.2, references [40] and [11].
var SubAttributes = protect.Method{
	Card: card.Card{
		Name:    "subattributes",
		Title:   "Noise by ordered sub-attributes",
		Short:   "Sub-attributes",
		Aliases: []string{"ordered sub-attributes", "Giggins & Brankovic"},
		Summary: "Orders categories by numbers that belong to them, such as the population of a city, and moves values " +
			"along the order.",
		Paper:   "Giggins & Brankovic 2003; Islam 2007, section 6.2, reference [40]",
		Needs:   "categorical attributes of at most 1,024 values with sub-attributes: given, or means of numeric columns",
		Changes: "every categorical attribute except the class",
		Preserves: "categories; the order, so that ranges of categories keep about their records; counts after a " +
			"correction",
		Biases: "relations weaken (types B and C), rules break (type DM), frequencies move towards those of neighbours in " +
			"the order (type D)",
		Exposes: "the original by Bayes' rule from the matrix and the frequencies: a neighbour in the order of what is " +
			"released",
		Missing: "stay missing",
		Cost:    "O(values² * sub-attributes) by column, and O(rows * columns)",
	},
	Purpose: protect.Randomises,
	NoModel: "the order of its values may follow from means over the original, which are confidential",
	Growth:  1,
	New:     func() protect.Technique { return param.Default(&SubTechnique{}) },
	Plan:    func() protect.Plan { return &SubPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Corrects, protect.Notes, protect.Describes, protect.Checks,
		protect.Memoises},
}

// SubTechnique holds the parameters of SubAttributes.
type SubTechnique struct {
	Given  string   // sub-attributes of values
	By     []string // numeric columns whose means are sub-attributes of the other values
	Spread float64  // of the noise, in ranks
	Except []string // columns left alone
}

// Params declares the parameters.
func (q *SubTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.Spread, "spread", 1, 0.01, 1000, "ranks", "how far values move along the order: the standard "+
			"deviation, away from its ends").Noisier(0.3, 10),
		param.Text(&q.Given, "subattributes", "numbers of values that order them, as column=value:number,number, one per "+
			"line or separated by semicolons, as many for every value of the column"),
		param.Names(&q.By, "by", "numeric columns whose means over a value's records order the values of columns without "+
			"numbers of their own; by default all"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit orders the values and makes the matrices. It draws no random numbers.
func (q *SubTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	columns, err := protect.Columns(t, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	given, err := q.given(t)
	if err != nil {
		return nil, err
	}
	by, err := q.by(t)
	if err != nil {
		return nil, err
	}
	p := &SubPlan{}
	p.Attrs = t.Attrs()
	for _, j := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		codes := occurring(t, j)
		if n := len(t.Attr(j).Labels); n > mostValues {
			return nil, fmt.Errorf("column %q has %d categories; expected at most %d; generalise it, or leave it out (except)",
				t.Attr(j).Name, n, mostValues)
		}
		if len(codes) < 2 {
			continue
		}
		points, err := q.points(t, j, codes, given[j], by)
		if err != nil {
			return nil, err
		}
		if points == nil {
			continue
		}
		p.Units = append(p.Units, unit(t, j, chain(codes, points), q.Spread))
	}
	return p, nil
}

// occurring returns the codes that records have, ascending.
func occurring(t *table.Table, j int) []int32 {
	has := make([]bool, len(t.Attr(j).Labels))
	for _, c := range t.Cat(j) {
		if c >= 0 {
			has[c] = true
		}
	}
	var out []int32
	for c, is := range has {
		if is {
			out = append(out, int32(c))
		}
	}
	return out
}

// by returns the numeric columns whose means are sub-attributes.
func (q *SubTechnique) by(t *table.Table) (out []int, err error) {
	for _, name := range q.By {
		j := t.Find(name)
		switch {
		case j < 0:
			return nil, fmt.Errorf("parameter \"by\": there is no column %q", name)
		case t.Attr(j).Kind != table.Numeric:
			return nil, fmt.Errorf("parameter \"by\": column %q is %s, expected numbers", name, t.Attr(j).Kind)
		}
		out = append(out, j)
	}
	if q.By != nil {
		return out, nil
	}
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.Numeric && a.Role&(table.Weight|table.Identifier) == 0 {
			out = append(out, j)
		}
	}
	return out, nil
}

// given reads the sub-attributes that are given: by column, then by code. Values that no record has are left out.
func (q *SubTechnique) given(t *table.Table) (map[int]map[int32][]float64, error) {
	out := map[int]map[int32][]float64{}
	entries := strings.FieldsFunc(q.Given, func(r rune) bool { return r == ';' || r == '\n' })
	for k, entry := range entries {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("parameter \"subattributes\", entry %d: "+format, append([]any{k + 1}, args...)...)
		}
		column, rest, ok := strings.Cut(entry, "=")
		at := strings.LastIndex(rest, ":")
		if !ok || at < 0 {
			return nil, wrong("expected column=value:number,number")
		}
		j := t.Find(strings.TrimSpace(column))
		if j < 0 || t.Attr(j).Kind != table.Categorical {
			return nil, wrong("there is no column %q of categories", strings.TrimSpace(column))
		}
		var numbers []float64
		for text := range strings.SplitSeq(rest[at+1:], ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, wrong("%q is not a number", strings.TrimSpace(text))
			}
			numbers = append(numbers, v)
		}
		if out[j] == nil {
			out[j] = map[int32][]float64{}
		}
		if code := slices.Index(t.Attr(j).Labels, strings.TrimSpace(rest[:at])); code >= 0 {
			out[j][int32(code)] = numbers
		}
	}
	return out, nil
}

// points returns the sub-attributes of the values of a column, each standardised over the values; nil where there are
// none. It is an error where some values have given ones and others none, or fewer.
func (q *SubTechnique) points(t *table.Table, j int, codes []int32, given map[int32][]float64, by []int) (
	[][]float64, error,
) {
	points := make([][]float64, len(codes))
	if given != nil {
		lack := 0
		for k, c := range codes {
			if points[k] = given[c]; len(points[k]) == 0 || len(points[k]) != len(given[codes[0]]) {
				lack++
			}
		}
		if lack > 0 {
			return nil, fmt.Errorf("parameter \"subattributes\": %d of the %d values of column %q lack numbers, or have more "+
				"or fewer than the first", lack, len(codes), t.Attr(j).Name)
		}
	} else {
		if len(by) == 0 {
			return nil, nil
		}
		means := make([][]float64, len(by))
		for b, col := range by {
			means[b] = meansOf(t, j, col)
		}
		for k, c := range codes {
			for b := range by {
				points[k] = append(points[k], means[b][c])
			}
		}
	}
	return standardised(points), nil
}

// meansOf returns, by code, the mean of a number over the records that have both; that of all values with records where
// a value has none.
func meansOf(t *table.Table, j, number int) []float64 {
	labels := len(t.Attr(j).Labels)
	of, v, counts := slices.Clone(t.Cat(j)), slices.Clone(t.Num(number)), make([]int, labels+1)
	for i := range of {
		if of[i] < 0 || v[i] != v[i] {
			of[i], v[i] = int32(labels), 0
		}
		counts[of[i]]++
	}
	out := exact.ByGroup(of, v, labels+1)[:labels]
	if known := len(v) - counts[labels]; known > 0 {
		all := exact.Of(v) / float64(known)
		for c := range out {
			if out[c] /= float64(counts[c]); counts[c] == 0 {
				out[c] = all
			}
		}
	}
	return out
}

// standardised returns points with mean 0 and standard deviation 1 in each coordinate; one that is the same for all
// is 0.
func standardised(points [][]float64) [][]float64 {
	out := make([][]float64, len(points))
	for k := range out {
		out[k] = make([]float64, len(points[0]))
	}
	column := make([]float64, len(points))
	for a := range out[0] {
		for k := range points {
			column[k] = points[k][a]
		}
		mean := exact.Mean(column)
		for k := range column {
			column[k] = float64((column[k] - mean) * (column[k] - mean))
		}
		sd := math.Sqrt(exact.Mean(column))
		for k := range out {
			if sd > 0 {
				out[k][a] = (points[k][a] - mean) / sd
			}
		}
	}
	return out
}

// chain returns the codes in order: sorted by one sub-attribute, and of several from the one that has least of the
// first on, each followed by the nearest that is left. Cost: O(v² a).
func chain(codes []int32, points [][]float64) []int32 {
	left := make([]int, len(codes))
	for k := range left {
		left[k] = k
	}
	if len(points[0]) == 1 {
		slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(points[a][0], points[b][0]) })
	} else {
		at := 0
		for k := range left {
			if points[k][0] < points[at][0] {
				at = k
			}
		}
		for k := range left {
			left[k], left[at] = left[at], left[k]
			slices.Sort(left[k+1:])
			at = k + 1
			for m := k + 2; m < len(left); m++ {
				if apart(points[left[k]], points[left[m]]) < apart(points[left[k]], points[left[at]]) {
					at = m
				}
			}
		}
	}
	out := make([]int32, len(left))
	for k, at := range left {
		out[k] = codes[at]
	}
	return out
}

// apart is the square of a distance.
func apart(x, y []float64) (sum float64) {
	for a := range x {
		d := x[a] - y[a]
		sum += float64(d * d)
	}
	return sum
}

// unit makes the matrix of a column whose values stand in order.
func unit(t *table.Table, j int, order []int32, spread float64) Unit {
	m := make(transition.Matrix, len(t.Attr(j).Labels))
	for x := range m {
		m[x] = make([]float64, len(m))
		m[x][x] = 1
	}
	for a, x := range order {
		row, sum := make([]float64, len(order)), 0.0
		for b := range order {
			r := float64(a-b) / spread
			row[b] = portable.Exp(-float64(r*r) / 2)
			sum += row[b]
		}
		stays := 1.0
		for b, y := range order {
			if b != a {
				m[x][y] = row[b] / sum
				stays -= m[x][y]
			}
		}
		m[x][x] = max(0, stays)
	}
	return described(t, j, m, 0)
}
