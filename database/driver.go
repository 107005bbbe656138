package database

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// Driver reads and writes tables of a kind of database by address.
type Driver struct {
	Is   func(address string) bool
	Read func(ctx context.Context, address string, opt dialect.Options) (*table.Table, *dialect.Info, error)
	// into a new table; nil if it cannot
	Write func(ctx context.Context, address string, t *table.Table, opt dialect.Options) (sum string, err error)
}

var drivers struct {
	sync.Mutex
	list []Driver
}

// Register makes a driver known, as a rule in the init of its package: whatever imports the package can open its
// addresses.
func Register(d Driver) {
	drivers.Lock()
	defer drivers.Unlock()
	drivers.list = append(drivers.list, d)
}

// DriverOf returns the driver that an address is for.
func DriverOf(address string) (Driver, bool) {
	drivers.Lock()
	defer drivers.Unlock()
	for _, d := range drivers.list {
		if d.Is(address) {
			return d, true
		}
	}
	return Driver{}, false
}

// Unknown returns an error for an address that no registered driver is for; a path of a file is no address. The error
// shows nothing of it but its scheme, as the rest may hold a password.
func Unknown(address string) error {
	scheme, _, is := strings.Cut(address, "://")
	if _, ok := DriverOf(address); !is || ok {
		return nil
	}
	if strings.ContainsAny(scheme, ":@/") {
		scheme = "..."
	}
	return fmt.Errorf("%s:// is no address that can be read or written here; one that can be, where the package "+
		"database/postgres is linked, is like postgres://user@host/database?table=patients", scheme)
}
