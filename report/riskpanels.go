package report

import (
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure/anonymity"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// riskPanels draws what the measures against one intruder found: first how hard people are to find, then what makes it
// easier.
func riskPanels(o *study.Outcome, id string, a *study.Attack) []document.Chart {
	var who, why, alike []document.Chart
	for _, k := range a.Measures {
		m := &o.Measures[k]
		if !m.Err.Empty() {
			continue
		}
		if d, ok := as[uncertainty.ReidentificationDetail](m.Value.Detail); ok && len(d.H) > 0 && !o.Synthetic {
			who = append(who, doubt(id+"-doubt", d, m.Words), sureness(id+"-sure", d, m.Words))
		}
		if b, ok := m.Value.Detail.(believer); ok {
			who = append(who, suspects(id+"-suspects", o, b)...)
		}
		if d, ok := as[uncertainty.KnowledgeDetail](m.Value.Detail); ok {
			why = knowing(id+"-known", d)
		}
		if d, ok := as[anonymity.KAnonymityDetail](m.Value.Detail); ok {
			alike = append(alike, crowds(id+"-crowds", d))
		}
	}
	return slices.Concat(who, why, alike)
}

// curvePoints is about how many points a curve over records has: more than the drawing is pixels wide would be lost.
const curvePoints = 200

// doubt draws the entropies of all persons, sorted (figure 8.2 of Islam 2007).
func doubt(id string, d *uncertainty.ReidentificationDetail, who string) document.Chart {
	h := slices.Clone(d.H)
	slices.Sort(h)
	last := len(h) - 1
	n := min(last, curvePoints)
	below := message.Say("doubt.below").Share("share", d.Below).Text("bits", document.Significant(d.Threshold))
	c := chart.Curve{Title: message.Say("doubt.label").Among(who).String(),
		Unit: " bits", UnitX: " %", Marks: []chart.Mark{
			{Y: d.Threshold, Label: below.String(), Under: true},
			{Y: portable.Log2(float64(d.Released)), Label: message.Say("doubt.alike").Count("n", d.Released).String()}}}
	for k := range n + 1 {
		share, v := 1.0, h[last]
		if n > 0 {
			share, v = float64(k)/float64(n), h[(k*last+n/2)/n]
		}
		c.X, c.Released = append(c.X, float64(100*share)), append(c.Released, v)
		name := ""
		if k%max(1, n/20) == 0 {
			name = message.Say("doubt.upTo").Share("share", share).Number("bits", v, 0.01).Among(who).String()
		}
		c.Names = append(c.Names, name)
	}
	p := document.Chart{Key: id, Title: message.Say("doubt.title"), Says: message.Say("doubt.says"), Drawing: c}
	p.Facts = []message.Sentence{message.Say("doubt.mean").Number("v", d.Mean, 0.01), message.Say("doubt.sd").
		Number("v", d.SD, 0.01),
		message.Say("doubt.least").Number("v", h[0], 0.01)}
	if len(h) < d.Originals {
		p.Facts = append(p.Facts, message.Say("people.sampled").Count("n", len(h)))
	}
	return p
}

// surenesses are the upper ends of the classes in which probabilities are counted.
var surenesses = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, math.Inf(1)}

// sureness draws how likely the likeliest record of a person is, over the persons.
func sureness(id string, d *uncertainty.ReidentificationDetail, who string) document.Chart {
	c := chart.Columns{Title: message.Say("sure.label").Among(who).String(),
		Released: make([]float64, len(surenesses)), Marked: -1,
		Names: []string{"< 1", "1", "2", "5", "10", "20", "50", "100 %"}}
	for _, p := range d.Best {
		for k, end := range surenesses {
			if p < end {
				c.Released[k]++
				break
			}
		}
	}
	c.Released = sharesOf(c.Released, float64(len(d.Best)))
	for k, end := range surenesses {
		tip := message.Say("sure.certain")
		switch {
		case k == 0:
			tip = message.Say("sure.under").Share("to", end)
		case !math.IsInf(end, 1):
			tip = message.Say("sure.between").Share("from", surenesses[k-1]).Share("to", end)
		}
		c.Tips = append(c.Tips, tip.String())
	}
	p := document.Chart{Key: id, Title: message.Say("sure.title"), Says: message.Say("sure.says"), Drawing: c}
	if d.Found != nil {
		p.Facts = []message.Sentence{message.Say("sure.right").Share("share", *d.Found)}
	}
	return p
}

// sharesOf divides counts, after they are summed, so that all of them are a share of exactly 1.
func sharesOf(counts []float64, total float64) []float64 {
	for k := range counts {
		counts[k] /= max(total, 1)
	}
	return counts
}

// believer is the detail of a measure that tells what the intruder believes of the person at the highest risk: the row
// in the original table, from 0, the probabilities of the likeliest released records, falling, and the place of the
// person's own among these, -1 when it is not.
type believer interface {
	Believed() (row int, p []float64, own int)
}

