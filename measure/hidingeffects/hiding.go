package hidingeffects

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
)

// Options are the parameters that the measures share.
type Options struct {
	Sensitive  string // itemsets and rules as basket.Coding.Patterns reads them
	Support    float64
	Confidence float64
	Items      int // of a pattern, at most
	Intervals  int
	Supersets  string
	Effort     int
}

// What supersets of sensitive patterns are.
const (
	Exclude = "exclude"
	Count   = "count"
)

// Params declares the parameters.
func (o *Options) Params() param.Set {
	return append(param.Set{
		param.Patterns(&o.Sensitive, "sensitive", "patterns to hide: itemsets such as bread,milk and rules such as "+
			"bread,milk=>jam, one per line or separated by semicolons"),
		param.Float(&o.Support, "support", 0.01, 1e-12, 1e12, "share or records", "minimum support of a pattern; "+
			"values below 1 are a share of the records, others a number"),
		param.Float(&o.Confidence, "confidence", 0.6, 0, 1, "share", "minimum confidence of a rule"),
		param.Int(&o.Intervals, "intervals", 4, 2, 1000, "intervals", "cut numbers into this many intervals of "+
			"about equal size"),
	}.Shared(),
		param.Int(&o.Items, "items", 5, 1, 100, "items", "largest number of items in a pattern"),
		param.Choice(&o.Supersets, "supersets", Exclude, []string{Exclude, Count}, "patterns with all items of a "+
			"sensitive one are also sensitive, or count among the others"),
		param.Int(&o.Effort, "effort", 20_000, 1, 10_000_000, "million comparisons", "beyond this the measure "+
			"fails and asks for a higher support"))
}

// The readings of items that may or may not be there.
const (
	Sure = iota
	Middle
	Possible
	Readings
)

// Survey is what became of the patterns.
type Survey struct {
	Coding    *basket.Coding
	Least     [2]int // records that a pattern needs, by table
	Rules     bool   // patterns are rules
	Doubtful  bool   // items of the release may or may not be there
	Sensitive []Fate // those that are listed, in their order

	HiddenFrom int // sensitive patterns of the original, supersets included
	Found      [Readings]int
	Others     int // of the original
	Lost       [Readings]int
	LostWeight [Readings]float64 // sum of the supports of those that are lost, of the original's
	Weight     float64           // of all
	New        [Readings]int     // patterns of the release alone
	After      [Readings]int     // all of the release
}

// Fate is what became of a sensitive pattern.
type Fate struct {
	Text          string
	Rule          bool
	Before, After Counts // After by the middle reading
	Was           bool   // a pattern of the original at the thresholds
	Is            [Readings]bool
	// Low and High are the support and the confidence where doubtful items go against the pattern, and where they go its
	// way; as shares.
	Low, High [2]float64
	// Short is how many records more, each with all its items, would bring it back; 0 where it is found, -1 where none
	// would.
	Short int
}

// Counts are records, which may be halves in the middle reading.
type Counts struct{ Records, With, Wanted, Both float64 }

// Confidence is that of a rule, 0 where no record has its beginning.
func (c Counts) Confidence() float64 {
	if c.With == 0 {
		return 0
	}
	return c.Both / c.With
}

// Of surveys a release. It does not apply without a list of what is sensitive, or where no column gives items. Cost:
// that of itemset.FindTogether.
func Of(ctx context.Context, r *measure.Release, o Options) (*Survey, error) {
	if o.Sensitive == "" {
		return nil, measure.NotApplicable(message.Say("measure.skipped.nothingSensitive"))
	}
	return measure.PerRelease(r, fmt.Sprintf("hiding %+v", o), func(r *measure.Release) (*Survey, error) {
		return survey(ctx, r, o)
	})
}

func survey(ctx context.Context, r *measure.Release, o Options) (*Survey, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	c, err := basket.New(r.Original, basket.Options{Intervals: o.Intervals})
	if err != nil {
		return nil, measure.NotApplicable(message.Text(err.Error()))
	}
	listed, err := c.Patterns(o.Sensitive)
	if err != nil {
		return nil, fmt.Errorf("parameter sensitive: %w", err)
	}
	l, err := Code(c, r)
	if err != nil {
		return nil, err
	}
	w := &work{o: o, lists: l, listed: listed, Survey: &Survey{Coding: c, Doubtful: len(l) > 2}}
	for k := range w.Least {
		w.Least[k] = itemset.Least(o.Support, l[k].Len())
	}
	w.Rules = slices.ContainsFunc(listed, basket.Pattern.Rule)
	if w.Rules && o.Items > mostInRules {
		return nil, fmt.Errorf("parameter items is %d, expected at most %d where rules are listed", o.Items, mostInRules)
	}
	lim := itemset.Limits{
		Most:   o.Items,
		Effort: o.Effort * 1_000_000,
		Sets:   mostSets,
		Least:  []int{w.Least[0], w.Least[1], w.Least[1]}[:len(l)],
	}
	if w.sets, err = itemset.FindTogether(ctx, l, lim); errors.Is(err, itemset.ErrEffort) {
		return nil, errors.New(numfmt.Sprintf("too many itemsets are in at least %d records: a higher support or fewer "+
			"items are needed", w.Least[0]))
	}
	if err != nil {
		return nil, err
	}
	w.fates()
	return w.Survey, w.patterns(ctx)
}

