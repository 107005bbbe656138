package arrow

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
)

// Streams put together by hand, message by message.

func framed(kind byte, version int, head fields, body ...[]byte) []byte {
	var out bytes.Buffer
	m := newMessenger(&out)
	m.message(kind, head, body)
	if err := m.w.Flush(); err != nil {
		panic(err)
	}
	data := out.Bytes()
	if version != versionV5 { // the version is the only number of 16 bits, and stands where its table says
		t := root(data[8:])
		binary.LittleEndian.PutUint16(data[8+t.slot(0, 2):], uint16(version))
	}
	return data
}

var end = []byte("\xff\xff\xff\xff\x00\x00\x00\x00")

func schemaOf(columns ...fields) []byte {
	return framed(headSchema, versionV5, fields{nil, list(columns)})
}

func stream(columns ...fields) []byte { return append(schemaOf(columns...), end...) }

func textArray(texts ...string) *array {
	return &array{
		typ:     typ{kind: "utf8"},
		rows:    len(texts),
		missing: func(i int) bool { return texts[i] == "?" },
		text:    func(i int) string { return texts[i] },
	}
}

func wholes(t typ, numbers ...int64) *array {
	return &array{
		typ:     t,
		rows:    len(numbers),
		missing: func(int) bool { return false },
		whole:   func(i int) int64 { return numbers[i] },
	}
}

func dictionaryOf(a *array, delta bool) []byte {
	head, body := batch([]packed{a.pack(0, a.rows, true)}, a.rows, true)
	return framed(headDictionary, versionV5, fields{int64(0), head, delta}, body...)
}

func batchOf(arrays ...*array) []byte {
	var parts []packed
	for _, a := range arrays {
		parts = append(parts, a.pack(0, a.rows, true))
	}
	head, body := batch(parts, arrays[0].rows, true)
	return framed(headBatch, versionV5, head, body...)
}

var (
	tiny  = typ{kind: "int", bits: 8}
	coded = typ{kind: "utf8", coded: true}
)

// Dictionaries grow and are replaced in a stream; a code means what its dictionary said when the batch came.
func TestDictionariesChange(t *testing.T) {
	codes := func(k ...int64) []byte { return batchOf(wholes(tiny, k...)) }
	words := func(delta bool, w ...string) []byte { return dictionaryOf(textArray(w...), delta) }
	for _, c := range []struct {
		what     string
		messages [][]byte
		want     string // a column, or a part of the error
	}{
		{"one dictionary", [][]byte{words(false, "x", "y"), codes(1, 0), codes(1)}, `a: "y" "x" "y"`},
		{"it grows", [][]byte{words(false, "x", "y"), codes(1), words(true, "z"), codes(2, 0)}, `a: "y" "z" "x"`},
		{"it is replaced", [][]byte{words(false, "x", "y"), codes(1, 0), words(false, "y", "z"), codes(1, 0)}, `a: "y" "x" "z" "y"`},
		{"replaced, and grown then", [][]byte{words(false, "x"), codes(0), words(false, "y"), words(true, "x", "w"), codes(0, 1, 2)}, `a: "x" "y" "x" "w"`},
		{"a text twice, and none", [][]byte{words(false, "x", "?", "x"), codes(0, 1, 2)}, `a: "x" ? "x"`},
		{"an entry that comes later", [][]byte{words(false, "x"), codes(1), words(true, "y")}, "a code stands for no entry " +
			"of its dictionary"},
		{"a negative code", [][]byte{words(false, "x"), codes(-1)}, "a code stands for no entry of its dictionary"},
		{"no dictionary", [][]byte{codes(0)}, "a code stands for no entry of its dictionary"},
	} {
		data := slices.Concat(schemaOf(coded.field("a", 0, tiny)), bytes.Join(c.messages, nil), end)
		tb, _, err := Read(ctx, data, dialect.Options{})
		if err != nil {
			if !strings.HasPrefix(c.want, "a code") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.what, err)
			}
			continue
		}
		if got := formattest.Shown(tb)[0]; got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
}

