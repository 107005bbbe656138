package report

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/clusterings"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// told are the shares that the drawings of columns tell, as they are read aloud: name: 12.5 %.
var toldShares = regexp.MustCompile(`<title>([^<]*): (?:under )?([0-9.]+) %</title>`)

// TestPublicSharesAreOfMany draws random columns with rare values in all places, and works back from each share in the
// public report to the records behind it: none is of fewer than are told of. Numbers and categories, 200 tables, fixed
// draws: it never fails by chance.
func TestPublicSharesAreOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	seen := 0
	for range 200 {
		n := 60 + r.IntN(400)
		kinds := 2 + r.IntN(9)
		labels := make([]string, kinds)
		for k := range labels {
			labels[k] = "kind " + string(rune('a'+k))
		}
		skew := 0.5 + 3*r.Float64()
		cat := func() []int32 {
			out := make([]int32, n)
			for i := range out {
				out[i] = int32(float64(kinds) * math.Pow(r.Float64(), skew))
			}
			return out
		}
		num := func() []float64 {
			out := make([]float64, n)
			for i := range out {
				out[i] = math.Floor(20 * math.Pow(r.Float64(), skew))
			}
			return out
		}
		x, y := table.NumColumn("x", 1, num()), table.NumColumn("x", 1, num())
		original := tabletest.Of(t, table.CatColumn("c", labels, cat()), x)
		released := tabletest.Of(t, table.CatColumn("c", labels, cat()), y)
		o := &study.Outcome{Original: original, Released: released}
		for j := range 2 {
			c := panelOf(o, j, true, nil)
			if c.Drawing == nil {
				continue
			}
			for _, m := range toldShares.FindAllStringSubmatch(string(c.Drawing.Draw("d")), -1) {
				share, err := strconv.ParseFloat(m[2], 64)
				seen++
				// a share is written with one decimal: half of one is as many records
				if most := (share + 0.05) / 100 * float64(n); err != nil || most < fewest && share > 0 {
					t.Errorf("of %d records %q is %s %%, which is at most %.1f of them", n, m[1], m[2], most)
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d shares were read", seen)
	}
}

// TestPublicCountsAreOfMany: what a few records did is told as of a few, in words, and not as a share of them either.
func TestPublicCountsAreOfMany(t *testing.T) {
	count := regexp.MustCompile(`(^|[^0-9.,])([1-9]|10) (of|records?|values?)\b`)
	for _, gone := range []int{0, 1, 10, 11, 60} {
		o := sample(t, 300, 3, 2, same)
		share := 1 - float64(gone)/300
		for k := range o.Measures {
			switch o.Measures[k].Value.Detail.(type) {
			case segments.Detail:
				o.Measures[k].Unit = measure.In(measure.Share, o.Measures[k].Unit.Of)
				o.Measures[k].Value = measure.Value{Score: share, Lo: share, Hi: share,
					Detail: segments.Detail{Records: 300, Stayed: 300 - gone, Outside: gone, OffGrid: gone, Missing: gone}}
			}
		}
		moved := clusterings.MisclassificationDetail{Paired: true, Sweep: []clusterings.Step{{K: 2, Points: 1 - share}}}
		moved.Records, moved.Points = 300, 1-share
		o.Measures = append(o.Measures, study.Measured{Value: measure.Value{Detail: moved}})
		plain := plainText(render(t, o, Options{Public: true}))
		percent := func(v float64) string {
			return " " + strings.TrimSuffix(strconv.FormatFloat(100*v, 'f', 1, 64), ".0") + " %"
		}
		tells := count.MatchString(plain) || strings.Contains(plain, percent(share)) ||
			strings.Contains(plain, percent(1-share))
		if want := gone >= fewest; gone > 0 && tells != want {
			t.Errorf("%d records: told %v (%q)", gone, tells, count.FindString(plain))
		}
	}
}
