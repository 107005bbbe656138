package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// Limits adds to the limits of a preset or a file those of the policy: its thresholds and its limits besides, each of
// which takes the place of what was there on the same measure, then what it accepts, and the texts that it keeps. It
// changes the set. A limit that cannot be judged is an error (Judgeable): were it left out, a release would meet limits
// that nothing was measured for.
func Limits(set *limit.Set, pol *policy.Policy) (*limit.Set, error) {
	for k := range set.Limits {
		if err := Judgeable(&set.Limits[k]); err != nil {
			return nil, err
		}
	}
	preset := slices.Clone(set.Limits)
	for _, t := range pol.Thresholds {
		set.Limits = slices.DeleteFunc(set.Limits, func(l limit.Limit) bool { return l.Measure == t.Measure && !l.Declared })
	}
	for _, t := range pol.Thresholds {
		set.Limits = append(set.Limits, thresholdOf(t, limit.Policy, preset))
	}
	for k, a := range pol.AtMost {
		if err := atMost(set, a); err != nil {
			return nil, pol.Place(fmt.Sprintf("/at-most/%d", k), &Usage{"at-most", "", err})
		}
	}
	for k, a := range pol.Accept {
		if err := set.Accept(a); err != nil {
			return nil, pol.Place(fmt.Sprintf("/accept/%d", k), &Usage{"accept", "", err})
		}
	}
	set.LetTexts(pol.KeptTexts())
	return set, nil
}

// atMost adds the limit name=value, in place of what was there on the same measure.
func atMost(set *limit.Set, text string) error {
	name, value, _ := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%q: expected name=number, such as seconds=10 or hidingfailure=0", text)
	}
	l := thresholdOf(policy.Threshold{Measure: name, Max: &v}, limit.CommandLine, set.Limits)
	if err := Judgeable(&l); err != nil {
		return err
	}
	if l.OfColumns() {
		return fmt.Errorf("%q counts columns: --accept %s=COLUMN lets one leave", name, name)
	}
	set.Limits = append(slices.DeleteFunc(set.Limits, func(old limit.Limit) bool { return old.Measure == name }), l)
	return nil
}

// thresholdOf is a threshold as a limit. One that allows more than the limit it takes the place of is accepted by
// those who set it, and is told so.
func thresholdOf(t policy.Threshold, source limit.Phrase, preset []limit.Limit) limit.Limit {
	l := limit.Limit{Measure: t.Measure, Min: t.Min, Max: t.Max, Source: source}
	l.Declared = !l.OfTechnique()
	for _, old := range preset {
		if old.Measure == t.Measure && old.Max != nil && (t.Max == nil || *t.Max > *old.Max) {
			l.Accepted, l.SetMax = true, old.Max
		}
	}
	return l
}

// Acceptable refuses to accept columns that the table lacks: a name that was misspelt would accept nothing.
func Acceptable(set *limit.Set, attrs []table.Attribute) error {
	var names []string
	for _, a := range attrs {
		names = append(names, a.Name)
	}
	for _, l := range set.Limits {
		for _, c := range l.Columns {
			if !slices.Contains(names, c) {
				return &Usage{"accept", l.Measure + "=" + c, fmt.Errorf("the table has no column %q%s", c, spelling.Hint(c, names))}
			}
		}
	}
	return nil
}

// OfReleases are the ranges of what is judged without a measure of the catalogue and is a number.
var OfReleases = map[string][2]float64{
	limit.Lookup:     {0, 1},
	limit.Outside:    {0, 1},
	limit.UnitKey:    {0, 1},
	limit.Suppressed: {0, 1},
	limit.Stronger:   {0, 1},
	limit.Patterns:   {0, math.Inf(1)},
	limit.Drift:      {0, math.Inf(1)},
	limit.Seconds:    {0, math.Inf(1)},
	limit.Growth:     {0, math.Inf(1)},
	limit.Memory:     {0, math.Inf(1)},
}

// Judgeable refuses a limit on nothing, one on a measure that is not in the program, and a bound that always holds or
// never.
func Judgeable(l *limit.Limit) error {
	own, ok := OfReleases[l.Measure]
	lo, hi := own[0], own[1]
	switch {
	case ok:
	case l.OfColumns():
		hi = math.Inf(1)
	default:
		names := slices.AppendSeq(limit.Kinds(), maps.Keys(OfReleases))
		k := slices.IndexFunc(catalog.Measures(), func(m measure.Measure) bool { return m.Name == l.Measure })
		if k < 0 {
			var unknown *card.Unknown
			if _, err := catalog.Measure(l.Measure); err != nil && !errors.As(err, &unknown) {
				return err // it is not in this program
			}
			for _, m := range catalog.Measures() {
				names = append(names, m.Name)
			}
			return fmt.Errorf("unknown measure %q%s", l.Measure, spelling.Hint(l.Measure, names))
		}
		lo, hi = catalog.Measures()[k].Range.Lo, catalog.Measures()[k].Range.Hi
	}
	for _, b := range []*float64{l.Min, l.Max} {
		if b != nil && (*b < lo || *b > hi) {
			return fmt.Errorf("the limit on %s is %v; it lies from %v to %v", l.Measure, *b, lo, hi)
		}
	}
	return nil
}

