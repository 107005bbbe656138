package dialect

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// registry holds the formats of the packages that are imported.
var registry struct {
	sync.Mutex
	groups []group
}

type group struct {
	folder string
	list   []Format
}

// Register makes the formats of a folder known: whatever imports the folder can read and write its files. Folders call
// it as they are initialised. Package format/all imports all of them.
func Register(folder string, list ...Format) {
	registry.Lock()
	defer registry.Unlock()
	registry.groups = append(registry.groups, group{folder, list})
	sorting.Stable(registry.groups, func(a, b group) int { return cmp.Compare(a.folder, b.folder) })
}

// Registered returns the formats that are known, by folder, whatever the order in which the folders were initialised.
func Registered() (out []Format) {
	registry.Lock()
	defer registry.Unlock()
	for _, g := range registry.groups {
		out = append(out, g.list...)
	}
	return out
}

// Reader reads the data of a file.
type Reader = func(ctx context.Context, data []byte, opt Options) (*table.Table, *Info, error)

// places reads descriptions of texts of fixed width.
var places = func([]byte) (Reader, error) {
	return nil, errors.New("is for texts of fixed width, which this program does not read: import format/fixed")
}

// RegisterPlaces makes descriptions of texts of fixed width known. Package fixed calls it as it is initialised.
func RegisterPlaces(read func(description []byte) (Reader, error)) { places = read }

// Places returns what reads a text of fixed width whose columns stand where a description says, the text of a file.
// Errors go on behind the name of that file.
func Places(description []byte) (Reader, error) { return places(description) }

// Packing is a way to compress a file of any format, which a second extension says: patients.csv.gz.
type Packing struct {
	Ext, Title, Magic string // the magic are its first bytes
	Unpack            func(r io.Reader) (io.ReadCloser, error)
	Pack              func(w io.Writer) (io.WriteCloser, error)
}

// Unfit is the error of a file that is sound and still cannot be unpacked: it says what to do.
type Unfit string

// Error returns the words.
func (u Unfit) Error() string { return string(u) }

var packings struct {
	sync.Mutex
	list []Packing
}

// RegisterPacking makes a compression known to package format.
func RegisterPacking(p Packing) {
	packings.Lock()
	defer packings.Unlock()
	packings.list = append(packings.list, p)
}

// Packings returns the compressions that are known.
func Packings() []Packing {
	packings.Lock()
	defer packings.Unlock()
	return slices.Clone(packings.list)
}
