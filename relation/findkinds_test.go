package relation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// finds fails the test unless exactly these relations are found.
func finds(t *testing.T, cols []table.Column, want ...string) {
	t.Helper()
	if got := texts(find(t, cols, Options{})); !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// TestFindStrict: below is below where equal numbers would come by chance, and only there.
func TestFindStrict(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 6)), 1600}
	low := m.below("low", 30)
	rare := m.num("rare", 1, func(int) float64 { return float64(m.IntN(1_000_000)) })
	finds(t, []table.Column{
		low, m.num("high", 1, func(i int) float64 { return low.Num[i] + float64(1+m.IntN(20)) }),
		rare, m.num("more", 1, func(i int) float64 { return rare.Num[i] + float64(1+m.IntN(900_000)) }),
	}, "low < high", "rare <= more")
	high := m.num("high", 1, func(i int) float64 { return low.Num[i] + float64(1+m.IntN(20)) })
	high.Num[7] = low.Num[7]
	finds(t, []table.Column{low, high}, "low <= high")
}

// TestFindSparseSums: columns that only some records have are summed, though no record has all columns.
func TestFindSparseSums(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 7)), 1200}
	kind := m.cat("kind", 4, func(int) int { return m.IntN(4) })
	cols := []table.Column{kind}
	for k := range 3 {
		of := func(name string, of func(i int) float64) table.Column {
			return m.num(name+string(rune('0'+k)), 1, func(i int) float64 {
				if int(kind.Cat[i]) != k {
					return math.NaN()
				}
				return of(i)
			})
		}
		a := of("a", func(int) float64 { return float64(m.IntN(900)) })
		b := of("b", func(int) float64 { return float64(m.IntN(500)) })
		cols = append(cols, a, b, of("sum", func(i int) float64 { return a.Num[i] + b.Num[i] }))
	}
	all := slices.DeleteFunc(find(t, cols, Options{}), func(f Found) bool { return f.Kind == OnlyTogether })
	if got, want := texts(all), []string{"sum0 = a0 + b0", "sum1 = a1 + b1", "sum2 = a2 + b2"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// TestFindRareRepeats: what determines a column is found where a sample has hardly a value twice.
func TestFindRareRepeats(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 8)), 150_000}
	key := m.below("key", 100_000)
	finds(t, []table.Column{
		key, m.cat("of_key", 5, func(i int) int { return int(key.Num[i]) * 7919 % 5 }), m.any("other", 6),
		m.num("free", 0, func(int) float64 { return m.NormFloat64() }),
	}, "key -> of_key")
}

// TestFindClusters: of places that have a value of each column, two columns that tell the places apart are not said to
// determine all others, where one of them nearly does.
func TestFindClusters(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 9)), 900}
	place := m.cat("place", 60, func(int) int { return m.IntN(60) })
	var cols []table.Column
	for k, values := range []int{50, 45, 55, 40} {
		of := make([]float64, 60)
		for p := range of {
			of[p] = float64(m.IntN(values))
		}
		cols = append(cols, m.num(string(rune('a'+k)), 1, func(i int) float64 { return of[place.Cat[i]] }))
	}
	for _, f := range find(t, cols, Options{}) {
		if len(f.Columns) > 2 {
			t.Errorf("%s is found", f)
		}
	}
}

// TestFindHierarchy: levels of a hierarchy come as a chain; a code and its text stand for each other.
func TestFindHierarchy(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 10)), 3000}
	village := m.cat("village", 300, func(int) int { return m.IntN(300) })
	level := func(name string, values, divide int) table.Column {
		return m.cat(name, values, func(i int) int { return int(village.Cat[i]) / divide })
	}
	finds(t, []table.Column{
		level("county", 6, 50), level("county_name", 6, 50), village, level("district", 30, 10), m.any("other", 5),
	}, "county -> county_name", "village -> district", "district -> county")
}

// TestNats: the bound on chance is that of Chernoff, below the sum of Poisson's law.
func TestNats(t *testing.T) {
	for _, c := range [][2]float64{{20, 0}, {30, 1}, {100, 3}, {500, 40}} {
		sum, term := 0.0, math.Exp(-c[0])
		for k := 0.0; k <= c[1]; k++ {
			sum += term
			term *= c[0] / (k + 1)
		}
		if bound := math.Exp(-nats(c[0], c[1])); bound < sum || bound > 30*sum {
			t.Errorf("%g expected, %g seen: bound %g, chance %g", c[0], c[1], bound, sum)
		}
	}
	if nats(5, 5) != 0 || nats(5, 9) != 0 {
		t.Error("as many as expected are a surprise")
	}
}

