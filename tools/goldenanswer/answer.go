// Command goldenanswer answers worked examples by calling the library, so that others can check its figures. It is a
// tool of those who work on dither: users do not install it.
//
//	cd tools && go build -o FILE ./goldenanswer
//	FILE CASES.json
//
// A file is a JSON array of cases with "name", "op" and "input". The answers go to standard output as
// [{"name":...,"actual":...}], in the order of the cases and the layout of their "expected". An answer that was
// observed over runs of a technique, not computed from its law, has "observed":true. Cases whose op is unknown are left
// out and counted on standard error.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	_ "github.com/dither-data/dither/catalog/all"
)

// answer computes the answer of one case from its input.
type answer func(input json.RawMessage) (any, error)

// areas lists what each file of this package answers.
var areas = []map[string]answer{
	splits,
	trees,
	wrapping,
	classNoise,
	numericNoise,
	categoricalNoise,
	generators,
	ruleTypes,
	frameworks,
	forests,
	forestMeasures,
	classifierMetrics,
	conditionalNoise,
	exactMoments,
	spectral,
	disclosure,
	kAnonymity,
	privacyFigures,
	queryAttacks,
	kmeansFigures,
	univariateGroups,
	microaggregationGroups,
	clusterComparisons,
	valueClusters,
	rockFigures,
	perturbationTrees,
	nearestNeighbour,
	rankTests,
	randomisedResponse,
	boreAndSAP,
	gate,
	itemsets,
	hidden,
	hides,
	randomisedBaskets,
	randomisedTrees,
	reconstructions,
	qualityModels,
	choosing,
	secureSums,
	differentialPrivacy,
}

// observed marks an answer that was seen over runs and is not the exact law.
type observed struct{ actual any }

// Case is one worked example; what else the file says of it is not needed to answer it.
type Case struct {
	Name  string          `json:"name"`
	Op    string          `json:"op"`
	Input json.RawMessage `json:"input"`
}

// Answer is what is printed of a case.
type Answer struct {
	Name     string          `json:"name"`
	Actual   json.RawMessage `json:"actual"`
	Observed bool            `json:"observed,omitempty"`
}

func main() { os.Exit(answered(os.Args[1:], os.Stdout, os.Stderr)) }

// answered answers the cases of the file that is the only argument and returns the exit status: 1 when a case of a
// known op could not be answered, 2 for wrong usage.
func answered(args []string, out, log io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(log, "usage: goldenanswer FILE.json")
		return 2
	}
	text, err := os.ReadFile(args[0])
	if err == nil {
		err = run(text, out, log)
	}
	if err != nil {
		fmt.Fprintln(log, "goldenanswer:", err)
		return 1
	}
	return 0
}

// run answers the cases of a file.
func run(text []byte, out, log io.Writer) error {
	var cases []Case
	if err := json.Unmarshal(text, &cases); err != nil {
		return err
	}
	answers, unknown, errs := solve(cases)
	for _, op := range unknown {
		fmt.Fprintf(log, "goldenanswer: op %q is unknown\n", op)
	}
	fmt.Fprintf(log, "goldenanswer: %d cases, %d answered, %d of unknown ops\n", len(cases), len(answers), len(unknown))
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return errors.Join(e.Encode(answers), errs)
}

// solve answers the cases of known ops and returns the ops of the others, one per case.
func solve(cases []Case) (answers []Answer, unknown []string, errs error) {
	answers = []Answer{}
	for _, c := range cases {
		f := find(c.Op)
		if f == nil {
			unknown = append(unknown, c.Op)
			continue
		}
		a, err := c.answer(f)
		if err != nil {
			errs = errors.Join(errs, fmt.Errorf("case %q: %w", c.Name, err))
			continue
		}
		answers = append(answers, a)
	}
	return answers, unknown, errs
}

func find(op string) answer {
	for _, area := range areas {
		if f := area[op]; f != nil {
			return f
		}
	}
	return nil
}

func (c *Case) answer(f answer) (Answer, error) {
	a := Answer{Name: c.Name}
	actual, err := f(c.Input)
	if err != nil {
		return a, err
	}
	if o, ok := actual.(observed); ok {
		a.Observed, actual = true, o.actual
	}
	a.Actual, err = json.Marshal(actual)
	return a, err
}

// on makes an answer of a function of the decoded input.
func on[In any](f func(In) (any, error)) answer {
	return func(input json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(input, &in); err != nil {
			return nil, err
		}
		return f(in)
	}
}

// object is a JSON object.
type object map[string]any
