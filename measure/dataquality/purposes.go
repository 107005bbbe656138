package dataquality

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/table"
)

// Options are the parameters that the measures share.
type Options struct {
	IQM string
}

// Params declares the parameters.
func (o *Options) Params() param.Set {
	return param.Set{param.Text(&o.IQM, "iqm", "text of an information quality model, as written by dither inspect "+
		"--write-iqm: purposes with weights, attributes and constraints")}.Shared()
}

// Model reads the model; nil where none is given.
func (o *Options) Model() (*quality.Model, error) {
	if o.IQM == "" {
		return nil, nil
	}
	return quality.Parse("quality model", []byte(o.IQM))
}

// Pair returns what is compared: the records of the release with the exact originals, by what is known of who is who,
// else by the key of the model, where one is given and both tables have it. It does not apply where records cannot be
// paired.
func Pair(r *measure.Release, m *quality.Model) (quality.Pair, error) {
	if err := r.Check(); err != nil {
		return quality.Pair{}, err
	}
	p := quality.Pair{Original: r.Original, Released: r.Released, Groups: r.Exact != nil}
	if r.Exact != nil {
		p.Original = r.Exact
	}
	var err error
	switch {
	case r.Paired:
	case r.Matched != nil:
		p.Rows = matched(r.Original, r.Matched)
	case m != nil && len(m.Key) > 0 && has(p.Original, m.Key) && has(p.Released, m.Key):
		p.Rows, err = quality.Join(p.Original, p.Released, m.Key)
	default:
		return p, measure.NotApplicable(message.Say("measure.skipped.modelPairs"))
	}
	return p, err
}

// has reports whether a table has all columns.
func has(t *table.Table, names []string) bool {
	for _, n := range names {
		if t.Find(n) < 0 {
			return false
		}
	}
	return true
}

// matched returns the rows of the original that released records were made of, by their identities.
func matched(original, of *table.Table) []int32 {
	at := make(map[table.RecordID]int32, original.Rows())
	for i := range original.Rows() {
		at[original.ID(i)] = int32(i)
	}
	rows := make([]int32, of.Rows())
	for i := range rows {
		rows[i] = -1
		if o, ok := at[of.ID(i)]; ok {
			rows[i] = o
		}
	}
	return rows
}
