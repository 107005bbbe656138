package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/rng"
)

// TestThreeDirections takes one release of every kind. Independent noise on 20 attributes in three directions leaves
// sqrt(3/20) = 0.387 of itself; the squared noise kept, of three directions and 2,000 records, has the relative
// standard error sqrt(2/6000), and what estimating the directions costs is below m/n = 0.01 each: 0.03 is over 5
// standard errors. Correlated noise stays: the square of three directions' noise has the relative standard error
// sqrt(2/2000) = 0.03 at most, so 0.1 is over 5 of them in the root.
func TestThreeDirections(t *testing.T) {
	old := shares
	defer func() { shares = old }()
	shares = []float64{0.1, 0.5}
	few, err := directions(2000, 20, 3)
	if err != nil {
		t.Fatal(err)
	}
	r, err := attack(context.Background(), set{"Three <directions>", few}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for k := range shares {
		i, c := r.figures[0][k], r.figures[1][k]
		if math.Abs(i.error[1]-math.Sqrt(0.15)) > 0.03 || i.error[2] > i.error[1]+0.01 || i.kept[1] != 3 {
			t.Errorf("independent noise: %+v", i)
		}
		if math.Abs(c.error[0]-1) > 0.1 || math.Abs(c.error[1]-1) > 0.1 || math.Abs(c.error[2]-c.udr) > 0.01 ||
			c.kept[0] != 3 {
			t.Errorf("correlated noise: %+v", c)
		}
	}
	var page bytes.Buffer
	print(&page, []result{r}, 1)
	for _, want := range []string{"2000 records, 20 attributes", "| 0.10 | 0.", "| 0.50 | 0.", "independent: spectral " +
		"filtering"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	d := xml.NewDecoder(strings.NewReader(plot([]result{r})))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the plot is no XML: %v", err)
		}
	}
}

// TestMoreNoiseIsLessRisk scores releases of a table in three directions with ever more noise by sadp: every attack
// comes less close to the data, though it may take more of the noise out.
func TestMoreNoiseIsLessRisk(t *testing.T) {
	few, err := directions(2000, 6, 3)
	if err != nil {
		t.Fatal(err)
	}
	last := make([]float64, len(attacks))
	for _, share := range []float64{0.01, 0.25, 2} {
		r, err := release(context.Background(), set{"few", few}, additivenoise.Independent, share, 0)
		if err != nil {
			t.Fatal(err)
		}
		for k, a := range attacks {
			v, err := a.New().Measure(context.Background(), r, rng.Source{})
			if err != nil {
				t.Fatal(err)
			}
			if v.Parts[0].Key != "noise-error" {
				t.Errorf("%s: the page shows %q", a.Name, v.Parts[0].Key)
			}
			if v.Score <= last[k] {
				t.Errorf("%s: noise of %v of the variance scores %v, less noise %v", a.Name, share, v.Score, last[k])
			}
			last[k] = v.Score
		}
	}
}

// TestLoad reads the data sets: all columns are numbers, none is an identifier or a class, and no value is missing.
func TestLoad(t *testing.T) {
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "wine/wine.csv"))))
	sets, err := load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []struct{ rows, width int }{{2000, 20}, {178, 13}, {683, 9}, {30162, 6}} {
		if s := sets[k]; s.Rows() != want.rows || s.Width() != want.width {
			t.Errorf("%s: %d records, %d attributes", s.title, s.Rows(), s.Width())
		}
	}
}

// TestParticipation counts one direction where all columns are multiples of one.
func TestParticipation(t *testing.T) {
	few, err := directions(100, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := participation(few); math.Abs(got-1) > 1e-9 {
		t.Errorf("columns in one direction have %v", got)
	}
}
