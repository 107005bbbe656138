package relation

import (
	"context"
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// hospital makes a table of stays: five rules hold in every record.
func hospital(n int) []table.Column {
	m := maker{rand.New(rand.NewPCG(2, 3)), n}
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(i)
	}
	born := m.date("born", func(int) float64 { return -18_000 + 25_000*m.Float64() })
	died := m.date("died", func(i int) float64 { return born.Num[i] + 7000 + 28_000*m.Float64() })
	admitted := m.date("admitted", func(i int) float64 {
		return born.Num[i] + 6000 + (died.Num[i]-born.Num[i]-7000)*m.Float64()
	})
	discharged := m.date("discharged", func(i int) float64 {
		return min(died.Num[i], admitted.Num[i]+1+math.Floor(20*m.Float64()))
	})
	a := m.num("cost_a", 0.01, func(int) float64 { return 300 * m.ExpFloat64() })
	b := m.num("cost_b", 0.01, func(int) float64 { return 700 * m.ExpFloat64() })
	return []table.Column{
		table.CatColumn("pid", labels(n), ids), born, died,
		m.num("age_at_death", 1, func(i int) float64 {
			return float64(calendar.Year.Completed(int(born.Num[i]), int(died.Num[i])))
		}),
		admitted, discharged,
		m.num("days", 1, func(i int) float64 { return discharged.Num[i] - admitted.Num[i] }),
		m.any("ward", 4), a, b, m.num("cost_total", 0.01, func(i int) float64 { return a.Num[i] + b.Num[i] }),
		m.any("ill", 2),
	}
}

// TestFindRulesOfHospital: the rules between the columns are all that is found, as people write them.
func TestFindRulesOfHospital(t *testing.T) {
	want := []string{"days = discharged - admitted", "cost_total = cost_a + cost_b", "born <= admitted",
		"admitted <= discharged", "discharged <= died", "age_at_death = years(born, died)"}
	for _, n := range []int{800, 20_000} {
		if got := texts(find(t, hospital(n), Options{})); !slices.Equal(got, want) {
			t.Errorf("%d records: found %q, expected %q", n, got, want)
		}
	}
	want = []string{"born <= admitted", "admitted <= discharged", "discharged <= died",
		"cost_a <= cost_total", "cost_b <= cost_total"}
	if got := texts(find(t, hospital(800), Options{Kinds: []Kind{Order}})); !slices.Equal(got, want) {
		t.Errorf("only orders: found %q, expected %q", got, want)
	}
}

// TestFindDerived: what is written as derived is what people derive, and its columns are not said to determine each
// other besides.
func TestFindDerived(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(4, 5)), 900}
	age, education := m.num("age", 1, func(int) float64 { return float64(25 + m.IntN(40)) }), m.below("education", 18)
	experience := m.num("experience", 1, func(i int) float64 { return age.Num[i] - education.Num[i] - 6 })
	x, y := m.below("x", 50), m.below("y", 70)
	grams := m.num("grams", 1, func(int) float64 { return float64(m.IntN(4000)) })
	cols := []table.Column{
		age, education, experience, x, y, m.num("mean", 0.5, func(i int) float64 { return (x.Num[i] + y.Num[i]) / 2 }), grams,
		m.num("kilograms", 0.001, func(i int) float64 { return grams.Num[i] / 1000 }),
		m.num("all", 0.5, func(i int) float64 { return x.Num[i] + y.Num[i] + 30 }),
	}
	want := []string{"experience = age - education - 6", "mean = 0.5 * x + 0.5 * y", "grams = 1000 * kilograms",
		"all = 2 * mean + 30"}
	got := texts(find(t, cols, Options{}))
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// TestFindFormulaOnce: what determines a part of a sum is not said to determine the sum, too.
func TestFindFormulaOnce(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(6, 5)), 2000}
	net := m.num("net", 100, func(int) float64 { return float64(100 * (3 + m.IntN(37))) })
	tax := m.num("tax", 1, func(i int) float64 { return math.Floor(net.Num[i] / (5 - 2*math.Floor(net.Num[i]/2000))) })
	cols := []table.Column{m.below("age", 60), net, tax, m.any("sector", 3),
		m.num("gross", 1, func(i int) float64 { return net.Num[i] + tax.Num[i] })}
	if got, want := texts(find(t, cols, Options{Kinds: []Kind{Linear, Determines}})),
		[]string{"net -> tax", "gross = net + tax"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// TestFindInstants: dates with times are subtracted in days.
func TestFindInstants(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(5, 5)), 700}
	start, end := make([]float64, m.n), make([]float64, m.n)
	for i := range start {
		start[i] = 60 * float64(25_000_000+m.IntN(500_000))
		end[i] = start[i] + 60*float64(m.IntN(20_000))
	}
	cols := []table.Column{
		table.DateColumn("start", calendar.ISOTime, start), table.DateColumn("end", calendar.ISOTime, end),
		m.num("minutes", 1, func(i int) float64 { return (end[i] - start[i]) / 60 }),
	}
	all := find(t, cols, Options{})
	want := []string{"minutes = 1440 * end - 1440 * start", "start <= end"}
	if got := texts(all); !slices.Equal(got, want) || all[0].Broken > 0 {
		t.Errorf("found %q, expected %q without a break", got, want)
	}
}

