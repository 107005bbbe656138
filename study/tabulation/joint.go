package tabulation

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tabulate"
	"github.com/dither-data/dither/tabulate/attack"
)

// Joint is what an intruder comes to who has the tables and a release of records of the same people.
type Joint struct {
	// Columns of the tables that the release has. Tables are those of which it has all, which alone are looked at.
	Columns []string `json:"columns"`
	Tables  int      `json:"tables"`
	// Unknown are released values of these columns that are neither values nor groups of the tables. What stands there is
	// not understood, so nothing is concluded from it.
	Unknown int `json:"unknown"`
	// Cells are the unsafe cells whose count is told by both; Alone those that the tables tell, and Records those that the
	// release does.
	Cells   attack.Tally `json:"cells"`
	Alone   attack.Tally `json:"alone"`
	Records attack.Tally `json:"records"`
	// People were tried by somebody who knows their values of a table but one, and looks for that one in the release. Of
	// Before one record alone is left by what the release shows, and it holds the value; of Singled it is by the tables
	// only, which rule out the values that nobody of these has.
	People  int `json:"people"`
	Before  int `json:"before"`
	Singled int `json:"singled"`
}

// Unseen is why what was found does not show that tables and release tell nothing more together; empty where all was
// looked at.
func (j *Joint) Unseen(sums bool, tables int) message.Sentence {
	switch {
	case j.Tables < tables:
		return message.Say("tables.joint.unlike").Count("n", tables-j.Tables).Count("of", tables)
	case j.Unknown > 0:
		return message.Say("tables.joint.unknown").Count("n", j.Unknown)
	case sums:
		return message.Say("tables.joint.sums")
	}
	return message.Sentence{}
}

// share is that of the people whom the tables single out.
func (j *Joint) share() float64 {
	if j.People == 0 {
		return math.NaN()
	}
	return float64(j.Singled) / float64(j.People)
}

// placed is the release, placed in the tables.
type placed struct {
	*counting
	codes   [][]int32  // by dimension, of every released record; 0, the total, where nothing is known of it; nil for none
	parts   [][][]part // by dimension and code, the codes that a record of that code counts for
	unknown int        // values that are none of the tables
}

// part is a code, and the part of a record that counts for it.
type part struct {
	code  int32
	share float64
}

// place finds the code of every released value: a value, or a group of the hierarchy, by its label. Missing values are
// taken for those that the table lacks, too, where it does, or else for suppressed ones.
func (c *counting) place(lacking bool) (*placed, error) {
	p := &placed{counting: c, codes: make([][]int32, len(c.set.Dims)), parts: make([][][]part, len(c.set.Dims))}
	for d := range c.set.Dims {
		j := c.Beside.Find(c.set.Dims[d].Name)
		if j < 0 || c.Beside.Attr(j).Kind == table.SetValued {
			continue
		}
		col, err := categories(c.Beside, j)
		if err != nil {
			return nil, err
		}
		at := map[string]int32{}
		for code, label := range c.set.Dims[d].Labels {
			at[label] = int32(code)
		}
		gap := int32(0)
		if lacking {
			gap = at[message.Say("tables.missing").String()]
		}
		codes := make([]int32, len(col.Cat))
		for i, code := range col.Cat {
			if codes[i] = gap; code >= 0 {
				known := false
				if codes[i], known = at[col.Labels[code]]; !known {
					p.unknown++
				}
			}
		}
		p.codes[d], p.parts[d] = codes, partsOf(&c.set.Dims[d])
	}
	return p, nil
}

// partsOf are, by code, the codes that hold it, which count in full, and those in it, which count by how many of its
// values they hold.
func partsOf(d *tabulate.Dimension) [][]part {
	leaves, leaf := make([]float64, len(d.Up)), make([]bool, len(d.Up))
	for _, code := range d.Leaf {
		if leaf[code] {
			continue
		}
		leaf[code] = true
		for _, up := range d.Path(code) {
			leaves[up]++
		}
	}
	out := make([][]part, len(d.Up))
	for code := range d.Up {
		for _, up := range d.Path(int32(code)) {
			out[code] = append(out[code], part{up, 1})
			if int(up) != code {
				out[up] = append(out[up], part{int32(code), leaves[code] / leaves[up]})
			}
		}
	}
	return out
}

// has reports whether the release has all columns of a table.
func (p *placed) has(dims []int) bool {
	return !slices.ContainsFunc(dims, func(d int) bool { return p.codes[d] == nil })
}

