package maskeditems

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// scene is a release of sets and six categorical columns, a law of each kind, and one column without a law.
type scene struct {
	*table.Table
	law  modelfile.Model
	sets [][]int32
}

var categories = []int{3, 2, 3, 2, 2, 2} // of a to f

func draw(r *rapid.T) *scene {
	n := rapid.IntRange(1, 25).Draw(r, "records")
	s := &scene{law: modelfile.Model{Release: modelfile.Release{Records: n}}}
	var gone []bool
	var sizes []int
	most := 2
	for range n {
		items := rapid.IntRange(0, 7).Draw(r, "set")
		var set []int32
		for v := range int32(3) {
			if items>>v&1 > 0 {
				set = append(set, v)
			}
		}
		lacks := rapid.IntRange(0, 5).Draw(r, "missing") == 0
		size := rapid.IntRange(0, 3).Draw(r, "size")
		if lacks {
			set, size = nil, -1
		}
		s.sets, gone, sizes = append(s.sets, set), append(gone, lacks), append(sizes, size)
	}
	sets := table.SetsOf(s.sets, nil)
	sets.Missing = gone
	cols := []table.Column{table.SetColumn("s", []string{"x", "y", "z"}, sets)}
	for j, k := range categories {
		codes := make([]int32, n)
		for i := range codes {
			codes[i] = int32(rapid.IntRange(-1, k-1).Draw(r, "code"))
		}
		cols = append(cols, table.CatColumn(string(rune('a'+j)), []string{"p", "q", "r"}[:k], codes))
	}
	s.Table = tabletest.Must(cols...)
	ofSets := modelfile.Part{
		Columns: []string{"s"},
		Items: &modelfile.Items{
			One:  rapid.Float64Range(0.6, 0.9).Draw(r, "one"),
			Zero: rapid.Float64Range(0.6, 0.99).Draw(r, "zero"),
		},
	}
	if rapid.Bool().Draw(r, "sizes") {
		ofSets = modelfile.Part{
			Columns: []string{"s"},
			Sizes: &modelfile.Sizes{Records: sizes, Operators: []modelfile.Operator{{Items: 0, Kept: []float64{1}, Rho: 0.3},
				{
					Items: 1,
					Kept:  []float64{0.3, 0.7},
					Rho:   0.1,
				}, {Items: 2, Most: &most, Rho: 0.2}, {Items: 3, Kept: []float64{0.1, 0.2, 0.3, 0.4}, Rho: 0.1}}},
		}
	}
	s.law.Parts = []modelfile.Part{
		{
			Columns: []string{"a", "b"},
			Record:  &modelfile.Record{Gamma: rapid.Float64Range(2, 30).Draw(r, "gamma"), Categories: []int{4, 2}},
		}, ofSets,
		{
			Columns:  []string{"c"},
			Category: &modelfile.Category{Categories: 3, Keep: rapid.Float64Range(0.5, 0.9).Draw(r, "keep")},
		},
		{Columns: []string{"d", "e"}, Group: &modelfile.Group{Theta: rapid.Float64Range(0.6, 0.9).Draw(r, "theta")}},
	}
	return s
}

// plainly inverts the whole matrix of a part and returns what a released state counts for in those original states that
// are asked for.
func plainly(t testing.TB, m transition.Matrix, state int, asked func(x int) bool) (w float64) {
	inverse := must.Get(randomised.Inverse(m))(t)
	for x := range m {
		if asked(x) {
			w += inverse[x][state]
		}
	}
	return w
}

