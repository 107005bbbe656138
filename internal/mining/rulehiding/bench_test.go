package rulehiding

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// fimi reads a file of transactions.
func fimi(t testing.TB, name string) *itemset.Transactions {
	t.Helper()
	text := must.Get(os.ReadFile(dataset.File(t, name)))(t)
	out := &itemset.Transactions{Start: []int{0}}
	for line := range strings.Lines(string(text)) {
		var row []int32
		for f := range strings.FieldsSeq(line) {
			v := must.Get(strconv.Atoi(f))(t)
			row = append(row, int32(v))
			out.Labels = max(out.Labels, v+1)
		}
		slices.Sort(row)
		out.Items = append(out.Items, slices.Compact(row)...)
		out.Start = append(out.Start, len(out.Items))
	}
	return out
}

// strong returns the first 50 rules with one item at the end whose confidence is a half or more, of the frequent
// itemsets of two items or three.
func strong(b *testing.B, t *itemset.Transactions, least int) (out []basket.Pattern) {
	d := NewData(t)
	must.Get(itemset.LCM(
		context.Background(),
		t,
		itemset.Query{Least: least, Visit: func(items []int32, support int) bool {
			if len(items) < 2 || len(items) > 3 {
				return true
			}
			for k, v := range items {
				left := slices.Delete(slices.Clone(items), k, k+1)
				if 2*support >= d.Count(left) {
					out = append(out, basket.Pattern{If: left, Then: []int32{v}})
					break
				}
			}
			return len(out) < 50
		}},
	))(b)
	return out
}

// BenchmarkHide hides 50 rules of T10I4D100K, at support 500 and confidence 0.5, the copy of the transactions included;
// the bar is 3 yardsticks for a heuristic. On two quiet cores, in yardsticks: the copy 0.05, 1.a 0.31, 1.b 0.66, 2.a
// 0.67, 2.b 0.15, 2.c 0.10, GIH 0.15, CR 0.16, CR2 0.25, mixed 0.60, fuzzy 1.b 0.66, 2.a 0.63, 2.b 0.17, Naive 0.15,
// MinFIA 0.15, MaxFIA 0.12, IGA 0.12, SWA 0.11, MaxMin 0.67, MaxMin2 0.71, BBA 0.78, Atallah 0.26, exact with 100,000
// nodes 3.0.
func BenchmarkHide(b *testing.B) {
	t := fimi(b, "t10i4d100k/t10i4d100k.dat")
	const least = 500
	list := strong(b, t, least)
	l := must.Get(NewLimits(least, 0.5, 0, t.Len()))(b)
	half := must.Get(ParseShare("1/2"))(b)
	ctx := context.Background()
	rules := func(how Strategy) func(d *Data) error {
		return func(d *Data) error {
			_, err := Rules(ctx, d, list, l, how, true)
			return err
		}
	}
	limited := func(run func(context.Context, *Data, []basket.Pattern, Limits) error) func(d *Data) error {
		return func(d *Data) error { return run(ctx, d, list, l) }
	}
	conflicts := func(how Victim) func(d *Data) error {
		return func(d *Data) error { return Conflicts(ctx, d, list, half, how, false) }
	}
	counted := func(run func(context.Context, *Data, []basket.Pattern, int) error) func(d *Data) error {
		return func(d *Data) error { return run(ctx, d, list, least) }
	}
	fuzzy := func(how Strategy) func(d *Data) error {
		return func(d *Data) error { return Fuzzify(ctx, d, list, l, how, nil) }
	}
	for _, a := range []struct {
		name string
		run  func(d *Data) error
	}{
		{"copy", func(*Data) error { return nil }},
		{"1a", rules(Raise)}, {"1b", rules(LowerEnd)}, {"2a", rules(LowerRule)}, {"2b", limited(Largest)},
		{"2c", limited(InTurn)},
		{"gih", limited(GIH)}, {"cr", limited(CR)}, {"cr2", limited(CR2)},
		{"naive", conflicts(Naive)}, {"minfia", conflicts(MinFIA)}, {"maxfia", conflicts(MaxFIA)}, {"iga", conflicts(IGA)},
		{"swa", func(d *Data) error { return SWA(ctx, d, list, slices.Repeat([]Share{half}, len(list)), 10_000) }},
		{"maxmin", counted(MaxMin)}, {"maxmin2", counted(MaxMin2)}, {"bba", counted(BBA)},
		{"atallah", limited(Atallah)}, {"mixed", func(d *Data) error { return Mixed(ctx, d, list, l, 1, 1) }},
		{"fuzzy1b", fuzzy(LowerEnd)}, {"fuzzy2a", fuzzy(LowerRule)},
		{"fuzzy2b", func(d *Data) error { return FuzzifyLargest(ctx, d, list, l, nil) }},
		{"exact", func(d *Data) error {
			o, err := Exact(ctx, d, list, Goal{Hide: least, Keep: least, Nodes: 100_000})
			if err == nil {
				o.Delete(d)
			}
			return err
		}},
	} {
		b.Run(a.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d := NewData(t)
				must.NoError(b, a.run(d))
				b.ReportMetric(float64(d.Changes), "changes")
			}
			yardstick.Report(b)
		})
	}
}
