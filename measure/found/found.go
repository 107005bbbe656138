// Package found measures how many people the best of several attacks identifies in a release: the main figure for
// limits on re-identification.
//
// Attackers look for people each in their own way (package measure/found/internal/attackers): the nearest record by
// distance, the one that agrees best (Fellegi & Sunter 1969), the likeliest one with the law of the noise known and
// unknown (Islam 2007), and look-up of what is shown unchanged. Each uses all that the intruder knows, or a part of it:
// noise in one column drowns what another tells, so who knows more finds more only by choosing. A person found with t-1
// others counts 1/t.
//
// How people are split. Half of the people tried, at most 1000, select: they choose for every attacker the part of the
// knowledge with which it is right most often, and give an attacker up only where none of its parts can be the best of
// all (a sign test on the same people; the chance that the best one is given up is at most 1 %, by Bonferroni over all
// parts and looks). The others count, and none of them selects. Every attacker that was kept, four or five with their
// parts, looks for the same people. Whom it draws follows from the source of random numbers, which those who judge a
// release take from the original.
//
// The score is the largest share of the people counted whom one of these attackers finds, and that one is named. Hi is
// the upper bound (Clopper & Pearson 1934) of that share at 96 %: the attacker who is the best of everybody found so
// many at most, so its own bound lies no higher, and that one holds whichever was lucky; 1 % is for the best being
// given up. Lo is the lower bound at 1 - 5 %/k of k attackers, which holds for all of them at once (Bonferroni). Each
// holds for itself at 95 %, of the best attacker with the parts that were selected.
//
// Up to 400 people are all tried with every attacker and every part of the knowledge, and Hi is the most that one of
// these finds of everybody, where that is less: the bounds are about the people of this release, of whom nobody is left
// to try. A score that lies above is lowered to it. Not where some people have several records.
//
// Before is the same with the original in place of the release: how unlike each other the people are. Sure is the share
// that is found where at most 1 % of the claims are false, when the intruder claims those for whom the next record is
// farthest behind. Without tells, by column of the attack, what is left of the share when the release lacks the column,
// or has it in four classes; the attacker makes the best of what is left. Parts give what each attacker finds by
// itself, with the part of the knowledge that is best for it.
//
// A set of items is known like a value: as a whole, by how many items it shares with what a record shows, and by how
// rare the shared items are. Where an item was taken out of every set, the others still tell.
//
// Missing values: what is missing of a person is known to an intruder who knows all, or who is said to know it, in
// every column; package attackers says what is made of it.
//
// Cost: people are sampled, never records. Work is counted in comparisons of a record and a column, of which working
// out a score is eight, and is limited by the parameter pairs; with it fewer people select, and fewer are counted. All
// attacks are tried on 16 people, and those kept on 100, whatever the limit. Besides, every known column is prepared in
// O(n), once for all intruders.
//
// Where it is known which records are one person's, people are tried and counted: the intruder knows one record of
// each, drawn at random, and finds somebody by any of theirs.
//
// There, who knows all records of everybody looks for whole units, too, in a release that shows which records are one
// unit's by a pseudonym (measure.Owners.Shown) or by columns that are one in all of them, such as a weight, or a town
// and an income: the released records that agree in these are compared with all that are known (package attackers). It
// looks for the same people, and the bounds are then the wider ones.
//
// What it does not say: the attacks are the built-in ones. A stronger attack finds more, so the bounds are about these
// attacks.
//
// Departures: m and u are those that the pairs show, not estimated ones, and records are not linked one to one.
//
// References: those of packages linkage and reidentification; C. J. Clopper and E. S. Pearson, "The use of confidence
// or fiducial limits", Biometrika 26, 1934.
package found

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found/internal/attackers"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "found",
		Title:     "Found by the best attack",
		Short:     "Found",
		Aliases:   []string{"worst intruder", "maximum re-identification"},
		Summary:   "Share that the best of several attacks identifies, using the most effective part of what is known.",
		Paper:     "Domingo-Ferrer & Torra 2001; Fellegi & Sunter 1969; Islam 2007; Clopper & Pearson 1934",
		Needs:     "an intruder; paired records; the plan, for intruders who know the technique",
		Preserves: "1 when everyone is identified, 1/n for n released records when nothing is learned",
		Missing:   "evidence, if the intruder knows which values are missing",
		Cost: "O(n p) to prepare, then limited by the parameter pairs, except for at least 116 people; people " +
			"are sampled, never records",
	},
	Facts: measure.Facts{
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.found").Part("n", n).Part("people", who)
		},
		Tries:  true,
		About:  measure.Identity,
		Sets:   true,
		Finds:  true,
		Effort: measure.Fast,
		Place:  1,
		Figure: measure.Entry{Place: 1, Says: message.Say("headFigure.found")},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Share, message.Say("unit.ofPersons")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures who is found.
