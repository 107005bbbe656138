package quality

import "slices"

// add adds the counts of another state.
func (s *state) add(o *state) {
	for u := range s.uses {
		a, b := &s.uses[u], &o.uses[u]
		for k := range a.changed {
			a.changed[k] += b.changed[k]
			a.missing[k] += b.missing[k]
		}
		sum(a.simple, b.simple)
		sum(a.complex, b.complex)
		for k := range a.of {
			sum(a.of[k], b.of[k])
		}
	}
}

func sum(into, from []seen) {
	for k, n := range from {
		into[k].checked += n.checked
		into[k].violated += n.violated
		into[k].records += n.records
		into[k].unjudged += n.unjudged
	}
}

// tell turns counts into the indices of every purpose and of all (equations 5.1 to 5.6).
func (s *state) tell(m *Model, out *Result) {
	for p := range m.Purposes {
		out.Purposes = append(out.Purposes, s.uses[p].outcome(&m.Purposes[p], out))
	}
	var accuracy, completeness, consistency, most mean
	for k := range out.Purposes {
		o := &out.Purposes[k]
		w := o.Weight / float64(len(out.Purposes))
		out.Asset.Accuracy += float64(o.Lack.Accuracy * w)
		out.Asset.Completeness += float64(o.Lack.Completeness * w)
		out.Asset.Consistency += float64(o.Lack.Consistency * w)
		out.ByRecord += float64(o.ByRecord * w)
		accuracy.join(o.Share.Accuracy, o.Weight)
		completeness.join(o.Share.Completeness, o.Weight)
		consistency.join(o.Share.Consistency, o.Weight)
		most.join(o.Share.Most, o.Weight)
	}
	out.Share = Shares{accuracy.value(), completeness.value(), consistency.value(), most.value()}
}

func (t *tally) outcome(p *Purpose, r *Result) Outcome {
	out := Outcome{Name: p.Name, Weight: p.Weight}
	n := float64(r.Records)
	var accuracy, completeness, consistency, most mean
	for k, a := range p.Attributes {
		c := Changes{
			Name:         a.Name,
			Accuracy:     a.Accuracy,
			Completeness: a.Completeness,
			Changed:      t.changed[k],
			Missing:      t.missing[k] + r.Gone,
		}
		c.AV, c.CV = float64(c.Changed)/n, float64(c.Missing)/n
		out.Lack.Accuracy += float64(c.AV * a.Accuracy)
		out.Lack.Completeness += float64(c.CV * a.Completeness)
		accuracy.add(c.AV, a.Accuracy)
		completeness.add(float64(c.Missing)/(n+float64(r.Gone)), a.Completeness)
		out.Attributes = append(out.Attributes, c)
	}
	count := func(c Count) Count {
		out.Lack.Consistency += float64(float64(c.Violated) * c.Weight)
		out.ByRecord += float64(float64(c.Records) * c.Weight)
		consistency.add(float64(c.Records)/n, c.Weight)
		most.add(float64(c.Records+c.Unjudged)/n, c.Weight)
		return c
	}
	for k := range p.Constraints {
		out.Constraints = append(out.Constraints, count(counted(&p.Constraints[k], t.simple[k])))
	}
	for k, c := range p.Complex {
		n := t.complex[k]
		all := Count{
			Name:     c.Name,
			Operator: c.Operator(),
			Weight:   c.Weight,
			Checked:  n.checked,
			Violated: n.violated,
			Records:  n.records,
			Unjudged: n.unjudged,
		}
		for i := range c.Of {
			for _, on := range c.Of[i].Attributes() {
				if !slices.Contains(all.On, on) {
					all.On = append(all.On, on)
				}
			}
			all.Of = append(all.Of, counted(&c.Of[i], t.of[k][i]))
		}
		out.Complex = append(out.Complex, count(all))
	}
	out.Share = Shares{accuracy.value(), completeness.value(), consistency.value(), most.value()}
	return out
}

func counted(c *Constraint, n seen) Count {
	return Count{
		Name:     c.Name,
		On:       c.Attributes(),
		Expr:     c.Text(),
		Weight:   c.Weight,
		Checked:  n.checked,
		Violated: n.violated,
		Records:  n.records,
		Unjudged: n.unjudged,
	}
}

// mean is a weighted mean.
type mean struct{ sum, weight float64 }

func (m *mean) add(v, weight float64) {
	m.sum += float64(v * weight)
	m.weight += weight
}

// join adds a value where there is one.
func (m *mean) join(v *float64, weight float64) {
	if v != nil {
		m.add(*v, weight)
	}
}

// value is nil where nothing weighs.
func (m *mean) value() *float64 {
	if m.weight == 0 {
		return nil
	}
	v := min(1, m.sum/m.weight)
	return &v
}