// mostInRules bounds the rules of an itemset: 2 to the power of its items.
const mostInRules = 16

// mostSets bounds memory: about a hundred bytes each.
const mostSets = 5_000_000

// Code returns the original, the release, and the release with all items that may be there where there are such, as
// transactions.
func Code(c *basket.Coding, r *measure.Release) ([]*itemset.Transactions, error) {
	before, err := c.Code(r.Original)
	if err != nil {
		return nil, err
	}
	if r.Released == r.Original {
		return []*itemset.Transactions{before, before}, nil
	}
	after, err := c.Code(r.Released)
	if err != nil {
		return nil, err
	}
	possible, err := c.CodePossible(r.Released)
	if err != nil || possible == nil {
		return []*itemset.Transactions{before, after}, err
	}
	return []*itemset.Transactions{before, after, possible}, nil
}

// work is a survey in the making.
type work struct {
	*Survey
	o      Options
	lists  []*itemset.Transactions
	listed []basket.Pattern
	sets   *itemset.Together
}

// counts returns the counts of a pattern in the original and by the readings of the release; of sets that are frequent
// nowhere it counts the records.
func (w *work) counts(p basket.Pattern) (before Counts, after [Readings]Counts) {
	both, with, wanted := w.of(p.Items()), w.of(p.If), w.of(p.Then)
	at := func(list int) Counts {
		return Counts{float64(w.lists[list].Len()), float64(with[list]), float64(wanted[list]), float64(both[list])}
	}
	before, after[Sure] = at(0), at(1)
	after[Possible] = after[Sure]
	if w.Doubtful {
		after[Possible] = at(2)
	}
	s, q := after[Sure], after[Possible]
	after[Middle] = Counts{s.Records, (s.With + q.With) / 2, (s.Wanted + q.Wanted) / 2, (s.Both + q.Both) / 2}
	return before, after
}

// of counts the records with all items, by list.
func (w *work) of(items []int32) []int32 {
	if k := w.sets.Find(items); k >= 0 {
		_, n := w.sets.Set(k)
		return n
	}
	out := make([]int32, len(w.lists))
	for k, l := range w.lists {
		for i := range l.Len() {
			if itemset.Contains(l.Row(i), items) {
				out[k]++
			}
		}
	}
	return out
}

// holds reports whether a pattern reaches the thresholds in the original, and by the readings of the release.
func (w *work) holds(rule bool, before Counts, after [Readings]Counts) (was bool, is [Readings]bool) {
	enough := func(c Counts, least int, confidence float64) bool {
		return 2*c.Both >= float64(2*least) && (!rule || confidence >= w.o.Confidence)
	}
	was = enough(before, w.Least[0], before.Confidence())
	low, high := ratio(after[Sure].Both, after[Possible].With), ratio(after[Possible].Both, after[Sure].With)
	is[Sure] = enough(after[Sure], w.Least[1], low)
	is[Middle] = enough(after[Middle], w.Least[1], (low+high)/2)
	is[Possible] = enough(after[Possible], w.Least[1], high)
	return was, is
}

// ratio is a share, which is 1 at most: also where nothing is sure and all is possible.
func ratio(n, of float64) float64 {
	switch {
	case n == 0:
		return 0
	case of == 0:
		return 1
	}
	return min(1, n/of)
}

// fates looks at what is listed as sensitive.
func (w *work) fates() {
	for _, p := range w.listed {
		f := Fate{Text: w.Coding.Text(p), Rule: p.Rule()}
		before, after := w.counts(p)
		f.Before, f.After = before, after[Middle]
		s, q := after[Sure], after[Possible]
		f.Low, f.High = [2]float64{
			ratio(s.Both, s.Records),
			ratio(s.Both, q.With),
		}, [2]float64{ratio(q.Both, q.Records), ratio(q.Both, s.With)}
		if f.Was, f.Is = w.holds(p.Rule(), before, after); !f.Is[Middle] {
			f.Short = w.short(p.Rule(), f.After)
		}
		w.Sensitive = append(w.Sensitive, f)
	}
}

// short returns how many records with all items bring a pattern back.
func (w *work) short(rule bool, c Counts) int {
	n := math.Ceil(float64(w.Least[1]) - c.Both)
	if rule && c.Confidence() < w.o.Confidence {
		if w.o.Confidence == 1 {
			return -1
		}
		n = max(n, math.Ceil((float64(w.o.Confidence*c.With)-c.Both)/(1-w.o.Confidence)-1e-9))
	}
	return int(max(1, n))
}
