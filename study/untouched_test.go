package study

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// dealtOut returns a table of alike records with a ward that stays, and a release in which the other values were dealt
// out anew inside the wards, each column by itself; what is missing stays missing.
func dealtOut(r *rand.Rand, n, values int, gaps float64) (original, released *table.Table) {
	draw := func() float64 { return float64(r.IntN(values)) * float64(r.IntN(2)) }
	ward, a, b, c := make([]int32, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		ward[i], a[i], b[i], c[i] = int32(r.IntN(5)), draw(), draw(), draw()
		if r.Float64() < gaps {
			a[i] = math.NaN()
		}
	}
	made := func(a, b, c []float64) *table.Table {
		return tabletest.Must(table.CatColumn("ward", []string{"A", "B", "C", "D", "E"}, ward),
			table.NumColumn("a", 1, a), table.NumColumn("b", 1, b), table.NumColumn("c", 1, c))
	}
	anew := func(v []float64) []float64 {
		out := make([]float64, n)
		for w := range int32(5) {
			var rows []int
			for i := range n {
				if ward[i] == w && v[i] == v[i] {
					rows = append(rows, i)
				}
			}
			for k, p := range r.Perm(len(rows)) {
				out[rows[k]] = v[rows[p]]
			}
		}
		for i := range n {
			if v[i] != v[i] {
				out[i] = v[i]
			}
		}
		return out
	}
	return made(a, b, c), made(anew(a), anew(b), anew(c))
}

func leftAlone(t *testing.T, original, released *table.Table, by segment.Segmentation) int {
	t.Helper()
	r := &measure.Release{Original: original, Released: released, Paired: true}
	r.Segments = by
	return must.Get(LeftAlone(&Outcome{Original: original, Released: released, Changes: Differences(r)}, r))(t)
}

// TestChanceLeavesRecords: of 400 releases in which chance leaves records as they were, hardly any is said to leave
// more, with gaps and without, whether the segments are told or only what stays.
func TestChanceLeavesRecords(t *testing.T) {
	left, said := 0, 0
	for k := range 400 {
		r := rand.New(rand.NewPCG(21, uint64(k)))
		original, released := dealtOut(r, 150+r.IntN(300), 2+k%6, float64(k%3)*0.2)
		var by segment.Segmentation
		if k%2 == 0 {
			in := make(routed, original.Rows())
			for i, ward := range original.Cat(0) {
				in[i] = uint64(ward)
			}
			by, original, released = in, original.Select(1, 2, 3), released.Select(1, 2, 3)
		}
		if untouched(&Outcome{Original: original, Released: released, Changes: []Change{{Column: "a"}}}) > 0 {
			left++
		}
		if leftAlone(t, original, released, by) > 0 {
			said++
		}
	}
	if left < 350 || said > 8 {
		t.Errorf("chance left records in %d releases, and %d are said to leave more", left, said)
	}
}

// TestRecordsLeftAlone: a few records that were left alone are noticed among those that chance leaves, and a single one
// of many that no other is like.
func TestRecordsLeftAlone(t *testing.T) {
	for _, c := range []struct{ records, values, planted int }{
		{400, 3, 80}, {400, 8, 25}, {400, 500, 8}, {1500, 5000, 8},
	} {
		for k := range 20 {
			r := rand.New(rand.NewPCG(22, uint64(k)))
			original, released := dealtOut(r, c.records, c.values, 0)
			rows := r.Perm(c.records)[:c.planted]
			for j := range original.Width() {
				col := released.Column(j)
				if col.Kind == table.Numeric {
					v := append([]float64{}, col.Num...)
					for _, i := range rows {
						v[i] = original.Num(j)[i]
					}
					col.Num = v
					var err error
					if released, err = released.WithColumn(j, col); err != nil {
						t.Fatal(err)
					}
				}
			}
			if n := leftAlone(t, original, released, nil); n < c.planted {
				t.Errorf("%+v: %d records are said to be left alone", c, n)
			}
		}
	}
}

// TestAloneInASegment: that records are as they were is chance where all of their segment are alike, or where there are
// two of them; one whose gaps are its own is exchanged with the others of its segment.
func TestAloneInASegment(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		what    string
		in      routed
		was, is []float64
		want    int
	}{
		{"all alike", routed{0, 0, 0, 0, 1, 1}, []float64{1, 1, 1, 1, 2, 3}, []float64{1, 1, 1, 1, 3, 2}, 0},
		{"one of two", routed{0, 0, 0, 0, 1, 1}, []float64{1, 2, 3, 4, 5, 6}, []float64{2, 3, 4, 1, 5, 6}, 0},
		{"nearly all", routed{0, 0, 0, 0, 0, 0}, []float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 5, 7}, 5},
		{"the only gap", routed{0, 0, 0, 0, 0, 0}, []float64{1, 2, 3, 4, 5, nan}, []float64{2, 3, 4, 5, 1, nan}, 0},
	} {
		of := func(v []float64) *table.Table {
			return tabletest.Must(table.NumColumn("v", 1, v), table.NumColumn("w", 1, v))
		}
		if got := leftAlone(t, of(c.was), of(c.is), c.in); got != c.want {
			t.Errorf("%s: %d", c.what, got)
		}
	}
}

// routed are segments by row.
type routed []uint64

func (r routed) Attrs() []table.Attribute       { return nil }
func (r routed) Count() (uint64, error)         { return 3, nil }
func (r routed) Segment(uint64) segment.Segment { return segment.Segment{} }
func (r routed) Route(_ *table.Table, dst []uint64) error {
	copy(dst, r)
	return nil
}
