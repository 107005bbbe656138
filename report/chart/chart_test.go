package chart

import (
	"fmt"
	"html/template"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

var nan = math.NaN()

func TestHistograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	normal := func(n int, f func(float64) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = f(r.NormFloat64())
		}
		return out
	}
	for _, c := range []struct {
		name string
		step float64
		a, b []float64
	}{
		{"normal", 0, normal(1000, func(v float64) float64 { return v }),
			normal(1000, func(v float64) float64 { return 1.2 * v })},
		{"integers", 1, normal(1000, func(v float64) float64 { return math.Round(5 + 2*v) }),
			normal(1000, func(v float64) float64 { return math.Round(5 + 3*v) })},
		{"cents", 0.01, normal(1000, func(v float64) float64 { return math.Round(100*v) / 100 }),
			normal(1000, func(v float64) float64 { return 0.1 + 0.2 })},
		{"one class towers", 1, append(make([]float64, 900),
			normal(100, func(v float64) float64 { return math.Round(2000 + 500*v) })...),
			normal(1000, func(v float64) float64 { return math.Round(2000 + 900*v) })},
		{"towers at the end", 1, append(normal(50, func(v float64) float64 { return math.Round(50 + 9*v) }),
			slices.Repeat([]float64{9999}, 950)...), []float64{50, 51, 9999}},
		{"constant", 1, []float64{7, 7}, []float64{7, 7}},
		{"constant huge", 0, []float64{1e300}, []float64{1e300}},
		{"constant zero", 0, []float64{0}, []float64{0}},
		{"zero and one", 1, []float64{0, 1, 1}, []float64{0, 0, 1}},
		{"all missing", 1, []float64{nan, nan}, []float64{nan, nan}},
		{"released missing", 1, []float64{1, 2, 3}, []float64{nan, nan, nan}},
		{"no rows", 1, []float64{}, []float64{}},
		{"released alone", 1, nil, []float64{1, 2, 2, 3}},
		{"infinite", 0, []float64{math.Inf(1), math.Inf(-1), 1, 2}, []float64{1, 2}},
		{"whole range", 0, []float64{-math.MaxFloat64, math.MaxFloat64}, []float64{0}},
		{"tiny", 0, []float64{1e-300, 3e-300}, []float64{2e-300}},
		{"far from zero", 0, []float64{1e15, 1e15 + 1}, []float64{1e15 + 0.5}},
		{"next to each other", 0, []float64{1, math.Nextafter(1, 2)}, []float64{1}},
		{"millions", 1000, []float64{0, 120e6, 37e6}, []float64{1e6, 2e6}},
		{"negative", 1, []float64{-1e6, -3, 0}, []float64{-5e5}},
		{"odd grid", 7, []float64{0, 7, 700}, []float64{14}},
	} {
		labels := inspect(t, c.name, Histogram("h", &table.Attribute{Name: c.name, Step: c.step}, c.a, c.b))
		if len(labels) == 0 {
			t.Errorf("%s: nothing is labelled", c.name)
		}
	}
}

func TestHistogramPartition(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		step := rapid.SampledFrom([]float64{0, 1, 0.01, 0.5, 25}).Draw(t, "step")
		col := rapid.SliceOfN(rapid.Float64Range(-1e5, 1e5), 1, 60).Draw(t, "values")
		for i := range col {
			col[i] = table.Snap(col[i], step)
		}
		c := classesOf(step, col)
		if c.n < 1 || c.n > 4*mostClasses {
			t.Fatalf("%d classes", c.n)
		}
		sum := 0.0
		for k, s := range c.shares(col) {
			sum += s
			twin := 0
			for _, v := range col {
				if lo := c.lo + float64(k)*c.width; v > lo+1e-6*c.width && v < lo+c.width*(1-1e-6) {
					twin++
				}
			}
			if got := s * float64(len(col)); got < float64(twin)-1e-9 {
				t.Fatalf("class %d holds %v records, at least %d lie inside it", k, got, twin)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("shares add up to %v", sum)
		}
	})
}

func TestTowerIsCutAndTold(t *testing.T) {
	a := append(make([]float64, 900), make([]float64, 100)...)
	for i := range 100 {
		a[900+i] = float64(i)
	}
	svg := string(Histogram("h", &table.Attribute{Name: "gain", Step: 1}, a, a))
	if !strings.Contains(svg, "0 to 4: 90.5 % → 90.5 %") {
		t.Error("the class that is cut off does not tell its height")
	}
}

