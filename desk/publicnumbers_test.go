package desk

import (
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// told is a text of the public report, with the element that it stands in, and those around it: names and classes.
type told struct{ in, text string }

// textsIn reads the body of a page.
func textsIn(t *testing.T, page string) (out []told) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page[strings.Index(page, "<body"):strings.Index(page, "</html>")]))
	d.Entity = xml.HTMLEntity
	var path []string
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return out
		}
		must.NoError(t, err)
		switch e := tok.(type) {
		case xml.StartElement:
			name := e.Name.Local
			for _, a := range e.Attr {
				if a.Name.Local == "class" || a.Name.Local == "id" {
					name += "." + strings.ReplaceAll(a.Value, " ", ".")
				}
			}
			path = append(path, name)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if s := strings.TrimSpace(strings.ReplaceAll(string(e), "\u00a0", " ")); s != "" {
				out = append(out, told{strings.Join(path, " ") + " ", s})
			}
		}
	}
}

var (
	numeral = regexp.MustCompile(`(under |over )?([−-]?\d[\d,]*(?:\.\d+)?)( %)?`)
	classOf = regexp.MustCompile(`^(.*): (under )?([0-9.]+) %$`)
	between = regexp.MustCompile(`^([−-]?[\d.,]+)(?: to ([−-]?[\d.,]+))?$`)
)

func numberOf(t *testing.T, s string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(strings.NewReplacer("−", "-", ",", "").Replace(s), 64))(t)
}

// numbers holds every number of the public report against what may be told, and returns how many there are. A share or
// a count is of no records, of all, or of many and not all but a few; a class of numbers that is drawn has the share
// that the release has in it; a scale names no number that few records lie beyond; what is measured stands where a
// measure says it. The numbers of sources and of files are those of the cards and of the release.
func (r *publicRun) numbers(t *testing.T, name string) (n int) {
	t.Helper()
	records, drawn := r.Released.Rows(), ""
	cards := r.ReleasedFile.SHA256 + " SHA-256 "
	if r.Method != nil {
		cards += r.Method.Title + r.Method.Summary + r.Method.Paper + r.Method.Exposes
	}
	for _, m := range r.Measures {
		cards += " " + m.Paper + " " + m.Title + " " + m.Summary
	}
	for _, said := range textsIn(t, r.page) {
		if strings.Contains(said.in, " title.") { // that of a drawing
			drawn = ""
			if of, ok := strings.CutPrefix(said.text, "Distribution of "); ok {
				drawn = of
			}
		} else if strings.Contains(said.in, " title ") {
			if m := classOf.FindStringSubmatch(said.text); m != nil && drawn != "" && r.class(t, name, drawn, m) {
				n += len(numeral.FindAllString(said.text, -1))
				continue
			}
		}
		for _, m := range numeral.FindAllStringSubmatch(said.text, -1) {
			v := numberOf(t, m[2])
			n++
			switch {
			case strings.Contains(said.in, " cite "), strings.Contains(said.in, "hash"), strings.Contains(cards, m[2]):
			case strings.Contains(said.in, "text.k "), strings.Contains(said.in, " desc"): // scales: class holds their ends
			case m[1] != "": // under 2.8 %
				bound := 100 * leastNamed / float64(records)
				if math.Abs(math.Abs(v)-bound) > 0.051 && math.Abs(100-math.Abs(v)-bound) > 0.051 {
					t.Errorf("%s: %q: a few of %d records are %.2f %%", name, said.text, records, bound)
				}
			case strings.Contains(said.in, " small "): // an interval
				if !r.measuredAs(v, 0.501) {
					t.Errorf("%s: no measure has an end %s (%q)", name, m[0], said.text)
				}
			case m[3] != "" && !r.measuredOfNone(v): // a share of the records
				if r.few(v / 100) {
					t.Errorf("%s: %q tells of %.1f of %d records", name, said.text, v/100*float64(records), records)
				}
			case m[3] != "" || r.measuredAs(v, 0.0501): // what is measured, whatever it is a share of
			case v == math.Trunc(v): // a count
				if r.few(v/float64(records)) && !strings.Contains(said.in, "svg") && v > 2 {
					t.Errorf("%s: %q counts %v", name, said.text, v)
				}
			default:
				t.Errorf("%s: nobody knows what %v is in %q (%s)", name, m[2], said.text, said.in)
			}
		}
	}
	return n
}

