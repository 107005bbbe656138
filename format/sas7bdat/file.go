package sas7bdat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// file is a data set being read.
type file struct {
	data     []byte
	order    binary.ByteOrder
	wide     bool // of 64 bits
	transfer bool // Stat/Transfer wrote it, by its release
	head     int  // bytes before the first page
	pageSize int
	pages    int

	rows, rowLen, mixRows int
	width                 int // how many variables it says that there are
	blocks                [][]byte
	packing               packing
	vars                  []*variable
	named, typed, shown   int // of how many variables the names, the types and the formats were found

	decode      func(data []byte) string
	assumed     string // the encoding that was taken for want of a known one
	beyondASCII bool
}

type variable struct {
	Variable
	at, bytes int // in a record

	nameAt, formatAt, labelAt ref
}

// ref is where a text stands: in which block of texts, and where in it.
type ref struct{ block, at, n int }

// The largest sizes of a head, a page and a record. A page of SAS has at most 16 MiB.
const (
	mostHead, mostPage, mostRecord = 1 << 24, 1 << 24, 1 << 24
	leastHead                      = 1024
)

var errShort = errors.New("a SAS file that was cut short, or is damaged: its head")

// open reads everything but the records.
func open(data []byte, encoding string) (*file, error) {
	if !looks(data) {
		return nil, errors.New("not a SAS data set (.sas7bdat), or not one of version 7 or later")
	}
	if len(data) < leastHead {
		return nil, errShort
	}
	f := &file{data: data, order: binary.LittleEndian, wide: data[32] == '3'}
	switch data[37] {
	case 1:
	case 0:
		f.order = binary.BigEndian
	default:
		return nil, errors.New("not a sound SAS file: byte 38: the order of its bytes")
	}
	at := 196
	if data[35] == '3' {
		at += 4
	}
	f.head, f.pageSize = int(f.order.Uint32(data[at:])), int(f.order.Uint32(data[at+4:]))
	f.pages = int(f.order.Uint32(data[at+8:]))
	if f.wide {
		f.pages = int(min(f.order.Uint64(data[at+8:]), math.MaxInt32))
	}
	f.transfer = bytes.HasPrefix(f.release(at), []byte("9.0000M0"))
	if f.head < leastHead || f.head > mostHead || f.pageSize < leastHead || f.pageSize > mostPage {
		return nil, fmt.Errorf("not a sound SAS file: byte %d: its head of %d bytes, or its pages of %d", at+1, f.head,
			f.pageSize)
	}
	if f.head > len(data) || f.pages > (len(data)-f.head)/f.pageSize {
		return nil, fmt.Errorf("a SAS file that was cut short, or is damaged: it says that it has %d pages of %d bytes",
			f.pages, f.pageSize)
	}
	if err := f.encoded(encoding, data[70]); err != nil {
		return nil, err
	}
	// names refer to texts on any page
	for _, look := range []func(sub []byte, p pointer, at int) error{f.texts, f.describe} {
		for k := range f.pages {
			if err := f.subheaders(k, look); err != nil {
				return nil, err
			}
		}
	}
	return f, f.complete()
}

// release is the release of SAS that the head names, whose sizes stand at a place.
func (f *file) release(at int) []byte {
	at += 20
	if f.wide {
		at += 4
	}
	return f.data[at : at+8]
}

// complete checks that what was found fits, and finds the texts that are referred to.
func (f *file) complete() error {
	if f.rowLen == 0 && f.width == 0 {
		return errors.New("not a sound SAS file: it does not say how long its records are")
	}
	if f.width != len(f.vars) || f.named != f.width || f.typed != f.width || f.shown > f.width {
		return fmt.Errorf("not a sound SAS file: it says that it has %d variables, and has %d names, %d types and %d "+
			"formats", f.width, f.named, f.typed, f.shown)
	}
	for j, v := range f.vars {
		var ok [3]bool
		v.Name, ok[0] = f.word(v.nameAt)
		v.Format, ok[1] = f.word(v.formatAt)
		v.Label, ok[2] = f.word(v.labelAt)
		switch {
		case ok != [3]bool{true, true, true}:
			return fmt.Errorf("not a sound SAS file: the name, format or label of variable %d is nowhere", j+1)
		case v.at > f.rowLen-v.bytes || v.Text && v.bytes < 1 || !v.Text && (v.bytes < 3 || v.bytes > 8):
			return fmt.Errorf("not a sound SAS file: variable %d has %d bytes behind %d of a record of %d", j+1, v.bytes, v.at,
				f.rowLen)
		}
	}
	return nil
}

