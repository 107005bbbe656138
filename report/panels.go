package report

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// panelOf draws one attribute. The public panel is made of the released values alone, and empty where they are none
// that everybody may see.
func panelOf(o *study.Outcome, j int, public bool, moments *distributions.Detail) document.Chart {
	a, b, in := o.Original.Column(j), o.Released.Column(j), o.Released.Space()
	c := document.Chart{Key: fmt.Sprintf("column-%d", j+1), Title: message.Name(b.Name)}
	before, after, few := gaps(a), gaps(b), study.Public(o).Few
	if public {
		ok := true
		switch b.Kind {
		case table.Numeric:
			if b.Dates != "" && !b.Dates.Timely() {
				a, b = inYears(in, a), inYears(in, b)
				defer mmap.Release(in, a.Num, b.Num)
				c.Facts = append(c.Facts, message.Say("columns.years"))
			}
			b.Num, ok = shownNumbers(in, a.Num, b.Num, few)
			defer mmap.Free(in, b.Num)
		case table.Categorical:
			b, ok = shownCategories(in, a, b, few)
			defer mmap.Free(in, b.Cat)
		case table.SetValued:
		}
		if !ok {
			return c
		}
		a.Num, a.Cat, a.Sets = nil, nil, nil
		before, after = countable(after, few), countable(after, few)
	}
	attr := b.Attribute
	switch attr.Kind {
	case table.Numeric:
		if public { // no class of few records
			c.Drawing = document.Picture(chart.Crowds(c.Key, &attr, b.Num, few))
			break
		}
		c.Drawing = document.Picture(chart.Histogram(c.Key, &attr, a.Num, b.Num))
		c.Facts = append(c.Facts, momentsOf(moments, a.Name, a.Step)...)
	case table.Categorical:
		if !public {
			if !slices.Equal(a.Labels, attr.Labels) {
				a.Cat, attr.Labels = onSchema(in, a, attr.Labels)
				defer mmap.Free(in, a.Cat)
			}
		}
		if exact, grouped := exactly(o, a); grouped && !public {
			c.Drawing = document.Picture(generalised(c.Key, &attr, a.Cat, b.Cat, exact))
			c.Facts = append(c.Facts, became(exact, b.Cat, len(attr.Labels)))
		} else {
			c.Drawing = document.Picture(chart.Bars(c.Key, &attr, a.Cat, b.Cat))
		}
	case table.SetValued:
		c.Facts = append(c.Facts, message.Say("columns.sets"))
	}
	if !public {
		if _, grouped := exactly(o, a); !grouped { // the distance is that from the original as general as the release
			c.Facts = append(c.Facts, distanceOf(moments, a.Name)...)
		}
		c.Facts = append(c.Facts, lossesOf(o, a.Name)...)
	}
	c.Facts = append(c.Facts, gapsFact(before, after)...)
	return c
}

// countable is a count of records that the public report may tell: 0 for a few.
func countable(n, few int) int {
	if n < few {
		return 0
	}
	return n
}

// gapsFact says how many values are missing in the original and in the release.
func gapsFact(before, after int) []message.Sentence {
	switch {
	case before+after == 0:
		return nil
	case before == after:
		return []message.Sentence{message.Say("columns.missing").Count("n", after)}
	}
	return []message.Sentence{message.Say("columns.missed").Count("before", before).Count("after", after)}
}

// inYears returns the years of dates as numbers: the days at which a drawing begins and ends may be somebody's.
func inYears(in *mmap.Space, c table.Column) table.Column {
	years := mmap.Make[float64](in, len(c.Num))
	for i, v := range c.Num {
		if years[i] = v; v == v {
			years[i] = float64(calendar.Year.At(c.Dates.DayOf(v)))
		}
	}
	c.Num, c.Dates, c.Step = years, "", 1
	c.Domain.Lo, c.Domain.Hi = table.Range(years)
	return c
}

// exactly returns the exact values of an attribute of the original, and whether it is generalised.
func exactly(o *study.Outcome, general table.Column) (exact *table.Column, grouped bool) {
	if o.Exact == nil {
		return nil, false
	}
	j := o.Exact.Find(general.Name)
	if j < 0 || o.Exact.Rows() != general.Len() {
		return nil, false
	}
	c := o.Exact.Column(j)
	return &c, c.Kind.Scalar() && (c.Kind != general.Kind || !slices.Equal(c.Labels, general.Labels))
}

// generalised draws the exact original inside the released groups: numbers on their scale, categories group by group.
func generalised(id string, attr *table.Attribute, original, released []int32, exact *table.Column) template.HTML {
	if exact.Kind == table.Numeric {
		return chart.Generalised(id, &exact.Attribute, exact.Num, original, released, len(attr.Labels))
	}
	return chart.Groups(id, attr, original, released, exact)
}

// became says how many different values are left.
func became(exact *table.Column, released []int32, labels int) message.Sentence {
	var before int
	if exact.Kind == table.Numeric {
		values := map[float64]bool{}
		for _, v := range exact.Num {
			if v == v {
				values[v] = true
			}
		}
		before = len(values)
	} else {
		before = different(exact.Cat, len(exact.Labels))
	}
	return message.Say("columns.became").Count("values", before).Count("groups", different(released, labels))
}

// different counts the categories that occur.
func different(codes []int32, labels int) (n int) {
	seen := make([]bool, labels)
	for _, c := range codes {
		if c >= 0 && !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// onSchema recodes the original's categories to the labels of the release, which it extends when they lack one.
func onSchema(in *mmap.Space, a table.Column, labels []string) ([]int32, []string) {
	labels = slices.Clone(labels)
	to := make([]int32, len(a.Labels))
	for k, l := range a.Labels {
		if to[k] = int32(slices.Index(labels, l)); to[k] < 0 {
			to[k] = int32(len(labels))
			labels = append(labels, l)
		}
	}
	out := mmap.Make[int32](in, len(a.Cat))
	for i, v := range a.Cat {
		out[i] = -1
		if v >= 0 {
			out[i] = to[v]
		}
	}
	return out, labels
}

// gaps counts the missing values.
func gaps(c table.Column) int {
	n := 0
	for i := range c.Len() {
		if c.MissingAt(i) {
			n++
		}
	}
	return n
}

// momentsOf writes the mean and the standard deviation before and after.
func momentsOf(d *distributions.Detail, name string, step float64) []message.Sentence {
	if d == nil {
		return nil
	}
	k := slices.Index(d.Names, name)
	if k < 0 || k >= len(d.MeanOriginal) || k >= len(d.MeanReleased) || k >= len(d.SDOriginal) || k >= len(d.SDReleased) {
		return nil
	}
	pair := func(key string, a, b float64) message.Sentence {
		return message.Say(key).Text("before", document.Significant(a)).Text("after", document.Significant(b))
	}
	return []message.Sentence{
		pair("columns.mean", d.MeanOriginal[k], d.MeanReleased[k]),
		pair("columns.sd", d.SDOriginal[k], d.SDReleased[k]),
	}
}
