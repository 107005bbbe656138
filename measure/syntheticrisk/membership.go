package syntheticrisk

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Membership measures whether an intruder can detect that a person is in the file: membership inference by
// distance, and by exact values.
//
// To be in a file may itself be the secret, as in one of patients of a clinic. The intruder compares what is known of a
// person with the released records and says "in" when the nearest is near enough (package measure/internal/nearest says
// how distances are taken). Members are people of the original; the others are those of the hold-out. How near is near
// enough follows from the others: as far as at most 1 % of them are called in. The score is the share of members who
// are then called in: the true positive rate at 1 % false ones. Mean figures hide the few people of whom membership is
// certain, so Carlini et al. ask for rates at few false positives. Lo and Hi are one-sided 95 % bounds (Clopper &
// Pearson 1934) of the share of members; for those who were not tried the limit of nearness is as uncertain as the
// others are few.
//
// Parts give the rate at 0.1 % false ones, the area under the curve (AUC: the probability that a member is nearer than
// another person; 0.5 is guessing), and how many people were tried. With fewer than 100 others no rate of 1 % can be
// told from 0: nobody may then be called in wrongly, and a note says so.
//
// By values, the intruder looks which exact values of a person stand anywhere in the release, column by column, and
// says "in" when there are many, or rare ones: a value counts 1, or the logarithm of how few records show it. That
// tells members of a release that draws from the values of the original, as shuffling does, though no record is near
// anybody. The columns, the first of those in which most more is found of members than of others, and how values
// count are chosen on one half of the people, members and others, and counted with the limit on the other. Besides,
// all columns are used, in both ways, with which nothing is chosen and everybody is counted. The figure is that of
// the best attack, so Lo holds for all four at once (Bonferroni); columns of which the intruder knows ranges only are
// left out. What an intruder who knows less tells, one who knows more tells, too.
//
// Without a hold-out, and where records are paired, the others are the same people, as if their own record had not been
// released: the nearest of all other records. That is right for techniques that release record by record, and says too
// little where a record shapes others, as in groups. By values they have what another person has, too, and in place of
// what nobody else has numbers near it, as round as it is.
//
// It is played with what each intruder knows, whether or not that one already knows who is in the file.
//
// Cost: an index of the released records and a search for each of those tried (parameters people and pairs): a million
// copies take 13 times the processor time of a slices.Sort of as many random float64, most of it for the index. Values
// cost O(n) per known column, and are looked up for as many as people says.
//
// Departures: the nearness is one for all people; shadowmembership learns one for each.
//
// References: N. Carlini et al., "Membership inference attacks from first principles", IEEE S&P 2022; T. Stadler, B.
// Oprisanu and C. Troncoso, "Synthetic data: anonymisation groundhog day", USENIX Security 2022; D. Chen, N. Yu, Y.
// Zhang and M. Fritz, "GAN-Leaks", CCS 2020, on distances.
var Membership = measure.Measure{
	Card: card.Card{
		Name:      "membership",
		Title:     "Membership inference attacks",
		Short:     "Membership inference",
		Aliases:   []string{"membership inference", "MIA"},
		Summary:   "Share whose membership in the file can be detected, at a 1 % false-positive rate.",
		Paper:     "Carlini et al. 2022; Stadler, Oprisanu & Troncoso 2022",
		Needs:     "an intruder; a hold-out, or paired records",
		Preserves: "1 when copies are released, 0.01 when members are no nearer than others",
		Missing:   "at the mean distance",
		Cost:      "a search per person tested",
	},
	Facts: measure.Facts{
		About: measure.Identity, Effort: measure.Fast, Place: 14, Weaker: true,
		Bounds: map[string]string{"people": "1000", "pairs": "5000000"},
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.membership").Part("n", n).Part("people", who)
		},
		Remedy: func(*table.Table) (message.Sentence, string) {
			return message.Say("remedy.membership"), ""
		},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.OfPeople("unit.ofPeopleAtOne"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&MembershipMeter{}) },
}

// MembershipMeter measures membership inference.
type MembershipMeter struct{ People, Pairs int }

// Params declares the parameters.
func (m *MembershipMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.People, "people", 10_000, 2, 10_000_000, "people", "test up to this many members and others"),
		param.Int(&m.Pairs, "pairs", 1_000_000_000, 1, math.MaxInt, "pairs of records", "and compare at most this "+
			"many pairs, but at least 100 people"),
	}
}

// membershipFewest is how many people are tried, whatever pairs: of fewer others no rate of 1 % can be told.
const membershipFewest = 100

// most returns how many people are tried among so many records.
func (m *MembershipMeter) most(records int) int {
	return min(m.People, max(membershipFewest, m.Pairs/max(1, records)))
}

