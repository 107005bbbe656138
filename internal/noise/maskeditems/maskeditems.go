// Package maskeditems finds the frequent itemsets of an original from a release with a published noise model: it
// estimates supports with their errors and keeps what may be frequent.
//
// What a released record counts for in the support of an itemset is a weight whose mean, over all releases of a record,
// is 1 if the original has the itemset and 0 if not. It is the product of the weights of the parts of the law that the
// itemset touches, each by how many of its items of the part the released record has; columns without a law count as
// they are. The estimate is the mean of the weights w, and its error the root of the mean of w² - w over the number of
// records: that of the operator alone, for the support among the records of the original (Evfimievski et al. 2002,
// statement 4). Records in which a value that the itemset needs is missing count 0.
//
// Sets are looked at level by level (itemset.EachJudged): from the numbers of records with each part of a set, all that
// the weights need is known.
//
// References: S. J. Rizvi & J. R. Haritsa, VLDB 2002; A. Evfimievski et al., KDD 2002, sections 3 and 5; S. Agrawal &
// J. R. Haritsa, ICDE 2005.
package maskeditems

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/table"
)

// Release is the records of a release with their law.
type Release struct {
	rows   itemset.Strata
	coding *basket.Coding
	law    *modelfile.Model
	of     []origin      // by item
	strata []stratum     // by number
	sizes  map[[2]int]by // weights by number of items of the original, and of the itemset
}

// by are the weights of records with 0..k of the items; nil says that the itemset cannot be estimated.
type by []float64

// origin is where an item comes from.
type origin struct {
	part   int // of the law; -1 where the column has none
	column int // of the part
	single bool
	name   string
}

// stratum is records of which the same is missing, and of as many items.
type stratum struct {
	lacks []uint64 // by part, bits of the columns that are missing
	items []int    // by part, of the original; 0 where the part does not go by it
}

// mostStrata is how many different patterns of missing values and numbers of items there may be.
const mostStrata = 1 << 14

// New looks at a release. It fails where the law is not that of the table: other columns, kinds, numbers of categories
// or records.
func New(t *table.Table, c *basket.Coding, law *modelfile.Model) (*Release, error) {
	if n := law.Release.Records; n != t.Rows() {
		return nil, fmt.Errorf("the noise model is for a release of %d records, but there are %d", n, t.Rows())
	}
	rows, err := c.Code(t)
	if err != nil {
		return nil, err
	}
	r := &Release{rows: itemset.Strata{Transactions: rows}, coding: c, law: law, sizes: map[[2]int]by{}}
	for k := range law.Parts {
		if err := fits(t, &law.Parts[k]); err != nil {
			return nil, err
		}
	}
	r.origins(t)
	for _, o := range r.of {
		if o.part >= 0 && law.Parts[o.part].Number != nil {
			return nil, fmt.Errorf("column %q holds numbers with noise, of which no itemset can be estimated; leave it out, "+
				"or look at its distribution (dither reconstruct)", o.name)
		}
	}
	return r, r.stratify(t)
}

// fits refuses a part that is not the law of its columns.
func fits(t *table.Table, p *modelfile.Part) error {
	for k, name := range p.Columns {
		j := t.Find(name)
		if j < 0 {
			return fmt.Errorf("the noise model names column %q, which is not in the release", name)
		}
		kind, most := table.Categorical, 0
		switch {
		case p.Number != nil:
			kind = table.Numeric
		case p.Items != nil, p.Sizes != nil:
			kind = table.SetValued
		case p.Record != nil:
			most = p.Record.Categories[k]
		case p.Category != nil:
			most = p.Category.Categories
		case p.Group != nil:
			most = 2
		}
		a := t.Attr(j)
		if a.Kind != kind {
			return fmt.Errorf("column %q is %s, but its noise model is for %s", name, a.Kind, kind)
		}
		if kind == table.Categorical && len(a.Labels) > most {
			return fmt.Errorf("column %q has %d categories, but its noise model has %d", name, len(a.Labels), most)
		}
		if kind == table.SetValued && len(t.Sets(j).Unknown.All()) > 0 {
			return fmt.Errorf("column %q has uncertain items, which its noise model does not cover", name)
		}
		if p.Sizes != nil && p.Sizes.Records == nil {
			return fmt.Errorf("the noise model does not say how many items the records of %q had", name)
		}
	}
	switch {
	case len(p.Columns) > 64:
		return fmt.Errorf("a noise model with %d columns; at most 64 can be estimated together", len(p.Columns))
	case silent(p):
		return fmt.Errorf("the release of %q reveals nothing about the original, so nothing can be estimated", p.Columns)
	}
	return nil
}

// origins finds out where every item comes from.
func (r *Release) origins(t *table.Table) {
	type place struct{ part, column int }
	places := map[string]place{}
	for k := range r.law.Parts {
		for c, name := range r.law.Parts[k].Columns {
			places[name] = place{k, c}
		}
	}
	for i := range r.coding.Items {
		name := r.coding.Column(int32(i))
		o := origin{part: -1, name: name, single: t.Attr(t.Find(name)).Kind != table.SetValued}
		if p, ok := places[name]; ok {
			o.part, o.column = p.part, p.column
		}
		r.of = append(r.of, o)
	}
}

