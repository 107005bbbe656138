package study

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
)

var odd = Cell{Data: 1, Setting: 2, Fold: 3, Repeat: 4, Seconds: 0.25, Scores: []Score{
	{
		Score: 0.1 + 0.2,
		Lo:    math.Inf(-1),
		Hi:    math.Inf(1),
		Parts: []measure.Part{
			{Key: "k", Of: "x", Name: message.Say("measure.sse.part.share").Name("column", "x"), Score: math.NaN()},
		},
		Notes: []message.Sentence{message.Name("a\nb"), measure.Sample(10, 30)},
		Samples: []mannwhitney.Sample{
			{Name: "pd", Title: "detection", Values: []float64{0.1 + 0.2, 0}},
			{Name: "pf", Lower: true},
		},
	},
	{Err: message.Text("not taken")}}}

func checkpoint(t *testing.T, cells ...Cell) []byte {
	t.Helper()
	file := Cells.Header("f")
	for _, c := range cells {
		file = append(file, must.Get(EncodeCell(c))(t)...)
	}
	return file
}

func TestCheckpointKeepsEveryBit(t *testing.T) {
	file := checkpoint(t, odd, Cell{Err: "no release"})
	cells, whole, err := DecodeCheckpoint(file, "f", 2)
	if err != nil || whole != len(file) {
		t.Fatal(whole, err)
	}
	if diff := cmp.Diff([]Cell{odd, {Err: "no release"}}, cells, same); diff != "" {
		t.Error(diff)
	}
}

// TestCheckpointTorn cuts the file after every byte: what is whole is kept.
func TestCheckpointTorn(t *testing.T) {
	file := checkpoint(t, odd, odd, odd)
	for n := range len(file) {
		cells, whole, err := DecodeCheckpoint(file[:n], "f", 2)
		lines := strings.Count(string(file[:n]), "\n")
		if err != nil || len(cells) != max(0, lines-1) || whole != strings.LastIndex(string(file[:n]), "\n")+1 {
			t.Fatalf("%d bytes: %d cells, %d bytes whole, %v", n, len(cells), whole, err)
		}
	}
}

func TestCheckpointRefuses(t *testing.T) {
	file := string(checkpoint(t, odd, odd))
	if _, _, err := DecodeCheckpoint([]byte(file), "g", 2); !errors.Is(err, ErrOtherRequest) {
		t.Errorf("another request: %v", err)
	}
	for name, text := range map[string]string{
		"no checkpoint":            "name,age\n",
		"no line":                  "name,age",
		"a damaged line":           strings.Replace(file, `{"data":1`, `{"dota":1`, 1),
		"another number of scores": string(checkpoint(t, Cell{Scores: odd.Scores[:1]}, odd)),
		"an earlier version":       strings.Replace(file, "checkpoint/4", "checkpoint/3", 1),
	} {
		if _, _, err := DecodeCheckpoint([]byte(text), "f", 2); err == nil ||
			!strings.HasPrefix(err.Error(), "line ") && name != "no line" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckpointDamaged changes every digit of every line: no run of a damaged line is believed.
func TestCheckpointDamaged(t *testing.T) {
	file := checkpoint(t, odd, odd)
	header, last := bytes.IndexByte(file, '\n'), bytes.LastIndexByte(file[:len(file)-1], '\n')
	changed := 0
	for i := header + 1; i < len(file); i++ {
		if file[i] < '0' || file[i] > '9' {
			continue
		}
		damaged := bytes.Clone(file)
		damaged[i] = '0' + (file[i]-'0'+1)%10
		cells, whole, err := DecodeCheckpoint(damaged, "f", 2)
		if i < last && (err == nil || !strings.HasPrefix(err.Error(), "line 2: ")) ||
			i > last && (err != nil || len(cells) != 1 || whole != last+1) {
			t.Errorf("byte %d: %d runs, %v", i, len(cells), err)
		}
		changed++
	}
	if changed < 40 {
		t.Errorf("%d digits were changed", changed)
	}
}

// TestFingerprint changes one thing after the other.
func TestFingerprint(t *testing.T) {
	q := contest(t)
	seen := map[string]string{q.Fingerprint(): "nothing"}
	if again := contest(t); seen[again.Fingerprint()] == "" {
		t.Error("the same request has another fingerprint")
	}
	for name, change := range map[string]func(*CompareRequest){
		"version": func(q *CompareRequest) { q.Version = "next" },
		"folds":   func(q *CompareRequest) { q.Folds++ },
		"repeats": func(q *CompareRequest) { q.Repeats++ },
		"seed":    func(q *CompareRequest) { q.Seed = rng.SeedOf([32]byte{31: 1}) },
		"a value": func(q *CompareRequest) { q.Data[0].Table = q.Data[0].Table.WithNum(1, make([]float64, 60)) },
		"a code":  func(q *CompareRequest) { q.Data[0].Table = q.Data[0].Table.WithCat(2, make([]int32, 60)) },
		"a role": func(q *CompareRequest) {
			a := *q.Data[0].Table.Attr(1)
			a.Role++
			q.Data[0].Table = q.Data[0].Table.WithAttr(1, a)
		},
		"shared":      func(q *CompareRequest) { q.Data[1].Set = nil },
		"a setting":   func(q *CompareRequest) { q.Settings = q.Settings[1:] },
		"a parameter": func(q *CompareRequest) { q.Settings[0].Set["p"] = "0.5" },
		"a measure": func(q *CompareRequest) {
			q.Measures[2] = Spec{Measure: prediction.Accuracy, Set: map[string]string{"minLeaf": "9"}}
		},
	} {
		q := contest(t)
		change(&q)
		f := q.Fingerprint()
		if seen[f] != "" {
			t.Errorf("a change of %s and of %s give one fingerprint", name, seen[f])
		}
		seen[f] = name
	}
	// Records that look the same but stood elsewhere in the source get other noise.
	tab := classed(make([]int32, 4))
	one, two := CompareRequest{
		Data: []DataSet{{Table: tab.Gather([]int{0, 1})}},
	}, CompareRequest{Data: []DataSet{{Table: tab.Gather([]int{1, 3})}}}
	if one.Fingerprint() == two.Fingerprint() {
		t.Error("other records have the same fingerprint")
	}
}

func FuzzDecodeCheckpoint(f *testing.F) {
	line, _ := EncodeCell(odd)
	f.Add([]byte("x"))
	f.Add(line)
	f.Fuzz(func(t *testing.T, data []byte) {
		header := Cells.Header("f")
		file := append(header[:len(header):len(header)], data...)
		cells, whole, err := DecodeCheckpoint(file, "f", 2)
		if err != nil {
			return
		}
		again := checkpoint(t, cells...)
		same2, _, err := DecodeCheckpoint(again, "f", 2)
		if diff := cmp.Diff(cells, same2, same); err != nil || diff != "" || whole > len(file) {
			t.Fatalf("%v %s", err, diff)
		}
	})
}
