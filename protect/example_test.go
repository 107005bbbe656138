package protect_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// A technique is found by its name, fitted, kept as a plan file, and applied later: the same plan and the same seed
// give the same release.
func ExampleFit() {
	ctx, src := context.Background(), rng.New([32]byte{1})
	patients := study.WithoutIdentifiers(generate.Patients(400, rng.New([32]byte{2})))
	catalog.Add(catalog.Entries{Methods: swapping.Methods}) // package catalog/all adds all techniques
	method, err := catalog.Method("rankswap")
	if err != nil {
		panic(err)
	}
	technique := method.New()
	if err := technique.Params().Apply(map[string]string{"p": "5"}); err != nil {
		panic(err)
	}
	plan, err := protect.Fit(ctx, technique, patients, src.Fork("fit"))
	if err != nil {
		panic(err)
	}
	// confidential: it holds ranges and rules of the original
	file, err := protect.Encode(method.Name, technique.Params().Values(), plan)
	if err != nil {
		panic(err)
	}

	kept, again, err := protect.Decode(file, func(name string) (protect.Method, bool) {
		m, err := catalog.Method(name)
		return m, err == nil
	})
	if err != nil {
		panic(err)
	}
	release, err := execute.Plan(ctx, again, patients, src, execute.Options{})
	if err != nil {
		panic(err)
	}
	released := release.Table // in a random order
	value, err := measure.Take(ctx, distributions.Bias.New(), &measure.Release{Original: patients, Released: released},
		src.Fork("measure"))
	if err != nil {
		panic(err)
	}
	var out strings.Builder
	if err := format.WriteTo(ctx, &out, "release.csv", released, format.Options{}); err != nil {
		panic(err)
	}
	fmt.Printf("%s changes %s\n", kept.Method, strings.Join(again.Changes(), ", "))
	fmt.Printf("%s: %.2g\n", distributions.Bias.Title, value.Score)
	fmt.Println(strings.Count(out.String(), "\n"), "lines")
	// Output:
	// rankswap changes age, bmi, systolic, glucose, prior_admissions, days
	// Change of correlations, and bias by type: 0.066
	// 401 lines
}

// Jitter moves every number by a few steps of its grid. It is a technique of one's own, of what the packages export.
type Jitter struct{ Steps int }

// Params declares the parameter.
func (q *Jitter) Params() param.Set {
	return param.Set{param.Int(&q.Steps, "steps", 2, 1, 1000, "steps", "largest move")}
}

// Fit lists the numbers.
func (q *Jitter) Fit(_ context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	columns, err := protect.Columns(t, table.Numeric, nil)
	return &Jittered{Attrs: t.Attrs(), Columns: columns, Steps: q.Steps}, err
}

// Jittered is the plan.
type Jittered struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"`
	Steps   int               `json:"steps"`
}

// Schema returns the attributes.
func (p *Jittered) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the numbers.
func (p *Jittered) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Apply moves the numbers, and wraps around at the ends of the domain.
func (p *Jittered) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	ids, first := chunk.IDs()
	words := make([]rng.Block, chunk.Rows())
	for _, j := range p.Columns {
		domain := wrap.On(p.Attrs[j].Domain, p.Attrs[j].Step)
		rng.Blocks(src.Fork(p.Attrs[j].Name).Stream(), words, ids, first)
		values := slices.Clone(chunk.Num(j))
		for i, v := range values {
			values[i] = domain.Add(v, float64(rng.Below(words[i].A, 2*p.Steps+1)-p.Steps))
		}
		chunk = chunk.WithNum(j, values)
	}
	return chunk, nil
}

// A technique of one's own needs no entry in the catalogue: the executor takes any plan, and its noise stays on the
// grid and inside the domain.
func ExampleTechnique() {
	ctx, src := context.Background(), rng.New([32]byte{1})
	wage := table.NumColumn("wage", 50, []float64{1800, 2100, 2100, math.NaN(), 3900, 4000})
	wage.Domain, wage.Declared = table.Interval{Lo: 1500, Hi: 4000}, true
	t, err := table.New(wage)
	if err != nil {
		panic(err)
	}
	plan, err := protect.Fit(ctx, param.Default(&Jitter{}), t, src)
	if err != nil {
		panic(err)
	}
	release, err := execute.Plan(ctx, plan, t, src, execute.Options{KeepOrder: true}) // so that they can be compared here
	if err != nil {
		panic(err)
	}
	fmt.Println(release.Table.Num(0))

	_, err = protect.Fit(ctx, &Jitter{Steps: 0}, t, src)
	fmt.Println(err)
	// Output:
	// [1750 2000 2100 NaN 3950 1500]
	// parameter "steps": "0" is not a whole number from 1 to 1000
}
