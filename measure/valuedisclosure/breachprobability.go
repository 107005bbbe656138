package valuedisclosure

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// BreachProbability measures what a person's group tells of a secret where a release deals the values of a
// secret column out anew inside groups, as Anatomy does (Xiao & Tao 2006), or a permutation inside the leaves of a
// tree.
//
// The intruder knows whose group is which: two tables say it, and so does a leaked plan. The posterior of a person's
// own value is its share in the group, c/s for c records of s; the prior is its share among all. The gain is the
// difference. The score is the largest posterior of anybody: the probability of a breach, at most 1/l where groups
// are l-diverse. Parts give, by column, the largest posterior, the means of posterior and prior, the largest gain,
// and the re-construction error by record (equations 10 and 11 of the paper): the squared distance between the
// distribution that the group gives a record and the one that is 1 at its own value, 0 where nothing is hidden and
// at least 1 - 1/l on average where groups are l-diverse.
//
// It applies to secret categorical columns of which every segment has as many records of each value before and after,
// and some record another value than before. In other columns a released value tells more than the group, or it is
// known no more what the group held; the measures of attacks on records speak of these.
//
// Missing values: a record whose secret is missing has no part in a column.
//
// Cost: O(n) for each secret column.
//
// Departures: the paper knows groups of its own making only, and one sensitive column; it calls 1/l the probability
// of a breach.
//
// Reference: X. Xiao & Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006, corollary 1 and
// equations 10 and 11.
var BreachProbability = measure.Measure{
	Card: card.Card{
		Name:    "breachprobability",
		Title:   "Probability of a breach in groups",
		Short:   "Breach in groups",
		Aliases: []string{"re-construction error", "RCE", "posterior in groups"},
		Summary: "How sure an intruder who knows the group of a record is of its own secret value, compared with before.",
		Paper:   "Xiao & Tao 2006, corollary 1 and equations 10 and 11",
		Needs: "an intruder with a categorical secret; paired records and the plan, which deals the values of the secret " +
			"out inside its segments",
		Preserves: "at most 1/l when groups are l-diverse; 1 when a group has one value only",
		Biases: "takes all arrangements inside a group to be as likely: who knows what goes with the secret, from other " +
			"groups or elsewhere, is surer",
		Missing: "a missing secret has no part",
		Cost:    "O(n) for each secret column",
	},
	Facts:    measure.Facts{About: measure.Secret, Counts: measure.Records, Effort: measure.Fast},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Probability, message.Say("unit.probability")),
	Intruder: true,
	AsMade:   true,
	New:      func() measure.Meter { return param.Default(&BreachProbabilityMeter{}) },
}

// BreachProbabilityMeter measures the probability. It has no parameters.
type BreachProbabilityMeter struct{}

// Params returns none.
func (*BreachProbabilityMeter) Params() param.Set { return nil }

// Secret is what the groups tell of a column.
type Secret struct {
	Attribute string  `json:"attribute"`
	Records   int     `json:"records"`   // with a known value
	Largest   float64 `json:"largest"`   // posterior of anybody's own value
	Posterior float64 `json:"posterior"` // mean
	Prior     float64 `json:"prior"`     // mean
	Gain      float64 `json:"gain"`      // largest posterior less prior; 0 where none is
	RCE       float64 `json:"rce"`       // by record
}

// BreachProbabilityDetail is what the groups tell.
type BreachProbabilityDetail struct {
	Intruder string   `json:"intruder"`
	Groups   int      `json:"groups"` // that hold records
	Secrets  []Secret `json:"secrets"`

	risk []float64
}

// Records returns for every record the posterior of its own value, the largest of all secret columns; 0 where it has
// none.
func (d *BreachProbabilityDetail) Records() []float64 { return d.risk }

// Sentence says how sure an intruder is.
func (d *BreachProbabilityDetail) Sentence() message.Sentence {
	worst := d.Secrets[0]
	for _, s := range d.Secrets {
		if s.Largest > worst.Largest {
			worst = s
		}
	}
	return message.Say("measure.breachprobability.says").Name("column", worst.Attribute).
		Digits("largest", worst.Largest, 3).Digits("mean", worst.Posterior, 3).Digits("prior", worst.Prior, 3)
}

// Measure returns the largest posterior with a BreachProbabilityDetail. It does not apply without segments, and where
// no secret column is dealt out inside them. It fails when records are not paired.
func (m *BreachProbabilityMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.CheckPaired(); err != nil {
		return measure.Value{}, err
	}
	view, err := r.SecretView()
	if err != nil {
		return measure.Value{}, err
	}
	if r.Segments == nil {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noSegments"))
	}
	g, err := newGroups(r)
	if err != nil {
		return measure.Value{}, err
	}
	d := &BreachProbabilityDetail{Intruder: view.Name, Groups: len(g.first) - 1, risk: make([]float64, r.Original.Rows())}
	v := measure.Value{Detail: d}
	for _, j := range view.Secret {
		if r.Original.Attr(j).Kind != table.Categorical || !g.deals(j) {
			continue
		}
		s := g.tell(j, d.risk)
		d.Secrets = append(d.Secrets, s)
		v.Score = max(v.Score, s.Largest)
		v.Parts = append(v.Parts, s.parts()...)
	}
	if d.Secrets == nil {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.notDealt"))
	}
	v.Parts = append(v.Parts, measure.Part{Key: "groups", Name: message.Say("measure.breachprobability.part.groups"),
		Score: float64(d.Groups)})
	v.Lo, v.Hi = v.Score, v.Score
	return v, ctx.Err()
}

// parts are the figures of a column.
func (s *Secret) parts() []measure.Part {
	of := s.Attribute
	says := func(key string) message.Sentence {
		return message.Say("measure.breachprobability.part."+key).Name("column", of)
	}
	return []measure.Part{
		{Key: "largest", Of: of, Name: says("largest"), Score: s.Largest},
		{Key: "posterior", Of: of, Name: says("posterior"), Score: s.Posterior},
		{Key: "prior", Of: of, Name: says("prior"), Score: s.Prior},
		{Key: "gain", Of: of, Name: says("gain"), Score: s.Gain},
		{Key: "rce", Of: of, Name: says("rce"), Score: s.RCE},
	}
}