// jointly attacks tables and release together. Cost: that of the records and of the cells, times the codes that hold
// one, for every column of every table, and that of the cells for each combination of values of which some are
// suppressed or generalised.
func (c *counting) jointly(ctx context.Context, m *Made, seen *attack.Published) (*Joint, error) {
	p, err := c.place(false)
	if err != nil {
		return nil, err
	}
	as, err := c.place(true)
	if err != nil {
		return nil, err
	}
	j := &Joint{Columns: []string{}, Unknown: p.unknown}
	for d := range c.set.Dims {
		if p.codes[d] != nil {
			j.Columns = append(j.Columns, c.set.Dims[d].Name)
		}
	}
	lo, hi := seen.Bounds()
	for _, p := range []*placed{p, as} {
		if err := p.cells(ctx, m, lo, hi, j); err != nil {
			return nil, err
		}
	}
	before, singled := make([]bool, c.Table.Rows()), make([]bool, c.Table.Rows())
	for t, dims := range c.set.Of {
		if !p.has(dims) {
			continue
		}
		if j.Tables++; len(dims) > 1 {
			j.People = c.Table.Rows()
			for secret := range dims {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				p.people(m, t, secret, before, singled)
			}
		}
	}
	for i := range singled {
		switch {
		case before[i]:
			j.Before++
		case singled[i]:
			j.Singled++
		}
	}
	return j, nil
}

// fill counts the released records in each cell; NaN where the release lacks a column of the table. A record of which a
// group alone is known counts in parts for what is in it.
func (p *placed) fill(ctx context.Context) ([]float64, error) {
	out, tables := make([]float64, len(p.set.Cells)), len(p.set.Of)
	cells, own := make([]map[uint64]int, tables), make([][]int, tables)
	for t := range cells {
		cells[t] = map[uint64]int{}
	}
	for c := range p.set.Cells {
		cell := &p.set.Cells[c]
		cells[cell.Table][p.set.Key(p.set.Of[cell.Table], cell.Codes)] = c
		own[cell.Table] = append(own[cell.Table], c)
		if !p.has(p.set.Of[cell.Table]) {
			out[c] = math.NaN()
		}
	}
	for t, dims := range p.set.Of {
		if !p.has(dims) {
			continue
		}
		times := map[uint64]float64{}
		var first []int
		for i := range p.Beside.Rows() {
			k := p.set.Key(dims, p.released(dims, i))
			if times[k]++; times[k] == 1 {
				first = append(first, i)
			}
		}
		for _, i := range first {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			codes := p.released(dims, i)
			n := times[p.set.Key(dims, codes)]
			if p.combinations(dims, codes) > len(own[t]) {
				p.gather(dims, codes, n, own[t], out)
			} else {
				p.spread(dims, codes, n, cells[t], out)
			}
		}
	}
	return out, nil
}

// combinations is how many combinations of codes a released record may count for; more than there are cells where that
// is more than a whole number holds.
func (p *placed) combinations(dims []int, codes []int32) int {
	n := 1
	for k, d := range dims {
		if n *= len(p.parts[d][codes[k]]); n > 1<<40 {
			return n
		}
	}
	return n
}

// gather is spread by the cells, for a record that may count for more combinations than there are.
func (p *placed) gather(dims []int, codes []int32, times float64, own []int, out []float64) {
	shares := make([]map[int32]float64, len(dims))
	for k, d := range dims {
		shares[k] = map[int32]float64{}
		for _, x := range p.parts[d][codes[k]] {
			shares[k][x.code] = x.share
		}
	}
	for _, c := range own {
		share := 1.0
		for k, code := range p.set.Cells[c].Codes {
			share = float64(share * shares[k][code])
		}
		out[c] += float64(share * times)
	}
}

// released are the codes of a released record.
func (p *placed) released(dims []int, i int) []int32 {
	out := make([]int32, len(dims))
	for k, d := range dims {
		out[k] = p.codes[d][i]
	}
	return out
}

// spread adds so many released records of one combination of codes to the cells that they count for.
func (p *placed) spread(dims []int, codes []int32, times float64, cells map[uint64]int, out []float64) {
	at := make([]int32, len(dims))
	var visit func(k int, share float64)
	visit = func(k int, share float64) {
		if k == len(dims) {
			if c, ok := cells[p.set.Key(dims, at)]; ok {
				out[c] += float64(share * times)
			}
			return
		}
		for _, x := range p.parts[dims[k]][codes[k]] {
			at[k] = x.code
			visit(k+1, float64(share*x.share))
		}
	}
	visit(0, 1)
}

