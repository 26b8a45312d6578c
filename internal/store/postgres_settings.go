package store

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5"
)

// limitsQuery are how many connections may be open at once, wherever that is said. A superuser is let in regardless of the last two.
const limitsQuery = `SELECT 'max_connections of the server', current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
	UNION ALL SELECT 'the connection limit of the role ' || rolname, rolconnlimit FROM pg_roles WHERE rolname = session_user AND NOT rolsuper AND rolconnlimit >= 0
	UNION ALL SELECT 'the connection limit of the database', datconnlimit FROM pg_database JOIN pg_roles ON rolname = session_user AND NOT rolsuper
		WHERE datname = current_database() AND datconnlimit >= 0`

// checkLimits warns of a limit that is too low for one process: its connections are the writers, the readers and the one by which
// others see it.
func (p *postgresServer) checkLimits(ctx context.Context, from querier, tell func(Finding)) error {
	need := int64(len(p.roles()) + postgresReaders + 1)
	return each(ctx, from, func(r scanner) error {
		var name string
		var limit int64
		if err := r.Scan(&name, &limit); err != nil || limit >= need {
			return err
		}
		tell(Finding{What: fmt.Sprintf("%s leaves room for %d connections; each process of the service needs %d", name, limit, need), Remedy: "raise it, or some look-ups will be refused", Mild: true})
		return nil
	}, limitsQuery)
}

// checkDurability warns of a server that does not wait for its disk. For synchronous_commit the service sees to it itself.
func checkDurability(ctx context.Context, from querier, tell func(Finding)) error {
	for _, x := range []struct {
		name string
		Finding
	}{
		{"fsync", Finding{What: "fsync is off on the server: a power cut may destroy everything", Remedy: "ALTER SYSTEM SET fsync = on, and SELECT pg_reload_conf()"}},
		{"full_page_writes", Finding{What: "full_page_writes is off on the server: a power cut may tear pages", Remedy: "ALTER SYSTEM SET full_page_writes = on, and SELECT pg_reload_conf()"}},
		{"synchronous_commit", Finding{What: "synchronous_commit is off on the server; the service turns it on for what it keeps", Remedy: "ALTER SYSTEM SET synchronous_commit = on, and SELECT pg_reload_conf()", Mild: true}},
	} {
		var value string
		if err := from.QueryRowContext(ctx, `SELECT current_setting($1)`, x.name).Scan(&value); err != nil {
			return err
		}
		if value == "off" {
			tell(x.Finding)
		}
	}
	return nil
}

// checkStandbys warns of a server that has standbys to wait for, and does not wait until they have everything.
func checkStandbys(ctx context.Context, from querier, tell func(Finding)) error {
	var standbys, wait string
	err := from.QueryRowContext(ctx, `SELECT current_setting('synchronous_standby_names'), current_setting('synchronous_commit')`).Scan(&standbys, &wait)
	if err != nil || standbys == "" || wait != "local" && wait != "remote_write" {
		return err
	}
	tell(Finding{
		What:   "synchronous_commit is " + wait + " on the server, and synchronous_standby_names is set: a standby that takes over may lack leads that were acknowledged",
		Remedy: "ALTER SYSTEM SET synchronous_commit = on, and SELECT pg_reload_conf()",
	})
	return nil
}

// checkEncryption warns of servers elsewhere that are not proved to be who they say, or that are spoken to without TLS.
func (p *postgresServer) checkEncryption(tell func(Finding)) {
	for _, h := range p.hosts {
		if !isLocalHost(h.Host) && !isVerified(h) {
			tell(Finding{
				What:   "the connection to " + hostAddress(h) + " is not verified: whoever is between here and there can read and change what is kept",
				Remedy: "sslmode=verify-full in the address of the database, and sslrootcert where the server's certificate is your own", Mild: true,
			})
		}
	}
}

// isLocalHost says that a host is this machine.
func isLocalHost(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.HasPrefix(host, "/") || host == "localhost" || err == nil && address.IsLoopback()
}

// isVerified says that every way to speak to a host is with TLS, and to that host alone. A certificate that only is of the right
// authority may be another machine's.
func isVerified(h *pgx.ConnConfig) bool {
	sound := h.TLSConfig != nil && !h.TLSConfig.InsecureSkipVerify
	for _, other := range h.Fallbacks {
		sound = sound && other.TLSConfig != nil && !other.TLSConfig.InsecureSkipVerify
	}
	return sound
}
