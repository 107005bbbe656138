package reading

import (
	"maps"
	"slices"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// Dropped is how many texts about the columns of a table its release does not have.
type Dropped struct {
	Questions int // labels of variables that tell who somebody is
	Labels    int // labels of values that nobody has in the release
}

// Labelled returns a release without the labels that tell of its original: of questions that hold a name or another
// value of an identifier; of categories that nobody has in the release, unless nobody had them in the original and they
// are plain words; and of numbers, where they are no plain words. What the policy lists as the values of a column
// stays. Cost: O(records) per column with labels.
func Labelled(s *judge.Subject, out *table.Table, opt format.Options) (*table.Table, format.Options, Dropped) {
	var d Dropped
	for j := range out.Width() {
		a := out.Attr(j)
		if a.Kind != table.Categorical || !a.Declared || s.Policy.Columns[a.Name].Values != nil {
			continue
		}
		own := map[string]bool{} // of the original
		if k := s.Table.Find(a.Name); k >= 0 && s.Table.Attr(k).Kind == a.Kind {
			own = used(s.Table, k)
		}
		is, gone, n := used(out, j), make([]bool, len(a.Labels)), 0
		for k, l := range a.Labels {
			if gone[k] = !is[l] && (own[l] || profile.TellsAlone(l)); gone[k] {
				n++
			}
		}
		if n > 0 {
			out, d.Labels = out.Without(j, gone, ""), d.Labels+n
		}
	}
	if len(opt.Codebook) == 0 {
		return out, opt, d
	}
	names := slices.Sorted(maps.Keys(opt.Codebook))
	var questions []string
	for _, name := range names {
		questions = append(questions, opt.Codebook[name].Label)
	}
	for _, r := range opt.Responses {
		questions = append(questions, r.Label)
	}
	tells := study.Carrying(s.Table, s.Suppressed, questions)
	book := maps.Clone(opt.Codebook)
	for k, name := range names {
		v := book[name]
		if tells[k] {
			v.Label = ""
			d.Questions++
		}
		if j := out.Find(name); j >= 0 && out.Attr(j).Kind == table.Numeric {
			v.Values = slices.DeleteFunc(slices.Clone(v.Values), func(l codebook.Value) bool {
				return profile.TellsAlone(l.Label)
			})
			d.Labels += len(book[name].Values) - len(v.Values)
		}
		v.Spare = slices.DeleteFunc(slices.Clone(v.Spare), func(l codebook.Value) bool { return profile.TellsAlone(l.Label) })
		d.Labels += len(book[name].Spare) - len(v.Spare)
		book[name] = v
	}
	opt.Codebook = book
	opt.Responses = responses(opt.Responses, tells[len(names):], &d)
	return out, opt, d
}

// responses returns sets of multiple responses without the labels that tell who somebody is, and none that counts a
// value which does.
func responses(sets []codebook.Responses, tells []bool, d *Dropped) (out []codebook.Responses) {
	for k, r := range sets {
		if tells[k] {
			r.Label = ""
			d.Questions++
		}
		if !profile.TellsAlone(r.Counted) {
			out = append(out, r)
		}
	}
	return out
}

// used are the labels that records have.
func used(t *table.Table, j int) map[string]bool {
	out := map[string]bool{}
	labels := t.Attr(j).Labels
	for _, v := range t.Cat(j) {
		if v >= 0 {
			out[labels[v]] = true
		}
	}
	return out
}

// Note says what was dropped; empty where nothing was.
func (d Dropped) Note() message.Sentence {
	if d == (Dropped{}) {
		return message.Sentence{}
	}
	return message.Say("withheld.labels").Count("labels", d.Labels).Count("questions", d.Questions)
}
