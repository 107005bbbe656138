package syntheticrisk

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// TestReplicatedUniquesTwin: the shares are those of the definition, looked for row by row and column by column.
func TestReplicatedUniquesTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		original := protecttest.RandomTable(r)
		if original.Width() < 2 {
			r.Skip("one column")
		}
		rows := make([][]int, original.Width())
		for j := range rows {
			rows[j] = make([]int, original.Rows())
			block := j > 0 && rapid.Bool().Draw(r, "from the record of the column before")
			for i := range rows[j] {
				if rows[j][i] = i; block {
					rows[j][i] = rows[j-1][i]
				} else if rapid.IntRange(0, 2).Draw(r, "moved") > 0 {
					rows[j][i] = rapid.IntRange(0, len(rows[j])-1).Draw(r, "from record")
				}
			}
		}
		released := original
		for j := range rows {
			var err error
			if released, err = released.WithColumn(j, original.Column(j).Gather(rows[j])); err != nil {
				r.Fatal(err)
			}
		}
		of := persons(r, original.Rows())
		who := &intruder.Intruder{Name: "x", Secret: []string{}, Gaps: rapid.Bool().Draw(r, "gaps")}
		for j := range original.Width() {
			if j == 0 || rapid.Bool().Draw(r, "known") {
				who.Knows = append(who.Knows, original.Attr(j).Name)
			}
		}
		release := &measure.Release{
			Original: original,
			Released: released,
			Intruder: who,
			Paired:   rapid.Bool().Draw(r, "paired"),
			Owners:   measure.Owners{Person: "who", Persons: map[string]map[table.RecordID]int32{"who": {}}},
		}
		for i, p := range of {
			release.Persons["who"][original.ID(i)] = p
		}
		src, reach := rng.New([32]byte{5}), rapid.SampledFrom([]float64{0, 0.1, 0.7}).Draw(r, "reach")
		m := ReplicatedUniques.New()
		m.(*ReplicatedUniquesMeter).Reach = reach
		v := must.Get(m.Measure(t.Context(), release, src))(r)
		w := &twin{release: release, of: of, reach: reach}
		alone, stands, chance := map[int32]bool{}, map[int32]float64{}, map[int32]float64{}
		for i := range original.Rows() {
			a, s, c := w.person(i, src)
			p := of[i]
			alone[p] = alone[p] || a
			stands[p], chance[p] = max(stands[p], s), max(chance[p], c)
		}
		n := float64(len(stands))
		sum := func(m map[int32]float64) (s float64) {
			for _, v := range m {
				s += v
			}
			return s
		}
		d := v.Detail.(*ReplicatedUniquesDetail)
		count := 0
		for _, a := range alone {
			if a {
				count++
			}
		}
		if d.Alone != count || d.Tried != len(stands) {
			r.Fatalf("%d of %d are alone, the twin says %d of %v", d.Alone, d.Tried, count, n)
		}
		protecttest.Near(t, "stands", d.With, sum(stands)/n, 1e-9)
		protecttest.Near(t, "chance", d.Without, sum(chance)/n, 1e-9)
		protecttest.Near(t, "score", v.Score, max(0, (sum(stands)-sum(chance))/n), 1e-9)
	})
}

func persons(r *rapid.T, n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		if out[i] = int32(i); i > 0 && rapid.IntRange(0, 4).Draw(r, "of the person before") == 0 {
			out[i] = out[i-1]
		}
	}
	return out
}

// twin knows a table by its cells.
type twin struct {
	release *measure.Release
	of      []int32
	reach   float64
	spreads map[int]float64 // by column, once worked out
}

func (w *twin) deviation(j int) float64 {
	v, known := w.spreads[j]
	if !known {
		if v = spread(w.release.Original.Num(j)); w.spreads == nil {
			w.spreads = map[int]float64{}
		}
		w.spreads[j] = v
	}
	return v
}

// differ lists the columns in which two records differ.
func (w *twin) differ(t *table.Table, row, person int, reach float64) (out []int) {
	for j := range t.Width() {
		if t.Attr(j).Kind == table.Numeric && !t.MissingAt(row, j) && !w.release.Original.MissingAt(person, j) {
			if math.Abs(t.Num(j)[row]-w.release.Original.Num(j)[person]) > reach*w.deviation(j) {
				out = append(out, j)
			}
		} else if text(t, row, j) != text(w.release.Original, person, j) {
			out = append(out, j)
		}
	}
	return out
}

func spread(values []float64) float64 {
	n, sum, square := 0.0, 0.0, 0.0
	for _, v := range values {
		if v == v {
			n, sum = n+1, sum+v
		}
	}
	for _, v := range values {
		if v == v {
			square += (v - sum/n) * (v - sum/n)
		}
	}
	return math.Sqrt(square / max(1, n))
}

