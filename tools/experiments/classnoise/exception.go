package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// exception holds the thesis's one exception against ours: ALPT does not cost accuracy, section 9.4 says, but for the
// networks of BHP, which are much worse after ALPT than after RPT and PPT. It compares networks with early stopping and
// networks that are trained to the end, subset by subset.
func exception(r *result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "**Is ALPT worse than RPT and PPT for networks on %s?** ", r.title)
	thesis := table93[r.title]
	fmt.Fprintf(&out, "In the thesis it is by %.1f and %.1f points on the test records, and by %.1f and %.1f on the "+
		"original ones. ", thesis["alpt"][1]-thesis["rpt"][1], thesis["alpt"][1]-thesis["ppt"][1],
		thesis["alpt"][0]-thesis["rpt"][0], thesis["alpt"][0]-thesis["ppt"][0])
	for _, n := range []struct {
		title          string
		test, original func(*figures) float64
	}{
		{"Here, with early stopping, ", func(f *figures) float64 { return f.netTest },
			func(f *figures) float64 { return f.netOriginal }},
		{fmt.Sprintf("Trained for %d epochs on all records, without early stopping, ", epochs),
			func(f *figures) float64 { return f.long[2] }, func(f *figures) float64 { return f.long[1] }},
	} {
		out.WriteString(n.title)
		for k, on := range []struct {
			title string
			of    func(*figures) float64
		}{{"test", n.test}, {"original", n.original}} {
			if k > 0 {
				out.WriteString("; ")
			}
			fmt.Fprintf(&out, "on the %s records it is %s RPT (%s points) and %s PPT (%s)", on.title,
				r.beside("rpt", on.of).word(), r.beside("rpt", on.of), r.beside("ppt", on.of).word(), r.beside("ppt", on.of))
		}
		most := slices.Max(all(r.released["alpt"], n.test))
		fmt.Fprintf(&out, "; of the %d networks after ALPT the worst is wrong on %.1f %% of the test records, the thesis's "+
			"five on %.1f %% on average. ", len(r.released["alpt"]), most, thesis["alpt"][1])
	}
	return strings.TrimSpace(out.String()) + "\n"
}

// difference is a mean over the subsets with the half width of its 95 % interval.
type difference struct{ mean, half float64 }

func (d difference) String() string { return fmt.Sprintf("%+.1f ± %.1f", d.mean, d.half) }

// word says how many errors there are beside another technique.
func (d difference) word() string {
	switch {
	case math.IsNaN(d.half) || math.Abs(d.mean) <= d.half:
		return "not told apart from"
	case d.mean < 0:
		return "better than"
	}
	return "worse than"
}

// beside returns how many more errors there are after ALPT than after another technique, of 100 records, by subset.
func (r *result) beside(technique string, of func(*figures) float64) difference {
	n := len(r.released[technique]) / releases
	d := make([]float64, n)
	for k := range d {
		alpt, other := r.released["alpt"][k*releases:][:releases], r.released[technique][k*releases:][:releases]
		d[k] = mean(all(alpt, of)) - mean(all(other, of))
	}
	m, sd := stat.MeanStdDev(d, nil)
	if n < 2 {
		return difference{m, math.NaN()}
	}
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975) * sd / math.Sqrt(float64(n))
	return difference{m, half}
}
