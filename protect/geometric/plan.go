package geometric

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// The kinds of Transform.
const (
	Shift  = "shift"  // u + By
	Scale  = "scale"  // u times By
	Rotate = "rotate" // (u cos By + v sin By, -u sin By + v cos By) about the centre of the unit square, By in degrees
)

// centre is what rotations turn about: half way between the ends of the domains, so that most values stay inside.
const centre = 0.5

// Transform is one step of a Plan. It works on values u = (x - lo) / (hi - lo) of the domain [lo, hi] of their
// attribute.
type Transform struct {
	Kind    string  `json:"kind"`
	Columns []int   `json:"columns"` // positions in the schema: one or, of a rotation, two
	By      float64 `json:"by"`      // share of the range, factor, or angle in degrees
}

// Plan is one map for all records: a sequence of shifts, scalings and rotations of numeric attributes (Oliveira &
// Zaiane 2003). Fit draws it and the plan holds it, so Apply draws nothing, and anyone who has the plan can take a
// release back.
//
// A missing value stays missing. Beside one a rotation takes the mean of the other attribute, as it is at that step,
// in its place. A value outside the domain counts as the nearest end before. Released values lie on the grid that Grid
// says, and leave the domain: an observed one is widened (Widened), while a declared one holds and values outside
// become its nearest end, which spoils the geometry. Cost of Apply: O(records * columns).
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"`        // positions in the schema, ascending
	Steps   []Transform       `json:"steps"`          // in this order
	Mean    []float64         `json:"mean"`           // of u, by position in Columns
	Grid    string            `json:"grid,omitempty"` // GridKeep or GridFiner
	// Security is Var(X - Y) / Var(X) for released Y, before rounding, by position in Columns.
	Security []float64 `json:"security"`
	Constant []int     `json:"constant,omitempty"` // positions in the schema of the columns that do not vary and are left alone
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	var kinds []message.Sentence
	seen := map[string]bool{}
	for _, s := range p.Steps {
		if !seen[string(s.Kind)] {
			seen[string(s.Kind)] = true
			kinds = append(kinds, message.Say("does.map."+string(s.Kind)))
		}
	}
	return message.Say("does.oneMap").Part("how", message.Listed(kinds))
}

// Notes says that the map is no protection, what security is reached, and where the geometry is not kept.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	for _, j := range p.Constant {
		out = append(out, message.Say("plan.constant").Name("column", p.Attrs[j].Name))
	}
	if len(p.Columns) == 0 {
		return out
	}
	reached := make([]message.Sentence, len(p.Columns))
	var declared []string
	for k, j := range p.Columns {
		reached[k] = message.Column(p.Attrs[j].Name, message.Digits(p.Security[k], 3))
		if p.Attrs[j].Declared {
			declared = append(declared, p.Attrs[j].Name)
		}
	}
	out = append(out, message.Say("plan.map.known").Count("n", p.known()),
		message.Say("plan.map.variance").Part("columns", message.Listed(reached)))
	if declared != nil {
		out = append(out, message.Say("plan.map.forced").Quoted("columns", declared))
	}
	return out
}

// known is how many records determine the map: of an attribute that is shifted only one, otherwise one more than the
// attributes that the released one is made of.
func (p *Plan) known() int {
	most := 1
	for k, row := range p.linear() {
		made := 0
		for _, c := range row {
			if c != 0 {
				made++
			}
		}
		if made > 1 || row[k] != 1 {
			most = max(most, made+1)
		}
	}
	return most
}

// linear returns the matrix of the map without its shifts: row k has the coefficients of u that the k-th released
// column is made of.
func (p *Plan) linear() [][]float64 {
	m := fence.Columns(len(p.Columns), len(p.Columns))
	for k := range m {
		m[k][k] = 1
	}
	for _, s := range p.Steps {
		a, _ := slices.BinarySearch(p.Columns, s.Columns[0])
		switch s.Kind {
		case Scale:
			floats.Scale(s.By, m[a])
		case Rotate:
			b, _ := slices.BinarySearch(p.Columns, s.Columns[1])
			sin, cos := portable.Sincos(s.By * math.Pi / 180)
			turn(m[a], m[b], 0, 0, 0, sin, cos)
		}
	}
	return m
}

// Check refuses a decoded plan with columns that are not usable, or steps that are none.
func (p *Plan) Check() error {
	if err := protect.CheckColumns(p.Attrs, p.Constant, table.Numeric); err != nil {
		return err
	}
	if err := protect.CheckColumns(p.Attrs, p.Columns, table.Numeric); err != nil {
		return err
	}
	if len(p.Mean) != len(p.Columns) || len(p.Security) != len(p.Columns) {
		return fmt.Errorf("there are %d means and %d securities for %d columns", len(p.Mean), len(p.Security), len(p.Columns))
	}
	for k, j := range p.Columns {
		if d := p.Attrs[j].Domain; !(d.Lo < d.Hi) {
			return fmt.Errorf("column %q has a domain of one value", p.Attrs[j].Name)
		}
		if !(math.Abs(p.Mean[k]) <= 1e6) || !(p.Security[k] >= 0) || math.IsInf(p.Security[k], 0) {
			return fmt.Errorf("column %q has an unusable mean or security", p.Attrs[j].Name)
		}
	}
	if p.Grid != "" && p.Grid != fence.GridKeep && p.Grid != fence.GridFiner {
		return fmt.Errorf("the grid is %q; expected %s or %s", p.Grid, fence.GridKeep, fence.GridFiner)
	}
	return p.checkSteps()
}

// farthest bounds shifts and factors: margin, so that they leave a value inside a widened domain.
const farthest = fence.Margin

