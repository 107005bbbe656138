package measure

import (
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// people is what Release.People returns.
type people struct {
	of []int32
	n  int
}

// People returns by row of the original which unit the record is of, numbered from 0, and how many units there are:
// people or, where households are told, these (table.Units), unless the release is read by persons (ByPerson). A record
// that names nobody is one of its own. Of is nil where every record is. It is shared and must not be written. Cost:
// O(n) once for a release.
func (r *Release) People() (of []int32, n int) {
	p, err := PerReading(r, "units", func(r *Release) (p people, err error) {
		p.of, p.n = table.Units(r.Original.Rows(), r.Named(r.Person), r.Named(r.household()))
		return p, nil
	})
	if err != nil {
		return nil, r.Original.Rows() // it never fails
	}
	return p.of, p.n
}

// household is the one of Persons by which households are counted; empty where none are.
func (r *Release) household() string {
	if r.Declared != nil {
		return ""
	}
	return r.Household
}

// Level is of what risks are: of households or of people where the release tells which records are theirs, else of
// records.
func (r *Release) Level() table.Level {
	switch {
	case r.household() != "":
		return table.OfHousehold
	case r.Person != "":
		return table.OfPerson
	}
	return table.OfRecord
}

// Named numbers the persons of one of Persons from 0 as they come, by row, and records that name nobody with a number
// each; nil where it is not told. It is shared and must not be written. Cost: O(n) once for all readings of a release.
func (r *Release) Named(by string) []int32 {
	told := r.Persons[by]
	if by == "" || told == nil {
		return nil
	}
	of, err := PerRelease(r, "named by "+by, func(r *Release) ([]int32, error) {
		of, number := make([]int32, r.Original.Rows()), table.NumberingOf(r.Original.Rows())
		for i := range of {
			if who, named := told[r.Original.ID(i)]; named {
				of[i] = number.Of(who)
			} else {
				of[i] = number.Another()
			}
		}
		return of, nil
	})
	if err != nil {
		return nil // it never fails
	}
	return of
}

// ByPerson returns the release as one whose units are persons where households are counted otherwise; nil where that is
// the same.
func (r *Release) ByPerson() *Release {
	if r.household() == "" {
		return nil
	}
	return r.By(r.Person)
}

// By returns the release as one whose units are the persons of one of Persons, or records where none is named, and no
// households; nil where that is the same.
func (r *Release) By(person string) *Release {
	v := *r
	v.Person, v.Declared = person, &r.Owners
	own, _ := v.People()
	if of, _ := r.People(); slices.Equal(own, of) {
		return nil
	}
	return &v
}

// Unchanged returns an original of the same records, in their order, as a release of itself: what the intruder has with
// the original in place of the release. Whose the records are is told as here.
func (r *Release) Unchanged(original *table.Table) *Release {
	return &Release{Original: original, Released: original, Paired: true, Intruder: r.Intruder, Owners: r.Owners,
		Work: NewWorkspace()}
}

// ReadAgain reports whether the release is read in several ways: by households and by persons, or as Besides has it.
func (r *Release) ReadAgain() bool { return r.Household != "" || len(r.Besides) > 0 }

// ByHousehold returns the release as one whose units are those declared, households where they are told: what By was
// called on, against the intruder of this one, or the release itself.
func (r *Release) ByHousehold() *Release {
	if r.Declared == nil {
		return r
	}
	v := *r
	v.Owners = *r.Declared
	return &v
}

// Own returns a function that returns the rows of the person of a row, ascending: the row alone where every record is a
// person's. Cost: O(n).
func (r *Release) Own() func(row int) []int {
	of, n := r.People()
	if of == nil {
		return func(row int) []int { return []int{row} }
	}
	ends := make([]int, n+1) // of the rows of every unit but the first, and before them their start
	for _, p := range of {
		ends[p+1]++
	}
	for p := range n {
		ends[p+1] += ends[p]
	}
	rows, next := make([]int, len(of)), slices.Clone(ends)
	for i, p := range of {
		rows[next[p]] = i
		next[p]++
	}
	return func(row int) []int { return rows[ends[of[row]]:ends[of[row]+1]] }
}

// Targets are people whom a measure tries, each by records of theirs: anyone who is found by one of these is found, so
// the risk of a person is the largest of them.
type Targets struct {
	Rows   []int   // of the original, ascending
	Person []int32 // by target: whose it is, numbered from 0 among those tried; nil where every record is a person's
	Tried  int     // people
	People int     // in the original
}

// mostOwn is by how many records a person is tried at most; of somebody with more every few are taken.
const mostOwn = 20

// Targets draws so many people that their records are about so many, but so many of them at least; all where there are
// no more. Whom it draws is no secret and depends on the records' identities alone, so that measures judge the same
// people. Cost: O(n).
func (r *Release) Targets(records, least int) Targets {
	of, n := r.People()
	return targetsOf(r.Original, of, n, records, least)
}

// Others is Targets of the hold-out, whose people are those of its owners where the original counts people.
func (r *Release) Others(records, least int) Targets {
	homes := r.Holdout.Households()
	if r.Declared != nil {
		homes = nil
	}
	of, n := table.Units(r.Holdout.Rows(), r.Holdout.Owners(), homes)
	if own, _ := r.People(); own == nil {
		of, n = nil, r.Holdout.Rows()
	}
	return targetsOf(r.Holdout, of, n, records, least)
}

// OneOfEach returns a row of each person of the hold-out, drawn by the records' identities, ascending: so somebody with
// many records counts as much as anybody. It is all rows where every record is a person's. Cost: O(n).
func (r *Release) OneOfEach() []int {
	of, n := r.Holdout.People()
	ids, first := r.Holdout.IDs()
	rows, seen := make([]int, 0, n), make([]bool, n)
	for _, i := range rng.Order(targets.Stream(), r.Holdout.Rows(), r.Holdout.Rows(), ids, first) {
		who := int(i)
		if of != nil {
			who = int(of[i])
		}
		if !seen[who] {
			seen[who], rows = true, append(rows, int(i))
		}
	}
	slices.Sort(rows)
	return rows
}

// targetsOf draws targets among the n people of a table.
func targetsOf(t *table.Table, of []int32, n, records, least int) Targets {
	if of == nil {
		rows := DrawnOf(t, max(least, records))
		return Targets{Rows: rows, Tried: len(rows), People: n}
	}
	ids := t.Identities(of, n)
	most := max(least, int(float64(records)*float64(n)/float64(len(of))))
	drawn := rng.Sample(targets.Stream(), most, n, ids, 0)
	place, have := make([]int32, n), make([]int32, n) // 1 + the place among those drawn; records
	for k, p := range drawn {
		place[p] = int32(k) + 1
	}
	for _, p := range of {
		have[p]++
	}
	out := Targets{Tried: len(drawn), People: n}
	seen := make([]int32, n)
	for i, p := range of {
		every := (have[p] + mostOwn - 1) / mostOwn
		if place[p] > 0 && seen[p]%every == 0 {
			out.Rows, out.Person = append(out.Rows, i), append(out.Person, place[p]-1)
		}
		seen[p]++
	}
	return out
}

// Of returns the number of the person of target k among those tried.
func (t *Targets) Of(k int) int {
	if t.Person == nil {
		return k
	}
	return int(t.Person[k])
}

// Most returns the largest figure of every person tried, given those of the targets; figures that are NaN count where
// there is no other.
func (t *Targets) Most(figures []float64) []float64 {
	return t.fold(figures, func(a, b float64) bool { return a > b })
}

// Least returns the smallest figure of every person tried, as Most does.
func (t *Targets) Least(figures []float64) []float64 {
	return t.fold(figures, func(a, b float64) bool { return a < b })
}

func (t *Targets) fold(figures []float64, before func(a, b float64) bool) []float64 {
	if t.Person == nil {
		return figures
	}
	out, seen := make([]float64, t.Tried), make([]bool, t.Tried)
	for k, p := range t.Person {
		if v := figures[k]; !seen[p] || before(v, out[p]) || out[p] != out[p] {
			out[p], seen[p] = v, true
		}
	}
	return out
}

// targets is the source by which people are drawn. It is no secret.
var targets = rng.New([32]byte{}).Fork("targets")

// DrawnOf draws so many records of a table, ascending rows; all when there are no more. Which ones depends on their
// identities alone.
func DrawnOf(t *table.Table, most int) []int {
	ids, first := t.IDs()
	return rng.Sample(targets.Stream(), most, t.Rows(), ids, first)
}

// Drawn is DrawnOf for the numbers 0..n-1.
func Drawn(n, most int) []int { return rng.Sample[uint64](targets.Stream(), most, n, nil, 0) }
