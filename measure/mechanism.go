package measure

import (
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/segment/tree"
)

// A plan, or a step of one, offers what an intruder who knows the technique knows of its noise by the methods of
// Additive or Kernels, without knowing this package; Release.Mechanisms holds those of the release.

// Mechanism returns the first of the release's mechanisms that is a T: what an intruder who knows the technique knows.
func Mechanism[T any](r *Release) (T, bool) {
	for _, m := range r.Mechanisms {
		if t, ok := m.(T); ok {
			return t, true
		}
	}
	var none T
	return none, false
}

// AsMade returns the release as the technique saw it, of which segments and mechanisms are: itself, unless the table
// was restated. What the intruder knows of columns that the technique did not see is left out.
func (r *Release) AsMade() *Release {
	if r.Reduced == nil {
		return r
	}
	v := *r.Reduced
	v.Owners = r.Owners
	if v.Intruder = nil; r.Intruder != nil {
		v.Intruder = r.Intruder.Among(v.Original.Attrs())
	}
	return &v
}

// Forest returns the segmentation where it is the leaves of trees, which an intruder can route by; nil for another one.
func (r *Release) Forest() *tree.Forest {
	f, _ := r.Segments.(*tree.Forest)
	return f
}

// Against returns the release as one intruder sees it.
func (r *Release) Against(i *intruder.Intruder) *Release {
	v := *r
	v.Intruder = i
	return &v
}

// OfThose returns the release as one of the records that it has, paired; itself where it has all, or where it is not
// known which. What is known of the whole original alone does not hold for it: its exact values, and what was
// learned from it.
func (r *Release) OfThose() *Release {
	if r.Matched == nil {
		return r
	}
	v := *r
	v.Original, v.Paired, v.Matched, v.Exact, v.ExactHoldout = r.Matched, true, nil, nil, nil
	if v.Work.original != nil {
		v.Work.original = newKept()
	}
	return &v
}

// View returns the intruder's view of the tables: of the one the release is measured against or, where none is named,
// of the last of intruder.Defaults, who knows the most.
func (r *Release) View() (*intruder.View, error) {
	i := r.Intruder
	if i == nil {
		d := intruder.Defaults(r.Original.Attrs())
		i = &d[len(d)-1]
	}
	return i.On(r.Original.Attrs())
}
