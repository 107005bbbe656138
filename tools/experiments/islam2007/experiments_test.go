package main

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

func withData(t *testing.T) context.Context {
	t.Helper()
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "wbc/wbc.csv"))))
	dataset.File(t, "adult/adult.csv")
	return context.Background()
}

// TestSplits counts the records of section 7.3 and takes the same share of both classes, to within one record in each
// of the tree's leaves, of which there are fewer than 50.
func TestSplits(t *testing.T) {
	ctx := withData(t)
	small, err := wbcSamples(ctx)
	if err != nil {
		t.Fatal(err)
	}
	large, err := adultSample(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		s           *sample
		train, held int
		class       string
	}{{small[0], 600, 83, "class"}, {small[9], 600, 83, "class"}, {large[0], 25600, 4562, "income"}} {
		if x.s.Original.Rows() != x.train || x.s.Holdout.Rows() != x.held {
			t.Errorf("%d records to train and %d held out", x.s.Original.Rows(), x.s.Holdout.Rows())
		}
		j := x.s.Original.Find(x.class)
		count := func(t *table.Table) (n int) {
			for _, c := range t.Cat(j) {
				n += int(c)
			}
			return n
		}
		in, out := count(x.s.Original), count(x.s.Holdout)
		if want := float64(in+out) * float64(x.held) / float64(x.train+x.held); math.Abs(float64(out)-want) > 50 {
			t.Errorf("%d of %d records of a class are held out, expected %.0f", out, in+out, want)
		}
	}
	if got := except(large[0].Original, "workclass"); strings.Contains(got, "workclass") ||
		!strings.Contains(got, "marital_status") ||
		strings.Contains(got, "income") ||
		strings.Contains(got, "age") {
		t.Errorf("except is %q", got)
	}
}

