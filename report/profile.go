package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/table"
)

// ProfileText writes for a terminal what a table is. A screen says first who can be picked out, by which columns, the worst first, and then the suggested
// roles with a reason for every group of columns; the verbose text has every column. It shows values that belong to somebody, so it is as confidential as
// the table.
func ProfileText(w io.Writer, name string, p *profile.Profile, roles []profile.Suggestion, e *profile.Exposure, s Screen) error {
	if !s.Verbose {
		return profileScreen(w, name, p, roles, e, s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s records, %d columns\n\n", Printable(name), whole(p.Rows), len(p.Columns))
	var rows [][]string
	for j, c := range p.Columns {
		s := roles[j]
		kind := c.Kind
		if c.Dates != "" {
			kind = "dates"
		}
		rows = append(rows, []string{c.Name, kind, Domain(&c), whole(c.Missing), whole(c.Distinct), share(c.Uniqueness), s.Role.String(), s.Reason})
	}
	if err := listing(&b, []string{"column", "kind", "domain", "missing", "distinct", "unique", "role", "why"}, rows, 4, 5, 6); err != nil {
		return err
	}
	if err := exposureText(&b, p.Rows, e); err != nil {
		return err
	}
	for _, k := range e.Sets {
		fmt.Fprintf(&b, "\n%s\n", knownItems(k))
	}
	for _, r := range remarksOn(p, e) {
		fmt.Fprintf(&b, "\n%s\n", Printable(r))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// remarksOn are what else is to be known before the table is protected.
func remarksOn(p *profile.Profile, e *profile.Exposure) (out []string) {
	if rows := p.FollowRows(); rows != "" {
		out = append(out, sentence(rows)+" dither protect writes records in a random order unless --keep-order is given.")
	}
	if len(e.QuasiIdentifiers) == 0 {
		out = append(out, "No column is a quasi-identifier; name those an intruder may know with --role column=quasi-identifier.")
	}
	return out
}

func exposureText(b *strings.Builder, records int, e *profile.Exposure) error {
	if len(e.QuasiIdentifiers) == 0 {
		return nil // there is nothing to say yet
	}
	fmt.Fprintf(b, "\nbefore anything is done, by %s:\n", Printable(enumerated(e.QuasiIdentifiers)))
	fmt.Fprintf(b, "  %s of %s records (%s) are unique; %s share their values with fewer than four others\n",
		whole(e.Uniques), whole(records), share(e.UniqueShare), whole(e.BelowFive))
	fmt.Fprintf(b, "  the smallest class has %s; there are %s classes\n\n", counted(int(e.K), "record"), whole(e.Classes))
	var rows [][]string
	for _, s := range e.Sizes {
		rows = append(rows, []string{"  " + band(s), whole(s.Classes), whole(s.Records)})
	}
	return listing(b, []string{"  class size", "classes", "records"}, rows, 2, 3)
}

// knownItems says how far a few items tell people apart, the most first.
func knownItems(k profile.KnownItems) string {
	var b strings.Builder
	u := k.Unique[len(k.Unique)-1]
	between := func(u profile.SomeUnique) string {
		if k.Tried == k.People {
			return share(u.Share)
		}
		return fmt.Sprintf("%s (%s to %s)", share(u.Share), share(u.Low), share(u.High))
	}
	fmt.Fprintf(&b, "%s: ", Printable(k.Column))
	if k.People == 0 {
		return b.String() + "no set is known."
	}
	fmt.Fprintf(&b, "for %s of the people there are %d items that nobody else has together, so whoever knows these finds them; for %s 2 items are enough, for %s a single one. ",
		between(u), u.Items, between(k.Unique[1]), between(k.Unique[0]))
	if k.Tried < k.People {
		fmt.Fprintf(&b, "%s of %s people were tried; the limits hold 95 %%. ", whole(k.Tried), whole(k.People))
	}
	fmt.Fprintf(&b, "%s different items, %s of a person on average, at most %s", whole(k.Items), chart.Fixed(k.Mean, 1), whole(k.Largest))
	if k.Empty > 0 {
		fmt.Fprintf(&b, "; %s without any", counted(k.Empty, "person"))
	}
	return b.String() + "."
}

func whole(n int) string { return chart.Count(float64(n)) }

// domain writes the limits of a numeric column with the decimals of its grid.
// Domain writes the domain of a column of numbers or dates as the file has them; empty for others.
func Domain(c *profile.Column) string {
	if c.Domain == nil {
		return ""
	}
	a := table.Attribute{Step: c.Step, Dates: calendar.Notation(c.Dates)}
	num := func(v float64) string { return string(a.AppendValue(nil, v)) }
	return num(c.Domain.Lo) + " to " + num(c.Domain.Hi)
}

// share writes a share of one in per cent; a share that is not quite none or all never reads as if it were.
func share(v float64) string {
	switch p := 100 * v; {
	case v != v:
		return "-"
	case p > 0 && p < 0.05:
		return "<0.1 %"
	case p >= 99.95 && p < 100:
		return ">99.9 %"
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

func band(b profile.SizeBand) string {
	switch {
	case b.To == 0:
		return fmt.Sprintf("%d and more", b.From)
	case b.To == b.From:
		return fmt.Sprint(b.From)
	}
	return fmt.Sprintf("%d to %d", b.From, b.To)
}

// enumerated lists names in a sentence, at most eight of them.
func enumerated(names []string) string {
	switch n := len(names); {
	case n == 0:
		return "nothing"
	case n == 1:
		return names[0]
	case n > 8:
		return fmt.Sprintf("%s and %d further columns", enumerated(names[:7]), n-7)
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
