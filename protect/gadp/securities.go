package gadp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/table"
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

// settle moves the columns of X that have no two different values to Constant, and drops those of S.
func (p *GADPPlan) settle(t *table.Table) {
	constant := func(j int) bool {
		lo, hi := table.Range(t.Num(j))
		return lo == hi
	}
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
}
