package hintoglu

import "slices"

// bayes is naive Bayes for one record at a time. It multiplies and adds only, so that it gives the same on every
// processor.
type bayes struct {
	most  float64
	prior []float64     // shares of the values
	given [][][]float64 // by column and code, by value: the probability of the code given the value
	stays []bool        // by column
	known []int         // positions of the columns whose cell the record has
	odds  [][]float64   // of those: given the cell's code
	work  []float64
}

// bayes returns naive Bayes by the plan's counts, with Laplace's correction.
func (p *Plan) bayes() *bayes {
	b := &bayes{most: p.Most, prior: make([]float64, len(p.Counts)), work: make([]float64, len(p.Counts))}
	total := sum(p.Counts)
	for v, n := range p.Counts {
		b.prior[v] = n / max(total, 1)
	}
	for k := range p.Columns {
		var given [][]float64
		for v, row := range p.Columns[k].Counts {
			all := sum(row) + float64(len(row))
			for code, n := range row {
				if v == 0 {
					given = append(given, make([]float64, len(p.Counts)))
				}
				given[code][v] = (n + 1) / all
			}
		}
		b.given, b.stays = append(b.given, given), append(b.stays, p.Columns[k].Stays)
	}
	return b
}

func sum(of []float64) (s float64) {
	for _, n := range of {
		s += n
	}
	return s
}

// hide returns the columns, by position in Columns, whose cells a record with a hidden value v loses, in the order in
// which they go. Code returns the code of a cell, -1 where it is missing.
func (b *bayes) hide(v int32, code func(k int) int32) (gone []int) {
	b.known, b.odds = b.known[:0], b.odds[:0]
	for k := range b.given {
		if c := code(k); c >= 0 {
			b.known, b.odds = append(b.known, k), append(b.odds, b.given[k][c])
		}
	}
	bound := max(b.most, b.prior[v])
	for b.posterior(v, -1) > bound {
		best, least := -1, 2.0
		for n, k := range b.known {
			if b.stays[k] {
				continue
			}
			if p := b.posterior(v, n); p < least {
				best, least = n, p
			}
		}
		if best < 0 {
			break
		}
		gone = append(gone, b.known[best])
		b.known, b.odds = slices.Delete(b.known, best, best+1), slices.Delete(b.odds, best, best+1)
	}
	return gone
}

// posterior returns the probability of the value v given the cells that are known, without the one at position without,
// -1 for none.
func (b *bayes) posterior(v int32, without int) float64 {
	weight := b.work
	copy(weight, b.prior)
	for n, odds := range b.odds {
		if n == without {
			continue
		}
		most := 0.0
		for u := range weight {
			weight[u] = float64(weight[u] * odds[u])
			most = max(most, weight[u])
		}
		if most == 0 {
			return 0 // the table of the fit has no value
		}
		for u := range weight {
			weight[u] /= most // so that many columns do not underflow
		}
	}
	if all := sum(weight); all > 0 {
		return weight[v] / all
	}
	return 0
}
