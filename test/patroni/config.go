package patroni

import "fmt"

// How fast Patroni reacts, in seconds. It wants ttl to be at least loopWait plus twice retryTimeout.
const (
	ttl          = 8 // a primary that has not been heard of for so long is replaced
	loopWait     = 1
	retryTimeout = 3 // a primary that does not reach etcd for so long steps back
)

// config returns Patroni's settings for a node.
func (n *Node) config() map[string]any {
	return map[string]any{
		"scope": "foyer", "name": n.Name,
		"restapi": map[string]any{"listen": fmt.Sprintf("127.0.0.1:%d", n.api), "connect_address": n.members.address()},
		// Otherwise Patroni would ask etcd for its own address, and no longer use the link.
		"etcd3": map[string]any{"hosts": []string{n.etcd.address()}, "use_proxies": true},
		"bootstrap": map[string]any{
			"dcs":    n.cluster.config(),
			"initdb": []any{map[string]any{"encoding": "UTF8"}, map[string]any{"locale": "C"}, "data-checksums"},
		},
		"postgresql": map[string]any{
			"listen": fmt.Sprintf("127.0.0.1:%d", n.port), "connect_address": n.replication.address(),
			"data_dir": n.data, "bin_dir": n.cluster.binaries, "pgpass": n.settings + ".pgpass",
			"authentication": map[string]any{"superuser": map[string]any{"username": "postgres"}, "replication": map[string]any{"username": "replicator"}},
			"parameters":     map[string]any{"unix_socket_directories": n.cluster.home},
			"pg_hba":         []string{"local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"},
			"basebackup":     map[string]any{"checkpoint": "fast"},
			// A former primary whose data cannot be brought in line starts over with a copy.
			"remove_data_directory_on_rewind_failure": true, "remove_data_directory_on_diverged_timelines": true,
		},
	}
}

// config returns the settings that the nodes share.
func (c *Cluster) config() map[string]any {
	return map[string]any{
		"ttl": ttl, "loop_wait": loopWait, "retry_timeout": retryTimeout,
		"synchronous_mode":        !c.options.Asynchronous,
		"maximum_lag_on_failover": 1 << 30, // without a synchronous standby, one that lacks something takes over all the same
		// The default has a crashed primary start again for five minutes before the standby takes over.
		"primary_start_timeout": 0,
		"postgresql": map[string]any{
			"use_pg_rewind": true, "use_slots": true,
			"parameters": map[string]any{
				"synchronous_commit": "on",
				"wal_sender_timeout": "5s", "wal_receiver_timeout": "5s", // a standby that hangs is not waited for longer than this
				"max_wal_size": "64MB", "min_wal_size": "32MB", "wal_keep_size": "64MB", "shared_buffers": "32MB",
				"dynamic_shared_memory_type": "mmap", // of a killed server nothing is left outside its folder
			},
		},
	}
}
