package judge

import (
	"context"
	"maps"
	"slices"

	"github.com/dither-data/dither/noisemodel"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// Progress shows how far one piece of work is. Done may be called from any goroutine; End is called once, at last.
type Progress interface {
	Done(done, total int64)
	End()
}

// Case is a release that is judged.
type Case struct {
	*Subject
	Outcome *study.Outcome // what is known of the release; measures and verdict are added
	Release *measure.Release
	Part    *measure.Release // the records that risks are of; nil for all
	Limits  *limit.Set
	Params  []param.Value                // of the technique
	Set     map[string]map[string]string // parameters of measures, by their names
	All     bool                         // every measure is taken, not only those that limits are on
	Blanked bool                         // cells were blanked so that nobody can be looked up
	Worked  []study.Demand               // limits on how the technique works, held against what a choice measured
	Begin   func(work string) Progress   // shows how far measuring is; nil for nobody

	need     Need
	related  bool // it was said which relations are broken
	inPlace  bool // measures stay in the order in which they were asked for
	played   []intruder.Intruder
	seed     rng.Seed // of the people who are tried
	evidence *study.Evidence
}

// Open finds which measures of a new release are to be taken against whom, and gathers the evidence. Cost: that of the
// look-ups.
func (c *Case) Open(ctx context.Context) (err error) {
	if c.Part == nil {
		c.Part = c.Release
	}
	c.ofNobody()
	of := Size{c.Part.Original.Rows(), c.Release.Original.Width()}
	c.need = Needed(of, c.Params, c.Limits, c.All, c.Release.AsMade().Segments != nil)
	if c.Part != c.Release {
		c.need.Walked()
	}
	c.need.Weighed(c.Subject, of, c.Limits)
	c.need.Related(c.Subject, c.Limits)
	for _, specs := range [][]study.Spec{c.need.Limits, c.need.Rest} {
		for _, spec := range specs {
			maps.Copy(spec.Set, c.Set[spec.Measure.Name])
		}
		if _, err := c.HideFrom(ctx, specs, c.Params); err != nil {
			return err
		}
		c.Weigh(specs)
		surveyed(specs, c.Limits)
	}
	played := c.Policy.Intruders
	if played == nil {
		played = intruder.Defaults(c.Release.Original.Attrs())
	}
	if played, err = c.People(c.Release, played); err != nil {
		return err
	}
	c.Outcome.Told(c.Release)
	return c.gather(ctx, played)
}

// ofNobody holds a release whose records stand for nobody against limits that such a release can be held against.
func (c *Case) ofNobody() { c.Limits = Holding(c.Outcome, c.Limits) }

// gather gathers the evidence that is no measure: who can be looked up, and which columns say who somebody is.
func (c *Case) gather(ctx context.Context, played []intruder.Intruder) (err error) {
	if c.Part == nil {
		c.Part = c.Release
	}
	c.Part.Relations, c.Part.Population = c.Release.Relations, c.Release.Population
	c.played, c.seed = played, c.Asked()
	c.evidence, err = c.Evidence(ctx, c.Outcome, c.Release, c.Part, c.Limits, c.Binding(played), played, c.seed)
	if err != nil {
		return err
	}
	c.evidence.Blanked, c.evidence.Worked = c.Blanked, c.Worked
	return nil
}

// Judge takes the measures that limits are on, or that were asked for, and judges the release. Cost: that of the
// measures.
func (c *Case) Judge(ctx context.Context) error { return c.judge(ctx, c.need.Limits) }

// Rest takes all other measures that were asked for, and judges anew. Cost: that of the measures.
func (c *Case) Rest(ctx context.Context) error {
	if len(c.need.Rest) > 0 {
		if err := c.judge(ctx, c.need.Rest); err != nil {
			return err
		}
	}
	c.Outcome.Measures = append(c.Outcome.Measures, c.need.Left...)
	return nil
}

// Specs are the measures that Judge and Rest take, against whom.
func (c *Case) Specs() (specs []study.Spec, played []intruder.Intruder) {
	return slices.Concat(c.need.Limits, c.need.Rest), c.played
}

func (c *Case) judge(ctx context.Context, specs []study.Spec) error {
	taken, err := c.take(ctx, study.Against(specs, c.played))
	if err != nil {
		return err
	}
	o := c.Outcome
	if o.Measures = append(o.Measures, taken...); !c.inPlace {
		o.Measures = InOrder(o.Measures)
	}
	if !c.related {
		if broken := o.BrokenRelations(); !broken.Empty() {
			o.Notes, c.related = append(slices.Clip(o.Notes), broken), true
		}
	}
	o.Verdict = study.Judge(o, *c.evidence)
	return nil
}

// take takes measures: those that walk over the records of the release, and the others of the part of it that is
// judged.
func (c *Case) take(ctx context.Context, specs []study.Spec) (taken []study.Measured, err error) {
	walks := func(s study.Spec) bool { return s.Measure.Shards != "" }
	if c.Part != c.Release {
		all := slices.DeleteFunc(slices.Clone(specs), func(s study.Spec) bool { return !walks(s) })
		if taken, err = Take(ctx, c.Release, all, c.seed, c.Begin); err != nil {
			return nil, err
		}
		specs = slices.DeleteFunc(slices.Clone(specs), walks)
	}
	of, err := Take(ctx, c.Part, specs, c.seed, c.Begin)
	return append(taken, of...), err
}

// Take takes measures of a release and shows how far it is.
func Take(
	ctx context.Context,
	r *measure.Release,
	specs []study.Spec,
	seed rng.Seed,
	begin func(string) Progress,
) ([]study.Measured, error) {
	show := func(int, int, string) {}
	if begin != nil {
		p := begin("measuring")
		defer p.End()
		show = func(done, total int, _ string) { p.Done(int64(done), int64(total)) }
	}
	return study.Evaluate(ctx, r, specs, rng.New(seed).Fork("evaluate"), show)
}

// DefaultMethod is the technique where none is named: of those that were tried on ten public data sets the one whose
// margins of two and three columns are closest to the original's at the lowest risk (docs/defaults.md).
const DefaultMethod = "segmentsynthesis"

// recurringMethod is the technique where none is named and people recur: the default draws a record given the class
// that others of its leaf lend it, so that nothing of it can be released alike again. This one keeps categories.
const recurringMethod = "extframework"

// Default returns the name of the technique that is taken where a policy names none.
func Default(pol *policy.Policy) string {
	if pol.Recur {
		return recurringMethod
	}
	return DefaultMethod
}

// Technique returns the name of the technique of a policy, or of the one that is taken where it names none.
func Technique(pol *policy.Policy) string {
	if name := pol.Technique(); name != "" {
		return name
	}
	own := *pol
	own.Method.Name = Default(pol)
	return own.Technique()
}

// Made is what is known of a release of the subject before it is measured.
func (s *Subject) Made(r *study.Request, p *study.Protected) *study.Outcome {
	o := &study.Outcome{
		Method:       &r.Method.Card,
		Params:       p.Params,
		Commitment:   rng.Commitment(r.Seed),
		ShortSeed:    r.Seed.Short(),
		OriginalFile: s.File,
		Changes:      p.Changes,
		Notes:        append(slices.Clip(p.Notes), study.LocalPrivacy(p.Plan, p.Original)...),
		Noticed:      slices.Concat(s.Noticed, p.OfRelations(), p.OfValues()),
		Private:      p.Private(),
		Crowd:        study.Crowd(p.Plan),
		OfPeople:     p.OfPeople,
		Whose:        s.Whose(),
		Shuffled:     !r.KeepOrder && !p.Synthetic,
		Synthetic:    p.Synthetic,
		Anew:         r.Method.Purpose != protect.Swaps,
		Original:     p.Matched,
		Released:     p.Released,
	}
	if r.Plan == nil { // of a plan that was made the settings are not open any more
		o.Stronger = study.Stronger(r.Method, p.Params)
	}
	if rows := s.Profile.FollowRows(); !rows.Empty() && r.KeepOrder {
		o.Notes = append(slices.Clip(o.Notes), message.Say("rows.kept").Part("rows", rows))
	}
	if _, o.Generalised = p.Plan.(noisemodel.Recoder); o.Generalised && p.Original.Rows() == p.Matched.Rows() {
		o.Exact = p.Original
	}
	return o
}
