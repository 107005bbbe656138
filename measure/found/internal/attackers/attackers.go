// Package attackers plays intruders who look for people in a release, each in their own way, and finds the one who is
// right most often.
//
// What it does. An attacker gives every released record a score for a person, and takes the record with the highest for
// the person's; of t equals each is taken equally often, so a person is found with the credit 1/t or 0. The score is a
// sum over the pieces of knowledge (clues) used, one for every known column, and one for the pattern of missing values:
//
//   - by distance: minus the squared distance in the space of package nearest (Domingo-Ferrer & Torra 2001);
//   - by agreement: the logarithm of m/u where the values agree and of (1-m)/(1-u) where they do not (Fellegi & Sunter
//     1969), with m and u as the pairs show them, which is the best that estimation can come to;
//   - by the posterior: the logarithm of the probability of the released value, by the law of the noise (Islam 2007,
//     section 8.1), or by what the pairs show of it for one who does not know the technique;
//   - by look-up: the records that show exactly what is known; nobody is found whose own record does not.
//
// A set of items is compared as a whole by look-up. By distance it is as far off as Jaccard says (1901): one less the
// share of the items of both that they have in common. By agreement, and beside the posterior of other columns, every
// item in common counts the logarithm of 1/u, where a share u of the records has it. What is missing in either set
// counts nothing there, so who knows more items of a person never does worse. An item that may or may not be in a set
// counts as much of it as records have the item.
//
// A subset of the clues is used, not all: noise in one column drowns what another tells. The subsets tried are nested:
// those by the order in which columns changed least, the same with the quasi-identifiers first, and by how much a
// column tells on average, and from the best of these on, one column more or less. All subsets of an order are judged
// in one pass over the records.
//
// Several records. Where it is known which records are one person's, the best of these is the own one, and the others
// are no competitors: of t best records, of which m are the person's, the credit is m/t.
//
// Missing values. Without the pattern they are what package nearest and package posterior make of them. With it, what a
// column's value being there or not says is in the pattern, and the values themselves say nothing where one is missing.
// How often a gap is kept, and made, is what the pairs show.
//
// Contradictions. A record that the law of the noise rules out gets a very small probability, not none: who has one
// wrong idea of a person does not give up.
//
// Certainty. An attacker is the surer of a claim the farther the score of the next record is below that of the best; of
// ties nobody is sure.
//
// Cost. A person is compared record by record until another record is better than the own one, which is soon, and a
// record column by column as long as it can still be as good as the own one. Scores are worked out when they are asked
// for, so of columns with many values those of a few. Finding somebody takes some one to three columns of all records,
// and being sure some ten. Every comparison of a record and a column counts as one, and working out a score as eight,
// one of a set too; preparing the columns, O(n) each, does not count and is done once for all intruders of a release.
package attackers

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/posterior"
	"github.com/dither-data/dither/message"
)

// Attacker is a way to look for people.
type Attacker struct {
	Name   string // its key
	clues  []clue // by column or columns known; the pattern of gaps is the last where there is one
	strict bool   // a record counts only where its score is 0, the highest
}

// Called says what an attacker of this name does.
func Called(name string) message.Sentence { return message.Say("measure.attackers." + name) }

// clue is a piece of knowledge.
type clue struct {
	columns []int     // of the table; empty for the pattern of gaps
	codes   []int32   // by released record; nil where every record has its own
	small   []uint8   // the same in a quarter of the memory, where that suffices; else nil
	values  int       // different codes
	share   []float64 // of the records, by code; nil where every record has its own
	scorer  func() scorer
	index   index // nil where records are not looked up by it
}

// Team is the attackers on a release, who look for some people.
type Team struct {
	Attackers []*Attacker
	Rows      []int // of the people, in the original and in the release

	release *measure.Release
	view    *intruder.View
	columns []*column
	sets    []*sets
	gaps    *gaps             // nil where no values are missing, or the intruder does not know which
	orders  [][]int           // of known columns of the table
	raced   []*line           // what Select tried
	of      []int32           // by row: whose it is; nil where every record is a person's
	mine    map[int32][]int32 // by person who is looked for: the rows; nil likewise
	room    atomic.Int64
}

// Options are what a team is made with.
type Options struct {
	Posterior posterior.Options
	Plain     bool // only look-up, as for a table that is as it was
	Law       bool // look-up, and who goes by the law of the noise
	Each      bool // every row is looked for by itself, not any record of a person
}

