package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/measure/kanonymity"
	"github.com/dither-data/dither/measure/knowledge"
	"github.com/dither-data/dither/measure/reidentification"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// riskPanels draws what the measures against one intruder found: first how hard people are to find, then what makes it easier.
func riskPanels(o *study.Outcome, id string, a study.Attack) []captioned {
	var who, why, alike []captioned
	for _, k := range a.Measures {
		m := &o.Measures[k]
		if m.Err != "" {
			continue
		}
		if d, ok := as[reidentification.Detail](m.Value.Detail); ok && len(d.H) > 0 {
			who = append(who, doubt(id+"-doubt", d), sureness(id+"-sure", d))
		}
		if b, ok := m.Value.Detail.(believer); ok {
			who = append(who, suspects(id+"-suspects", o, b)...)
		}
		if d, ok := as[knowledge.Detail](m.Value.Detail); ok {
			why = knowing(id+"-known", d)
		}
		if d, ok := as[kanonymity.Detail](m.Value.Detail); ok {
			alike = append(alike, crowds(id+"-crowds", d))
		}
	}
	return slices.Concat(who, why, alike)
}

// curvePoints is about how many points a curve over records has: more than the drawing is pixels wide would be lost.
const curvePoints = 200

// doubt draws the entropies of all persons, sorted (figure 8.2 of Islam 2007).
func doubt(id string, d *reidentification.Detail) captioned {
	h := slices.Clone(d.H)
	slices.Sort(h)
	last := len(h) - 1
	n := min(last, curvePoints)
	c := chart.Curve{Title: "Entropies of the persons, sorted", Unit: " bits", UnitX: " %", Marks: []chart.Mark{
		{Y: d.Threshold, Label: chart.Percent(d.Below) + " below " + significant(d.Threshold) + " bits", Under: true},
		{Y: math.Log2(float64(d.Released)), Label: "all " + chart.Count(float64(d.Released)) + " alike"}}}
	for k := range n + 1 {
		share, v := 1.0, h[last]
		if n > 0 {
			share, v = float64(k)/float64(n), h[(k*last+n/2)/n]
		}
		c.X, c.Released = append(c.X, 100*share), append(c.Released, v)
		name := ""
		if k%max(1, n/20) == 0 {
			name = chart.Percent(share) + " of the persons: up to " + chart.Number(v, 0.01) + " bits"
		}
		c.Names = append(c.Names, name)
	}
	p := captioned{"Bits of doubt which record is a person's, the people sorted by it. A bit more doubles the records to choose from.",
		panel{Name: "Doubt about each person", Chart: c.Draw(id)}}
	p.Facts = []string{"Mean " + chart.Number(d.Mean, 0.01), "s.d. " + chart.Number(d.SD, 0.01), "Least " + chart.Number(h[0], 0.01)}
	if len(h) < d.Originals {
		p.Facts = append(p.Facts, "Sample of "+chart.Count(float64(len(h))))
	}
	return p
}

// surenesses are the upper ends of the classes in which probabilities are counted.
var surenesses = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, math.Inf(1)}

