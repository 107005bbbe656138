package workbench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// The words of a policy for what an intruder knows without naming columns.
var (
	knowsQuasi = "role:" + table.Quasi.String()
	knowsAll   = intruder.All
)

// intrudersView is the screen of the intruders.
type intrudersView struct {
	Declared bool // in the policy; else they are the default ones
	Cards    []intruderCard
}

// intruderCard is one intruder.
type intruderCard struct {
	K, ID, Name string
	Sentence    message.Sentence
	Alone, Of   string // on the original
	Mode        string // quasi, all, or these
	Columns     []knownColumn
	Ticks       []intruderTick
}

// knownColumn is a column that the intruder may know.
type knownColumn struct {
	Name   string
	Field  string // of how far off what is known may be
	Known  bool
	Number bool
	Within string
}

// intruderTick is something that is so or not.
type intruderTick struct {
	Key  string
	Text message.Sentence
	On   bool
}

// tick is a key of an intruder that is true or absent.
type tick struct {
	key string
	of  func(*intruder.Intruder) bool
}

func (t *tick) says() message.Sentence { return message.Say("workbench.tick." + t.key) }

var ticks = []tick{
	{"outsider", func(i *intruder.Intruder) bool { return i.Outsider }},
	{"unaware", func(i *intruder.Intruder) bool { return i.Unaware }},
	{"gaps", func(i *intruder.Intruder) bool { return i.Gaps }},
	{"order", func(i *intruder.Intruder) bool { return i.Order }},
	{"plan", func(i *intruder.Intruder) bool { return i.Plan }},
}

// whom are the intruders of the policy, or else the default ones.
func (i *inspected) whom() []intruder.Intruder {
	if i.Policy.Intruders != nil {
		return i.Policy.Intruders
	}
	return intruder.Defaults(i.Table.Attrs())
}

func (s *Server) intruderScreen(r *http.Request, i *inspected) (any, error) {
	v := &intrudersView{Declared: i.Policy.Intruders != nil}
	for k, one := range i.whom() {
		view, err := one.On(i.Table.Attrs())
		if err != nil {
			return nil, err
		}
		c := intruderCard{
			K:        strconv.Itoa(k),
			ID:       "i" + strconv.Itoa(k),
			Name:     one.Name,
			Sentence: i.says(&one, view),
			Mode:     "these",
		}
		switch {
		case slices.Equal(one.Knows, []string{knowsQuasi}):
			c.Mode = "quasi"
		case slices.Equal(one.Knows, []string{knowsAll}):
			c.Mode = "all"
		}
		alone, of, err := i.alone(r.Context(), view)
		if err != nil {
			return nil, err
		}
		c.Alone, c.Of = whole(alone), i.ofAll(of).String()
		known := view.Columns()
		for j, a := range i.Table.Attrs() {
			if a.Role&(table.Identifier|table.Weight) != 0 {
				continue
			}
			col := knownColumn{
				Name:   a.Name,
				Field:  fmt.Sprintf("within%d", j),
				Known:  slices.Contains(known, j) || slices.Contains(view.Sets, j),
				Number: a.Kind == table.Numeric,
			}
			if w, ok := one.Within[a.Name]; ok {
				col.Within = strconv.FormatFloat(w, 'g', -1, 64)
			}
			c.Columns = append(c.Columns, col)
		}
		for _, t := range ticks {
			c.Ticks = append(c.Ticks, intruderTick{t.key, t.says(), t.of(&one)})
		}
		v.Cards = append(v.Cards, c)
	}
	return v, nil
}

// mostNamed is how many columns a sentence names.
const mostNamed = 8

// says is the intruder in a sentence.
func (i *inspected) says(one *intruder.Intruder, v *intruder.View) message.Sentence {
	name := func(j int) message.Sentence { return message.Name(i.Table.Attr(j).Name) }
	var knows, wants []message.Sentence
	for _, k := range v.Known {
		says := name(k.Column)
		switch {
		case k.Within > 0:
			says = message.Say("workbench.knows.within").Part("column", says).Term("within", k.Within, -1)
		case k.Bands != nil, k.Groups != nil:
			says = message.Say("workbench.knows.roughly").Part("column", says)
		}
		knows = append(knows, says)
	}
	for _, j := range v.Sets {
		knows = append(knows, name(j))
	}
	for _, j := range v.Secret {
		wants = append(wants, name(j))
	}
	key := "workbench.knows.outsider"
	if v.InFile {
		key = "workbench.knows.inFile"
	}
	all := []message.Sentence{message.Say(key).Part("columns", enumerated(knows))}
	if v.Technique {
		all = append(all, message.Say("workbench.knows.technique"))
	}
	for _, t := range ticks[2:] {
		if t.of(one) {
			all = append(all, t.says())
		}
	}
	if len(wants) > 0 {
		all = append(all, message.Say("workbench.knows.wants").Part("columns", enumerated(wants)))
	}
	return message.Say("stop").Part("says", message.Apart(all))
}

