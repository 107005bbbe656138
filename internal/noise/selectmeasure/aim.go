package selectmeasure

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
)

// AIM is the setting of the adaptive and iterative mechanism (McKenna, Mullins, Sheldon & Miklau 2022).
type AIM struct {
	Cells float64 // the tables of the junction tree may have so many cells together
	Steps int     // of mirror descent between two rounds
}

// DefaultAIM is for tables of some 15 columns.
var DefaultAIM = AIM{Cells: 200_000, Steps: 60}

// The share of a round's budget that measures; the rest chooses.
const measuring = 0.9

// pace returns the noise of the first round, and the epsilon of its choice: those of 16 rounds for each of d columns.
func pace(rho float64, d int) (sigma, epsilon float64) {
	rounds := float64(16 * d)
	return math.Sqrt(rounds / float64(2*measuring*rho)), math.Sqrt(8 * (1 - measuring) * rho / rounds)
}

// candidate is a marginal table that can be measured.
type candidate struct {
	scope  []int
	counts []int64
}

// annealing is a fit by AIM under way.
type annealing struct {
	*fit
	AIM
	whole      float64 // the budget at the start
	candidates []candidate
	model      *graphical.Model
	sigma      float64
	epsilon    float64
}

// Fit fits a model to the marginal tables that it misses most, one at a time: every round chooses one of up to three
// columns, measures it, and doubles the budget of a round where the last told little. The workload are all tables of
// three columns. A table of k columns weighs k, since that often one of the workload's columns is in it. As published
// but for the start, which is that of MST: a third of the budget measures all columns and merges their rare values,
// without which noise on empty cells leads where the budget is small. Cost: for Adult's 15 columns 0.3 to 20 s.
func (a AIM) Fit(ctx context.Context, t *Table, p Promise, src rng.Source) (*Law, error) {
	f, err := begin(t, p, src)
	if err != nil {
		return nil, err
	}
	d := len(t.Domain)
	noise, err := f.gaussian(f.rho/float64(3*d), d)
	if err != nil {
		return nil, err
	}
	s := &annealing{fit: f, AIM: a, whole: f.rho}
	s.sigma, s.epsilon = pace(f.rho, d)
	merged := f.merge(noise)
	s.list()
	if err := s.estimate(ctx, a.Steps); err != nil {
		return nil, err
	}
	for last := false; !last; {
		if last, err = s.round(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.estimate(ctx, 10*a.Steps); err != nil {
		return nil, err
	}
	return merged.spread(s.model.Network(), s.model.Total), nil
}

// list counts the tables of one to three columns that the model could ever hold.
func (s *annealing) list() {
	d := s.table.Domain
	add := func(scope ...int) {
		if d.Cells(scope) <= s.Cells {
			s.candidates = append(s.candidates, candidate{scope: scope})
		}
	}
	for u := range d {
		add(u)
		for v := u + 1; v < len(d); v++ {
			add(u, v)
			for w := v + 1; w < len(d); w++ {
				add(u, v, w)
			}
		}
	}
	parallel.Do(len(s.candidates), func(k int) {
		c := &s.candidates[k]
		c.counts = d.Count(s.table.Columns, c.scope)
	})
}

// estimate fits the model to all measurements, from the last one on.
func (s *annealing) estimate(ctx context.Context, steps int) (err error) {
	s.model, err = graphical.Estimate(ctx, s.table.Domain, s.all, s.known, s.model,
		graphical.Search{Steps: steps, Least: 1e-3})
	return err
}

// expected is by how much noise alone makes a cell differ from what it should be, in the mean.
func expected(noise mechanism.Gaussian) float64 { return float64(math.Sqrt(2/math.Pi) * noise.Sigma()) }

// round chooses and measures one table; the last round spends all that is left.
func (s *annealing) round(ctx context.Context) (last bool, err error) {
	measure, choose := 1/float64(2*s.sigma*s.sigma), mechanism.RhoOfSelection(s.epsilon)
	if last = s.rho < 2*(measure+choose); last {
		measure, choose = float64(measuring*s.rho), float64((1-measuring)*s.rho)
	}
	open := s.open(float64(s.Cells * (s.whole - s.rho + measure + choose) / s.whole))
	heaviest := 0
	for _, k := range open {
		heaviest = max(heaviest, len(s.candidates[k].scope))
	}
	noise, err := s.gaussian(measure, 1)
	if err != nil {
		return false, err
	}
	choice, err := s.selection(choose, uint64(heaviest)*fine, 1)
	if err != nil {
		return false, err
	}
	answers, scores := s.model.Marginals(), make([]int64, len(open))
	if err := parallel.Each(ctx, len(open), func(i int) error {
		c := &s.candidates[open[i]]
		off := distance(c.counts, answers.Of(c.scope)) - int64(len(c.counts))*steps(expected(noise))
		scores[i] = int64(len(c.scope)) * off
		return nil
	}); err != nil {
		return false, err
	}
	scope := s.candidates[open[choice.Exponential(s.words, scores)]].scope
	before := answers.Of(scope)
	s.all = append(s.all, s.measure(scope, noise))
	if err := s.estimate(ctx, s.Steps); err != nil {
		return false, err
	}
	moved := 0.0
	for i, c := range s.model.Marginals().Of(scope) {
		moved += math.Abs(c - before[i])
	}
	if moved <= float64(expected(noise)*float64(len(before))) {
		s.sigma, s.epsilon = s.sigma/2, 2*s.epsilon
	}
	return last, nil
}

// open returns the candidates with which the tables of the junction tree have at most so many cells, and those that a
// clique of the model holds.
func (s *annealing) open(cells float64) []int {
	d := s.table.Domain
	cliques := s.model.Scopes()
	fits := make([]bool, len(s.candidates))
	parallel.Do(len(fits), func(k int) {
		scope := s.candidates[k].scope
		fits[k] = s.model.Holds(scope) || d.Size(d.Cliques(append(cliques[:len(cliques):len(cliques)], scope))) <= cells
	})
	var out []int
	for k, ok := range fits {
		if ok {
			out = append(out, k)
		}
	}
	return out
}
