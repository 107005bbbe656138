package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// beginRelated marks where a page has what is printed of tables with units and relations.
const beginRelated = "<!-- related: generated -->\n"

// unrelated says of the table of stays that it has no units and no relations.
var unrelated = []string{"--role", "household_no=identifier", "--role", "person_no=identifier", "--relations", "none"}

// benchRelated prints what protect takes on a table of 15 columns with two units and six relations, beside the same
// file where it is said to have none of them and beside a file that has none, in turns, or puts it into a page: without
// limits, and on request with its verdict, too.
func benchRelated(rows, turns int, judged bool, page string) error {
	dir, exe, err := built()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	with, apart := filepath.Join(dir, "stays.csv"), filepath.Join(dir, "apart.csv")
	if err := errors.Join(stays(with, rows, false), stays(apart, rows, true)); err != nil {
		return err
	}
	text := fmt.Sprintf("\n| `protect` on %d records of 15 columns; turns: %d | processor s with 2 units and 6 relations "+
		"| the same file, said to have none | times | a file without any | times |\n|---|--:|--:|--:|--:|--:|\n", rows, turns)
	ways := [][]string{{"--limits", "none"}}
	if judged {
		ways = append(ways, nil)
	}
	for _, limits := range ways {
		call := slices.Concat([]string{"--class", "readmitted", "--force", "-o", filepath.Join(dir, "out.csv")}, limits)
		var secs, times [3][]float64
		for turn := range turns {
			for k, args := range [][]string{{with}, append([]string{with}, unrelated...), {apart}} {
				s, err := cpu(exe, slices.Concat([]string{"protect"}, args, call)...)
				if err != nil {
					return err
				}
				secs[k] = append(secs[k], s)
				times[k] = append(times[k], secs[0][turn]/s)
			}
		}
		name := "with the verdict"
		if limits != nil {
			name = "`--limits none`"
		}
		line := fmt.Sprintf("| %s | %.1f | %.1f | %.2f | %.1f | %.2f |\n", name, middle(slices.Clone(secs[0])),
			middle(secs[1]), middle(times[1]), middle(secs[2]), middle(times[2]))
		fmt.Fprint(os.Stderr, line)
		text += line
	}
	return published(page, beginRelated, text)
}

// stays writes a table of n stays of people of households: a code and its text, dates in an order and their difference,
// costs that add up, and two diagnoses that men or women alone have. Apart, every value is that of another stay, drawn
// anew.
func stays(path string, n int, apart bool) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, r := bufio.NewWriter(f), rand.New(rand.NewPCG(5, 6))
	fmt.Fprintln(w, "household_no,person_no,region,tenure,sex,born,admitted,discharged,days,diagnosis,diagnosis_text,"+
		"treatment,care,total,readmitted")
	home, person := 0, 0
	for rows := 0; rows < n; {
		home++
		region, tenure := r.IntN(16), r.IntN(4)
		for range 1 + r.IntN(4) {
			person++
			sex, born := r.IntN(2), r.IntN(25_000)
			for range 1 + r.IntN(7) {
				if rows++; rows > n {
					break
				}
				s := stay(r, sex)
				if apart {
					s = scattered(r)
				}
				who := []string{strconv.Itoa(100_000 + home), strconv.Itoa(1_000_000 + person), fmt.Sprint("R", region),
					fmt.Sprint("T", tenure), []string{"m", "f"}[sex], day(1935, born)}
				if apart {
					who = []string{strconv.Itoa(100_000 + r.IntN(n)), strconv.Itoa(1_000_000 + r.IntN(n)),
						fmt.Sprint("R", r.IntN(16)), fmt.Sprint("T", r.IntN(4)), []string{"m", "f"}[r.IntN(2)],
						day(1935, r.IntN(25_000))}
				}
				fmt.Fprintln(w, strings.Join(append(who, s...), ","))
			}
		}
	}
	return w.Flush()
}

// stay is what a stay of somebody has besides the person.
func stay(r *rand.Rand, sex int) []string {
	in, days, code := r.IntN(3000), r.IntN(40), 1+r.IntN(40)
	if code == 40-sex { // one has no man, the other no woman
		code = 1
	}
	treatment, care := 100+r.IntN(900_000), 100+r.IntN(300_000)
	return []string{day(2015, in), day(2015, in+days), strconv.Itoa(days), fmt.Sprint("D", code),
		fmt.Sprint("illness of the kind ", code), money(treatment), money(care), money(treatment + care),
		[]string{"n", "y"}[r.IntN(2)]}
}

// scattered is a stay whose values come from as many others.
func scattered(r *rand.Rand) []string {
	out := make([]string, 9)
	for k := range out {
		out[k] = stay(r, r.IntN(2))[k]
	}
	return out
}

func day(year, n int) string {
	return time.Date(year, 1, 1+n, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

func money(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