// Binding returns the intruders against whom every limit must hold: those who are declared or, of the default ones that
// are played, the first: the one who knows the quasi-identifiers where there are some, and the one who knows everything
// where there are none. Where most columns are not recognised, all who are played bind: nobody said that the others do
// not know these columns.
func (s *Subject) Binding(played []intruder.Intruder) []intruder.Intruder {
	switch {
	case s.Policy.Intruders != nil:
		return s.Policy.Intruders
	case s.Unrecognised() != nil:
		return played
	}
	return played[:1]
}

// Unrecognised returns the columns to which neither names nor values nor anybody gave a role, where they are more than
// half of those that may have one; nil where they are fewer.
func (s *Subject) Unrecognised() []string {
	if s.Profile == nil {
		return nil
	}
	return s.Profile.Unrecognised(s.Roles)
}

// Called returns the names of intruders.
func Called(list []intruder.Intruder) (names []string) {
	for _, i := range list {
		names = append(names, i.Name)
	}
	return names
}

// Evidence gathers what a release is judged by beside its measures, against the intruders who are played, of whom the
// limits bind some.
func (s *Subject) Evidence(
	ctx context.Context,
	o *study.Outcome,
	r, part *measure.Release,
	set *limit.Set,
	binding, played []intruder.Intruder,
	seed rng.Seed,
) (*study.Evidence, error) {
	e := &study.Evidence{Limits: set, Binding: Called(binding), Unpaired: !r.OfThose().Paired,
		Control: r.Holdout != nil && r.Holdout.Rows() > 0}
	found, err := study.FindIdentifying(ctx, r)
	if err != nil {
		return nil, err
	}
	e.Telling = append([]study.Identifying{}, o.Identifying...)
	found = slices.Concat(study.StillSuppressed(s.Suppressed, r.Released), found,
		study.TellingHeadings(s.Table, s.Suppressed, r.Released))
	for _, f := range found {
		same := func(t study.Identifying) bool { return t.Kind == f.Kind && t.Column == f.Column }
		if !slices.ContainsFunc(e.Telling, same) {
			e.Telling = append(e.Telling, f)
		}
	}
	e.Spared = s.spared(o, r.Original.Attrs(), played)
	if e.LeftAlone, err = study.LeftAlone(o, r); err != nil {
		return nil, err
	}
	if set.Find(limit.Lookup) == nil {
		return e, nil
	}
	lookUp := study.LookUp
	if set.Pairless {
		lookUp = study.LookUpApart
	}
	for k := range played {
		l, err := lookUp(ctx, part, &played[k], rng.New(seed).Fork("lookup"))
		if err != nil {
			return nil, err
		}
		if l != nil {
			e.Lookups = append(e.Lookups, *l)
		}
	}
	return e, nil
}

// Holding returns the limits that a release is held against: those of a release without pairs, where its records stand
// for nobody.
func Holding(o *study.Outcome, set *limit.Set) *limit.Set {
	if o.Synthetic && !set.Pairless {
		return set.WithoutPairs()
	}
	return set
}

// Withheld is the error for a release that does not keep its limits; nil for one that does, and for one that is not
// judged.
func Withheld(v *study.Verdict, what string) *Broken {
	if v == nil || v.State != study.Withheld {
		return nil
	}
	b := &Broken{Verdict: what, Unproven: v.Gate.Unshown()}
	for _, r := range v.Reasons {
		if r.State == study.Withheld {
			b.Breaches = append(b.Breaches, r.Says.String())
		}
	}
	return b
}

// Kept is the error for a new release that may not go out: one that is withheld, and one that is not judged although
// limits were set, for what was not shown is not kept. It is nil for a release that may, as every one for which no
// limits were asked for by name.
func Kept(v *study.Verdict, set *limit.Set) *Broken {
	if v != nil && (v.State != study.Unjudged || set.Name == limit.None) {
		return Withheld(v, "the release is withheld")
	}
	b := &Broken{Verdict: "the release is not judged, so it may not go out", Unproven: true}
	if v != nil {
		for _, r := range v.Reasons {
			b.Breaches = append(b.Breaches, r.Says.String())
		}
	}
	if len(b.Breaches) == 0 {
		b.Breaches = []string{message.Say("reason.noLimit").String()}
	}
	return b
}

// Broken is the error for a release that does not keep its limits.
type Broken struct {
	Verdict  string   // what follows
	Unproven bool     // none is shown to be broken: too few people could be tried to show that all are kept
	Breaches []string // one sentence for every limit and intruder, the worst first
}

// Error is one line.
func (b *Broken) Error() string { return b.Verdict + ": " + strings.Join(b.Breaches, "; ") }
