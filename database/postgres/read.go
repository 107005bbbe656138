package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// column is what the catalogue of the database says of a column.
type column struct {
	database.Column
	base string // the name of its type alone, such as numeric; of a domain that of what it is a domain of
}

// Read reads a table, in the order of its primary key, or the answer to a query in its own order. Columns of numbers
// hold numbers, whatever values occur, and columns of texts texts, though they look like numbers: 01234 stays a
// postcode; kinds that opt asks for win. NULL is missing and nothing else is, but for what opt.Missing names besides
// the defaults. Info.Types are the types that Write gives the columns again. All of it is read in one snapshot of the
// database.
//
// Cost: that of COPY and of reading its text, and memory for both. Errors name the column, never a value.
func Read(ctx context.Context, a *Address, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	c, err := a.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer c.Close(context.WithoutCancel(ctx))
	if err := run(ctx, c, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); err != nil {
		return nil, nil, err
	}
	cols, err := a.columns(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	data, notes, err := a.copyOut(ctx, c, cols)
	if err != nil {
		return nil, nil, err
	}
	told := make([]database.Column, len(cols))
	for j, c := range cols {
		told[j] = c.Column
	}
	t, info, err := database.Parse(ctx, data, told, opt)
	if err != nil {
		return nil, nil, err
	}
	for k, n := range notes {
		info.Notes = slices.Insert(info.Notes, k, dialect.Note{Says: n})
	}
	return t, info, nil
}

// holds is what the categories of types hold; all others hold texts.
var holds = map[string]database.Content{"N": database.Numbers, "D": database.Dates}

// from is what a SELECT takes its rows from.
func (a *Address) from() (string, error) {
	if a.Query != "" {
		return "(" + strings.TrimRight(strings.TrimSpace(a.Query), ";") + "\n) AS asked", nil
	}
	return quoted(a.Table)
}

// columns asks what there is. The statement is prepared, which runs nothing of it.
func (a *Address) columns(ctx context.Context, c *pgconn.PgConn) ([]column, error) {
	from, err := a.from()
	if err != nil {
		return nil, err
	}
	d, err := c.Prepare(ctx, "", "SELECT * FROM "+from, nil)
	if err != nil {
		return nil, ended(ctx, err)
	}
	if len(d.Fields) == 0 {
		return nil, errors.New("it has no columns")
	}
	cols := make([]column, len(d.Fields))
	for j, f := range d.Fields {
		cols[j].Name = f.Name
		if slices.ContainsFunc(cols[:j], func(k column) bool { return k.Name == f.Name }) {
			return nil, fmt.Errorf("two columns of the query are called %q: name one of them otherwise (AS)", f.Name)
		}
		answer, err := rows(ctx, c, "SELECT format_type($1::oid, $2::int), typname, typcategory FROM pg_type WHERE oid = "+
			"$1::oid",
			strconv.FormatUint(uint64(f.DataTypeOID), 10), strconv.FormatInt(int64(f.TypeModifier), 10))
		if err != nil {
			return nil, err
		}
		if len(answer) == 1 {
			cols[j].Type, cols[j].base, cols[j].Holds = answer[0][0], answer[0][1], holds[answer[0][2]]
		}
	}
	return cols, nil
}

// expression is a column in a SELECT: what text it is read from.
func (c column) expression() string {
	id := database.Identifier(c.Name)
	switch c.base {
	case "timestamptz":
		return id + " AT TIME ZONE 'UTC' AS " + id
	case "money": // its text depends on where the server stands
		return id + "::numeric AS " + id
	case "float4", "float8", "numeric":
		return "nullif(" + id + ", 'NaN') AS " + id
	}
	return id
}

// copyOut reads all rows as text with a header, in pieces at once where the key is a whole number and there are many
// rows.
func (a *Address) copyOut(
	ctx context.Context,
	c *pgconn.PgConn,
	cols []column,
) (data []byte, notes []message.Sentence, err error) {
	var list []string
	for _, col := range cols {
		list = append(list, col.expression())
	}
	from, err := a.from()
	if err != nil {
		return nil, nil, err
	}
	sql := "SELECT " + strings.Join(list, ", ") + " FROM " + from
	key, whole, err := a.key(ctx, c, cols)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case a.Query != "":
		if !strings.Contains(strings.ToUpper(a.Query), "ORDER BY") {
			notes = append(notes, message.Say("read.order.query"))
		}
	case key == nil:
		notes = append(notes, message.Say("read.order.table").Text("table", fmt.Sprint(a.Table)))
	default:
		sql += " ORDER BY " + strings.Join(key, ", ")
	}
	if whole {
		data, err = a.pieces(ctx, c, "SELECT "+strings.Join(list, ", ")+" FROM "+from, from, key[0])
	}
	if data == nil && err == nil {
		data, err = copied(ctx, c, sql, true)
	}
	return data, notes, err
}

