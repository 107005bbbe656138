package report

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/clusterings"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// grouped is a sample whose first two columns have three groups of 97, 61 and 42 records; a tenth of them are released
// in another group.
func grouped(t testing.TB) *study.Outcome {
	t.Helper()
	o := sample(t, 200, 2, 1, same)
	r := rand.New(rand.NewPCG(4, 4))
	for j := range 2 {
		a, b := make([]float64, 200), make([]float64, 200)
		for i := range a {
			g := 0
			if i >= 97 {
				g = 1
			}
			if i >= 158 {
				g = 2
			}
			a[i] = math.Round(70000 + 900*float64(g*(j+1)%3) + 20*r.NormFloat64())
			if i%10 == 3 {
				g = (g + 1) % 3
			}
			b[i] = math.Round(70000 + 900*float64(g*(j+1)%3) + 20*r.NormFloat64())
		}
		o.Original, o.Released = o.Original.WithNum(j, a), o.Released.WithNum(j, b)
	}
	release := &measure.Release{Original: o.Original, Released: o.Released, Paired: true}
	specs := []study.Spec{
		{Measure: clusterings.Misclassification},
		{Measure: clusterings.ClusterQuality},
		{Measure: clusterings.Misclassification, Set: map[string]string{"k": "2", "sweep": "false"}},
	}
	ms := must.Get(study.Evaluate(context.Background(), release, specs, rng.Source{}, nil))(t)
	for k := range ms {
		if !ms[k].Err.Empty() {
			t.Fatal(ms[k].Err)
		}
	}
	o.Measures = append(o.Measures, ms...)
	return o
}