// TestHalf is what the Extended Framework is for: with any technique its largest change of a correlation, in the median
// of ten seeds, is at most half of the Framework's, on WBC and Adult; and C-GADP, as Islam 2007, section 7.4, expects,
// changes no more than GADP. It is asked of the techniques as dither releases them. As the thesis prints them the last
// is a tie on Adult (the page has .98 of GADP's), which ten seeds do not settle.
func TestHalf(t *testing.T) {
	ctx := withData(t)
	as, err := arenas(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range as {
		a.samples = a.samples[:1]
		// CAPT takes time and touches no number.
		a.set = settings{"except": except(a.samples[0].Original), "exact": "false"}
		median := map[string]float64{}
		for _, d := range drawings[:4] {
			v, err := a.changes(ctx, &d)
			if err != nil {
				t.Fatal(err)
			}
			median[d.title] = quantile(v, 0.5)
			if d.title != framework && median[d.title] > median[framework]/2 {
				t.Errorf(
					"%s: %s changes correlations by %.3f, the Framework by %.3f",
					a.title,
					d.title,
					median[d.title],
					median[framework],
				)
			}
			if d.rival != "" && strings.Contains(d.title, "C-GADP") && median[d.title] > median[d.rival] {
				t.Errorf("%s: C-GADP changes correlations by %.3f, GADP by %.3f", a.title, median[d.title], median[d.rival])
			}
		}
	}
}

// TestDrift compares the mean of capital_gain after clipping with the normal law's. The standard deviation of the
// 25,600 drawn values is below 7,500, so the mean of five releases has a standard error below 21; 105 is five of them.
// That of the Extended Framework is the thesis's, as printed: with rare numbers between their neighbours it is beyond.
func TestDrift(t *testing.T) {
	ctx := withData(t)
	samples, err := adultSample(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s := samples[0]
	cols, err := protect.Columns(s.Original, table.Numeric, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]float64{}
	const leaves = "Extended Framework, See5 options, clip"
	for k, f := range forcings(s.Original) {
		if k > 5 && f.title != leaves {
			continue
		}
		if got[f.title], err = f.means(ctx, s, cols); err != nil {
			t.Fatal(err)
		}
	}
	const gain, education = 3, 2
	if want := predicted(s.Original, cols, clipped)[gain]; math.Abs(got["GADP, clip"][gain]-want) > 105 {
		t.Errorf("the mean of capital_gain is %.0f, the law has %.0f", got["GADP, clip"][gain], want)
	}
	if mean := got[leaves][gain]; mean < 1456-105 || mean > 1581+105 {
		t.Errorf("the mean of capital_gain is %.0f leaf by leaf, the thesis has 1,456 to 1,581", mean)
	}
	exact, rounded := got["GADP, clip, not on a grid"], got["the same values, rounded to integers"]
	truncated := got["the same values, truncated to integers"]
	for k := range exact {
		if d := exact[k] - rounded[k]; math.Abs(d) > 0.01 {
			t.Errorf("rounding moves mean %d by %v", k, d)
		}
	}
	if d := exact[education] - truncated[education]; math.Abs(d-0.5) > 0.02 {
		t.Errorf("truncation moves education_num by %v, expected a half", d)
	}
}

// TestTables prints the tables of two runs of each technique on one split of WBC.
func TestTables(t *testing.T) {
	ctx := withData(t)
	samples, err := wbcSamples(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var all []runs
	for _, k := range []kind{
		{framework, "", "framework", asPrinted, c45Release8("2")},
		{extended, "", "extframework", leavesOfGADP, c45Release8("2")},
		{randomExtended, "", "randomextframework", wholeGADP, see5("2")},
	} {
		rs, err := repeat(ctx, samples[:1], 2, "test", &k, everything)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, runs{k, rs})
	}
	for _, r := range all[:2] {
		if mean(column(r.results, exact)) != 1 || r.results[0].stayed != 1 {
			t.Errorf("%s: a record left its leaf", r.title())
		}
	}
	var page bytes.Buffer
	printRules(&page, rulesWBC, all)
	printAccuracies(&page, "7.2", table72, all)
	if err := printMoments(&page, "wbc", 2, all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| thesis: Framework |  | 95.5, 92.8; > 90 in all |", "| ours: Extended Framework | ", "### Table 7.2: ",
		"| the original | 99.3 | ",
		"| the original, See5 options | 99.3 | ", "| Extended Framework | 98.5, 99.3 | ", "| thesis: Extended Framework 2 " +
			"| 4.81 | 2.98 |",
		"| ours: original | 4.4", "    mitoses                        0.36   0.47", "| largest change | without " +
			"clump_thickness |",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, line := range strings.Split(page.String(), "\n") {
		if n := strings.Count(line, "|"); n > 0 && n != 8 && n != 11 && n != 13 {
			t.Errorf("a row has %d bars: %s", n, line)
		}
	}
}

// TestRunsAreFixed takes one run twice, alone and among others.
func TestRunsAreFixed(t *testing.T) {
	ctx := withData(t)
	samples, err := wbcSamples(ctx)
	if err != nil {
		t.Fatal(err)
	}
	k := kind{extended, "", "extframework", leavesOfGADP, c45Release8("2")}
	rs, err := repeat(ctx, samples[:2], 2, "test", &k, []measure.Measure{distributions.Bias})
	if err != nil {
		t.Fatal(err)
	}
	r, err := run(ctx, samples[1], &k, []measure.Measure{distributions.Bias}, seedOf("test", 3))
	if err != nil {
		t.Fatal(err)
	}
	change := changeWithout(0)
	if change(r) != change(rs[3]) || change(r) == change(rs[2]) || change(r) != r.bias.LargestCorrDiff {
		t.Errorf("%v alone, %v among others %v", change(r), change(rs[3]), change(rs[2]))
	}
	k.method = "none"
	if _, err := repeat(ctx, samples[:1], 1, "test", &k, nil); err == nil ||
		!strings.HasPrefix(err.Error(), extended+": ") {
		t.Errorf("error %v", err)
	}
}

// TestPage refuses what is no experiment.
func TestPage(t *testing.T) {
	for _, args := range [][]string{nil, {"none"}, {"wbc", "adult"}} {
		var page bytes.Buffer
		if known, err := printPage(context.Background(), &page, args); known || err != nil || page.Len() > 0 {
			t.Errorf("%q is known, error %v", args, err)
		}
	}
	t.Setenv("DITHER_DATA", t.TempDir())
	t.Chdir(t.TempDir()) // no data set stands beside it
	known, err := printPage(context.Background(), new(bytes.Buffer), []string{"gadp"})
	if !known || err == nil || !strings.HasPrefix(err.Error(), "gadp: ") {
		t.Errorf("without data: known %v, error %v", known, err)
	}
}
