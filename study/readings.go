package study

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
)

// readings are a release as its measures read it.
type readings struct {
	all   *measure.Release
	those *measure.Release // of the records that it has (measure.Release.OfThose): what risks are of
	other []otherwise      // those whose units are others
}

// otherwise is a release whose units are others than they are taken to be.
type otherwise struct {
	*measure.Release
	says   message.Sentence // of a figure that is taken by it
	better message.Sentence // of one that is not, and is worse
}

func readingsOf(r *measure.Release) readings {
	r = r.Working()
	those := r.OfThose()
	read := readings{all: r, those: those}
	if apart := those.ByPerson(); apart != nil {
		says, better := message.Say("measure.note.membersApart"), message.Say("measure.note.households")
		read.other = append(read.other, otherwise{apart, says, better})
	}
	for _, b := range those.Besides {
		if v := those.By(b.By); v != nil {
			read.other = append(read.other, otherwise{Release: v, says: b.Says})
		}
	}
	return read
}

// facing returns a release with the intruder of the measure, where it depends on one, as the measure looks at it. Who
// tells the records of a person tells those of what is taken for one.
func (s *Spec) facing(r, those *measure.Release) *measure.Release {
	if i := s.Intruder; i != nil && s.Measure.Intruder {
		if own := *i; r.Person != "" && i.Person != "" && i.Person == those.Person {
			own.Person = r.Person
			i = &own
		}
		r = r.Against(i)
	}
	if s.Measure.AsMade {
		return r.AsMade()
	}
	return r
}

// worst takes a measure. One of risk is taken by households and by persons where a table tells both, since an intruder
// may know of a person or of a household, and which is found more often depends on the table; and by whatever else may
// be whose a record is (measure.Owners.Besides). The worst figure is returned, with the release that it is of, and says
// which units it counts where these are not what they are taken to be.
func (s *Spec) worst(
	ctx context.Context,
	read readings,
	meter measure.Meter,
	against *measure.Release,
	src rng.Source,
) (measure.Value, *measure.Release, error) {
	v, finish, err := measure.Begin(ctx, meter, against, src.Fork(s.Measure.Name))
	if err != nil {
		return v, against, err
	}
	if s.Measure.Side != measure.Risk {
		v, err = finish(ctx)
		return v, against, err
	}
	said := message.Sentence{}
	for _, o := range read.other {
		r := s.facing(o.Release, read.those)
		by, rest, err := measure.Begin(ctx, meter, r, src.Fork(s.Measure.Name))
		switch {
		case errors.Is(err, measure.ErrNotApplicable): // nobody has several records, so read
		case err != nil:
			return v, against, err
		case s.Measure.Better == measure.Lower && by.Hi > v.Hi || s.Measure.Better != measure.Lower && by.Lo < v.Lo:
			v, finish, against, said = by, rest, r, o.says
		case said.Empty() && (v.Score != by.Score || v.Lo != by.Lo || v.Hi != by.Hi):
			said = o.better
		}
	}
	if v, err = finish(ctx); err == nil && !said.Empty() {
		v.Notes = append(v.Notes[:len(v.Notes):len(v.Notes)], said)
	}
	return v, against, err
}

// weaker gives a figure against an intruder who can do what one who knows less does (measure.Facts.Weaker) the figure
// against that one where it is worse. Cost: O(specs^2).
func weaker(r *measure.Release, specs []Spec, out []Measured) error {
	taken := slices.Clone(out)
	for k := range out {
		for i := range taken {
			weak := &taken[i]
			if !weak.Weaker || weak.Name != out[k].Name || !weak.Err.Empty() || !out[k].Err.Empty() ||
				weak.Value.Score <= out[k].Value.Score || !maps.Equal(specs[i].Set, specs[k].Set) {
				continue
			}
			more, err := r.Against(specs[k].Intruder).View()
			if err != nil {
				return err
			}
			less, err := r.Against(specs[i].Intruder).View()
			if err != nil {
				return err
			}
			if more.Includes(less) {
				out[k].Value = weak.Value
				out[k].Value.Notes = append(slices.Clip(weak.Value.Notes), message.Say("measure.note.weaker"))
			}
		}
	}
	return nil
}
