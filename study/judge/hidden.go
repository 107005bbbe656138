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
	"github.com/dither-data/dither/study"
)

// Hidden is the parameter of techniques that hide patterns, and of the measures of what they did, that lists them.
const Hidden = "sensitive"

// handed are the parameters by which techniques and measures say what is hidden.
var handed = []string{Hidden, "support", "confidence", "intervals"}

// Modelled is the parameter of measures that takes the text of an information quality model.
const Modelled = "iqm"

// Hide hands the list of what is sensitive to a technique, or to a measure, that takes one and was not given another,
// and says whether one does. A list that does not fit the table is an error that names its line.
func (l *Subject) Hide(ctx context.Context, declared param.Set, set map[string]string) (taken bool, err error) {
	if !declared.Has(Hidden) {
		return false, nil
	}
	if _, own := set[Hidden]; !own && l.Sensitive != "" {
		set[Hidden] = l.Sensitive
	}
	if set[Hidden] == "" || declared.Apply(set) != nil { // what is wrong with other parameters is said with their name
		return true, nil
	}
	if err := l.expand(ctx, declared, set); err != nil {
		return true, &Usage{Hidden, l.SensitiveFile, err}
	}
	return true, nil
}

// expand puts in the place of * what it stands for by the thresholds of the technique, or measure.
func (l *Subject) expand(ctx context.Context, declared param.Set, set map[string]string) error {
	own := map[string]any{}
	for _, v := range declared.Values() {
		own[v.Name] = v.Value
	}
	intervals, _ := own["intervals"].(int)
	c, err := basket.New(l.Table, basket.Options{Intervals: intervals})
	if err != nil {
		return err
	}
	if c.HasAny(set[Hidden]) {
		support, counts := own["support"].(float64)
		confidence, weighs := own["confidence"].(float64)
		if !counts || !weighs && strings.Contains(set[Hidden], "=>") {
			return errors.New("a * stands for everything frequent, or strong, but there is no threshold: list the " +
				"patterns, or use hide1b or hide2a")
		}
		key := fmt.Sprint(intervals, support, confidence, set[Hidden])
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
			list, err := c.Expand(ctx, set[Hidden], t, itemset.Least(support, t.Len()), confidence)
			if err != nil {
				return err
			}
			known, _ = memo.LoadOrStore(key, list)
		}
		set[Hidden] = known.(string)
	}
	_, err = c.Patterns(set[Hidden])
	return err
}

// HideFrom hands the list to all measures that take one, and says whether any does. Of a technique that hid patterns
// they take the list and the thresholds, as far as they were not given others; its parameters may be nil.
func (l *Subject) HideFrom(ctx context.Context, specs []study.Spec, technique []param.Value) (taken bool, err error) {
	hides := slices.ContainsFunc(technique, func(v param.Value) bool { return v.Name == Hidden && v.Value != "" })
	for k := range specs {
		if specs[k].Set == nil {
			specs[k].Set = map[string]string{}
		}
		declared := specs[k].Measure.New().Params()
		for _, v := range technique {
			if _, own := specs[k].Set[v.Name]; hides && !own && slices.Contains(handed, v.Name) && declared.Has(Hidden) &&
				declared.Has(v.Name) {
				specs[k].Set[v.Name] = fmt.Sprint(v.Value)
			}
		}
		one, err := l.Hide(ctx, declared, specs[k].Set)
		if taken = taken || one; err != nil {
			return taken, err
		}
	}
	return taken, nil
}
