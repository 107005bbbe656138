package syntheticrisk

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// everything is an intruder who knows all.
var everything = &intruder.Intruder{Name: "all", Knows: []string{intruder.All}, Secret: []string{}}

func replicatedTake(t *testing.T, original, released *table.Table) (measure.Value, *ReplicatedUniquesDetail) {
	t.Helper()
	v := must.Get(ReplicatedUniques.New().Measure(t.Context(),
		&measure.Release{Original: original, Released: released, Intruder: everything}, rng.New([32]byte{1})))(t)
	return v, v.Detail.(*ReplicatedUniquesDetail)
}

// mixed draws each column of a table anew from another record: apart, or whole rows.
func mixed(t *testing.T, tab *table.Table, r *rand.Rand, apart ...int) *table.Table {
	t.Helper()
	out := tab.Gather(r.Perm(tab.Rows()))
	for _, j := range apart {
		var err error
		if out, err = out.WithColumn(j, tab.Column(j).Gather(r.Perm(tab.Rows()))); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestExchangedRows: the rows in another order stand there, nearly all of them; so they do with one column exchanged by
// itself, and with a little noise besides. With the columns exchanged one by one they do not.
func TestExchangedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tab := protecttest.AdultLike(t, 800)
	if v, _ := replicatedTake(t, tab, mixed(t, tab, r)); v.Lo < 0.8 {
		t.Errorf("whole rows exchanged: %+v", v)
	}
	for j := range long.Of(2, tab.Width()) {
		if v, _ := replicatedTake(t, tab, mixed(t, tab, r, j)); v.Lo < 0.3 {
			t.Errorf("all but %s exchanged as a whole: %+v", tab.Attr(j).Name, v)
		}
	}
	noisy := mixed(t, tab, r)
	for j := range noisy.Width() {
		if v := noisy.Num(j); v != nil {
			w := make([]float64, len(v))
			for i := range v {
				w[i] = v[i] + 0.09*(2*r.Float64()-1)*replicatedDeviation(v)
			}
			noisy = noisy.WithNum(j, w)
		}
	}
	if v, _ := replicatedTake(t, tab, noisy); v.Lo < 0.8 {
		t.Errorf("with noise besides: %+v", v)
	}
	all := make([]int, tab.Width())
	for j := range all {
		all[j] = j
	}
	if v, _ := replicatedTake(t, tab, mixed(t, tab, r, all...)); v.Score > 0.03 {
		t.Errorf("columns exchanged apart: %+v", v)
	}
}

// TestChance: in tables of independent columns rows meet by chance, in few columns of few values nearly all of them,
// and the measure says that chance explains it. Each score is a mean of 2,000 people in [-1, 1], so an honest one is
// above 0.08 with a probability below exp(-2000 x 0.08^2 / 2) = 0.002 in one table, and in three of the four below
// 1e-7.
func TestChance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worse, met := 0, 0.0
	for _, values := range []int{3, 4, 6, 12} {
		draw := func() *table.Table {
			cols := make([]table.Column, 6)
			for j := range cols {
				labels, codes := make([]string, values), make([]int32, 2000)
				for k := range labels {
					labels[k] = string(rune('a' + k))
				}
				for i := range codes {
					codes[i] = int32(r.IntN(values))
				}
				cols[j] = table.CatColumn(string(rune('A'+j)), labels, codes)
			}
			return tabletest.Of(t, cols...)
		}
		v, d := replicatedTake(t, draw(), draw())
		if met = max(met, d.With); v.Score > 0.08 {
			t.Logf("%d values: %+v", values, v)
			worse++
		}
	}
	if worse > 2 || met < 0.1 {
		t.Errorf("%d of 4 tables of strangers score above 0.08, %v of the people are met at most", worse, met)
	}
}

