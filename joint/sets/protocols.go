package sets

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Protocols are the catalogue entries.
var Protocols = []joint.Protocol{
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "intersectionsize",
				Title:   "Secure size of set intersection",
				Aliases: []string{"intersection size", "psi cardinality"},
				Summary: "Counts the keys that all parties have, by encryption that commutes.",
				Paper:   "Clifton et al. 2002, section 3.3; Islam 2008, section 3.3",
				Needs:   "records of each party, with the key of the plan",
				Exposes: "how many keys all parties have in common",
				Missing: "records without a key are not counted",
				Cost:    "as many group operations for a key as there are parties, 32 bytes for each; as many rounds, and one",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but one learn no key of another that they do not have; with its key they test guesses",
			Leaks: "how many keys any group of parties has in common, also below the minimum cell, and how many keys each " +
				"party has, unless size pads them",
		},
		Roles: holders(2),
		New:   func() joint.Computation { return param.Default(&intersectionSize{}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "intersection",
				Title:   "Private set intersection",
				Aliases: []string{"psi", "set intersection"},
				Summary: "Tells each party which of its keys all others have, too.",
				Paper:   "Agrawal, Evfimievski & Srikant 2003; Islam 2008, section 3.3",
				Needs:   "records of each party, with the key of the plan",
				Changes: "each party keeps its records of the keys that all have",
				Exposes: "which keys all parties have; a party that brings made-up keys learns whether they are among the others'",
				Missing: "records without a key are left out",
				Cost: "as many group operations for a key as there are parties, and two; 32 bytes for each; as many rounds, " +
					"and two",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but one learn no key of another that they do not have",
			Leaks:    "how many keys each party has, and how many any group of parties has in common",
		},
		Roles: holders(2),
		New:   func() joint.Computation { return &intersection{} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "pseudonyms",
				Title:   "Common pseudonyms by blinded evaluation",
				Aliases: []string{"oblivious pseudonyms", "record linkage by pseudonyms"},
				Summary: "Gives each key a pseudonym, the same at all parties, that none can undo alone.",
				Paper:   "Agrawal, Evfimievski & Srikant 2003; Davidson et al., RFC 9497, 2023",
				Needs:   "records of each party, with the key of the plan",
				Changes: "the key becomes a pseudonym",
				Exposes: "who is in the tables of several parties, to those who see these tables together",
				Missing: "a missing key stays missing",
				Cost:    "as many group operations for a key as there are parties, and one; 32 bytes for each; as many rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but one tell no key by its pseudonym",
			Leaks:    "how many keys each party has",
		},
		Roles: holders(2),
		New:   func() joint.Computation { return &pseudonyms{} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "setunion",
				Title:   "Secure set union",
				Aliases: []string{"set union", "private set union"},
				Summary: "Lists the keys that any party has, without saying which.",
				Paper:   "Clifton et al. 2002, section 3.2; Islam 2008, section 3.3",
				Needs:   "records of each party, with the key of the plan, of at most 29 bytes",
				Exposes: "the union",
				Missing: "records without a key are left out",
				Cost:    "twice as many group operations for a key as there are parties; 33 bytes for each; twice as many rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "two neighbours together learn of what is between them only what the union says",
			Leaks:    "to the first party: how many keys any group of parties has in common",
		},
		Roles: holders(3),
		Two:   []string{"intersection", "intersectionsize"},
		New:   func() joint.Computation { return param.Default(&setUnion{}) },
	},
}

func holders(least int) []joint.Role {
	return []joint.Role{{Name: "holder", Help: "brings records with keys", Least: least, Table: true}}
}

// mostSize is how large a set may be.
const mostSize = 10_000_000

// keys are the key of the plan in a table.
type keys struct {
	items [][]byte // different keys
	of    []int    // by record: its key; -1: none
}

// checkKey asks for columns that are the key, and nothing else.
func checkKey(p *joint.Plan) error {
	if len(p.Columns) == 0 {
		return joint.ColumnsFault("none is the key, which each party has")
	}
	for k := range p.Columns {
		if c := &p.Columns[k]; c.Owner != "" || c.Values != nil || c.Role != joint.Key {
			return joint.ColumnsFault("%q must have the role key, and no owner and values", c.Name)
		}
	}
	return nil
}

// keysOf reads the key: the values of its columns as files have them.
func keysOf(p *joint.Party, t *table.Table) (*keys, error) {
	k := &keys{of: make([]int, t.Rows())}
	var at []int
	for _, c := range p.Plan().Columns {
		j := t.Find(c.Name)
		if j < 0 || t.Attr(j).Kind == table.SetValued {
			return nil, p.Mine(fmt.Errorf("the table has no column %q with one value for each record", c.Name))
		}
		at = append(at, j)
	}
	number := map[string]int{}
	for i := range k.of {
		item, known := keyOf(t, at, i)
		if k.of[i] = -1; !known {
			continue
		}
		n, ok := number[string(item)]
		if !ok {
			n = len(k.items)
			number[string(item)] = n
			k.items = append(k.items, item)
		}
		k.of[i] = n
	}
	return k, nil
}