func TestBars(t *testing.T) {
	for n := range 14 {
		a := table.Attribute{Name: "n", Kind: table.Categorical, Ordered: n%2 == 0}
		var x, y []int32
		for k := range n {
			a.Labels = append(a.Labels, awkward[k%len(awkward)]+fmt.Sprint(k))
			for range k + 1 {
				x, y = append(x, int32(k), -1), append(y, int32(n-1-k), -1)
			}
		}
		inspect(t, fmt.Sprint(n), Bars("b", &a, x, y))
		inspect(t, fmt.Sprint(n, " alone"), Bars("b", &a, nil, y))
		rows := barsOf(&a, x, y)
		before, after := 0.0, 0.0
		for _, b := range rows {
			before, after = before+b.before, after+b.after
		}
		if len(rows) > mostBars || n > 0 && math.Abs(before-1)+math.Abs(after-1) > 1e-9 {
			t.Errorf("%d categories: %d rows, shares add up to %v and %v", n, len(rows), before, after)
		}
		if n > mostBars && rows[mostBars-1].label != fmt.Sprintf("other (%d categories)", n-mostBars+1) {
			t.Errorf("%d categories: the last row is %q", n, rows[mostBars-1].label)
		}
	}
	svg := string(Bars("b", &table.Attribute{Name: "n", Labels: []string{"kept", "gone"}}, nil, []int32{0, 0}))
	if strings.Contains(svg, "gone") {
		t.Error("a category that the release lacks is named when the release is drawn alone")
	}
}

// TestOthersDwarfNothing: of 200 categories the largest has a bar as long as the drawing, and the sum of the others a
// figure without a bar; where they are few, all are on one scale.
func TestOthersDwarfNothing(t *testing.T) {
	const room = smallWidth - barFigures - barLabel - 8
	for _, n := range []int{9, 200} {
		a := table.Attribute{Name: "code", Kind: table.Categorical}
		var x []int32
		for k := range n {
			a.Labels = append(a.Labels, fmt.Sprint("code ", k))
			for range 1 + n/(k+1) {
				x = append(x, int32(k))
			}
		}
		exact := table.CatColumn("code", a.Labels, x)
		for name, svg := range map[string]template.HTML{"bars": Bars("b", &a, x, x), "alone": Bars("b", &a, nil, x),
			"groups": Groups("b", &a, x, x, &exact)} {
			inspect(t, name, svg)
			bars := regexp.MustCompile(`width="([0-9.]+)" height="[0-9.]+" class="bar"`).FindAllStringSubmatch(string(svg), -1)
			want, longest := mostBars, 0.0
			if n == 200 {
				want--
			}
			for _, b := range bars {
				w, _ := strconv.ParseFloat(b[1], 64)
				longest = math.Max(longest, w)
			}
			said := func(key string) bool { return strings.Contains(string(svg), message.Say(key).String()) }
			if told := said("chart.noBar") && said("chart.withoutBar"); len(bars) != want || told != (n == 200) {
				t.Errorf("%s of %d: %d bars; told of one without: %v", name, n, len(bars), told)
			}
			if most := room; name != "groups" && math.Abs(longest-most) > 0.1 {
				t.Errorf("%s of %d: the longest bar has %v of %v", name, n, longest, most)
			}
		}
	}
}

// TestIntervals: categories in order are columns when they are too many for rows, in their order, without those that
// nobody has.
func TestIntervals(t *testing.T) {
	for n := range 2 * mostSteps {
		a := table.Attribute{Name: "age", Kind: table.Categorical, Ordered: true, Labels: []string{"nobody"}}
		var x, y []int32
		for k := range n {
			a.Labels = append(a.Labels, fmt.Sprintf("[%d, %d)", 500*k, 500*(k+1)))
			x, y = append(x, int32(k+1), -1), append(y, int32(k+1), int32(k+1))
		}
		both, alone := Bars("b", &a, x, y), Bars("b", &a, nil, y)
		if n < 12 || n%30 == 0 || n == mostSteps {
			inspect(t, fmt.Sprint(n, " intervals"), both)
			inspect(t, fmt.Sprint(n, " intervals alone"), alone)
		}
		in := n > mostBars && n <= mostSteps
		for name, svg := range map[string]string{"both": string(both), "alone": string(alone)} {
			if strings.Contains(svg, "Column chart of "+fmt.Sprint(n)+" columns.") != in || strings.Contains(svg, "nobody") {
				t.Fatalf("%d intervals, %s: %.300s", n, name, svg)
			}
		}
		if in &&
			(!strings.Contains(string(both), fmt.Sprintf("<title>[0, 500): original %s, released", Percent(1/float64(n)))) ||
				strings.Contains(string(alone), "before")) {
			t.Errorf("%d intervals: %.300s", n, both)
		}
	}
}

func TestHeatMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, 2, 6, 10, 14, 21, 30, 31, 100} {
		c := Correlations{}
		for i := range n {
			c.Names = append(c.Names, awkward[i%len(awkward)]+fmt.Sprint(i))
			c.Original, c.Released = append(c.Original, make([]float64, n)), append(c.Released, make([]float64, n))
			for j := range i {
				v, w := 2*r.Float64()-1, 2*r.Float64()-1
				if i%5 == 4 {
					v = nan
				}
				c.Original[i][j], c.Original[j][i], c.Released[i][j], c.Released[j][i] = v, v, w, w
			}
		}
		if n > 31 {
			c.Original[71][3], c.Original[3][71], c.Released[71][3], c.Released[3][71] = -1, -1, 1, 1
		}
		a, b := HeatMaps("m", c)
		inspect(t, fmt.Sprint(n, " original"), a)
		inspect(t, fmt.Sprint(n, " released"), b)
		if n > 31 && !strings.Contains(string(a), escape(c.Names[71])) {
			t.Error("the pair that changed most is left out")
		}
	}
	inspect(t, "key", HeatKey("k"))
}

func TestTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	labels := []string{"Married-civ-spouse", "Never-married", "Divorced", "<b>", "Widowed"}
	for _, leaves := range []int{1, 2, 14, 40, 80, 200, 1000} {
		for _, classes := range [][]string{{"no", "yes"}, {"one"}, awkward} {
			tr := grow(r, [3]string{"uniformity of cell size", awkward[leaves%len(awkward)], "class"}, labels, classes, leaves)
			n := len(tr.Leaves())
			opt := TreeOptions{ID: "t", Types: []byte(strings.Repeat("ABCD", n)[:n]), Match: make([]int, n)}
			name := fmt.Sprint(leaves, " leaves, ", len(classes), " classes")
			inspect(t, name, Tree(tr, opt))
			inspect(t, name+", plain", Tree(tr, TreeOptions{}))
			checkOutline(t, name, tr)
			inspect(t, name+", document", template.HTML(TreeSVG(tr, TreeOptions{Title: "<odd>"})))
		}
	}
}

// checkOutline recounts a drawing: every leaf is drawn once or among those summed up, with all the weight, and there
// are not many more lines than asked for.
func checkOutline(t *testing.T, name string, tr *tree.Tree) {
	t.Helper()
	lines, leaves, weight := 0, 0, 0.0
	last, shown := -1.0, -1
	root := outlineOf(tr, MostLeaves)
	root.settle(tr, 0, 200)
	root.lines(func(p *place) {
		lines++
		if p.y < last+treePitch && lines > 1 {
			t.Errorf("%s: lines at %v and %v", name, last, p.y)
		}
		last = p.y
		if p.node < 0 {
			leaves, weight = leaves+p.further, weight+p.weight
			return
		}
		if p.leaf <= shown {
			t.Errorf("%s: leaf %d after leaf %d", name, p.leaf, shown)
		}
		shown = p.leaf
		leaves, weight = leaves+1, weight+tr.Nodes[p.node].Weight()
	})
	if want := len(tr.Leaves()); leaves != want || lines > MostLeaves*5/4+1 {
		t.Errorf("%s: %d of %d leaves on %d lines", name, leaves, want, lines)
	}
	if want := tr.Nodes[0].Weight(); math.Abs(weight-want) > 1e-6*want {
		t.Errorf("%s: weight %v of %v", name, weight, want)
	}
}

func TestTreePair(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	classes := []string{"rare", "common"}
	a, b := grow(
		r,
		[3]string{"x", "y", "z"},
		[]string{"p", "q", "r"},
		classes,
		9,
	), grow(r, [3]string{"x", "y", "z"}, []string{"p", "q", "r"}, classes, 7)
	b.Attrs[2].Labels = []string{"common", "rare", "new"} // the release may order its classes otherwise
	n := len(b.Leaves())
	left, right := Trees("p", a, b, []byte(strings.Repeat("A", n)), make([]int, n))
	inspect(t, "left", left)
	inspect(t, "right", right)
	first := func(s string) string { return s[strings.Index(s, `class="c0"`):][:120] }
	want := classOrder(a)[0]
	if !strings.Contains(first(string(left)), want) || !strings.Contains(first(string(right)), want) {
		t.Error("the same class has different colours in the two trees")
	}
}

