package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
)

// This file says what to do about a demand that does not hold.

// remedies of limits that count columns, by name.
var remedies = map[string]string{
	limit.Text:  "Leave the column out (--role COLUMN=identifier), or read it and accept it (--accept text=COLUMN).",
	limit.Name:  "Leave the column out (--role COLUMN=identifier), give it a pseudonym (--pseudonymise COLUMN), or, where it tells who nobody is, accept it (--accept name=COLUMN).",
	limit.Birth: "Leave the column out (--role COLUMN=identifier), or coarsen it to a year or an age before.",
	limit.Date:  "Leave the column out (--role COLUMN=identifier), or coarsen it to a year before.",
	limit.Age:   "Put all ages of 90 and more into one class before (--method topcode does it).",
	limit.Zip:   "Leave the column out (--role COLUMN=identifier), or cut it to three digits before.",
}

// remedy is what to do about a demand, in one sentence, what helps most first, and the columns it is about.
func (j *judging) remedy(s State, d *Demand) (string, []string) {
	var do, columns []string
	add := func(what, column string) {
		if what != "" {
			do = append(do, what)
		}
		if column != "" {
			columns = append(columns, column)
		}
	}
	if d.Measure == limit.Altered {
		return "Choose a technique that changes values, such as extframework, or a stronger setting.", nil
	}
	add(d.decided(), "")
	switch {
	case d.Value == nil && j.e.Unpaired:
		add("say which record is whose, by the plan it was made with (--plan FILE) or, where both files have one order, --paired", "")
	case works[d.Measure] != "":
		add("let another technique be chosen, or give it a larger machine", "")
	case d.Value == nil:
		add("let it be measured", "")
	case d.Measure == limit.Lookup:
		if s == Withheld && !j.e.Blanked {
			add("blank the cells that do it (--blank-lookups)", "")
		}
		if c := j.steadiest(d.Against); c != "" {
			add("coarsen or drop "+c+", which changed least", c)
		}
	case d.Measure == limit.Drift, d.Measure == limit.Outside:
		add("let a new plan be made of this table (without --plan), which is then judged anew", "")
	case d.Measure == limit.Patterns:
		add("take a technique that deletes until the patterns are hidden (hide2b, exacthiding) or, where a disclosure threshold leaves them, set it to 0", "")
	case d.Facts.Remedy.About == measure.Sparsest:
		if c := j.sparsest(); c != "" {
			add(strings.ReplaceAll(d.Facts.Remedy.Text, "COLUMN", c), c)
		}
	default:
		add(d.Facts.Remedy.Text, "")
		add(d.without())
	}
	if d.Value != nil && works[d.Measure] == "" && d.Measure != limit.Patterns && d.Measure != limit.Drift && d.Measure != limit.Outside {
		add(j.stronger(), "")
	}
	if s == Withheld && d.Value != nil { // no other bound is kept by what was not measured
		add("accept it (--accept "+d.Measure+"="+d.acceptable()+")", "")
	}
	text := strings.Join(do, ", or ")
	if text == "" {
		return "", columns
	}
	return strings.ToUpper(text[:1]) + text[1:] + ".", columns
}

// decided is how to try so many people that an unproven demand is likely to be met: twice those that it takes at the rate so far, and as many again, for half of
// them choose the attack. It is empty where the table has not so many, or they would show that it is broken.
func (d *Demand) decided() string {
	if !d.Facts.Tries || d.More == nil || !d.More.Kept || d.More.AtThisRate == 0 || d.More.AtThisRate > d.More.Most {
		return ""
	}
	n := 2 * (d.tried + min(2*d.More.AtThisRate, d.More.Most))
	return fmt.Sprintf("try more people (--set %s.people=%d --set %s.pairs=%d)", d.Measure, n, d.Measure, pairsEach*max(n, 2000))
}

// pairsEach is how many comparisons a person of 2,000 has by default.
const pairsEach = 1_000_000

// stronger is the way to a stronger setting.
func (j *judging) stronger() string {
	if j.Method == nil {
		return "choose another technique or a stronger setting"
	}
	return fmt.Sprintf("choose a stronger setting (dither methods %s)", j.Method.Name)
}

// without says by how much it would help to drop or to coarsen the column that helps the intruder most.
func (d *Demand) without() (what, column string) {
	if len(d.lacking) == 0 || d.Value == nil {
		return "", ""
	}
	w := d.lacking[0]
	if w.Dropped > 0.95**d.Value {
		return "", ""
	}
	dropped := d.number(w.Dropped, 100)
	if w.Coarse != nil && d.Max != nil && *w.Coarse <= *d.Max {
		return fmt.Sprintf("coarsen %s to a few classes: it would then be %s (without %s, %s)", w.Column, d.number(*w.Coarse, 100), w.Column, dropped), w.Column
	}
	return fmt.Sprintf("drop %s (--role %s): without %s it would be %s", w.Column, typed(w.Column+"=identifier"), w.Column, dropped), w.Column
}

// acceptable is the value that would have to be accepted, in hundredths; VALUE where it is not a share.
func (d *Demand) acceptable() string {
	if d.Measure == limit.Patterns {
		return exact(*d.Value)
	}
	if _, people := d.act(); !people || d.Max == nil || d.Hi == nil {
		return "VALUE"
	}
	return exact(min(1, math.Ceil(100**d.Hi-1e-9)/100))
}

// steadiest is the column that an intruder knows and the release changes least.
func (j *judging) steadiest(who string) string {
	k := slices.IndexFunc(j.e.Lookups, func(l Lookups) bool { return l.Intruder == who })
	if k < 0 {
		return ""
	}
	best, least := "", math.Inf(1)
	for _, c := range j.Changes {
		if slices.Contains(j.e.Lookups[k].Columns, c.Column) && c.Changed < least {
			best, least = c.Column, c.Changed
		}
	}
	return best
}

// sparsest is the column of the original that lacks the most values; empty where none lacks any.
func (j *judging) sparsest() (name string) {
	if j.Original == nil {
		return ""
	}
	most := 0
	for k := range j.Original.Width() {
		c, n := j.Original.Column(k), 0
		for i := range j.Original.Rows() {
			if c.MissingAt(i) {
				n++
			}
		}
		if n > most {
			name, most = c.Name, n
		}
	}
	return name
}

// typed writes a word as a shell takes it.
func typed(s string) string {
	if strings.ContainsAny(s, " \t\"'$&;|<>()*?!#`\\") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
