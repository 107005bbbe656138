package profile

import (
	"math"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// scratch is the memory one worker reuses from column to column.
type scratch struct {
	space       *mmap.Space // of keys and spare
	keys, spare []uint64
	counts      []int32
	runs        []run
}

// describe fills everything but the suggestion; of sets, if briefly, only how many are missing.
func describe(c table.Column, s *scratch, brief bool) Column {
	out := Column{Name: c.Name, Kind: c.Kind.String(), Step: c.Step, Declared: c.Declared, Order: orderOf(c),
		said: c.Dated}
	if c.Dates != "" {
		out.Dates, out.Unit = string(c.Dates), c.Dates.Since()
	}
	rows := c.Len()
	top := 0
	switch c.Kind {
	case table.Numeric:
		top = out.numeric(c, s)
	case table.Categorical:
		if c.Ordered {
			out.Kind = "ordered"
		}
		top = out.categorical(c, s)
	case table.SetValued:
		if brief {
			for i := range rows {
				if c.MissingAt(i) {
					out.Missing++
				}
			}
			break
		}
		top = out.sets(c)
	}
	if rows > 0 {
		out.Uniqueness = float64(out.Alone) / float64(rows)
		out.Top = float64(top) / float64(rows)
	}
	return out
}

// categorical counts codes and returns the size of the largest category.
func (o *Column) categorical(c table.Column, s *scratch) (top int) {
	if cap(s.counts) < len(c.Labels) {
		s.counts = make([]int32, len(c.Labels))
	}
	counts := s.counts[:len(c.Labels)]
	clear(counts)
	for _, v := range c.Cat {
		if v < 0 {
			o.Missing++
		} else {
			counts[v]++
		}
	}
	length, dated, loose, idLike, marked, fine := 0, 0, 0, 0, 0, 0
	var read reading
	for k, n := range counts {
		if n == 0 {
			continue
		}
		o.Distinct++
		length += len(c.Labels[k])
		if isDate(c.Labels[k]) {
			dated++
		}
		if _, ok := loosely(c.Labels[k]); ok {
			loose++
		}
		if l, _, ok := calendar.Part(c.Labels[k]); ok && l < calendar.Year {
			fine++
		}
		if numbers(c.Labels[k]) {
			idLike++
		}
		if names(c.Labels[k]) {
			marked++
		}
		read.label(c.Labels[k])
		if n == 1 {
			o.Alone++
		}
		top = max(top, int(n))
	}
	if o.Distinct > 0 {
		o.Length = float64(length) / float64(o.Distinct)
	}
	o.dated = o.Distinct > 1 && dated*20 >= o.Distinct*19 || o.Distinct >= enough && loose*20 >= o.Distinct*19
	o.digits, o.marked = 2*idLike > o.Distinct, 2*marked > o.Distinct
	o.texts = read.of(o.Distinct)
	o.months = o.Distinct > 1 && fine*20 >= o.Distinct*19
	o.like = likeTexts(c.Labels, counts, len(c.Cat)-o.Missing)
	if !c.Declared {
		o.Variants = countVariants(c.Labels, counts)
	}
	return top
}

// numeric sorts the values and reads everything off the sorted run. It returns the count of the most frequent value.
func (o *Column) numeric(c table.Column, s *scratch) (top int) {
	if d := c.Domain; !math.IsInf(d.Lo, 0) && !math.IsInf(d.Hi, 0) && !math.IsNaN(d.Lo+d.Hi) {
		o.Domain = &d
	}
	keys := s.sorted(c.Num)
	n := len(keys)
	o.Missing = len(c.Num) - n
	if n == 0 {
		o.Domain = nil
		if c.Declared {
			d := c.Domain
			o.Domain = &d
		}
		return 0
	}
	whole, dated := true, c.Step >= 1
	s.runs = s.runs[:0]
	for i := 0; i < n; {
		k := i + 1
		for k < n && keys[k] == keys[i] {
			k++
		}
		o.Distinct++
		if k == i+1 {
			o.Alone++
		}
		top = max(top, k-i)
		v := sorting.Value(keys[i])
		s.runs = append(s.runs, run{v, k - i})
		whole = whole && v == math.Trunc(v)
		dated = dated && isDay(v)
		i = k
	}
	lo, hi := sorting.Value(keys[0]), sorting.Value(keys[n-1])
	mean, sd := moments(c.Num)
	o.Summary = &Summary{Mean: Number(mean), SD: Number(sd), Min: Number(lo), Max: Number(hi),
		Q1: quantile(keys, 0.25), Median: quantile(keys, 0.5), Q3: quantile(keys, 0.75)}
	o.dated, o.few = c.Dates != "" || dated && o.Distinct > 1, whole && o.Distinct >= 2 && o.Distinct <= 5
	o.Codes = o.codesOf(s.runs)
	o.like = o.likeNumbers(s.runs)
	o.months = o.like == likeMonths
	o.consecutive = c.Step >= 1 && o.Distinct == n && hi-lo == float64(n-1)
	return top
}

// moments returns mean and standard deviation.
func moments(values []float64) (mean, sd float64) {
	n, mean, squares := vector.Known(values)
	if n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(squares / float64(n-1))
}

// quantile interpolates between the two order statistics around position (n-1)p.
func quantile(keys []uint64, p float64) Number {
	at := float64(float64(len(keys)-1) * p)
	k := int(at)
	v := sorting.Value(keys[k])
	if f := at - float64(k); f > 0 {
		v = float64(v*(1-f)) + float64(sorting.Value(keys[k+1])*f)
	}
	return Number(v)
}
