package ranking

import (
	"slices"

	"github.com/dither-data/dither/measure"
)

// Verdict is the outcome of a contest: who leads, what it costs, and what cannot be told.
type Verdict struct {
	*Contest
	By    *Scale    // the measure that decides: utility or, in a comparison of risks alone, risk; nil without measures
	Field []Entrant // those of which one may be chosen
	Known []Entrant // of the field, with a value, the best first
	Lead  []Entrant // the best and all that it does not clearly beat
}

// Judge decides.
func (t *Contest) Judge() Verdict {
	v := Verdict{Contest: t, By: t.Utility, Field: t.Candidates()}
	if v.By == nil {
		v.By = t.Risk
	}
	if v.By == nil {
		return v
	}
	for _, e := range v.Field {
		if v.Value(e).Known() {
			v.Known = append(v.Known, e)
		}
	}
	if v.By != t.Utility {
		slices.SortStableFunc(v.Known, func(a, b Entrant) int {
			switch x, y := v.Value(a).Mean, v.Value(b).Mean; {
			case v.By.Beats(x, y):
				return -1
			case v.By.Beats(y, x):
				return 1
			}
			return 0
		})
	}
	for i, e := range v.Known {
		if i > 0 && v.By.Clearly(v.Value(v.Known[0]), v.Value(e)) {
			break
		}
		v.Lead = append(v.Lead, e)
	}
	return v
}

// Value is the figure that decides.
func (v *Verdict) Value(e Entrant) Estimate { return v.Over(v.By, e.Setting) }

// AgainstOriginal says how a setting stands to the table released as it is, in the measure that decides.
func (v *Verdict) AgainstOriginal(e Entrant) Relation {
	return v.By.Relate(v.Value(e), v.Over(v.By, 0))
}

// risky reports whether a risk was measured besides what decides.
func (v *Verdict) risky() bool { return v.Risk != nil && v.Risk != v.By }

// AheadOf returns the setting that is clearly better than all others of a list in a measure, if there is one.
func (v *Verdict) AheadOf(s *Scale, es []Entrant) (Entrant, bool) {
	for _, e := range es {
		won := true
		for _, other := range es {
			won = won && (other.Setting == e.Setting || s.Clearly(v.Over(s, e.Setting), v.Over(s, other.Setting)))
		}
		if won {
			return e, true
		}
	}
	return Entrant{}, false
}

// Safer returns the leader that is clearly safer than all other leaders, if there are others and there is one.
func (v *Verdict) Safer() (Entrant, bool) {
	if !v.risky() || len(v.Lead) < 2 {
		return Entrant{}, false
	}
	return v.AheadOf(v.Risk, v.Lead)
}

// Elsewhere returns the leader that is clearly ahead of all others in further measures of utility, and these; none when
// they speak for different ones.
func (v *Verdict) Elsewhere() (ahead Entrant, in []*Scale) {
	for i := range v.Scales {
		s := &v.Scales[i]
		if s == v.By || s.Side != measure.Utility {
			continue
		}
		e, ok := v.AheadOf(s, v.Lead)
		if !ok {
			continue
		}
		if len(in) > 0 && e.Setting != ahead.Setting {
			return Entrant{}, nil
		}
		ahead = e
		in = append(in, s)
	}
	return ahead, in
}

// Safest returns the setting of a list with the best mean risk.
func (v *Verdict) Safest(es []Entrant) (best Entrant, ok bool) {
	if v.Risk == nil {
		return best, false
	}
	for _, e := range es {
		r := v.Over(v.Risk, e.Setting)
		if r.Known() && (!ok || v.Risk.Beats(r.Mean, v.Over(v.Risk, best.Setting).Mean)) {
			best, ok = e, true
		}
	}
	return best, ok
}

// ClearlySafer returns the safest of the field among those that are clearly safer than a risk.
func (v *Verdict) ClearlySafer(than Estimate) (Entrant, bool) {
	surely := slices.DeleteFunc(slices.Clone(v.Field),
		func(e Entrant) bool { return !v.Risk.Clearly(v.Over(v.Risk, e.Setting), than) })
	return v.Safest(surely)
}

// Price is what the best setting pays for its utility.
type Price int

// NoPrice is one that cannot be told.
const (
	NoPrice     Price = iota
	SameRisk          // all others are at a risk that cannot be told from its own
	NoneSafer         // none of the others is clearly safer, and some are clearly less safe
	HighestRisk       // all others are clearly safer
)

// Price returns what the best setting pays.
func (v *Verdict) Price() Price {
	if !v.risky() || len(v.Known) < 2 {
		return NoPrice
	}
	r := v.Over(v.Risk, v.Known[0].Setting)
	if !r.Known() {
		return NoPrice
	}
	safer, riskier, told := 0, 0, true
	for _, e := range v.Known[1:] {
		switch v.Risk.Relate(v.Over(v.Risk, e.Setting), r) {
		case Ahead:
			safer++
		case Behind:
			riskier++
		case NotTold:
			told = told && !v.Over(v.Risk, e.Setting).Known()
		case Level:
		}
	}
	switch {
	case !told:
		return NoPrice
	case safer == 0 && riskier == 0:
		if v.Useless() {
			return NoPrice
		}
		return SameRisk
	case safer == 0:
		return NoneSafer
	case safer == len(v.Known)-1:
		return HighestRisk
	}
	return NoPrice
}

// Useless reports whether the risk measure does not even tell a release from the original itself.
func (v *Verdict) Useless() bool {
	o := v.Over(v.Risk, 0)
	if !o.Known() {
		return false
	}
	for _, e := range v.Field {
		if r := v.Over(v.Risk, e.Setting); r.Known() && v.Risk.Relate(r, o) != Level && v.Risk.Relate(r, o) != Behind {
			return false
		}
	}
	return true
}

// Wins counts the data sets on which no other setting has a better mean.
func (v *Verdict) Wins(best Entrant) int {
	n := 0
	for d := range v.Data {
		won := true
		for _, e := range v.Field {
			won = won && !v.By.Beats(v.At(v.By, d, e.Setting).Mean, v.At(v.By, d, best.Setting).Mean)
		}
		if won {
			n++
		}
	}
	return n
}
