package judge

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// Above any of these a report leaves out the slow measures, unless a threshold is on them. Some take time with the
// square of the columns.
const (
	Large      = 5000 // records
	Wide       = 100  // columns
	largeCells = 200_000
)

// Usual is the number of columns up to which the bounds of measures on pairs of records are meant: comparing records of
// more columns takes longer.
const Usual = 20

// Size is that of a release.
type Size struct{ Records, Columns int }

// beyond says of which bound of a report a release of the Size is beyond; empty for none.
func (s Size) beyond() message.Sentence {
	most := func(what string, n int) message.Sentence {
		return message.Say("measure.skipped.size."+what).Count("n", n)
	}
	switch {
	case s.Records > Large:
		return most("records", Large)
	case s.Columns > Wide:
		return most("columns", Wide)
	case s.Records*s.Columns > largeCells:
		return most("cells", largeCells)
	}
	return message.Sentence{}
}

// Need is which measures of a new release are taken, and when.
type Need struct {
	Limits []study.Spec     // before it is written: the certificate, and what limits are on
	Rest   []study.Spec     // for a report
	Left   []study.Measured // left out of a report, with the reason
}

// Needed chooses the measures of a new release of a Size, with the tree parameters of the technique. Without all set
// only those that a limit is on, and the certificate, which needs segments.
func Needed(of Size, params []param.Value, set *limit.Set, all, segmented bool) Need {
	var n Need
	for _, m := range catalog.Measures() {
		l := set.On(m.Name)
		on := l != nil
		// of drawn records only comparisons with others tell, which take many
		spec := Bounded(m, params, !on || !l.Declared && !set.Pairless, of.Columns)
		switch {
		case m.Certificate && !segmented || !m.Certificate && !all && !on:
		case on || m.Certificate:
			n.Limits = append(n.Limits, spec)
		case !of.beyond().Empty() && m.Effort == measure.Slow:
			n.Left = append(n.Left,
				LeftOut(m, message.Say("measure.skipped.beyond").Part("size", of.beyond()).Text("verb", taker(m))))
		default:
			n.Rest = append(n.Rest, spec)
		}
	}
	return n
}

// Walked leaves out of a report on a release in a space, of which a part is judged, what is neither a risk nor walks
// over the records.
func (n *Need) Walked() {
	n.Rest = slices.DeleteFunc(n.Rest, func(s study.Spec) bool {
		needs := s.Measure.Shards == "" && s.Measure.Side != measure.Risk
		if needs {
			n.Left = append(n.Left, LeftOut(s.Measure, NeedsAll()))
		}
		return needs
	})
}

// InOrder puts measures in the order of the catalogue.
func InOrder(ms []study.Measured) []study.Measured {
	place := map[string]int{}
	for k, m := range catalog.Measures() {
		place[m.Name] = k
	}
	sorting.Stable(ms, func(a, b study.Measured) int { return cmp.Compare(place[a.Name], place[b.Name]) })
	return ms
}

// LeftOut is a measure that is not taken, and why.
func LeftOut(m measure.Measure, why message.Sentence) study.Measured {
	return study.Measured{Card: m.Card, Facts: m.Facts, Side: m.Side, Better: m.Better, Unit: m.Unit, Err: why}
}

// taker is the verb that takes a measure by default.
func taker(m measure.Measure) string {
	if m.Side == measure.Risk {
		return "attack"
	}
	return "evaluate"
}

// Bounded asks for a measure with the tree parameters of the technique and, for a report, inside its bounds. A measure
// that the policy has a limit on, or that is asked for by name, takes its own, larger defaults.
func Bounded(m measure.Measure, params []param.Value, report bool, columns int) study.Spec {
	own, declared := map[string]string{}, m.New().Params()
	for _, v := range params {
		if v.Patterns == slices.Contains(declared.Patterns(), v.Name) { // else something else of the same name
			own[v.Name] = fmt.Sprint(v.Value)
		}
	}
	s := study.Spec{Measure: m, Set: study.ForMeasure(declared, own)}
	if report {
		maps.Copy(s.Set, m.Bounds)
		if pairs, err := strconv.Atoi(m.Bounds["pairs"]); err == nil && columns > Usual {
			s.Set["pairs"] = strconv.Itoa(max(1, pairs/columns*Usual))
		}
	}
	return s
}

// MeasuresOf finds measures by their names, each once.
func MeasuresOf(names []string) ([]measure.Measure, error) {
	var out []measure.Measure
	for _, n := range names {
		m, err := catalog.Measure(strings.TrimSpace(n))
		if err != nil {
			return nil, usage(err)
		}
		if !slices.ContainsFunc(out, func(o measure.Measure) bool { return o.Name == m.Name }) {
			out = append(out, m)
		}
	}
	return out, nil
}

