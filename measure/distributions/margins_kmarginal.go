package distributions

import (
	"context"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
)

// KMarginal measures how far the tables of counts of a release are from those of the original.
//
// Of every three columns, or of as many sets of three as the parameter says, drawn by a public seed and the same for
// every release, it takes the total variation distance of the two tables of shares: half the sum of the differences.
// It is the share of the records that would have to be in other cells. The score is the mean; of a table with fewer
// columns that of pairs, or of columns. Parts give the mean over columns, over pairs and over triples, each beside the
// floor: the same distance of two halves of the original, which is due to the sample alone, and larger than that of two
// samples of the original's size by a factor of about the root of 2. A release below the floor has the original's own
// counts. The part nist is 1000 (1 - score), the score of the NIST challenges, with bins of equal width; SDNist's
// figure is of pairs in bins of percentiles, another number.
//
// Lo and Hi are the 95 % interval of the mean over all sets where the sets are a sample, and the score otherwise.
//
// Cost: O(n) for a set; the records of both tables once more in halves.
var KMarginal = measure.Measure{
	Card: card.Card{
		Name:    "kmarginal",
		Title:   "k-marginal",
		Aliases: []string{"k-marginal score", "three-way marginals", "total variation", "totalvariation", "TVD"},
		Summary: "Share of the records that would have to be in other cells for the tables of three columns to be " +
			"those of the original, beside the same of two halves of the original.",
		Paper:     "Bowen and Snoke 2021, section 4",
		Needs:     "any columns; records need not be paired",
		Preserves: "0 when all tables of three columns have the counts of the original",
		Biases: "sparse tables differ by chance: compare with the floor; numbers are in 20 bins of their domain, " +
			"so what moves inside a bin is not seen",
		Missing: "what is missing is a cell",
		Cost:    "O(records) per set of columns; sampled above the parameter sets",
	},
	Facts: measure.Facts{About: measure.Worth, Effort: measure.Fast, Bounds: map[string]string{"sets": "100"},
		MostParts: 7},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  share,
	Unit:   unit,
	Losses: []measure.Loss{{
		Name: "margins", Says: message.Say("loss.margins"),
		Of:      measure.ByScore,
		Weights: []measure.Weight{{Purpose: "statistics", Weight: 2, Place: 7}},
	}},
	New: func() measure.Meter { return param.Default(&KMarginalMeter{}) },
}

// KMarginalMeter measures tables of up to three columns.
type KMarginalMeter struct {
	Sets int
}

// Params declares the parameters.
func (m *KMarginalMeter) Params() param.Set {
	return param.Set{param.Int(&m.Sets, "sets", 1000, 2, 100_000_000, "sets of columns",
		"compare up to so many pairs and so many sets of three columns; above it a sample of them")}
}

// KMarginalDetail is the distances by how many columns, and those of every column.
type KMarginalDetail struct {
	Ways    []Way    `json:"ways"`
	Columns []Column `json:"columns"`
}

// Way is the mean distance of the tables of so many columns.
type Way struct {
	Columns  int     `json:"columns"`
	Tables   int     `json:"tables"` // compared
	Of       int     `json:"of"`     // there are
	Distance float64 `json:"distance"`
	Floor    float64 `json:"floor"` // of two halves of the original
	Largest  float64 `json:"largest"`
}

// Column is the distance of one column.
type Column struct {
	Name     string  `json:"name"`
	Distance float64 `json:"distance"`
}

// Measure returns the mean total variation distance of tables of three columns with a KMarginalDetail. It fails when a
// table has no records, or no column to compare.
func (m *KMarginalMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	c, err := marginsCells(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	var v measure.Value
	d := &KMarginalDetail{}
	for k := 1; k <= min(3, len(c.columns)); k++ {
		list, all := sets(len(c.columns), k, m.Sets)
		far, floor, err := c.distances(ctx, list)
		if err != nil {
			return measure.Value{}, err
		}
		w := Way{Columns: k, Tables: len(list), Of: choose(len(c.columns), k)}
		v.Score, v.Lo, v.Hi = confidence.Mean(far, w.Of)
		v.Lo, v.Hi = max(0, v.Lo), min(1, v.Hi)
		w.Distance, w.Floor = v.Score, mean(floor)
		for i, f := range far {
			w.Largest = max(w.Largest, f)
			if k == 1 && all {
				d.Columns = append(d.Columns, Column{c.names[list[i][0]], f})
			}
		}
		d.Ways = append(d.Ways, w)
		if !all {
			v.Notes = append(v.Notes, message.Say("measure.kmarginal.note.sample").Count("columns", k).
				Count("tables", w.Tables).Count("of", w.Of))
		} else {
			v.Lo, v.Hi = v.Score, v.Score
		}
	}
	v.Parts, v.Detail = d.parts(), d
	return v, nil
}

// distances returns the distance of the release from the original, and that of two halves of the original, in the
// tables of every set of columns.
func (c *coded) distances(ctx context.Context, list [][]int) (far, floor []float64, err error) {
	far, floor = make([]float64, len(list)), make([]float64, len(list))
	_, err = parallel.With(ctx, len(list), func() *counter { return &counter{} }, func(n *counter, k int) error {
		far[k], floor[k] = n.compare(c, list[k])
		return nil
	})
	return far, floor, err
}

func mean(v []float64) float64 {
	m, _, _ := confidence.Mean(v, len(v))
	return m
}

// parts lists the distances beside their floors, and the score of NIST.
func (d *KMarginalDetail) parts() (out []measure.Part) {
	for _, w := range d.Ways {
		key := measure.Key("way-" + strconv.Itoa(w.Columns))
		out = append(out,
			measure.Part{Key: key, Name: message.Say("measure.kmarginal.part.way").Count("columns", w.Columns),
				Score: w.Distance},
			measure.Part{Key: key + "-floor", Name: message.Say("measure.kmarginal.part.floor").Count("columns", w.Columns),
				Score: w.Floor})
	}
	return append(out, measure.Part{Key: "nist", Name: message.Say("measure.kmarginal.part.nist"),
		Score: float64(1000 * (1 - d.Ways[len(d.Ways)-1].Distance))})
}

// Sentence says what the score is beside the floor.
func (d *KMarginalDetail) Sentence() message.Sentence {
	w := d.Ways[len(d.Ways)-1]
	return message.Say("measure.kmarginal.says").Count("columns", w.Columns).Share("distance", w.Distance).
		Share("floor", w.Floor).Share("largest", w.Largest)
}
