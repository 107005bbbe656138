package workbench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// errForm is the error for a form that this page does not have.
var errForm = wrong("form")

// changes are what a form asks for: its field "what" says which key it is about. A value is checked where the policy is
// read again.
func (s *Server) changes(i *inspected, form url.Values) ([]change, error) {
	what, value := form.Get("what"), strings.TrimSpace(form.Get("value"))
	if in := form.Get("column"); in != "" {
		j, err := i.column(in)
		if err != nil {
			return nil, err
		}
		return i.changeColumn(j, what, value, form)
	}
	switch what {
	case "suggestions":
		var out []change
		for j, r := range i.Roles {
			if !r.Given {
				out = append(out, i.role(j, r.Role)...)
			}
		}
		return out, nil
	case "method":
		return i.method(value)
	case "limits", "demand", "demand-add", "demand-drop":
		return i.demand(what, form)
	case "intruders", "intruder-add", "intruder-drop", "intruder-tick", "intruder-knows":
		return i.intruder(what, form)
	case "merge":
		return []change{{[]string{"file", "merge-variants"}, true}}, nil
	case "blank-lookups":
		if value != "" {
			return []change{{[]string{what}, true}}, nil
		}
		return []change{{[]string{what}, nil}}, nil
	case "param":
		return i.param(form.Get("name"), value)
	}
	return nil, errForm
}

// method takes another technique, with its defaults.
func (i *inspected) method(name string) ([]change, error) {
	e, err := desk.Methods.Find(name)
	switch {
	case err != nil:
		return nil, errForm
	case i.Policy.Method.Name == "":
		return []change{{[]string{"method"}, []policy.Pair{{Key: "name", Value: e.Name}}}}, nil
	case i.Policy.Method.Name == e.Name:
		return nil, nil
	}
	return []change{{[]string{"method", "name"}, e.Name}, {[]string{"method", "set"}, nil}}, nil
}

// param sets a parameter of the technique. The default need not be written.
func (i *inspected) param(name, value string) ([]change, error) {
	e, err := desk.Methods.Find(cmp.Or(i.Policy.Method.Name, desk.Default(i.Policy)))
	if err != nil {
		return nil, errForm
	}
	k := slices.IndexFunc(e.Params, func(p param.Param) bool { return p.Name == name })
	if k < 0 {
		return nil, errForm
	}
	var out []change
	if i.Policy.Method.Name == "" {
		out, _ = i.method(e.Name)
	}
	p := e.Params[k]
	if p.Type == param.TypeBool && value == "" {
		value = "false"
	}
	if value == "" || value == fmt.Sprint(p.Default) {
		return append(out, change{[]string{"method", "set", name}, nil}), nil
	}
	return append(out, change{[]string{"method", "set", name}, scalar(value)}), nil
}

// changeColumn is a form about one column.
func (i *inspected) changeColumn(j int, what, value string, form url.Values) ([]change, error) {
	key := func(name string) []string { return []string{"columns", i.Table.Attr(j).Name, name} }
	switch what {
	case "role":
		r, err := table.ParseRole(value)
		if err != nil {
			return nil, errForm
		}
		return i.role(j, r), nil
	case "known":
		r := i.Roles[j].Role &^ table.Quasi
		if value != "" {
			r |= table.Quasi
		}
		return i.role(j, r), nil
	case "missing":
		return i.missing(i.Table.Attr(j).Name, strings.Split(value, ",")), nil
	case "missing-too":
		return i.missing(i.Table.Attr(j).Name, append(i.codes(i.Table.Attr(j).Name), value)), nil
	case "not-missing":
		return i.areValues(i.Table.Attr(j).Name, []string{value}, nil), nil
	case "kind", "identifier", "numbers":
		return []change{{key(what), orNil(value)}}, nil
	case "keep", "keep-text":
		if value != "" {
			return []change{{key(what), true}}, nil
		}
		return []change{{key(what), nil}}, nil
	case "domain":
		lo, hi := strings.TrimSpace(form.Get("lo")), strings.TrimSpace(form.Get("hi"))
		switch {
		case lo == "" && hi == "":
			return []change{{key("domain"), nil}}, nil
		case lo == "" || hi == "":
			return nil, wrong("ends")
		}
		return []change{{key("domain"), []any{scalar(lo), scalar(hi)}}}, nil
	}
	return nil, errForm
}

// role gives a column a role. The class is a key of the whole policy.
func (i *inspected) role(j int, r table.Role) []change {
	p, name := i.Policy, i.Table.Attr(j).Name
	key := []string{"columns", name, "role"}
	var out []change
	if r&table.Class != 0 {
		for other, c := range p.Columns { // there is one class
			if other != name && slices.Contains(c.Role, table.Class.String()) {
				rest := slices.DeleteFunc(slices.Clone(c.Role), func(w string) bool { return w == table.Class.String() })
				out = append(out, change{[]string{"columns", other, "role"}, roleValue(rest)})
			}
		}
		if p.Class != name {
			out = append(out, change{[]string{"class"}, name})
		}
		r &^= table.Class
	} else if p.Class == name {
		out = append(out, change{[]string{"class"}, nil})
	}
	if p.Columns[name].Identifier != "" && r&table.Identifier == 0 {
		out = append(out, change{[]string{"columns", name, "identifier"}, nil})
	}
	if r == 0 && (p.Class == name || len(out) > 0 && out[len(out)-1].value == any(name)) {
		return append(out, change{key, nil})
	}
	return append(out, change{key, roleValue(r.Names())})
}

// roleValue writes one role as a word and several as a list.
func roleValue(names []string) any {
	switch len(names) {
	case 0:
		return nil
	case 1:
		return names[0]
	}
	return names
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// scalar is what was typed as a number where it is one, else as text, such as a date.
func scalar(s string) any {
	if _, err := strconv.ParseFloat(s, 64); err == nil && json.Valid([]byte(s)) {
		return json.Number(s)
	}
	return s
}

// suggested reports whether any role is a guess.
func suggested(roles []profile.Suggestion) (n int) {
	for _, r := range roles {
		if !r.Given {
			n++
		}
	}
	return n
}

// mistake is an error that says a sentence, for the page in its language.
type mistake struct{ says message.Sentence }

func (m *mistake) Error() string { return m.says.String() }

func wrong(key string) error { return &mistake{message.Say("workbench.wrong." + key)} }

// forPage is an error that names what to do on the page in place of a flag of the command.
func forPage(err error) error {
	if errors.Is(err, protect.ErrNoClass) {
		needs := message.Say("workbench.wrong.class").Text("methods", strings.Join(protect.Classless, ", "))
		return &mistake{needs}
	}
	return err
}

// excuse says what is wrong, for a person. The words of an error, which may begin with the name of a file, stay as they
// are, behind a colon.
func excuse(err error) message.Sentence {
	return message.Say("workbench.fault.failed").Part("why", fault(err))
}

// unchanged is excuse for a form that changed nothing.
func unchanged(err error) message.Sentence {
	return message.Say("workbench.fault.unchanged").Part("why", fault(err))
}

func fault(err error) message.Sentence {
	var at *policy.Error
	var known *mistake
	switch {
	case errors.As(err, &at) && at.Line > 0:
		return message.Say("workbench.fault.line").Count("line", at.Line).Text("why", at.Message)
	case errors.As(err, &known):
		return known.says
	}
	// several files may fail for one reason
	return message.Apart(message.Texts(slices.Compact(strings.Split(forPage(err).Error(), "\n"))))
}
