package sas7bdat

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// underscore stands for ._ among the letters of missing values.
const underscore = '_'

// pagesPerLook is how many pages are read between two looks at the context.
const pagesPerLook = 16

// readPages reads the records.
func (f *file) readPages(ctx context.Context, progress func(done, total int64)) error {
	row := make([]byte, f.rowLen)
	read := 0
	for k := range f.pages {
		if k%pagesPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(int64(f.head+k*f.pageSize), int64(len(f.data)))
			}
		}
		p := f.page(k)
		var err error
		if read, err = f.readPage(&p, row, read); err != nil {
			return err
		}
	}
	if progress != nil {
		progress(int64(len(f.data)), int64(len(f.data)))
	}
	if read != f.rows {
		return fmt.Errorf("not a sound SAS file, or one that was cut short: it says that it has %d records, and has %d",
			f.rows, read)
	}
	if err := f.plausible(); err != nil {
		return err
	}
	return ctx.Err()
}

// readPage reads the records of a page, behind so many that were read; it returns how many there are then.
func (f *file) readPage(p *page, row []byte, read int) (int, error) {
	kind, at, n := p.kind&kindBits, 0, 0
	if p.hasSubheaders() {
		behind, err := f.pointers(p, func(sub []byte, at pointer) error {
			switch {
			case at.packed == packedRow:
				if !f.packing.unpack(row, sub) {
					return p.fault(fmt.Sprintf("record %d cannot be unpacked", read+1))
				}
			case at.ofRecord && !known(f.signature(sub)):
				if len(sub) != len(row) {
					return p.fault(fmt.Sprintf("record %d has %d bytes, expected %d", read+1, len(sub), len(row)))
				}
				copy(row, sub)
			default:
				return nil
			}
			if read == f.rows {
				return p.fault("more records than there should be")
			}
			f.record(row)
			read++
			return nil
		})
		if err != nil || kind != kindMix {
			return read, err
		}
		n = min(f.mixRows, f.rows-read)
		at = f.aligned(p, behind, n)
	} else if kind == kindData {
		at, n = p.headSize, p.blocks
	}
	n = min(n, f.rows-read)
	if n > 0 && p.kind&withGone != 0 {
		return read, fmt.Errorf("page %d has records that are marked as deleted and are still there; make a data set "+
			"without them in SAS (data new; set old; run;), and give that", p.number+1)
	}
	if n > 0 && (len(row) == 0 || n > (len(p.data)-at)/len(row)) {
		return read, p.fault(fmt.Sprintf("%d records of %d bytes have no room in it", n, len(row)))
	}
	for k := range n {
		f.record(p.data[at+k*len(row) : at+(k+1)*len(row)])
	}
	return read + n, nil
}

// padding is how many bytes stand before the first record of a page where its pointers end between two words.
const padding = 4

// aligned returns where n records begin that stand behind the pointers of a page: at the next word as SAS has it,
// whatever is in between, or right there, as Stat/Transfer has it at times, which calls itself release 9.0000M0. The
// numbers decide, of which a wrong place makes nonsense; and where they do not, who wrote the file and whether the
// bytes between are zeros or blanks.
func (f *file) aligned(p *page, at, n int) int {
	if at%8 != padding || n == 0 {
		return at
	}
	room := func(at int) bool { return f.rowLen > 0 && n <= (len(p.data)-at)/f.rowLen }
	if !room(at + padding) {
		return at
	}
	here, there := f.strange(p.data[at:], n), f.strange(p.data[at+padding:], n)
	between := p.data[at : at+padding]
	blank := len(bytes.Trim(between, "\x00")) == 0 || len(bytes.Trim(between, " ")) == 0
	if here < there || here == there && f.transfer && !blank {
		return at
	}
	return at + padding
}

// strange counts the numbers of n records that nobody would have stored.
func (f *file) strange(data []byte, n int) (count int) {
	for _, v := range f.vars {
		for k := range n {
			if b := data[k*f.rowLen+v.at:]; !v.Text {
				if x, _ := number(b[:v.bytes], f.order); isStrange(x) {
					count++
				}
			}
		}
	}
	return count
}

// Numbers of such a size are none that anybody measures; bytes that are none of a number often look like one.
const tiny, huge = 1e-300, 1e80

func isStrange(x float64) bool { return x != 0 && (math.Abs(x) < tiny || math.Abs(x) > huge) }

// plausible refuses records of which every number but zero is strange: they are read at a wrong place.
func (f *file) plausible() error {
	strange := false
	for _, v := range f.vars {
		for _, x := range v.Num {
			if x == x && x != 0 {
				if !isStrange(x) {
					return nil
				}
				strange = true
			}
		}
	}
	if !strange {
		return nil
	}
	return errors.New("every number in the SAS file is beyond 1e80 or below 1e-300, so its records are not laid out as " +
		"is known: save it again with SAS, or as CSV, and give that")
}

// record stores the values of a record.
func (f *file) record(row []byte) {
	for _, v := range f.vars {
		b := row[v.at : v.at+v.bytes]
		if v.Text {
			v.Cat = append(v.Cat, f.code(v, b))
			continue
		}
		x, letter := number(b, f.order)
		v.Add(x, letter)
	}
}

// code is that of a text; the empty one is missing.
func (f *file) code(v *variable, b []byte) int32 {
	b = bytes.TrimRight(b, " \x00")
	if len(b) == 0 {
		return -1
	}
	for _, c := range b {
		if c > 0x7f {
			return v.Dict.Code([]byte(f.written(b)))
		}
	}
	return v.Dict.Code(b)
}

// number reads a number whose lowest bytes may have been left off, or the letter of a missing value: a small one,
// underscore, or 0 for the value . and for numbers.
func number(b []byte, order binary.ByteOrder) (x float64, letter byte) {
	var bits uint64
	for k := range b {
		c := b[k]
		if order == binary.LittleEndian {
			c = b[len(b)-1-k]
		}
		bits = bits<<8 | uint64(c)
	}
	bits <<= 8 * (8 - len(b))
	if x = math.Float64frombits(bits); x == x && !math.IsInf(x, 0) {
		return x + 0, 0
	}
	switch tag := ^byte(bits >> 40); {
	case tag == 0, tag == underscore:
		return math.NaN(), underscore
	case tag >= 2 && tag < 28:
		return math.NaN(), 'a' + tag - 2
	case tag >= 'A' && tag <= 'Z':
		return math.NaN(), 'a' + tag - 'A'
	case tag >= 'a' && tag <= 'z':
		return math.NaN(), tag
	}
	return math.NaN(), 0
}