// MembershipDetail is how well the best attack detects members.
type MembershipDetail struct {
	Intruder string `json:"intruder"`
	Holdout  bool   `json:"holdout"` // the others are those of a hold-out; else the same people without their record
	// Values are the columns by whose exact values members are told; nil where it is by distance.
	Values []string `json:"values,omitempty"`
	channel.Detection
}

// Measure returns the share of members told with a Detail. It fails without records, and does not apply without a
// hold-out where records are not paired.
func (m *MembershipMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	d := &MembershipDetail{Intruder: view.Name, Holdout: r.Holdout != nil && r.Holdout.Rows() > 0}
	switch {
	case !d.Holdout && !r.Paired:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noHoldout"))
	case r.Original.Rows() == 0 || r.Released.Rows() == 0:
		return measure.Value{}, errors.New("a table has no records")
	case !d.Holdout && r.Released.Rows() < 2:
		return measure.Value{}, errors.New("there are too few records to compare")
	}
	members, others, err := m.distances(ctx, r, view.Known, d.Holdout)
	if err != nil {
		return measure.Value{}, err
	}
	d.Detection = channel.Detect(members, others)
	_, people := r.People()
	v := d.Detection.Value(people)
	if err := m.byValues(ctx, r, view.Known, d, &v, src); err != nil {
		return measure.Value{}, err
	}
	if !d.Holdout {
		v.Notes = append(v.Notes, message.Say("measure.membership.note.noHoldout"))
	}
	v.Detail = d
	return v, nil
}

// attacks is how many there are: by distance, by the values of the columns that were chosen, and by those of all
// columns, as many or as rare ones.
const attacks = 4

// byValues puts what the attack by values tells in place of what distance does, where it tells more.
func (m *MembershipMeter) byValues(
	ctx context.Context,
	r *measure.Release,
	known []intruder.Known,
	d *MembershipDetail,
	v *measure.Value,
	src rng.Source,
) error {
	l := lookups{release: r, targets: r.Targets(m.People, membershipFewest), held: d.Holdout}
	if l.held {
		l.others = r.Others(m.People, membershipFewest)
	}
	found, columns, ok, err := l.detect(ctx, known, d.AtOne, src)
	if err != nil {
		return err
	}
	if ok && found.AtOne > d.AtOne {
		_, people := r.People()
		*v, d.Detection = found.Value(people), found
		for _, j := range columns {
			d.Values = append(d.Values, r.Original.Attr(j).Name)
		}
	}
	v.Lo, _ = confidence.ClopperPearson(float64(d.AtOne*float64(d.Members)), float64(d.Members), 1-0.05/attacks)
	v.Lo = min(v.Lo, v.Score)
	return nil
}

// distances returns how far the nearest released record is from members and from others.
func (m *MembershipMeter) distances(
	ctx context.Context,
	r *measure.Release,
	known []intruder.Known,
	held bool,
) (members, others []float64, err error) {
	s, err := nearest.NewSpace(ctx, r.Original, known)
	if err != nil {
		return nil, nil, err
	}
	most := m.most(r.Released.Rows())
	targets := r.Targets(most, min(membershipFewest, most))
	index, err := s.Released(r, known, len(targets.Rows))
	if err != nil {
		return nil, nil, err
	}
	// search returns the distance of the nearest record, and where others are the same people that of the nearest but
	// their own.
	mine := r.Own()
	search := func(t *table.Table, rows []int, own func(row int) []int) (least, other []float64, err error) {
		least, other = make([]float64, len(rows)), make([]float64, len(rows))
		return least, other, index.Each(ctx, s.Questions(t, rows), func(q *neighbour.MixedSearch, i int, known []float64) {
			least[i], other[i] = math.Inf(1), math.Inf(1)
			var theirs []int
			if !held {
				theirs = own(rows[i])
			}
			for k, n := range q.Nearest(known, 1+len(theirs), -1) {
				if k == 0 {
					least[i] = n.Squared
				}
				if _, is := slices.BinarySearch(theirs, n.Record); !is {
					other[i] = n.Squared
					break
				}
			}
		})
	}
	members, others, err = search(r.Original, targets.Rows, mine)
	members, others = targets.Least(members), targets.Least(others)
	if err == nil && held {
		held := r.Others(most, min(membershipFewest, most))
		others, _, err = search(r.Holdout, held.Rows, nil)
		others = held.Least(others)
	}
	return members, others, err
}

// Sentence says of how many people membership shows.
func (d *MembershipDetail) Sentence() message.Sentence {
	if d.Values == nil {
		return message.Say("measure.membership.says").Share("told", d.AtOne).Count("people", d.Members).
			Count("others", d.Others)
	}
	return message.Say("measure.membership.byValues").Share("told", d.AtOne).Count("people", d.Members).
		Count("others", d.Others).Names("columns", d.Values)
}
