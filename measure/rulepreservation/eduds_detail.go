package rulepreservation

import "github.com/dither-data/dither/internal/portable/exact"

// EDUDSDetail holds the figures behind the score.
type EDUDSDetail struct {
	Trees         [2]int           `json:"trees"`         // in the forest of the original and of the release
	Intersections [2]int           `json:"intersections"` // those that have original records
	Untested      int              `json:"untested"`      // records with no attribute that counts
	Attributes    []EDUDSAttribute `json:"attributes"`
}

// EDUDSAttribute says how alike the sub-domains of one attribute are.
type EDUDSAttribute struct {
	Name       string  `json:"name"`
	Records    int     `json:"records"`    // for which it counts
	Similarity float64 `json:"similarity"` // mean over these records, in [0, 1]
}

func (c *Comparison) detail() EDUDSDetail {
	var d EDUDSDetail
	before, after := map[uint64]bool{}, map[uint64]bool{}
	all, alike := make([]EDUDSAttribute, len(c.attrs)), make([]exact.Sum, len(c.attrs))
	for _, p := range c.pairs {
		before[p.original], after[p.released] = true, true
		if len(p.differ) == 0 {
			d.Untested += p.records
		}
		for _, x := range p.differ {
			all[x.attr].Records += p.records
			alike[x.attr].Add(float64(float64(p.records) * (1 - x.size)))
		}
	}
	d.Intersections = [2]int{len(before), len(after)}
	for j, a := range all {
		if a.Records > 0 {
			a.Name = c.attrs[j].Name
			a.Similarity = alike[j].Mean(a.Records)
			d.Attributes = append(d.Attributes, a)
		}
	}
	return d
}