// copied is the answer to a SELECT as text.
func copied(ctx context.Context, c *pgconn.PgConn, sql string, header bool) ([]byte, error) {
	var b bytes.Buffer
	if _, err := c.CopyTo(ctx, &b, fmt.Sprintf("COPY (%s) TO STDOUT (FORMAT csv, HEADER %v)", sql, header)); err != nil {
		return nil, ended(ctx, err)
	}
	return b.Bytes(), nil
}

// key returns the columns of the primary key, and whether it is one whole number. A view and a query have none.
func (a *Address) key(ctx context.Context, c *pgconn.PgConn, cols []column) (key []string, whole bool, err error) {
	if a.Query != "" {
		return nil, false, nil
	}
	name, err := quoted(a.Table)
	if err != nil {
		return nil, false, err
	}
	answer, err := rows(
		ctx,
		c,
		`SELECT k.attname FROM pg_index i, unnest(i.indkey::int[]) WITH ORDINALITY AS o(n, place), pg_attribute k
		WHERE i.indrelid = $1::regclass AND i.indisprimary AND k.attrelid = i.indrelid AND k.attnum = o.n ORDER BY o.place`,
		name,
	)
	if err != nil {
		return nil, false, err
	}
	for _, r := range answer {
		key = append(key, database.Identifier(r[0]))
		j := slices.IndexFunc(cols, func(c column) bool { return c.Name == r[0] })
		whole = len(answer) == 1 && slices.Contains([]string{"int2", "int4", "int8"}, cols[j].base)
	}
	return key, whole, nil
}

// worthwhile is how many keys, from the least to the largest, one connection reads before another is worth opening.
const worthwhile = 50_000

// pieces reads the rows by ranges of a whole key, each through a connection of its own, in the snapshot of the first
// one; nil where one connection does.
func (a *Address) pieces(ctx context.Context, c *pgconn.PgConn, sql, from, key string) ([]byte, error) {
	answer, err := rows(ctx, c, fmt.Sprintf("SELECT coalesce(min(%s), 0), coalesce(max(%s), 0) FROM %s", key, key, from))
	if err != nil {
		return nil, err
	}
	lo, _ := strconv.ParseInt(answer[0][0], 10, 64)
	hi, _ := strconv.ParseInt(answer[0][1], 10, 64)
	parts := cuts(lo, hi, min(runtime.GOMAXPROCS(0), 8))
	if len(parts) < 2 {
		return nil, nil
	}
	snapshot, err := rows(ctx, c, "SELECT pg_export_snapshot()")
	if err != nil {
		return nil, ctx.Err() // the server exports none: one connection reads all
	}
	texts := make([][]byte, len(parts))
	g, within := errgroup.WithContext(ctx)
	for k, p := range parts {
		g.Go(func() (err error) {
			own := c
			if k > 0 {
				if own, err = a.connect(within); err != nil {
					return err
				}
				defer own.Close(context.WithoutCancel(within))
				if err := run(within, own, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '"+
					strings.ReplaceAll(snapshot[0][0], "'", "''")+"'"); err != nil {
					return err
				}
			}
			texts[k], err = copied(within, own,
				fmt.Sprintf("%s WHERE %s BETWEEN %d AND %d ORDER BY %s", sql, key, p[0], p[1], key), k == 0)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return bytes.Join(texts, nil), nil
}

// cuts divides the whole numbers from lo to hi into up to n ranges of like length, none shorter than is worthwhile.
func cuts(lo, hi int64, n int) (parts [][2]int64) {
	length := uint64(hi) - uint64(lo) // right for any two, as lo <= hi
	n = int(min(uint64(n), length/worthwhile))
	if n < 2 {
		return [][2]int64{{lo, hi}}
	}
	step := length / uint64(n)
	for k := range n {
		from := lo + int64(step*uint64(k))
		to := lo + int64(step*uint64(k+1)) - 1
		if k == n-1 {
			to = hi
		}
		parts = append(parts, [2]int64{from, to})
	}
	return parts
}
