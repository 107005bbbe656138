package sas7bdat

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// made is a data set that a test makes, of any machine and any compression.
type made struct {
	wide, big bool
	packing   packing
	mixed     bool // the first records stand on the page of the metadata
	unpadded  bool // nothing stands between the pointers and the records, as Stat/Transfer has it
	release   string
	between   string // what SAS leaves between them
	deleted   bool
	encoding  byte
	perPage   int
	pageSize  int
	vars      []madeVar
	rows      [][]any // float64, or []byte for a number as it is stored, or string
}

type madeVar struct {
	name, label, format string
	text                bool
	bytes               int
}

func (m *made) order() binary.ByteOrder {
	if m.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (m *made) word() int {
	if m.wide {
		return 8
	}
	return 4
}

// put writes a number of so many bytes.
func (m *made) put(b []byte, n int, v uint64) {
	switch n {
	case 2:
		m.order().PutUint16(b, uint16(v))
	case 4:
		m.order().PutUint32(b, uint32(v))
	default:
		m.order().PutUint64(b, v)
	}
}

// record is a record's bytes.
func (m *made) record(values []any) (out []byte) {
	for j, v := range m.vars {
		switch x := values[j].(type) {
		case []byte:
			out = append(out, x...)
		case string:
			out = append(out, append([]byte(x), bytes.Repeat([]byte{' '}, v.bytes-len(x))...)...)
		case float64:
			b := binary.BigEndian.AppendUint64(nil, math.Float64bits(x))[:v.bytes]
			if !m.big {
				slices.Reverse(b)
			}
			out = append(out, b...)
		}
	}
	return out
}

// tagged is a missing number with a byte for its reason, as it is stored.
func (m *made) tagged(tag byte) []byte {
	b := []byte{0xff, 0xff, ^tag, 0, 0, 0, 0, 0}
	if !m.big {
		slices.Reverse(b)
	}
	return b
}

// piece is a piece of a page.
type piece struct {
	data             []byte
	packed, ofRecord byte
}

// page puts pieces into a page, from its end on, and records behind the pointers.
func (m *made) page(kind, blocks int, pieces []piece, rows [][]byte) []byte {
	p, head, size := make([]byte, m.pageSize), 24, 12
	if m.wide {
		head, size = 40, 24
	}
	m.put(p[head-8:], 2, uint64(kind))
	m.put(p[head-6:], 2, uint64(blocks))
	m.put(p[head-4:], 2, uint64(len(pieces)))
	end := m.pageSize
	for k, s := range pieces {
		end = (end - len(s.data)) &^ 7
		copy(p[end:], s.data)
		at := p[head+k*size:]
		m.put(at, m.word(), uint64(end))
		m.put(at[m.word():], m.word(), uint64(len(s.data)))
		at[2*m.word()], at[2*m.word()+1] = s.packed, s.ofRecord
	}
	at := head + len(pieces)*size
	if at%8 == 4 && len(pieces) > 0 && !m.unpadded {
		copy(p[at:], m.between)
		at += 4
	}
	for _, r := range rows {
		at += copy(p[at:end], r)
	}
	return p
}

// piece begins a piece with its signature.
func (m *made) piece(signature uint32, n int) []byte {
	b := make([]byte, n)
	m.put(b, m.word(), uint64(int64(int32(signature))))
	if signature == sizeOfRecords || signature == countOfColumns {
		clear(b[:m.word()])
		if m.order().PutUint32(b, signature); m.wide && m.big {
			clear(b[4:8])
		}
	}
	return b
}

// metadata are the pieces that say what the file is like.
func (m *made) metadata(onMix int) (out []piece) {
	w := m.word()
	var texts []byte
	refs := map[string][2]int{}
	keep := func(s string) {
		if _, ok := refs[s]; !ok && s != "" {
			refs[s] = [2]int{28 + len(texts), len(s)}
			texts = append(texts, s...)
			texts = append(texts, make([]byte, -len(texts)&3)...)
		}
	}
	for _, v := range m.vars {
		keep(v.name)
		keep(v.format)
		keep(v.label)
	}
	sizes := m.piece(sizeOfRecords, 64*w) // of which nobody knows all
	m.put(sizes[5*w:], w, uint64(len(m.record(m.rows[0]))))
	m.put(sizes[6*w:], w, uint64(len(m.rows)))
	m.put(sizes[15*w:], w, uint64(onMix))
	count := m.piece(countOfColumns, 3*w)
	m.put(count[w:], w, uint64(len(m.vars)))
	block := m.piece(textBlock, (w+28+len(texts)+7)&^7)
	m.put(block[w:], 2, uint64(len(block)-4-2*w))
	copy(block[w+12:], []string{"        ", "SASYZCRL", "SASYZCR2"}[m.packing])
	copy(block[w+28:], texts)
	names := m.piece(columnNames, 2*w+12+8*len(m.vars))
	m.put(names[w:], 2, uint64(len(names)-4-2*w))
	types := m.piece(columnTypes, 2*w+12+(w+8)*len(m.vars))
	m.put(types[w:], 2, uint64(len(types)-4-2*w))
	ref := func(b []byte, s string) {
		m.put(b[2:], 2, uint64(refs[s][0]))
		m.put(b[4:], 2, uint64(refs[s][1]))
	}
	at := 0
	var formats []piece
	for j, v := range m.vars {
		ref(names[w+8+8*j:], v.name)
		b := types[w+8+(w+8)*j:]
		m.put(b, w, uint64(at))
		m.put(b[w:], 4, uint64(v.bytes))
		if b[w+6] = 1; v.text {
			b[w+6] = 2
		}
		at += v.bytes
		f := m.piece(formatAndLabel, 40+3*w)
		ref(f[22+3*w:], v.format)
		ref(f[28+3*w:], v.label)
		formats = append(formats, piece{data: f})
	}
	return append([]piece{{data: sizes}, {data: count}, {data: block}, {data: names}, {data: types}}, formats...)
}

// file is the whole file.
func (m *made) file() []byte {
	var pages [][]byte
	rows := make([][]byte, len(m.rows))
	for i, r := range m.rows {
		rows[i] = m.record(r)
	}
	gone := 0
	if m.deleted {
		gone = withGone
	}
	if m.mixed {
		n := min(2, len(rows))
		pages = append(pages, m.page(kindMix|gone, n, m.metadata(n), rows[:n]))
		rows = rows[n:]
	} else {
		pages = append(pages, m.page(0, 0, m.metadata(0), nil))
	}
	for part := range slices.Chunk(rows, max(1, m.perPage)) {
		if m.packing == 0 {
			pages = append(pages, m.page(kindData|gone, len(part), nil, part))
			continue
		}
		var pieces []piece
		for i, r := range part {
			s := piece{pack(m.packing, r), packedRow, 1}
			if i%3 == 2 || len(s.data) >= len(r) { // SAS leaves those as they are that do not become shorter
				s = piece{r, notPacked, 1}
			}
			pieces = append(pieces, s)
		}
		pages = append(pages, m.page(0, len(pieces), pieces, nil))
	}
	head := make([]byte, 1024)
	copy(head, magic)
	head[32], head[35], head[37], head[39], head[70] = 0x22, 0x22, 1, '1', m.encoding
	if m.big {
		head[37] = 0
	}
	at := 196
	if m.wide {
		head[32], head[35], at = '3', '3', 200
	}
	copy(head[84:], "SAS FILE")
	m.put(head[at:], 4, 1024)
	m.put(head[at+4:], 4, uint64(m.pageSize))
	m.put(head[at+8:], m.word(), uint64(len(pages)))
	copy(head[at+8+m.word()+8:], cmp.Or(m.release, "9.0401M6"))
	return slices.Concat(append([][]byte{head}, pages...)...)
}

// pack compresses a record by every command that its packing has a use for.
func pack(p packing, row []byte) (out []byte) {
	if p == doubles {
		return packDoubles(row)
	}
	var plain []byte
	flush := func() {
		for len(plain) > 0 {
			n := min(len(plain), 64+15*256)
			switch {
			case n > 64:
				out = append(out, byte((n-64)>>8), byte(n-64))
			case n > 48:
				out = append(out, 0xb0|byte(n-49))
			case n > 32:
				out = append(out, 0xa0|byte(n-33))
			case n > 16:
				out = append(out, 0x90|byte(n-17))
			default:
				out = append(out, 0x80|byte(n-1))
			}
			out = append(out, plain[:n]...)
			plain = plain[n:]
		}
	}
	for at := 0; at < len(row); {
		b, n := row[at], 1
		for at+n < len(row) && row[at+n] == b && n < 250 {
			n++
		}
		k := bytes.IndexByte([]byte("@ \x00"), b)
		switch {
		case k >= 0 && n > 17:
			flush()
			out = append(out, 0x50+byte(k)<<4, byte(n-17))
		case k >= 0 && n > 1:
			flush()
			out = append(out, 0xd0+byte(k)<<4|byte(n-2))
		case n > 18:
			flush()
			out = append(out, 0x40, byte(n-18), b)
		case n > 2:
			flush()
			out = append(out, 0xc0|byte(n-3), b)
		default:
			plain = append(plain, row[at:at+n]...)
		}
		at += n
	}
	flush()
	return out
}

// packDoubles compresses as Ross did: runs, patterns that stood before, and bytes as they are.
func packDoubles(row []byte) (out []byte) {
	var control uint16
	var group []byte
	n := 0
	step := func(bit uint16, b ...byte) {
		control = control<<1 | bit
		group = append(group, b...)
		if n++; n == 16 {
			out = append(append(out, byte(control>>8), byte(control)), group...)
			control, group, n = 0, nil, 0
		}
	}
	for at := 0; at < len(row); {
		run := 1
		for at+run < len(row) && row[at+run] == row[at] && run < 4095 {
			run++
		}
		back, long := 0, 0
		for d := 3; d <= min(at, 4098); d++ {
			l := 0
			for at+l < len(row) && l < 271 && row[at+l] == row[at+l-d] {
				l++
			}
			if l > long {
				back, long = d, l
			}
		}
		switch {
		case run >= 19:
			step(1, 0x10|byte((run-19)&15), byte((run-19)>>4), row[at])
			at += run
		case run > 2:
			step(1, byte(run-3), row[at])
			at += run
		case long >= 16:
			step(1, 0x20|byte((back-3)&15), byte((back-3)>>4), byte(long-16))
			at += long
		case long > 2:
			step(1, byte(long)<<4|byte((back-3)&15), byte((back-3)>>4))
			at += long
		default:
			step(0, row[at])
			at++
		}
	}
	for n > 0 && n < 16 { // the bits that are left say nothing
		control <<= 1
		n++
	}
	if len(group) > 0 {
		out = append(append(out, byte(control>>8), byte(control)), group...)
	}
	return out
}

// sample is a file with what a data set may have.
func sample(change func(m *made)) *made {
	m := &made{
		encoding: 20,
		perPage:  3,
		pageSize: 3072,
		vars: []madeVar{
			{"id", "", "", false, 8},
			{"few", "of few bytes", "", false, 4},
			{"name", "how they are called", "", true, 300},
			{"day", "", "DATE", false, 8},
			{"seen", "", "DATETIME", false, 8},
			{"wage", "what they earn", "COMMA", false, 8},
			{"code", "", "", true, 3},
		},
	}
	change(m)
	nothing := m.tagged(1)
	m.rows = [][]any{
		{1.0, 0.5, "Zoe", 23435.0, 23435*86400.0 + 43201.5, 10.5, "a"},
		{2.0, -3.0, "", nothing, nothing, m.tagged(2), ""},
		{
			3.0,
			1024.0,
			"@@@@@@@@@@@@@@@@@@@@@@@@@ab ab ab ab ab ab ab ab ab ab ab ab abcabcabcabcxxxxxxxxxxxxxxxxxxxxxxxyyyy",
			-1.0,
			0.0,
			m.tagged(0),
			"bb",
		},
		{70000.0, 0.0, "Zoe", 21915.0, 21915 * 86400.0, m.tagged('Z'), "ccc"},
		{-1e9, 3.0, "Zo\xc3\xab", 3653.0, nothing, nothing, "a"},
	}
	return m
}

// all are the files of every machine and packing.
func all(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, wide := range []bool{false, true} {
		for _, big := range []bool{false, true} {
			for p, name := range []string{"plain", "runs", "doubles", "mixed"} {
				name += map[bool]string{false: "32", true: "64"}[wide] + map[bool]string{false: "little", true: "big"}[big]
				out[name] = sample(func(m *made) { m.wide, m.big, m.packing, m.mixed = wide, big, packing(p%3), p == 3 }).file()
			}
		}
	}
	return out
}
