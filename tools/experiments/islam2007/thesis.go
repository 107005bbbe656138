package main

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// printed holds the mean vectors and correlation matrices of section 7.3 as printed: a line with data set, technique
// and run, the means, the matrix row by row. The original has no run.
//
//go:embed thesis.txt
var printed string

// moments is one mean vector with its correlation matrix.
type moments struct {
	set, technique string
	run            int // from 1; 0 for the original
	mean           []float64
	corr           [][]float64
	mended         []cell // in which the two sides of the printed matrix differ
}

// cell is two cells of a matrix that mirror each other.
type cell struct {
	row, column  int // from 1, row < column
	above, below float64
}

// thesisMoments returns what the thesis prints of a data set.
func thesisMoments(set string) ([]*moments, error) {
	var out []*moments
	for _, block := range strings.Split(strings.TrimSpace(printed), "\n\n") {
		m, err := parseMoments(block)
		if err != nil {
			return nil, err
		}
		if m.set == set {
			m.mend()
			out = append(out, m)
		}
	}
	return out, nil
}

func parseMoments(block string) (*moments, error) {
	lines := strings.Split(block, "\n")
	words := strings.Fields(lines[0])
	m := &moments{set: words[0]}
	if run, err := strconv.Atoi(words[len(words)-1]); err == nil {
		m.run, words = run, words[:len(words)-1]
	}
	m.technique = strings.Join(words[1:], " ")
	for _, line := range lines[1:] {
		var row []float64
		for _, word := range strings.Fields(line) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", lines[0], err)
			}
			row = append(row, v)
		}
		if m.mean == nil {
			m.mean = row
		} else {
			m.corr = append(m.corr, row)
		}
		if len(row) != len(m.mean) {
			return nil, fmt.Errorf("%s: there is a row of %d numbers, expected %d", lines[0], len(row), len(m.mean))
		}
	}
	if len(m.corr) != len(m.mean) || m.mean == nil {
		return nil, fmt.Errorf("%s: the matrix has %d rows, expected %d", lines[0], len(m.corr), len(m.mean))
	}
	return m, nil
}

// mend makes the matrix symmetric. Where its sides differ the one above the diagonal is taken: most differ by one in
// the last digit, and where they do not (0.148 against 0.048, 0.142 against -0.142) the other runs and the original are
// on the side of the upper one.
func (m *moments) mend() {
	for i := range m.corr {
		for j := i + 1; j < len(m.corr); j++ {
			if m.corr[i][j] != m.corr[j][i] {
				m.mended = append(m.mended, cell{i + 1, j + 1, m.corr[i][j], m.corr[j][i]})
				m.corr[j][i] = m.corr[i][j]
			}
		}
	}
}

func (m *moments) title() string {
	if m.run == 0 {
		return m.technique
	}
	return fmt.Sprintf("%s %d", m.technique, m.run)
}

// largestChange returns the largest absolute difference of two correlation matrices, without the first columns.
func largestChange(a, b [][]float64, without int) float64 {
	largest := 0.0
	for i := without; i < len(a); i++ {
		for j := without; j < i; j++ {
			largest = max(largest, math.Abs(a[i][j]-b[i][j]))
		}
	}
	return largest
}

// accuracies are the per cent of right predictions on a tree's own data, the original training data and the hold-out,
// one per run.
type accuracies = map[string][][3]float64

var table71 = accuracies{
	original:       {{85.0, 85.0, 83.8}},
	framework:      {{84.8, 84.8, 83.5}, {84.8, 84.8, 83.4}},
	random:         {{62.1, 81.0, 80.2}, {62.4, 81.6, 80.8}},
	extended:       {{84.7, 82.0, 81.5}, {84.3, 82.8, 81.7}},
	randomExtended: {{62.6, 79.7, 78.6}, {62.7, 79.0, 78.7}},
}

var table72 = accuracies{
	original:       {{99.3, 99.3, 89.2}},
	framework:      {{99.3, 98.7, 86.8}, {98.8, 98.3, 88.0}},
	random:         {{68.7, 66.5, 66.3}, {70.5, 67.3, 63.9}},
	extended:       {{98.5, 96.0, 92.8}, {99.3, 94.7, 91.6}},
	randomExtended: {{91.3, 94.2, 83.1}, {83.7, 88.7, 81.9}},
}

var table73 = accuracies{
	original:       table72[original],
	extended:       table72[extended],
	randomExtended: table72[randomExtended],
	gadp:           {{91.3, 94.2, 83.0}, {83.7, 88.7, 82.0}},
}

// What the thesis calls its techniques.
const (
	original       = "original"
	framework      = "Framework"
	random         = "Random Framework"
	extended       = "Extended Framework"
	randomExtended = "Random Extended Framework"
	gadp           = "GADP"
)

// rules says what the text of section 7.3 has of trees: leaves, the weights of the types A to D, and the gap of
// accuracies.
type rules = map[string][6]string

var rulesAdult = rules{
	framework: {
		"",
		"89.4, 86.3",
		"10.6, 13.8; A+B 100 in 4 of 5, 70 in 1",
		"0, 0",
		"0 in all",
		"< 0.2 in 4, < 0.7 in 1",
	},
	random:         {"", "0", "0", "0", "100 in all", ""},
	extended:       {"", "0, 0", "74.8, 18.2", "25.2, 81.8", "0, 0", "< 0.3 in all"},
	randomExtended: {"", "0", "0", "0", "100 in all", "< 22.43 in all"},
}

var rulesWBC = rules{
	framework:      {"", "95.5, 92.8; > 90 in all", "", "", "2.67, 0; 0 in 4", "< 0.85 in all"},
	random:         {"1 to 22", "0, 0", "0, 0", "100, 0", "0, 100; > 80 in 2", ""},
	extended:       {"", "0 in all", "26 in 1", "100 in most", "0 in all", ""},
	randomExtended: {"31, 26, 10, 34, 39", "0 in all", "0 in all", "", "> 10 in 3 of 5", ""},
	gadp:           {"31, 26, 10, 34, 37", "0 in all", "0 in all", "", ">= 10 in 4 of 5", ""},
}
