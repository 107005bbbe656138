package classifiers

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// NaiveBayesModel is what was counted: plain data, which through JSON and back predicts the same. It is as confidential
// as the records.
type NaiveBayesModel struct {
	Attrs   []table.Attribute `json:"attributes"`
	Class   int               `json:"class"` // column
	Laplace float64           `json:"laplace"`
	// by class: the sum of its records' weights, each 1 without sampling weights
	Weights []float64          `json:"weights"`
	Columns []NaiveBayesColumn `json:"columns"`
}

// NaiveBayesColumn is what was counted of an attribute: Counts, or Mean and Variance.
type NaiveBayesColumn struct {
	Attribute int       `json:"attribute"`          // column of the table
	Cuts      []float64 `json:"cuts,omitempty"`     // of a number in bins: the largest of every bin but the last
	Counts    []float64 `json:"counts,omitempty"`   // sums of weights by category (bin), in it by class
	Mean      []float64 `json:"mean,omitempty"`     // of a normal number by class
	Variance  []float64 `json:"variance,omitempty"` // all 0: it never varies and says nothing
}

// bin returns the number of the bin of v; -1 when it is missing.
func (c *NaiveBayesColumn) bin(v float64) int32 {
	if v != v {
		return -1
	}
	return int32(sort.SearchFloat64s(c.Cuts, v))
}

// Predict writes the most probable class of every record of t into dst, on all cores. The table must conform to
// m.Attrs.
func (m *NaiveBayesModel) Predict(t *table.Table, dst []int32) {
	frequent := int32(0)
	for c, w := range m.Weights {
		if w > m.Weights[frequent] {
			frequent = int32(c)
		}
	}
	k := len(m.Weights)
	m.scores(t, func(lo int, scores []float64) {
		for i := range len(scores) / k {
			best := frequent
			for c, s := range scores[i*k : i*k+k] {
				if s > scores[i*k+int(best)] {
					best = int32(c)
				}
			}
			dst[lo+i] = best
		}
	})
}

// Probabilities writes the probability of every class given the record, for every record of t, into dst, which holds as
// many numbers a record as the class has labels. Where all are excluded it is their share of the training records.
func (m *NaiveBayesModel) Probabilities(t *table.Table, dst []float64) {
	k := len(m.Weights)
	prior := m.priors()
	m.scores(t, func(lo int, scores []float64) {
		for i := range len(scores) / k {
			normalise(dst[(lo+i)*k:][:k], scores[i*k:][:k], prior)
		}
	})
}

// normalise turns logarithms into probabilities; instead of logarithms that are all -Inf it takes those of another law.
func normalise(dst, scores, instead []float64) {
	most := math.Inf(-1)
	for _, s := range scores {
		most = max(most, s)
	}
	if math.IsInf(most, -1) {
		scores, most = instead, 0
	}
	sum := 0.0
	for c, s := range scores {
		dst[c] = portable.Exp(s - most)
		sum += dst[c]
	}
	for c := range dst {
		dst[c] /= sum
	}
}

// priors returns the logarithm of every class's share of the training records.
func (m *NaiveBayesModel) priors() []float64 {
	out := make([]float64, len(m.Weights))
	total := sum(m.Weights)
	for c, w := range m.Weights {
		out[c] = portable.Log(w / total)
	}
	return out
}

// block is how many records are worked on at a time.
const block = 2048

// scores calls use for blocks of records from lo on: the logarithms of their classes' probabilities, up to a constant,
// by record.
func (m *NaiveBayesModel) scores(t *table.Table, use func(lo int, scores []float64)) {
	k := len(m.Weights)
	prior := m.priors()
	factors := make([]factor, len(m.Columns))
	for j := range m.Columns {
		factors[j] = m.factor(&m.Columns[j])
	}
	_ = parallel.Ranges(context.Background(), t.Rows(), block, func(lo, hi int) error {
		scores := make([]float64, (hi-lo)*k)
		for i := 0; i < len(scores); i += k {
			copy(scores[i:], prior)
		}
		for j := range factors {
			factors[j].add(t.Slice(lo, hi), scores)
		}
		use(lo, scores)
		return nil
	})
}