// enumerated lists columns with commas, the first few of many.
func enumerated(columns []message.Sentence) message.Sentence {
	switch n := len(columns); {
	case n == 0:
		return message.Say("workbench.knows.nothing")
	case n == 1:
		return columns[0]
	case n > mostNamed:
		return message.Say("list.further").Part("first", message.Listed(columns[:mostNamed])).Count("n", n-mostNamed)
	default:
		return message.Say("list.and").Part("rest", message.Listed(columns[:n-1])).Part("last", columns[n-1])
	}
}

// alone counts who is alone by exactly what an intruder knows; what is known roughly is taken as known.
func (i *inspected) alone(ctx context.Context, v *intruder.View) (alone, of int, err error) {
	cols := i.Table.Columns()
	known := append(v.Columns(), v.Sets...)
	for j := range cols {
		cols[j].Role &^= table.Quasi
		if slices.Contains(known, j) {
			cols[j].Role |= table.Quasi
		}
	}
	t, err := i.Table.WithColumns(cols)
	if err != nil {
		return 0, 0, err
	}
	key := fmt.Sprint(known)
	i.counting.Lock()
	defer i.counting.Unlock()
	if n, ok := i.counted[key]; ok {
		return n[0], n[1], nil
	}
	e, err := profile.Expose(ctx, t)
	if err != nil {
		return 0, 0, err
	}
	if i.counted == nil {
		i.counted = map[string][2]int{}
	}
	i.counted[key] = [2]int{e.Uniques, e.Rows}
	return e.Uniques, e.Rows, nil
}

// intruder is a form about the intruders.
func (i *inspected) intruder(what string, form url.Values) ([]change, error) {
	last := []string{"intruders", policy.Last}
	switch what {
	case "intruders":
		if i.Policy.Intruders != nil {
			return nil, errForm
		}
		var out []change
		for _, one := range i.whom() {
			out = append(out, change{last, written(&one)})
		}
		return out, nil
	case "intruder-add":
		name := strings.TrimSpace(form.Get("value"))
		if name == "" || i.Policy.Intruders == nil {
			return nil, errForm
		}
		return []change{{last, written(&intruder.Intruder{Name: name, Knows: []string{knowsQuasi}})}}, nil
	}
	k, err := strconv.Atoi(form.Get("k"))
	if err != nil || k < 0 || k >= len(i.Policy.Intruders) {
		return nil, errForm
	}
	at := []string{"intruders", strconv.Itoa(k)}
	switch what {
	case "intruder-drop":
		return []change{{at, nil}}, nil
	case "intruder-tick":
		key := form.Get("key")
		if !slices.ContainsFunc(ticks, func(t tick) bool { return t.key == key }) {
			return nil, errForm
		}
		if form.Get("value") == "" {
			return []change{{append(at, key), nil}}, nil
		}
		return []change{{append(at, key), true}}, nil
	case "intruder-knows":
		return i.knows(at, form)
	}
	return nil, errForm
}

// knows is what an intruder knows of a person, and how exactly.
func (i *inspected) knows(at []string, form url.Values) ([]change, error) {
	key := func(name string) []string { return append(slices.Clone(at), name) }
	switch form.Get("mode") {
	case "quasi":
		return []change{{key("knows"), []string{knowsQuasi}}, {key("within"), nil}}, nil
	case "all":
		return []change{{key("knows"), []string{knowsAll}}, {key("within"), nil}}, nil
	case "these":
	default:
		return nil, errForm
	}
	var within []policy.Pair
	for _, name := range form["knows"] {
		j, err := i.column(name)
		if err != nil {
			return nil, err
		}
		if text := strings.TrimSpace(form.Get(fmt.Sprintf("within%d", j))); text != "" {
			n, err := number(text)
			if err != nil {
				return nil, errors.New("how far off what is known may be is a number, such as 2")
			}
			within = append(within, policy.Pair{Key: name, Value: n})
		}
	}
	out := []change{{key("knows"), nil}, {key("within"), nil}}
	if len(form["knows"]) > 0 {
		out[0].value = form["knows"]
	}
	if within != nil {
		out[1].value = within
	}
	return out, nil
}

// written is an intruder as the policy says it.
func written(one *intruder.Intruder) []policy.Pair {
	out := []policy.Pair{{Key: "name", Value: one.Name}, {Key: "knows", Value: one.Knows}}
	if one.Secret != nil {
		out = append(out, policy.Pair{Key: "secret", Value: one.Secret})
	}
	return out
}
