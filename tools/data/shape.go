package main

import (
	"fmt"
	"strconv"
	"strings"
)

// shape reads the records of a file as it is published.
type shape func(raw string) ([][]string, error)

// asIs is the shape of a file that is taken as it is.
var asIs shape

// lines reads cells with commas between. Blanks around them, empty lines and lines of remarks do not count.
func lines(raw string) (rows [][]string, err error) {
	for line := range strings.Lines(raw) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '|' {
			continue
		}
		cells := strings.Split(line, ",")
		for j, c := range cells {
			cells[j] = strings.TrimSpace(c)
		}
		rows = append(rows, cells)
	}
	return rows, nil
}

// stopped is lines that end with a full stop.
func stopped(raw string) ([][]string, error) {
	rows, err := lines(raw)
	for _, cells := range rows {
		last := &cells[len(cells)-1]
		*last = strings.TrimSuffix(*last, ".")
	}
	return rows, err
}

// zeros is lines in which .28 stands for 0.28.
func zeros(raw string) ([][]string, error) {
	rows, err := lines(raw)
	for _, cells := range rows {
		for j, c := range cells {
			if strings.HasPrefix(c, ".") {
				cells[j] = "0" + c
			}
		}
	}
	return rows, err
}

// words reads the 14 numbers of a record of Boston Housing, which stand on two lines, below 22 lines of text.
func words(raw string) (rows [][]string, err error) {
	all := strings.SplitAfterN(raw, "\n", 23)
	if len(all) < 23 {
		return nil, fmt.Errorf("it ends before its records begin")
	}
	cells := strings.Fields(all[22])
	if len(cells)%14 != 0 {
		return nil, fmt.Errorf("%d numbers are no records of 14", len(cells))
	}
	for ; len(cells) > 0; cells = cells[14:] {
		rows = append(rows, cells[:14])
	}
	return rows, nil
}

// labelled reads the records of the Current Population Survey, among the text around them the only lines of eleven
// numbers, and names the codes.
func labelled(raw string) (rows [][]string, err error) {
	for line := range strings.Lines(raw) {
		if cells := strings.Fields(line); len(cells) == 11 && numbers(cells) {
			rows = append(rows, cells)
		}
	}
	return rows, name(
		rows,
		map[int]string{1: "no,yes", 2: "male,female", 4: "not_member,member", 7: ",Other,Hispanic,White",
			8: ",Management,Sales,Clerical,Service,Professional,Other", 9: "Other,Manufacturing,Construction",
			10: "Unmarried,Married"},
	)
}

func numbers(cells []string) bool {
	for _, c := range cells {
		if _, err := strconv.ParseFloat(c, 64); err != nil {
			return false
		}
	}
	return true
}

// decoded is lines whose codes are replaced by the names of the documentation of Soybean (Large).
func decoded(raw string) ([][]string, error) {
	rows, err := lines(raw)
	if err != nil {
		return nil, err
	}
	names := map[int]string{}
	for j, n := range strings.Fields(soybean) {
		names[j+1] = n
	}
	return rows, name(rows, names)
}

// name replaces the codes of columns by their names, which stand in the order of the codes from 0. An unknown value
// stays.
func name(rows [][]string, names map[int]string) error {
	for j, list := range names {
		of := strings.Split(list, ",")
		for i, cells := range rows {
			if j >= len(cells) {
				return fmt.Errorf("record %d has %d columns", i+1, len(cells))
			}
			if cells[j] == "?" {
				continue
			}
			k, err := strconv.Atoi(cells[j])
			if err != nil || k < 0 || k >= len(of) || of[k] == "" {
				return fmt.Errorf("record %d has no known code in column %d", i+1, j+1)
			}
			cells[j] = of[k]
		}
	}
	return nil
}

// soybean names the codes of the columns after the class.
const soybean = `
april,may,june,july,august,september,october
normal,lt-normal
lt-norm,norm,gt-norm
lt-norm,norm,gt-norm
yes,no
diff-lst-year,same-lst-yr,same-lst-two-yrs,same-lst-sev-yrs
scattered,low-areas,upper-areas,whole-field
minor,pot-severe,severe
none,fungicide,other
90-100%,80-89%,lt-80%
norm,abnorm
norm,abnorm
absent,yellow-halos,no-yellow-halos
w-s-marg,no-w-s-marg,dna
lt-1/8,gt-1/8,dna
absent,present
absent,present
absent,upper-surf,lower-surf
norm,abnorm
yes,no
absent,below-soil,above-soil,above-sec-nde
dna,brown,dk-brown-blk,tan
absent,present
absent,firm-and-dry,watery
absent,present
none,brown,black
absent,present
norm,diseased,few-present,dna
absent,colored,brown-w/blk-specks,distort,dna
norm,abnorm
absent,present
absent,present
norm,lt-norm
absent,present
norm,rotted,galls-cysts
`