// TestOneColumn: what people are told apart by stands in a release in another order; nobody's row does.
func TestOneColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	number, sex := make([]float64, 500), make([]int32, 500)
	for i := range number {
		number[i], sex[i] = float64(i), int32(r.IntN(2))
	}
	tab := tabletest.Of(t, table.NumColumn("number", 1, number), table.CatColumn("sex", []string{"f", "m"}, sex),
		table.CatColumn("more", []string{"f", "m"}, sex))
	v, d := replicatedTake(t, tab, mixed(t, tab, r, 0, 1, 2))
	if d.With < 0.3 || v.Score > 0.1 {
		t.Errorf("%+v", v)
	}
	one := tab.Select(0)
	same := &measure.Release{Original: one, Released: one, Intruder: everything}
	if _, err := ReplicatedUniques.New().Measure(t.Context(), same, rng.Source{}); !errors.Is(err,
		measure.ErrNotApplicable) {
		t.Errorf("one column: error %v", err)
	}
}

// TestOwnRows: what people show in their own records is the business of found, where it is known which are theirs.
func TestOwnRows(t *testing.T) {
	tab := protecttest.AdultLike(t, 800)
	for _, paired := range []bool{true, false} {
		v, err := ReplicatedUniques.New().Measure(t.Context(),
			&measure.Release{Original: tab, Released: tab, Intruder: everything, Paired: paired}, rng.New([32]byte{1}))
		if err != nil || paired != (v.Score == 0) || !paired && v.Lo < 0.8 {
			t.Errorf("paired %v: %+v, error %v", paired, v, err)
		}
	}
}

// TestKnown: whole rows stand in the release, and anyone who knows only what several people share finds nobody's.
func TestKnown(t *testing.T) {
	tab := protecttest.AdultLike(t, 800)
	r := &measure.Release{Original: tab, Released: mixed(t, tab, rand.New(rand.NewPCG(7, 8)))}
	for _, c := range []struct {
		knows  []string
		lo, hi float64
	}{{[]string{"age", "fnlwgt", "education"}, 0.9, 1}, {[]string{"sex", "race"}, 0, 0.01}} {
		v, err := ReplicatedUniques.New().Measure(t.Context(),
			r.Against(&intruder.Intruder{Name: "x", Knows: c.knows, Secret: []string{}}), rng.New([32]byte{1}))
		if err != nil || v.Score < c.lo || v.Score > c.hi {
			t.Errorf("who knows %v: %+v, error %v", c.knows, v, err)
		}
	}
	vague := &intruder.Intruder{
		Name:   "x",
		Knows:  []string{"age"},
		Within: map[string]float64{"age": 1},
		Secret: []string{},
	}
	if _, err := ReplicatedUniques.New().Measure(t.Context(), r.Against(vague), rng.Source{}); !errors.Is(err,
		measure.ErrNotApplicable) {
		t.Errorf("who knows nothing exactly: error %v", err)
	}
}

// TestPeople: somebody's own records are no company, and of a person with several one row is enough.
func TestPeople(t *testing.T) {
	r := measuretest.Few(60, 3)
	r.Released, r.Intruder = r.Original, everything
	v := must.Get(ReplicatedUniques.New().Measure(t.Context(), measuretest.Repeated(r, 5), rng.New([32]byte{1})))(t)
	once := must.Get(ReplicatedUniques.New().Measure(t.Context(), r, rng.New([32]byte{1})))(t)
	d, e := v.Detail.(*ReplicatedUniquesDetail), once.Detail.(*ReplicatedUniquesDetail)
	if d.Tried != 60 || d.Alone != e.Alone || d.With != e.With {
		t.Errorf("%+v, of records of their own %+v", d, e)
	}
}

// TestSample: people are sampled, and the value says so.
func TestSample(t *testing.T) {
	tab := protecttest.AdultLike(t, 800)
	m := ReplicatedUniques.New().(*ReplicatedUniquesMeter)
	m.Pairs = 1
	v, err := m.Measure(t.Context(), &measure.Release{Original: tab, Released: tab, Intruder: everything}, rng.Source{})
	if d := v.Detail.(*ReplicatedUniquesDetail); err != nil || d.Tried != 100 || len(v.Notes) != 1 ||
		v.Notes[0].String() != "a sample of 100 of 800 people" {
		t.Errorf("%+v, notes %q, error %v", d, v.Notes, err)
	}
	if math.Abs(v.Hi-1) > 0.2 {
		t.Errorf("%+v", v)
	}
}
