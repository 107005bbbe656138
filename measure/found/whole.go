package found

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found/internal/attackers"
	"github.com/dither-data/dither/measure/internal/posterior"
)

// byUnit is the name of the attacker who knows all records of a unit.
const byUnit = "whole-unit"

// mostKnown is by how many records a unit is looked for at most; of one with more every few are taken.
const mostKnown = 20

// Parts of the comparisons that go to selecting among attacks on whole units, to counting one, to being sure, and to
// what is left without each column.
const wholeSelecting, wholeCounting, wholeClaiming, wholeLacking = 0.03, 0.1, 0.02, 0.3

// Of how many units attacks are selected by in two rounds, and how many enter the second.
const firstUnits, moreUnits, entrants = 16, 50, 3

// leastSure is how many units are claimed at least.
const leastSure = 10

// whole is an attack by somebody who knows all records of a unit, and sees in the release which records are one unit's
// (attackers.Groups).
type whole struct {
	*study
	groups *attackers.Groups
	team   *attackers.Team
	rows   []int            // known records, by place in the team
	units  []attackers.Unit // by person tried
	single float64          // what the best attack by one record finds
	choice *attackers.Choice
	tried  int
	right  float64
	each   float64 // comparisons for a unit that counts
	most   float64 // the largest credit for one
}

// wholes lets somebody who knows all records of a unit look for the same people by them; nil where the release
// does not show which records are one unit's so well that more can be found than the upper bound says of a single
// record.
func (s *study) wholes(ctx context.Context, single, bound float64, o attackers.Options) (*whole, error) {
	g, err := attackers.GroupsOf(s.release, -1)
	if err != nil || g == nil || g.Pure <= bound || len(s.view.Known)+len(s.view.Sets) == 0 {
		return nil, err
	}
	w := &whole{study: s, groups: g, single: single}
	own, rows := s.release.Own(), []int(nil)
	for _, row := range s.rows[:len(s.choose)+len(s.count)] {
		all := own(row)
		u := attackers.Unit{Size: len(all)}
		every := (len(all) + mostKnown - 1) / mostKnown
		for i := 0; i < len(all); i += every {
			u.Places = append(u.Places, len(rows))
			rows = append(rows, all[i])
		}
		w.units = append(w.units, u)
	}
	o.Each = true
	w.rows = rows
	if w.team, err = attackers.NewTeam(ctx, s.release, s.view, rows, o); err != nil {
		return nil, err
	}
	if err := w.choose(ctx); err != nil {
		return nil, err
	}
	return w, w.count(ctx)
}

// at returns the units at some places.
func (w *whole) at(places []int) []attackers.Unit {
	out := make([]attackers.Unit, len(places))
	for k, p := range places {
		out[k] = w.units[p]
	}
	return out
}

func (w *whole) credits(ctx context.Context, c *attackers.Choice, places []int, b *attackers.Budget) (float64, error) {
	claims, err := w.team.Whole(ctx, c, w.groups, w.at(places), false, b)
	if err != nil {
		return 0, err
	}
	return exact.Of(claims.Credits()), nil
}

// choose selects the attack, by the people who select: of every attacker with all that is known and with the part that
// is best for one record, and then of the best with one column more or less as long as that finds more.
func (w *whole) choose(ctx context.Context) error {
	all := w.team.Choices(w.kept.Choices)
	b := &attackers.Budget{Comparisons: float64(float64(w.Pairs) * wholeSelecting)}
	for _, some := range []int{firstUnits, moreUnits} {
		right := map[*attackers.Choice]float64{}
		for k, c := range all {
			if k > 0 && b.Left() == 0 {
				all = all[:k]
				break
			}
			v, err := w.credits(ctx, c, w.study.choose[:min(some, len(w.study.choose))], b)
			if err != nil {
				return err
			}
			right[c] = v
		}
		slices.SortStableFunc(all, func(x, y *attackers.Choice) int { return cmp.Compare(right[y], right[x]) })
		w.choice, w.right = all[0], right[all[0]]
		all = all[:min(entrants, len(all))]
		if b.Left() == 0 {
			break
		}
	}
	return w.improve(ctx, b)
}

// improve adds and takes away a piece of knowledge as long as more are found and the budget lasts.
func (w *whole) improve(ctx context.Context, b *attackers.Budget) error {
	some := w.study.choose[:min(moreUnits, len(w.study.choose))]
	for better := true; better && w.right < float64(len(some)); {
		better = false
		for _, c := range w.team.Neighbours(w.choice) {
			if b.Left() == 0 {
				return nil
			}
			v, err := w.credits(ctx, c, some, b)
			if err != nil {
				return err
			}
			if v > w.right*(1+1e-12) {
				w.choice, w.right, better = c, v, true
			}
		}
	}
	return nil
}

// count counts the attack on the people who count, or on so many of them as there is budget for: on as many at least as
// one by a single record, for fewer would show of no large table that a limit is kept.
func (w *whole) count(ctx context.Context) error {
	credits, each, err := w.claims(ctx, leastCounted, false, wholeCounting)
	if err != nil {
		return err
	}
	all := credits.Credits()
	w.right, w.tried, w.each, w.most = 0, len(all), each, slices.Max(all)
	for _, v := range all {
		w.right += v
	}
	return nil
}

