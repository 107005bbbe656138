package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/clusterings"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// clustersOf is the section on what became of the clusters. The public report has shares of all records only: how many
// of the original are in which cluster, and how tight these are, tells its distribution, and small clusters tell of few
// people.
func clustersOf(o *study.Outcome, opt Options) *document.Section {
	s := &document.Section{Key: "clusters", Title: message.Say("clusters.title")}
	var quality []document.Block
	for k := range o.Measures {
		m := &o.Measures[k]
		if !m.Err.Empty() {
			continue
		}
		if d, ok := as[clusterings.MisclassificationDetail](m.Value.Detail); ok && d.Records > 0 {
			s.Blocks = append(s.Blocks, clusteringOf("clusters-"+strconv.Itoa(k+1), d, readerOf(o, opt.Public)))
		}
		if d, ok := as[clusterings.ClusterQualityDetail](m.Value.Detail); ok && !opt.Public {
			quality = append(quality, qualityOf(d))
		}
	}
	s.Blocks = append(s.Blocks, quality...)
	return some(s)
}

// clusteringOf is what one miner of clusters finds in both tables.
func clusteringOf(id string, d *clusterings.MisclassificationDetail, r measure.Reader) document.Block {
	r.Records = d.Records
	title := message.Say("clusters.by").Count("n", d.Clusters).
		Text("miner", strings.Replace(d.Miner, "kmeans", "k-means", 1))
	out := document.Part{Title: title, Look: "measure", Blocks: []document.Block{movedRecords(d, r)}}
	charts := sweeps(id, d.Sweep, r.Public)
	if slices.ContainsFunc(d.Sweep, func(s clusterings.Step) bool {
		_, _, few := r.Bounds(s.Points)
		return few
	}) {
		charts = nil
	}
	if len(charts) > 0 {
		out.Blocks = append(out.Blocks, document.Charts{Items: charts[:1]})
	}
	var folded []document.Block
	if len(charts) > 1 {
		folded = append(folded, document.Charts{Items: charts[1:]})
	}
	if !r.Public {
		folded = append(folded, crossTable(title, &d.Comparison)...)
	}
	if folded != nil {
		out.Blocks = append(out.Blocks, fold(message.Say("clusters.fold"), folded...))
	}
	return out
}

// movedRecords says how many records are in another cluster; to the public, which share of them.
func movedRecords(d *clusterings.MisclassificationDetail, r measure.Reader) document.Prose {
	moved := int(math.Round(d.Points * float64(d.Records)))
	says := message.Say("clusters.moved").Count("moved", moved).Count("records", d.Records).Share("share", d.Points)
	switch {
	case moved == 0:
		says = message.Say("clusters.none").Count("records", d.Records)
	case r.Hides(moved):
		says = message.Say("clusters.few").Count("few", r.Few).Count("records", d.Records)
	case r.Public:
		says = message.Say("clusters.share").Count("records", d.Records).Share("share", d.Points).Told(r.Bounds)
	}
	out := prose("lead", says)
	if !d.Paired {
		out.Says = append(out.Says, message.Say("clusters.unpaired"))
	}
	return out
}

// sweeps draws the error by number of clusters. The public report leaves M_E out, of which the sizes of the original's
// clusters can be worked out.
func sweeps(id string, steps []clusterings.Step, public bool) []document.Chart {
	if len(steps) == 0 {
		return nil
	}
	moved := sweep{key: "moved", unit: " %", scale: 10,
		of: func(s clusterings.Step) float64 { return float64(100 * s.Points) }}
	sizes := sweep{key: "sizes", scale: 0.1, of: func(s clusterings.Step) float64 { return s.Sizes }}
	rand := sweep{key: "rand", scale: 1, of: func(s clusterings.Step) float64 { return s.Rand }}
	if public {
		return []document.Chart{moved.draw(id, steps), rand.draw(id, steps)}
	}
	return []document.Chart{moved.draw(id, steps), sizes.draw(id, steps), rand.draw(id, steps)}
}

// sweep is a figure by number of clusters.
type sweep struct {
	key, unit string
	scale     float64 // that the drawing has at least
	of        func(clusterings.Step) float64
}

func (w sweep) write(v float64) message.Sentence {
	switch {
	case w.unit != "":
		return message.Share(v / 100)
	case v != 0 && math.Abs(v) < 0.0005:
		return message.Say("clusters.about0")
	}
	return message.Number(v, 0.001)
}

// draw draws the figure; one below 0 is at 0, and told.
func (w sweep) draw(id string, steps []clusterings.Step) document.Chart {
	title := message.Say("clusters.sweep." + w.key + ".title")
	c := chart.Curve{Title: message.Say("clusters.sweep.label").Part("title", title).String(), Unit: w.unit,
		UnitX: " clusters", Scale: w.scale, Step: 1}
	p := document.Chart{Key: id + "-" + w.key, Title: title, Says: message.Say("clusters.sweep." + w.key + ".says")}
	for _, s := range steps {
		v := w.of(s)
		c.X, c.Released = append(c.X, float64(s.K)), append(c.Released, math.Max(v, 0))
		c.Names = append(c.Names, message.Say("clusters.sweep.tip").Count("n", s.K).Part("value", w.write(v)).String())
		p.Facts = append(p.Facts, message.Say("clusters.sweep.fact").Count("n", s.K).Part("value", w.write(v)))
	}
	p.Drawing = c
	return p
}

// qualityOf is how good the clusters of both tables are.
func qualityOf(d *clusterings.ClusterQualityDetail) document.Block {
	t := document.Table{Title: message.Say("quality.title"), Look: "narrow",
		Columns: columns("quality.columns", "clusters", "values", "explained n", "silhouette n")}
	lead := prose("lead", message.Say("quality.lead").Count("n", d.Clusters))
	if d.Sample < d.Records {
		lead.Says = append(lead.Says, message.Say("quality.sample").Count("n", d.Sample))
	}
	original, release := message.Say("accuracy.original"), message.Say("accuracy.release")
	for _, c := range []struct {
		clusters, values message.Sentence
		clusterings.Quality
	}{{original, original, d.Original}, {release, original, d.Carried}, {release, release, d.Released}} {
		width := message.Number(c.Silhouette, 0.001)
		if c.Half > 0 {
			width = message.Say("quality.about").Number("v", c.Silhouette, 0.001).Number("half", c.Half, 0.001)
		}
		t.Rows = append(t.Rows, row(c.clusters, c.values, message.Share(c.Explained), width))
	}
	return fold(t.Title, lead, t)
}
