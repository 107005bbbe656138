package graphicalsynthesis

import (
	"errors"
	"math"

	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/newrecords"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// This file draws record by record (package newrecords) where people have several, or records are to be like something:
// of a person first what is one for them, then their records in order, each given the one before. The network then has
// attributes of the wider table (newrecords.Units.Wide).

// mostCounted is how many numbers of records of a person the law tells apart at most.
const mostCounted = 64

// eachAlone reports whether records are drawn one by one, each by a number of its own.
func (p *Plan) eachAlone() bool { return p.Units != nil || len(p.Like) > 0 }

// byRecords is how such records are drawn.
func (p *Plan) byRecords() *newrecords.Law {
	return &newrecords.Law{Schema: p.Attrs, Units: p.Units, Rows: p.Rows, Like: p.Like, Drawer: p}
}

// widen takes how people have several records from a table, and returns it widened, and which rows are a person's
// first.
func (p *Plan) widen(t *table.Table) (wide *table.Table, first []bool, err error) {
	p.Units = newrecords.UnitsOf(t)
	return p.Units.Widen(t)
}

// staged returns the columns of a wider table that are drawn, and the stages in which they are: what is one for a
// person, of the first of their rows; the record before, which is at hand; the others.
func (q *Technique) staged(wide *table.Table, p *Plan, rows []int, first []bool) (
	columns []Coding, stages []selectmeasure.Stage) {
	stages = []selectmeasure.Stage{{}, {Given: true}, {}}
	for k, i := range rows {
		if first[i] {
			stages[0].Rows = append(stages[0].Rows, k)
		}
	}
	for j := range wide.Width() {
		c, bins := Coding{Column: j}, q.Bins
		if j == p.Units.Records(p.Attrs) {
			bins = max(bins, mostCounted)
		}
		if c.settle(wide.Attr(j), bins) {
			s := &stages[p.rank(j)]
			s.Columns, columns = append(s.Columns, len(columns)), append(columns, c)
		}
	}
	return columns, stages
}

// like sets what all records are to be like.
func (p *Plan) like(q *Technique, t *table.Table) (err error) {
	if p.Like, err = protect.ParseLike(q.Like, p.Attrs); err == nil {
		p.Alike, err = newrecords.Alike(t, p.Like, protect.Common)
	}
	return err
}

// rank is in which stage a column of the wider table is drawn: 0 what is one for a person, 1 the record before, which
// is at hand, 2 what varies.
func (p *Plan) rank(j int) int {
	switch {
	case p.Units.Level(p.Attrs, j):
		return 0
	case p.Units.Before(p.Attrs, j) >= 0:
		return 1
	}
	return 2
}

// Draw draws the columns of a stage, all of them at once: with those that conditions are on, where there are some.
func (p *Plan) Draw(s *newrecords.Slots, stage newrecords.Stage, conditioned bool, src rng.Source) {
	if conditioned == (len(p.Like) == 0) {
		return
	}
	p.drawn()
	rank := 0
	if stage == newrecords.OfUnits {
		rank = 2
	}
	drawn := func(j int) bool { return stage == newrecords.Whole || p.rank(j) == rank }
	codes := make([][]int32, len(p.Domain)) // of the slots, by attribute of the network
	all := make([]int, len(s.Keys))
	for i := range all {
		all[i] = i
	}
	for k := range p.Columns {
		if c := &p.Columns[k]; !drawn(c.Column) {
			codes[p.At[k]] = c.encode(&s.Cols[c.Column], all)
		}
	}
	column := make(map[int]int, len(p.At)) // by attribute: its coding
	for k, at := range p.At {
		column[at] = k
	}
	var given []int32
	for n := range p.law.Network {
		law := &p.law.Network[n]
		c := &p.Columns[column[law.Of]]
		if !drawn(c.Column) {
			continue
		}
		to, stream := &s.Cols[c.Column], src.Fork(s.Cols[c.Column].Name).Stream()
		own := make([]int32, len(s.Keys))
		for i, key := range s.Keys {
			given = given[:0]
			for _, v := range law.Given {
				given = append(given, codes[v][i])
			}
			x := stream.At(uint64(key))
			own[i] = law.At(p.Domain, given, rng.Unit(x.A))
			c.put(to, i, own[i], rng.Unit(x.B))
		}
		codes[law.Of] = own
	}
}

// checkStages refuses a network whose laws are given what is drawn after them.
func (p *Plan) checkStages() error {
	if !p.eachAlone() {
		return nil
	}
	stage := make([]int, len(p.Domain))
	for v := range stage {
		stage[v] = math.MaxInt
	}
	records := false
	for k, at := range p.At {
		stage[at] = p.rank(p.Columns[k].Column)
		records = records || p.Units != nil && p.Columns[k].Column == p.Units.Records(p.Attrs)
	}
	for n := range p.Network {
		c := &p.Network[n]
		of := stage[c.Of]
		for _, v := range c.Given {
			if stage[v] > of || of == 1 {
				return errors.New("a law is given what is drawn after it")
			}
		}
		if of == math.MaxInt {
			return errors.New("a law is of no column")
		}
	}
	if p.Units != nil && !records {
		return errors.New("how many records people have is not drawn")
	}
	return nil
}