// word returns a text that is referred to; an empty one may be anywhere.
func (f *file) word(r ref) (string, bool) {
	if r.n == 0 {
		return "", true
	}
	if r.block >= len(f.blocks) || r.at+r.n > len(f.blocks[r.block]) {
		return "", false
	}
	return f.written(f.blocks[r.block][r.at : r.at+r.n]), true
}

// written is a text without the blanks and zeros behind it.
func (f *file) written(b []byte) string {
	b = bytes.TrimRight(b, " \x00")
	for _, c := range b {
		if c > 0x7f {
			f.beyondASCII = true
			return f.decode(b)
		}
	}
	return string(b)
}

// pointer is where a piece of a page is.
type pointer struct {
	at, n    int
	packed   byte // notPacked, truncated or packedRow
	ofRecord bool // it may be a record
}

const (
	notPacked = 0
	truncated = 1 // to be passed over
	packedRow = 4
)

// The kinds of pages, by bits of their number. One of metadata has no bit.
const (
	kindBits   = 0x0f00
	kindData   = 0x0100
	kindMix    = 0x0200
	withGone   = 0x0080 // some records are marked as deleted
	kindUnused = 0x9000
)

// page is a page and what its head says.
type page struct {
	data               []byte
	number             int
	kind               int
	blocks, subheaders int
	headSize           int
}

func (f *file) page(k int) page {
	p := page{data: f.data[f.head+k*f.pageSize : f.head+(k+1)*f.pageSize], number: k, headSize: 24}
	if f.wide {
		p.headSize = 40
	}
	p.kind = int(f.order.Uint16(p.data[p.headSize-8:]))
	p.blocks = int(f.order.Uint16(p.data[p.headSize-6:]))
	p.subheaders = int(f.order.Uint16(p.data[p.headSize-4:]))
	return p
}

func (p *page) fault(what string) error {
	return fmt.Errorf("not a sound SAS file: page %d: %s", p.number+1, what)
}

// hasSubheaders reports whether the page has pieces that pointers tell.
func (p *page) hasSubheaders() bool { return p.kind&kindBits != kindData && p.kind&kindUnused == 0 }

// pointers calls what is to be done with every piece of a page; behind is where the pointers end.
func (f *file) pointers(p *page, do func(sub []byte, at pointer) error) (behind int, err error) {
	size := 12
	if f.wide {
		size = 24
	}
	behind = p.headSize + p.subheaders*size
	if behind > len(p.data) {
		return 0, p.fault("more pointers than it has room for")
	}
	for k := range p.subheaders {
		b := p.data[p.headSize+k*size:]
		at, n, flags := uint64(f.order.Uint32(b)), uint64(f.order.Uint32(b[4:])), b[8:]
		if f.wide {
			at, n, flags = f.order.Uint64(b), f.order.Uint64(b[8:]), b[16:]
		}
		if n == 0 || flags[0] == truncated {
			continue
		}
		if at > uint64(len(p.data)) || n > uint64(len(p.data))-at || at < uint64(behind) {
			return 0, p.fault(fmt.Sprintf("pointer %d leads out of it", k+1))
		}
		if flags[0] != notPacked && flags[0] != packedRow {
			return 0, p.fault(fmt.Sprintf("pointer %d is of an unknown kind", k+1))
		}
		if err := do(p.data[at:at+n], pointer{at: int(at), n: int(n), packed: flags[0],
			ofRecord: flags[1] != 0}); err != nil {
			return 0, err
		}
	}
	return behind, nil
}

// subheaders looks at the pieces of a page that are metadata.
func (f *file) subheaders(k int, look func(sub []byte, p pointer, page int) error) error {
	p := f.page(k)
	if !p.hasSubheaders() {
		return nil
	}
	_, err := f.pointers(&p, func(sub []byte, at pointer) error {
		if at.packed == packedRow || at.ofRecord && !known(f.signature(sub)) {
			return nil
		}
		return look(sub, at, k)
	})
	return err
}

