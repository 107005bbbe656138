package measuretest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Repeated returns a paired release in which every record stands so many times, of one person, and is told so: what is
// counted in people is as it was.
func Repeated(r *measure.Release, times int) *measure.Release {
	var rows []int
	of := map[table.RecordID]int32{}
	for i := range r.Original.Rows() {
		of[r.Original.ID(i)] = int32(i)
		for range times {
			rows = append(rows, i)
		}
	}
	rand.New(rand.NewPCG(3, 5)).Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	out := *r
	out.Original, out.Released = r.Original.Gather(rows), r.Released.Gather(rows)
	out.Persons, out.Person = map[string]map[table.RecordID]int32{"patient": of}, "patient"
	return &out
}

// counted takes a measure of risk that counts people where it is known that everybody has one record, which must change
// nothing, and where everybody has two equal ones, where the score is the same: each within the bounds of the other
// where these are apart, since others are drawn.
func counted(s *suite) error {
	if s.Side != measure.Risk || s.Counts == measure.Records || s.elsewhere {
		return nil
	}
	for _, missing := range []bool{false, true} {
		v, err := s.takePeople(s.release(missing))
		if err != nil {
			return err
		}
		if err := s.single(s.release(missing), v); err != nil {
			return err
		}
		if err := s.double(s.release(missing), v); err != nil {
			return err
		}
	}
	return nil
}

// takePeople takes the measure of a release with the parameters under which it counts people.
func (s *suite) takePeople(r *measure.Release) (measure.Value, error) {
	if s.given != nil {
		s.given(r)
	}
	m := s.New()
	if err := m.Params().Apply(s.people); err != nil {
		return measure.Value{}, err
	}
	return m.Measure(context.Background(), r, rng.New([32]byte{1}))
}

// single tells that every record of the release is somebody else's, where nothing was told when v was measured.
func (s *suite) single(r *measure.Release, v measure.Value) error {
	own := map[table.RecordID]int32{}
	for i := range r.Original.Rows() {
		own[r.Original.ID(i)] = int32(i)
	}
	r.Persons, r.Person = map[string]map[table.RecordID]int32{"patient": own}, "patient"
	one, err := s.takePeople(r)
	if err != nil {
		return err
	}
	if one.Score != v.Score || one.Lo != v.Lo || one.Hi != v.Hi {
		return differs(v, one, "it is known that everybody has one record")
	}
	return nil
}

// double gives everybody in the release, of which v was measured, a second record like the first.
func (s *suite) double(r *measure.Release, v measure.Value) error {
	twice := Repeated(r, 2)
	two, err := s.takePeople(twice)
	if err != nil {
		return err
	}
	if err := Sound(s.Measure, twice, two); err != nil {
		return fmt.Errorf("where everybody has two records: %w", err)
	}
	if !alike(v, two) {
		return differs(v, two, "everybody has two records")
	}
	return nil
}

// differs is the error that a figure is another one where something is so.
func differs(v, other measure.Value, where string) error {
	return fmt.Errorf("the score is %v (%v to %v), and %v (%v to %v) where %s",
		v.Score, v.Lo, v.Hi, other.Score, other.Lo, other.Hi, where)
}

// alike reports whether two values of one figure are equal, or each within the bounds of the other.
func alike(a, b measure.Value) bool {
	const rounding = 1e-9
	in := func(v float64, b measure.Value) bool { return b.Lo-rounding*(1+v) <= v && v <= b.Hi+rounding*(1+v) }
	return in(a.Score, b) && in(b.Score, a)
}

// Few returns a paired release of a few people, who agree in much: columns a, b and c of three categories, and values
// that are missing, more of them released.
func Few(n int, seed uint64) *measure.Release {
	r := rand.New(rand.NewPCG(seed, 7))
	var was, is []table.Column
	for _, name := range []string{"a", "b", "c"} {
		x, y := make([]int32, n), make([]int32, n)
		for i := range x {
			x[i] = int32(r.IntN(3))
			if r.IntN(12) == 0 {
				x[i] = -1
			}
			if y[i] = x[i]; r.IntN(4) == 0 {
				y[i] = -1
			}
		}
		was = append(was, table.CatColumn(name, []string{"0", "1", "2"}, x))
		is = append(is, table.CatColumn(name, []string{"0", "1", "2"}, y))
	}
	return &measure.Release{Original: tabletest.Must(was...), Released: tabletest.Must(is...), Paired: true}
}

// One returns a release of two people, of whom the second has all records but one, each with another value of b.
func One(times int) *measure.Release {
	a, b := make([]int32, times+1), make([]float64, times+1)
	of := map[table.RecordID]int32{0: 0}
	for i := range times {
		a[i+1], b[i+1] = 1, float64(i)
		of[table.RecordID(i+1)] = 1
	}
	t := tabletest.Must(table.CatColumn("a", []string{"x", "y"}, a), table.NumColumn("b", 1, b))
	return &measure.Release{
		Original: t,
		Released: t,
		Paired:   true,
		Owners:   measure.Owners{Persons: map[string]map[table.RecordID]int32{"patient": of}, Person: "patient"},
	}
}

// CountsPeople checks of a measure with the parameter missing that it counts people, not records, for who knows columns
// of Few: anyone who has several equal records counts once, and who is alone with all of theirs is alone.
func CountsPeople(t *testing.T, m measure.Measure, who intruder.Intruder, missing ...string) {
	t.Helper()
	take := func(r *measure.Release, i *intruder.Intruder, missing string) measure.Value {
		q := m.New()
		if err := q.Params().Apply(map[string]string{"missing": missing}); err != nil {
			t.Fatal(err)
		}
		v, err := q.Measure(context.Background(), r.Against(i), rng.Source{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for seed := range long.Of[uint64](10, 50) {
		r := Few(30, seed)
		for _, missing := range missing {
			a, b := take(r, &who, missing), take(Repeated(r, 3), &who, missing)
			if a.Score != b.Score {
				t.Errorf("seed %d, missing=%s: %v, and %v where everybody has three records", seed, missing, a.Score, b.Score)
			}
			for k := range a.Parts {
				if math.Abs(a.Parts[k].Score-b.Parts[k].Score) > 1e-9 {
					t.Errorf("seed %d, missing=%s: %+v, and %+v where everybody has three records", seed, missing, a.Parts[k],
						b.Parts[k])
				}
			}
		}
	}
	alone := intruder.Intruder{Name: "x", Knows: []string{"a"}, Secret: []string{}}
	if len(who.Secret) > 0 {
		alone.Secret = []string{"b"}
	}
	if got := take(One(12), &alone, missing[0]).Score; got != 1 {
		t.Errorf("12 records of one person: %v, want 1", got)
	}
}
