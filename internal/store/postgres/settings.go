package postgres

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5"

	"foyer/internal/store/db"
)

// CheckSettings reports settings that can lose what was acknowledged, let others read it, or limit the connections.
func (p *Server) CheckSettings(ctx context.Context, from db.Querier, report func(db.Finding)) error {
	p.checkEncryption(report)
	if err := p.checkLimits(ctx, from, report); err != nil {
		return err
	}
	if err := checkDurability(ctx, from, report); err != nil {
		return err
	}
	return checkStandbys(ctx, from, report)
}

// limitsQuery returns every limit on the number of connections. A superuser is exempt from the last two.
const limitsQuery = `SELECT 'max_connections of the server', current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
	UNION ALL SELECT 'the connection limit of the role ' || rolname, rolconnlimit FROM pg_roles WHERE rolname = session_user AND NOT rolsuper AND rolconnlimit >= 0
	UNION ALL SELECT 'the connection limit of the database', datconnlimit FROM pg_database JOIN pg_roles ON rolname = session_user AND NOT rolsuper
		WHERE datname = current_database() AND datconnlimit >= 0`

// checkLimits reports a limit that is too low for one process, which needs its writers, its readers and the connection of the
// instance lock.
func (p *Server) checkLimits(ctx context.Context, from db.Querier, report func(db.Finding)) error {
	needed := int64(len(p.Roles()) + readers + 1)
	return db.Each(ctx, from, func(r db.Row) error {
		name, limit := r.Text(0), r.Int(1)
		if limit >= needed {
			return nil
		}
		report(db.Finding{What: fmt.Sprintf("%s leaves room for %d connections; each process of the service needs %d", name, limit, needed), Remedy: "raise it, or some look-ups will be refused", Mild: true})
		return nil
	}, limitsQuery)
}

// checkDurability reports a server that does not wait for its disk. The service itself turns synchronous_commit on.
func checkDurability(ctx context.Context, from db.Querier, report func(db.Finding)) error {
	for _, x := range []struct {
		name string
		db.Finding
	}{
		{"fsync", db.Finding{What: "fsync is off on the server: a power cut may destroy everything", Remedy: "ALTER SYSTEM SET fsync = on, and SELECT pg_reload_conf()"}},
		{"full_page_writes", db.Finding{What: "full_page_writes is off on the server: a power cut may tear pages", Remedy: "ALTER SYSTEM SET full_page_writes = on, and SELECT pg_reload_conf()"}},
		{"synchronous_commit", db.Finding{What: "synchronous_commit is off on the server; the service turns it on for what it keeps", Remedy: "ALTER SYSTEM SET synchronous_commit = on, and SELECT pg_reload_conf()", Mild: true}},
	} {
		var value string
		if err := from.QueryRowContext(ctx, `SELECT current_setting($1)`, x.name).Scan(&value); err != nil {
			return err
		}
		if value == "off" {
			report(x.Finding)
		}
	}
	return nil
}

// checkStandbys reports a server that has synchronous standbys but does not wait until they have stored a commit.
func checkStandbys(ctx context.Context, from db.Querier, report func(db.Finding)) error {
	var standbys, wait string
	err := from.QueryRowContext(ctx, `SELECT current_setting('synchronous_standby_names'), current_setting('synchronous_commit')`).Scan(&standbys, &wait)
	if err != nil || standbys == "" || wait != "local" && wait != "remote_write" {
		return err
	}
	report(db.Finding{
		What:   "synchronous_commit is " + wait + " on the server, and synchronous_standby_names is set: a standby that takes over may lack leads that were acknowledged",
		Remedy: "ALTER SYSTEM SET synchronous_commit = on, and SELECT pg_reload_conf()",
	})
	return nil
}

// checkEncryption reports remote servers that are reached without TLS, or whose identity is not verified.
func (p *Server) checkEncryption(report func(db.Finding)) {
	for _, h := range p.hosts {
		if !isLocalHost(h.Host) && !isVerified(h) {
			report(db.Finding{
				What:   "the connection to " + hostAddress(h) + " is not verified: whoever is between here and there can read and change what is kept",
				Remedy: "sslmode=verify-full in the address of the database, and sslrootcert where the server's certificate is your own", Mild: true,
			})
		}
	}
}

// isLocalHost reports whether host is this machine.
func isLocalHost(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.HasPrefix(host, "/") || host == "localhost" || err == nil && address.IsLoopback()
}

// isVerified reports whether every way to connect to a host uses TLS and verifies its name. A certificate that is merely signed
// by the right authority may belong to another machine.
func isVerified(h *pgx.ConnConfig) bool {
	verified := h.TLSConfig != nil && !h.TLSConfig.InsecureSkipVerify
	for _, other := range h.Fallbacks {
		verified = verified && other.TLSConfig != nil && !other.TLSConfig.InsecureSkipVerify
	}
	return verified
}