// checkSteps refuses steps that do not fit the columns; no column is shifted or scaled twice, so values stay finite.
func (p *Plan) checkSteps() error {
	seen := make(map[int]bool)
	for _, s := range p.Steps {
		columns, most := 1, float64(farthest)
		switch s.Kind {
		case Rotate:
			columns, most = 2, 360
		case Shift, Scale:
		default:
			return fmt.Errorf("a step is %q; expected %s, %s or %s", s.Kind, Shift, Scale, Rotate)
		}
		if !(math.Abs(s.By) <= most) || s.Kind == Scale && !(s.By > 0) {
			return fmt.Errorf("a %s is by %v; expected up to %v, and of a factor above 0", s.Kind, s.By, most)
		}
		if len(s.Columns) != columns || columns == 2 && s.Columns[0] == s.Columns[1] {
			return fmt.Errorf("a %s is of %d columns; expected %d different ones", s.Kind, len(s.Columns), columns)
		}
		for _, j := range s.Columns {
			if !slices.Contains(p.Columns, j) {
				return errors.New("a step is of a column that the plan does not change")
			}
			if s.Kind != Rotate && seen[j] {
				return fmt.Errorf("column %q is shifted or scaled twice", p.Attrs[j].Name)
			}
			seen[j] = seen[j] || s.Kind != Rotate
		}
	}
	return nil
}

// released returns the attribute of a column as it is released.
func (p *Plan) released(j int) table.Attribute {
	a := fence.Widened(p.Attrs[j], fence.OutsideAllow)
	if p.Grid == fence.GridFiner {
		a = fence.Finer(a)
	}
	return a
}

// Apply maps the records. It draws nothing.
func (p *Plan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	u := make([][]float64, len(p.Columns))
	for k, j := range p.Columns {
		u[k] = make([]float64, chunk.Rows())
		for i, x := range cols[j].Num {
			u[k][i] = unit(&p.Attrs[j], x)
		}
	}
	p.run(u)
	for k, j := range p.Columns {
		a := p.released(j)
		d := wrap.On(a.Domain, a.Step)
		for i, v := range u[k] {
			u[k][i] = d.Clip(restored(&p.Attrs[j], v))
		}
		cols[j].Num, cols[j].Domain, cols[j].Step = u[k], a.Domain, a.Step
	}
	return chunk.WithColumns(cols)
}

// unit brings a value to the unit interval; one outside the domain counts as the nearest end.
func unit(a *table.Attribute, x float64) float64 {
	return (max(min(x, a.Domain.Hi), a.Domain.Lo) - a.Domain.Lo) / (a.Domain.Hi - a.Domain.Lo)
}

// restored is the inverse of unit, for any number.
func restored(a *table.Attribute, u float64) float64 {
	return a.Domain.Lo + float64(u*(a.Domain.Hi-a.Domain.Lo))
}

// run takes columns of values through the steps; NaN stays.
func (p *Plan) run(u [][]float64) {
	mean := slices.Clone(p.Mean)
	for _, s := range p.Steps {
		a, _ := slices.BinarySearch(p.Columns, s.Columns[0])
		switch s.Kind {
		case Shift:
			mean[a] += s.By
			for i := range u[a] {
				u[a][i] += s.By
			}
		case Scale:
			mean[a] = float64(mean[a] * s.By)
			for i := range u[a] {
				u[a][i] = float64(u[a][i] * s.By)
			}
		case Rotate:
			b, _ := slices.BinarySearch(p.Columns, s.Columns[1])
			sin, cos := portable.Sincos(s.By * math.Pi / 180)
			turn(u[a], u[b], mean[a], mean[b], centre, sin, cos)
			turn(mean[a:a+1], mean[b:b+1], 0, 0, centre, sin, cos)
		}
	}
}

// turn rotates pairs of values about a centre. Beside a missing one the mean stands for it.
func turn(a, b []float64, meanA, meanB, about, sin, cos float64) {
	for i, u := range a {
		v := b[i]
		x, y := u, v
		if x != x {
			x = meanA
		}
		if y != y {
			y = meanB
		}
		x, y = x-about, y-about
		if u == u {
			a[i] = about + float64(cos*x) + float64(sin*y)
		}
		if v == v {
			b[i] = about + float64(cos*y) - float64(sin*x)
		}
	}
}

// image takes one record of values u through the steps.
func (p *Plan) image(u []float64) []float64 {
	out := make([]float64, len(u))
	cols := make([][]float64, len(u))
	copy(out, u)
	for k := range cols {
		cols[k] = out[k : k+1]
	}
	p.run(cols)
	return out
}

// Law returns the law for an intruder who has worked out the map, which is all that stands between the release and the
// original: the one value that the map makes of the record. Of a rotation that is given the record's other values.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	k, ok := slices.BinarySearch(p.Columns, j)
	if !ok {
		return nil, false
	}
	a := p.released(j)
	return func(_ *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		u := make([]float64, len(p.Columns))
		for l, c := range p.Columns {
			u[l] = unit(&p.Attrs[c], t.Num(c)[row])
		}
		u[k] = 0
		base := p.image(u)[k]
		u[k] = 1
		return mapped{d: wrap.On(a.Domain, a.Step), from: p.Attrs[j].Domain, base: base, slope: p.image(u)[k] - base}
	}, true
}

// mapped is the law of a value that becomes base + slope u on the unit interval, rounded to a grid.
type mapped struct {
	d           wrap.Domain
	from        table.Interval
	base, slope float64
}

// P returns 1 for the value released, and for one that rounding in the last digits may make of it.
func (m mapped) P(x, y float64) float64 {
	a := table.Attribute{Domain: m.from}
	v := restored(&a, m.base+float64(m.slope*unit(&a, x)))
	if m.d.Clip(v) == y || math.Abs(v-y) <= (0.5+1e-6)*m.d.Step() {
		return 1
	}
	return 0
}
