package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// validator holds documents against their schemas, as any program can that has what "dither schema" prints.
type validator struct {
	t       *testing.T
	schemas map[string]*jsonschema.Schema
	details *jsonschema.Schema
	seen    map[string]bool // documents, and details by "detail NAME"
}

func newValidator(t *testing.T) *validator {
	c := jsonschema.NewCompiler()
	v := &validator{t: t, schemas: map[string]*jsonschema.Schema{}, seen: map[string]bool{}}
	for _, s := range desk.Schemas() {
		code, text, complaint := try(t, "schema", s.Name)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil || code != exitDone {
			t.Fatalf("%s: exit %d, %v, %s", s.Name, code, err, complaint)
		}
		at := "https://example.org/" + s.Name
		must.NoError(t, c.AddResource(at, doc))
		v.schemas[s.Name] = c.MustCompile(at)
	}
	v.details = v.schemas["details"]
	return v
}

// breach is why a text is no document of this name; nil where it is one.
func (v *validator) breach(name, text string) error {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	if err := v.schemas[name].Validate(doc); err != nil {
		return err
	}
	v.seen[name] = true
	return v.detailed(doc)
}

// detailed holds the details of measures against their schema, wherever in a document they stand.
func (v *validator) detailed(doc any) error {
	switch d := doc.(type) {
	case map[string]any:
		if name, ok := d["name"].(string); ok && d["detail"] != nil {
			if err := v.details.Validate(map[string]any{name: d["detail"]}); err != nil {
				return err
			}
			v.seen["detail "+name] = true
		}
		for _, inner := range d {
			if err := v.detailed(inner); err != nil {
				return err
			}
		}
	case []any:
		for _, inner := range d {
			if err := v.detailed(inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// documented is a call and what it prints or writes.
type documented struct {
	name string // of the document that is printed; empty for none
	exit int
	args string
	file string // written, with the name of its document: "plan=plan.json law=law.json"
}

// calls returns every verb that prints a document, and what becomes of them: a release that is written, one that
// is withheld or not judged, a public one, a trial without output, lists with nothing in them, and measures
// that fail.
func calls() []documented {
	return []documented{
		{"inspect", 0, "inspect IN --class readmitted", ""},
		{"inspect", 0, "inspect SETS", ""},
		{"inspect", 0, "inspect ONE", ""},
		{
			"protect",
			0,
			"protect IN --class readmitted -o rel.csv --limits none --plan-out plan.json --record run.json",
			"plan=plan.json record=run.json",
		},
		{"protect", 0, "protect IN --class readmitted -o again.csv --limits none --plan plan.json --report r.html", ""},
		{"protect", 3, "protect IN --policy strict.yaml -o held.csv" + long.Of(" --limits none", ""), ""},
		{"protect", 3, "protect IN --policy strict.yaml -o held.csv --report held.html --public", ""},
		{"protect", 0, "protect IN --class readmitted -o pub.csv --limits none --report pub.html --public", ""},
		{"protect", 0, "protect IN --class readmitted --method zhuliu -o noisy.csv --limits none" +
			" --noise-model-out law.json " +
			"--plan-out noisy.json --record signed.json --sign-key KEY",
			"plan=noisy.json law=law.json signed-record=signed.json"},
		{
			"protect",
			0,
			"protect IN --class readmitted --method gadp -o added.csv --limits none --plan-out added.json",
			"plan=added.json",
		},
		{
			"protect",
			0,
			"protect SETS --method swa --sensitive pairs.txt -o hidden.csv --limits none --plan-out hidden.json",
			"plan=hidden.json",
		},
		{"protect", 0, "protect SETS --method mask -o sets.csv --limits none --noise-model-out sets.json", "law=sets.json"},
		{"evaluate", 0, "evaluate IN rel.csv --class readmitted --plan plan.json --limits none --holdout IN" +
			long.Of(" --measure accuracy,linkage", ""), ""},
		{"evaluate", 0, "evaluate IN rel.csv --class readmitted --measure accuracy,linkage --limits none", ""},
		{"evaluate", 0, "evaluate IN rel.csv --class readmitted --limits none --plan plan.json --measure accuracy --report " +
			"e.html --public", ""},
		{"evaluate", 0, "evaluate IN rel.csv --class readmitted --plan plan.json --seed-file seed --limits none --measure " +
			"gaplinkage,informationloss,kanonymity,ldiversity,tcloseness," +
			"leakedplan,misclassification,sse,populationrisk,treesimilarity,uniqueness,bedr,jmeasure", ""},
		{"evaluate", 0, "evaluate IN added.csv --class readmitted --plan added.json --limits none --measure " +
			"bedr,pcadr,spectralfilter,conditionalprivacy,leakedplan", ""},
		{"evaluate", 0, "evaluate SETS hidden.csv --plan hidden.json --limits none --sensitive pairs.txt --measure " +
			"hidingfailure,jmeasure,levelofprivacy,rulesurvival,optimum,kmanonymity,misclassification", ""},
		{"attack", 0, "attack IN rel.csv --class readmitted --plan plan.json --knows age~2,sex --secret diagnosis --limits " +
			"none", ""},
		{"verify", 0, "verify run.json --original IN --release rel.csv --plan plan.json --seed-file seed", ""},
		{"verify", 3, "verify rel.csv", ""},
		{"compare", 0, "compare IN --class readmitted --times --folds 2 " + long.Of("--method rpt --measure bias --repeats 1",
			"--method rpt,framework --measure bias,accuracy,found --repeats 2"), ""},
		{"compare", 1, "compare ONE --method rpt --measure accuracy --folds 2 --repeats 1", ""},
		{"choose", 0, "choose IN --class readmitted --limits loose.yaml -o chosen.csv --method rankswap" +
			long.Of("", ",rpt"), ""},
		{"clusters", 0, "mine clusters IN --set k=2", ""},
		{"clusters", 0, "mine clusters IN --miner detective --class readmitted", ""},
		{"model", 0, "mine model IN --class readmitted --miner naivebayes", ""},
		{"model", 0, "mine model IN --class readmitted --miner bore -o bore.json", "model=bore.json"},
		{"tree", 0, "mine tree IN --class readmitted", ""},
		{"tree", 0, "mine tree IN --class readmitted -o tree.json", "tree=tree.json"},
		{"classified", 0, "mine tree IN --read tree.json", ""},
		{"classified", 0, "mine tree UNKNOWN --read tree.json", ""},
		{"itemsets", 0, "mine itemsets SETS --support 0.2", ""},
		{"itemsets", 0, "mine itemsets SETS --support 1", ""},
		{"rules", 0, "mine rules SETS --support 0.2 --confidence 0.1", ""},
		{"rules", 0, "mine rules SETS --support 1", ""},
		{"budget", 0, "budget in.budget --begin --epsilon 2", ""},
		{"counts", 0, "mine counts IN --epsilon 1 --by readmitted --domain readmitted=yes|no --ledger in.budget", ""},
		{"counts", 0, "mine counts IN --epsilon 1 --delta 0.01 --by readmitted", ""},
		{"quantiles", 0, "mine quantiles IN --epsilon 1 --of age --domain 0..120/1 --ledger in.budget", ""},
		{"budget", 0, "budget in.budget --again last", ""},
		{"estimates", 0, "mine itemsets sets.csv --items items:; --noise-model sets.json --support 0.1", ""},
		{"estimates", 0, "mine itemsets sets.csv --items items:; --noise-model sets.json --support 1", ""},
		{"reconstruct", 0, "reconstruct noisy.csv --noise-model law.json --original IN", ""},
		{"reconstruct", 0, "reconstruct noisy.csv --noise-model law.json", ""},
		{"tabulate", 0, "tabulate IN --by readmitted -o counts.csv", ""},
		{"sweep", 0, "sweep baskets.fimi -o swept.fimi --sensitive list.txt", ""},
		{"protocols", 0, "joint protocols", ""}, {"protocols", 0, "joint protocols ringsum", ""},
		{"joint", 0, "joint try parties.yaml --data one.csv --data one.csv --data one.csv --record parties.json",
			"joint-record=parties.json"},
		{"joint", 0, "joint try few.yaml --data one.csv --data one.csv --data one.csv", ""},
		{
			"methods",
			0,
			"methods",
			"",
		}, {"measures", 0, "measures", ""}, {"miners", 0, "miners", ""}, {"generators", 0, "generators", ""},
		{"methods", 0, "methods noise", ""},
		{
			"entry",
			0,
			"methods framework",
			"",
		}, {"entry", 0, "measures bias", ""}, {"entry", 0, "miners c45", ""}, {"entry", 0, "generators patients", ""},
		{"", 1, "inspect gone.csv", ""},
		{"", 2, "protect IN --method nosuch -o no.csv", ""},
		{"", 1, "protect IN --class nosuch -o no.csv", ""},
	}
}

// TestDocuments: every document that a verb prints, or writes, is as its schema says, with no key besides,
// and every schema has a document here. What fails prints none. A quick run leaves out a call that writes no document
// and prints one of a kind that was printed before, and
// takes fewer measures and methods.
func TestDocuments(t *testing.T) {
	v := newValidator(t)
	t.Chdir(t.TempDir())
	at, _ := os.Getwd()
	for name, text := range map[string]string{
		"sets.in.csv": "items\na;b;c\na;b\na;c\nb;c\na\nc;d\na;b;d\nb\n", "one.csv": "x\n1\n1\n1\n1\n",
		"baskets.fimi": "1 2 3\n1 2\n2 3\n1 3\n", "list.txt": "1,2\n", "pairs.txt": "a,b\n",
		"seed":        strings.Repeat("5b", 32) + "\n",
		"strict.yaml": "version: 1\nclass: readmitted\nthresholds:\n  - {measure: bias, max: 0}\n",
		"parties.yaml": "version: 1\nprotocol: ringsum\nparties: [{name: a}, {name: b}, {name: c}]\n" +
			"columns: [{name: x, max: 9}]\n",
		"few.yaml":   "version: 1\nprotocol: ringsum\nparties: [{name: a}, {name: b}, {name: c}]\nleast: {cell: 99}\n",
		"loose.yaml": "name: own\nsource: test\nlimits:\n  - {measure: linkage, max: 1}\n",
	} {
		must.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o600))
	}
	done(t, "generate", "patients", "-n", long.Of("60", "120"), "-o", "in.csv", "--seed-file", "seed")
	must.NoError(t, writeKey("key"))
	table := must.Get(os.ReadFile("in.csv"))(t)
	head, rows, _ := bytes.Cut(table, []byte("\n")) // nobody's class is known under another name
	must.NoError(t, os.WriteFile("unknown.csv", append(bytes.Replace(head, []byte("readmitted"), []byte("other"), 1),
		append([]byte("\n"), rows...)...), 0o600))
	names := strings.NewReplacer("IN", "in.csv", "SETS", "sets.in.csv --items items:;", "ONE", "one.csv", "UNKNOWN",
		"unknown.csv", "KEY", "key")
	type ending struct {
		name string
		exit int
	}
	ended := map[ending]bool{}
	for _, c := range calls() {
		e := ending{c.name, c.exit}
		if c.file == "" && ended[e] && !long.Enabled() {
			continue
		}
		ended[e] = true
		args := append(strings.Fields(names.Replace(c.args)), "--json")
		if verb := args[0]; verb == "protect" || verb == "choose" || verb == "compare" {
			args = append(args, "--seed-file", "seed")
		}
		code, out, complaint := try(t, args...)
		if code != c.exit {
			t.Errorf("dither %s: exit %d, %s", c.args, code, complaint)
			continue
		}
		files := map[string]string{}
		for _, f := range strings.Fields(c.file) {
			name, file, _ := strings.Cut(f, "=")
			text := must.Get(os.ReadFile(file))(t)
			files[name] = string(text)
		}
		if out != "" {
			files[c.name] = out
		}
		if (c.name == "") != (len(files) == 0) || c.name == "" && complaint == "" {
			t.Errorf("dither %s: it prints %q", c.args, out)
		}
		for name, text := range files {
			if err := v.breach(name, text); err != nil {
				t.Errorf("dither %s: %s: %v", c.args, name, err)
			}
		}
	}
	for name := range v.schemas {
		if !v.seen[name] && name != "policy" && name != "details" {
			t.Errorf("no call shows a document %s", name)
		}
	}
	t.Logf("%s", strings.Join(slices.Sorted(maps.Keys(v.seen)), ", "))
}

// TestSchemasRefuse: a key that is not declared, one that is missing, another's schema and a null where there
// is none are found.
func TestSchemasRefuse(t *testing.T) {
	v := newValidator(t)
	_, out, _ := try(t, "inspect", put(t, "in.csv", "a,y\n1,no\n2,yes\n"), "--json")
	must.NoError(t, v.breach("inspect", out))
	for _, change := range [][2]string{{`"roles"`, `"parts"`}, {`"exposure"`, `"more": 1, "exposure"`}, {`"rows": 2`, `"rows": null`}, {"dither/inspect/", "dither/protect/"},
		{`"kind": "numeric"`, `"kind": 1`}} {
		if !strings.Contains(out, change[0]) {
			t.Fatalf("no %s in %s", change[0], out)
		}
		if v.breach("inspect", strings.Replace(out, change[0], change[1], 1)) == nil {
			t.Errorf("%s in place of %s is taken", change[1], change[0])
		}
	}
	var doc map[string]any
	must.NoError(t, json.Unmarshal([]byte(out), &doc))
	for key := range doc {
		less := maps.Clone(doc)
		delete(less, key)
		text, _ := json.Marshal(less)
		if v.breach("inspect", string(text)) == nil {
			t.Errorf("a document without %s is taken", key)
		}
	}
	detail := []byte(`{"measures": [{"name": "linkage", "detail": {"share": 1}}]}`)
	d, _ := jsonschema.UnmarshalJSON(bytes.NewReader(detail))
	if v.detailed(d) == nil {
		t.Error("a detail without its keys is taken")
	}
}
