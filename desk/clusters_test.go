package desk

import (
	"reflect"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// TestOneClustering: what became of clusters is the same where a release is made and where it is evaluated.
func TestOneClustering(t *testing.T) {
	long.Only(t, "distances of 4,000 people")
	seed := rng.SeedOf([32]byte{5})
	people := study.WithoutIdentifiers(generate.Patients(4000, rng.New(seed)))
	j := people.Find("readmitted")
	class := *people.Attr(j)
	class.Role = table.Class
	method := must.Get(catalog.Method("framework"))(t)
	p := must.Get(study.Protect(ctx, study.Request{Table: people.WithAttr(j, class), Method: method, Seed: seed}))(t)
	r := must.Get(p.Release(nil))(t)
	made := judge.Needed(judge.Size{Records: 4000, Columns: people.Width()}, p.Params, &limit.Set{}, true, true).Rest
	asked := must.Get(judge.SpecsOf([]string{"misclassification", "clusterquality"}, nil))(t)
	for _, s := range asked {
		var both []measure.Value
		for _, spec := range []study.Spec{s, *specOf(made, s.Measure.Name)} {
			got, err := judge.Take(ctx, r, []study.Spec{spec}, seed, nil)
			if err != nil || !got[0].Err.Empty() {
				t.Fatal(err, got)
			}
			both = append(both, got[0].Value)
		}
		if !reflect.DeepEqual(both[0], both[1]) {
			t.Errorf("%s is %+v in an evaluation and %+v in a report", s.Measure.Name, both[0], both[1])
		}
	}
}

func specOf(specs []study.Spec, name string) *study.Spec {
	for i := range specs {
		if specs[i].Measure.Name == name {
			return &specs[i]
		}
	}
	return nil
}