// factor is an attribute's part of the probability, ready for use.
type factor struct {
	*NaiveBayesColumn
	classes int
	logs    []float64 // by category and class; of a normal number by class, at its mean
	inverse []float64 // of a normal number by class: 1 / (2 variance); nil where it never varies
}

func (m *NaiveBayesModel) factor(c *NaiveBayesColumn) factor {
	f := factor{NaiveBayesColumn: c, classes: len(m.Weights)}
	if c.Mean == nil {
		f.logs = c.shares(f.classes, m.Laplace)
		return f
	}
	for _, v := range c.Variance {
		if v > 0 {
			f.logs, f.inverse = append(f.logs, -portable.Log(2*math.Pi*v)/2), append(f.inverse, 1/(2*v))
		}
	}
	return f
}

// shares returns the logarithm of every category's probability within every class; 0 for categories that occur in none.
func (c *NaiveBayesColumn) shares(classes int, laplace float64) []float64 {
	total, occurring := make([]float64, classes), 0.0
	seen := make([]bool, len(c.Counts)/classes)
	for code := range seen {
		for class, n := range c.Counts[code*classes:][:classes] {
			total[class] += n
			seen[code] = seen[code] || n > 0
		}
		if seen[code] {
			occurring++
		}
	}
	logs := make([]float64, len(c.Counts))
	for at, n := range c.Counts {
		sum := total[at%classes] + float64(laplace*occurring)
		switch {
		case !seen[at/classes]:
		case sum == 0: // nothing is known of the class
			logs[at] = -portable.Log(occurring)
		default:
			logs[at] = portable.Log((n + laplace) / sum)
		}
	}
	return logs
}

// add adds the attribute's part to the scores of the records of a table.
func (f *factor) add(t *table.Table, scores []float64) {
	k := f.classes
	codes, values := t.Cat(f.Attribute), t.Num(f.Attribute)
	switch {
	case codes != nil:
		for i, code := range codes {
			f.addCode(code, scores[i*k:i*k+k])
		}
	case f.Mean == nil:
		for i, v := range values {
			f.addCode(f.bin(v), scores[i*k:i*k+k])
		}
	case f.inverse != nil:
		for i, v := range values {
			if v != v {
				continue
			}
			for c := range scores[i*k : i*k+k] {
				e := v - f.Mean[c]
				scores[i*k+c] += f.logs[c] - float64(e*e*f.inverse[c])
			}
		}
	}
}

func (f *factor) addCode(code int32, scores []float64) {
	if at := int(code) * f.classes; code >= 0 && at < len(f.logs) {
		for c, l := range f.logs[at : at+f.classes] {
			scores[c] += l
		}
	}
}

// Text writes the classes with their shares, and what an attribute's values are taken for.
func (m *NaiveBayesModel) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "naive Bayes on %d attributes\n", len(m.Columns))
	for c, p := range m.priors() {
		fmt.Fprintf(&b, "class %.100s: %.4g %% of the records\n", m.Attrs[m.Class].Labels[c], float64(100*portable.Exp(p)))
	}
	for k := range m.Columns {
		c := &m.Columns[k]
		a := &m.Attrs[c.Attribute]
		switch a.Kind {
		case table.Numeric:
			if c.Mean == nil {
				fmt.Fprintf(&b, "%.80s: %d bins\n", a.Name, len(c.Cuts)+1)
				continue
			}
			fmt.Fprintf(&b, "%.80s: normal\n", a.Name)
			for class, mean := range c.Mean {
				fmt.Fprintf(&b, "  mean %s, standard deviation %s where the class is %.60s\n", a.Mean(mean, bayesFigure),
					a.Spread(math.Sqrt(c.Variance[class]), bayesFigure), m.Attrs[m.Class].Labels[class])
			}
		case table.Categorical:
			fmt.Fprintf(&b, "%.80s: %d categories\n", a.Name, len(a.Labels))
		case table.SetValued: // is not among the columns
		}
	}
	return b.String()
}

func bayesFigure(v float64) string { return fmt.Sprintf("%.6g", v) }
