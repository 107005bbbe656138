package param_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/param"
)

// knobs has one parameter of every type.
type knobs struct {
	Spread float64
	Leaf   int
	Prune  bool
	Rule   string
	Except []string
}

func (k *knobs) Params() param.Set {
	return param.Set{
		param.Float(&k.Spread, "spread", 33.33, 0, 1000, "%", "noise"),
		param.Int(&k.Leaf, "leaf", 2, 1, 50, "records", "smallest leaf"),
		param.Bool(&k.Prune, "prune", true, "prune"),
		param.Choice(&k.Rule, "rule", "avg", []string{"avg", "c50"}, "which tests compete"),
		param.Names(&k.Except, "except", "columns left alone"),
	}
}

func TestDefault(t *testing.T) {
	k := param.Default(&knobs{Leaf: 9, Except: []string{"x"}})
	if k.Spread != 33.33 || k.Leaf != 2 || !k.Prune || k.Rule != "avg" || k.Except != nil {
		t.Errorf("got %+v", k)
	}
}

// outside declares a default beyond its own bounds.
type outside struct{ n int }

func (o *outside) Params() param.Set { return param.Set{param.Int(&o.n, "n", 0, 1, 2, "", "")} }

func TestDefaultOutOfRangeIsAProgrammingError(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a default outside its bounds is accepted")
		}
	}()
	param.Default(&outside{})
}

func TestApply(t *testing.T) {
	k := param.Default(&knobs{})
	must.NoError(t, k.Params().Apply(
		map[string]string{"spread": "1e1", "leaf": "50", "prune": "false", "rule": "c50", "except": " a, b ,,c"},
	))
	if k.Spread != 10 || k.Leaf != 50 || k.Prune || k.Rule != "c50" || !slices.Equal(k.Except, []string{"a", "b", "c"}) {
		t.Errorf("got %+v", k)
	}
	if got := fmt.Sprint(k.Params().Values()); got != "[{spread 10 % false} {leaf 50 records false} {prune false  false} "+
		"{rule c50  false} {except a,b,c  false}]" {
		t.Errorf("values are %s", got)
	}
	if err := k.Params().Apply(map[string]string{"except": ""}); err != nil || k.Except != nil {
		t.Errorf("an empty list leaves %q, %v", k.Except, err)
	}
}

// A bad value is refused by name, says what was found and what was expected, and nothing is set: not even what comes
// before it.
func TestApplySetsAllOrNothing(t *testing.T) {
	for _, c := range []struct{ name, value, says string }{
		{"spread", "-0.1", "0 to 1000"}, {"spread", "1000.5", "0 to 1000"}, {"spread", "NaN", "number"},
		{"spread", "", "number"}, {"spread", "ten", "number"},
		{"leaf", "0", "1 to 50"}, {"leaf", "51", "1 to 50"}, {"leaf", "2.5", "whole"},
		{"leaf", "99999999999999999999", "whole"},
		{"prune", "perhaps", "true nor false"}, {"rule", "C50", "avg, c50"}, {"rule", "", "avg, c50"},
		{"spreed", "1", "it takes spread, leaf, prune, rule, except"},
	} {
		k := param.Default(&knobs{})
		k.Except = []string{"kept"}
		err := k.Params().Apply(map[string]string{"except": "lost", "a": "", c.name: c.value})
		if err == nil || fmt.Sprint(*k) != "{33.33 2 true avg [kept]}" {
			t.Errorf("%s=%q leaves %+v, %v", c.name, c.value, *k, err)
		}
		err = k.Params().Apply(map[string]string{"except": "lost", c.name: c.value})
		if err == nil || !strings.Contains(err.Error(), `"`+c.name+`"`) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s=%q: %v; expected the name and %q", c.name, c.value, err, c.says)
		}
		if fmt.Sprint(*k) != "{33.33 2 true avg [kept]}" {
			t.Errorf("%s=%q leaves %+v", c.name, c.value, *k)
		}
	}
	if err := (param.Set{}).Apply(map[string]string{"x": "1"}); err == nil ||
		!strings.Contains(err.Error(), "no parameters") {
		t.Errorf("a parameter of nothing: %v", err)
	}
}

func TestBoundsAreInclusive(t *testing.T) {
	k := param.Default(&knobs{})
	for _, v := range []string{"0", "1000"} {
		if err := k.Params().Apply(map[string]string{"spread": v}); err != nil {
			t.Error(err)
		}
	}
	for _, v := range []string{"1", "50"} {
		if err := k.Params().Apply(map[string]string{"leaf": v}); err != nil {
			t.Error(err)
		}
	}
}

