package policy

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Apply returns the table with the kinds, domains, grids, categories and orders that the policy declares; roles are set
// elsewhere. Values do not change but where a column asks for it (Column.Outside): a numeric column declared
// categorical gets one label per number, a categorical one declared numeric must hold numbers only.
//
// It is an error to describe a column the table lacks, and to declare a domain, a grid or categories that do not hold
// all values. Such an error counts the values concerned and never shows one. Missing values are inside everything.
func (p *Policy) Apply(t *table.Table) (*table.Table, error) {
	cols := t.Columns()
	names := make([]string, len(cols))
	for j := range cols {
		names[j] = cols[j].Name
	}
	if err := p.columnsOf(names, false); err != nil {
		return nil, err
	}
	for j := range cols {
		c := p.Columns[cols[j].Name]
		k, declared := c.kind()
		if !declared {
			continue
		}
		var err error
		if k == table.Categorical {
			cols[j], err = p.asCategorical(cols[j], &c)
		} else {
			cols[j], err = p.asNumeric(cols[j], &c)
		}
		if err != nil {
			return nil, err
		}
	}
	return t.WithColumns(cols)
}

// Misspelt refuses a policy that names a column which is none of the given ones, but near one: what can be said before
// a table is read.
func (p *Policy) Misspelt(names []string) error { return p.columnsOf(names, true) }

// hints is how many columns that a table lacks are compared with all that it has: a name is costly to compare, and a
// table that lacks more is another one.
const hints = 100

// columnsOf checks that the table, whose columns have the names, has every column that the policy names, or only those
// that are near one of its own.
func (p *Policy) columnsOf(names []string, near bool) error {
	has := make(map[string]bool, len(names))
	for _, n := range names {
		has[n] = true
	}
	lacks := 0
	for _, n := range slices.Sorted(maps.Keys(p.Columns)) {
		if has[n] || lacks == hints {
			continue
		}
		lacks++
		if hint := spelling.Hint(n, names); hint != "" || !near {
			return p.fault(yamlfile.Pointer("/columns", n), true, "the table has no column %q%s", n, hint)
		}
	}
	if p.Class == "" || p.classGiven || has[p.Class] {
		return nil
	}
	if hint := spelling.Hint(p.Class, names); hint != "" || !near {
		return p.fault("/class", false, "the table has no column %q for the class%s", p.Class, hint)
	}
	return nil
}

// Place gives an error about what stands at a path, such as /accept/0, its place in the file. It is the error itself
// where the file says nothing there, as where the caller does.
func (p *Policy) Place(path string, err error) error {
	if p.src == nil || err == nil {
		return err
	}
	if _, said := p.src.Values.Of(path); !said {
		return err
	}
	e := p.src.Errorf(path, "%v", err)
	e.Cause = err
	return e
}

// fault is an error of the policy: with its place when the policy was parsed.
func (p *Policy) fault(path string, key bool, format string, args ...any) error {
	switch {
	case p.src == nil:
		return fmt.Errorf("policy: "+format, args...)
	case key:
		return p.src.KeyErrorf(path, format, args...)
	}
	return p.src.Errorf(path, format, args...)
}

// asNumeric returns the column as the numeric one that c declares.
func (p *Policy) asNumeric(col table.Column, c *Column) (table.Column, error) {
	at := yamlfile.Pointer("/columns", col.Name)
	var err error
	switch col.Kind {
	case table.Numeric:
	case table.Categorical:
		col, err = p.parsed(col, c, at)
	case table.SetValued:
		err = p.fault(at, true, "%q is declared numeric, but it is %s", col.Name, col.Kind)
	}
	if err == nil && c.Domain != nil {
		err = p.setDomain(&col, c, at)
	}
	if err == nil && c.Step != 0 {
		err = p.setStep(&col, c.Step, at)
	}
	return col, err
}

// parsed returns the numbers, or dates, that the labels of a categorical column hold. The declaration c stands at the
// path at.
func (p *Policy) parsed(col table.Column, c *Column, at string) (table.Column, error) {
	var bad int
	if n := c.notation(); c.Dates != "" {
		if col, bad = parseDates(col, n); bad > 0 {
			return col, p.fault(at+"/dates", false, "%q is declared to hold dates as %s, but %s %s none",
				col.Name, n, records(bad), hold(bad))
		}
	} else if c.dated() {
		return col, p.dateFault(&col, c, at)
	} else if col, bad = parseNumbers(col); bad > 0 {
		return col, p.fault(at+"/kind", false, "%q is declared numeric, but %s %s no number",
			col.Name, records(bad), hold(bad))
	}
	return col, nil
}

// setDomain declares the domain of a numeric column and, where c asks for it, sets numbers outside to its ends.
func (p *Policy) setDomain(col *table.Column, c *Column, at string) error {
	if err := p.dateFault(col, c, at); err != nil {
		return err
	}
	d, k := c.interval(col.Dates)
	if k >= 0 || d.Lo > d.Hi {
		return p.fault(at+"/domain", false, "the domain of %q is not an interval", col.Name)
	}
	n := count(col.Num, func(v float64) bool { return !d.Contains(v) })
	switch {
	case n > 0 && c.Outside != clip:
		return p.fault(at+"/domain", false, "%q is declared to lie in %s, but %s %s a value outside; outside: clip "+
			"sets such values to the nearer end", col.Name, c.domainText(d), records(n), hold(n))
	case n > 0:
		step := col.Step
		if c.Step != 0 {
			step = c.Step
		}
		col.Num = clipped(col.Num, d, step)
	}
	col.Domain, col.Declared = d, true
	return nil
}