// sureness draws how likely the likeliest record of a person is, over the persons.
func sureness(id string, d *reidentification.Detail) captioned {
	c := chart.Columns{Title: "Probability of the likeliest record, by person", Released: make([]float64, len(surenesses)), Marked: -1,
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
		switch {
		case k == 0:
			c.Tips = append(c.Tips, "under 1 %")
		case math.IsInf(end, 1):
			c.Tips = append(c.Tips, "certain")
		default:
			c.Tips = append(c.Tips, chart.Percent(surenesses[k-1])+" to under "+chart.Percent(end))
		}
	}
	p := captioned{"Share of the people by the probability, from each figure on, of the record that the intruder takes for theirs, right or wrong.",
		panel{Name: "How sure the best match is", Chart: c.Draw(id)}}
	if d.Found != nil {
		p.Facts = []string{"Right for " + chart.Percent(*d.Found)}
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

// believer is the detail of a measure that tells what the intruder believes of the person at the highest risk: the row in the original table, from
// 0, the probabilities of the likeliest released records, falling, and the place of the person's own among these, -1 when it is not.
type believer interface {
	Believed() (row int, p []float64, own int)
}

// suspects draws the likeliest records of one person (figure 8.1 of Islam 2007).
func suspects(id string, o *study.Outcome, b believer) []captioned {
	row, p, own := b.Believed()
	if len(p) == 0 || row < 0 || row >= o.Judged().Rows() {
		return nil
	}
	name := chart.Count(float64(o.Judged().ID(row) + 1))
	c := chart.Columns{Title: "Probabilities of the likeliest records of the person in row " + name, Released: p, Marked: own, Label: "own record"}
	left := 1.0
	for k, v := range p {
		left -= v
		c.Names = append(c.Names, fmt.Sprint(k+1))
		c.Tips = append(c.Tips, fmt.Sprintf("likeliest but %d", k))
	}
	c.Tips[0] = "likeliest"
	out := captioned{"The released records that may be this person's, the likeliest first. No other person judged is easier to find.",
		panel{Name: "The person in row " + name, Chart: c.Draw(id)}}
	if a, ok := b.(interface{ NotInFile() float64 }); ok && a.NotInFile() > 0 {
		out.Facts = append(out.Facts, "Not in the file "+chart.Percent(a.NotInFile()))
		left -= a.NotInFile()
	}
	if left > 1e-9 {
		out.Facts = append(out.Facts, "All others together "+chart.Percent(left))
	}
	return []captioned{out}
}

// knowing draws the entropies by what is known (table 8.1 of Islam 2007), the mean of the persons and, where one is chosen, its own.
func knowing(id string, d *knowledge.Detail) []captioned {
	orders := ""
	if d.Orders > 1 {
		orders = ", over " + chart.Count(float64(d.Orders)) + " random orders"
	}
	out := knowingPair(id, "", "by the number of attributes known"+orders, d.Curve)
	if d.Record > 0 && d.Chosen != nil {
		out = append(out, knowingPair(id+"-chosen", ", row "+chart.Count(float64(d.Record)), "of one person, by the number of attributes known", d.Chosen)...)
	}
	for k := range out {
		out[k].Facts = append(out[k].Facts, "Sample of "+chart.Count(float64(d.Targets)))
	}
	return out
}

func knowingPair(id, whose, text string, points []knowledge.Point) []captioned {
	record := knowingCurve("Doubt about the record by knowledge", points, func(p knowledge.Pair) *float64 { return &p.Record })
	class := knowingCurve("Doubt about the class by knowledge", points, func(p knowledge.Pair) *float64 { return p.Class })
	out := []captioned{{"Mean doubt which record is a person's, " + text + ".", panel{Name: "What knowledge gives: the record" + whose, Chart: record.Draw(id + "-record")}}}
	if class.X != nil {
		out = append(out, captioned{"Mean doubt about the class, " + text + ".", panel{Name: "What knowledge gives: the class" + whose, Chart: class.Draw(id + "-class")}})
	}
	return out
}

func knowingCurve(title string, points []knowledge.Point, of func(knowledge.Pair) *float64) chart.Curve {
	c := chart.Curve{Title: title, Unit: " bits", Step: 1}
	for _, p := range points {
		after, before := of(p.Released), of(p.Original)
		if after == nil || before == nil {
			continue
		}
		name := counted(p.Known, "attribute") + " known"
		if p.Attribute != "" {
			name += ", " + p.Attribute + " last"
		}
		c.X, c.Released, c.Original = append(c.X, float64(p.Known)), append(c.Released, *after), append(c.Original, *before)
		c.Names = append(c.Names, fmt.Sprintf("%s: original %s, released %s bits", name, chart.Number(*before, 0.001), chart.Number(*after, 0.001)))
	}
	return c
}

// crowdEnds are the smallest sizes of the groups of sizes that are drawn.
var crowdEnds = []int{1, 2, 3, 5, 10, 20, 50, 100, 1000}

// crowds draws how many released records, or people where some have several, are alone, in pairs and so on.
func crowds(id string, d *kanonymity.Detail) captioned {
	title, who := "Records by the number of records that look alike", "released records"
	if d.People > 0 {
		title, who = "People by the number of people who look alike", "people, each once in every group they have a record in,"
	}
	c := chart.Columns{Title: title, Released: make([]float64, len(crowdEnds)), Marked: -1}
	total := 0.0
	for _, s := range d.Sizes {
		total += float64(s.Size) * float64(s.Classes)
	}
	for _, s := range d.Sizes {
		k, found := slices.BinarySearch(crowdEnds, s.Size)
		if !found {
			k--
		}
		if k >= 0 {
			c.Released[k] += float64(s.Size) * float64(s.Classes)
		}
	}
	c.Released = sharesOf(c.Released, total)
	for k, from := range crowdEnds {
		name := chart.Count(float64(from))
		c.Names = append(c.Names, name)
		switch {
		case k+1 == len(crowdEnds):
			c.Names[k] += " +"
			name += " or more"
		case crowdEnds[k+1] > from+1:
			name += " to " + chart.Count(float64(crowdEnds[k+1]-1))
		}
		c.Tips = append(c.Tips, "groups of "+name)
	}
	return captioned{"Share of the " + who + " by the size of the group, from each figure on, that looks alike to the intruder. Of noise it says little.",
		panel{Name: "How many look alike", Chart: c.Draw(id), Facts: []string{"Smallest " + chart.Count(float64(d.Smallest)), "Alone " + chart.Count(float64(d.Alone))}}}
}
