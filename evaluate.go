package dither

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// OpenRelease reads a release of the table that was made elsewhere, so that the two can be compared: its columns are
// read as those of the table are. Cost: O(bytes).
func (d *Data) OpenRelease(ctx context.Context, s Source) (*Data, error) {
	if s.read == nil {
		return nil, errNoSource
	}
	opt, err := reading.Options(d.subject.Policy)
	if err != nil {
		return nil, err
	}
	opt.Sheet = "" // a release has one
	for _, a := range d.subject.Table.Attrs() {
		switch {
		case a.Kind != table.Numeric:
		case a.Dates != "":
			delete(opt.Kinds, a.Name)
			opt.Dates[a.Name] = a.Dates
		default:
			opt.Kinds[a.Name] = table.Numeric
		}
	}
	t, info, err := d.elsewhere(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	file := study.File{Name: s.name, SHA256: info.SHA256, Rows: t.Rows(), Columns: t.Width()}
	return &Data{subject: &judge.Subject{Table: t, File: file, Policy: d.subject.Policy}, info: info}, nil
}

// elsewhere reads a release that was made elsewhere. Where its columns are not what they are in the table, it is read
// once more: asterisks among numbers are values that were suppressed.
func (d *Data) elsewhere(ctx context.Context, s Source, opt format.Options) (*table.Table, *format.Info, error) {
	read := func(as format.Options) (*table.Table, *format.Info, error) {
		t, info, err := s.read(ctx, as)
		if err != nil {
			return nil, nil, err
		}
		if t, err = reading.After(t, info, d.subject.Policy); err == nil {
			t, _, err = reading.Starred(t, d.subject.Table, opt, info)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.name, err)
		}
		return t, info, nil
	}
	t, info, err := read(opt)
	if err == nil {
		return t, info, nil
	}
	texts := opt
	texts.Kinds, texts.Dates, texts.Numbers = nil, nil, nil
	if t, info, failed := read(texts); failed == nil {
		return t, info, nil
	}
	return nil, nil, err
}

// Data is the release as a table to compare with its original. Which record is whose is known.
func (r *Release) Data() *Data {
	return &Data{
		subject: &judge.Subject{Table: r.made.Output, File: r.outcome.ReleasedFile, Policy: r.from.subject.Policy},
		info:    &format.Info{},
		of:      r,
	}
}

// Evaluation is what was measured of a release beside its original. It is confidential.
type Evaluation struct {
	Measures []study.Measured
	Verdict  *study.Verdict
	Notes    []message.Sentence // how the release was understood, and what it does not protect against
	Attacks  []study.Attack
}

// Evaluate takes all measures of a release beside its original, and judges it by the limits of the original's policy.
// Rows are taken for the same people's where they agree better than rows at random do, unless Unpaired says otherwise.
// Cost: that of the measures.
func Evaluate(ctx context.Context, original, released *Data, opts ...Option) (*Evaluation, error) {
	return assess(ctx, original, released, taken{by: func(measure.Measure, *limit.Set) bool { return true }}, opts)
}

// Attack plays the intruders of the original's policy, or the default ones: it takes the measures of risk. Limits on
// others are not judged, and the verdict says so. Cost: that of these measures.
func Attack(ctx context.Context, original, released *Data, opts ...Option) (*Evaluation, error) {
	risks := func(m measure.Measure, _ *limit.Set) bool { return m.Side == measure.Risk }
	return assess(ctx, original, released, taken{by: risks, partial: true}, opts)
}

// Judge says whether a release may go out: it takes the measures that the limits are on. Cost: that of these.
func Judge(ctx context.Context, original, released *Data, opts ...Option) (*study.Verdict, error) {
	limited := func(m measure.Measure, set *limit.Set) bool { return set.On(m.Name) != nil }
	e, err := assess(ctx, original, released, taken{by: limited}, opts)
	if err != nil {
		return nil, err
	}
	return e.Verdict, nil
}

// taken says which measures are taken.
type taken struct {
	by      func(measure.Measure, *limit.Set) bool
	partial bool // limits on others are not judged
}

