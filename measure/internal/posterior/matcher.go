package posterior

import (
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Trees are what an intruder grows on the released table.
type Trees struct {
	Class *tree.Tree       // for the class; nil where none is inferred
	Guide *tree.Forest     // its intersections are taken for the segments of the technique; nil for a technique without
	Note  message.Sentence // why no class is inferred
}

// Grow grows a tree for the class, if there is one, and for a technique that works inside segments and is known to the
// intruder as many trees as it has.
func Grow(ctx context.Context, r *measure.Release, view *intruder.View, o Options) (t Trees, err error) {
	_, t.Class, err = trees.Of(ctx, r, o.Learner)
	switch {
	case ctx.Err() != nil:
		return t, ctx.Err()
	case err != nil:
		t.Class, t.Note = nil, message.Say("measure.posterior.note.noClass").Text("why", err.Error())
	}
	switch {
	case r.Forest() == nil || !view.Technique || t.Class == nil: // without a class no tree can be grown
	case len(r.Forest().Trees) == 1:
		t.Guide = tree.One(t.Class)
	default:
		model := param.Default(&trees.Model{})
		model.Trees, model.MinLeaf = len(r.Forest().Trees), o.MinLeaf
		if _, t.Guide, err = trees.Models(ctx, r, *model); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Matcher gives every released record its probability of being the target's.
type Matcher struct {
	release *measure.Release
	view    *intruder.View
	outside float64 // probability that the target is not in the file
	guide   *tree.Forest
	trees   Trees
	options Options

	levels  []level
	profile []int32   // of every released record: those of a profile look alike to the intruder
	count   []float64 // of the records of a profile
	leaf    []int32   // of a profile in the class tree
	people  []int32   // of every released record: whose it is; nil where every record is a person's, or that is not known
	persons int       // how many people the records are of

	classes int
	shares  []float64 // of the classes in the leaves, by leaf and class
	base    []float64 // of the classes in the release

	how   message.Sentence
	notes []message.Sentence
}

// level is one piece of evidence: every node of the level above, a set of released records, is divided by what the
// records show of it.
type level struct {
	evidence evidence // nil where nothing is learned
	// of every node, ascending; nil where it divides none, so that a node has the number of the one above
	parent []int32
	first  []int32 // of every node above, and of one more, the first that it is divided into; nil likewise
	code   []int32 // of every node, what its records show
}

// evidence is something an intruder knows of the target.
type evidence interface {
	// likelihoods returns the probability of everything that a released record may show, by code, up to a factor; nil when
	// the target has nothing to compare. It is valid until the worker's next call.
	likelihoods(w *worker, row int, segment *segment.Segment) []float64
}

// NewMatcher prepares the released table for an intruder: Grow and Match.
func NewMatcher(ctx context.Context, r *measure.Release, view *intruder.View, o Options) (*Matcher, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	trees, err := Grow(ctx, r, view, o)
	if err != nil {
		return nil, err
	}
	return Match(r, view, trees, o)
}

// Match prepares the released table for an intruder who has grown trees on it. It is an error when the release has no
// records, or nothing tells the law of the noise. Cost: O(n log n) per known attribute for n released records.
func Match(r *measure.Release, view *intruder.View, trees Trees, o Options) (*Matcher, error) {
	m, leaf, err := newMatcher(r, view, trees, o)
	if err != nil {
		return nil, err
	}
	if err := m.learn(); err != nil {
		return nil, err
	}
	m.settle(leaf)
	return m, nil
}

// newMatcher returns a matcher that knows of every released record its leaf only, and the leaves.
func newMatcher(r *measure.Release, view *intruder.View, trees Trees, o Options) (m *Matcher, leaf []int32, err error) {
	if err := r.Check(); err != nil {
		return nil, nil, err
	}
	if r.Released.Rows() == 0 {
		return nil, nil, errors.New("the released table has no records")
	}
	m = &Matcher{
		release: r,
		view:    view,
		guide:   trees.Guide,
		trees:   trees,
		options: o,
		profile: make([]int32, r.Released.Rows()),
	}
	if !view.InFile {
		m.outside = 1 - o.membership(r)
	}
	if !trees.Note.Empty() {
		m.notes = append(m.notes, trees.Note)
	}
	switch of, n := r.People(); {
	case of != nil && r.Paired:
		m.people, m.persons = of, n
	case of != nil:
		m.notes = append(m.notes, message.Say("measure.posterior.note.unpaired"))
	}
	if leaf = m.classify(trees.Class, o.ClassFrom == FromRecord); leaf != nil {
		m.divide(nil, leaf, slices.Max(leaf)+1)
	}
	return m, leaf, nil
}

// settle counts the profiles once there are no more levels.
func (m *Matcher) settle(leaf []int32) {
	m.count = make([]float64, m.Profiles())
	m.leaf = make([]int32, len(m.count))
	for i, e := range m.profile {
		m.count[e]++
		if leaf != nil {
			m.leaf[e] = leaf[i]
		}
	}
}

// distances returns the matcher of an intruder who goes by what the pairs show, for targets that the law of the noise
// does not fit.
func (m *Matcher) distances() (*Matcher, error) {
	view := *m.view
	view.Technique = false
	return Match(m.release, &view, Trees{Class: m.trees.Class}, m.options)
}

// divide adds a level: the sets of records that look alike so far are divided by a code below values.
func (m *Matcher) divide(e evidence, code []int32, values int32) {
	above := m.Profiles()
	if above == len(code) { // all records are told apart
		codes := make([]int32, above)
		for i, c := range code {
			codes[m.profile[i]] = c
		}
		m.levels = append(m.levels, level{evidence: e, code: codes})
		return
	}
	keys := make([]uint64, len(code))
	for i, c := range code {
		keys[i] = uint64(m.profile[i])*uint64(values) + uint64(c)
	}
	found := tree.Number(keys, m.profile)
	l := level{evidence: e, code: make([]int32, len(found))}
	if len(found) > above {
		l.parent, l.first = make([]int32, len(found)), make([]int32, above+1)
	}
	for k, key := range found {
		l.code[k] = int32(key % uint64(values))
		if l.parent != nil {
			l.parent[k] = int32(key / uint64(values))
			l.first[l.parent[k]+1] = int32(k + 1)
		}
	}
	m.levels = append(m.levels, l)
}

// classify returns the leaf of every released record in the class tree and takes the shares of the classes among the
// records there: what an intruder takes for the law of a record's class (Islam 2007, section 8.1). By record, the
// leaves are the classes themselves. A leaf whose records have no class has the shares of all. It returns nil without a
// class.
func (m *Matcher) classify(t *tree.Tree, byRecord bool) []int32 {
	r := m.release.Released
	at := r.WithRole(table.Class)
	if at < 0 || r.Attr(at).Kind != table.Categorical || t == nil && !byRecord {
		return nil
	}
	class, leaf := r.Cat(at), make([]int32, r.Rows())
	m.classes = len(r.Attr(at).Labels)
	if byRecord {
		for i, c := range class {
			leaf[i] = c + 1
		}
	} else {
		t.Route(r, leaf)
	}
	m.shares = make([]float64, int(slices.Max(leaf)+1)*m.classes)
	all := make([]float64, m.classes)
	for i, c := range class {
		if c >= 0 {
			m.shares[int(leaf[i])*m.classes+int(c)]++
			all[c]++
		}
	}
	toShares(all, nil)
	for l := range len(m.shares) / max(1, m.classes) {
		toShares(m.shares[l*m.classes:(l+1)*m.classes], all)
	}
	m.base = make([]float64, m.classes)
	for c := range m.base {
		var sum exact.Sum
		for _, l := range leaf {
			sum.Add(m.shares[int(l)*m.classes+c])
		}
		m.base[c] = sum.Mean(len(leaf))
	}
	return leaf
}

// toShares divides counts by their sum; where there are none they become a copy of others.
func toShares(counts, others []float64) {
	if sum := vector.Sum(counts); sum > 0 {
		floats.Scale(1/sum, counts)
	} else {
		copy(counts, others)
	}
}

// Profiles returns how many different released records there are for the intruder.
func (m *Matcher) Profiles() int {
	if len(m.levels) == 0 {
		return 1
	}
	return len(m.levels[len(m.levels)-1].code)
}

// candidates returns among how many the target is looked for: the released records or, where some people have several,
// these.
func (m *Matcher) candidates() int {
	if m.people != nil {
		return m.persons
	}
	return m.release.Released.Rows()
}

// byPerson returns room for a probability of everybody; nil where every record is a person's.
func (m *Matcher) byPerson() []float64 {
	if m.people == nil {
		return nil
	}
	return make([]float64, m.persons)
}

// same reports whether two records are one person's.
func (m *Matcher) same(i, k int) bool { return i == k || m.people != nil && m.people[i] == m.people[k] }

// Classes returns the number of classes; 0 when none is inferred.
func (m *Matcher) Classes() int { return m.classes }