// TestNumbersStayWhole: a limit is never shortened, a category is.
func TestNumbersStayWhole(t *testing.T) {
	for s, want := range map[string]string{"≤ 176,871": "≤ 176,871", "> 16,789.95": "> 16,789.95",
		"= Married-civ-spouse": "= M…se", "= Craft-repair, Sales": "= Craf…"} {
		if got := shortCondition(s, 45); got != want {
			t.Errorf("%q becomes %q, expected %q", s, got, want)
		}
	}
}

func TestRules(t *testing.T) {
	tr := &tree.Tree{
		Class: 2,
		Attrs: []table.Attribute{
			{Name: "age", Step: 1},
			{Name: "job", Kind: table.Categorical, Labels: []string{"a", "b", "c"}},
			{Name: "z", Kind: table.Categorical, Labels: []string{"no", "yes"}},
		},
		Nodes: []tree.Node{
			{Attr: 0, Cut: 12345.5, Kids: []int32{1, 2}, Counts: []float64{1, 3}},
			{Attr: -1, Counts: []float64{1, 0}},
			{Attr: 1, Branch: []int32{0, 1, 0}, Kids: []int32{3, 4}, Counts: []float64{0, 3}},
			{Attr: -1, Counts: []float64{0, 2}, Label: 1},
			{Attr: -1, Counts: []float64{0, 1}, Label: 1},
		},
	}
	got := strings.Join(Rules(tr), "\n")
	if want := "age ≤ 12,345.5\nage > 12,345.5 and job = a, c\nage > 12,345.5 and job = b"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Axes, tips and cuts of a column of dates are dates, in its notation.
func TestDatesAreDrawnAsDates(t *testing.T) {
	days := make([]float64, 300)
	for i := range days {
		days[i] = float64(18_000 + 5*i)
	}
	c := table.DateColumn("seen", calendar.Notation("dd.mm.yyyy"), days)
	group, released := make([]int32, len(days)), make([]int32, len(days))
	for name, drawing := range map[string]template.HTML{"histogram": Histogram("h", &c.Attribute, days, days),
		"generalised": Generalised("g", &c.Attribute, days, group, released, 1),
		"few":         Histogram("f", &c.Attribute, days[:3], days[:3])} {
		text := string(drawing)
		for _, m := range regexp.MustCompile(`>([^<]*)<`).FindAllStringSubmatch(text, -1) {
			if regexp.MustCompile(`\b1[89],?[0-9]{3}\b`).MatchString(m[1]) {
				t.Errorf("%s: %q is the number of a day", name, m[1])
			}
		}
		if !strings.Contains(text, "14.04.2019") { // day 18,000
			t.Errorf("%s: the first day is not there", name)
		}
		if n := len(regexp.MustCompile(`>[0-9]{2}[.][0-9]{2}[.]20[12][0-9]</text>`).FindAllString(text, -1)); n < 2 {
			t.Errorf("%s: %d dates stand at the axis", name, n)
		}
	}
	if got := value(&c.Attribute, 18_000.5, 0.1); got != "14.04.2019" {
		t.Errorf("a cut after day 18,000 is %s", got)
	}
}

// TestCrowds: no class of few records is drawn, whatever the grid is, and the others keep their shares of all values.
func TestCrowds(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		step := rapid.SampledFrom([]float64{0, 1, 5}).Draw(t, "step")
		value := rapid.SampledFrom([]float64{0, 1, 2, 3, 20, 21, 70, 71, 90, math.Inf(1), math.NaN()})
		col := rapid.SliceOfN(value, 1, 300).Draw(t, "values")
		for i := range col {
			col[i] = table.Snap(col[i], step)
		}
		known := 0
		for _, v := range col {
			if v == v {
				known++
			}
		}
		svg := string(Crowds("h", &table.Attribute{Name: "x", Step: step}, col, 11))
		for _, m := range regexp.MustCompile(`: (under )?([0-9.]+) %`).FindAllStringSubmatch(svg, -1) {
			share := must.Get(strconv.ParseFloat(m[2], 64))(t)
			if m[1] == "" && math.Round(share/100*float64(known)) < 11 {
				t.Fatalf("%s %% of %d are drawn", m[2], known)
			}
		}
	})
	svg := string(Crowds("h", &table.Attribute{Name: "x", Step: 1}, slices.Concat(slices.Repeat([]float64{1}, 50),
		slices.Repeat([]float64{2}, 40), slices.Repeat([]float64{3}, 10)), 11))
	for _, want := range []string{"1: 50 %", "2: 40 %", "3: under 11 %"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is not drawn: %s", want, svg)
		}
	}
}
