package dataquality

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// take measures a paired release.
func take(t *testing.T, r *measure.Release) (measure.Value, *ConstraintViolationsDetail) {
	t.Helper()
	v := must.Get(ConstraintViolations.New().Measure(t.Context(), r, rng.Source{}))(t)
	return v, v.Detail.(*ConstraintViolationsDetail)
}

// with returns a table with other values in some records of a column.
func with(t *table.Table, name string, rows []int, v float64) *table.Table {
	j := t.Find(name)
	if t.Attr(j).Kind == table.Numeric {
		num := append([]float64(nil), t.Num(j)...)
		for _, i := range rows {
			num[i] = v
		}
		return t.WithNum(j, num)
	}
	cat := append([]int32(nil), t.Cat(j)...)
	for _, i := range rows {
		cat[i] = int32(v)
	}
	return t.WithCat(j, cat)
}

// TestPlanted: breaks that were planted are counted, each at its relation, and a record that breaks two counts once.
func TestPlanted(t *testing.T) {
	o, relations := measuretest.Stays(1000)
	r := &measure.Release{Original: o, Released: o, Paired: true, Background: measure.Background{Relations: relations}}
	if v, _ := take(t, r); v.Score != 0 {
		t.Errorf("the original breaks %v of its records", v.Score)
	}
	r.Released = with(o, "total", []int{1, 2, 3, 4}, 5000)
	r.Released = with(r.Released, "age", []int{3, 4, 5, 6, 7, 8}, 200)
	v, d := take(t, r)
	if v.Score != 0.008 || d.Broken != 8 {
		t.Errorf("score %v, %d broken; expected 8 of 1,000", v.Score, d.Broken)
	}
	want := map[string]int{"total = care + drugs": 4, "age = years(born, in)": 6}
	for _, b := range d.Relations {
		if b.Broken != want[b.Relation] || b.New != b.Broken || b.OriginalBroken != 0 {
			t.Errorf("%+v, expected %d broken", b, want[b.Relation])
		}
	}
	not := uses(v, message.Sentence{})
	if len(not) != 1 || not[0].Nothing.String() != "age = years(born, in) (6 records), total = care + drugs (4 records)" {
		t.Errorf("uses %+v", not)
	}
}

// TestErrors: a record whose own original breaks a relation is no fault of the release; without pairs it counts. What
// more than a few originals break is no relation.
func TestErrors(t *testing.T) {
	o, relations := measuretest.Stays(2000)
	o = with(o, "total", []int{7, 8}, 9000)
	r := &measure.Release{Original: o, Released: with(o, "days", []int{9}, 9000), Paired: true,
		Background: measure.Background{Relations: relations}}
	v, d := take(t, r)
	if d.Broken != 1 || v.Score != 0.0005 {
		t.Errorf("%d broken, expected the one that the release adds: %+v", d.Broken, d.Relations)
	}
	r.Paired = false
	if _, d := take(t, r); d.Broken != 3 {
		t.Errorf("%d broken without pairs, expected 3", d.Broken)
	}
	r.Relations = append(r.Relations, measuretest.Relations("care <= drugs")...)
	if _, again := take(t, r); again.Broken != 3 || len(again.Relations) != len(d.Relations)+1 {
		t.Errorf("%d broken with what the original breaks, expected 3", again.Broken)
	}
}

// TestOpen: what is suppressed, or shown as a group, breaks nothing.
func TestOpen(t *testing.T) {
	o, relations := measuretest.Stays(500)
	r := &measure.Release{Original: o, Paired: true, Background: measure.Background{Relations: relations}}
	rows := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	r.Released = with(with(with(o, "text", rows, -1), "total", rows, math.NaN()), "fee", rows, math.NaN())
	if v, _ := take(t, r); v.Score != 0 {
		t.Errorf("suppressed values break relations: %v", v.Score)
	}
	j := o.Find("text")
	groups := o.Column(j)
	groups.Labels, groups.Cat = append(groups.Labels, "some illness"), append([]int32(nil), groups.Cat...)
	for i := range groups.Cat {
		groups.Cat[i] = int32(len(groups.Labels) - 1)
	}
	released := must.Get(o.WithColumn(j, groups))(t)
	original := must.Get(o.Conform(released.Attrs(), false))(t)
	r.Original, r.Released = original, released
	if v, _ := take(t, r); v.Score != 0 {
		t.Errorf("groups break relations: %v", v.Score)
	}
	r.Relations = nil
	if _, err := ConstraintViolations.New().Measure(t.Context(), r, rng.Source{}); !errors.Is(err,
		measure.ErrNotApplicable) {
		t.Errorf("without relations: %v", err)
	}
}

// TestConstraintViolationsTwin: the counts are those of the definition, record by record, by arithmetic written out.
func TestConstraintViolationsTwin(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		o, relations := measuretest.Stays(300)
		cols := o.Columns()
		for j := range cols {
			if rnd.IntN(2) == 0 {
				cols[j] = cols[j].Gather(rnd.Perm(o.Rows()))
			}
		}
		released := must.Get(o.WithColumns(cols))(t)
		_, d := take(t, &measure.Release{Original: o, Released: released,
			Background: measure.Background{Relations: relations}})
		num := func(name string, i int) float64 { return released.Num(released.Find(name))[i] }
		cat := func(name string, i int) int32 { return released.Cat(released.Find(name))[i] }
		any, want := 0, make([]int, len(relations))
		for i := range released.Rows() {
			broken := []bool{
				num("in", i) > num("out", i),
				num("days", i) != num("out", i)-num("in", i),
				num("age", i) != years(num("born", i), num("in", i)),
				num("total", i) != num("care", i)+num("drugs", i),
				num("cost", i) != num("price", i)*num("days", i),
				cat("code", i) != cat("text", i),
				math.IsNaN(num("fee", i)) == (cat("state", i) == 0),
				false,
			}
			some := false
			for k, b := range broken {
				if some = some || b; b {
					want[k]++
				}
			}
			if some {
				any++
			}
		}
		got := make([]int, len(relations))
		for k, b := range d.Relations {
			got[k] = b.Broken
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || d.Broken != any {
			t.Errorf("seed %d: %v and %d in all, expected %v and %d", seed, got, d.Broken, want, any)
		}
	}
}

// years counts completed years a day at a time.
func years(from, to float64) (n float64) {
	born := time.Unix(0, 0).UTC().AddDate(0, 0, int(from))
	at := time.Unix(0, 0).UTC().AddDate(0, 0, int(to))
	for !born.AddDate(int(n)+1, 0, 0).After(at) {
		n++
	}
	return n
}