// The signatures of pieces.
const (
	sizeOfRecords   = 0xf7f7f7f7
	countOfColumns  = 0xf6f6f6f6
	someCounts      = 0xfffffc00
	formatAndLabel  = 0xfffffbfe
	columnTypes     = 0xfffffffc
	textBlock       = 0xfffffffd
	columnNames     = 0xffffffff
	columnSignature = 0xfffffff8 // these bits are those of all that begin like a column's
)

func (f *file) signature(sub []byte) uint32 {
	if len(sub) < f.word64() {
		return 0
	}
	s := f.order.Uint32(sub)
	if f.wide && f.order == binary.BigEndian && s == math.MaxUint32 {
		s = f.order.Uint32(sub[4:])
	}
	return s
}

func known(s uint32) bool {
	return s == sizeOfRecords || s == countOfColumns || s == someCounts || s == formatAndLabel ||
		s&columnSignature == columnSignature
}

// word64 is how many bytes a number of the machine has.
func (f *file) word64() int {
	if f.wide {
		return 8
	}
	return 4
}

// whole reads a number of the machine's width; one that is too large for anything is the largest.
func (f *file) whole(b []byte) int {
	if f.wide {
		return int(min(f.order.Uint64(b), math.MaxInt32))
	}
	return int(min(f.order.Uint32(b), math.MaxInt32))
}

// texts keeps the blocks of texts.
func (f *file) texts(sub []byte, _ pointer, page int) error {
	if f.signature(sub) != textBlock {
		return nil
	}
	w := f.word64()
	if len(sub) < w+2 {
		return fmt.Errorf("not a sound SAS file: page %d: a block of texts is too short", page+1)
	}
	if block := sub[w:]; len(f.blocks) == 0 && len(block) >= 20 {
		switch string(block[12:20]) {
		case "SASYZCRL":
			f.packing = runs
		case "SASYZCR2":
			f.packing = doubles
		}
	}
	f.blocks = append(f.blocks, sub[w:])
	return nil
}

// describe reads what a piece says of records and columns.
func (f *file) describe(sub []byte, _ pointer, page int) error {
	w := f.word64()
	short := fmt.Errorf("not a sound SAS file: page %d: a part of its metadata is too short", page+1)
	switch f.signature(sub) {
	case sizeOfRecords:
		if len(sub) < 16*w {
			return short
		}
		f.rowLen, f.rows, f.mixRows = f.whole(sub[5*w:]), f.whole(sub[6*w:]), f.whole(sub[15*w:])
		if f.rowLen > mostRecord {
			return fmt.Errorf("not a sound SAS file: page %d: records of %d bytes", page+1, f.rowLen)
		}
	case countOfColumns:
		if len(sub) < 2*w {
			return short
		}
		f.width = f.whole(sub[w:])
	case columnNames:
		for at := w + 8; at+8 <= len(sub)-w-4; at += 8 {
			f.variable(&f.named).nameAt = f.ref(sub[at:])
		}
	case columnTypes:
		for at := w + 8; at+w+8 <= len(sub)-w-4; at += w + 8 {
			v, b := f.variable(&f.typed), sub[at:]
			v.at, v.bytes = f.whole(b), int(min(f.order.Uint32(b[w:]), math.MaxInt32))
			if v.Text = b[w+6] == 2; !v.Text && b[w+6] != 1 {
				return fmt.Errorf("not a sound SAS file: page %d: variable %d is neither of numbers nor of texts", page+1, f.typed)
			}
		}
	case formatAndLabel:
		at := 22 + 3*w
		if len(sub) < at+12 {
			return short
		}
		v := f.variable(&f.shown)
		v.formatAt, v.labelAt = f.ref(sub[at:]), f.ref(sub[at+6:])
	}
	return nil
}

// variable is the next one of which something is told, a new one where there is none yet.
func (f *file) variable(told *int) *variable {
	if *told++; *told > len(f.vars) {
		f.vars = append(f.vars, &variable{})
	}
	return f.vars[*told-1]
}

func (f *file) ref(b []byte) ref {
	return ref{int(f.order.Uint16(b)), int(f.order.Uint16(b[2:])), int(f.order.Uint16(b[4:]))}
}
