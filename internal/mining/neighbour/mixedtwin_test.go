package neighbour

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// mixedTwin compares with all records one by one.
type mixedTwin struct {
	nominal  []bool
	points   []float64
	gone     map[int]bool
	straight bool
}

func (w *mixedTwin) row(i int) []float64 { return w.points[i*len(w.nominal):][:len(w.nominal)] }

// distance follows the definition.
func (w *mixedTwin) distance(known, record []float64) float64 {
	p, unknown, sum := len(w.nominal), 0.0, 0.0
	for d := range p {
		if math.IsNaN(known[d]) {
			unknown++
		}
	}
	for d, nominal := range w.nominal {
		lo, hi, v := known[d], known[p+d], record[d]
		switch {
		case math.IsNaN(lo) || lo == Missing && math.IsNaN(v):
		case lo == Missing || math.IsNaN(v):
			sum++
		case nominal:
			if lo != v {
				sum++
			}
		case v < lo:
			sum += w.part(lo - v)
		case v > hi:
			sum += w.part(v - hi)
		}
	}
	return unknown + sum
}

// part is what a difference of numbers adds.
func (w *mixedTwin) part(d float64) float64 {
	if w.straight {
		return d
	}
	return d * d
}

func (w *mixedTwin) ranked(known []float64, except int) []Hit {
	out := []Hit{}
	for i := range len(w.points) / len(w.nominal) {
		if !w.gone[i] && i != except {
			out = append(out, Hit{i, w.distance(known, w.row(i))})
		}
	}
	slices.SortFunc(out, Hit.compare)
	return out
}

// record draws values that repeat, on a grid on which sums are exact, so that their order does not matter; some are
// missing.
func (w *mixedTwin) record(r *rapid.T) (v []float64) {
	for _, nominal := range w.nominal {
		x := float64(rapid.IntRange(-1, 7).Draw(r, "v"))
		switch {
		case x < 0:
			x = math.NaN()
		case nominal:
			x *= 37 // codes beyond what a set or an octet tells apart
		default:
			x /= 4
		}
		v = append(v, x)
	}
	return v
}

// question draws what is known of a record: some numbers as intervals.
func (w *mixedTwin) question(r *rapid.T) []float64 {
	known := w.record(r)
	for d, v := range known {
		if math.IsNaN(v) && rapid.Bool().Draw(r, "known to be missing") {
			known[d] = Missing
		}
	}
	known = slices.Concat(known, known)
	for d, nominal := range w.nominal {
		if !nominal && known[d] != Missing {
			known[len(w.nominal)+d] += float64(rapid.IntRange(0, 3).Draw(r, "width")) / 4
		}
	}
	return known
}

// Every question to a mixed index has the answer of the twin, to the last bit, before and after records are removed.
func TestMixedTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		w := &mixedTwin{gone: map[int]bool{}, nominal: rapid.SliceOfN(rapid.Bool(), 1, 12).Draw(r, "nominal"),
			straight: rapid.Bool().Draw(r, "straight")}
		n := rapid.IntRange(0, 60).Draw(r, "n")
		for range n {
			w.points = append(w.points, w.record(r)...)
		}
		bucket := rapid.SampledFrom([]int{1, 2, 3, 5, 9, 10_000}).Draw(r, "bucket")
		m := buildMixed(w.points, w.nominal, bucket, w.straight)
		var questions []float64
		for range 12 {
			questions = append(questions, w.question(r)...)
		}
		w.ask(r, m, questions)
		for range rapid.IntRange(0, n).Draw(r, "removed") {
			i := rapid.IntRange(0, n-1).Draw(r, "gone")
			m.Remove(i)
			w.gone[i] = true
		}
		if m.Len() != n-len(w.gone) {
			r.Fatalf("%d records, expected %d", m.Len(), n-len(w.gone))
		}
		w.ask(r, m, questions)
	})
}

func (w *mixedTwin) ask(r *rapid.T, m *Mixed, questions []float64) {
	k := rapid.IntRange(1, 8).Draw(r, "k")
	answers := make([][]Hit, 12)
	must.NoError(r, m.Each(context.Background(), questions, func(s *MixedSearch, i int, known []float64) {
		answers[i] = slices.Clone(s.Nearest(known, k, i))
	}))
	s := m.Search()
	for i, got := range answers {
		known := questions[i*2*len(w.nominal):][:2*len(w.nominal)]
		all := w.ranked(known, -1)
		w.askTies(r, s, known, k, all)
		if got, want := s.Farthest(known), farthestOf(all); got != want {
			r.Fatalf("the farthest is %v, expected %v", got, want)
		}
		want := w.ranked(known, i)
		if want = want[:min(k, len(want))]; !slices.Equal(got, want) {
			r.Fatalf("the nearest are %v, expected %v", got, want)
		}
		for _, h := range want {
			if d := s.Distance(known, w.row(h.Record)); d != h.Squared {
				r.Fatalf("the distance is %v, expected %v", d, h.Squared)
			}
			w.askRank(r, s, known, h.Squared, all)
		}
	}
}

