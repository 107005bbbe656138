package formattest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
)

var nan = math.NaN()

// odd are labels and names that mean something in one format or another: missing marks, separators, quotes, comments,
// line ends, numbers.
var odd = []string{
	"plain",
	"?",
	"NA",
	"NaN",
	"",
	" leading",
	"trailing ",
	"a,b",
	"a;b",
	"a|b",
	"a\tb",
	`"`,
	`say "hi"`,
	"'",
	"it's",
	"\n",
	"\r",
	"\r\n",
	"two\nlines",
	"{",
	"}",
	"{1 x}",
	"%",
	"# no comment",
	"@data",
	"@relation r",
	`\`,
	`\n`,
	`\u001E`,
	"\x1e",
	"\x01",
	"\ufeff",
	"\u00e9",
	"\u65e5\u672c",
	"\U0001f600",
	"e\u0301",
	"null",
	"nil",
	"true",
	"1",
	"007",
	"-1.50",
	"1,5",
	"1e5",
	"Inf",
	"2026-01-02",
	"12:30",
	"PAR1",
	"=1+1",
}

// large is the table of many records.
const large = "large"

// longTexts is the table whose texts are longer than some formats hold.
const longTexts = "long texts"

// secret is a label that no message may hold.
const secret = "Zarathustra"

func must(cols ...table.Column) *table.Table {
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}

// small is a table with everything that files are damaged in.
func small() *table.Table {
	return must(table.NumColumn("count", 1, []float64{12, nan, -7, 40}),
		table.NumColumn("wage", 0.01, []float64{1.25, 1000.5, nan, -3}),
		table.CatColumn("town", []string{secret, "a,b", "x"}, []int32{0, 1, -1, 2}))
}

// big has enough records for readers and writers to share the work.
func big() *table.Table {
	const rows = 40_000
	n, w, c := make([]float64, rows), make([]float64, rows), make([]int32, rows)
	for i := range rows {
		n[i], w[i], c[i] = float64(i), float64(i%977)/100, int32(i%3)-1
		if i%10 == 4 {
			n[i] = nan
		}
	}
	return must(table.NumColumn("n", 1, n), table.NumColumn("w", 0.01, w),
		table.CatColumn("c", []string{"left", "right, or so"}, c))
}

// cases are the tables that every format must keep.
func cases() map[string]*table.Table {
	out := map[string]*table.Table{
		"mixed":  small(),
		large:    big(),
		"wide":   wide(long.Of(500, 5000)),
		"labels": must(table.CatColumn("a", odd, ordered(len(odd))), table.NumColumn("n", 1, make([]float64, len(odd)))),
		"names":  manyNames(),
		"numbers": must(table.NumColumn("integers", 1, []float64{0, -1, 999_999_999_999_999, 3}),
			table.NumColumn("cents", 0.01, []float64{0.01, -0.99, 1e9 + 0.25, 2}),
			table.NumColumn("fine", 1e-6, []float64{0.000001, 0.1, 3, -2.5}),
			table.NumColumn("continuous", 0, []float64{math.Pi, math.MaxFloat64, math.SmallestNonzeroFloat64, -1e-300})),
		"dates": must(table.DateColumn("iso", "yyyy-mm-dd", []float64{20455, nan, -1, 2_932_896}),
			table.DateColumn("points", "d.m.yyyy", []float64{20455, nan, -1, -719_162}),
			table.DateColumn("doubtful", "mm/dd/yyyy", []float64{20455, 20455, nan, 20455}),
			table.DateColumn("minutes", "dd/mm/yyyy hh:mm", []float64{nan, -1, 1, 20_455 * 1440}),
			table.DateColumn("midnights", "yyyy-mm-dd hh:mm:ss", []float64{-86_400, 0, 86_400, nan}),
			table.DateColumn("millionths", "yyyy-mm-ddThh:mm:ss.ffffffZ", []float64{-1, nan, 1, 1_767_323_045_000_000}),
			table.DateColumn("all", "dd-mm-yyyy", []float64{nan, nan, nan, nan}),
			table.CatColumn("text", []string{"2026-01-02", "1969-12-31"}, []int32{0, -1, 1, 0})),
		"missing": must(table.NumColumn("first", 1, []float64{nan, 1, 2}),
			table.NumColumn("last", 0.1, []float64{0.5, 1, nan}), table.NumColumn("all", 1, []float64{nan, nan, nan}),
			table.CatColumn("first label", []string{"x"}, []int32{-1, 0, 0}),
			table.CatColumn("last label", []string{"x", ""}, []int32{0, 1, -1}),
			table.CatColumn("no label", nil, []int32{-1, -1, -1})),
		"no record":           must(table.NumColumn("n", 1, []float64{}), table.CatColumn("c", nil, []int32{})),
		"no record, a number": must(table.NumColumn("n", 1, []float64{})),
		"one column":          must(table.CatColumn("c", []string{"x", ""}, []int32{-1, 0, -1, -1, 1, -1})),
		"one missing value":   must(table.NumColumn("n", 1, []float64{nan})),
		"one value":           must(table.NumColumn("n", 1, []float64{5})),
	}
	long := strings.Repeat("\u00e9\"a,\n ", long.Of(1<<14, 1<<17))
	out[longTexts] = must(table.CatColumn(strings.Repeat("name, ", 1<<12), []string{long, "x"}, []int32{0, 1, -1, 0}),
		table.CatColumn("c", []string{"y"}, []int32{0, 0, 0, 0}))
	return out
}

func ordered(n int) []int32 {
	codes := make([]int32, n)
	for i := range codes {
		codes[i] = int32(i)
	}
	return codes
}

func wide(width int) *table.Table {
	cols := make([]table.Column, width)
	for j := range cols {
		name := fmt.Sprintf("column %d", j)
		if cols[j] = table.NumColumn(name, 1, []float64{float64(j), nan, 1}); j%2 == 1 {
			cols[j] = table.CatColumn(name, []string{"x", "y"}, []int32{0, -1, 1})
		}
	}
	return must(cols...)
}

func manyNames() *table.Table {
	var cols []table.Column
	for k, name := range odd {
		if name != "" {
			cols = append(cols, table.NumColumn(name, 1, []float64{float64(k), 1}))
		}
	}
	return must(cols...)
}

// draw returns a random table.
func draw(r *rand.Rand) *table.Table {
	rows := r.IntN(12)
	cols := make([]table.Column, 1+r.IntN(4))
	for j := range cols {
		name := odd[r.IntN(len(odd))] + fmt.Sprint(j)
		if r.IntN(2) == 0 {
			cols[j] = drawNumbers(r, name, rows)
		} else {
			cols[j] = drawLabels(r, name, rows)
		}
	}
	return must(cols...)
}

func drawNumbers(r *rand.Rand, name string, rows int) table.Column {
	v, scale := make([]float64, rows), math.Pow10(r.IntN(5))
	exact := false // a value needs the grid of 1/scale
	for i := range v {
		v[i] = nan
		if r.IntN(5) > 0 {
			k := r.Int64N(2e9) - 1e9
			v[i], exact = float64(k)/scale, exact || k%10 != 0
		}
	}
	if exact {
		return table.NumColumn(name, 1/scale, v)
	}
	return table.NumColumn(name, decimal.Grid(v), v)
}

func drawLabels(r *rand.Rand, name string, rows int) table.Column {
	seen := map[string]bool{}
	var labels []string
	for range r.IntN(6) {
		l := odd[r.IntN(len(odd))]
		if r.IntN(2) == 0 {
			l += string(rune(' ' + r.IntN(95)))
		}
		if !seen[l] {
			seen[l], labels = true, append(labels, l)
		}
	}
	codes := make([]int32, rows)
	for i := range codes {
		codes[i] = int32(r.IntN(len(labels)+1)) - 1
	}
	return table.CatColumn(name, labels, codes)
}