// weight is what record i counts for a set: item v of s is v, value c of column a is 3 + c, and so on. It is the
// product over the parts, by inversion of their matrices.
func (s *scene) weight(t testing.TB, i int, set []int32) float64 {
	w := 1.0
	wanted := map[int]int{} // by column
	inSet := 0
	for _, v := range set {
		if v < 3 {
			inSet |= 1 << v
			continue
		}
		v -= 3
		j := 0
		for ; int(v) >= categories[j]; j++ {
			v -= int32(categories[j])
		}
		wanted[j+1] = int(v)
	}
	for j := range wanted {
		if s.MissingAt(i, j) {
			return 0
		}
	}
	if inSet > 0 {
		if s.MissingAt(i, 0) {
			return 0
		}
		w *= s.weightOfItems(t, i, inSet)
	}
	_, hasA := wanted[1]
	_, hasB := wanted[2]
	if hasA || hasB {
		m, state, asked := s.record(i, wanted)
		w *= plainly(t, m, state, asked)
	}
	if v, ok := wanted[3]; ok {
		w *= plainly(t, transition.Uniform(3, s.law.Parts[2].Category.Keep), int(s.Cat(3)[i]),
			func(x int) bool { return x == v })
	}
	_, hasD := wanted[4]
	_, hasE := wanted[5]
	if theta := s.law.Parts[3].Group.Theta; hasD || hasE {
		m := make(transition.Matrix, 4) // states 2d + e, exchanged together
		for x := range m {
			m[x] = make([]float64, 4)
			m[x][x], m[x][3-x] = theta, 1-theta
		}
		d, e := int(s.Cat(4)[i]), int(s.Cat(5)[i])
		if !hasD {
			d = 0
		}
		if !hasE {
			e = 0
		}
		w *= plainly(t, m, 2*d+e, func(x int) bool { return (!hasD || x>>1 == wanted[4]) && (!hasE || x&1 == wanted[5]) })
	}
	if v, ok := wanted[6]; ok && int(s.Cat(6)[i]) != v {
		return 0
	}
	return w
}

// weightOfItems inverts the matrix of all 8 sets, or that of partial supports.
func (s *scene) weightOfItems(t testing.TB, i, inSet int) float64 {
	state := 0
	for _, v := range s.sets[i] {
		state |= 1 << v
	}
	p := &s.law.Parts[1]
	if p.Items != nil {
		one, m := p.Items.Bits().Matrix(), make(transition.Matrix, 8)
		for x := range m {
			for y := range m {
				m[x] = append(m[x], one[x&1][y&1]*one[x>>1&1][y>>1&1]*one[x>>2&1][y>>2&1])
			}
		}
		return plainly(t, m, state, func(x int) bool { return x&inSet == inSet })
	}
	size := func(x int) int { return x&1 + x>>1&1 + x>>2&1 }
	k := size(inSet)
	o := p.Sizes.Of(p.Sizes.Records[i]).Sizes()
	if k > o.Items() {
		return 0
	}
	return plainly(t, o.Transition(k), size(state&inSet), func(x int) bool { return x == k })
}

// record returns the matrix of the columns a (of four categories, one of which is in no record) and b that are not
// missing.
func (s *scene) record(i int, wanted map[int]int) (m transition.Matrix, state int, asked func(x int) bool) {
	a, b := int(s.Cat(1)[i]), int(s.Cat(2)[i])
	size := 8
	switch {
	case a < 0:
		size, state, asked = 2, b, func(x int) bool { return x == wanted[2] }
	case b < 0:
		size, state, asked = 4, a, func(x int) bool { return x == wanted[1] }
	default:
		state, asked = 2*a+b, func(x int) bool {
			va, okA := wanted[1]
			vb, okB := wanted[2]
			return (!okA || x/2 == va) && (!okB || x%2 == vb)
		}
	}
	gamma := s.law.Parts[0].Record.Gamma
	return transition.Uniform(size, gamma/(gamma+float64(size)-1)), state, asked
}

