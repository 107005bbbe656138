package desk

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"strconv"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/segment/tree"
)

//go:generate go test -run=TestSchemasAreCurrent -update .

// Schema says what a JSON document or file of the program is; its text is in Text.
type Schema struct {
	Name    string
	Version int    // 0 of what has no field that names its schema
	What    string // one line
	From    string // what prints, writes or reads it
}

// schemas are all documents. Those of one version are read by whatever reads that version: keys may be added,
// and none is left out, renamed, given another meaning or made null where it was not.
var schemas = []Schema{
	{"inspect", 2, "what a table holds, which roles its columns seem to play and how exposed it is", "inspect"},
	{"protect", 4, "what was done to a table, what was measured of the release, and the verdict", "protect"},
	{"choose", 4, "which technique to take, why, and why not the others", "choose"},
	{"tabulate", 1, "what protecting tables of counts and totals came to, and the verdict", "tabulate"},
	{"sweep", 1, "what hiding patterns in a file of transactions did", "sweep"},
	{"evaluate", 4, "what was measured of a release, and the verdict", "evaluate"},
	{"attack", 4, "what each intruder can do to a release", "attack"},
	{"verify", 2, "what the record of a run was checked for", "verify"},
	{"compare", 3, "techniques and measures over folds and repetitions, with what follows from them", "compare"},
	{"reconstruct", 1, "the distributions of the original, estimated from a release and its noise model", "reconstruct"},
	{"clusters", 1, "the clusters that a miner found", "mine clusters"},
	{"model", 1, "the model that a miner fitted", "mine model"},
	{"tree", versionOf(tree.FileSchema), "a decision tree, which --read takes back", "mine tree"},
	{"classified", 2, "how a saved tree classifies the records of a table", "mine tree --read TREE IN"},
	{"itemsets", 1, "the frequent itemsets of a table", "mine itemsets"},
	{"rules", 1, "the association rules of a table", "mine rules"},
	{"counts", 1, "noisy counts of the records of a table, under differential privacy", "mine counts"},
	{"quantiles", 1, "quantiles of a column of a table, under differential privacy", "mine quantiles"},
	{"budget", 1, "what a ledger of differential privacy holds, what is spent and left, and what a plan costs", "budget"},
	{
		"estimates",
		1,
		"the itemsets of the original, estimated from a release and its noise model",
		"mine itemsets --noise-model",
	},
	{"joint", 1, "what a party learned in a run with others, and what the run took", "joint run, joint try"},
	{"joint-record", 1, "what a run with others was and took, without its result", "joint run --record"},
	{"protocols", 1, "the protocols between parties", "joint protocols"},
	{"methods", 1, "the techniques of the catalogue", "methods"},
	{"measures", 1, "the measures of the catalogue", "measures"},
	{"miners", 1, "the miners of the catalogue", "miners"},
	{"generators", 1, "the generators of the catalogue", "generators"},
	{"entry", 1, "one entry of the catalogue", "methods, measures, miners or generators NAME"},
	{"details", 0, "the field detail of measures, by the name of the measure", "protect, evaluate, attack, choose"},
	{
		"plan",
		versionOf(protect.PlanSchema),
		"a plan file; the plan in it is in the form of its technique",
		"protect --plan-out",
	},
	{"law", versionOf(modelfile.Schema), "the noise model that goes with a release", "protect --noise-model-out"},
	{"record", versionOf(record.Schema), "the record of a run", "protect, evaluate, attack --record"},
	{"signed-record", 0, "the record of a run in its signed envelope", "--record with --sign-key"},
	{"policy", 0, "a policy file, which is YAML", "read by --policy"},
}

//go:embed schemas
var schemaTexts embed.FS

// Schemas lists the documents, in the order of the verbs that print them.
func Schemas() []Schema { return schemas }

// FindSchema returns the schema of a name, with or without its version, as the field schema of a document has it.
func FindSchema(name string) (Schema, error) {
	var names []string
	for _, s := range schemas {
		if name == s.Name || s.Version > 0 && name == s.ID() {
			return s, nil
		}
		names = append(names, s.Name)
	}
	hint := spelling.Hint(name, names)
	if hint == "" {
		hint = `; "dither schema" lists them`
	}
	return Schema{}, usage(errors.New("no document is called " + strconv.Quote(name) + hint))
}

// ID is what the field schema of a document holds; empty for what has none.
func (s Schema) ID() string {
	if s.Version == 0 {
		return ""
	}
	return fmt.Sprintf("dither/%s/%d", s.Name, s.Version)
}

// URI identifies the schema; nothing is fetched from there.
func (s Schema) URI() string {
	if s.Version == 0 {
		return "https://github.com/dither-data/dither/schema/" + s.Name
	}
	return fmt.Sprintf("https://github.com/dither-data/dither/schema/%s/%d", s.Name, s.Version)
}

// Text is the JSON schema (2020-12).
func (s Schema) Text() []byte {
	if s.Name == "policy" {
		return policy.Schema()
	}
	text, err := schemaTexts.ReadFile("schemas/" + s.Name + ".json")
	if err != nil {
		panic("desk: " + err.Error()) // the schemas are part of the program
	}
	return text
}

// schemaOf is what the field schema of a document of this name holds.
func schemaOf(name string) string {
	for _, s := range schemas {
		if s.Name == name {
			return s.ID()
		}
	}
	panic("desk: no document is called " + name)
}

// versionOf is the version in what the field schema of a file holds.
func versionOf(id string) int {
	n, err := strconv.Atoi(path.Base(id))
	if err != nil {
		panic("desk: " + id + " has no version")
	}
	return n
}