// SpecsOf finds the measures that are asked for, each once, all without a name, and hands them their parameters, which
// are set by measure.name.
func SpecsOf(names []string, set map[string]string) ([]study.Spec, error) {
	chosen, err := MeasuresOf(names)
	if err != nil {
		return nil, err
	}
	if chosen == nil {
		chosen = catalog.Measures()
	}
	var specs []study.Spec
	var taken []string
	for _, m := range chosen {
		specs, taken = append(specs, study.Spec{Measure: m, Set: map[string]string{}}), append(taken, m.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		name, par, _ := strings.Cut(key, ".")
		used := false
		for _, s := range specs {
			if s.Measure.Answers(name) {
				s.Set[par] = set[key]
				used = true
			}
		}
		if !used {
			return nil, &Usage{
				"set",
				key,
				fmt.Errorf("expected measure.name=value with a measure that is taken%s", spelling.Hint(name, taken)),
			}
		}
	}
	for _, s := range specs {
		if err := Settle(s.Measure.New().Params(), s.Set); err != nil {
			return nil, usage(fmt.Errorf("%s: %w", s.Measure.Name, err))
		}
	}
	return specs, nil
}

// NeedsAll is why a measure of a release in a space is left out.
func NeedsAll() message.Sentence { return message.Say("measure.skipped.inMemory") }

// Weigh hands the information quality model to all measures that take one and were not given another, and says whether
// any takes one.
func (l *Subject) Weigh(specs []study.Spec) (taken bool) {
	for k := range specs {
		if !specs[k].Measure.New().Params().Has(Modelled) {
			continue
		}
		taken = true
		if specs[k].Set == nil {
			specs[k].Set = map[string]string{}
		}
		if _, own := specs[k].Set[Modelled]; !own && l.Model != "" {
			specs[k].Set[Modelled] = l.Model
		}
	}
	return taken
}

// Weighed adds the measures that take the information quality model, where one was given, to those that are taken of a
// release in any case.
func (n *Need) Weighed(l *Subject, of Size, set *limit.Set) {
	if l.Model == "" {
		return
	}
	takes := func(m measure.Measure) bool { return m.New().Params().Has(Modelled) }
	n.Rest = slices.DeleteFunc(n.Rest, func(s study.Spec) bool { return takes(s.Measure) })
	for _, m := range catalog.Measures() {
		if takes(m) && !slices.ContainsFunc(n.Limits, func(s study.Spec) bool { return s.Measure.Name == m.Name }) {
			n.Limits = append(n.Limits, Bounded(m, nil, set.Find(m.Name) == nil, of.Columns))
		}
	}
}

// Related adds the measures of what became of the relations between columns, where any are known.
func (n *Need) Related(l *Subject, set *limit.Set) {
	if len(l.Relations.Known()) == 0 {
		return
	}
	is := func(name string) bool {
		return name == study.Violations || name == limit.Implied && set.Name != limit.None
	}
	n.Rest = slices.DeleteFunc(n.Rest, func(s study.Spec) bool { return is(s.Measure.Name) })
	for _, m := range catalog.Measures() {
		if is(m.Name) && !slices.ContainsFunc(n.Limits, func(s study.Spec) bool { return s.Measure.Name == m.Name }) {
			n.Limits = append(n.Limits, study.Spec{Measure: m, Set: map[string]string{}})
		}
	}
}

// surveyed lets the risk in the population be the figure of its measure under the limits of a sample, unless another
// one was asked for.
func surveyed(specs []study.Spec, set *limit.Set) {
	for _, s := range specs {
		if _, own := s.Set["model"]; set.Name == limit.Survey && s.Measure.Name == "populationrisk" && !own {
			s.Set["model"] = "individual"
		}
	}
}

// Settle sets parameters, and asks of an unknown one whether another was meant. One that a single stage of several has
// is that stage's, and gets its whole name in the set.
func Settle(params param.Set, set map[string]string) error {
	params.Rename(set)
	if err := staged(params, set); err != nil {
		return err
	}
	known := make([]string, len(params))
	for k, p := range params {
		known[k] = p.Name
	}
	for _, n := range slices.Sorted(maps.Keys(set)) {
		if hint := spelling.Hint(n, known); hint != "" && !params.Has(n) {
			return fmt.Errorf("unknown parameter %q%s", n, hint)
		}
	}
	return params.Apply(set)
}

// staged gives parameters the whole names of those of the only stage that has them.
func staged(params param.Set, set map[string]string) error {
	for _, n := range slices.Sorted(maps.Keys(set)) {
		var has []string
		for _, p := range params {
			if at, of := stages.Split(p.Name); at != "" && of == n {
				has = append(has, p.Name)
			}
		}
		switch {
		case params.Has(n) || len(has) == 0:
		case len(has) > 1:
			return fmt.Errorf("parameter %q: several techniques have it; say %s", n, strings.Join(has, " or "))
		default:
			if _, twice := set[has[0]]; twice {
				return fmt.Errorf("parameter %q: %s says it, too", n, has[0])
			}
			set[has[0]] = set[n]
			delete(set, n)
		}
	}
	return nil
}

// Within leaves out of measures that nobody asked for by name those that take minutes where columns are many, unless a
// limit is on them, and bounds the others as Needed does, so that one release has one figure of them. What was set by
// hand stays.
func Within(specs []study.Spec, columns int, set *limit.Set) (take []study.Spec, left []study.Measured) {
	for _, s := range specs {
		l := set.Find(s.Measure.Name)
		if columns > Wide && s.Measure.Effort == measure.Slow && len(s.Set) == 0 && l == nil {
			left = append(left,
				LeftOut(s.Measure, message.Say("measure.skipped.wide").Count("n", Wide).Name("measure", s.Measure.Name)))
			continue
		}
		own := Bounded(s.Measure, nil, l == nil || !l.Declared, columns)
		maps.Copy(own.Set, s.Set)
		take = append(take, own)
	}
	return take, left
}

// Asked returns the seed by which attacks draw the people they are tried on. It follows from the values of the original
// alone, whatever files they are in, so all that judge a release of it ask the same people, and nobody asks again until
// a release passes. It is kept secret: with it, guesses of the original could be tested. Cost: O(n p).
func (s *Subject) Asked() rng.Seed {
	h := sha256.New()
	fmt.Fprintln(h, "attacks")
	for j := range s.Table.Width() {
		c := s.Table.Column(j)
		fmt.Fprintf(h, "%q\n", c.Name)
		c.Hash(h)
	}
	return rng.SeedOf([32]byte(h.Sum(nil)))
}