// In a file dictionaries may grow, and lie behind the records whose codes they explain; they may not be replaced.
func TestDictionariesOfFiles(t *testing.T) {
	words := func(delta bool, w ...string) []byte { return dictionaryOf(textArray(w...), delta) }
	records := batchOf(wholes(tiny, 2, 0, 1))
	for _, c := range []struct {
		what  string
		dicts [][]byte
		want  string
	}{
		{"one", [][]byte{words(false, "x", "y", "z")}, `a: "z" "x" "y"`},
		{"it grows", [][]byte{words(false, "x"), words(true, "y"), words(true, "z", "w")}, `a: "z" "x" "y"`},
		{"it is there twice", [][]byte{words(false, "x", "y", "z"), words(false, "z", "y", "x")}, "not a sound Arrow file: " +
			"it has a dictionary twice"},
		{"none", nil, `column "a": a code stands for no entry of its dictionary`},
	} {
		data := []byte("ARROW1\x00\x00")
		block := func(m []byte) []int64 {
			at, meta := int64(len(data)), int64(binary.LittleEndian.Uint32(m[4:]))+8
			data = append(data, m...)
			return []int64{at, meta, int64(len(m)) - meta}
		}
		batches, dicts := block(records), []int64(nil)
		for _, d := range c.dicts {
			dicts = append(dicts, block(d)...)
		}
		foot := flatten(
			fields{int16(versionV5), fields{nil, list{coded.field("a", 0, tiny)}}, longs{3, dicts}, longs{3, batches}},
		)
		data = slices.Concat(data, end, foot, binary.LittleEndian.AppendUint32(nil, uint32(len(foot))), []byte("ARROW1"))
		got := ""
		if tb, _, err := Read(ctx, data, dialect.Options{}); err != nil {
			got = plainly(err)
		} else {
			got = formattest.Shown(tb)[0]
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
}

// A stream of old has no marks before its messages; one that stops between two messages is read with a word; anything
// else is damage.
func TestStreams(t *testing.T) {
	schema, batch := schemaOf(tiny.field("a", 0, typ{})), batchOf(wholes(tiny, 3, -1))
	whole := slices.Concat(schema, batch, end)
	old := slices.Concat(schema[4:], batch[4:], end[4:])
	for _, c := range []struct {
		what  string
		data  []byte
		notes int
		want  string // of the error
	}{
		{"whole", whole, 0, ""},
		{"without marks", old, 0, ""},
		{"without an end", whole[:len(whole)-8], 1, ""},
		{"more behind the end", append(bytes.Clone(whole), whole...), 0, errDamaged.Error()},
		{"half a mark", whole[:len(whole)-5], 0, errDamaged.Error()},
		{"records before the schema", whole[len(schema):], 0, errDamaged.Error()},
		{"nothing", nil, 0, errDamaged.Error()},
		{"an end", end, 0, errDamaged.Error()},
		{"a schema twice", append(bytes.Clone(schema), whole...), 0, errDamaged.Error()},
		{"another kind of message", slices.Concat(schema, framed(4, versionV5, fields{}), end), 0, errDamaged.Error()},
		{"before version 0.8", slices.Concat(schema, framed(headBatch, 2, fields{int64(0), longs{of: 2}, longs{of: 2}}),
			end), 0,
			"an Arrow file from before version 0.8, which is not supported: write it again"},
	} {
		tb, info, err := Read(ctx, c.data, dialect.Options{})
		if err != nil || c.want != "" {
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: got %v, want %s", c.what, err, c.want)
			}
			continue
		}
		if got := formattest.Shown(tb)[0]; got != "a: 3 -1" || len(info.Notes) != c.notes {
			t.Errorf("%s: got %s, notes %q", c.what, got, info.Notes)
		}
	}
}

// Sizes and places that cannot be true are found before anything is allocated for them or read there.
func TestStatedSizes(t *testing.T) {
	long := typ{kind: "int", bits: 64}
	raw := func(rows int64, lengths, places []int64, packing any, body ...[]byte) []byte {
		return framed(headBatch, versionV5, fields{rows, longs{2, lengths}, longs{2, places}, packing}, body...)
	}
	eight := make([]byte, 64)
	zipped := fields{byte(1), byte(0)}
	frame := pack(must.Get(zstdEncoder())(t), eight)
	size := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	for _, c := range []struct {
		what    string
		columns int
		batch   []byte
		want    error // nil: it is sound
	}{
		{"eight numbers", 1, raw(8, []int64{8, 0}, []int64{0, 0, 0, 64}, nil, eight), nil},
		{"eight numbers, packed", 1, raw(8, []int64{8, 0}, []int64{0, 0, 0, int64(len(frame))}, zipped, frame), nil},
		{"as they are, in a packed batch", 1, raw(8, []int64{8, 0}, []int64{0, 0, 0, 72}, zipped,
			append(size(1<<64-1), eight...)), nil},
		{"a number too many", 1, raw(9, []int64{9, 0}, []int64{0, 0, 0, 64}, nil, eight), errDamaged},
		{"other rows in a column", 1, raw(8, []int64{7, 0}, []int64{0, 0, 0, 64}, nil, eight), errDamaged},
		{"less than no row", 1, raw(-1, []int64{-1, 0}, []int64{0, 0, 0, 64}, nil, eight), errDamaged},
		{"rows without end", 1, raw(1<<62, []int64{1 << 62, 0}, []int64{0, 0, 0, 64}, nil, eight), errImplausible},
		{"300 million rows", 1, raw(300e6, []int64{300e6, 0}, []int64{0, 0, 0, 64}, zipped, eight), errImplausible},
		{"more nulls than rows", 1, raw(8, []int64{8, 9}, []int64{0, 0, 0, 64}, nil, eight), errDamaged},
		{"nulls, and no bits", 1, raw(8, []int64{8, 1}, []int64{0, 0, 0, 64}, nil, eight), errDamaged},
		{"no column", 1, raw(8, nil, nil, nil), errDamaged},
		{"a buffer is lacking", 1, raw(8, []int64{8, 0}, []int64{0, 0}, nil, eight), errDamaged},
		{"a buffer too many", 1, raw(8, []int64{8, 0}, []int64{0, 0, 0, 64, 0, 0}, nil, eight), errDamaged},
		{"a buffer before the body", 1, raw(8, []int64{8, 0}, []int64{0, 0, -8, 64}, nil, eight), errDamaged},
		{"a buffer behind the body", 1, raw(8, []int64{8, 0}, []int64{0, 0, 8, 64}, nil, eight), errDamaged},
		{"a buffer of less than nothing", 1, raw(8, []int64{8, 0}, []int64{0, 0, 0, -64}, nil, eight), errDamaged},
		{"a place that wraps around", 1, raw(8, []int64{8, 0}, []int64{0, 0, 1<<63 - 8, 64}, nil, eight), errDamaged},
		{"buffers that lie over each other", 2, raw(8, []int64{8, 0, 8, 0}, []int64{0, 0, 0, 64, 0, 0, 0, 64}, nil, eight),
			errDamaged},
		{"it unpacks to more than it says", 1,
			raw(7, []int64{7, 0}, []int64{0, 0, 0, int64(len(frame))}, zipped, append(size(56), frame[8:]...)), errDamaged},
		{"it unpacks to less than it says", 1,
			raw(8, []int64{8, 0}, []int64{0, 0, 0, int64(len(frame))}, zipped, append(size(72), frame[8:]...)), errDamaged},
		{"it says gigabytes", 1, raw(8, []int64{8, 0}, []int64{0, 0, 0, int64(len(frame))}, zipped,
			append(size(1<<40), frame[8:]...)), errImplausible},
		{"it says less than nothing", 1, raw(8, []int64{8, 0}, []int64{0, 0, 0, int64(len(frame))}, zipped,
			append(size(1<<63), frame[8:]...)), errDamaged},
		{"packed, without a size", 1, raw(0, []int64{0, 0}, []int64{0, 0, 0, 7}, zipped, eight), errDamaged},
		{"no frame", 1, raw(8, []int64{8, 0}, []int64{0, 0, 0, 16}, fields{byte(0), byte(0)}, append(size(64), eight...)),
			errDamaged},
	} {
		columns := list{long.field("a", 0, typ{}), long.field("b", 0, typ{})}[:c.columns]
		_, _, err := Read(ctx, slices.Concat(schemaOf(columns...), c.batch, end), dialect.Options{})
		if c.want == nil && err != nil || c.want != nil && (err == nil || !strings.HasSuffix(plainly(err), c.want.Error())) {
			t.Errorf("%s: got %v, want %v", c.what, err, c.want)
		}
	}
	text := typ{kind: "utf8"}
	places := func(k ...uint32) (out []byte) {
		for _, x := range k {
			out = binary.LittleEndian.AppendUint32(out, x)
		}
		return out
	}
	for _, c := range []struct {
		what   string
		places []byte
		want   string
	}{
		{"sound", places(0, 2, 3), `a: "xy" "z"`},
		{"not from the beginning", places(1, 2, 2), `a: "y" ""`},
		{"back", places(2, 1, 3), errDamaged.Error()},
		{"back at a whole text", places(0, 3, 2), errDamaged.Error()},
		{"behind the end", places(0, 2, 4), errDamaged.Error()},
		{"negative", places(0, 1<<32-1, 3), errDamaged.Error()},
		{"one too few", places(0, 2), errDamaged.Error()},
	} {
		body := append(bytes.Clone(c.places), make([]byte, -len(c.places)&7)...)
		data := slices.Concat(schemaOf(text.field("a", 0, typ{})),
			raw(2, []int64{2, 0}, []int64{0, 0, 0, int64(len(c.places)), int64(len(body)), 3}, nil, body, []byte("xyz")),
			end)
		tb, _, err := Read(ctx, data, dialect.Options{})
		got := ""
		if err != nil {
			got = strings.TrimPrefix(plainly(err), `column "a": `)
		} else {
			got = formattest.Shown(tb)[0]
		}
		if got != c.want {
			t.Errorf("places of texts, %s: got %s, want %s", c.what, got, c.want)
		}
	}
}

// polars links the blocks of LZ4 and guards each with a check sum, of which a byte that changed is noticed.
func TestPolars(t *testing.T) {
	for _, name := range []string{"polars.arrow", "polars.arrows"} {
		data := mustRead(t, name)
		tb, info, err := Read(t.Context(), data, dialect.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := tb.Column(0).Num[:4]; !slices.Equal(got, []float64{0, 37, 74, 21}) || tb.Rows() != 200 {
			t.Errorf("%s: %d records, ages %v", name, tb.Rows(), got)
		}
		if c := tb.Column(1); c.Cat[0] >= 0 || c.Labels[c.Cat[1]] != "Basel" {
			t.Errorf("%s: towns %v of %q", name, c.Cat[:2], c.Labels)
		}
		if got := tb.Column(2).Num[49]; got != 49*3600e6 || info.Types["stay"] != "duration[us]" {
			t.Errorf("%s: a stay of 49 hours is %v, a %s", name, got, info.Types["stay"])
		}
		frame := bytes.Index(data, []byte{4, 0x22, 0x4d, 0x18})
		data[frame+12] ^= 1
		if _, _, err := Read(t.Context(), data, dialect.Options{}); err == nil {
			t.Errorf("%s: a byte of a block changed, and it is read", name)
		}
	}
}

// The blocks of a frame of LZ4 may refer to those before them, as pyarrow has them and the writers of Go do not: one
// that the program lz4 made (-BD -B4 --content-size) of 1000 bytes 200 times; it holds a check sum.
func TestLinkedBlocks(t *testing.T) {
	u := &unpacker{}
	for range 2 { // the second time with memory that was used
		got, err := u.frame(lz4Frame, mustRead(t, "linked.lz4"), 0, 200_000)
		if err != nil || !bytes.Equal(got[:199_000], got[1000:]) {
			t.Errorf("linked blocks: %v", err)
		}
	}
}

// Texts that a file states again and again in few bytes are counted together, packed ones and views of one place: none
// may take for ever, or all the memory.
func TestTextsWithoutEnd(t *testing.T) {
	long := must.Get(zstdEncoder())(t).EncodeAll(make([]byte, 64<<20), nil) // some kB
	places := make([]byte, 8)
	one := framed(
		headBatch,
		versionV5,
		fields{
			int64(1),
			longs{2, []int64{1, 0}},
			longs{2, []int64{0, 0, 0, 16, 16, int64(8 + len(long))}},
			fields{byte(1), byte(0)},
		},
		binary.LittleEndian.AppendUint64(nil, 1<<64-1),
		places,
		slices.Concat(binary.LittleEndian.AppendUint64(nil, 64<<20), long),
	)
	texts := schemaOf(typ{kind: "utf8"}.field("a", 0, typ{}))
	if _, _, err := Read(ctx, slices.Concat(texts, one, end), dialect.Options{}); err != nil {
		t.Errorf("64 MB: %v", err)
	}
	if _, _, err := Read(ctx, slices.Concat(texts, bytes.Repeat(one, 20), end), dialect.Options{}); err == nil ||
		!strings.HasSuffix(plainly(err), errImplausible.Error()) {
		t.Errorf("64 MB over and over: %v", err)
	}
	const rows, size = 20_000, 20_000
	view := binary.LittleEndian.AppendUint32(nil, size)
	view = append(view, make([]byte, 12)...)
	field := fields{"a", true, byte(typeUtf8View), fields{}, nil, list{}}
	views := func(rows int) []byte {
		head := fields{
			int64(rows),
			longs{2, []int64{int64(rows), 0}},
			longs{2, []int64{0, 0, 0, int64(16 * rows), int64(16 * rows), size}},
			nil,
			longs{1, []int64{1}},
		}
		return slices.Concat(schemaOf(field),
			framed(headBatch, versionV5, head, bytes.Repeat(view, rows), make([]byte, size)), end)
	}
	if tb, _, err := Read(ctx, views(3), dialect.Options{}); err != nil || len(tb.Attr(0).Labels[0]) != size {
		t.Errorf("three views: %v", err)
	}
	f := must.Get(open(views(rows)))(t)
	f.spare.Store(someBytes) // of a file that is not as long as this one
	if err := f.readColumns(ctx, &dialect.Options{}); err == nil ||
		!strings.HasSuffix(plainly(err), errImplausible.Error()) {
		t.Errorf("20,000 views of one text: %v", err)
	}
}

// A block that a footer names again and again is read once at most.
func TestBlocksOverEachOther(t *testing.T) {
	batch := batchOf(wholes(tiny, make([]int64, 1000)...))
	at := int64(8)
	meta := int64(binary.LittleEndian.Uint32(batch[4:])) + 8
	block := []int64{at, meta, int64(len(batch)) - meta}
	for _, times := range []int{1, 2, 100} {
		foot := flatten(
			fields{
				int16(versionV5),
				fields{nil, list{tiny.field("a", 0, typ{})}},
				longs{3, nil},
				longs{3, slices.Repeat(block, times)},
			},
		)
		data := slices.Concat([]byte("ARROW1\x00\x00"), batch, end, foot,
			binary.LittleEndian.AppendUint32(nil, uint32(len(foot))), []byte("ARROW1"))
		tb, _, err := Read(ctx, data, dialect.Options{})
		if times == 100 && err == nil || times == 1 && (err != nil || tb.Rows() != 1000) {
			t.Errorf("a block named %d times: %v", times, err)
		}
	}
}

// What is written is found again by the reader, whatever is left out.
func TestFlat(t *testing.T) {
	data := flatten(
		fields{
			nil,
			"name",
			byte(7),
			int16(-3),
			list{{int64(1 << 40)}, {nil, true}, {}},
			longs{2, []int64{1, 2, 3, 4}},
			fields{int32(9)},
			"",
			nil,
			int64(-1),
		},
	)
	r := root(data)
	if len(data)%8 != 0 || r.byte(0) != 0 || string(r.text(1)) != "name" || r.byte(2) != 7 || r.int16(3, 0) != -3 ||
		!cmp.Equal(r.longs(5, 2), []int64{1, 2, 3, 4}) ||
		r.table(6).int32(0, 0) != 9 || len(r.text(7)) != 0 || r.table(8).at != 0 ||
		r.int64(9) != -1 ||
		r.int64(10) != 0 ||
		r.int32(11, 5) != 5 ||
		r.table(8).int64(0) != 0 {
		t.Errorf("%x is read as something else", data)
	}
	if in := r.tables(4); len(in) != 3 || in[0].int64(0) != 1<<40 || in[1].byte(1) != 1 || in[2].int64(0) != 0 || r.bad {
		t.Errorf("tables in %x are read as something else", data)
	}
	for n := range data { // cut short nothing is read outside
		r := root(data[:n:n])
		for k := range 12 {
			r.text(k)
			r.tables(k)
			r.longs(k, 3)
			r.table(k).int64(k)
		}
	}
	r = root(data)
	for range 1000 * len(data) { // what is looked at again and again is too much in the end
		r.text(1)
	}
	if !r.bad {
		t.Error("looks have no end")
	}
}

// plainly is what an error says, without what is said of every column that cannot be read.
func plainly(err error) string {
	return strings.TrimSuffix(err.Error(), "; the others are read if it is left out (--leave-out)")
}

// Of columns that together ask for more than a file may become the first is named, whichever was read first: the file
// is a fuzzer's; its second column asks for too much.
func TestSameComplaint(t *testing.T) {
	said := must.Get(os.ReadFile(filepath.Join("testdata", "fuzz", "FuzzArrow", "fbe7378a4a487be8")))(t)
	_, quoted, _ := strings.Cut(string(said), "[]byte(")
	data := must.Get(strconv.Unquote(strings.TrimSuffix(strings.TrimSpace(quoted), ")")))(t)
	for range 200 {
		if _, _, err := Read(t.Context(), []byte(data), dialect.Options{}); err == nil ||
			!strings.Contains(err.Error(), `"1 uint8"`) {
			t.Fatal(err)
		}
	}
}
