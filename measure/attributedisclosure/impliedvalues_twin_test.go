package attributedisclosure

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// impliedTake measures a paired release of stays.
func impliedTake(t *testing.T, r *measure.Release) (measure.Value, *ImpliedValuesDetail) {
	t.Helper()
	r.Paired = true
	v := must.Get(ImpliedValues.New().Measure(t.Context(), r, rng.Source{}))(t)
	return v, v.Detail.(*ImpliedValuesDetail)
}

// blank returns a table without the values of columns in every so many records.
func blank(t *table.Table, every int, names ...string) *table.Table {
	for _, name := range names {
		j := t.Find(name)
		num, cat := slices.Clone(t.Num(j)), slices.Clone(t.Cat(j))
		for i := 0; i < t.Rows(); i += every {
			if num != nil {
				num[i] = math.NaN()
			} else {
				cat[i] = -1
			}
		}
		if num != nil {
			t = t.WithNum(j, num)
		} else {
			t = t.WithCat(j, cat)
		}
	}
	return t
}

// noisy returns a table with noise of so many standard deviations of a column, rounded, on its numbers; categories are
// exchanged with those of other records with a probability.
func noisy(t *table.Table, sd, exchange float64, seed uint64, names ...string) *table.Table {
	r := rand.New(rand.NewPCG(seed, 4))
	for _, name := range names {
		j := t.Find(name)
		if v := slices.Clone(t.Num(j)); v != nil {
			for i := range v {
				v[i] = math.Round(v[i] + sd*r.NormFloat64())
			}
			t = t.WithNum(j, v)
			continue
		}
		c := slices.Clone(t.Cat(j))
		for i := range c {
			if r.Float64() < exchange {
				c[i] = c[r.IntN(len(c))]
			}
		}
		t = t.WithCat(j, c)
	}
	return t
}

// TestSuppressed: what stands beside a suppressed value gives it away, by every kind of relation and in every
// direction that it has one; where all that tells it is suppressed, too, nothing does.
func TestSuppressed(t *testing.T) {
	o, relations := measuretest.Stays(1000)
	for _, c := range []struct {
		names    []string
		of       string
		relation string
		given    int // of 100
	}{
		{[]string{"code"}, "code", "code -> text", 100},
		{[]string{"text"}, "text", "code -> text", 100},
		{[]string{"code", "text"}, "", "", 0},
		{[]string{"total"}, "total", "total = care + drugs", 100},
		{[]string{"care"}, "care", "total = care + drugs", 100},
		{[]string{"care", "total"}, "", "", 0},
		{[]string{"age"}, "age", "age = years(born, in)", 100},
		{[]string{"born"}, "", "", 0},
		{[]string{"out"}, "out", "days = out - in", 100},
		{[]string{"price"}, "price", "cost = price * days", 50},
		{[]string{"state"}, "state", "fee if state = due", 20},
	} {
		r := &measure.Release{Original: o, Released: blank(o, 2, c.names...),
			Background: measure.Background{Relations: relations}}
		v, d := impliedTake(t, r)
		k := slices.IndexFunc(d.Given, func(g Given) bool {
			return g.Column == c.of && g.Relation == c.relation && g.total() > 0
		})
		if (k >= 0) != (c.given > 0) || k < 0 && v.Score != 0 {
			t.Errorf("%v suppressed: score %v, %+v", c.names, v.Score, d.Given)
			continue
		}
		if k < 0 {
			continue
		}
		if g := d.Given[k]; v.Score == 0 || g.Hidden != 500 || 5*c.given > g.GivenHidden || g.GivenChanged > 0 {
			t.Errorf("%v suppressed: score %v, %+v", c.names, v.Score, g)
		}
	}
}

// TestGroups: an age in groups beside the dates that it follows from is released.
func TestGroups(t *testing.T) {
	o, relations := measuretest.Stays(400)
	j := o.Find("age")
	groups := table.CatColumn("age", []string{"young", "old"}, make([]int32, o.Rows()))
	for i, v := range o.Num(j) {
		if v >= 40 {
			groups.Cat[i] = 1
		}
	}
	released := must.Get(o.WithColumn(j, groups))(t)
	r := &measure.Release{Original: released, Released: released, Background: measure.Background{Relations: relations}}
	r.Exact = o
	if v, d := impliedTake(t, r); v.Score != 1 {
		t.Errorf("score %v, %v", v.Score, d.List())
	}
}

