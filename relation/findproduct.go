package relation

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
)

// factors of products and ratios: none, per cent, and centimetres squared in a metre squared.
var factors = []float64{1, 100, 10_000}

// early is how many records of the sample a product or a ratio is tried on before all are.
const early = 50

// triple is a product or a ratio to try: its columns by their places.
type triple struct {
	kind    Kind
	y, x, z int
	factor  float64
	power   int
}

// products finds the products and ratios. Of several of the same three columns, such as cost = price * amount and
// price = cost / amount, a product stays, or else that of the last column.
func (f *finder) products() ([]Found, error) {
	same := f.multiples()
	numbers := f.numbers(func(c *sample) bool { return !c.date() && !same[c.a.Name] })
	tried := float64(portable.Pow(float64(len(numbers)), 3) * 3 * float64(len(factors)))
	parts := make([][]triple, len(numbers))
	if err := parallel.Each(f.ctx, len(numbers), func(k int) error {
		parts[k] = f.tryTriples(numbers[k], numbers)
		return nil
	}); err != nil {
		return nil, err
	}
	candidates := slices.Concat(parts...)
	all, err := f.gather(len(candidates), func(k int) ([]Found, error) {
		c := candidates[k]
		cols := []int{c.y, c.x, c.z}
		r := Relation{Kind: c.kind, Columns: f.name(cols...), Factor: c.factor, Power: c.power}
		found, ok, err := f.confirm(r, cols, tried)
		if !ok {
			return nil, err
		}
		return []Found{found}, nil
	})
	best := map[[3]int]int{} // the found one that stays, by columns
	for k := range all {
		key := f.columnsOf(&all[k])
		if b, other := best[key]; !other || all[b].Kind == Ratio {
			best[key] = k
		}
	}
	var out []Found
	for k := range all {
		if best[f.columnsOf(&all[k])] == k {
			out = append(out, all[k])
		}
	}
	return out, err
}

// columnsOf returns the places of the three columns of a relation, ascending.
func (f *finder) columnsOf(r *Found) (key [3]int) {
	for k, name := range r.Columns {
		key[k] = f.place[name]
	}
	slices.Sort(key[:])
	return key
}

// multiples returns the columns that are another one times a number, by name.
func (f *finder) multiples() map[string]bool {
	out := map[string]bool{}
	for _, r := range f.known {
		if r.Kind == Linear && len(r.Columns) == 2 && r.Constant == 0 {
			out[r.Columns[0]] = true
		}
	}
	return out
}

// tryTriples returns the products and ratios that y holds in the first records of the sample in which it is not 0.
func (f *finder) tryTriples(y int, numbers []int) (out []triple) {
	half := float64(f.cols[y].step / 2 * (1 + 1e-6))
	var rows []int
	var target, first, second [early]float64
	for _, x := range numbers {
		rows = rows[:0]
		for i, v := range f.cols[y].num {
			if w := f.cols[x].num[i]; v == v && v != 0 && w == w && len(rows) < early {
				target[len(rows)], first[len(rows)] = v, w
				rows = append(rows, i)
			}
		}
		for _, z := range numbers {
			if x == y || z == y || x == z {
				continue
			}
			for k, i := range rows {
				second[k] = f.cols[z].num[i]
			}
			a, b, c := target[:len(rows)], first[:len(rows)], second[:len(rows)]
			for _, factor := range factors {
				if x < z && fits(a, b, c, factor, 0, half) {
					out = append(out, triple{Product, y, x, z, factor, 0})
				}
				for power := 1; power <= 2; power++ {
					if fits(a, b, c, factor, power, half) {
						out = append(out, triple{Ratio, y, x, z, factor, power})
					}
				}
			}
		}
	}
	return out
}

// fits reports whether y is factor x z or, with a power, factor x / z^power, rounded, in all records but one, and in
// seven at least.
func fits(y, x, z []float64, factor float64, power int, half float64) bool {
	right, wrong := 0, 0
	for i, v := range y {
		want := float64(factor * x[i])
		switch power {
		case 0:
			want = float64(want * z[i])
		case 1:
			want /= z[i]
		default:
			want /= float64(z[i] * z[i])
		}
		switch d := math.Abs(v - want); {
		case d != d || math.IsInf(d, 1): // missing, or divided by 0
		case d <= half+float64(math.Abs(want)*1e-12):
			right++
		default:
			if wrong++; wrong > 1 {
				return false
			}
		}
	}
	return right >= 7
}