// NewTeam prepares the attackers of an intruder on a paired release for people given by their rows. Cost: O(n) for
// every known column, once for a release.
func NewTeam(ctx context.Context, r *measure.Release, view *intruder.View, rows []int, o Options) (*Team, error) {
	t := &Team{Rows: rows, release: r, view: view}
	t.room.Store(mostRemembered)
	if !o.Each {
		t.people()
	}
	t.columns = make([]*column, len(view.Known))
	err := parallel.Each(ctx, len(view.Known), func(k int) (err error) {
		t.columns[k], err = newColumn(ctx, r, view.Known[k], rows)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.sets = make([]*sets, len(view.Sets))
	err = parallel.Each(ctx, len(view.Sets), func(k int) (err error) {
		t.sets[k], err = newSets(r, view.Sets[k], rows)
		return err
	})
	if err != nil {
		return nil, err
	}
	if view.Gaps {
		if t.gaps, err = newGaps(r, rows); err != nil {
			return nil, err
		}
	}
	t.order()
	t.add(&Attacker{Name: "look-up", strict: true}, (*column).lookUp, (*sets).lookUp, (*gaps).lookUp)
	if o.Plain {
		return t, ctx.Err()
	}
	if o.Law {
		return t, t.lawful(ctx, o.Posterior)
	}
	t.add(&Attacker{Name: "nearest"}, (*column).distance, (*sets).distance, (*gaps).distance)
	t.add(&Attacker{Name: "agreement"}, (*column).agreement, (*sets).agreement, (*gaps).agreement)
	return t, t.posteriors(ctx, o.Posterior)
}

// people finds the records of those looked for, where some have several: then somebody is found by any of them.
func (t *Team) people() {
	of, n := t.release.People()
	if of == nil {
		return
	}
	t.of, t.mine = of, map[int32][]int32{}
	sought := make([]bool, n)
	for _, i := range t.Rows {
		sought[of[i]] = true
	}
	for i, p := range of {
		if sought[p] {
			t.mine[p] = append(t.mine[p], int32(i))
		}
	}
}

// add adds an attacker whose clues are one for every column.
func (t *Team) add(
	a *Attacker,
	of func(c *column) func() scorer,
	set func(c *sets) func() scorer,
	gap func(g *gaps) func() scorer,
) {
	for _, c := range t.columns {
		a.clues = append(a.clues, clue{[]int{c.known.Column}, c.codes, c.small, len(c.values), c.share, of(c), c.index})
	}
	t.close(a, set, gap)
}

// close adds the sets and the pattern of gaps and puts the attacker on the team.
func (t *Team) close(a *Attacker, set func(c *sets) func() scorer, gap func(g *gaps) func() scorer) {
	for _, c := range t.sets {
		a.clues = append(a.clues, clue{[]int{c.at}, c.codes, nil, len(c.share), c.share, set(c), nil})
	}
	if t.gaps != nil {
		a.clues = append(a.clues, clue{nil, t.gaps.codes, nil, len(t.gaps.patterns), t.gaps.share, gap(t.gaps), nil})
	}
	t.Attackers = append(t.Attackers, a)
}

// Names of the posteriors.
const (
	aware   = "posterior-aware"
	unaware = "posterior-unaware"
)

// posteriors adds who goes by probabilities: with the law of the noise, where the intruder knows the technique and
// there is a plan, and without.
func (t *Team) posteriors(ctx context.Context, o posterior.Options) error {
	blind := *t.view
	blind.Technique = false
	if err := t.posterior(unaware, &blind, posterior.Trees{}, o); err != nil {
		return err
	}
	if made := t.release.AsMade(); made != t.release && t.view.Technique {
		return t.asMade(ctx, made, o)
	}
	return t.lawful(ctx, o)
}

// lawful adds who goes by the law of the noise, where the intruder knows the technique and there is a plan.
func (t *Team) lawful(ctx context.Context, o posterior.Options) error {
	if !t.view.Technique || len(t.release.Mechanisms) == 0 {
		return ctx.Err()
	}
	var trees posterior.Trees
	if t.release.Forest() != nil {
		var err error
		if trees, err = posterior.Grow(ctx, t.release, t.view, o); err != nil {
			return err
		}
	}
	return t.posterior(aware, t.view, trees, o)
}

// asMade adds who goes by the law of the noise on a release of a table that was restated: the law is of what the
// technique saw.
func (t *Team) asMade(ctx context.Context, made *measure.Release, o posterior.Options) error {
	view, err := made.View()
	if err != nil {
		return err
	}
	other, err := NewTeam(ctx, made, view, t.Rows, Options{Posterior: o, Law: true, Each: t.of == nil})
	if err != nil {
		return err
	}
	for _, a := range other.Attackers {
		if a.Name != aware {
			continue
		}
		own := &Attacker{Name: aware}
		for _, c := range a.clues {
			if len(c.columns) == 0 { // the pattern of gaps is that of the table as it is
				continue
			}
			c.columns = slices.Clone(c.columns)
			for k, j := range c.columns {
				c.columns[k] = t.release.Original.Find(made.Original.Attr(j).Name)
			}
			own.clues = append(own.clues, c)
		}
		if t.gaps != nil {
			own.clues = append(own.clues,
				clue{nil, t.gaps.codes, nil, len(t.gaps.patterns), t.gaps.share, t.gaps.probability(), nil})
		}
		t.Attackers = append(t.Attackers, own)
	}
	return nil
}

func (t *Team) posterior(name string, view *intruder.View, trees posterior.Trees, o posterior.Options) error {
	c, err := posterior.NewClues(t.release, view, trees, o)
	if err != nil {
		return err
	}
	targets, err := c.Targets(t.Rows)
	if err != nil {
		return err
	}
	a := &Attacker{Name: name}
	for k := range c.All {
		p := &c.All[k]
		cl := clue{columns: p.Columns, codes: p.Codes, values: p.Values}
		var at *column
		if p.Codes != nil {
			at = t.columns[slices.IndexFunc(t.columns, func(c *column) bool { return c.known.Column == p.Columns[0] })]
			// the same, and only once in memory
			cl.codes, cl.small, cl.share, cl.index = at.codes, at.small, at.share, at.index
		}
		cl.scorer = t.probability(targets, k, at)
		a.clues = append(a.clues, cl)
	}
	t.close(a, (*sets).agreement, (*gaps).probability)
	return nil
}
