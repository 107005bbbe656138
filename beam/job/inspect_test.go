package job

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
)

// What is said of a table in shards is what dither inspect says of it in one file: columns, roles, exposure, notes, to
// the last digit, whether the columns are in memory or in files.
func TestInspected(t *testing.T) {
	dir, lines := t.TempDir(), invented(1500)
	lines = append(lines, lines[7]) // a record twice
	save(t, filepath.Join(dir, "whole.csv"), strings.Join(lines, ""))
	for name, memory := range map[string]int64{"in memory": 0, "in files": 1} {
		if memory > 0 && runtime.GOOS != "linux" {
			continue
		}
		roles := map[string]policy.Column{
			"age":    {Role: policy.Roles{"quasi-identifier"}},
			"income": {Role: policy.Roles{"confidential"}},
		}
		i, err := (&desk.Desk{}).Inspect(
			t.Context(),
			desk.Source{
				Path:   filepath.Join(dir, "whole.csv"),
				Memory: memory,
				Said:   policy.Policy{Class: "class", Columns: roles},
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		want, wantNotes := jsonOf(t, i.Document()), i.Notes()
		if err := i.Close(); err != nil {
			t.Fatal(err)
		}
		q := &Job{
			Inspect:     true,
			Shards:      cut(t, t.TempDir(), lines, 7),
			Class:       "class",
			Roles:       map[string]string{"age": "quasi-identifier", "income": "confidential"},
			Categorical: []string{"ward"},
			Memory:      memory,
		}
		if err := q.Check(); err != nil {
			t.Fatal(err)
		}
		output := filepath.Join(dir, name+".json")
		folder, err := Begin(q, output)
		if err != nil {
			t.Fatal(err)
		}
		for _, stage := range stagesOf(t.Context(), q, folder)[:3] {
			for k := range stage.n() {
				if err := stage.work(k); err != nil {
					t.Fatal(stage.name, err)
				}
			}
		}
		if err := Inspect(t.Context(), folder); err != nil {
			t.Fatal(err)
		}
		notes, text, err := Inspected(folder, output)
		if err != nil {
			t.Fatal(err)
		}
		if st, err := os.Stat(output); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: the document is not for its owner alone: %v, %v", name, st, err)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(load(t, output)), &got); err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"profile", "roles", "exposure"} {
			if !reflect.DeepEqual(want[part], got[part]) {
				t.Errorf("%s: %s differs:\n%v\nexpected\n%v", name, part, got[part], want[part])
			}
		}
		for _, n := range wantNotes {
			if said := n.String(); strings.Contains(said, "repeat") && !slices.Contains(notes, said) {
				t.Errorf("%s: the notes %q lack %q", name, notes, said)
			}
		}
		if len(notes) == 0 || !strings.Contains(text, "income") {
			t.Errorf("%s: notes %q and text %q", name, notes, text)
		}
	}
}

func jsonOf(t *testing.T, v any) (out map[string]any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