// keyOf is the key of a record: its only value, or all of them with a zero byte after each.
func keyOf(t *table.Table, at []int, i int) (item []byte, known bool) {
	for n, j := range at {
		if t.MissingAt(i, j) {
			return nil, false
		}
		if n > 0 {
			item = append(item, 0)
		}
		if a := t.Attr(j); a.Kind == table.Numeric {
			item = a.AppendValue(item, t.Num(j)[i])
		} else {
			item = append(item, a.Labels[t.Cat(j)[i]]...)
		}
	}
	return item, true
}

type intersectionSize struct{ size int }

func (q *intersectionSize) Params() param.Set { return param.Set{sizeParam(&q.size, 0)} }

func sizeParam(p *int, def int) param.Param {
	return param.Int(p, "size", def, 0, mostSize, "keys", "each set is padded to this size with keys that nobody has")
}

func (q *intersectionSize) CheckPlan(p *joint.Plan) error { return checkKey(p) }

func (q *intersectionSize) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	k, err := keysOf(p, t)
	if err != nil {
		return nil, err
	}
	n, err := Common(p, k.items, q.size)
	return &joint.Result{Figures: []joint.Figure{common(p, n)}}, err
}

// common is the figure of how many keys are common, where the guard shows it.
func common(p *joint.Party, n int) joint.Figure {
	f := joint.Figure{Name: "common keys", Value: int64(n)}
	if !p.Plan().Least.Shows(int64(n)) {
		f.Value = joint.Withheld{Why: joint.BelowCell}
	}
	return f
}

type intersection struct{}

func (q *intersection) Params() param.Set { return nil }

func (q *intersection) CheckPlan(p *joint.Plan) error { return checkKey(p) }

func (q *intersection) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	k, err := keysOf(p, t)
	if err != nil {
		return nil, err
	}
	mine, err := Pseudonyms(p, k.items)
	if err != nil {
		return nil, err
	}
	have, err := exchange(p, mine)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, s := range mine {
		if have[s] == p.Parties()-1 {
			n++
		}
	}
	f := common(p, n)
	rows := []int{}
	for i, at := range k.of {
		if _, hidden := f.Value.(joint.Withheld); !hidden && at >= 0 && have[mine[at]] == p.Parties()-1 {
			rows = append(rows, i)
		}
	}
	return &joint.Result{Figures: []joint.Figure{f}, Release: t.Gather(rows)}, nil
}

type pseudonyms struct{}

func (q *pseudonyms) Params() param.Set { return nil }

func (q *pseudonyms) CheckPlan(p *joint.Plan) error { return checkKey(p) }

func (q *pseudonyms) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	k, err := keysOf(p, t)
	if err != nil {
		return nil, err
	}
	names, err := Pseudonyms(p, k.items)
	if err != nil {
		return nil, err
	}
	labels := slices.Sorted(slices.Values(names))
	codes := make([]int32, t.Rows())
	for i, at := range k.of {
		if codes[i] = -1; at >= 0 {
			n, _ := slices.BinarySearch(labels, names[at])
			codes[i] = int32(n)
		}
	}
	cols := []table.Column{table.CatColumn("pseudonym", labels, codes)}
	for j := range t.Width() {
		name := t.Attr(j).Name
		if !slices.ContainsFunc(p.Plan().Columns, func(c joint.Column) bool { return c.Name == name }) {
			cols = append(cols, t.Column(j))
		}
	}
	out, err := t.WithColumns(cols)
	return &joint.Result{Figures: []joint.Figure{{Name: "own keys", Value: int64(len(names))}}, Release: out}, err
}

type setUnion struct{ size int }

func (q *setUnion) Params() param.Set { return param.Set{sizeParam(&q.size, 1000)} }

// CheckPlan asks for a key that is text, and one column.
func (q *setUnion) CheckPlan(p *joint.Plan) error {
	if err := checkKey(p); err != nil || len(p.Columns) == 1 {
		return err
	}
	return joint.ColumnsFault("a union is of one column")
}

func (q *setUnion) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	k, err := keysOf(p, t)
	if err != nil {
		return nil, err
	}
	items, err := Union(p, k.items, q.size)
	if err != nil {
		return nil, err
	}
	out := joint.ResultTable{Name: "union", Columns: []string{p.Plan().Columns[0].Name}}
	for _, item := range items {
		out.Rows = append(out.Rows, []any{string(item)})
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "keys", Value: int64(len(items))}},
		Tables: []joint.ResultTable{out}}, nil
}