// TestFindUnits: what holds of a few persons only, chance does, too, however many records they have.
func TestFindUnits(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 11)), 600}
	id := m.below("id", 12)
	low := m.num("low", 1, func(i int) float64 { return math.Mod(id.Num[i]*5, 12) })
	cols := []table.Column{
		id, low, m.num("high", 1, func(i int) float64 { return low.Num[i] + 1 + math.Mod(id.Num[i]*id.Num[i], 5) }),
	}
	cols[0].Role = table.Identifier
	finds(t, cols)
	finds(t, cols[1:]) // the records are 12 over and over
	finds(t, append(cols[1:], m.below("noise", 100)), "low -> high", "low < high")
}

// TestFindDividedByZero: a quotient says nothing where it is divided by 0, whatever stands there.
func TestFindDividedByZero(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 12)), 500}
	part := m.num("part", 1, func(int) float64 { return float64(1 + m.IntN(90)) })
	whole := m.num("whole", 1, func(int) float64 { return float64(max(0, m.IntN(300)-90)) })
	finds(t, []table.Column{part, whole, m.num("rate", 0.01, func(i int) float64 {
		if whole.Num[i] == 0 {
			return float64(m.IntN(100))
		}
		return 100 * part.Num[i] / whole.Num[i]
	})}, "rate = 100 * part / whole")
}

// TestFindNearly: where a column determines another but for too many records, no second column makes up for it.
func TestFindNearly(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 13)), 700}
	town := m.cat("town", 12, func(int) int { return m.IntN(12) })
	region := m.cat("region", 4, func(i int) int { return int(town.Cat[i]) / 3 })
	for i := range 2 {
		region.Cat[i] = (region.Cat[i] + 1) % 4
	}
	for _, f := range find(t, []table.Column{town, region, m.below("x", 150), m.below("y", 180),
		m.below("z", 200), m.below("u", 220), m.below("v", 240)}, Options{}) {
		if f.Kind == Determines {
			t.Errorf("%s is found", f)
		}
	}
}

// TestFindDay: the day of an age is that of all records, where those of the sample leave several.
func TestFindDay(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 14)), 40_000}
	const day = 18_795 // 2021-06-17
	born := m.date("born", func(int) float64 {
		for {
			d := math.Floor(18_000 * m.Float64())
			if near := math.Abs(math.Mod(d-day+200_000*365.25+180, 365.25) - 180); near > 15 || m.IntN(20) == 0 {
				return d
			}
		}
	})
	all := find(t, []table.Column{born, m.num("age", 1, func(i int) float64 {
		return float64(calendar.Year.Completed(int(born.Num[i]), day))
	})}, Options{})
	if got := texts(all); !slices.Equal(got, []string{"age = years(born, 2021-06-17)"}) || all[0].Broken > 0 {
		t.Errorf("found %q, broken %d", got, all[0].Broken)
	}
}

// TestFindMeans: a mean with decimals lies between whole numbers.
func TestFindMeans(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 13)), 1000}
	low := m.num("low", 1, func(int) float64 { return float64(80 + m.IntN(60)) })
	mean := m.num("mean", 0.1, func(i int) float64 { return low.Num[i] + float64(m.IntN(200))/10 })
	high := m.num("high", 1, func(i int) float64 { return math.Ceil(mean.Num[i]) + float64(m.IntN(20)) })
	finds(t, []table.Column{low, mean, high, m.below("other", 150)}, "low <= mean", "mean <= high")
}

// TestFindDoubted: an order that holds in every record, and that chance would break in ten to twenty, is asked about;
// one that is broken once is not, and one that another implies is not asked about beside it.
func TestFindDoubted(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 21)), 900}
	mother := m.num("mother", 1, func(int) float64 { return float64(1950 + m.IntN(40)) })
	child := m.num("child", 1, func(i int) float64 { return max(mother.Num[i]+16, 1982+float64(m.IntN(30))) })
	asked := func(cols ...table.Column) (out []string) {
		find(t, cols, Options{Doubted: func(orders []Relation) {
			for _, o := range orders {
				out = append(out, o.String())
			}
		}})
		return out
	}
	if got := asked(mother, child); !slices.Equal(got, []string{"mother <= child"}) {
		t.Errorf("asked about %q", got)
	}
	child.Num[5] = mother.Num[5] - 1
	if got := asked(mother, child); got != nil {
		t.Errorf("asked about %q, which one record breaks", got)
	}
	low := m.below("low", 30)
	high := m.num("high", 1, func(i int) float64 { return low.Num[i] + float64(1+m.IntN(20)) })
	if got := asked(low, high); got != nil {
		t.Errorf("asked about %q, which is found", got)
	}
}