// figures holds every figure of the public documents against the records that it may be a share of, and returns how
// many there are: it is of none or of many and, where it is not told, it has the bounds of a few.
func (r *publicRun) figures(t *testing.T, name string) (n int) {
	t.Helper()
	kinds := map[string]measure.UnitKind{}
	for _, m := range r.Measures {
		if kinds[m.Name] = m.Unit.Kind; m.Unit.Kind == measure.Percent && m.Unit.Of.Empty() {
			kinds[m.Name] = measure.Ratio // of no records
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
			of, _ := v["key"].(string)
			value, is := v["value"]
			if !is {
				of, _ = v["name"].(string)
				value = v["score"]
			}
			scale, is := map[measure.UnitKind]float64{measure.Share: 1, measure.Percent: 100}[kinds[of]]
			if !is || v["failed"] == true {
				return
			}
			n++
			told := []any{value}
			if value == nil {
				told = []any{v["lo"], v["hi"]}
			}
			for _, x := range told {
				share, is := x.(float64)
				if share /= scale; !is || r.few(share) {
					t.Errorf("%s: %s is %v of %d records", name, of, x, r.Released.Rows())
				}
			}
		}
	}
	walk(r.model(t))
	return n
}

// few reports whether a share is of a few records, or of all but a few.
func (r *publicRun) few(share float64) bool {
	all := float64(r.Released.Rows())
	c := math.Abs(share) * all
	return c > 0.5 && c < leastNamed-0.5 || all-c > 0.5 && all-c < leastNamed-0.5
}

// measuredAs reports whether a measure has this figure, as a number or in per cent, to within so much.
func (r *publicRun) measuredAs(v, within float64) bool {
	for _, m := range r.Measures {
		for _, have := range []float64{m.Value.Score, m.Value.Lo, m.Value.Hi} {
			for _, of := range []float64{have, 100 * have} {
				if math.Abs(of-v) <= within || of != 0 && math.Abs(of-v) <= 0.0006*math.Abs(of) {
					return true
				}
			}
		}
	}
	return false
}

// measuredOfNone reports whether a measure whose percentage is one of no records has this figure.
func (r *publicRun) measuredOfNone(v float64) bool {
	return slices.ContainsFunc(r.Measures, func(m study.Measured) bool {
		return m.Unit.Kind == measure.Percent && m.Unit.Of.Empty() && math.Abs(m.Value.Score-v) <= 0.0006*math.Abs(v)
	})
}

// class compares a class of a column's drawing with the release, and reports whether it is one of numbers. The values
// that few records lie beyond are in no class.
func (r *publicRun) class(t *testing.T, name, column string, m []string) bool {
	t.Helper()
	j := r.Released.Find(column)
	ends := between.FindStringSubmatch(m[1])
	if j < 0 || ends == nil || r.Released.Attr(j).Kind != table.Numeric || r.Released.Attr(j).Dates != "" {
		return false // categories have a test of their own
	}
	lo := numberOf(t, ends[1])
	hi := lo
	if ends[2] != "" {
		hi = numberOf(t, ends[2])
	}
	known := slices.DeleteFunc(slices.Clone(r.Released.Num(j)), func(v float64) bool { return v != v })
	slices.Sort(known)
	if len(known) < 2*leastNamed || hi < known[leastNamed-1] || lo > known[len(known)-leastNamed] {
		t.Errorf("%s: %s: the class %s lies where few records are", name, column, m[1])
		return true
	}
	in := func(among []float64) (n int) {
		for _, v := range among {
			if v >= lo && v <= hi {
				n++
			}
		}
		return n
	}
	said, right := numberOf(t, m[3]), false
	shown := slices.DeleteFunc(slices.Clone(known), func(v float64) bool {
		return v < known[leastNamed-1] || v > known[len(known)-leastNamed]
	})
	for _, k := range []int{in(known), in(shown)} {
		right = right || k >= leastNamed && math.Abs(100*float64(k)/float64(len(known))-said) < 0.051
	}
	if m[2] == "" && said > 0 && !right {
		t.Errorf("%s: %s: the class %s is drawn with %s %%, and has %d records", name, column, m[1], m[3], in(known))
	}
	return true
}
