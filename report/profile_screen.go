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
	head := f.say("", profileTitle(shortened(Printable(name), 2*mostName), p).String())
	if says := p.Whose(roles); !says.Empty() {
		head = append(head, f.say("", says.Whole().String())...)
	}
	head = append(head, f.exposure(p, roles, e)...)
	for _, k := range e.Sets {
		head = append(head, f.say("", strings.Join(stringsOf(knownItems(k)), " "))...)
	}
	var tail []string
	for _, r := range remarksOn(p, e) {
		tail = append(tail, f.say("! ", strings.Join(stringsOf(r), " "))...)
	}
	tail = append(tail, f.say("", message.Say("profile.verbose").String())...)
	if err := f.write(w, head); err != nil {
		return err
	}
	_, err := io.WriteString(w, joinedLines(f.roles(roles, f.lines()-s.After-len(head)-len(tail)), tail))
	return err
}

// unique is how many are the only ones by some columns.
type unique struct {
	n  int
	by enumeration
}

// exposure says how many records or people are unique by all quasi-identifiers, by the worst few of them, and by single
// columns that are none. These are counted in records, so they stand apart where the others are people.
func (f *fitter) exposure(p *profile.Profile, roles []profile.Suggestion, e *profile.Exposure) (lines []string) {
	var rows []unique
	key, words := "profile.before", ""
	ofRecords := e.Rows == p.Rows // nobody has several
	if ofRecords {
		words = measure.Words(table.OfRecord)
	}
	if n := len(e.QuasiIdentifiers); n > 0 {
		if un := unrecognised(p, roles); !un.Empty() {
			key, lines = "profile.beforeSome", f.say("", un.String())
		}
		lines = append(lines, f.say("", message.Say(key).Count("n", e.Uniques).Count("people", e.Rows).
			Part("share", share(e.UniqueShare)).
			Count("few", e.BelowFive).Among(words).String())...)
		if n > 3 || len(e.Worst) == 0 {
			all := unique{n: e.Uniques, by: enumeration{items: e.QuasiIdentifiers}}
			if n > 1 {
				all.by.lead = message.Say("profile.by.all").Count("n", n).String() + " "
			}
			rows = append(rows, all)
		}
		for _, w := range slices.Backward(e.Worst) {
			rows = append(rows, unique{n: w.Uniques, by: enumeration{items: w.Columns}})
		}
	}
	alone := aloneIn(p, roles)
	if ofRecords {
		rows, alone = append(rows, alone...), nil
	}
	return slices.Concat(lines, f.uniques(rows, words), f.uniques(alone, measure.Words(table.OfRecord)))
}

// aloneIn are the few columns besides the quasi-identifiers in which most records have a value of their own.
func aloneIn(p *profile.Profile, roles []profile.Suggestion) (out []unique) {
	for k, c := range p.Columns {
		if roles[k].Role&(table.Quasi|table.Class) == 0 && c.Uniqueness >= revealing {
			out = append(out, unique{int(float64(c.Uniqueness*float64(p.Rows)) + 0.5), enumeration{items: []string{
				message.Say("profile.by.alone").Name("column", c.Name).Text("role", roles[k].Role.String()).String()}}})
		}
	}
	slices.SortStableFunc(out, func(a, b unique) int { return cmp.Compare(b.n, a.n) })
	return out[:min(len(out), 3)]
}

// uniques is a table of those who are the only ones, most first; nothing for none.
func (f *fitter) uniques(rows []unique, words string) (lines []string) {
	if len(rows) == 0 {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b unique) int { return cmp.Compare(b.n, a.n) })
	of := message.Say("profile.by.of").Among(words)
	lines = append(lines, fmt.Sprintf("  %9s  %s", of, message.Say("profile.by.by")))
	for _, r := range rows {
		r.by.lead = fmt.Sprintf("  %9s  %s", whole(r.n), r.by.lead)
		lines = append(lines, r.by.within(f, 2)...)
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

// roles lists the columns by role, with the reason once for each group as far as so many lines hold them. Where they do
// not hold the groups, a role is one; then the names are counted that no line has room for.
func (f *fitter) roles(roles []profile.Suggestion, most int) []string {
	groups := roleGroups(roles)
	slices.SortStableFunc(groups, func(a, b roleGroup) int { return cmp.Compare(rankOfRole(a.role), rankOfRole(b.role)) })
	const names = 3 // lines of names of a group
	lines := f.roleLines(groups, names, 0)
	if len(lines) <= most {
		return f.roleLines(groups, names, most-len(lines))
	}
	groups = byRole(groups)
	for each := names; each > 0; each-- {
		if lines = f.roleLines(groups, each, 0); len(lines) <= most {
			break
		}
	}
	return lines
}

// roleLines has so many lines of names at most for each group, and so many lines of reasons in all.
func (f *fitter) roleLines(groups []roleGroup, most, forReasons int) []string {
	lines := f.say("", message.Say("profile.roles").String())
	wide := cells(table.Quasi.String())
	for _, g := range groups {
		wide = max(wide, cells(g.role.String()))
	}
	for _, g := range groups {
		names := enumeration{lead: fmt.Sprintf("  %-*s  ", wide, g.role.String()), items: g.columns}
		lines = append(lines, names.within(f, most)...)
		if why := f.say("    ", g.reason.String()); len(why) <= forReasons {
			lines, forReasons = append(lines, why...), forReasons-len(why)
		}
	}
	return lines
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
	order := []table.Role{table.Person, table.Household, table.Identifier, table.Quasi, table.Confidential, table.Class,
		table.Weight}
	if k := slices.IndexFunc(order, func(r table.Role) bool { return role&r != 0 }); k >= 0 {
		return k
	}
	return len(order)
}