// TestFindParts: months and times of the day are in order, and what lies between them is found: whole months, minutes.
func TestFindParts(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(5, 6)), 700}
	from, to, came, left := make([]float64, m.n), make([]float64, m.n), make([]float64, m.n), make([]float64, m.n)
	for i := range from {
		from[i] = float64(300 + m.IntN(250))
		to[i] = from[i] + float64(m.IntN(60))
		came[i] = float64(360 + m.IntN(600))
		left[i] = came[i] + float64(5+m.IntN(300))
	}
	cols := []table.Column{
		table.DateColumn("from", "yyyymm", from), table.DateColumn("to", "yyyymm", to),
		table.DateColumn("came", "hh:mm", came), table.DateColumn("left", "hh:mm", left),
		m.num("months", 1, func(i int) float64 { return to[i] - from[i] }),
		m.num("minutes", 1, func(i int) float64 { return left[i] - came[i] }),
	}
	all := texts(find(t, cols, Options{}))
	want := []string{"came <= left", "from <= to", "minutes = 1440 * left - 1440 * came", "months = months(from, to)"}
	if slices.Sort(all); !slices.Equal(all, want) {
		t.Errorf("found %q, expected %q", all, want)
	}
}

// adult reads the public data set: "?" is missing.
func adult(t *testing.T) []table.Column {
	f := must.Get(os.Open(dataset.File(t, "adult/adult.csv")))(t)
	defer f.Close()
	records := must.Get(csv.NewReader(f).ReadAll())(t)
	var cols []table.Column
	for j, name := range records[0] {
		num, codes := make([]float64, len(records)-1), make([]int32, len(records)-1)
		code, isNumber := map[string]int32{}, true
		var labels []string
		for i, r := range records[1:] {
			v, err := strconv.ParseFloat(r[j], 64)
			num[i], isNumber = v, isNumber && err == nil
			if codes[i] = -1; r[j] != "?" {
				if _, known := code[r[j]]; !known {
					code[r[j]] = int32(len(labels))
					labels = append(labels, r[j])
				}
				codes[i] = code[r[j]]
			}
		}
		if isNumber {
			cols = append(cols, table.NumColumn(name, 1, num))
		} else {
			cols = append(cols, table.CatColumn(name, labels, codes))
		}
	}
	return cols
}

// TestFindAdult: the code of the education and its text, and one female husband among 4,364 expected.
func TestFindAdult(t *testing.T) {
	long.Only(t, "32,561 records")
	all := find(t, adult(t), Options{})
	for _, want := range []Found{
		{Relation{Kind: Determines, Columns: []string{"education", "education_num"}}, 32_561, 0, true},
		{Relation{Kind: NeverTogether, Columns: []string{"relationship", "sex"}, Other: "Husband", Value: "Female"},
			4364, 1, false},
	} {
		if !slices.ContainsFunc(all, func(f Found) bool {
			return f.Equal(&want.Relation) && f.Checked == want.Checked && f.Broken == want.Broken && f.Both == want.Both
		}) {
			t.Errorf("%s, checked %d, broken %d, is not found among %q", want, want.Checked, want.Broken, texts(all))
		}
	}
	for _, f := range all {
		if f.Kind != NeverTogether && f.Columns[0] != "education" || slices.Contains(f.Columns, "education_num") && !f.Both {
			t.Errorf("%s is found", f)
		}
	}
}

// TestFindSame: the result is the same on one core and on several, and at every call.
func TestFindSame(t *testing.T) {
	cols, _ := planted(maker{rand.New(rand.NewPCG(1, 1)), long.Of(600, 3000)}, 0.03, 1)
	tab := tabletest.Of(t, cols...)
	var first []Found
	for _, cores := range []int{1, 2, 7, 2}[:long.Of(2, 4)] {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		all := must.Get(Find(context.Background(), tab, Options{}))(t)
		if first == nil {
			first = all
		}
		if !slices.Equal(texts(first), texts(all)) {
			t.Errorf("%d cores: %q, expected %q", cores, texts(all), texts(first))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if all, err := Find(ctx, tab, Options{}); !errors.Is(err, context.Canceled) || all != nil {
		t.Errorf("a cancelled context gives %v and %d relations", err, len(all))
	}
}

// TestFindLeavesOut: no identifier, no set, no unique column and no empty table.
func TestFindLeavesOut(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(6, 6)), 500}
	unique := m.num("unique", 1, func(i int) float64 { return float64(i * 7 % 500) })
	id := m.below("id", 60)
	id.Role = table.Identifier
	cols := []table.Column{unique, id, m.num("of_id", 1, func(i int) float64 { return id.Num[i] + 3 }),
		tabletest.Baskets("items", m.n), m.any("group", 5)}
	if got := texts(find(t, cols, Options{})); len(got) > 0 {
		t.Errorf("found %q", got)
	}
	for j := range cols {
		cols[j] = cols[j].Slice(0, 0)
	}
	if got := texts(find(t, cols, Options{})); len(got) > 0 {
		t.Errorf("found %q in an empty table", got)
	}
}

// TestFindFloats: decimals that are held without a grid are summed as those on one.
func TestFindFloats(t *testing.T) {
	cols := hospital(900)[8:11]
	for j := range cols {
		cols[j].Step = 0
		if j == 2 {
			for i := range cols[j].Num {
				cols[j].Num[i] = cols[0].Num[i] + cols[1].Num[i]
			}
		}
	}
	if got, want := texts(find(t, cols, Options{})), []string{"cost_total = cost_a + cost_b"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// TestRational: ratios come back from their residues.
func TestRational(t *testing.T) {
	for _, c := range [][2]int64{{0, 1}, {1, 1}, {-1, 1}, {1, 2}, {-7, 10}, {100_000, 3}, {-1, 86_400}, {1 << 38, 1}} {
		v := times61(residue(c[0]), inverse(residue(c[1])))
		if num, den, ok := rational(v); !ok || num != c[0] || den != c[1] {
			t.Errorf("%d/%d comes back as %d/%d, %t", c[0], c[1], num, den, ok)
		}
	}
}