type Meter struct {
	trees.Learner
	People int
	Pairs  int
	Brief  bool
}

// Params declares the parameters.
func (m *Meter) Params() param.Set {
	return append(param.Set{
		param.Int(&m.People, "people", 2000, 4, 1_000_000, "people", "test this many random people: one half, at most "+
			"1000, selects attacks, and the others count"),
		param.Int(&m.Pairs, "pairs", 300_000_000, 1, math.MaxInt, "comparisons",
			"make about this many comparisons of one value; fewer people are tested if they do not suffice"),
		param.Bool(&m.Brief, "brief", false, "skip what the attack finds in the original, and what remains of it "+
			"without each column"),
	}, m.Learner.Params()...)
}

// Level is that of the bounds; lost is how much of it goes to the chance that the selection gives up the best attack.
const Level, lost = 0.95, 0.01

// Parts of what there is of the budget that go to selecting attacks, to counting them and to being sure of people.
const selecting, counting, claiming = 0.4, 0.6, 0.3

// mostSelect is how many people select at most.
const mostSelect = 1000

// falsehood is the share of the claims of a sure intruder that may be false.
const falsehood = 0.01

// leastCounted is how many people are counted at least, where there are so many.
const leastCounted = 100

// Measure returns the share of people found with a Detail. It does not apply where records are not paired; it fails
// without records.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	_, finish, err := m.Begin(ctx, r, src)
	if err != nil {
		return measure.Value{}, err
	}
	return finish(ctx)
}

// Begin is Measure without who is found for sure, what was found before, and what is left without a column, which
// finish adds.
func (m *Meter) Begin(ctx context.Context, r *measure.Release, src rng.Source) (
	v measure.Value, finish func(context.Context) (measure.Value, error), err error,
) {
	s, err := m.study(r, src, m.People)
	if err != nil {
		return v, nil, err
	}
	d, err := s.attack(ctx)
	if err != nil {
		return v, nil, err
	}
	return d.value(s.notes), func(ctx context.Context) (measure.Value, error) {
		if err := s.claimed(ctx, d); err != nil || m.Brief {
			return d.value(s.notes), err
		}
		if err := s.before(ctx, d); err != nil {
			return measure.Value{}, err
		}
		err := s.without(ctx, d)
		return d.value(s.notes), err
	}, nil
}

// Everybody returns the attack that Measure finds, as Begin has it, and by attacker the share of everybody in the
// release whom the best of all parts of the knowledge finds that were tried: the bounds are about the largest. It fails
// as Measure does. Cost: that of trying everything on everybody.
func (m *Meter) Everybody(ctx context.Context, r *measure.Release, src rng.Source) (measure.Attack, []float64, error) {
	s, err := m.study(r, src, r.Original.Rows())
	if err != nil {
		return measure.Attack{}, nil, err
	}
	d, err := s.attack(ctx)
	if err != nil {
		return measure.Attack{}, nil, err
	}
	if s.kept.Tried == 0 { // nothing is known
		return d.Attacked, []float64{1 / float64(d.Released)}, nil
	}
	shares, err := s.team.Most(ctx, s.kept)
	return d.Attacked, shares, err
}

// study draws the people: those who are tried, of whom an attacker is to be ready for so many.
func (m *Meter) study(r *measure.Release, src rng.Source, ready int) (*study, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	view, err := r.View()
	n := r.Original.Rows()
	switch {
	case err != nil:
		return nil, err
	case !r.Paired:
		return nil, measure.NotApplicable(message.Say("measure.skipped.unmatched"))
	case n == 0:
		return nil, errors.New("the original table has no records")
	}
	s := &study{Meter: m, release: r, view: view}
	of, people := r.People()
	if n = people; of == nil {
		s.rows = r.Original.First(ready, src.Fork("people"))
	} else {
		s.rows = oneEach(r.Original, of, people, src)[:min(n, ready)]
	}
	s.people = n
	tried := min(n, m.People)
	for k := range tried {
		if k < min(tried/2, mostSelect) {
			s.choose = append(s.choose, k)
		} else {
			s.count = append(s.count, k)
		}
	}
	return s, nil
}

// oneEach draws a record of everybody, the people in a random order. Of says by row whose it is.
func oneEach(t *table.Table, of []int32, people int, src rng.Source) []int {
	first := make([]int, people)
	for _, i := range slices.Backward(t.Order(src.Fork("people"))) {
		first[of[i]] = i
	}
	return slices.DeleteFunc(t.Order(src.Fork("order")), func(i int) bool { return first[of[i]] != i })
}

