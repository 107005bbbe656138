package queryattack

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Detail holds the distributions over the queries.
type Detail struct {
	Intruder  string            `json:"intruder"`
	Missing   string            `json:"missing"`
	Queries   int               `json:"queries"`
	Complete  bool              `json:"complete"`  // the stop rule ended the list of queries, not their number
	Before    quantile.Summary  `json:"before"`    // S1 in the original
	After     quantile.Summary  `json:"after"`     // S1 in the release
	Right     *quantile.Summary `json:"right"`     // probability of a right find; nil where records are not paired
	Unmatched float64           `json:"unmatched"` // share of the queries that no released record matches
	Secrets   []Secret          `json:"secrets"`
	Risk      []float64         `json:"-"` // by original record, see Records
}

// Secret is S2 of a column that the intruder wants to learn.
type Secret struct {
	Column string  `json:"column"`
	Values []Value `json:"values"` // the most frequent ones
	// OwnBefore and OwnAfter are the mean probability that a query gives the own value of a person whom it describes.
	OwnBefore float64 `json:"ownBefore"`
	OwnAfter  float64 `json:"ownAfter"`
	IPR       []IPR   `json:"ipr"` // by the number of columns asked for
}

// Value is S2 of one value.
type Value struct {
	Name   string           `json:"name"`
	Before quantile.Summary `json:"before"`
	After  quantile.Summary `json:"after"`
}

// detail summarises the finds.
func (a *attack) detail(l *list, f *finds) Detail {
	d := Detail{Queries: len(l.queries), Complete: l.complete}
	d.Before, d.After = summaries(f.s1)
	if f.right != nil {
		right := quantile.Of(f.right)
		d.Right = &right
	}
	for _, p := range f.s1 {
		if p.after == 0 {
			d.Unmatched++
		}
	}
	d.Unmatched /= float64(len(f.s1))
	at := 0
	for s := range a.secrets {
		before, after := summaries(f.truth[s])
		out := Secret{Column: a.secrets[s].name, OwnBefore: before.Mean, OwnAfter: after.Mean, IPR: l.ratios(f.breaches[s])}
		for _, name := range a.secrets[s].names {
			v := Value{Name: name}
			v.Before, v.After = summaries(f.s2[at])
			out.Values = append(out.Values, v)
			at++
		}
		d.Secrets = append(d.Secrets, out)
	}
	d.Risk = make([]float64, a.release.Original.Rows())
	for i := range d.Risk {
		d.Risk[i] = math.NaN()
	}
	for k, i := range l.about {
		if !(d.Risk[i] >= f.own[k]) {
			d.Risk[i] = f.own[k]
		}
	}
	return d
}

func summaries(pairs []pair) (before, after quantile.Summary) {
	b, a := make([]float64, len(pairs)), make([]float64, len(pairs))
	for k, p := range pairs {
		b[k], a[k] = p.before, p.after
	}
	return quantile.Of(b), quantile.Of(a)
}

// parts lists S1 and S2 before and after, and IPR.
func (d *Detail) parts() []measure.Part {
	parts := []measure.Part{
		{
			Key:   "s1-before-mean",
			Name:  message.Say("measure.queryattack.part.s1-before-mean"),
			Score: d.Before.Mean,
		}, {Key: "s1-before-median", Name: message.Say("measure.queryattack.part.s1-before-median"), Score: d.Before.Median},
		{
			Key:   "s1-after-mean",
			Name:  message.Say("measure.queryattack.part.s1-after-mean"),
			Score: d.After.Mean,
		}, {Key: "s1-after-median", Name: message.Say("measure.queryattack.part.s1-after-median"), Score: d.After.Median},
		{Key: "unmatched", Name: message.Say("measure.queryattack.part.unmatched"), Score: d.Unmatched},
	}
	for _, s := range d.Secrets {
		parts = append(
			parts,
			measure.Part{
				Key:   "s2-before",
				Of:    s.Column,
				Name:  message.Say("measure.queryattack.part.s2-before").Name("column", s.Column),
				Score: s.OwnBefore,
			},
			measure.Part{
				Key:   "s2-after",
				Of:    s.Column,
				Name:  message.Say("measure.queryattack.part.s2-after").Name("column", s.Column),
				Score: s.OwnAfter,
			},
		)
		for _, r := range s.IPR {
			parts = append(parts, measure.Part{Key: measure.Key(fmt.Sprintf("ipr-%d", r.Columns)), Of: s.Column,
				Name: message.Say("measure.queryattack.part.ipr").Name("column", s.Column).Count("n", r.Columns), Score: r.Ratio})
		}
	}
	return parts
}

// notes says what the score counts and how the list of queries ended.
func (d *Detail) notes(m *Meter) (notes []message.Sentence) {
	if d.Right == nil {
		notes = append(notes, message.Say("measure.queryattack.note.unpaired"))
	}
	if d.Complete {
		return append(notes, message.Say("measure.queryattack.note.all").Count("queries", d.Queries).
			Count("tries", m.Tries))
	}
	return append(notes, message.Say("measure.queryattack.note.most").Count("n", d.Queries))
}

// Records returns for every original record the largest probability of finding it by a query that was drawn for it: S1
// after the release, or, where records are paired, 0 for a query that its own record does not match. NaN where none was
// drawn for it.
func (d Detail) Records() []float64 { return d.Risk }

// Sentence says what the intruder finds.
func (d Detail) Sentence() message.Sentence {
	says := message.Say("measure.queryattack.says").Count("queries", d.Queries).
		Digits("before", float64(100*d.Before.Mean), 3).Share("unmatched", d.Unmatched)
	if d.Right != nil {
		says = message.Say("measure.queryattack.saysRight").Count("queries", d.Queries).
			Digits("before", float64(100*d.Before.Mean), 3).Digits("after", float64(100*d.Right.Mean), 3).
			Share("unmatched", d.Unmatched)
	}
	all := []message.Sentence{says}
	for _, s := range d.Secrets {
		all = append(
			all,
			message.Say("measure.queryattack.own").Name("column", s.Column).Share("before", s.OwnBefore).
				Share("after", s.OwnAfter),
		)
		if len(d.Secrets) == 1 { // of several the parts tell it
			all = append(all, s.iprSentence())
		}
	}
	return message.After(all...)
}
