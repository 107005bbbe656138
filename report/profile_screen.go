package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// revealing is the share of the records with a value of their own from which on a column that is no quasi-identifier is
// named as one that picks people out all by itself.
const revealing = 0.01

// roleGroup is the columns of one role for one reason.
type roleGroup struct {
	role    table.Role
	reason  message.Sentence
	why     []profile.Clause
	columns []string
}

func profileScreen(w io.Writer, name string, p *profile.Profile, roles []profile.Suggestion, e *profile.Exposure,
	s Screen) error {
	var names []string
	for _, c := range p.Columns {
		names = append(names, Printable(c.Name))
	}
	f := &fitter{s, shortener(names)}
	head := f.say("", profileTitle(name, p).String(), 2)
	if says := p.Whose(roles); !says.Empty() {
		head = append(head, f.say("", says.Whole().String(), 4)...)
	}
	head = append(head, f.exposure(p, roles, e)...)
	for _, k := range e.Sets {
		head = append(head, f.say("", strings.Join(stringsOf(knownItems(k)), " "), 4)...)
	}
	const forRoles = 6 // lines, if remarks can be shorter for it
	var tail []string
	room := 0
	for most := 4; most > 0 && room < forRoles; most-- {
		tail = nil
		for _, r := range remarksOn(p, e) {
			tail = append(tail, f.say("! ", strings.Join(stringsOf(r), " "), most)...)
		}
		tail = append(tail, message.Say("profile.verbose").String())
		room = screenLines - s.After - len(head) - len(tail)
	}
	_, err := io.WriteString(w, joinedLines(head, f.roles(roles, room), tail))
	return err
}

// exposure says how many records are unique by all quasi-identifiers, by the worst few of them, and by single columns
// that are none.
func (f *fitter) exposure(p *profile.Profile, roles []profile.Suggestion, e *profile.Exposure) (lines []string) {
	type row struct {
		unique int
		by     string
	}
	var rows []row
	if n := len(e.QuasiIdentifiers); n > 0 {
		key, words := "profile.before", ""
		if e.Rows == p.Rows { // nobody has several records
			words = measure.Words(table.OfRecord)
		}
		if un := unrecognised(p, roles); !un.Empty() {
			key, lines = "profile.beforeSome", f.say("", un.String(), 4)
		}
		lines = append(lines, f.say("", message.Say(key).Count("n", e.Uniques).Count("people", e.Rows).
			Part("share", share(e.UniqueShare)).
			Count("few", e.BelowFive).Among(words).String(), 3)...)
		by := strings.Join(e.QuasiIdentifiers, ", ")
		if n > 1 {
			by = message.Say("profile.by.all").Count("n", n).Text("columns", by).String()
		}
		if n > 3 || len(e.Worst) == 0 {
			rows = append(rows, row{e.Uniques, by})
		}
		for _, w := range slices.Backward(e.Worst) {
			rows = append(rows, row{w.Uniques, strings.Join(w.Columns, ", ")})
		}
	}
	var alone []row
	for k, c := range p.Columns {
		if roles[k].Role&(table.Quasi|table.Class) == 0 && c.Uniqueness >= revealing {
			alone = append(alone, row{int(float64(c.Uniqueness*float64(p.Rows)) + 0.5),
				message.Say("profile.by.alone").Name("column", c.Name).Text("role", roles[k].Role.String()).String()})
		}
	}
	slices.SortStableFunc(alone, func(a, b row) int { return cmp.Compare(b.unique, a.unique) })
	rows = append(rows, alone[:min(len(alone), 3)]...)
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.unique, a.unique) })
	if len(rows) == 0 {
		return lines
	}
	lines = append(lines, fmt.Sprintf("  %9s  %s", message.Say("profile.by.unique"), message.Say("profile.by.by")))
	for _, r := range rows {
		lines = append(lines, f.say(fmt.Sprintf("  %9s  ", whole(r.unique)), r.by, 2)...)
	}
	return lines
}

// roleGroups puts columns together that have one role for one reason, whatever the words of their names and the figures
// in it.
func roleGroups(roles []profile.Suggestion) (out []roleGroup) {
	for _, r := range roles {
		k := slices.IndexFunc(out, func(g roleGroup) bool {
			return g.role == r.Role && slices.EqualFunc(g.why, r.Why, profile.Clause.Alike)
		})
		if k < 0 {
			out = append(out, roleGroup{role: r.Role, reason: r.Reason(), why: r.Why})
			k = len(out) - 1
		}
		out[k].columns = append(out[k].columns, r.Column)
	}
	for k := range out {
		if len(out[k].columns) > 1 {
			out[k].reason = common(&out[k])
		}
	}
	return out
}

// common is what of the reason of a group holds for all its columns or, where that is nothing, the reason of the first.
func common(g *roleGroup) message.Sentence {
	var holds []message.Sentence
	for _, c := range g.why {
		if !c.General.Empty() {
			holds = append(holds, c.General)
		}
	}
	if holds == nil {
		return g.reason
	}
	return message.Apart(holds)
}

// roles lists the columns by role, with the reason once for each group, in at most so many lines. Where they are too
// many the reasons go first, and then a role is one group.
func (f *fitter) roles(roles []profile.Suggestion, most int) []string {
	groups := roleGroups(roles)
	slices.SortStableFunc(groups, func(a, b roleGroup) int { return cmp.Compare(rankOfRole(a.role), rankOfRole(b.role)) })
	for _, fit := range []struct{ names, reason int }{{2, 2}, {2, 1}, {1, 1}, {3, 0}, {1, 0}} {
		if fit.reason == 0 {
			groups = byRole(groups)
		}
		lines := f.say("", message.Say("profile.roles").String(), 2)
		wide := cells(table.Quasi.String())
		for _, g := range groups {
			wide = max(wide, cells(g.role.String()))
		}
		for _, g := range groups {
			role := fmt.Sprintf("  %-*s  ", wide, g.role.String())
			lines = append(lines, f.say(role, strings.Join(g.columns, ", "), fit.names)...)
			lines = append(lines, f.say("    ", g.reason.String(), fit.reason)...)
		}
		if len(lines) <= most {
			return lines
		}
		if fit.reason == 0 && fit.names == 1 {
			return append(lines[:max(most-1, 0):max(most-1, 0)], "  "+message.Say("profile.by.more").
				Count("n", len(lines)-max(most-1, 0)).String())
		}
	}
	return nil
}

// byRole puts the groups of each role together, which stand beside each other.
func byRole(groups []roleGroup) (out []roleGroup) {
	for _, g := range groups {
		if n := len(out); n > 0 && out[n-1].role == g.role {
			out[n-1].columns = slices.Concat(out[n-1].columns, g.columns)
		} else {
			out = append(out, g)
		}
	}
	return out
}

// rankOfRole orders the roles by what they mean for a person.
func rankOfRole(role table.Role) int {
	order := []table.Role{
		table.Person,
		table.Household,
		table.Identifier,
		table.Quasi,
		table.Confidential,
		table.Class,
		table.Weight,
	}
	if k := slices.IndexFunc(order, func(r table.Role) bool { return role&r != 0 }); k >= 0 {
		return k
	}
	return len(order)
}