// TestClusterSection shows both clusterings of the release; the public report has none of the original's sizes.
func TestClusterSection(t *testing.T) {
	o := grouped(t)
	doc, public := render(t, o, Options{}), render(t, o, Options{Public: true})
	for _, want := range []string{"Do clusters survive?", "3 clusters by k-means", "2 clusters by k-means",
		"20 of the 200 records, 10 %, are in another cluster", "<span>3: 10 %</span>",
		"Do the clusters agree (adjusted Rand index)? By number of clusters",
		"How much do clusters grow or shrink (M_E as printed)? By number of clusters", ">97</td>", ">61</td>",
		">42</td>", "mean silhouette", "Quality of clusters"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if n := strings.Count(doc, " stay\">"); n != 3+2 {
		t.Errorf("%d cells are of records that stayed, expected 5", n)
	}
	for _, want := range []string{"Do clusters survive?", "10 % of the 200 records are in another cluster",
		"Do the clusters agree (adjusted Rand index)? By number of clusters"} {
		if !strings.Contains(public, want) {
			t.Errorf("the public report lacks %q", want)
		}
	}
	for _, leak := range []string{"20 of the 200", ">97<", ">61<", ">42<", "M_E", "silhouette", "Records by cluster"} {
		if strings.Contains(public, leak) {
			t.Errorf("the public report holds %q", leak)
		}
	}
	var text bytes.Buffer
	must.NoError(t, Text(&text, o, Screen{Verbose: true}))
	if want := "3 clusters by k-means\n20 of the 200 records, 10 %, are in another cluster"; !strings.Contains(
		text.String(), want) {
		t.Errorf("the summary lacks %q", want)
	}
	if strings.Contains(text.String(), "cluster 1, records before") ||
		!strings.Contains(text.String(), "adjusted Rand index 0") {
		t.Error("the table of measures has not the few parts that matter")
	}
}

// TestNoClusters: without the measures, or where they failed, there is no section.
func TestNoClusters(t *testing.T) {
	o := sample(t, 30, 2, 1, same)
	failed := study.Measured{
		Err:   message.Text("no numbers"),
		Value: measure.Value{Detail: clusterings.MisclassificationDetail{}},
	}
	for range 2 {
		if clustersOf(o, Options{}) != nil || clustersOf(o, Options{Public: true}) != nil {
			t.Error("there is a section")
		}
		o.Measures = append(o.Measures, failed)
	}
	o.Measures = []study.Measured{{Value: measure.Value{Detail: clusterings.ClusterQualityDetail{Clusters: 1}}}}
	if clustersOf(o, Options{Public: true}) != nil {
		t.Error("the public report has a section without anything in it")
	}
	if c := clustersOf(o, Options{}); c == nil || !strings.Contains(textOf(c.Blocks...), "The quality of 1 cluster by") {
		t.Errorf("%+v", c)
	}
}

func TestMovedRecordsInWords(t *testing.T) {
	of := func(records, moved int, paired bool) *clusterings.MisclassificationDetail {
		return &clusterings.MisclassificationDetail{
			Paired:     paired,
			Comparison: clusterings.Comparison{Records: records, Points: float64(moved) / float64(records)},
		}
	}
	for _, c := range []struct {
		d              *clusterings.MisclassificationDetail
		internal, open string
	}{
		{of(3000, 0, true), "None of the 3,000 records is in another", "None of the 3,000 records is in another"},
		{of(3000, 1, true), "1 of the 3,000 records, under 0.1 %, is in another", "Fewer than 11 of the 3,000 records are " +
			"in another"},
		{of(49, 7, true), "7 of the 49 records, 14.3 %, are in another", "Fewer than 11 of the 49 records are in another"},
		{of(49, 47, true), "47 of the 49 records, 95.9 %, are in", "Over 77.6 % of the 49 records are in another"},
		{of(49, 11, true), "11 of the 49 records, 22.4 %, are in", "22.4 % of the 49 records are in another"},
		{of(1, 0, false), "None of the 1 record is", "None of the 1 record is"},
	} {
		for public, want := range map[bool]string{false: c.internal, true: c.open} {
			reader := measure.Reader{Public: public, Records: c.d.Records}
			if public {
				reader.Few = fewest
			}
			got := said(movedRecords(c.d, reader).Says)
			if !strings.HasPrefix(got, want) || strings.Contains(got, "not paired") == c.d.Paired {
				t.Errorf("public %v: %q, expected %q", public, got, want)
			}
		}
	}
}

// TestSweepBelowChance: an index below 0 is drawn at 0 and told.
func TestSweepBelowChance(t *testing.T) {
	p := sweeps("s", []clusterings.Step{{K: 2, Points: 0.5, Sizes: 0.0001, Rand: -0.25}, {K: 3, Points: 0.00001}}, false)
	if len(p) != 3 || said(p[0].Facts)+"|"+said(p[1].Facts)+"|"+said(p[2].Facts) != "2: 50 %|3: under 0.1 %|2: about "+
		"0|3: 0|2: −0.25|3: 0" {
		t.Errorf("%+v", p)
	}
	if y := regexp.MustCompile(`cy="([\d.]+)"`).FindAllStringSubmatch(drawn(p[2]), -1); len(y) != 2 || y[0][1] != y[1][1] {
		t.Errorf("the points are at %v", y)
	}
}

func TestQualityTable(t *testing.T) {
	q := qualityOf(
		&clusterings.ClusterQualityDetail{
			Clusters: 3,
			Records:  900,
			Sample:   300,
			Original: clusterings.Quality{Explained: 0.5, Silhouette: 0.25, Half: 0.0125},
			Carried:  clusterings.Quality{Explained: 0.4, Silhouette: -0.02},
			Released: clusterings.Quality{Explained: 1},
		},
	)
	for k, want := range []string{"the original|the original|50 %|0.25 ± 0.013", "the release|the original|40 %|−0.02",
		"the release|the release|100 %|0"} {
		if got := strings.Join(cellTexts(tablesOf(q)[0].Rows[k]), "|"); got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
	if !strings.Contains(textOf(q), "a sample of 300 records") {
		t.Errorf("%s", textOf(q))
	}
}

// TestWider: a page is widened for what does not find room on it: the wider tree, then both beside each other.
func TestWider(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want string
	}{{500, 500, ""}, {1000, 900, "2020 1960"}, {900, 1200, "1260 1200 2220 2160"}, {1300, 0, "1360 1300 1420 1360"}} {
		got := regexp.MustCompile(`(\d+)px`).FindAllStringSubmatch(string(wider(c.a, c.b)), -1)
		var all []string
		for _, m := range got {
			all = append(all, m[1])
		}
		if s := strings.Join(all, " "); s != c.want {
			t.Errorf("%v and %v: %q, expected %q", c.a, c.b, s, c.want)
		}
	}
}