func TestMergeKeepsTheFirst(t *testing.T) {
	a, b := param.Default(&knobs{}), param.Default(&knobs{})
	both := param.Merge(a.Params()[:2], b.Params())
	if len(both) != 5 {
		t.Fatalf("%d parameters", len(both))
	}
	must.NoError(t, both.Apply(map[string]string{"leaf": "7", "rule": "c50"}))
	if a.Leaf != 7 || b.Leaf != 2 || b.Rule != "c50" {
		t.Errorf("got %+v and %+v", a, b)
	}
	if !both.Has("rule") || both.Has("ruler") {
		t.Error("Has does not tell declared names from others")
	}
}

func TestNamesWithCommas(t *testing.T) {
	for _, names := range [][]string{nil, {"a"}, {"a", "b c"}, {"income, gross", `say "x"`, "z"}} {
		if got := param.SplitNames(param.JoinNames(names)); !slices.Equal(got, names) {
			t.Errorf("%q became %q", names, got)
		}
	}
	if got := param.SplitNames(" a , b,,c "); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%q", got)
	}
}

// A list is read as it was written, by names, by patterns, whose commas are their own, and by other texts.
func TestLists(t *testing.T) {
	var v struct {
		names           []string
		patterns, pairs string
	}
	set := param.Set{
		param.Names(&v.names, "names", ""), param.Patterns(&v.patterns, "patterns", ""), param.Text(&v.pairs, "pairs", ""),
	}
	for _, list := range [][]string{
		{"a"}, {"a", "b c"}, {"a, b"}, {`say "x"`}, {"a,b=>c", "d"}, {`"x, y"=1`, "z"}, {"2:5", "3:3"},
	} {
		text := param.List(list)
		must.NoError(t, set.Apply(map[string]string{"names": text, "patterns": text, "pairs": text}))
		lines := slices.DeleteFunc(strings.Split(v.patterns, "\n"), func(s string) bool { return strings.HasPrefix(s, "#") })
		if !slices.Equal(v.names, list) || !slices.Equal(lines, list) || !slices.Equal(param.SplitNames(v.pairs), list) ||
			strings.Contains(v.pairs, "\n") {
			t.Errorf("%q became %q, %q and %q", list, v.names, lines, v.pairs)
		}
	}
	if err := set.Apply(map[string]string{"pairs": "a:\n  b, c\n"}); err != nil || v.pairs != "a:\n  b, c\n" {
		t.Errorf("a text of several lines became %q, error %v", v.pairs, err)
	}
	broken := []string{"first\nline", "b"}
	if got := param.SplitNames(param.List(broken)); !slices.Equal(got, broken) {
		t.Errorf("names with line breaks became %q", got)
	}
}

// What is set in Go is refused with the words of what is set by a flag.
func TestCheck(t *testing.T) {
	var v struct {
		spread float64
		k      int
		all    bool
		grid   string
		except []string
	}
	set := param.Set{
		param.Float(&v.spread, "spread", 33.33, 0, 1000, "%", "h"),
		param.Int(&v.k, "k", 3, 2, 100, "records", "h"),
		param.Bool(&v.all, "all", false, "h"),
		param.Choice(&v.grid, "grid", "keep", []string{"keep", "finer"}, "h"),
		param.Names(&v.except, "except", "h"),
	}
	good := func() {
		v.spread, v.k, v.all, v.grid, v.except = 1.0/3, 100, true, "finer", []string{" a", "", `b"c`}
	}
	good()
	if err := set.Check(); err != nil || v.spread != 1.0/3 || v.k != 100 || !v.all || v.grid != "finer" ||
		len(v.except) != 3 {
		t.Errorf("what is in range: %v, and the fields are %+v", err, v)
	}
	for _, c := range []struct {
		name, flag string
		spoil      func()
	}{
		{"spread", "-5", func() { v.spread = -5 }},
		{"spread", "1000.5", func() { v.spread = 1000.5 }},
		{"spread", "NaN", func() { v.spread = math.NaN() }},
		{"k", "1", func() { v.k = 1 }},
		{"k", "101", func() { v.k = 101 }},
		{"grid", "x", func() { v.grid = "x" }},
		{"grid", "", func() { v.grid = "" }},
	} {
		good()
		want := set.Apply(map[string]string{c.name: c.flag})
		c.spoil()
		if err := set.Check(); err == nil || err.Error() != want.Error() {
			t.Errorf("%s = %s in Go: %v; as a flag: %v", c.name, c.flag, err, want)
		}
	}
}

