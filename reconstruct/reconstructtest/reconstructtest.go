// Package reconstructtest is the conformance suite of the reconstructions: what the contract of package reconstruct
// promises, on releases by every kind of law.
package reconstructtest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param/paramtest"
	"github.com/dither-data/dither/reconstruct"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// rows is of how many records the samples are.
func rows() int { return long.Of(4_000, 20_000) }

// sample is an original and its release by a law.
type sample struct {
	original, release *table.Table
	part              modelfile.Part
}

// Run checks a reconstruction with all kinds of law that it takes.
func Run(t *testing.T, r reconstruct.Reconstruction) {
	t.Helper()
	if err := r.Card.Check(); err != nil {
		t.Fatal(err)
	}
	err := paramtest.Refused(r.New, func(m reconstruct.Method) error {
		err := m.Params().Check()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for name, s := range samples() {
		if !r.New().Takes(&s.part) {
			continue
		}
		taken++
		t.Run(name, func(t *testing.T) {
			if err := s.check(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
	if taken == 0 {
		t.Error("it takes no law")
	}
}

// Family checks the entries of a family, each by its name.
func Family(t *testing.T, all []reconstruct.Reconstruction) {
	t.Helper()
	for _, r := range all {
		t.Run(r.Name, func(t *testing.T) { Run(t, r) })
	}
}

// check makes the checks of every column.
func (s *sample) check(ctx context.Context, r reconstruct.Reconstruction) error {
	if err := reconstruct.Fits(s.release, &modelfile.Model{Release: modelfile.Release{Records: rows()},
		Parts: []modelfile.Part{s.part}}); err != nil {
		return err
	}
	for k := range s.part.Columns {
		before := s.release.Columns()
		d, err := r.New().Reconstruct(ctx, s.release, &s.part, k)
		if err != nil {
			return err
		}
		again, err := r.New().Reconstruct(ctx, s.release, &s.part, k)
		if err != nil {
			return err
		}
		switch {
		case !reflect.DeepEqual(d, again):
			return fmt.Errorf("column %q: asked twice it gives two distributions", d.Column)
		case !same(before, s.release.Columns()):
			return fmt.Errorf("column %q: the release is written to", d.Column)
		}
		if err := d.Check(); err != nil {
			return err
		}
		if err := s.truth(d); err != nil {
			return err
		}
		if err := s.order(ctx, r, k, d); err != nil {
			return err
		}
	}
	return s.ends(ctx, r)
}

// truth compares with the original: the reconstruction is nearer to it than the release is, or as near as chance
// allows, and three errors hold nine shares of ten.
func (s *sample) truth(d *reconstruct.Distribution) error {
	truth, _, err := d.Count(s.original)
	if err != nil {
		return err
	}
	loss, err := reconstruction.Loss(d.Shares, truth)
	if err != nil {
		return err
	}
	seen, err := reconstruction.Loss(d.Observed, truth)
	if err != nil {
		return err
	}
	chance := floats.Sum(d.Errors)
	if loss > max(seen, chance) {
		return fmt.Errorf("column %q: the loss is %.3f, that of the release %.3f and that of chance %.3f", d.Column, loss,
			seen, chance)
	}
	held := 0
	for k, f := range d.Shares {
		if d.Unbiased != nil {
			f = d.Unbiased[k]
		}
		if math.Abs(f-truth[k]) <= 3*d.Errors[k]+1e-9 {
			held++
		}
	}
	if 10*held < 9*len(d.Shares) {
		return fmt.Errorf("column %q: three errors hold %d of %d shares", d.Column, held, len(d.Shares))
	}
	return nil
}

// order checks that the order of the records does not matter, and that missing values take no part.
func (s *sample) order(ctx context.Context, r reconstruct.Reconstruction, k int, d *reconstruct.Distribution) error {
	back := make([]int, rows())
	for i := range back {
		back[i] = rows() - 1 - i
	}
	turned, err := r.New().Reconstruct(ctx, s.release.Gather(back), &s.part, k)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(d, turned) {
		return fmt.Errorf("column %q: the order of the records matters", d.Column)
	}
	missing := 0
	j := s.release.Find(s.part.Columns[k])
	for i := range rows() {
		if s.release.MissingAt(i, j) {
			missing++
		}
	}
	if d.Values != rows()-missing || missing == 0 {
		return fmt.Errorf("column %q: %d of %d values take part, %d of them are missing", d.Column, d.Values, rows(), missing)
	}
	return nil
}

// ends checks a context that has ended, and a release without values.
func (s *sample) ends(ctx context.Context, r reconstruct.Reconstruction) error {
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.New().Reconstruct(ended, s.release, &s.part, 0); err == nil {
		return fmt.Errorf("an ended context is no error")
	}
	if _, err := r.New().Reconstruct(ctx, s.release.Slice(0, 0), &s.part, 0); err == nil {
		return fmt.Errorf("a release without records is no error")
	}
	return nil
}

func same(a, b []table.Column) bool {
	for j := range a {
		for i, v := range a[j].Num {
			if v != b[j].Num[i] && (v == v || b[j].Num[i] == b[j].Num[i]) {
				return false
			}
		}
		if !reflect.DeepEqual(a[j].Cat, b[j].Cat) {
			return false
		}
	}
	return true
}

// samples returns a release for every kind of law of numbers and categories.
func samples() map[string]*sample {
	keep := 0.4
	numbers := map[string]modelfile.Number{
		"normal":          {Low: 0, High: 100, Normal: 12.75},
		"uniform":         {Low: 0, High: 100, Uniform: 26},
		"hole":            {Low: 0, High: 100, Normal: 12.75, Epsilon: 10},
		"integers":        {Low: 0, High: 100, Step: 1, Normal: 12.75},
		"few integers":    {Low: 0, High: 100, Step: 25, Uniform: 40},
		"declared domain": {Low: 0, High: 100, Normal: 12.75, Ends: true},
		"kept or drawn":   {Low: 0, High: 100, Keep: &keep},
		"classes":         {Low: 0, High: 100, Step: 1, Classes: 7},
	}
	out := map[string]*sample{}
	for name, n := range numbers {
		out[name] = number(n)
	}
	out["categories"] = categories(modelfile.Part{Category: &modelfile.Category{Categories: 4, Keep: 0.5}}, []int{4})
	out["two categories"] = categories(modelfile.Part{Category: &modelfile.Category{Categories: 2, Keep: 0.3}}, []int{2})
	out["pairs"] = categories(modelfile.Part{Group: &modelfile.Group{Theta: 0.8}}, []int{2, 2})
	out["records"] = categories(modelfile.Part{Record: &modelfile.Record{Gamma: 19, Categories: []int{3, 2}}}, []int{3, 2})
	return out
}

// number draws two humps and releases them by the law.
func number(n modelfile.Number) *sample {
	r := rand.New(rand.NewPCG(1, 2))
	x, w := make([]float64, rows()), make([]float64, rows())
	step := n.Step
	snap := func(v float64) float64 {
		if step > 0 {
			v = math.Round(v/step) * step
		}
		return v
	}
	noise, added := n.Noise()
	lo, hi := n.Range()
	for i := range x {
		if i%50 == 0 {
			x[i], w[i] = math.NaN(), math.NaN()
			continue
		}
		x[i] = snap(min(99.5, max(0.5, 30+12*r.NormFloat64()+40*float64(r.IntN(2)))))
		switch {
		case added:
			w[i] = x[i] + noise.Quantile(0.999999*r.Float64()+5e-7)
		case n.Keep != nil:
			if w[i] = x[i]; r.Float64() >= *n.Keep {
				w[i] = lo + r.Float64()*(hi-lo)
			}
		default:
			w[i] = n.Class().Middle(n.Class().Class(x[i]))
		}
		if w[i] = snap(w[i]); n.Ends {
			w[i] = min(max(w[i], n.Low), n.High)
		}
	}
	return &sample{
		tabletest.Must(table.NumColumn("x", step, x)),
		tabletest.Must(table.NumColumn("x", step, w)),
		modelfile.Part{Columns: []string{"x"}, Number: &n},
	}
}

// categories draws records of columns with so many categories each and releases them by the law.
func categories(p modelfile.Part, sizes []int) *sample {
	r := rand.New(rand.NewPCG(3, 4))
	was, is := make([]table.Column, len(sizes)), make([]table.Column, len(sizes))
	x, y := make([][]int32, len(sizes)), make([][]int32, len(sizes))
	for c := range sizes {
		x[c], y[c] = make([]int32, rows()), make([]int32, rows())
	}
	for i := range rows() {
		for c, k := range sizes {
			x[c][i] = int32(min(r.IntN(k), r.IntN(k)))
			if (i+c)%50 == 0 {
				x[c][i] = -1
			}
		}
		release(r, &p, sizes, x, y, i)
	}
	labels := []string{"a", "b", "c", "d"}
	for c, k := range sizes {
		name := fmt.Sprint("c", c)
		p.Columns = append(p.Columns, name)
		was[c], is[c] = table.CatColumn(name, labels[:k], x[c]), table.CatColumn(name, labels[:k], y[c])
	}
	return &sample{tabletest.Must(was...), tabletest.Must(is...), p}
}

// release draws what record i is released as.
func release(r *rand.Rand, p *modelfile.Part, sizes []int, x, y [][]int32, i int) {
	other := func(old int32, k int) int32 { return (old + 1 + int32(r.IntN(k-1))) % int32(k) }
	u := r.Float64()
	moved := false
	if p.Record != nil { // anything, or the record itself more often
		size := 1.0
		for c, k := range sizes {
			if x[c][i] >= 0 {
				size *= float64(k)
			}
		}
		moved = u < size/(p.Record.Gamma+size-1)
	}
	for c, k := range sizes {
		y[c][i] = x[c][i]
		switch {
		case x[c][i] < 0:
		case p.Category != nil && u >= p.Category.Keep:
			y[c][i] = other(x[c][i], k)
		case p.Group != nil && u >= p.Group.Theta:
			y[c][i] = 1 - x[c][i]
		case moved:
			y[c][i] = int32(r.IntN(k))
		}
	}
}