// farthestOf returns the last of ranked hits, of several at one distance the first.
func farthestOf(all []Hit) Hit {
	best := Hit{-1, -1}
	for _, h := range all {
		if h.Squared > best.Squared {
			best = h
		}
	}
	return best
}

func (w *mixedTwin) askRank(r *rapid.T, s *MixedSearch, known []float64, squared float64, all []Hit) {
	nearer, ties := 0, 0
	for _, h := range all {
		if h.Squared < squared {
			nearer++
		} else if h.Squared == squared {
			ties++
		}
	}
	if a, b := s.Rank(known, squared, math.MaxInt); a != nearer || b != ties {
		r.Fatalf("%d nearer and %d ties, expected %d and %d", a, b, nearer, ties)
	}
	if a, b := s.Rank(known, squared, 2); a != min(2, nearer) || nearer < 2 && b != ties {
		r.Fatalf("%d nearer up to 2 and %d ties, expected %d and %d", a, b, nearer, ties)
	}
}

func (w *mixedTwin) askTies(r *rapid.T, s *MixedSearch, known []float64, k int, all []Hit) {
	var want []int
	for _, h := range all {
		if h.Squared <= all[min(k, len(all))-1].Squared {
			want = append(want, h.Record)
		}
	}
	got := s.Ties([]int{-7}, known, k)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got[1:], want) {
		r.Fatalf("the nearest %d and ties are %v, expected %v", k, got[1:], want)
	}
}

// On numbers that are all there a mixed index finds what the other one finds.
func TestMixedIsIndex(t *testing.T) {
	const n, p = 5000, 4
	points := normals(n, p, 0.5)
	x, s := Build(points, p).Search(), BuildMixed(points, make([]bool, p)).Search()
	for i := range 100 {
		row := points[i*p : i*p+p]
		if got, want := s.Nearest(slices.Concat(row, row), 5, i), x.Nearest(row, 5, i); !slices.Equal(got, want) {
			t.Fatalf("record %d: the nearest are %v, expected %v", i, got, want)
		}
	}
}

// On more records than one goroutine builds from, the index finds what the twin finds, whatever the cores, with
// categories of all frequencies, missing values and intervals.
func TestMixedLarge(t *testing.T) {
	const n, p = 20_000, 4
	asked := long.Of(12, 120)
	w := &mixedTwin{nominal: []bool{false, true, false, true}}
	r := rand.New(rand.NewPCG(5, 5))
	for range n {
		w.points = append(w.points, float64(r.IntN(4000))/64, math.Floor(r.ExpFloat64()*3), float64(r.IntN(64))/32,
			float64(r.IntN(2)))
		if r.IntN(10) == 0 {
			w.points[len(w.points)-1-r.IntN(p)] = math.NaN()
		}
	}
	m := BuildMixed(w.points, w.nominal)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if one := BuildMixed(w.points, w.nominal); !reflect.DeepEqual(one.x, m.x) {
		t.Error("one core builds another index than all")
	}
	s := m.Search()
	for i := range asked {
		row := w.row(i * 97)
		known := slices.Concat(row, row)
		known[p] += float64(i%3) / 4
		want := w.ranked(known, -1)[:5]
		if got := s.Nearest(known, 5, -1); !slices.Equal(got, want) {
			t.Fatalf("question %d: the nearest are %v, expected %v", i, got, want)
		}
	}
	if s.Compared > asked*n/4 {
		t.Errorf("it looks at %d records for each question", s.Compared/asked)
	}
	for i := range 20 {
		known := slices.Concat(w.row(i), w.row(i))
		if got, want := s.Farthest(known), farthestOf(w.ranked(known, -1)); got != want {
			t.Fatalf("question %d: the farthest is %v, expected %v", i, got, want)
		}
	}
}

// Records that are all alike, or of few kinds, take the time of few: were each compared with each, this test would take
// half a minute.
func TestMixedHeavyDuplicates(t *testing.T) {
	const n = 90_000
	nominal := []bool{true, false}
	var points, questions []float64
	for i := range n {
		row := []float64{float64(i % 3), math.NaN()}
		points, questions = append(points, row...), append(questions, row[0], row[0], row[0], row[0])
	}
	m := BuildMixed(points, nominal)
	ties := make([]int, n)
	err := m.Each(context.Background(), questions, func(s *MixedSearch, i int, known []float64) {
		_, ties[i] = s.Rank(known, s.Distance(known, points[2*i:2*i+2]), 2)
	})
	if err != nil || slices.Min(ties) != n/3 || slices.Max(ties) != n/3 {
		t.Errorf("%d to %d ties, expected %d (%v)", slices.Min(ties), slices.Max(ties), n/3, err)
	}
}

func TestMixedCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	points := normals(1000, 2, 1)
	m := BuildMixed(points, []bool{false, false})
	err := m.Each(ctx, slices.Concat(points, points), func(*MixedSearch, int, []float64) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Each returns %v", err)
	}
}
