package linkage

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// GapLinkage measures how many people an intruder identifies solely by their pattern of missing values.
//
// Nearly every technique keeps what is missing, so who was not asked, or did not answer, leaves the same gaps in the
// release. The intruder knows of every column whether the target has a value, and takes the released record whose gaps
// are the likeliest: those of the target where the release keeps gaps; where it suppresses or fills in values, the
// columns are taken one by one, each with the rate at which a gap comes or goes in it. What a tool suppressed and marks
// with * is not a gap; it has rates of its own. Of t equally likely records each is taken equally often, so the
// credit is 1/t when the own record is among them. The score is the mean credit of the people tried: the share that is
// found. Lo and Hi are its one-sided 95 % bounds (Clopper & Pearson 1934).
//
// Parts give what guessing finds, the share of the people whose gaps nobody else has in the original and of the records
// alone with theirs in the release, how many patterns of gaps there are, and which share of the values is missing.
//
// It applies to intruders who know of gaps (gaps: true; who knows "all" does), and needs paired records. Values tell
// nothing here: an intruder who uses both finds more.
//
// Cost: O(n p) for n records of p columns where gaps are kept. Where they change, those tried (parameter people) are
// compared with every pattern that has the same gaps in the columns that keep them; if these comparisons were more than
// the parameter pairs, fewer people are tried.
//
// Reference: missing values as quasi-identifiers: L. Sweeney, "k-anonymity: a model for protecting privacy", 2002,
// counts a null as a value; the rates are those of I. P. Fellegi and A. B. Sunter, "A theory for record linkage", JASA
// 64, 1969, on gaps instead of values.
var GapLinkage = measure.Measure{
	Card: card.Card{
		Name:      "gaplinkage",
		Title:     "Linkage by gaps",
		Aliases:   []string{"gaps", "missing value patterns"},
		Summary:   "Share identified solely by their pattern of missing values.",
		Paper:     "Fellegi & Sunter 1969, on gaps instead of values",
		Needs:     "an intruder who knows which values are missing; paired records",
		Preserves: "1 when everyone has a unique pattern and the release keeps it, 1/n without missing values",
		Missing:   "what it measures",
		Cost:      "O(n p)",
	},
	Facts: measure.Facts{
		Besides: true, About: measure.Identity, Effort: measure.Fast, Place: 11,
		Bounds: map[string]string{"pairs": "10000000"},
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.gaplinkage").Part("n", n).Part("people", who)
		},
		Remedy: remedy,
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.OfPeople("unit.ofPeople"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&GapLinkageMeter{}) },
}

// remedy names the column of the original that lacks the most values; there is none where none lacks any. Cost: O(n p).
func remedy(original *table.Table) (says message.Sentence, column string) {
	if original == nil {
		return says, ""
	}
	most := 0
	for k := range original.Width() {
		c, n := original.Column(k), 0
		for i := range original.Rows() {
			if c.MissingAt(i) {
				n++
			}
		}
		if n > most {
			column, most = c.Name, n
		}
	}
	if column == "" {
		return says, ""
	}
	return message.Say("remedy.gaplinkage").Name("column", column), column
}

// GapLinkageMeter measures linkage by gaps.
type GapLinkageMeter struct {
	People int
	Pairs  int
}

// Params declares the parameters.
func (m *GapLinkageMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.People, "people", 20_000, 1, math.MaxInt, "people", "test up to this many people if the "+
			"release changes gaps"),
		param.Int(&m.Pairs, "pairs", 100_000_000, 1, math.MaxInt, "comparisons of a gap", "make about this many "+
			"comparisons at most; above it fewer people are tested"),
	}
}

// GapLinkageDetail is what gaps tell.
type GapLinkageDetail struct {
	Intruder string   `json:"intruder"`
	People   int      `json:"people"` // in the original
	Tried    int      `json:"tried"`
	Found    float64  `json:"found"`    // of those tried
	Patterns int      `json:"patterns"` // different gaps of records in the original
	Changed  []string `json:"changed"`  // columns whose gaps the release changes

	risk []float64
}

// Measure returns the share of the people found by their gaps with a GapLinkageDetail. It fails when records are not
// paired or there are none, and does not apply to an intruder who knows nothing of gaps.
func (m *GapLinkageMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	view, err := r.PairedView()
	if err != nil {
		return measure.Value{}, err
	}
	if !view.Gaps {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noGaps"))
	}
	g, err := gapsOf(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	d := &GapLinkageDetail{Intruder: view.Name, Patterns: len(g.originals)}
	for _, k := range g.changed {
		d.Changed = append(d.Changed, r.Original.Attr(g.columns[k]).Name)
	}
	targets := r.Targets(g.most(m.People, m.Pairs), 0)
	credit, err := g.find(ctx, targets.Rows, r.Own())
	if err != nil {
		return measure.Value{}, err
	}
	of, _ := r.People()
	return d.value(g, of, &targets, credit), nil
}

func (d *GapLinkageDetail) value(g *gaps, of []int32, t *measure.Targets, credit []float64) measure.Value {
	d.risk = make([]float64, len(g.original))
	for i := range d.risk {
		d.risk[i] = math.NaN()
	}
	for k, i := range t.Rows {
		d.risk[i] = credit[k]
	}
	d.Found = exact.Of(t.Most(credit))
	d.Tried, d.People = t.Tried, t.People
	v := channel.Share(d.Found, d.Tried)
	n := float64(d.People)
	v.Parts = []measure.Part{
		{Key: "guessed", Name: message.Say("measure.gaplinkage.part.guessed"), Score: 1 / n},
		{
			Key:   "alone-before",
			Name:  message.Say("measure.gaplinkage.part.alone-before"),
			Score: float64(alone(g.original, g.originals, of)) / n,
		},
		{
			Key:   "alone",
			Name:  message.Say("measure.gaplinkage.part.alone"),
			Score: float64(alone(g.released, g.releases, of)) / n,
		},
		{Key: "patterns", Name: message.Say("measure.gaplinkage.part.patterns"), Score: float64(d.Patterns)},
		{Key: "missing", Name: message.Say("measure.gaplinkage.part.missing"), Score: g.missing},
	}
	if d.Tried < d.People {
		v.Notes = append(v.Notes, measure.Sample(d.Tried, d.People))
	}
	v.Detail = d
	return v
}

// alone returns how many people have a pattern that nobody else has, given the pattern of every record, how many
// records have each, and whose the records are.
func alone(pattern, records, of []int32) (n int) {
	if of == nil {
		for _, c := range records {
			if c == 1 {
				n++
			}
		}
		return n
	}
	const nobody, several = -1, -2
	owner := make([]int32, len(records))
	for p := range owner {
		owner[p] = nobody
	}
	for i, p := range pattern {
		switch owner[p] {
		case nobody:
			owner[p] = of[i]
		case of[i]:
		default:
			owner[p] = several
		}
	}
	some := map[int32]bool{}
	for _, who := range owner {
		if who >= 0 {
			some[who] = true
		}
	}
	return len(some)
}

// Records returns for every original record the probability that it is found by its gaps; NaN where it was not tried.
func (d *GapLinkageDetail) Records() []float64 { return d.risk }

// Sentence says whom gaps give away.
func (d *GapLinkageDetail) Sentence() message.Sentence {
	if d.Patterns == 1 {
		return message.Say("measure.gaplinkage.saysNothing")
	}
	return message.Say("measure.gaplinkage.says").Count("people", d.Tried).Amount("found", d.Found).
		Share("share", d.Found/float64(d.Tried)).Digits("guessed", float64(d.Tried)/float64(d.People), 2)
}
