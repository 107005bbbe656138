package microaggregation

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// draws returns normal records; of three attributes the third is nominal where they are mixed.
func draws(n, dims int, mixed bool) (points []float64, kinds []Kind) {
	r := rand.New(rand.NewPCG(5, 6))
	kinds = make([]Kind, dims)
	if mixed {
		kinds[dims-1], kinds[0] = Nominal, Ordinal
	}
	for range n {
		for _, kind := range kinds {
			v := r.NormFloat64()
			if kind != Number {
				v = float64(r.IntN(5))
			}
			points = append(points, v)
		}
	}
	return points, kinds
}

// sizes fails unless all groups are in use, of the least size at least and the largest at most.
func sizes(t *testing.T, what string, group []int32, groups, least, most int) {
	t.Helper()
	count := make([]int, groups)
	for _, g := range group {
		count[g]++
	}
	if slices.Min(count) < least || slices.Max(count) > most {
		t.Errorf("%s: groups of %d to %d records, expected %d to %d", what, slices.Min(count), slices.Max(count), least, most)
	}
}

// No group has fewer than k records, in any shape of data.
func TestSizes(t *testing.T) {
	for _, n := range []int{3, 5, 6, 8, 9, 11, 500, 5003} {
		for _, mixed := range []bool{false, true} {
			points, kinds := draws(n, 3, mixed)
			group, groups, err := MixedMDAV(context.Background(), points, kinds, nil, 3)
			must.NoError(t, err)
			sizes(t, "MDAV", group, groups, 3, 5)
			if want := n / 3; groups != want {
				t.Errorf("%d records: %d groups, expected %d", n, groups, want)
			}
			group, groups, err = MixedVMDAV(context.Background(), points, kinds, nil, 3, 1)
			must.NoError(t, err)
			sizes(t, "V-MDAV", group, groups, 3, 7)
		}
	}
}

// Groups do not depend on the number of cores.
func TestCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	points, kinds := draws(10_000, 3, false)
	partition := func() []int32 {
		group, _, err := MDAV(context.Background(), points, 3, 4)
		must.NoError(t, err)
		blocks, _, err := Blocks(
			context.Background(),
			points,
			kinds,
			nil,
			3,
			1000,
			func(ctx context.Context, points []float64, _ []int32) ([]int32, int, error) {
				return VMDAV(ctx, points, 3, 4, 1)
			},
		)
		must.NoError(t, err)
		return append(group, blocks...)
	}
	one := partition()
	runtime.GOMAXPROCS(4)
	if !slices.Equal(one, partition()) {
		t.Error("four cores make other groups than one")
	}
}

// Records that are all alike, or of few kinds, take the time of few: compared with each other this test would take
// minutes.
func TestHeavyDuplicates(t *testing.T) {
	const n = 30_000
	for _, distinct := range []int{1, 2, 40} {
		points := make([]float64, 2*n)
		for i := range n {
			points[2*i], points[2*i+1] = float64(i%distinct), float64(i*i%distinct)
		}
		group, groups, err := MDAV(context.Background(), points, 2, 5)
		must.NoError(t, err)
		sizes(t, "MDAV", group, groups, 5, 9)
		group, groups, err = VMDAV(context.Background(), points, 2, 5, 0.2)
		must.NoError(t, err)
		sizes(t, "V-MDAV", group, groups, 5, 13)
	}
}

// Blocks have at most so many records, and half of that at least; inside, groups are those of the method alone. One
// block is the method.
func TestBlocks(t *testing.T) {
	for _, mixed := range []bool{false, true} {
		points, kinds := draws(3001, 3, mixed)
		method := func(ctx context.Context, points []float64, _ []int32) ([]int32, int, error) {
			return MixedMDAV(ctx, points, kinds, nil, 3)
		}
		whole, groups, err := method(context.Background(), points, nil)
		must.NoError(t, err)
		group, made, err := Blocks(context.Background(), points, kinds, nil, 3, 3001, method)
		if err != nil || made != groups || !slices.Equal(group, whole) {
			t.Errorf("one block has other groups (%v)", err)
		}
		sse, sst := Loss(points, kinds, whole, groups)
		group, groups, err = Blocks(context.Background(), points, kinds, nil, 3, 400, method)
		must.NoError(t, err)
		sizes(t, "in blocks", group, groups, 3, 5)
		if in, _ := Loss(points, kinds, group, groups); in < 0.9*sse || in > 3*sse || in > sst/5 {
			t.Errorf("in blocks SSE is %v, in one %v, SST %v", in, sse, sst)
		}
		blocks, err := halve(context.Background(), points, kinds, 400)
		if err != nil || len(blocks) != 8 {
			t.Fatalf("%d blocks (%v)", len(blocks), err)
		}
		for _, b := range blocks {
			if len(b) < 375 || len(b) > 376 || !slices.IsSorted(b) {
				t.Errorf("a block has %d records, sorted %v", len(b), slices.IsSorted(b))
			}
		}
	}
}

// A block is cut at the median of the attribute in which its records differ most, equal values by number; a categorical
// one only where it differs more than numbers vary.
func TestSplit(t *testing.T) {
	points := []float64{0, 5, 9, 1, 5, 9, 0, 7, 9, 1, 4, 9, 0, 5, 9}
	a, b := split(points, make([]Kind, 3), []int32{0, 1, 2, 3, 4})
	if !slices.Equal(a, []int32{0, 3}) || !slices.Equal(b, []int32{1, 2, 4}) {
		t.Errorf("the halves are %v and %v", a, b)
	}
	a, _ = split(points, []Kind{Number, Nominal, Nominal}, []int32{0, 1, 2, 3, 4}) // variances 0.24, 0.28 and 0
	if !slices.Equal(a, []int32{0, 3}) {
		t.Errorf("by categories the first half is %v", a)
	}
}

// What cannot be partitioned is an error of one line.
func TestRefusals(t *testing.T) {
	ok := []float64{1, 2, 3, 4}
	for want, f := range map[string]func() error{
		"there are 4 records, expected at least k = 5": func() error {
			_, _,
				err := MDAV(context.Background(), ok, 1, 5)
			return err
		},
		"k = 0":          func() error { _, _, err := MDAV(context.Background(), ok, 1, 0); return err },
		"no attributes":  func() error { _, _, err := MDAV(context.Background(), ok, 0, 2); return err },
		"no attributes ": func() error { _, _, err := MDAV(context.Background(), ok, -1, 2); return err },
		"of record 2 is": func() error {
			_, _,
				err := MDAV(context.Background(), []float64{1, math.NaN()}, 1, 1)
			return err
		},
		"of record 1 is":  func() error { _, _, err := MDAV(context.Background(), []float64{-1e101, 0}, 1, 1); return err },
		"gamma is -1":     func() error { _, _, err := VMDAV(context.Background(), ok, 1, 2, -1); return err },
		"gamma is NaN":    func() error { _, _, err := VMDAV(context.Background(), ok, 1, 2, math.NaN()); return err },
		"there are 0 rec": func() error { _, _, err := VMDAV(context.Background(), nil, 1, 2, 1); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error()+" ", want) {
			t.Errorf("the error is %v, expected %q", err, want)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	points, kinds := draws(100, 2, false)
	_, _, a := MDAV(ctx, points, 2, 3)
	_, _, b := VMDAV(ctx, points, 2, 3, 1)
	_, _, c := Blocks(ctx, points, kinds, nil, 3, 10,
		func(context.Context, []float64, []int32) ([]int32, int, error) { return nil, 0, nil })
	for _, err := range []error{a, b, c} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("under a cancelled context the error is %v", err)
		}
	}
}