// assess measures and judges a release.
func assess(ctx context.Context, original, released *Data, takes taken, opts []Option) (*Evaluation, error) {
	o := optionsOf(opts)
	set, err := original.limits()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", original.subject.File.Name, err)
	}
	out := &study.Outcome{OriginalFile: original.subject.File, ReleasedFile: released.subject.File,
		Noticed: original.subject.Noticed}
	if o.unpaired && released.of == nil {
		set = set.WithoutPairs()
	}
	r, notes, err := pair(original, released, out, &o)
	if err != nil {
		return nil, err
	}
	s := original.subject
	cast, err := s.Cast(r, out)
	if err != nil {
		return nil, err
	}
	specs, left, err := specsOf(ctx, s, r, set, takes.by)
	if err != nil {
		return nil, err
	}
	c := &judge.Case{Subject: s, Outcome: out, Release: r, Limits: set, Begin: o.begin()}
	if err := c.Ask(ctx, judge.Asked{Cast: cast, Specs: specs, Left: left, Partial: takes.partial}); err != nil {
		return nil, err
	}
	if err := c.Judge(ctx); err != nil {
		return nil, err
	}
	all := slices.Concat(message.Texts(notes), out.Notes, study.Texts(out.NotProtected))
	return &Evaluation{out.Measures, out.Verdict, all, study.Attacks(out, 0)}, nil
}

// specsOf are the measures that are taken, with their parameters.
func specsOf(
	ctx context.Context,
	s *judge.Subject,
	r *measure.Release,
	set *limit.Set,
	takes func(measure.Measure, *limit.Set) bool,
) (specs []study.Spec,
	left []study.Measured, err error) {
	for _, m := range catalog.Measures() {
		if takes(m, set) {
			specs = append(specs, study.Spec{Measure: m, Set: map[string]string{}})
		}
	}
	if _, err := s.HideFrom(ctx, specs, nil); err != nil {
		return nil, nil, err
	}
	s.Weigh(specs)
	specs, left = judge.Within(specs, r.Original.Width(), set)
	return specs, left, nil
}

// pair lines a release up with its original, and says what is known of it.
func pair(original, released *Data, o *study.Outcome, opt *options) (r *measure.Release, notes []string, err error) {
	s := original.subject
	if of := released.of; of != nil && of.origin == original {
		r, err = of.made.Release(of.from.subject.Hierarchies)
		if err != nil {
			return nil, nil, err
		}
		r.Paired = r.Paired && !opt.unpaired
		own := *of.outcome
		own.Measures, own.Verdict = nil, nil
		*o = own
		return r, nil, nil
	}
	anonymous, err := s.Anonymous()
	if err != nil {
		return nil, nil, err
	}
	t := released.subject.Table
	if opt.key != "" {
		r, err = keyed(s, t, anonymous, o, opt)
		return r, nil, err
	}
	o.Identifying = s.Still(t)
	r, missing, err := s.Pair(anonymous, s.Compared(t, anonymous), nil, nil)
	if err != nil {
		return nil, nil, err
	}
	r.Shown = s.Shown(t)
	if len(missing) > 0 {
		notes = append(notes, fmt.Sprintf("the release lacks %v; these columns are not compared", missing))
	}
	if r.Paired = r.Paired && !opt.unpaired; r.Paired && !study.LooksPaired(r.Original, r.Released) {
		r.Paired = false
		notes = append(notes, "rows at the same place of both tables agree no better than rows at random: measures of "+
			"single records are not taken")
	}
	r.Places = study.InFile(r.Released)
	judge.Seen(o, r)
	return r, notes, nil
}

// keyed lines a release up with its original by a column that both hold.
func keyed(s *judge.Subject, t, anonymous *table.Table, o *study.Outcome, opt *options) (*measure.Release, error) {
	switch j := s.Table.Find(opt.key); {
	case opt.unpaired:
		return nil, errors.New("records are paired by a key, or not at all")
	case j >= 0 && s.Table.Attr(j).Role&table.Identifier == 0:
		return nil, fmt.Errorf("key %q: the column is no identifier of the original: give it that role", opt.key)
	}
	rows, err := study.ByKey(s.Table, t, opt.key)
	if err != nil {
		return nil, fmt.Errorf("key %q: %w", opt.key, err)
	}
	o.Key = opt.key
	o.Identifying = slices.DeleteFunc(s.Still(t), func(i study.Identifying) bool { return i.Column == opt.key })
	joined, have := study.Rejoin(anonymous, s.Compared(t, anonymous), rows)
	r, _, err := s.Pair(anonymous, joined, nil, nil)
	if err != nil {
		return nil, err
	}
	if r.Paired = len(have) == r.Original.Rows(); !r.Paired {
		r.Matched = r.Original.Gather(have)
	}
	r.Places, r.Shown = study.InFile(r.Released), s.Shown(t)
	judge.Seen(o, r)
	return r, nil
}
