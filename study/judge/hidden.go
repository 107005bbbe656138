package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/study"
)

// Hidden is what requests call the list of the itemsets and rules that are to be hidden. Which parameter of a
// technique, or of a measure, takes it is declared (param.Param.Patterns): others may have the name.
const Hidden = "sensitive"

// Thresholds are the parameters, beside the list, by which techniques and measures say what is hidden.
var Thresholds = []string{"support", "confidence", "intervals"}

// Modelled is the parameter of measures that takes the text of an information quality model.
const Modelled = "iqm"

// Hide hands the list of what is sensitive to a technique, to its stages, or to a measure, that takes one and was not
// given another, and says whether one does. A list that does not fit the table is an error that names its line.
func (l *Subject) Hide(ctx context.Context, declared param.Set, set map[string]string) (taken bool, err error) {
	for _, name := range declared.Patterns() {
		if _, own := set[name]; !own && l.Sensitive != "" {
			set[name] = l.Sensitive
		}
		if taken = true; set[name] == "" || declared.Apply(set) != nil { // what is wrong with others is said with their name
			continue
		}
		if err := l.expand(ctx, declared, name, set); err != nil {
			return true, &Usage{Hidden, l.SensitiveFile, err}
		}
	}
	return taken, nil
}

// expand puts in the place of a * in the named parameter what it stands for by the thresholds of the technique, or
// measure.
func (l *Subject) expand(ctx context.Context, declared param.Set, name string, set map[string]string) error {
	stage, _ := stages.Split(name)
	own := map[string]any{}
	for _, v := range declared.Values() {
		if at, of := stages.Split(v.Name); at == stage {
			own[of] = v.Value
		}
	}
	intervals, _ := own["intervals"].(int)
	c, err := basket.New(l.Table, basket.Options{Intervals: intervals})
	if err != nil {
		return err
	}
	if c.HasAny(set[name]) {
		support, counts := own["support"].(float64)
		confidence, weighs := own["confidence"].(float64)
		if !counts || !weighs && strings.Contains(set[name], "=>") {
			return errors.New("a * stands for everything frequent, or strong, but there is no threshold: list the " +
				"patterns, or use hide1b or hide2a")
		}
		key := fmt.Sprint(intervals, support, confidence, set[name])
		memo := l.expanded
		if memo == nil {
			memo = &sync.Map{}
		}
		known, ok := memo.Load(key)
		if !ok {
			t, err := c.Code(l.Table)
			if err != nil {
				return err
			}
			list, err := c.Expand(ctx, set[name], t, itemset.Least(support, t.Len()), confidence)
			if err != nil {
				return err
			}
			known, _ = memo.LoadOrStore(key, list)
		}
		set[name] = known.(string)
	}
	_, err = c.Patterns(set[name])
	return err
}

// HideFrom hands the list to all measures that take one, and says whether any does. Of a technique that hid patterns
// they take the list and the thresholds, as far as they were not given others; its parameters may be nil.
func (l *Subject) HideFrom(ctx context.Context, specs []study.Spec, technique []param.Value) (taken bool, err error) {
	from := slices.IndexFunc(technique, func(v param.Value) bool { return v.Patterns && v.Value != "" })
	for k := range specs {
		if specs[k].Set == nil {
			specs[k].Set = map[string]string{}
		}
		declared, set := specs[k].Measure.New().Params(), specs[k].Set
		for _, name := range declared.Patterns() {
			if from < 0 {
				continue
			}
			if _, own := set[name]; !own {
				set[name] = fmt.Sprint(technique[from].Value)
			}
			stage, _ := stages.Split(technique[from].Name)
			for _, v := range technique {
				at, of := stages.Split(v.Name)
				if _, own := set[of]; at == stage && !own && slices.Contains(Thresholds, of) && declared.Has(of) {
					set[of] = fmt.Sprint(v.Value)
				}
			}
		}
		one, err := l.Hide(ctx, declared, set)
		if taken = taken || one; err != nil {
			return taken, err
		}
	}
	return taken, nil
}
