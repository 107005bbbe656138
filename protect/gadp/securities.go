package gadp

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/stats/moments"
)

// secure sets the securities that differ.
func (q *GADPTechnique) secure(p *GADPPlan) error {
	names := p.Changes()
	for _, text := range q.Securities {
		cut := strings.LastIndexByte(text, '=') // a name may hold one
		if cut < 0 {
			return fmt.Errorf("parameter %q: %q has no \"=\"; expected name=value", "securities", text)
		}
		i := slices.Index(names, strings.TrimSpace(text[:cut]))
		if i < 0 {
			return fmt.Errorf("parameter %q: %q is not a column that is perturbed", "securities", strings.TrimSpace(text[:cut]))
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(text[cut+1:]), 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return fmt.Errorf("parameter %q: %q is not a security for column %q; expected a number from 0 to 1",
				"securities", text[cut+1:], names[i])
		}
		p.Security[i] = v
	}
	return nil
}

// settle moves the columns of X that have no two different values to Constant, drops those of S, and returns the ranges
// of the columns of a record (regenerate.Frame.Records).
func (p *GADPPlan) settle(ctx context.Context, r *aggregate.Records) ([]moments.Range, error) {
	columns := slices.Concat(p.Columns, p.Others)
	all, _, err := r.Ranges(ctx, columns)
	if err != nil {
		return nil, err
	}
	of := map[int]moments.Range{}
	for k, j := range columns {
		of[j] = all[k]
	}
	constant := func(j int) bool { return of[j].Lo == of[j].Hi }
	var x []int
	var security []float64
	for k, j := range p.Columns {
		if constant(j) {
			p.Constant = append(p.Constant, j)
		} else {
			x, security = append(x, j), append(security, p.Security[k])
		}
	}
	p.Columns, p.Security = x, security
	p.Others = slices.DeleteFunc(p.Others, constant)
	var ranges []moments.Range
	for _, j := range slices.Concat(p.Columns, p.Others) {
		ranges = append(ranges, of[j])
	}
	for range p.Width() - len(ranges) {
		ranges = append(ranges, moments.Range{Lo: 0, Hi: 1})
	}
	return ranges, nil
}
