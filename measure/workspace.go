package measure

import (
	"sync"

	"github.com/dither-data/dither/table"
)

// Workspace holds what measures share: indexes, coded columns, learned models. It is made once for an evaluation
// (NewWorkspace) and handed over in Release.Work, so all readings of a release have the same one. Without one
// each works out what it needs, with the same results.
//
// What is kept must not depend on who asks first. So the functions that work it out (PerOriginal, PerRelease,
// PerReading) are given a release without what may differ between those that ask; the key names all else that the value
// depends on. Values are shared and must not be written. A failure is not kept: it may be the end of a context.
type Workspace struct {
	original *kept // what is learned from the original alone
	release  *kept
}

// NewWorkspace returns an empty workspace, for a release of an original of which nothing is known yet.
func NewWorkspace() Workspace { return Workspace{newKept(), newKept()} }

// Another returns the workspace of another release of the same original: what is learned from the original alone is
// worked out once for both.
func (w Workspace) Another() Workspace {
	if w.original == nil {
		return NewWorkspace()
	}
	return Workspace{w.original, newKept()}
}

// Working returns the release with a workspace: itself where it has one.
func (r *Release) Working() *Release {
	if r.Work.release != nil {
		return r
	}
	own := *r
	own.Work = NewWorkspace()
	return &own
}

// kept are values by what they are of.
type kept struct {
	mu sync.Mutex
	by map[of]*value
}

func newKept() *kept { return &kept{by: map[of]*value{}} }

// of is what a value is of. The tables are named, so that a copy of a release that gets other tables has other values.
type of struct {
	original, released, holdout, exact *table.Table
	paired                             bool
	person, household                  string
	key                                string
}

type value struct {
	mu   sync.Mutex
	done bool
	val  any
}

// take returns a value, which the first who asks works out while others wait.
func take[T any](k *kept, what of, work func() (T, error)) (T, error) {
	if k == nil {
		return work()
	}
	k.mu.Lock()
	v := k.by[what]
	if v == nil {
		v = &value{}
		k.by[what] = v
	}
	k.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.done {
		val, _ := v.val.(T) // nil of an interface is no T
		return val, nil
	}
	val, err := work()
	if err == nil {
		v.val, v.done = val, true
	}
	return val, err
}

// PerOriginal works out a value once for all releases of an original (Workspace.Another), from the original alone.
func PerOriginal[T any](r *Release, key string, work func(original *table.Table) (T, error)) (T, error) {
	return take(r.Work.original, of{key: key}, func() (T, error) { return work(r.Original) })
}

// PerRelease works out a value once for all readings of a release: it depends neither on the intruder nor on whose the
// records are.
func PerRelease[T any](r *Release, key string, work func(r *Release) (T, error)) (T, error) {
	return take(r.Work.release, r.of(key), func() (T, error) {
		plain := *r
		plain.Intruder, plain.Owners = nil, Owners{}
		return work(&plain)
	})
}

// PerReading works out a value once for all intruders: it depends on whose the records are.
func PerReading[T any](r *Release, key string, work func(r *Release) (T, error)) (T, error) {
	what := r.of(key)
	what.person, what.household = r.Person, r.household()
	return take(r.Work.release, what, func() (T, error) {
		plain := *r
		plain.Intruder = nil
		return work(&plain)
	})
}

func (r *Release) of(key string) of {
	return of{original: r.Original, released: r.Released, holdout: r.Holdout, exact: r.Exact, paired: r.Paired, key: key}
}
