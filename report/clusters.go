package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/measure/clusterquality"
	"github.com/dither-data/dither/measure/misclassification"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// clusters is the section on what became of the clusters. The public report has shares of all records only: how many of the original are in which
// cluster, and how tight these are, tells its distribution, and small clusters tell of few people.
type clusters struct {
	Found   []clustering
	Quality []qualities // never in the public version
}

// clustering is what one miner of clusters finds in both tables.
type clustering struct {
	Title, Moved string
	Panels       []captioned
	Table        *crossTable // never in the public version
}

func clustersOf(o *study.Outcome, public bool) *clusters {
	var c clusters
	for k := range o.Measures {
		m := &o.Measures[k]
		if m.Err != "" {
			continue
		}
		if d, ok := as[misclassification.Detail](m.Value.Detail); ok && d.Records > 0 {
			c.Found = append(c.Found, clusteringOf(fmt.Sprintf("clusters-%d", k+1), d, public))
		}
		if d, ok := as[clusterquality.Detail](m.Value.Detail); ok && !public {
			c.Quality = append(c.Quality, qualitiesOf(d))
		}
	}
	if c.Found == nil && c.Quality == nil {
		return nil
	}
	return &c
}

func clusteringOf(id string, d *misclassification.Detail, public bool) clustering {
	c := clustering{Title: upper(counted(d.Clusters, "cluster")) + " by " + strings.Replace(d.Miner, "kmeans", "k-means", 1), Moved: movedRecords(d, public), Panels: sweeps(id, d.Sweep, public)}
	if !public {
		c.Table = crossTableOf(&d.Comparison)
	}
	return c
}

// movedRecords says how many records are in another cluster; to the public, which share of them.
func movedRecords(d *misclassification.Detail, public bool) string {
	records := "the " + counted(d.Records, "record")
	s := ""
	switch moved := int(math.Round(d.Points * float64(d.Records))); {
	case moved == 0:
		s = "None of " + records + " is in another cluster of the release than the one matched with theirs."
	case public:
		s = upper(chart.Percent(d.Points)) + " of " + records + " are in another cluster of the release than the one matched with theirs."
	default:
		s = fmt.Sprintf("%s of %s, %s, %s in another cluster of the release than the one matched with theirs.", chart.Count(float64(moved)), records,
			chart.Percent(d.Points), is(moved))
	}
	if !d.Paired {
		s += " The records are not paired: those of the original are put into the clusters that the release has."
	}
	return s
}

func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// sweeps draws the error by number of clusters. The public report leaves M_E out, of which the sizes of the original's clusters can be worked out.
func sweeps(id string, steps []misclassification.Step, public bool) []captioned {
	if len(steps) == 0 {
		return nil
	}
	share := sweep{name: "Records in another cluster", text: "Share of the records, clusters matched one to one. 0 is best.",
		unit: " %", scale: 10, of: func(s misclassification.Step) float64 { return 100 * s.Points }}
	sizes := sweep{name: "M_E as printed", text: "Change of the clusters' sizes over the records. 0 is best.",
		scale: 0.1, of: func(s misclassification.Step) float64 { return s.Sizes }}
	rand := sweep{name: "Adjusted Rand index", text: "Agreement on who is with whom. 1 is best, 0 is chance.",
		scale: 1, of: func(s misclassification.Step) float64 { return s.Rand }}
	if public {
		return []captioned{share.draw(id+"-moved", steps), rand.draw(id+"-rand", steps)}
	}
	return []captioned{share.draw(id+"-moved", steps), sizes.draw(id+"-sizes", steps), rand.draw(id+"-rand", steps)}
}

// sweep is a figure by number of clusters.
type sweep struct {
	name, text, unit string
	scale            float64 // that the drawing has at least
	of               func(misclassification.Step) float64
}

func (w sweep) write(v float64) string {
	switch {
	case w.unit != "":
		return chart.Percent(v / 100)
	case v != 0 && math.Abs(v) < 0.0005:
		return "about 0"
	}
	return chart.Number(v, 0.001)
}

// draw draws the figure; one below 0 is at 0, and told.
func (w sweep) draw(id string, steps []misclassification.Step) captioned {
	c := chart.Curve{Title: w.name + " by number of clusters", Unit: w.unit, UnitX: " clusters", Scale: w.scale, Step: 1}
	p := captioned{Text: w.text, panel: panel{Name: w.name}}
	for _, s := range steps {
		v := w.of(s)
		text := w.write(v)
		c.X, c.Released = append(c.X, float64(s.K)), append(c.Released, math.Max(v, 0))
		c.Names = append(c.Names, counted(s.K, "cluster")+": "+text)
		p.Facts = append(p.Facts, strconv.Itoa(s.K)+": "+text)
	}
	p.Chart = c.Draw(id)
	return p
}

// qualities is how good clusters are by one measure.
type qualities struct {
	Text string
	Rows []qualityRow
}

// qualityRow is the figures of one clustering by the values of one table.
type qualityRow struct{ Clusters, Values, Explained, Silhouette string }

func qualitiesOf(d *clusterquality.Detail) qualities {
	q := qualities{Text: fmt.Sprintf("How good %s by k-means are. Explained is the share of the variation that is between clusters; the silhouette is 1 for clusters"+
		" far apart and about 0 for none.", counted(d.Clusters, "cluster"))}
	if d.Sample < d.Records {
		q.Text += " Silhouettes are those of a sample of " + chart.Count(float64(d.Sample)) + " records, with 95 % intervals."
	}
	for _, c := range []struct {
		clusters, values string
		clusterquality.Quality
	}{{"the original", "the original", d.Original}, {"the release", "the original", d.Carried}, {"the release", "the release", d.Released}} {
		width := chart.Number(c.Silhouette, 0.001)
		if c.Half > 0 {
			width += " ± " + chart.Number(c.Half, 0.001)
		}
		q.Rows = append(q.Rows, qualityRow{c.clusters, c.values, chart.Percent(c.Explained), width})
	}
	return q
}

// Others are the drawings but the first.
func (c clustering) Others() []captioned {
	if len(c.Panels) < 2 {
		return nil
	}
	return c.Panels[1:]
}
