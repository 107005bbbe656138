package protecttest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// people checks a technique that promises a k of people: on a table in which people have one to five records, no
// records that it promises to be alike are of fewer than k people, counted one by one (Options.Promise and Alike). One
// that counts records says so, and one that counts people is held to it with every set of parameters that is tested.
func (s *suite) people() error {
	q, err := s.technique(nil)
	if err != nil {
		return err
	}
	values := q.Params().Values()
	name := cmp.Or(s.opt.Promise, "k")
	at := slices.IndexFunc(values, func(v param.Value) bool { return v.Name == name })
	counts := at >= 0 && values[at].Unit == "people"
	if counts != (s.m.People != "") {
		return fmt.Errorf("the card says %q of people, and parameter %s counts them: %v", s.m.People, name, counts)
	}
	if !counts {
		return nil
	}
	k := values[at].Value.(int)
	t := s.crowded()
	p, err := s.fit(context.Background(), t, 1, nil)
	if err != nil {
		return fmt.Errorf("fit where people have several records: %w", err)
	}
	groups := s.opt.Alike
	if groups == nil {
		groups = Alike
	}
	for _, of := range []protect.Plan{p, s.again(p)} {
		out, err := apply(of, t, 1)
		if err != nil {
			return err
		}
		if err := enough(groups(p, t, out), t.Owners(), k); err != nil {
			return err
		}
		if _, err = apply(of, t.Owned(nil), 1); err != nil {
			return err
		}
	}
	return s.oneEach(t)
}

// again returns a plan as it is read back from its file; the plan itself where that fails, which another check reports.
func (s *suite) again(p protect.Plan) protect.Plan {
	data, err := protect.Encode(s.m.Name, nil, p)
	if err != nil {
		return p
	}
	_, back, err := protect.Decode(data, func(string) (protect.Method, bool) { return s.m, true })
	if err != nil {
		return p
	}
	return back
}

// oneEach compares the release of a table of which everybody has one record, told and not told: they are the same.
func (s *suite) oneEach(t *table.Table) error {
	each := make([]int32, t.Rows())
	for i := range each {
		each[i] = int32(len(each) - i)
	}
	var made [2]*table.Table
	for n, t := range []*table.Table{t.Owned(nil), t.Owned(each)} {
		p, err := s.fit(context.Background(), t, 1, nil)
		if err != nil {
			return err
		}
		if made[n], err = apply(p, t, 1); err != nil {
			return err
		}
	}
	return equal(made[0], made[1])
}

// crowded returns the suite's mixed table with some records again, as records of people who have one to five: half of
// them are like the person's first.
func (s *suite) crowded() *table.Table {
	t := s.mixed(records())
	r := rand.New(rand.NewPCG(4, 2))
	var rows []int
	var whose []int32
	for p := range int32(200) {
		first := r.IntN(t.Rows())
		for range 1 + r.IntN(5) {
			row := first
			if r.IntN(2) == 0 {
				row = r.IntN(t.Rows())
			}
			rows, whose = append(rows, row), append(whose, p)
		}
	}
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j], whose[i], whose[j] = rows[j], rows[i], whose[j], whose[i] })
	ids := make([]table.RecordID, len(rows))
	for i := range ids {
		ids[i] = table.RecordID(i)
	}
	return t.Gather(rows).Identified(ids).Owned(whose)
}

// enough refuses a group of fewer than k people.
func enough(groups [][]int, whose []int32, k int) error {
	if len(groups) == 0 {
		return fmt.Errorf("the release has no records that are alike")
	}
	for _, rows := range groups {
		who := map[int32]bool{}
		for _, i := range rows {
			who[whose[i]] = true
		}
		if len(who) < k {
			return fmt.Errorf("%d records that are alike are of %d people, expected k = %d", len(rows), len(who), k)
		}
	}
	return nil
}

// Alike returns the rows that agree in all columns that a plan changes; a missing value is one of its own.
func Alike(p protect.Plan, _, release *table.Table) [][]int {
	return by(release, func(j int) bool { return slices.Contains(p.Changes(), release.Attr(j).Name) }, true)
}

// EachColumn returns the rows that agree in one of the columns that a plan changes; what is missing agrees with
// nothing.
func EachColumn(p protect.Plan, _, release *table.Table) (groups [][]int) {
	for j := range release.Width() {
		if slices.Contains(p.Changes(), release.Attr(j).Name) {
			groups = append(groups, by(release, func(k int) bool { return k == j }, false)...)
		}
	}
	return groups
}

// Highest returns the rows that have the highest value of a column that a plan changes, for each but those named.
func Highest(except ...string) func(p protect.Plan, _, release *table.Table) [][]int {
	return extreme(1, except)
}

// Lowest returns the rows that have the lowest value of a column that a plan changes, for each but those named.
func Lowest(except ...string) func(p protect.Plan, _, release *table.Table) [][]int {
	return extreme(-1, except)
}

func extreme(sign float64, except []string) func(p protect.Plan, _, release *table.Table) [][]int {
	return func(p protect.Plan, _, release *table.Table) (groups [][]int) {
		for _, name := range p.Changes() {
			if slices.Contains(except, name) {
				continue
			}
			c := release.Column(release.Find(name))
			values := c.Numbers()
			most := math.Inf(-1)
			for _, v := range values {
				if v == v {
					most = max(most, sign*v)
				}
			}
			var rows []int
			for i, v := range values {
				if sign*v == most {
					rows = append(rows, i)
				}
			}
			groups = append(groups, rows)
		}
		return groups
	}
}

// by groups the rows of a table by some columns.
func by(t *table.Table, in func(j int) bool, missing bool) (groups [][]int) {
	at := map[string]int{}
	for i := range t.Rows() {
		var key []byte
		lacks := false
		for j := range t.Width() {
			if c := t.Column(j); in(j) {
				lacks = lacks || c.MissingAt(i)
				key = append(c.AppendKey(append(key, '|'), i), byte('|'))
			}
		}
		if lacks && !missing {
			continue
		}
		n, ok := at[string(key)]
		if !ok {
			n = len(groups)
			at[string(key)] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], i)
	}
	return groups
}