// study is one measurement.
type study struct {
	*Meter
	release       *measure.Release
	view          *intruder.View
	rows          []int // of the people tried
	people        int   // in the release
	choose, count []int // places of those who select and of those who count
	budget        attackers.Budget
	team          *attackers.Team
	kept          attackers.Kept
	choice        *attackers.Choice // the one that found the most of those who count
	whole         *whole            // set where it is the best
	each          float64           // what it costs to be sure of one person
	notes         []message.Sentence
}

// attack selects attacks by some of the people and counts them all on the others.
func (s *study) attack(ctx context.Context) (*Detail, error) {
	var err error
	if s.team, err = attackers.NewTeam(ctx, s.release, s.view, s.rows, s.options()); err != nil {
		return nil, err
	}
	s.budget.Comparisons = float64(float64(s.Pairs) * selecting)
	if s.kept, err = s.team.Select(ctx, s.choose, lost, &s.budget); err != nil {
		return nil, err
	}
	if s.kept.Choices == nil {
		s.kept.Choices = []*attackers.Choice{{By: &attackers.Attacker{Name: "guess"}}}
	}
	s.budget.Comparisons = float64(s.Pairs)
	right, err := s.counted(ctx)
	if err != nil {
		return nil, err
	}
	most := slices.Index(right, slices.Max(right))
	s.choice = s.kept.Choices[most]
	a := measure.Attack{
		Intruder: s.view.Name,
		By:       attackers.Called(s.choice.By.Name),
		Knows:    s.names(s.choice.Columns()),
		Gaps:     s.choice.Gaps,
		Tried:    len(s.count),
		People:   s.people,
		Right:    right[most],
		Share:    right[most] / float64(len(s.count)),
	}
	a.Lo, a.Hi = bounds(a.Right, float64(a.Tried), len(right))
	if err := s.census(ctx, &a); err != nil {
		return nil, err
	}
	d := &Detail{Attacked: a, Released: s.release.Released.Rows(), Chosen: s.kept.Tried, Tried: s.kept.All}
	for k, c := range s.kept.Choices {
		d.Attackers = append(d.Attackers, measure.Part{Key: "found-by", Of: c.By.Name, Name: attackers.Called(c.By.Name),
			Score: right[k] / float64(a.Tried)})
	}
	sorting.Stable(d.Attackers, func(a, b measure.Part) int { return cmp.Compare(b.Score, a.Score) })
	w, err := s.wholes(ctx, a.Share, a.Hi, s.options())
	if w != nil && err == nil {
		s.whole = d.and(w, len(right))
	}
	return d, err
}

// bounds returns the bounds of the share that the best of several attacks finds of everybody, of which the one that
// found the most of n people found right.
//
// The upper one is that of the best attack or higher, since all are counted on the same people and the best found right
// of them at most; so one attack's bound holds for the best of all, at the level that the selection leaves. The lower
// one holds for every attack at once (Bonferroni), so for the luckiest.
func bounds(right, n float64, attacks int) (lo, hi float64) {
	_, hi = confidence.ClopperPearson(right, n, Level+lost)
	lo, _ = confidence.ClopperPearson(right, n, 1-(1-Level)/float64(attacks))
	return lo, hi
}

// fewPeople is up to how many people are all tried with everything.
const fewPeople = 400

// census lowers the upper bound to what the best of all parts of all attackers finds of everybody, where people are
// few: the bound is about these people, and of so many a half shows next to nothing. What was selected on some of them
// is the best part there was, or less, so this holds for sure. Where some people have several records, others may put
// these together, which no attacker here does, so the bound keeps its distance.
func (s *study) census(ctx context.Context, a *measure.Attack) error {
	if s.people > min(fewPeople, s.People) || s.people < s.release.Original.Rows() || s.kept.Tried == 0 {
		return nil
	}
	shares, err := s.team.Most(ctx, s.kept)
	if err != nil {
		return err
	}
	if most := slices.Max(shares); most < a.Hi {
		a.Hi = most
		a.Share, a.Lo = min(a.Share, most), min(a.Lo, most)
		a.Right = float64(a.Share * float64(a.Tried))
	}
	return nil
}