func TestShared(t *testing.T) {
	k := param.Default(&knobs{})
	s := append(k.Params()[:2].Shared(), k.Params()[2:]...)
	for name, want := range map[string]bool{"spread": true, "leaf": true, "rule": false, "nothing": false} {
		if s.Shares(name) != want {
			t.Errorf("%s: %v, expected %v", name, s.Shares(name), want)
		}
	}
	if k.Params().Shares("spread") {
		t.Error("a parameter is shared without being said to be")
	}
}

// TestStronger: a stronger setting is a step on to the strongest worth trying, in equal factors or in equal steps, and
// there it ends. An automatic value goes on from the mildest.
func TestStronger(t *testing.T) {
	var x float64
	var k int
	noise := param.Float(&x, "noise", 0.25, 0, 1000, "", "").Noisier(0.001, 20)
	rate := param.Float(&x, "rate", 0.5, 0, 1, "", "").Noisier(0.2, 1)
	keep := param.Float(&x, "keep", 0.9, 0, 1, "", "").Noisier(0.9, 0.5)
	group := param.Int(&k, "k", 0, 0, 1000, "", "").Guards(10, 200)
	auto := param.Float(&x, "auto", 0, 0, 1000, "", "").Noisier(0.001, 20)
	none := param.Float(&x, "none", 0, 0, 1, "", "")
	for _, c := range []struct {
		p    param.Param
		at   string
		want string
	}{
		{noise, "0.25", "3"}, // times 20000^(1/4)
		{noise, "15", "20"},
		{noise, "20", ""},
		{noise, "30", ""},
		{noise, "0", "0.012"},
		{auto, "0", ""},
		{rate, "0.5", "0.7"},
		{rate, "1", ""},
		{keep, "0.9", "0.8"},
		{keep, "1", "0.8"},
		{keep, "0.5", ""},
		{group, "0", "21"},
		{group, "21", "44"},
		{group, "200", ""},
		{none, "0", ""},
	} {
		must.NoError(t, (param.Set{c.p}).Apply(map[string]string{c.p.Name: c.at}))
		if got, ok := c.p.Stronger(); got != c.want || ok != (c.want != "") {
			t.Errorf("%s=%s: %q, expected %q", c.p.Name, c.at, got, c.want)
		}
	}
	if group.Noise != nil || group.Guard == nil {
		t.Error("a guard is searched like noise")
	}
}

// TestAliases: a parameter is taken by another name of it, which nothing shows; by both at once it is refused. A name
// that a parameter has wins over an alias of another one.
func TestAliases(t *testing.T) {
	var x, y float64
	psi, phi := param.Float(&x, "psi", 0, 0, 1, "", ""), param.Float(&y, "phi", 0, 0, 1, "", "")
	psi.Aliases = []string{"phi"}
	s := param.Set{psi}
	if err := s.Apply(map[string]string{"phi": "0.25"}); err != nil || x != 0.25 || !s.Has("phi") {
		t.Fatalf("psi is %v, error %v", x, err)
	}
	if v := s.Values(); len(v) != 1 || v[0].Name != "psi" || v[0].Value != 0.25 {
		t.Errorf("values %v", v)
	}
	err := s.Apply(map[string]string{"phi": "0.5", "psi": "0.75"})
	if err == nil || !strings.Contains(err.Error(), "another name of psi") || x != 0.25 {
		t.Errorf("psi is %v, error %v", x, err)
	}
	if err := (param.Set{psi, phi}).Apply(map[string]string{"phi": "0.5"}); err != nil || x != 0.25 || y != 0.5 {
		t.Errorf("psi is %v, phi %v, error %v", x, y, err)
	}
	if err := (param.Set{psi.Under("2.")}).Apply(map[string]string{"2.phi": "1"}); err != nil || x != 1 {
		t.Errorf("psi is %v, error %v", x, err)
	}
	set := map[string]string{"phi": "0.5"}
	s.Rename(set)
	if len(set) != 1 || set["psi"] != "0.5" {
		t.Errorf("renamed to %v", set)
	}
	both := map[string]string{"phi": "0.5", "psi": "1"}
	s.Rename(both)
	(param.Set{psi, phi}).Rename(both)
	if len(both) != 2 {
		t.Errorf("renamed to %v", both)
	}
}
