package report

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// negligible is the share of a measure's range below which a difference is not called one.
const negligible = 0.01

// gauge is a measure of a comparison made ready to be shown: its words, and its figures on one scale with one number of decimals.
type gauge struct {
	*study.Criterion
	index    int
	name     string  // for headings: Prediction accuracy
	varied   string  // the parameters in its label, where it is taken with several
	noun     string  // inside a sentence: prediction accuracy
	unit     string  // what follows the figure: %, bits
	of       string  // what it is a figure of: of the records
	factor   float64 // from the score to the figure shown
	decimals int
	lo, hi   float64 // possible figures; infinite when unbounded
	margin   float64 // differences up to it do not count
}

// mostTitle is the longest title that serves as a name; a longer one gives way to the short published name.
const mostTitle = 24

func newGauge(c *study.Comparison, k int) gauge {
	m := &c.Measures[k]
	g := gauge{Criterion: m, index: k, factor: 1, unit: m.Unit}
	g.name = shortName(m.Title, m.Name)
	g.noun = g.name
	if r := []rune(g.name); len(r) > 1 && unicode.IsLower(r[1]) {
		g.noun = strings.ToLower(string(r[:1])) + string(r[1:])
	}
	if extra, ok := strings.CutPrefix(m.Label, m.Name+" "); ok {
		varied, who, _ := strings.Cut(extra, "(") // the label is: name parameters (intruder)
		g.varied = strings.TrimSpace(varied)
		said := strings.TrimPrefix(g.varied+", "+strings.TrimSuffix(who, ")"), ", ")
		said = strings.TrimSuffix(said, ", ")
		g.name, g.noun = g.name+", "+said, g.noun+" ("+said+")"
	}
	if rest, ok := strings.CutPrefix(m.Unit, "%"); ok {
		g.unit, g.of = "%", strings.TrimSpace(rest)
	} else if rest, ok := strings.CutPrefix(m.Unit, "share"); ok {
		g.unit, g.of, g.factor = "%", strings.TrimSpace(rest), 100
	}
	g.lo, g.hi = m.Range.Lo*g.factor, m.Range.Hi*g.factor
	if !(g.hi > g.lo) {
		g.lo, g.hi = math.Inf(-1), math.Inf(1)
	}
	g.scale(c)
	return g
}

// scale sets the decimals, from the largest figure so that all have the same, and the margin.
func (g *gauge) scale(c *study.Comparison) {
	largest := 0.0
	for _, s := range c.Summaries {
		if v := math.Abs(s.Mean * g.factor); s.Measure == g.index && s.Part == "" && v > largest && !math.IsInf(v, 0) {
			largest = v
		}
	}
	g.decimals = 3
	if largest > 0 {
		g.decimals = min(max(3-int(math.Floor(math.Log10(largest))), 0), 6)
	}
	if largest >= 0.1 {
		g.decimals = min(g.decimals, 3)
	}
	g.margin = negligible * largest
	if !math.IsInf(g.hi-g.lo, 0) {
		g.margin = negligible * (g.hi - g.lo)
	}
	if g.unit == "%" {
		g.decimals = 1
	}
}

// shortName returns the printed title; when that is too long for a label the published name, an acronym in capitals.
func shortName(title, name string) string {
	if title != "" && len([]rune(title)) <= mostTitle {
		return title
	}
	word, rest, found := strings.Cut(name, "-")
	if !acronym(word, title) {
		return upper(name)
	}
	if found {
		rest = "-" + rest
	}
	return strings.ToUpper(word) + rest
}

// acronym reports whether the name is made of initials of the title, as sers is, or the title is itself written in capitals.
func acronym(name, title string) bool {
	left, capitals := name, 0
	for _, w := range strings.Fields(title) {
		r := []rune(w)[0]
		if unicode.IsUpper(r) {
			capitals++
		}
		left = strings.TrimPrefix(left, strings.ToLower(string(r)))
	}
	return left == "" || capitals > 2
}

func (g *gauge) higher() bool { return g.Better == measure.Higher }

// figure writes a value without and with its unit.
func (g *gauge) figure(v float64) string { return chart.Fixed(v, g.decimals) }

func (g *gauge) full(v float64) string {
	return strings.TrimSpace(g.figure(v) + " " + g.unit)
}

// direction says in words which end is good.
func (g *gauge) direction() string {
	if g.Side == measure.Risk {
		return string(g.Better) + " is safer"
	}
	return string(g.Better) + " is better"
}

// heading is the name with its unit, for axes.
func (g *gauge) heading() string {
	if u := strings.TrimSpace(g.unit + " " + g.of); u != "" {
		return g.name + ", " + u
	}
	return g.name
}

// clearly reports whether a is clearly better than b.
func (g *gauge) clearly(a, b chart.Estimate) bool {
	if !a.Known() || !b.Known() {
		return false
	}
	if g.higher() {
		return a.Above(b, g.margin)
	}
	return b.Above(a, g.margin)
}

// better reports whether the figure a is better than b.
func (g *gauge) better(a, b float64) bool {
	if g.higher() {
		return a > b
	}
	return a < b
}

// between writes a span of figures, low to high.
func (g *gauge) between(lo, hi float64) string {
	if g.figure(lo) == g.figure(hi) {
		return g.full(hi)
	}
	return g.figure(lo) + " to " + g.full(hi)
}

// marginText writes the margin for a reader: 1 point, 0.01, 0.09 bits.
func (g *gauge) marginText() string {
	s := strconv.FormatFloat(g.margin, 'g', 2, 64)
	switch {
	case g.unit != "%":
		return strings.TrimSpace(s + " " + g.unit)
	case s == "1":
		return "1 point"
	}
	return s + " points"
}