// counted lets every attack that was kept look for the same people, none of whom selected it, and returns the credits
// of each: of everybody who counts, or of so many as half of what is left is good for.
func (s *study) counted(ctx context.Context) ([]float64, error) {
	right := make([]exact.Sum, len(s.kept.Choices))
	try := func(places []int) error {
		for k, c := range s.kept.Choices {
			credits, err := s.team.Credits(ctx, c, places, &s.budget)
			if err != nil {
				return err
			}
			right[k].AddAll(credits)
		}
		return nil
	}
	some := min(len(s.count), leastCounted)
	before := s.budget.Left()
	if err := try(s.count[:some]); err != nil {
		return nil, err
	}
	each := (before - s.budget.Left()) / float64(some)
	more := min(len(s.count)-some, int(s.budget.Left()*counting/max(1, each)))
	s.count = s.count[:some+more]
	err := try(s.count[some:])
	return exact.Rounded(right), err
}

// claimed tells how many people the attack is sure of, or the one on whole units where that is the best.
func (s *study) claimed(ctx context.Context, d *Detail) error {
	sure, err := s.sure(ctx)
	if err == nil && s.whole != nil {
		var whole float64
		whole, err = s.whole.sure(ctx)
		sure = max(sure, whole)
	}
	d.Attacked.Sure = &sure
	return err
}

// sure returns the share of the people whom the attack finds where at most 1 % of its claims are false: of those who
// count, or of so many as a part of the budget is good for.
func (s *study) sure(ctx context.Context) (float64, error) {
	some := s.count[:min(len(s.count), leastCounted)]
	before := s.budget.Left()
	claims, err := s.team.Claims(ctx, s.choice, some, &s.budget)
	if err != nil {
		return 0, err
	}
	s.each = (before - s.budget.Left()) / float64(len(some))
	more := min(len(s.count)-len(some), int(s.budget.Left()*claiming/max(1, s.each)))
	rest, err := s.team.Claims(ctx, s.choice, s.count[len(some):len(some)+more], &s.budget)
	if err != nil {
		return 0, err
	}
	return claims.And(rest).Sure(falsehood), nil
}

// before attacks the original in place of the release, for the same people.
func (s *study) before(ctx context.Context, d *Detail) error {
	t := s.release.Original
	if s.release.Exact != nil {
		t = s.release.Exact
	}
	r := s.release.Unchanged(t)
	view, err := r.View()
	if err != nil {
		// what is known is told in the words of the release, which the exact original does not share
		return nil //nolint:nilerr
	}
	rows, places := make([]int, len(s.count)), make([]int, len(s.count))
	for k, p := range s.count {
		rows[k], places[k] = s.rows[p], k
	}
	team, err := attackers.NewTeam(ctx, r, view, rows, attackers.Options{Plain: true})
	if err != nil {
		return err
	}
	credits, err := team.Credits(ctx, team.All(), places, &s.budget)
	if err != nil {
		return err
	}
	share := exact.Mean(credits)
	if s.whole != nil {
		all, err := s.whole.before(ctx, r)
		if err != nil {
			return err
		}
		share = max(share, all)
	}
	d.Attacked.Before = &share
	return nil
}

// choices is how many attacks stand for one that lacks a column, or has it coarser.
const choices = 6

// leastLacking is how many people what is left without a column is told of at least.
const leastLacking = 50

// without finds what is left without each column, the most helpful first: of the people counted, or of so many of them
// as the budget is good for. Where the attack on whole units is the best, it must be good for that, too.
func (s *study) without(ctx context.Context, d *Detail) error {
	columns := s.choice.Columns()
	people := min(len(s.count), int(s.budget.Left()/max(1, s.each*choices*float64(max(1, len(columns))))))
	if people < min(len(s.count), leastLacking) || s.whole != nil && !s.whole.affords() {
		s.notes = append(s.notes, message.Say("measure.found.note.untried"))
		return nil
	}
	if people < len(s.count) {
		s.notes = append(s.notes, message.Say("measure.found.note.some").Count("n", people))
	}
	left, err := s.team.Without(ctx, s.choice, s.choose[:min(len(s.choose), people/2)], s.count[:people], &s.budget)
	if err != nil {
		return err
	}
	for _, l := range left {
		w := measure.Without{Column: s.release.Original.Attr(l.Column).Name, Dropped: l.Dropped}
		if l.Coarse == l.Coarse {
			w.Coarse = &l.Coarse
		}
		d.Attacked.Without = append(d.Attacked.Without, w)
	}
	sorting.Stable(d.Attacked.Without, func(a, b measure.Without) int {
		switch {
		case a.Dropped < b.Dropped:
			return -1
		case a.Dropped > b.Dropped:
			return 1
		}
		return 0
	})
	if s.whole != nil {
		d.Attacked.Without, err = s.whole.without(ctx, d.Attacked.Without)
	}
	return err
}

func (s *study) names(columns []int) []string {
	out := []string{}
	for _, j := range columns {
		out = append(out, s.release.Original.Attr(j).Name)
	}
	return out
}