// Every set that is found has the estimate and the error of plain inversion, record by record; a set that is not found,
// whose subsets were, is below the threshold by more than its error, or has two values of a column.
func TestPlainInversion(t *testing.T) {
	long.Only(t, "many records")
	long.Check(t, func(r *rapid.T) {
		s := draw(r)
		c := must.Get(basket.New(s.Table, basket.Options{}))(t)
		release := must.Get(New(s.Table, c, &s.law))(t)
		threshold := rapid.Float64Range(0.05, 0.6).Draw(r, "threshold")
		found, levels, err := release.Find(t.Context(), threshold)
		must.NoError(t, err)
		estimate := func(set []int32) (share, deviation float64) {
			squares, n := 0.0, float64(s.Rows())
			for i := range s.Rows() {
				w := s.weight(t, i, set)
				share, squares = share+w/n, squares+(w*w-w)/n
			}
			return share, math.Sqrt(max(0, squares) / n)
		}
		is := map[string]bool{}
		for _, f := range found {
			is[fmt.Sprint(f.Items)] = true
			share, deviation := estimate(f.Items)
			if math.Abs(share-f.Share) > 1e-9*max(1, math.Abs(share)) || math.Abs(deviation-f.Error) > 1e-6*max(1, deviation) {
				t.Fatalf("%v: %v +- %v, expected %v +- %v", f.Items, f.Share, f.Error, share, deviation)
			}
		}
		for _, f := range append([]Found{{}}, found...) {
			for v := range int32(len(c.Items)) {
				set := append(slices.Clone(f.Items), v)
				if len(set) > 1 && set[len(set)-2] >= v || is[fmt.Sprint(set)] || !whole(is, set) || release.impossible(set) {
					continue
				}
				if share, deviation := estimate(set); share >= threshold-deviation+1e-9 {
					t.Fatalf("%v is not found: %v +- %v, threshold %v", set, share, deviation, threshold)
				}
			}
		}
		kept := 0
		for _, l := range levels {
			kept += l.Kept
		}
		if kept != len(found) {
			t.Fatalf("%d are found, the levels have %d", len(found), kept)
		}
	})
}

// whole reports whether all subsets with one item less are there.
func whole(is map[string]bool, set []int32) bool {
	for k := range set {
		if part := slices.Delete(slices.Clone(set), k, k+1); len(part) > 0 && !is[fmt.Sprint(part)] {
			return false
		}
	}
	return true
}