// TestNoise: noise of their own on all columns of a relation gives nobody away, nor do exchanged categories; on one
// alone it gives all away, and so does a large one beside small ones.
func TestNoise(t *testing.T) {
	o, relations := measuretest.Stays(1000)
	for seed := range uint64(20) {
		all := noisy(o, 20, 0.2, seed, "in", "out", "days", "age", "care", "drugs", "total", "price", "cost", "code", "text")
		all = noisy(all, 7000, 0, seed+100, "born")
		if v, d := impliedTake(t, &measure.Release{Original: o, Released: all,
			Background: measure.Background{Relations: relations}}); v.Score != 0 {
			t.Errorf("seed %d: noise on all columns: score %v, %v", seed, v.Score, d.List())
		}
	}
	v, d := impliedTake(t, &measure.Release{Original: o, Released: noisy(o, 20, 0, 1, "total"),
		Background: measure.Background{Relations: relations}})
	if v.Score < 0.95 {
		t.Errorf("noise on the sum alone: score %v, %v", v.Score, d.List())
	}
	texts := noisy(o, 0, 0.3, 1, "text")
	if v, d = impliedTake(t, &measure.Release{Original: o, Released: texts,
		Background: measure.Background{Relations: relations}}); v.Score < 0.2 {
		t.Errorf("exchanged texts beside their codes: score %v, %v", v.Score, d.List())
	}
	mixed := noisy(noisy(o, 200, 0, 1, "total"), 5, 0, 2, "care", "drugs")
	if v, d = impliedTake(t, &measure.Release{Original: o, Released: mixed,
		Background: measure.Background{Relations: relations}}); v.Score < 0.9 {
		t.Errorf("little noise on the parts, much on the sum: score %v, %v", v.Score, d.List())
	}
	j := o.Find("total")
	half := slices.Clone(mixed.Num(j))
	copy(half, o.Num(j)[:500]) // stay as they are: they are released, and nothing gives them away
	v, d = impliedTake(t, &measure.Release{Original: o, Released: mixed.WithNum(j, half),
		Background: measure.Background{Relations: relations}})
	if v.Score < 0.4 || v.Score > 0.5 {
		t.Errorf("much noise on half of the sums: score %v, %v", v.Score, d.List())
	}
}

// TestNothingBeside: what was changed alike in all columns of a relation gives nothing away, and neither does a key
// that is one person's alone.
func TestNothingBeside(t *testing.T) {
	o, relations := measuretest.Stays(600)
	others := o.Gather(rand.New(rand.NewPCG(1, 1)).Perm(600))
	v, d := impliedTake(t, &measure.Release{Original: o, Released: others,
		Background: measure.Background{Relations: relations}})
	if v.Score != 0 {
		t.Errorf("exchanged records: score %v, %v", v.Score, d.List())
	}
	own := measuretest.Relations("born, in, care -> price") // nobody else has all three
	if v, d = impliedTake(t, &measure.Release{Original: o, Released: blank(o, 2, "price"),
		Background: measure.Background{Relations: own}}); v.Score != 0 {
		t.Errorf("own keys: score %v, %v", v.Score, d.List())
	}
	_, err := ImpliedValues.New().Measure(t.Context(), &measure.Release{Original: o, Released: o, Paired: true,
		Background: measure.Background{Relations: measuretest.Relations("in <= out")}}, rng.Source{})
	if !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("an order tells no value: %v", err)
	}
}

// TestImpliedValuesTwin: who is given away by suppression is who has a suppressed value with all that tells it, record
// by record.
func TestImpliedValuesTwin(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		o, _ := measuretest.Stays(300)
		is := o
		for _, name := range []string{"care", "drugs", "total", "code", "text"} {
			j := is.Find(name)
			num, cat := slices.Clone(is.Num(j)), slices.Clone(is.Cat(j))
			for i := range is.Rows() {
				if r.IntN(4) == 0 {
					if num != nil {
						num[i] = math.NaN()
					} else {
						cat[i] = -1
					}
				}
			}
			if num != nil {
				is = is.WithNum(j, num)
			} else {
				is = is.WithCat(j, cat)
			}
		}
		_, d := impliedTake(t, &measure.Release{Original: o, Released: is,
			Background: measure.Background{Relations: measuretest.Relations("total = care + drugs", "code -> text")}})
		for i, risk := range d.Records() {
			gaps := 0
			for _, name := range []string{"care", "drugs", "total"} {
				if is.MissingAt(i, is.Find(name)) {
					gaps++
				}
			}
			want := 0.0
			if gaps == 1 || is.MissingAt(i, is.Find("code")) != is.MissingAt(i, is.Find("text")) {
				want = 1
			}
			if risk != want {
				t.Fatalf("seed %d, record %d: %v, expected %v", seed, i, risk, want)
			}
		}
	}
}