func (w *twin) person(i int, src rng.Source) (alone bool, stands, chance float64) {
	original, released := w.release.Original, w.release.Released
	for _, reach := range []float64{w.reach, 0} {
		taken := map[int]bool{} // columns without which somebody else has the row
		alone = true
		for k := range original.Rows() {
			if w.of[k] == w.of[i] {
				continue
			}
			d := slices.DeleteFunc(w.differ(original, k, i, reach), func(j int) bool {
				return !slices.Contains(w.release.Intruder.Knows, original.Attr(j).Name) ||
					!w.release.Intruder.Gaps && original.MissingAt(i, j)
			})
			switch len(d) {
			case 0:
				alone = false
			case 1:
				taken[d[0]] = true
			}
		}
		if !alone {
			continue
		}
		weigh := func(columns []int, in func(j int) bool) (sum int) {
			for _, j := range columns {
				switch {
				case !in(j):
				case taken[j]:
					sum += 2
				default:
					sum++
				}
			}
			return sum
		}
		perm := src.Fork(strconv.Itoa(i)).Rand().Perm(original.Width())
		ordered := w.order()
		half := map[int]bool{}
		for _, k := range perm[:len(perm)/2] {
			half[ordered[k]] = true
		}
		type row struct {
			a, b int
			far  float64
		}
		var rows []row
		for k := range released.Rows() {
			if w.release.Paired && w.of[k] == w.of[i] {
				continue
			}
			d := w.differ(released, k, i, reach)
			rows = append(
				rows,
				row{
					weigh(d, func(j int) bool { return half[j] }),
					weigh(d, func(j int) bool { return !half[j] }),
					w.far(k, i, d, half),
				},
			)
		}
		var own, rest []row
		for _, o := range rows {
			if o.a+o.b <= 1 {
				stands = 1
			}
			if o.a <= 1 {
				own = append(own, o)
			} else {
				rest = append(rest, o)
			}
		}
		slices.SortStableFunc(rest, func(x, y row) int { return x.a - y.a })
		end := 0
		for end < len(rest) && (end < max(30, len(own)) || rest[end].a == rest[end-1].a) {
			end++
		}
		if end == 0 {
			return true, stands, stands
		}
		rest = rest[:end]
		slices.SortStableFunc(rest, func(x, y row) int { return cmp.Compare(x.far, y.far) })
		last := 0.0
		for end = 0; end < len(rest) && (end < max(30, len(own)) || rest[end].far <= last+1e-9); end++ {
			if end < max(30, len(own)) {
				last = rest[end].far
			}
		}
		none := 1.0
		for _, o := range own {
			hits := 0.0
			for _, other := range rest[:end] {
				if o.a+other.b <= 1 {
					hits++
				}
			}
			none *= 1 - hits/float64(end)
		}
		return true, stands, 1 - none
	}
	return false, 0, 0
}

// far is how far a released record is from a person's in half of the columns, of which it differs in some.
func (w *twin) far(row, person int, differs []int, half map[int]bool) (sum float64) {
	for j := range w.release.Original.Width() {
		a, b := w.release.Original.Column(j), w.release.Released.Column(j)
		switch {
		case !half[j]:
		case a.Kind == table.Numeric && !math.IsNaN(a.Num[person]) && !math.IsNaN(b.Num[row]):
			if a.Num[person] != b.Num[row] {
				sum += min(math.Abs(a.Num[person]-b.Num[row])/w.deviation(j), 4)
			}
		case slices.Contains(differs, j):
			sum++
		}
	}
	return sum
}

// order is that in which the measure compares columns, which decides what halves a draw makes.
func (w *twin) order() []int {
	view, err := w.release.View()
	if err != nil {
		panic(err) // the intruder knows columns that there are
	}
	c, err := compile(w.release, view, w.reach)
	if err != nil {
		panic(err)
	}
	var out []int
	for _, k := range c.columns {
		for j := range w.release.Original.Width() {
			col := w.release.Original.Column(j)
			if k.num[0] != nil && col.Num != nil && &k.num[0][0] == &col.Num[0] ||
				k.code[0] != nil && col.Cat != nil && &k.code[0][0] == &col.Cat[0] {
				out = append(out, j)
			}
		}
	}
	return out
}

// text returns a value as text.
func text(t *table.Table, i, j int) string {
	switch {
	case t.MissingAt(i, j):
		return "missing"
	case t.Attr(j).Kind == table.Numeric:
		return fmt.Sprint(t.Num(j)[i])
	}
	return "category " + t.Attr(j).Labels[t.Cat(j)[i]]
}

// TestManyRecords: records are compared 64 at a time, and what comes of it for a person is what the twin says, in
// tables of many times 64 of which the last is no whole one, with and without missing values.
func TestManyRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	tab := protecttest.AdultLike(t, 4196)
	age := slices.Clone(tab.Num(0))
	age[3], age[2053] = math.NaN(), math.NaN()
	for _, original := range []*table.Table{tab, tab.WithNum(0, age)} {
		release := &measure.Release{Original: original, Released: mixed(t, original, r, 1, 2), Intruder: everything}
		view := must.Get(release.View())(t)
		w := &twin{release: release, of: make([]int32, original.Rows()), reach: 0.1}
		for i := range w.of {
			w.of[i] = int32(i)
		}
		who := *everything
		who.Knows = nil
		for j := range original.Width() {
			who.Knows = append(who.Knows, original.Attr(j).Name)
		}
		release.Intruder = &who
		c := must.Get(compile(release, view, 0.1))(t)
		s, src := newSeeker(c, original.Rows()), rng.New([32]byte{5})
		for _, i := range []int{0, 3, 63, 64, 4195} {
			alone, stands, chance := w.person(i, src)
			var a bool
			var b, c float64
			if a = s.alone(i); a {
				b, c = s.look(i, src.Fork(strconv.Itoa(i)).Rand())
			}
			if a != alone || b != stands || math.Abs(c-chance) > 1e-9 {
				t.Errorf("record %d: %v %v %v, the twin says %v %v %v", i, a, b, c, alone, stands, chance)
			}
		}
	}
}