// cells counts the unsafe cells whose count is told: by the tables alone, by the released records in it and, of both,
// by the nearest number to these that the tables leave open.
func (p *placed) cells(ctx context.Context, m *Made, lo, hi []float64, best *Joint) error {
	records, err := p.fill(ctx)
	if err != nil {
		return err
	}
	j := Joint{}
	var truth []int
	for c, f := range p.set.First() {
		if !m.Unsafe[c] || int(f) != c {
			continue
		}
		n := p.set.Cells[c].Records
		truth = append(truth, n)
		right := func(t *attack.Tally, guess float64) {
			if t.Tried++; !math.IsNaN(guess) && int(math.Round(guess)) == n {
				t.Right++
			}
		}
		right(&j.Alone, lo[c])
		right(&j.Records, records[c])
		right(&j.Cells, min(max(records[c], lo[c]), hi[c]))
	}
	if g := m.Found.Guessed; g != nil {
		j.Alone.Right = max(j.Alone.Right, g.Right)
	}
	j.Cells.Right = max(j.Cells.Right, j.Records.Right, j.Alone.Right)
	for into, t := range map[*attack.Tally]attack.Tally{&best.Cells: j.Cells, &best.Records: j.Records,
		&best.Alone: j.Alone} {
		if t.Control = attack.Commonest(truth); t.Right >= into.Right {
			*into = t
		}
	}
	return nil
}

// people finds whom the release singles out, and whom it does once a table rules out what it shows to be nobody's:
// people of whom an intruder knows the values of the table but that of a secret column. Several of whom the same is
// known are as good as each other.
func (p *placed) people(m *Made, t, secret int, before, singled []bool) {
	dims := p.set.Of[t]
	known := slices.Delete(slices.Clone(dims), secret, secret+1)
	hidden := &p.set.Dims[dims[secret]]
	of := map[uint64]map[int32]int{} // by known codes, how many released records have each code of the secret
	for i := range p.Beside.Rows() {
		k := p.set.Key(known, p.released(known, i))
		if of[k] == nil {
			of[k] = map[int32]int{}
		}
		of[k][p.codes[dims[secret]][i]]++
	}
	occurs := map[uint64]bool{} // combinations that the table shows somebody in
	for c := range p.set.Cells {
		if cell := &p.set.Cells[c]; cell.Table == t && m.Shown[c] != 0 {
			occurs[p.set.Key(dims, cell.Codes)] = true
		}
	}
	them := map[uint64]int{} // by known codes, the row and 1; -1 of several
	for i := range p.Table.Rows() {
		k := p.set.Key(known, p.leaves(known, i))
		if them[k] == 0 {
			them[k] = i + 1
		} else {
			them[k] = -1
		}
	}
	full := make([]int32, len(dims))
	for _, at := range them {
		if at < 0 {
			continue
		}
		i, all, left, last := at-1, 0, 0, int32(-1)
		leaves := p.leaves(known, i)
		copy(full, leaves[:secret])
		copy(full[secret+1:], leaves[secret:])
		p.groups(known, leaves, func(codes []int32) {
			for code, n := range of[p.set.Key(known, codes)] {
				full[secret] = code
				if all += n; occurs[p.set.Key(dims, full)] {
					left, last = left+n, code
				}
			}
		})
		mine := last >= 0 && slices.Contains(hidden.Path(hidden.Leaf[i]), last)
		before[i] = before[i] || all == 1 && mine
		singled[i] = singled[i] || left == 1 && mine
	}
}

// leaves are the finest codes of a person.
func (p *placed) leaves(dims []int, i int) (out []int32) {
	for _, d := range dims {
		out = append(out, p.set.Dims[d].Leaf[i])
	}
	return out
}

// groups calls f with all combinations of codes that hold those of a person.
func (p *placed) groups(dims []int, leaves []int32, f func(codes []int32)) {
	codes := make([]int32, len(dims))
	var visit func(k int)
	visit = func(k int) {
		if k == len(dims) {
			f(codes)
			return
		}
		for _, codes[k] = range p.set.Dims[dims[k]].Path(leaves[k]) {
			visit(k + 1)
		}
	}
	visit(0)
}

// told counts the records of whom zeros tell the value of a column, to anyone who knows those of the others of a table:
// all who share these are in one cell. Cost: that of the inner cells, for every column of every table.
func told(s *tabulate.Set) (records int) {
	out := make([]bool, s.Inner())
	for _, dims := range s.Of {
		if len(dims) < 2 {
			continue
		}
		for secret := range dims {
			known, value := slices.Delete(slices.Clone(dims), secret, secret+1), map[uint64]int32{} // -1 for several
			of := func(i int) (key uint64, code int32) {
				record := s.InnerRecords[s.InnerStart[i]]
				codes := make([]int32, 0, len(known))
				for _, d := range known {
					codes = append(codes, s.Dims[d].Leaf[record])
				}
				return s.Key(known, codes), s.Dims[dims[secret]].Leaf[record]
			}
			for i := range out {
				k, v := of(i)
				if was, ok := value[k]; ok && was != v {
					v = -1
				}
				value[k] = v
			}
			for i := range out {
				if k, _ := of(i); value[k] >= 0 {
					out[i] = true
				}
			}
		}
	}
	for i, t := range out {
		if t {
			records += int(s.InnerStart[i+1] - s.InnerStart[i])
		}
	}
	return records
}
