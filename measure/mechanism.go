package measure

import (
	"github.com/dither-data/dither/intruder"
)

// A plan, or a step of one, offers what an intruder who knows the technique knows of its noise by the methods of Additive or Kernels, without
// knowing this package; Release.Mechanisms holds those of the release.

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

// Against returns the release as one intruder sees it. It shares what is memorised.
func (r *Release) Against(i *intruder.Intruder) *Release {
	return &Release{Original: r.Original, Released: r.Released, Paired: r.Paired, Holdout: r.Holdout, Segments: r.Segments,
		Mechanisms: r.Mechanisms, Exact: r.Exact, ExactHoldout: r.ExactHoldout, Hierarchies: r.Hierarchies, Base: r.Base, Intruder: i, whole: r}
}

// OfThose returns the release as one of the records that it has, paired; itself where it has all, or where it is not known which.
func (r *Release) OfThose() *Release {
	if r.Matched == nil {
		return r
	}
	return &Release{Original: r.Matched, Released: r.Released, Paired: true, Holdout: r.Holdout, Segments: r.Segments,
		Mechanisms: r.Mechanisms, Hierarchies: r.Hierarchies, Intruder: r.Intruder}
}

// View returns the intruder's view of the tables: of the one the release is measured against or, where none is named, of the last of
// intruder.Defaults, who knows the most.
func (r *Release) View() (*intruder.View, error) {
	i := r.Intruder
	if i == nil {
		d := intruder.Defaults(r.Original.Attrs())
		i = &d[len(d)-1]
	}
	return i.On(r.Original.Attrs())
}
