package multiplicativenoise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// far is how many standard deviations of the noise, in logarithms, a released value may lie beyond an observed domain;
// farthest the factor it may do so by at most.
const (
	far      = 6
	farthest = 1000
)

// Log is scheme 2: Y + h = (X + h) exp(e - b), with e normal of covariance Noise and b half its variance or, to release
// as published, 0.
type Log struct {
	C        float64   `json:"c"`
	KeepMean bool      `json:"keepMean"`
	Shift    []float64 `json:"shift"` // h, one per column
	Low      []float64 `json:"low"`   // the smallest legal value: others count as it
	Noise    []float64 `json:"noise"` // c Cov(ln(X+h)), row by row

	once sync.Once
	root *mat.Dense
	err  error
}

// fitLog chooses the shifts and takes the covariance.
func fitLog(ctx context.Context, r *aggregate.Records, columns []int, c float64, keepMean bool) (*Log, error) {
	l := &Log{C: c, KeepMean: keepMean, Shift: make([]float64, len(columns)), Low: make([]float64, len(columns))}
	for k, j := range columns {
		a := r.Schema.Attr(j)
		l.Low[k] = a.Domain.Lo
		l.Shift[k] = shift(a)
		if err := l.positive(k, a); err != nil {
			return nil, err
		}
	}
	ranges, _, err := r.Ranges(ctx, columns)
	if err != nil || len(columns) == 0 {
		return l, err
	}
	m := &aggregate.Moments{Columns: columns, Ranges: ranges, Logs: true, Low: l.Low, Shift: l.Shift}
	for k, e := range m.Ranges {
		m.Ranges[k] = moments.Range{Lo: m.Log(k, e.Lo), Hi: m.Log(k, e.Hi)}
	}
	if err := r.Pass(ctx, m); err != nil {
		return nil, err
	}
	cov, _, err := mvnorm.Repair(m.All().Cov())
	if err != nil {
		return nil, err
	}
	cov.ScaleSym(c, cov)
	l.Noise = mat.DenseCopyOf(cov).RawMatrix().Data
	return l, nil
}

// shift returns the number that is added to a column so that its logarithms exist: 0, or a round one.
func shift(a *table.Attribute) float64 {
	lo, hi := a.Domain.Lo, a.Domain.Hi
	if lo > 0 {
		return 0
	}
	return round(max(a.Step, (hi-lo)/100, -lo/100) - lo)
}

// round returns the least number not below v of the form 1, 2 or 5 times a power of ten; 1 for 0.
func round(v float64) float64 {
	if v == 0 {
		return 1
	}
	unit := math.Pow10(int(math.Floor(portable.Log10(v))))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= v {
			return float64(m * unit)
		}
	}
	return float64(10 * unit)
}

func (l *Log) check(attrs []table.Attribute) error {
	k := len(attrs)
	if len(l.Shift) != k || len(l.Low) != k || len(l.Noise) != k*k {
		return errors.New("the shifts or the covariance of the noise are not one per column")
	}
	for i := range attrs {
		if err := l.positive(i, &attrs[i]); err != nil {
			return err
		}
	}
	if !(l.C > 0 && l.C <= 1) {
		return fmt.Errorf("c is %v; expected more than 0, at most 1", l.C)
	}
	for i, v := range l.Noise {
		if math.IsNaN(v) || math.IsInf(v, 0) || v != l.Noise[i%k*k+i/k] {
			return errors.New("the covariance of the noise is not symmetric and finite")
		}
	}
	l.prepare()
	return l.err
}

// positive refuses a column whose shifted domain has no logarithms.
func (l *Log) positive(k int, a *table.Attribute) error {
	if l.Low[k] != a.Domain.Lo || !(l.Low[k]+l.Shift[k] > 0) || math.IsInf(a.Domain.Hi+l.Shift[k], 0) {
		return fmt.Errorf("column %q: its domain plus the shift %v is not above 0 and finite", a.Name, l.Shift[k])
	}
	return nil
}

// prepare works out the root of the covariance.
func (l *Log) prepare() {
	l.once.Do(func() {
		if k := len(l.Shift); k > 0 {
			l.root, l.err = mvnorm.Root(mat.NewSymDense(k, l.Noise))
		}
	})
}

// variance returns the variance of the noise of column k, centre what is subtracted from the noise.
func (l *Log) variance(k int) float64 { return l.Noise[k*len(l.Shift)+k] }

func (l *Log) centre(k int) float64 {
	if l.KeepMean {
		return l.variance(k) / 2
	}
	return 0
}

func (l *Log) relative(k int) (shift, twice float64) {
	return l.Shift[k], 2 * math.Sqrt(l.variance(k))
}

func (l *Log) law(y, x, z [][]float64) {
	l.prepare()
	for k, out := range y {
		clear(out)
		for c := range z {
			if r := l.root.At(k, c); r != 0 {
				vector.AddScaled(out, r, z[c])
			}
		}
		h, low, b := l.Shift[k], l.Low[k], l.centre(k)
		for i, v := range x[k] {
			out[i] = float64((max(v, low)+h)*portable.Exp(out[i]-b)) - h
		}
	}
}

// reach is wide enough for all but one value in 10^9. It stays above -h, so that the user of the release can take
// logarithms.
func (l *Log) reach(k int, a *table.Attribute) table.Interval {
	f := min(portable.Exp(float64(far*math.Sqrt(l.variance(k)))+l.centre(k)), farthest)
	h, iv := l.Shift[k], a.Domain
	iv.Lo, iv.Hi = a.Snap((iv.Lo+h)/f-h), a.Snap(float64((iv.Hi+h)*f)-h)
	if iv.Lo+h <= 0 {
		iv.Lo = a.Snap(iv.Lo + a.Step)
	}
	return iv
}

// corrections takes the covariance N of the noise from the release: that of the plan is a known share of the original's
// exact covariance.
func (l *Log) corrections(names []string) []message.Sentence {
	out := []message.Sentence{
		message.Say("correct.logs.here").Term("f", l.C/(1+l.C), 6).Term("c", l.C, -1),
		message.Say("correct.logs.covariance").Term("f", 1+l.C, 6),
	}
	if l.KeepMean {
		out = append(out, message.Say("correct.logs.kept"), message.Say("correct.logs.keptVariance"))
	} else {
		out = append(out, message.Say("correct.logs.mean"), message.Say("correct.logs.variance"))
	}
	for i, name := range names {
		out = append(out, message.Say("correct.logs.shift").Name("column", name).Term("h", l.Shift[i], -1))
	}
	return out
}