// stratify divides the records by what is missing and by their numbers of items.
func (r *Release) stratify(t *table.Table) error {
	numbers := map[string]int32{}
	r.rows.Of = make([]int32, t.Rows())
	columns := make([][]int, len(r.law.Parts))
	for k := range r.law.Parts {
		for _, name := range r.law.Parts[k].Columns {
			columns[k] = append(columns[k], t.Find(name))
		}
	}
	var key []byte
	for i := range t.Rows() {
		s := stratum{make([]uint64, len(columns)), make([]int, len(columns))}
		key = key[:0]
		for k, own := range columns {
			for c, j := range own {
				if t.MissingAt(i, j) {
					s.lacks[k] |= 1 << c
				}
			}
			if sizes := r.law.Parts[k].Sizes; sizes != nil && s.lacks[k] == 0 {
				if s.items[k] = sizes.Records[i]; s.items[k] < 0 {
					return fmt.Errorf("the noise model is not that of this release: record %d has items that are "+
						"missing in the noise model", i+1)
				}
			}
			key = binary.AppendUvarint(binary.AppendUvarint(key, s.lacks[k]), uint64(s.items[k]))
		}
		n, ok := numbers[string(key)]
		if !ok {
			n = int32(len(r.strata))
			numbers[string(key)] = n
			r.strata = append(r.strata, s)
			if len(r.strata) > mostStrata {
				return fmt.Errorf("the records have more than %d different patterns of missing values and numbers of items",
					mostStrata)
			}
		}
		r.rows.Of[i] = n
	}
	r.rows.Number = max(1, len(r.strata))
	return nil
}

// Found is an itemset that may be frequent in the original.
type Found struct {
	Items []int32
	randomised.Estimate
}

// Level is what was looked at of a length.
type Level struct {
	Items      int
	Candidates int // looked at
	Kept       int // whose estimate is not below the threshold by more than its error
	// left out: their errors are as large as the threshold, and they are many; or their law cannot be undone
	Lost  int
	Error float64 // median of the errors of those that were kept; NaN where there are none
}

// mostDoubts is how many sets of a length may have an error as large as the threshold. Of more of them nearly all are
// chance, and so are those that they make.
const mostDoubts = 2000

// Find returns the itemsets whose estimated support is not below the threshold by more than its error, by length and
// items, and what was looked at. Where more than 2,000 sets of a length have an error as large as the threshold, these
// are left out, and what contains them; so are those whose law cannot be undone, such as sets of more items than
// cut-and-paste cuts.
func (r *Release) Find(ctx context.Context, threshold float64) (found []Found, levels []Level, err error) {
	dropped, err := itemset.EachJudged(ctx, &r.rows, mostDoubts, func(set []int32, exact []int) itemset.Verdict {
		if len(levels) < len(set) {
			levels = append(levels, Level{Items: len(set)})
		}
		if r.impossible(set) {
			return itemset.Drop
		}
		levels[len(set)-1].Candidates++
		e, ok := r.estimate(set, exact)
		switch {
		case !ok:
			levels[len(set)-1].Lost++
			return itemset.Drop
		case e.Share < threshold-e.Error:
			return itemset.Drop
		}
		found = append(found, Found{slices.Clone(set), e})
		if e.Error >= threshold {
			return itemset.Doubt
		}
		return itemset.Keep
	})
	if err != nil {
		return nil, nil, err
	}
	found = slices.DeleteFunc(found, func(f Found) bool { return dropped[len(f.Items)-1] > 0 && f.Error >= threshold })
	errs := make([][]float64, len(levels))
	for _, f := range found {
		errs[len(f.Items)-1] = append(errs[len(f.Items)-1], f.Error)
	}
	for k := range levels {
		levels[k].Kept, levels[k].Lost, levels[k].Error = len(errs[k]), levels[k].Lost+dropped[k], median(errs[k])
	}
	return found, levels, nil
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	return x[len(x)/2]
}

// impossible reports whether a set has two values of one column that has one in a record.
func (r *Release) impossible(set []int32) bool {
	for k, c := range set[1:] {
		if r.of[c].single && r.of[set[k]].name == r.of[c].name {
			return true
		}
	}
	return false
}

// estimate estimates the support of a set from how many records of every stratum have exactly which of its items. False
// says that its law cannot be undone.
func (r *Release) estimate(set []int32, exact []int) (randomised.Estimate, bool) {
	k := len(set)
	touched := r.touched(set)
	weights := make([]by, len(touched))
	sum, squares := 0.0, 0.0
	for s := range r.rows.Number {
		can := len(r.strata) > 0
		for p := range touched {
			if !can {
				break
			}
			var ok bool
			if weights[p], ok = r.weights(&touched[p], &r.strata[s]); !ok {
				return randomised.Estimate{}, false
			}
			can = weights[p] != nil
		}
		for b, n := range exact[s<<k : (s+1)<<k] {
			if n == 0 || !can {
				continue
			}
			w := 1.0
			for p := range touched {
				w = float64(w * weights[p][bits.OnesCount(uint(b)&touched[p].mask)])
			}
			sum, squares = sum+float64(float64(n)*w), squares+float64(float64(n)*(float64(w*w)-w))
		}
	}
	n := float64(r.rows.Len())
	return randomised.Estimate{Share: sum / n, Error: math.Sqrt(max(0, squares)) / n}, true
}
