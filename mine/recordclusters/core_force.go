package recordclusters

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Corr returns the correlation of two values: the share of the records with both among those with either, of which n
// have the one, m the other and both have both; 0 when there are none.
func Corr(n, m, both float64) float64 {
	if n+m-both <= 0 {
		return 0
	}
	return both / (n + m - both)
}

// load finds the different records, in the order of their codes, and that of every record; -1 for one without known
// values.
func (l *CORELearner) load(t *table.Table, cols []int) (m *COREModel, kindOf []int32, err error) {
	m = &COREModel{}
	kindOf = make([]int32, t.Rows())
	keys := make([]uint64, t.Rows())
	kinds, values := min(1, t.Rows()), 0
	for _, j := range cols {
		a := t.Attr(j)
		m.Attributes = append(m.Attributes, Domain{a.Name, a.Labels})
		if values += len(a.Labels); values > l.MaxValues {
			return nil, nil, fmt.Errorf("the columns have more than maxValues %d values in all: leave out column %q or "+
				"others, or raise maxValues",
				l.MaxValues, a.Name)
		}
		for i, c := range t.Cat(j) {
			keys[i] = uint64(kindOf[i])*uint64(len(a.Labels)+1) + uint64(c+1)
		}
		kinds = len(tree.Number(keys, kindOf))
	}
	if kinds > l.MaxRecords {
		return nil, nil, fmt.Errorf("%d different records are more than maxRecords %d: cluster a sample or fewer columns, "+
			"or raise maxRecords",
			kinds, l.MaxRecords)
	}
	m.Kinds = make([]Kind, kinds)
	for i, k := range kindOf {
		if x := &m.Kinds[k]; x.Values == nil {
			for _, j := range cols {
				x.Values = append(x.Values, t.Cat(j)[i])
			}
		}
		m.Kinds[k].Records++
	}
	if kinds > 0 && slices.Max(m.Kinds[0].Values) < 0 { // missing everywhere comes first
		m.Kinds = m.Kinds[1:]
		for i := range kindOf {
			kindOf[i]--
		}
	}
	return m, kindOf, nil
}

// forces are the forces between all values, which are numbered through all attributes.
type forces struct {
	delta  float64
	first  []int32 // by attribute, the number of its first value; at the end the number of values
	of     []int32 // by value, its attribute
	matrix []float64
}

// forces computes the forces; delta 0 takes the mean correlation of the values that meet. Cost: O(m p^2 + v^2).
func (m *COREModel) forces(delta float64) *forces {
	f := &forces{delta: delta}
	v := 0
	for j, a := range m.Attributes {
		f.first = append(f.first, int32(v))
		v += len(a.Labels)
		for range a.Labels {
			f.of = append(f.of, int32(j))
		}
	}
	f.first = append(f.first, int32(v))
	n := make([]float64, v)
	f.matrix = make([]float64, v*v)
	var own []item
	for _, k := range m.Kinds {
		own = f.items(own[:0], k)
		for _, x := range own {
			n[x.value] += x.n
			for _, y := range own {
				f.matrix[int(x.value)*v+int(y.value)] += x.n
			}
		}
	}
	sum, met := 0.0, 0.0
	for x := range v {
		for y := x; y < v; y++ {
			both := f.matrix[x*v+y]
			corr := Corr(n[x], n[y], both)
			if x == y {
				corr = 1
			} else if f.of[x] != f.of[y] && both > 0 {
				sum += corr
				met++
			}
			f.matrix[x*v+y], f.matrix[y*v+x] = corr, corr
		}
	}
	if delta == 0 && met > 0 {
		f.delta = sum / met
	}
	for x := range v {
		for y := range v {
			if x == y || f.of[x] != f.of[y] {
				f.matrix[x*v+y] -= f.delta
			}
		}
	}
	return f
}

// item is a value with the number of records that have it.
type item struct {
	value int32
	n     float64
}

// items appends the known values of a kind, ascending.
func (f *forces) items(dst []item, k Kind) []item {
	for j, c := range k.Values {
		if c >= 0 {
			dst = append(dst, item{f.first[j] + c, float64(k.Records)})
		}
	}
	return dst
}

// field is what a cluster does to every value: the force, added up over its values, and over how many of them.
type field struct {
	force, pairs []float64
	known        []float64 // scratch: the cluster's values by attribute
}

func (f *forces) field() *field {
	v := len(f.of)
	return &field{make([]float64, v), make([]float64, v), make([]float64, len(f.first)-1)}
}

// of sets the field of a cluster. Cost: O(values of the cluster x all values).
func (d *field) of(f *forces, cluster []item) {
	clear(d.force)
	clear(d.pairs)
	clear(d.known)
	total := 0.0
	for _, x := range cluster {
		row := f.matrix[int(x.value)*len(f.of):][:len(f.of)]
		for y, g := range row {
			d.force[y] += float64(x.n * g)
		}
		d.pairs[x.value] = x.n
		d.known[f.of[x.value]] += x.n
		total += x.n
	}
	for y, j := range f.of {
		d.pairs[y] += total - d.known[j]
	}
}

// on returns the similarity of the cluster of the field to another, minus infinity where no values count.
func (d *field) on(cluster []item) float64 {
	force, pairs := 0.0, 0.0
	for _, x := range cluster {
		force += float64(x.n * d.force[x.value])
		pairs += float64(x.n * d.pairs[x.value])
	}
	if pairs == 0 {
		return math.Inf(-1)
	}
	return force / pairs
}
