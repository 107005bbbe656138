package sap

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/table"
)

// Describe says what the plan does.
func (p *Plan) Describe() string {
	percent := strconv.FormatFloat(float64(int(p.P*1e6+0.5))/1e4, 'g', -1, 64)
	if p.Class < 0 {
		return fmt.Sprintf("%s %% of the records of every value suppressed (SAP, S2)", percent)
	}
	return fmt.Sprintf("%s %% of the critical values suppressed (SAP, S1)", percent)
}

// Notes says what suppressed cells tell, and which columns lose values altogether.
func (p *Plan) Notes() []string {
	var notes, whole []string
	for k := range p.Rules {
		n := 0
		for _, s := range p.Rules[k].Shares {
			if s == 1 {
				n++
			}
		}
		if n > 0 && p.P < 1 {
			whole = append(whole, numeral.Sprintf("%s (%d)", p.Attrs[p.Rules[k].Column].Name, n))
		}
	}
	if p.Class >= 0 {
		notes = append(notes, "a suppressed value that was not missing before is the critical one of its record's class: "+
			"whoever knows the technique fills it in")
		if whole != nil {
			notes = append(notes, "so few records hold a critical value that all cells of a class are suppressed in "+strings.Join(whole, ", "))
		}
	} else if whole != nil {
		notes = append(notes, "so few records hold a value that all of them lose it in "+strings.Join(whole, ", "))
	}
	return notes
}

// Corrections says how a user of the release counts the suppressed values: of n cells of a group, n - ceil(p n) are left.
func (p *Plan) Corrections() []string {
	const gone = "all of them are suppressed, so they cannot be counted"
	left := 1 - p.P
	whole := fmt.Sprintf("that in the release, divided by %.6g, is short of it by less than %.2f records", left, math.Ceil(100/left-1e-6)/100)
	switch {
	case p.P == 0:
		return nil
	case p.Class < 0 && left == 0:
		return []string{"sensitive values: " + gone}
	case p.Class < 0:
		return []string{"frequencies among the known sensitive values need no correction but for rounding", "count of a sensitive value: " + whole}
	case p.Count == ClassSize:
		whole = fmt.Sprintf("that in the release plus %.6g of the size of the class, rounded up; where none is left, at most that many", p.P)
	case left == 0:
		whole = gone
	}
	out := []string{"count of a critical value among the records of its class: " + whole, "counts of all other values need no correction"}
	for class, label := range p.Attrs[p.Class].Labels {
		if values := p.conditions(class); values != nil {
			out = append(out, fmt.Sprintf("critical where %.60s = %.60s: %s", p.Attrs[p.Class].Name, label, strings.Join(values, ", ")))
		}
	}
	return out
}

// conditions writes the critical values of a class.
func (p *Plan) conditions(class int) (out []string) {
	for k := range p.Rules {
		r := &p.Rules[k]
		if v := r.Critical[class]; v >= 0 {
			out = append(out, r.Cuts.Condition(&p.Attrs[r.Column], v))
		}
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	classes := 0
	switch {
	case p.Class < -1 || p.Class >= len(p.Attrs):
		return fmt.Errorf("the class is column %d, expected one of %d", p.Class, len(p.Attrs))
	case p.Class >= 0 && p.Attrs[p.Class].Kind != table.Categorical:
		return fmt.Errorf("class %q is %s, expected categorical", p.Attrs[p.Class].Name, p.Attrs[p.Class].Kind)
	case p.Class >= 0:
		classes = len(p.Attrs[p.Class].Labels)
	}
	switch {
	case !(p.P >= 0 && p.P <= 1):
		return fmt.Errorf("p is %v, expected 0 to 1", p.P)
	case p.Count != Critical && p.Count != ClassSize:
		return fmt.Errorf("count is %q, expected %s or %s", p.Count, Critical, ClassSize)
	}
	for k := range p.Rules {
		r := &p.Rules[k]
		if r.Column < 0 || r.Column >= len(p.Attrs) || r.Column == p.Class || k > 0 && r.Column <= p.Rules[k-1].Column {
			return fmt.Errorf("rule %d is of column %d, expected one of %d but the class, in their order", k, r.Column, len(p.Attrs))
		}
		if err := p.check(r, classes); err != nil {
			return fmt.Errorf("column %q: %w", p.Attrs[r.Column].Name, err)
		}
	}
	return nil
}

func (p *Plan) check(r *Rule, classes int) error {
	if err := r.Cuts.Check(&p.Attrs[r.Column]); err != nil {
		return err
	}
	if (p.Class >= 0) != (r.Critical != nil) || len(r.Critical) != classes {
		return fmt.Errorf("critical values of %d classes, expected %d", len(r.Critical), classes)
	}
	values := r.Cuts.Values(&p.Attrs[r.Column])
	for _, v := range r.Critical {
		if v < -1 || int(v) >= values {
			return fmt.Errorf("a critical value is outside -1 to %d", values-1)
		}
	}
	if len(r.Shares) != p.groups(r) {
		return fmt.Errorf("shares of %d groups, expected %d", len(r.Shares), p.groups(r))
	}
	for _, s := range r.Shares {
		if !(s >= 0 && s <= 1) {
			return fmt.Errorf("a share is %v, expected 0 to 1", s)
		}
	}
	return nil
}
