package detective

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Divided is a clustering whose clusters another miner has divided. Cluster c became the clusters From[c] to
// From[c+1]-1.
type Divided struct {
	By       string           `json:"by,omitempty"` // the miner
	Columns  []string         `json:"columns"`
	Clusters int              `json:"clusters"`
	Labels   []int32          `json:"members"` // by record, -1 for none
	Whole    int              `json:"whole"`   // clusters that the miner refused, such as small ones; they stay as they were
	From     []int32          `json:"from"`
	Models   []mine.Clusterer `json:"models"` // by cluster; null of one that stayed whole
}

// Divide clusters the records of every cluster by other columns, the numeric ones of the thesis, with "an existing
// clustering technique" (Islam 2007, section 6.4.7), such as k-means: a learner whose models are of the kind
// mine.Clusterer. The table is that which the model was fitted on. Records that the other technique leaves out are
// outliers. Cost: that of the technique on every cluster.
func (m *EXDETECTIVEModel) Divide(
	ctx context.Context,
	t *table.Table,
	by mine.Learner,
	columns []int,
	src rng.Source,
) (*Divided, error) {
	if t.Rows() != len(m.Members) {
		return nil, fmt.Errorf("the table has %d records, the clustering %d", t.Rows(), len(m.Members))
	}
	members := rowsOf(m.Members, len(m.Intersections))
	d := &Divided{Labels: slices.Repeat([]int32{-1}, t.Rows())}
	t = t.Select(columns...)
	for j := range t.Width() {
		d.Columns = append(d.Columns, t.Attr(j).Name)
	}
	for c, rows := range members {
		d.From = append(d.From, int32(d.Clusters))
		found, err := by.Fit(ctx, t.Gather(rows), src.Fork(fmt.Sprint(c)))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		labels, n := make([]int32, len(rows)), 1
		if err != nil {
			d.Whole++
			d.Models = append(d.Models, nil)
		} else {
			clusters, ok := found.(mine.Clusterer)
			if !ok {
				return nil, fmt.Errorf("a miner whose model is a %T clusters no records", found)
			}
			labels, n = clusters.Labels(), clusters.Clusters()
			d.Models = append(d.Models, clusters)
		}
		for k, i := range rows {
			if labels[k] >= 0 {
				d.Labels[i] = int32(d.Clusters) + labels[k]
			}
		}
		d.Clusters += n
	}
	d.From = append(d.From, int32(d.Clusters))
	return d, nil
}

// rowsOf returns the records of every cluster.
func rowsOf(labels []int32, clusters int) [][]int {
	rows := make([][]int, clusters)
	for i, c := range labels {
		if c >= 0 {
			rows[c] = append(rows[c], i)
		}
	}
	return rows
}

// assign turns the clusters of records into those that these are divided into.
func (d *Divided) assign(t *table.Table, dst []int32) {
	columns := make([]int, len(d.Columns))
	for k, name := range d.Columns {
		columns[k] = t.Find(name)
	}
	t = t.Select(columns...)
	for c, rows := range rowsOf(dst, len(d.Models)) {
		of := make([]int32, len(rows))
		if d.Models[c] != nil && len(rows) > 0 {
			d.Models[c].Assign(t.Gather(rows), of)
		}
		for k, i := range rows {
			if dst[i] = -1; of[k] >= 0 {
				dst[i] = d.From[c] + of[k]
			}
		}
	}
}

// divide is the last step, where it is asked for: by the numeric attributes that are neither identifier nor weight.
func (l *EXDETECTIVELearner) divide(ctx context.Context, t *table.Table, m *EXDETECTIVEModel, src rng.Source) error {
	if l.DivideBy == undivided {
		if len(l.Divide) > 0 {
			return fmt.Errorf("parameter %q: it sets parameters of the miner that %q names; name one, such as kmeans", "divide",
				"divideBy")
		}
		return nil
	}
	by, err := mine.Named(l.DivideBy)
	if err != nil {
		return fmt.Errorf("parameter %q: %w", "divideBy", err)
	}
	learner := by.New()
	set := map[string]string{}
	for _, text := range l.Divide {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("parameter %q: %q is not of the form name=value", "divide", text)
		}
		set[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	if err := learner.Params().Apply(set); err != nil {
		return fmt.Errorf("parameter %q: %s: %w", "divide", by.Name, err)
	}
	var columns []int
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.Numeric && a.Role&(table.Identifier|table.Weight) == 0 {
			columns = append(columns, j)
		}
	}
	if len(columns) == 0 {
		return fmt.Errorf("parameter %q: there is no numeric column to divide the clusters by", "divideBy")
	}
	if m.Divided, err = m.Divide(ctx, t, learner, columns, src); err != nil {
		return fmt.Errorf("parameter %q: %w", "divideBy", err)
	}
	m.Divided.By = by.Name
	return nil
}
