package judge

import (
	"fmt"
	"sync"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
)

// Trials of a choice look for what * stands for at the same time, by several thresholds.
func TestHideAtTheSameTime(t *testing.T) {
	pol := &policy.Policy{Class: "readmitted"}
	s := must.Get(New(t.Context(), generate.Patients(200, rng.New([32]byte{1})), pol, Declared{}))(t)
	s.Sensitive = "readmitted=yes,*"
	m := must.Get(catalog.Method("hide1b"))(t)
	var wg sync.WaitGroup
	lists := make([]string, 16)
	for k := range lists {
		wg.Go(func() {
			set := map[string]string{"support": fmt.Sprint(0.02 + float64(k/2)/100)}
			if taken, err := s.Hide(t.Context(), m.New().Params(), set); !taken || err != nil {
				t.Error(taken, err)
			}
			lists[k] = set[Hidden]
		})
	}
	wg.Wait()
	for k := range lists {
		if lists[k] == "" || lists[k] == s.Sensitive || lists[k] != lists[k^1] || lists[k] == lists[(k+8)%16] {
			t.Errorf("by one threshold, by it again and by another:\n%s\n\n%s\n\n%s", lists[k], lists[k^1], lists[(k+8)%16])
		}
	}
}