func TestRefused(t *testing.T) {
	tab := tabletest.Must(table.SetColumn("s", []string{"x", "y"}, table.SetsOf([][]int32{{0}, {1}}, nil)),
		table.CatColumn("c", []string{"p", "q", "r"}, []int32{0, 1}),
		table.SetColumn("u", []string{"x", "y"}, table.SetsOf([][]int32{{0}, {1}}, [][]int32{{1}, nil})))
	items := &modelfile.Items{One: 0.9, Zero: 0.9}
	most := 1
	operators := []modelfile.Operator{{Items: 1, Most: &most, Rho: 0.1}}
	for want, p := range map[string]modelfile.Part{
		`names column "nobody"`: {Columns: []string{"nobody"}, Items: items}, `column "c" is categorical`: {Columns: []string{"c"}, Items: items},
		"its noise model has 2":       {Columns: []string{"c"}, Group: &modelfile.Group{Theta: 0.8}},
		"uncertain items":             {Columns: []string{"u"}, Items: items},
		"reveals nothing":             {Columns: []string{"s"}, Items: &modelfile.Items{One: 0.5, Zero: 0.5}},
		"does not say how many items": {Columns: []string{"s"}, Sizes: &modelfile.Sizes{Operators: operators}},
		"record 2 has items": {Columns: []string{"s"},
			Sizes: &modelfile.Sizes{Operators: operators, Records: []int{1, -1}}},
		`"c"] reveals nothing`: {Columns: []string{"c"}, Record: &modelfile.Record{Gamma: 1, Categories: []int{3}}},
		"column \"c\" has 3 categories, but its noise model has 1": {Columns: []string{"c"},
			Record: &modelfile.Record{Gamma: 2, Categories: []int{1}}},
		"release of 3 record": {},
	} {
		law := modelfile.Model{Release: modelfile.Release{Records: 2}, Parts: []modelfile.Part{p}}
		if p.Columns == nil {
			law.Release.Records, law.Parts = 3, nil
		}
		c := must.Get(basket.New(tab, basket.Options{}))(t)
		if _, err := New(tab, c, &law); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// The lowest support is that of the operators.
func TestLowest(t *testing.T) {
	tab := tabletest.Must(
		table.SetColumn("s", []string{"x", "y", "z", "w"}, table.SetsOf([][]int32{{0}, {1, 2}, {0}, {3}}, nil)),
		table.CatColumn("c", []string{"p", "q", "r"}, []int32{0, 1, 2, 2}))
	bits := randomised.Bits{One: 0.9, Zero: 0.8}
	d := randomised.Diagonal{Gamma: 19, Size: 3}
	for _, c := range []struct {
		p    modelfile.Part
		k    int
		want float64
	}{
		{modelfile.Part{Columns: []string{"s"}, Items: &modelfile.Items{One: 0.9, Zero: 0.8}}, 2,
			bits.Lowest(2, 4, (5.0/16-0.2)/0.7)},
		{modelfile.Part{Columns: []string{"c"}, Record: &modelfile.Record{Gamma: 19, Categories: []int{3}}}, 1,
			d.Lowest(4, 3)},
		{modelfile.Part{Columns: []string{"c"}, Record: &modelfile.Record{Gamma: 19, Categories: []int{3}}}, 2, math.Inf(1)},
		{modelfile.Part{Columns: []string{"c"}, Category: &modelfile.Category{Categories: 3, Keep: 0.7}}, 1,
			randomised.Bits{One: 0.7, Zero: 0.85}.Lowest(1, 4, 1.0/3)},
		{modelfile.Part{Columns: []string{"s"},
			Sizes: &modelfile.Sizes{Operators: []modelfile.Operator{{Items: 1, Kept: []float64{0.1, 0.9}, Rho: 0.2}},
				Records: []int{1, 1, 1, 1}}}, 2, math.Inf(1)},
	} {
		coding := must.Get(basket.New(tab, basket.Options{}))(t)
		r, err := New(tab, coding, &modelfile.Model{Release: modelfile.Release{Records: 4}, Parts: []modelfile.Part{c.p}})
		must.NoError(t, err)
		if got := r.Lowest(c.k); got != c.want && !(math.Abs(got-c.want) < 1e-9) {
			t.Errorf("%+v: the lowest support of %d items is %v, expected %v", c.p, c.k, got, c.want)
		}
	}
}

// Of very many sets whose error is as large as the threshold none is told, and their number is.
func TestTooManyDoubts(t *testing.T) {
	names, sets := make([]string, 80), make([][]int32, 20)
	for v := range names {
		names[v] = fmt.Sprint(v)
		for i := range sets {
			if (i*7+v*3)%5 < 2 {
				sets[i] = append(sets[i], int32(v))
			}
		}
	}
	tab := tabletest.Must(table.SetColumn("s", names, table.SetsOf(sets, nil)))
	c := must.Get(basket.New(tab, basket.Options{}))(t)
	r := must.Get(New(
		tab,
		c,
		&modelfile.Model{
			Release: modelfile.Release{Records: 20},
			Parts:   []modelfile.Part{{Columns: []string{"s"}, Items: &modelfile.Items{One: 0.6, Zero: 0.6}}},
		},
	))(t)
	found, levels, err := r.Find(t.Context(), 0.01)
	if err != nil || len(levels) != 3 || levels[1].Lost != 0 || levels[1].Kept == 0 || levels[2].Lost <= mostDoubts ||
		levels[2].Kept != 0 ||
		len(found) != levels[0].Kept+levels[1].Kept {
		t.Errorf("%d are found, of %+v: %v", len(found), levels, err)
	}
}
