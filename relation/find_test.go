package relation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// maker makes columns of so many records.
type maker struct {
	*rand.Rand
	n int
}

func (m maker) num(name string, step float64, of func(i int) float64) table.Column {
	v := make([]float64, m.n)
	for i := range v {
		v[i] = table.Snap(of(i), step)
	}
	return table.NumColumn(name, step, v)
}

func (m maker) below(name string, top int) table.Column {
	return m.num(name, 1, func(int) float64 { return float64(m.IntN(top)) })
}

func (m maker) date(name string, of func(i int) float64) table.Column {
	v := make([]float64, m.n)
	for i := range v {
		v[i] = math.Floor(of(i))
	}
	return table.DateColumn(name, calendar.ISO, v)
}

func (m maker) cat(name string, values int, of func(i int) int) table.Column {
	codes := make([]int32, m.n)
	for i := range codes {
		codes[i] = int32(of(i))
	}
	return table.CatColumn(name, labels(values), codes)
}

// any is a category by Zipf's law.
func (m maker) any(name string, values int) table.Column {
	z := rand.NewZipf(m.Rand, 1.3, 2, uint64(values-1))
	return m.cat(name, values, func(int) int { return int(z.Uint64()) })
}

// gaps takes a share of the values out of columns.
func (m maker) gaps(share float64, cols ...table.Column) []table.Column {
	for j := range cols {
		var rows []int
		for i := range m.n {
			if m.Float64() < share {
				rows = append(rows, i)
			}
		}
		cols[j] = cols[j].Blank(rows)
	}
	return cols
}

// planted makes a table with relations of every kind among independent columns, and says which; broken records break
// the relation that they are drawn for.
func planted(m maker, share float64, broken int) (cols []table.Column, want []string) {
	add := func(relation string, more ...table.Column) {
		last := &more[len(more)-1]
		for range broken { // wrong values in the last column
			i := m.IntN(m.n)
			if last.Num != nil {
				last.Num[i] = last.Num[m.IntN(m.n)] + 3*last.Step
			} else {
				last.Cat[i] = (last.Cat[i] + 1) % int32(len(last.Labels))
			}
		}
		cols = append(cols, m.gaps(share, more...)...)
		want = append(want, relation)
	}
	a, b, c := m.below("a", 900), m.below("b", 700), m.below("c", 40)
	add("total = a + b - c + 50", a, b, c, m.num("total", 1, func(i int) float64 {
		return a.Num[i] + b.Num[i] - c.Num[i] + 50
	}))
	price, amount := m.num("price", 0.01, func(int) float64 { return 1 + 90*m.Float64() }), m.below("amount", 20)
	add("cost = price * amount", price, amount, m.num("cost", 0.01, func(i int) float64 {
		return price.Num[i] * amount.Num[i]
	}))
	weight := m.num("weight", 0.1, func(int) float64 { return 75 + 12*m.NormFloat64() })
	height := m.num("height", 1, func(int) float64 { return 172 + 9*m.NormFloat64() })
	add("bmi = 10000 * weight / height^2", weight, height, m.num("bmi", 0.1, func(i int) float64 {
		return 10_000 * weight.Num[i] / (height.Num[i] * height.Num[i])
	}))
	part, whole := m.below("part", 600), m.num("whole", 1, func(int) float64 { return float64(700 + m.IntN(800)) })
	add("rate = 100 * part / whole", part, whole, m.num("rate", 0.01, func(i int) float64 {
		return 100 * part.Num[i] / whole.Num[i]
	}))
	entry := m.date("entry", func(int) float64 { return 12_000 + 900*m.Float64() })
	add("entry <= leaving", entry, m.date("leaving", func(i int) float64 { return entry.Num[i] + 300*m.ExpFloat64() }))
	low := m.num("low", 0.5, func(int) float64 { return 60 + 15*m.NormFloat64() })
	add("low <= high", low, m.num("high", 0.5, func(i int) float64 { return low.Num[i] + 20*m.ExpFloat64() }))
	born := m.date("born", func(int) float64 { return 25_000 * m.Float64() })
	seen := m.date("seen", func(i int) float64 { return born.Num[i] + 20_000*m.Float64() })
	add("age = years(born, seen)", born, seen, m.num("age", 1, func(i int) float64 {
		return float64(calendar.Year.Completed(int(born.Num[i]), int(seen.Num[i])))
	}))
	want = append(want, "born <= seen")
	hired := m.date("hired", func(int) float64 { return 9_000 + 9000*m.Float64() })
	add("service = months(hired, 2021-12-31)", hired, m.num("service", 1, func(i int) float64 {
		return float64(calendar.Month.Completed(int(hired.Num[i]), 18_992))
	}))
	asked := m.date("asked", func(int) float64 { return 17_000 + 300*m.Float64() })
	back := m.date("back", func(i int) float64 { return asked.Num[i] + 400*m.Float64() })
	add("wait = weeks(asked, back)", asked, back, m.num("wait", 1, func(i int) float64 {
		return math.Floor((back.Num[i] - asked.Num[i]) / 7)
	}))
	want = append(want, "asked <= back")
	first := m.date("first", func(int) float64 { return 14_000 + 700*m.Float64() })
	last := m.date("last", func(i int) float64 { return first.Num[i] + 200*m.ExpFloat64() })
	add("days = last - first", first, last, m.num("days", 1, func(i int) float64 { return last.Num[i] - first.Num[i] }))
	want = append(want, "first <= last")
	code := m.any("code", 12)
	add("code -> text", code, m.cat("text", 12, func(i int) int { return 11 - int(code.Cat[i]) }))
	town := m.any("town", 30)
	add("town -> region", town, m.cat("region", 7, func(i int) int { return int(town.Cat[i]) * 5 % 7 }))
	school := m.cat("school", 6, func(int) int { return m.IntN(6) })
	class := m.cat("class", 4, func(int) int { return m.IntN(4) })
	add("school, class -> teacher", school, class, m.cat("teacher", 9, func(i int) int {
		return int(school.Cat[i]*4+class.Cat[i]) * 7 % 23 % 9
	}))
	status := m.cat("status", 3, func(int) int { return m.IntN(3) })
	add("death if status = v1", status, m.num("death", 1, func(i int) float64 {
		if status.Cat[i] != 1 {
			return math.NaN()
		}
		return float64(m.IntN(40))
	}))
	due := m.cat("due", 2, func(int) int { return m.IntN(2) })
	add("paid above 0 if due = v1", due, m.num("paid", 0.01, func(i int) float64 {
		return float64(due.Cat[i]) * (1 + 500*m.Float64())
	}))
	children := m.num("children", 1, func(int) float64 { return float64(m.IntN(5)) })
	add(`youngest unless children = "0"`, children, m.num("youngest", 1, func(i int) float64 {
		if children.Num[i] == 0 {
			return math.NaN()
		}
		return float64(m.IntN(18))
	}))
	plan := m.cat("plan", 4, func(int) int { return m.IntN(4) })
	add("fee above 0 unless plan = v3", plan, m.num("fee", 0.01, func(i int) float64 {
		if plan.Cat[i] == 3 {
			return 0
		}
		return 1 + 90*m.Float64()
	}))
	broken = min(broken, 1) // of some hundreds expected
	sex := m.cat("sex", 2, func(int) int { return m.IntN(2) })
	add("never sex = v1 and role = v2", sex, m.cat("role", 4, func(i int) int {
		if r := m.IntN(4); r != 2 || sex.Cat[i] == 0 {
			return r
		}
		return 3
	}))
	return append(cols, independent(m, 6)...), want
}