// sure is what study.sure is of the attack on whole units. Nobody is found for sure where no credit is as large as what
// must be right of a claim: of any claims together, then, too little is right. So all groups need not be looked through
// to tell how far behind the next one is.
func (w *whole) sure(ctx context.Context) (float64, error) {
	if w.most < 1-falsehood {
		return 0, nil
	}
	claims, _, err := w.claims(ctx, leastSure, true, wholeClaiming)
	if err != nil {
		return 0, err
	}
	return claims.Sure(falsehood), nil
}

// claims lets the attack claim so many of the people who count, and more as long as a part of the comparisons lasts. It
// says how many comparisons each of the first took.
func (w *whole) claims(ctx context.Context, least int, sure bool, part float64) (
	all *attackers.Claims, each float64, err error,
) {
	b := &attackers.Budget{Comparisons: float64(float64(w.Pairs) * part)}
	people := w.study.count
	if sure { // those whose credits are known
		people = people[:w.tried]
	}
	some := min(len(people), least)
	claims, err := w.team.Whole(ctx, w.choice, w.groups, w.at(people[:some]), sure, b)
	if err != nil {
		return nil, 0, err
	}
	each = b.Spent() / float64(some)
	more := min(len(people)-some, int(b.Left()/max(1, each)))
	rest, err := w.team.Whole(ctx, w.choice, w.groups, w.at(people[some:some+more]), sure, b)
	if err != nil {
		return nil, 0, err
	}
	return claims.And(rest), each, nil
}

// and makes the attack on whole units the best one, where it finds more, and widens the bounds by it. It returns the
// attack where it is the best.
func (d *Detail) and(w *whole, attacks int) *whole {
	a := &d.Attacked
	share := w.right / float64(w.tried)
	d.Attackers = append(d.Attackers,
		measure.Part{Key: "found-by", Of: byUnit, Name: attackers.Called(byUnit), Score: share})
	sorting.Stable(d.Attackers, func(a, b measure.Part) int { return cmp.Compare(b.Score, a.Score) })
	d.Tried++
	lo, hi := bounds(w.right, float64(w.tried), attacks+1)
	a.Lo, _ = bounds(a.Right, float64(a.Tried), attacks+1)
	a.Lo, a.Hi = max(a.Lo, lo), max(a.Hi, hi)
	if share <= a.Share {
		return nil
	}
	a.By, a.Knows, a.Gaps = attackers.Called(byUnit), w.names(w.choice.Columns()), w.choice.Gaps
	a.Groups = append(slices.Clone(w.groups.Keys), w.names(w.groups.Columns)...)
	a.Tried, a.Right, a.Share = w.tried, w.right, share
	return w
}

// before is what the attack finds by look-up with the original in place of the release.
func (w *whole) before(ctx context.Context, r *measure.Release) (float64, error) {
	g, err := attackers.GroupsOf(r, -1)
	if err != nil || g == nil {
		return 0, err
	}
	view, err := r.View()
	if err != nil {
		return 0, err
	}
	team, err := attackers.NewTeam(ctx, r, view, w.rows, attackers.Options{Plain: true, Each: true})
	if err != nil {
		return 0, err
	}
	return w.share(ctx, team, team.All(), g)
}

// columns are those of the attack: that put records together, and that are known. They are ascending.
func (w *whole) columns() []int {
	all := append(slices.Clone(w.groups.Columns), w.choice.Columns()...)
	slices.Sort(all)
	return slices.Compact(all)
}

// affords reports whether there are comparisons enough to try the attack without each column.
func (w *whole) affords() bool {
	need := float64(w.each * float64(len(w.columns())*min(w.tried, leastLacking)))
	return need <= float64(float64(w.Pairs)*wholeLacking)
}

// without returns what is left of the attack without each column, given what is left of that by one record.
func (w *whole) without(ctx context.Context, one []measure.Without) (out []measure.Without, err error) {
	for _, j := range w.columns() {
		l := measure.Without{Column: w.release.Original.Attr(j).Name, Dropped: w.single}
		if k := slices.IndexFunc(one, func(o measure.Without) bool { return o.Column == l.Column }); k >= 0 {
			l.Dropped = one[k].Dropped
		}
		g := w.groups
		if slices.Contains(g.Columns, j) {
			if g, err = attackers.GroupsOf(w.release, j); err != nil {
				return nil, err
			}
		}
		if c := w.choice.Lacking(j); c != nil && g != nil {
			share, err := w.share(ctx, w.team, c, g)
			if err != nil {
				return nil, err
			}
			l.Dropped = max(l.Dropped, share)
		}
		out = append(out, l)
	}
	sorting.Stable(out, func(a, b measure.Without) int { return cmp.Compare(a.Dropped, b.Dropped) })
	return out, nil
}

// share is what another attack finds of some of the people who count.
func (w *whole) share(
	ctx context.Context,
	t *attackers.Team,
	c *attackers.Choice,
	g *attackers.Groups,
) (float64, error) {
	some := w.at(w.study.count[:min(w.tried, leastLacking)])
	claims, err := t.Whole(ctx, c, g, some, false, &attackers.Budget{})
	if err != nil {
		return 0, err
	}
	return exact.Of(claims.Credits()) / float64(len(some)), nil
}

func (s *study) options() attackers.Options {
	return attackers.Options{Posterior: posterior.Options{Learner: s.Learner}}
}