// setStep declares the grid of a numeric column.
func (p *Policy) setStep(col *table.Column, step float64, at string) error {
	if n := count(col.Num, func(v float64) bool { return !onGrid(v, step) }); n > 0 {
		return p.fault(at+"/step", false, "%q is declared to have the step %v, but %s %s a value between the steps",
			col.Name, step, records(n), hold(n))
	}
	col.Step, col.StepDeclared = step, true
	return nil
}

// clip is what Column.Outside says where numbers outside the domain become its nearer end.
const clip = "clip"

// clipped returns the numbers, those outside the domain at its nearer end: at the last value of the grid inside it.
func clipped(num []float64, d table.Interval, step float64) []float64 {
	lo, hi := d.Lo, d.Hi
	if step > 0 {
		if lo = table.Snap(d.Lo, step); lo < d.Lo {
			lo = table.Snap(d.Lo+step, step)
		}
		if hi = table.Snap(d.Hi, step); hi > d.Hi {
			hi = table.Snap(d.Hi-step, step)
		}
	}
	out := slices.Clone(num)
	for i, v := range out {
		if v < d.Lo {
			out[i] = lo
		} else if v > d.Hi {
			out[i] = hi
		}
	}
	return out
}

// Clipped says of which columns, and of how many records, Apply sets the values to an end of their domain.
// Cost: O(n) per column that asks for it.
func (p *Policy) Clipped(t *table.Table) (notes []message.Sentence) {
	at := make(map[string]int, t.Width())
	for j := range t.Width() {
		at[t.Attr(j).Name] = j
	}
	for _, name := range slices.Sorted(maps.Keys(p.Columns)) {
		c := p.Columns[name]
		j, ok := at[name]
		if c.Outside != clip || !ok || t.Attr(j).Kind != table.Numeric {
			continue
		}
		d, k := c.interval(t.Attr(j).Dates)
		if k >= 0 {
			continue // Apply says what is wrong
		}
		if n := count(t.Num(j), func(v float64) bool { return !d.Contains(v) }); n > 0 {
			notes = append(notes, message.Say("told.clipped").Count("n", n).Name("column", name))
		}
	}
	return notes
}

// onGrid allows for the error of decimal arithmetic.
func onGrid(v, step float64) bool {
	return math.Abs(table.Snap(v, step)-v) <= 1e-9*max(step, math.Abs(v))
}

func count(values []float64, bad func(float64) bool) int {
	n := 0
	for _, v := range values {
		if !math.IsNaN(v) && bad(v) {
			n++
		}
	}
	return n
}

// parseNumbers turns labels into numbers. Its grid is that of the label with most decimals; the column is continuous
// when a label has an exponent. It returns the number of records whose label is no finite number.
func parseNumbers(c table.Column) (out table.Column, bad int) {
	num := make([]float64, len(c.Labels))
	decimals := 0
	for k, l := range c.Labels {
		v, err := strconv.ParseFloat(l, 64)
		if err != nil || math.IsInf(v, 0) {
			v = math.NaN()
		}
		num[k] = v
		if _, frac, ok := strings.Cut(l, "."); ok {
			decimals = max(decimals, len(frac))
		}
		if strings.ContainsAny(l, "eExXpP_") {
			decimals = math.MaxInt
		}
	}
	values := make([]float64, len(c.Cat))
	for i, k := range c.Cat {
		values[i] = math.NaN()
		if k < 0 {
			continue
		}
		if values[i] = num[k]; math.IsNaN(num[k]) {
			bad++
		}
	}
	step := 0.0
	if decimals < 16 {
		step = math.Pow10(-decimals)
	}
	out = table.NumColumn(c.Name, step, values)
	out.Role = c.Role
	return out, bad
}

func (p *Policy) asCategorical(col table.Column, c *Column) (table.Column, error) {
	if !col.Kind.Scalar() {
		return col, p.fault(yamlfile.Pointer("/columns", col.Name), true, "%q is declared categorical, but it is %s",
			col.Name, col.Kind)
	}
	col, err := labelled(col)
	if err != nil {
		return col, err
	}
	at := yamlfile.Pointer("/columns", col.Name)
	known := col.Ordered // numbers are, and other columns may be
	if c.Kind == "ordered" && c.Values == nil && !known {
		return col, p.fault(at+"/kind", false, "%q is declared ordered, but values does not say how", col.Name)
	}
	col.Ordered = c.Kind == "ordered"
	if c.Values != nil {
		n := recode(&col, c.Values)
		if n > 0 {
			return col, p.fault(at+"/values", false, "%q: %s %s a value that is not listed", col.Name, records(n), hold(n))
		}
		col.Declared = true
	}
	return col, nil
}

// labelled returns a numeric column as an ordered categorical one, and any other as it is.
func labelled(c table.Column) (table.Column, error) {
	t, err := table.New(c)
	if err != nil {
		return c, err
	}
	if t, err = t.AsCategorical(0, 0); err != nil {
		return c, err
	}
	return t.Column(0), nil
}

// recode gives the column the declared labels and returns the number of records whose label is not declared.
func recode(c *table.Column, values []Text) (bad int) {
	code := make(map[string]int32, len(values))
	labels := make([]string, len(values))
	for k, v := range values {
		labels[k] = string(v)
		code[labels[k]] = int32(k)
	}
	trans := make([]int32, len(c.Labels))
	for k, l := range c.Labels {
		to, ok := code[l]
		if !ok {
			to = -1
		}
		trans[k] = to
	}
	codes := make([]int32, len(c.Cat))
	for i, v := range c.Cat {
		codes[i] = -1
		if v < 0 {
			continue
		}
		if codes[i] = trans[v]; trans[v] < 0 {
			bad++
		}
	}
	c.Labels, c.Cat = labels, codes
	return bad
}

func records(n int) string {
	if n == 1 {
		return "1 record"
	}
	return strconv.Itoa(n) + " records"
}

func hold(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}