// independent makes columns that have nothing to do with each other.
func independent(m maker, n int) (cols []table.Column) {
	for k := range n {
		name := fmt.Sprint("x", k)
		switch kind := m.IntN(7); kind {
		case 0:
			cols = append(cols, m.any(name, 2+m.IntN(40)))
		case 1:
			cols = append(cols, m.below(name, 2+m.IntN(2000)))
		case 2:
			cols = append(cols, m.num(name, math.Pow10(-m.IntN(3)), func(int) float64 { return 100 + 15*m.NormFloat64() }))
		case 3:
			cols = append(cols, m.num(name, 0, func(int) float64 { return m.NormFloat64() }))
		case 4:
			cols = append(cols, m.date(name, func(int) float64 { return 15_000 + 3000*m.Float64() }))
		case 5:
			z := rand.NewZipf(m.Rand, 1.5, 1, 5000)
			cols = append(cols, m.num(name, 1, func(int) float64 { return float64(z.Uint64()) }))
		default:
			values := 2 + m.IntN(8)
			cols = append(cols, m.cat(name, values, func(int) int { return m.IntN(values) }))
		}
		if m.IntN(3) == 0 {
			cols[k] = m.gaps(0.2*m.Float64(), cols[k])[0]
		}
	}
	return cols
}

func find(t testing.TB, cols []table.Column, opt Options) []Found {
	t.Helper()
	return must.Get(Find(context.Background(), tabletest.Of(t, cols...), opt))(t)
}

func texts(all []Found) (out []string) {
	for _, r := range all {
		out = append(out, r.String())
	}
	return out
}

// TestFindPlanted: what is planted is found, with its wrong records and missing values, and nothing else.
func TestFindPlanted(t *testing.T) {
	for _, n := range []int{600, 2500, 12_000}[:long.Of(1, 3)] {
		for _, share := range []float64{0, 0.05} {
			for broken := range min(n/1200, 2) + 1 {
				broken *= n / 2400
				cols, want := planted(maker{rand.New(rand.NewPCG(uint64(n), uint64(broken))), n}, share, broken)
				all := find(t, cols, Options{})
				got := texts(all)
				for _, w := range want {
					if (w == "death if status = v1" || strings.HasPrefix(w, "youngest")) && share > 0 { // the gaps break it
						continue
					}
					if !slices.Contains(got, w) {
						t.Errorf("%d records, %g missing, %d wrong: %s is not found", n, share, broken, w)
					}
				}
				for k, g := range got {
					if !slices.Contains(want, g) {
						t.Errorf("%d records, %g missing, %d wrong: %s is found (%+v)", n, share, broken, g, all[k])
					}
				}
			}
		}
	}
}
