package postgres

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/puddle/v2"
)

// A connection is one to the server, in a role, with the statements that are prepared on it.
type connection struct {
	*pgconn.PgConn
	prepared map[string]*pgconn.StatementDescription // by their text
	named    int                                     // names that were given to statements
}

// mostStatements is how many statements a connection keeps prepared. The store has fewer; one more is sent whole each time.
const mostStatements = 512

// Times for connections.
const (
	dialTime  = 2 * time.Minute // to connect, where the address says nothing
	closeTime = 15 * time.Second
	lifetime  = time.Hour // after which a connection is not used again: the server's process grows with what it caches
)

// dial connects, and takes a role; "" keeps that of the login.
func (d *DB) dial(ctx context.Context, role string) (*connection, error) {
	config := d.config.Copy()
	if config.ConnectTimeout <= 0 {
		config.ConnectTimeout = dialTime
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	c := &connection{PgConn: conn, prepared: map[string]*pgconn.StatementDescription{}}
	if role == "" {
		return c, nil
	}
	take := "SET ROLE " + role
	if role == writerRole { // which waits for its commits also where the server would acknowledge them earlier
		take += "; SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')"
		if d.options.Busy > 0 {
			take += "; SET lock_timeout = " + milliseconds(d.options.Busy)
		}
	}
	if err := c.run(ctx, take); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// run runs statements as text, one transaction unless they say otherwise.
func (c *connection) run(ctx context.Context, statements string) error {
	return c.Exec(ctx, statements).Close()
}

// close ends the connection.
func (c *connection) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = c.Close(ctx)
	select {
	case <-c.CleanupDone():
	case <-ctx.Done():
	}
}

// A pool makes connections in a role as they are needed, and keeps them.
type pool = puddle.Pool[*connection]

// connect opens a pool of at most size connections. The first one is made at once, so that its error is returned here.
func (d *DB) connect(ctx context.Context, role string, size int32) (*pool, error) {
	p, err := puddle.NewPool(&puddle.Config[*connection]{
		Constructor: func(ctx context.Context) (*connection, error) { return d.dial(ctx, role) },
		Destructor:  (*connection).close,
		MaxSize:     size,
	})
	if err != nil {
		return nil, err
	}
	first, err := p.Acquire(ctx)
	if err != nil {
		p.Close()
		return nil, err
	}
	first.Release()
	return p, nil
}

// release gives a connection back, or ends it if nobody else can use it.
func release(lease *puddle.Resource[*connection]) {
	c := lease.Value()
	if c.IsClosed() || c.IsBusy() || c.TxStatus() != 'I' || time.Since(lease.CreationTime()) > lifetime {
		lease.Destroy()
		return
	}
	lease.Release()
}

// A batch is statements that were sent in one pipeline, and reads what the server answers, in their order. Nothing else is done on the connection
// before it is closed.
type batch struct {
	conn     *connection
	pipeline *pgconn.Pipeline
	left     []sending
	failed   error // why nothing was sent
}

// sending is a statement of a batch; name is that under which it is being prepared.
type sending struct {
	text, name string
	values     [][]byte
	formats    []int16
}

// binaryRows is how rows come back.
var binaryRows = []int16{pgtype.BinaryFormatCode}

// send sends statements in one pipeline. Those that the connection has not seen are prepared in it. An error is returned with the first answer.
func (c *connection) send(ctx context.Context, statements []statement) *batch {
	b := &batch{conn: c, left: make([]sending, len(statements))}
	for i, s := range statements {
		b.left[i].text = s.text
		if b.left[i].values, b.left[i].formats, b.failed = sentValues(s.args); b.failed != nil {
			return b
		}
	}
	b.pipeline = c.StartPipeline(ctx)
	names := map[string]string{}
	for i := range b.left {
		s := &b.left[i]
		if known := c.prepared[s.text]; known != nil {
			b.pipeline.SendQueryStatement(known, s.values, s.formats, binaryRows)
			continue
		}
		name := names[s.text]
		if name == "" && len(c.prepared)+len(names) >= mostStatements {
			b.pipeline.SendQueryParams(s.text, s.values, nil, s.formats, binaryRows)
			continue
		}
		if name == "" {
			c.named++
			name = "docket_" + strconv.Itoa(c.named)
			names[s.text], s.name = name, name
			b.pipeline.SendPrepare(name, s.text, nil)
		}
		b.pipeline.SendQueryPrepared(name, s.values, s.formats, binaryRows)
	}
	b.failed = b.pipeline.Sync()
	return b
}

// next returns what reads the rows of the next statement.
func (b *batch) next() (*pgconn.ResultReader, error) {
	if b.failed != nil {
		return nil, b.failed
	}
	s := b.left[0]
	b.left = b.left[1:]
	if s.name != "" {
		results, err := b.results()
		if err != nil {
			return nil, err
		}
		description, is := results.(*pgconn.StatementDescription)
		if !is {
			return nil, fmt.Errorf("the server answered with a %T when a statement was prepared", results)
		}
		description.Name = s.name
		b.conn.prepared[s.text] = description
	}
	results, err := b.results()
	if err != nil {
		return nil, err
	}
	rows, is := results.(*pgconn.ResultReader)
	if !is {
		return nil, fmt.Errorf("the server answered a statement with a %T", results)
	}
	return rows, nil
}

// done reads the next statement to its end.
func (b *batch) done() (pgconn.CommandTag, error) {
	rows, err := b.next()
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	return rows.Close()
}

// results returns the next answer. After an error that says that the server has lost what was prepared, or that its schema was changed, all is
// prepared again.
func (b *batch) results() (any, error) {
	results, err := b.pipeline.GetResults()
	if code := codeOf(err); code == "0A000" || code == "26000" {
		clear(b.conn.prepared)
	}
	return results, err
}

// close reads what is left.
func (b *batch) close() error {
	if b.pipeline == nil {
		return nil
	}
	return b.pipeline.Close()
}
