package bestorrest

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Describe says what the plan does.
func (p *SAPPlan) Describe() message.Sentence {
	percent := math.Floor(float64(p.P*1e6)+0.5) / 1e4
	if p.Class < 0 {
		return message.Say("does.sap2").Number("n", percent, 0)
	}
	return message.Say("does.sap1").Number("n", percent, 0)
}

// Notes says what suppressed cells tell, and which columns lose values altogether.
func (p *SAPPlan) Notes() []message.Sentence {
	var notes, whole []message.Sentence
	for k := range p.Rules {
		n := 0
		for _, s := range p.Rules[k].Shares {
			if s == 1 {
				n++
			}
		}
		if n > 0 && p.P < 1 {
			whole = append(whole, message.Say("plan.sap.groups").Name("column", p.Attrs[p.Rules[k].Column].Name).Count("n", n))
		}
	}
	if p.Class >= 0 {
		notes = append(notes, message.Say("plan.sap.told"))
		if whole != nil {
			notes = append(notes, message.Say("plan.sap.class").Part("columns", message.Listed(whole)))
		}
	} else if whole != nil {
		notes = append(notes, message.Say("plan.sap.value").Part("columns", message.Listed(whole)))
	}
	return notes
}

// Corrections says how a user of the release counts the suppressed values: of n cells of a group, n - ceil(p n) are
// left.
func (p *SAPPlan) Corrections() []message.Sentence {
	gone, left := message.Say("correct.sap.gone"), 1-p.P
	if p.P == 0 {
		return nil
	}
	short := message.Say("correct.sap.short").Term("left", left, 6).Fixed("records", math.Ceil(100/left-1e-6)/100, 2)
	switch {
	case p.Class < 0 && left == 0:
		return []message.Sentence{message.Say("correct.sap.sensitive").Part("how", gone)}
	case p.Class < 0:
		return []message.Sentence{message.Say("correct.sap.frequencies"), message.Say("correct.sap.count").Part("how", short)}
	case p.Count == ClassSize:
		short = message.Say("correct.sap.size").Term("p", p.P, 6)
	case left == 0:
		short = gone
	}
	out := []message.Sentence{message.Say("correct.sap.critical").Part("how", short), message.Say("correct.sap.others")}
	for class, label := range p.Attrs[p.Class].Labels {
		if values := p.conditions(class); values != nil {
			out = append(out, message.Say("correct.sap.where").Name("class", fmt.Sprintf("%.60s", p.Attrs[p.Class].Name)).
				Name("value", fmt.Sprintf("%.60s", label)).Listed("values", values))
		}
	}
	return out
}

// conditions writes the critical values of a class.
func (p *SAPPlan) conditions(class int) (out []string) {
	for k := range p.Rules {
		r := &p.Rules[k]
		if v := r.Critical[class]; v >= 0 {
			out = append(out, r.Cuts.Condition(&p.Attrs[r.Column], v))
		}
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *SAPPlan) Check() error {
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
			return fmt.Errorf("rule %d is of column %d, expected one of %d but the class, in their order", k, r.Column,
				len(p.Attrs))
		}
		if err := p.check(r, classes); err != nil {
			return fmt.Errorf("column %q: %w", p.Attrs[r.Column].Name, err)
		}
	}
	return nil
}

func (p *SAPPlan) check(r *Rule, classes int) error {
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
