package hidingeffects

import (
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// patterns goes through all patterns of either table.
func (w *work) patterns(ctx context.Context) error {
	for k := range w.sets.Len() {
		if k%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		items, _ := w.sets.Set(k)
		if !w.Rules {
			w.count(basket.Pattern{If: items}, w.sensitive(items, basket.Pattern{If: items}))
			continue
		}
		w.rules(items)
		if p := (basket.Pattern{If: items}); slices.ContainsFunc(w.listed,
			func(s basket.Pattern) bool { return !s.Rule() && slices.Equal(s.If, items) }) {
			w.count(p, true)
		}
	}
	return ctx.Err()
}

// rules goes through the rules of an itemset: every part of it but the empty one and the whole is a beginning.
func (w *work) rules(items []int32) {
	var p basket.Pattern
	for which := 1; which < 1<<len(items)-1; which++ {
		p.If, p.Then = p.If[:0], p.Then[:0]
		for k, v := range items {
			if which>>k&1 != 0 {
				p.If = append(p.If, v)
			} else {
				p.Then = append(p.Then, v)
			}
		}
		w.count(p, w.sensitive(items, p))
	}
}

// sensitive reports whether a pattern is listed, or has all items of one that is.
func (w *work) sensitive(items []int32, p basket.Pattern) bool {
	for _, s := range w.listed {
		if slices.Equal(s.If, p.If) && slices.Equal(s.Then, p.Then) {
			return true
		}
		if w.o.Supersets == Exclude && itemset.Contains(items, s.If) && itemset.Contains(items, s.Then) &&
			(!s.Rule() || len(items) > len(s.If)+len(s.Then)) {
			return true
		}
	}
	return false
}

// count puts a pattern where it belongs.
func (w *work) count(p basket.Pattern, sensitive bool) {
	before, after := w.counts(p)
	was, is := w.holds(p.Rule(), before, after)
	if was && sensitive {
		w.HiddenFrom++
	}
	if was && !sensitive {
		w.Others++
		w.Weight += before.Both / before.Records
	}
	for k, there := range is {
		if there {
			w.After[k]++
		}
		switch {
		case there && !was:
			w.New[k]++
		case there && sensitive:
			w.Found[k]++
		case was && !there && !sensitive:
			w.Lost[k]++
			w.LostWeight[k] += before.Both / before.Records
		}
	}
}

// Share is a share of a number; 0 where that is 0.
func Share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Value is the figure of the middle reading, between those of the others.
func (s *Survey) Value(of func(reading int) float64) measure.Value {
	v := measure.Value{Score: of(Middle), Lo: of(Middle), Hi: of(Middle)}
	if s.Doubtful {
		v.Lo, v.Hi = min(of(Sure), v.Score, of(Possible)), max(of(Sure), v.Score, of(Possible))
		v.Notes = []message.Sentence{message.Say("measure.hiding.note.doubt")}
	}
	return v
}
