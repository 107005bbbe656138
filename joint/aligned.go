package joint

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// Key is the role of a column of the plan by which records of the same person are put together.
const Key = "key"

// Class is the role of the column of the plan that is predicted or explained.
const Class = "class"

// Aligned puts the records of a table in the order of their keys, the columns of the plan with the role key, so that
// row i is of the same person at all parties. All must have the same keys, each once: they compare a digest of them.
// Without a key in the plan the order of the table is that of all, and only the number of records is compared.
func (p *Party) Aligned(t *table.Table) (*table.Table, error) {
	names := make([]string, t.Rows())
	keyed := false
	for _, c := range p.Plan().Columns {
		if c.Role != Key {
			continue
		}
		keyed = true
		j := t.Find(c.Name)
		if j < 0 || t.Attr(j).Kind == table.SetValued {
			return nil, p.Mine(fmt.Errorf("the table has no column %q with one value for each record", c.Name))
		}
		for i := range names {
			if t.MissingAt(i, j) {
				return nil, p.Mine(fmt.Errorf("record %d has no %q, which is the key", i+1, c.Name))
			}
			names[i] += text(t, i, j) + "\x00"
		}
	}
	if keyed {
		rows := make([]int, len(names))
		for i := range rows {
			rows[i] = i
		}
		slices.SortFunc(rows, func(a, b int) int { return strings.Compare(names[a], names[b]) })
		for k := 1; k < len(rows); k++ {
			if names[rows[k]] == names[rows[k-1]] {
				return nil, p.Mine(fmt.Errorf("records %d and %d have the same key", rows[k-1]+1, rows[k]+1))
			}
		}
		t = t.Gather(rows)
		slices.Sort(names)
	}
	return t, p.compareKeys(names)
}

func text(t *table.Table, i, j int) string {
	a := t.Attr(j)
	if a.Kind == table.Numeric {
		return string(a.AppendValue(nil, t.Num(j)[i]))
	}
	return a.Labels[t.Cat(j)[i]]
}

// compareKeys tells the others a digest of the keys, which is another in every session.
func (p *Party) compareKeys(names []string) error {
	session := p.Session()
	h := sha256.New()
	h.Write(session[:])
	fmt.Fprintf(h, "%d records\n", len(names))
	for _, n := range names {
		fmt.Fprintf(h, "%d %s\n", len(n), n)
	}
	mine := h.Sum(nil)
	if err := p.SendAll("joint.keys", mine); err != nil {
		return err
	}
	for _, k := range p.Others() {
		theirs, err := p.Receive(k, "joint.keys")
		if err != nil {
			return err
		}
		if string(theirs) != string(mine) {
			return p.Blame(k, errors.New("its records are not of the same keys as ours; run the protocol intersection first, "+
				"and take the records that it leaves"))
		}
	}
	return nil
}

// Owned returns the columns of the plan that are of this party, without keys.
func (p *Party) Owned() (out []*Column) { return p.Plan().Of(p.Name(p.Me())) }

// Of returns the columns of a party, without keys and without those that each party has.
func (p *Plan) Of(party string) (out []*Column) {
	for k := range p.Columns {
		if c := &p.Columns[k]; c.Owner == party && c.Role != Key {
			out = append(out, c)
		}
	}
	return out
}
