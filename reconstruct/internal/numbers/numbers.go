// Package numbers is what the iterations of Agrawal & Srikant and of Agrawal & Aggarwal share: their parameters, intervals, and cells.
package numbers

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/reconstruction"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/reconstruct"
	"github.com/dither-data/dither/table"
)

// Settings are the parameters.
type Settings struct {
	Intervals  int
	Stop       string
	Rounds     int
	Replicates int
}

// The stop rules, by name.
const (
	ChiSquare = "chisquare"
	Small     = "small"
	Optimum   = "optimum"
)

// Params declares the parameters.
func (s *Settings) Params() param.Set {
	return param.Set{
		param.Int(&s.Intervals, "intervals", 0, 0, 1000, "", "how many intervals a number is divided into; 0 is one for a hundred records, from 10 to 100"),
		param.Choice(&s.Stop, "stop", ChiSquare, []string{ChiSquare, Small, Optimum}, "end when a round moves the shares by 1 % of what a chi-square test would see, or by less than 0.001, or where no "+
			"others are likelier"),
		param.Int(&s.Rounds, "rounds", 500, 1, 1_000_000, "", "rounds at most"),
		param.Int(&s.Replicates, "replicates", 100, 2, 10_000, "", "reconstructions of other samples from other beginnings, which give the errors"),
	}
}

// Options returns the settings as the iteration takes them.
func (s *Settings) Options(k reconstruction.Kernel, step float64) reconstruction.Options {
	stop := map[string]reconstruction.Stop{ChiSquare: reconstruction.ChiSquare, Small: reconstruction.Small, Optimum: reconstruction.Optimum}
	return reconstruction.Options{Kernel: k, Stop: stop[s.Stop], Rounds: s.Rounds, Step: step, Replicates: s.Replicates}
}

// Reconstruct returns the distribution of a number.
func (s *Settings) Reconstruct(ctx context.Context, release *table.Table, p *published.Part, kernel reconstruction.Kernel) (*reconstruct.Distribution, error) {
	n, name := p.Number, p.Columns[0]
	released := release.Num(release.Find(name))
	d := &reconstruct.Distribution{Column: name}
	for _, w := range released {
		if w == w {
			d.Values++
		}
	}
	if d.Values == 0 {
		return nil, fmt.Errorf("column %q has no values", name)
	}
	var err error
	if d.Edges, err = s.edges(n, d.Values); err != nil {
		return nil, fmt.Errorf("column %q: %w", name, err)
	}
	r, err := reconstruction.Reconstruct(ctx, d.Edges, released, n.Law(), s.Options(kernel, n.Step))
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", name, err)
	}
	d.Observed = reconstruction.Count(d.Edges, released)
	floats.Scale(1/float64(d.Values), d.Observed)
	d.Outside = max(0, 1-floats.Sum(d.Observed))
	Take(d, r)
	return d, nil
}

// Take copies what an iteration found.
func Take(d *reconstruct.Distribution, r *reconstruction.Result) {
	d.Shares, d.Errors, d.Rounds, d.Settled, d.Impossible = r.Shares, r.Errors, r.Rounds, r.Settled, r.Impossible
}

// edges divides the range of the originals. Of classes nothing finer is known than these.
func (s *Settings) edges(n *published.Number, values int) ([]float64, error) {
	if n.Classes > 0 {
		c := n.Class()
		edges := make([]float64, c.Number+1)
		for k := range edges {
			edges[k] = c.From + float64(k)*c.Width
		}
		if _, hi := n.Range(); n.Step == 0 {
			edges[c.Number] = math.Nextafter(hi, math.Inf(1))
		}
		return edges, nil
	}
	intervals := s.Intervals
	if intervals == 0 {
		intervals = reconstruction.Number(values)
	}
	return reconstruction.Edges(n.Low, n.High, n.Step, intervals)
}