// suspects draws the likeliest records of one person (figure 8.1 of Islam 2007).
func suspects(id string, o *study.Outcome, b believer) []document.Chart {
	row, p, own := b.Believed()
	if len(p) == 0 || row < 0 || row >= o.Judged().Rows() {
		return nil
	}
	number := int(o.Judged().ID(row) + 1)
	c := chart.Columns{Title: message.Say("suspects.label").Count("row", number).Among(o.Words).String(),
		Released: p, Marked: own,
		Label: message.Say("suspects.own").String()}
	left := 1.0
	for k, v := range p {
		left -= v
		c.Names = append(c.Names, strconv.Itoa(k+1))
		c.Tips = append(c.Tips, message.Say("suspects.next").Count("k", k).String())
	}
	c.Tips[0] = message.Say("suspects.first").String()
	out := document.Chart{Key: id, Title: message.Say("suspects.title").Count("row", number),
		Says: message.Say("suspects.says"), Drawing: c}
	if a, ok := b.(interface{ NotInFile() float64 }); ok && a.NotInFile() > 0 {
		out.Facts = append(out.Facts, message.Say("suspects.notInFile").Share("share", a.NotInFile()))
		left -= a.NotInFile()
	}
	if left > 1e-9 {
		out.Facts = append(out.Facts, message.Say("suspects.others").Share("share", left))
	}
	return []document.Chart{out}
}

// knowing draws the entropies by what is known (table 8.1 of Islam 2007), the mean of the persons and, where one is
// chosen, its own.
func knowing(id string, d *uncertainty.KnowledgeDetail) []document.Chart {
	text := message.Say("knowing.all")
	if d.Orders > 1 {
		text = message.Say("knowing.orders").Count("n", d.Orders)
	}
	out := knowingPair(id, message.Sentence{}, text, d.Curve)
	if d.Record > 0 && d.Chosen != nil {
		out = append(out, knowingPair(id+"-chosen", message.Say("knowing.row").Count("row", d.Record),
			message.Say("knowing.one"), d.Chosen)...)
	}
	for k := range out {
		out[k].Facts = append(out[k].Facts, message.Say("people.sampled").Count("n", d.Targets))
	}
	return out
}

func knowingPair(id string, whose, text message.Sentence, points []uncertainty.Point) []document.Chart {
	record := knowingCurve(message.Say("knowing.record.label"), points,
		func(p uncertainty.Pair) *float64 { return &p.Record })
	class := knowingCurve(message.Say("knowing.class.label"), points, func(p uncertainty.Pair) *float64 { return p.Class })
	out := []document.Chart{{Key: id + "-record", Title: message.Say("knowing.record.title").Part("whose", whose),
		Says: message.Say("knowing.record.says").Part("what", text), Drawing: record}}
	if class.X != nil {
		out = append(out, document.Chart{Key: id + "-class", Title: message.Say("knowing.class.title").Part("whose", whose),
			Says: message.Say("knowing.class.says").Part("what", text), Drawing: class})
	}
	return out
}

func knowingCurve(title message.Sentence, points []uncertainty.Point, of func(uncertainty.Pair) *float64) chart.Curve {
	c := chart.Curve{Title: title.String(), Unit: " bits", Step: 1}
	for _, p := range points {
		after, before := of(p.Released), of(p.Original)
		if after == nil || before == nil {
			continue
		}
		known := message.Say("knowing.known").Count("n", p.Known)
		if p.Attribute != "" {
			known = message.Say("knowing.last").Count("n", p.Known).Name("attribute", p.Attribute)
		}
		c.X, c.Released, c.Original = append(c.X, float64(p.Known)), append(c.Released, *after), append(c.Original, *before)
		tip := message.Say("knowing.tip").Part("known", known).Number("before", *before, 0.001).
			Number("after", *after, 0.001)
		c.Names = append(c.Names, tip.String())
	}
	return c
}

// crowdEnds are the smallest sizes of the groups of sizes that are drawn.
var crowdEnds = []int{1, 2, 3, 5, 10, 20, 50, 100, 1000}

// crowds draws how many released records, or people where some have several, are alone, in pairs and so on.
func crowds(id string, d *anonymity.KAnonymityDetail) document.Chart {
	label, says := message.Say("crowds.label.records"), message.Say("crowds.says.records")
	if d.People > 0 {
		label, says = message.Say("crowds.label.people"), message.Say("crowds.says.people")
	}
	c := chart.Columns{Title: label.String(), Released: make([]float64, len(crowdEnds)), Marked: -1}
	total := 0.0
	for _, s := range d.Sizes {
		total += float64(float64(s.Size) * float64(s.Classes))
	}
	for _, s := range d.Sizes {
		k, found := slices.BinarySearch(crowdEnds, s.Size)
		if !found {
			k--
		}
		if k >= 0 {
			c.Released[k] += float64(float64(s.Size) * float64(s.Classes))
		}
	}
	c.Released = sharesOf(c.Released, total)
	for k, from := range crowdEnds {
		name, tip := chart.Count(float64(from)), message.Say("crowds.of").Count("from", from)
		switch {
		case k+1 == len(crowdEnds):
			name += " +"
			tip = message.Say("crowds.orMore").Count("from", from)
		case crowdEnds[k+1] > from+1:
			tip = message.Say("crowds.between").Count("from", from).Count("to", crowdEnds[k+1]-1)
		}
		c.Names, c.Tips = append(c.Names, name), append(c.Tips, tip.String())
	}
	return document.Chart{Key: id, Title: message.Say("crowds.title"), Says: says, Drawing: c,
		Facts: []message.Sentence{message.Say("crowds.smallest").Count("n", d.Smallest), message.Say("crowds.alone").
			Count("n", d.Alone)}}
}
