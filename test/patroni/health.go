package patroni

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// member is what Patroni reports about a node.
type member struct {
	Name, Role, State string
	Timeline          int
}

// awaitEtcd waits until etcd knows the version of its cluster. A Patroni that starts before that ends at once.
func (c *Cluster) awaitEtcd(patience time.Duration) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		version, err := c.askEtcdVersion()
		switch {
		case err == nil && version != "" && version != "not_decided":
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("etcd is not ready after %v: version %q, %w", patience, version, err)
		}
	}
}

func (c *Cluster) askEtcdVersion() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/version", c.etcdPort), nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var told struct {
		Cluster string `json:"etcdcluster"`
	}
	err = json.NewDecoder(res.Body).Decode(&told)
	return told.Cluster, err
}

// askMembers asks the Patroni of a node about all nodes.
func (n *Node) askMembers() (map[string]member, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/cluster", n.api), nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var told struct{ Members []member }
	if err := json.NewDecoder(res.Body).Decode(&told); err != nil {
		return nil, err
	}
	all := make(map[string]member)
	for _, m := range told.Members {
		all[m.Name] = m
	}
	return all, nil
}

// Primary returns the node that is the primary of a healthy cluster.
func (c *Cluster) Primary() (*Node, error) {
	members, err := c.Nodes[0].askMembers()
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if m.Role == "leader" {
			return c.Node(m.Name), nil
		}
	}
	return nil, fmt.Errorf("patroni: no node is the primary: %v", members)
}

// AwaitHealthy waits until there is a primary, and a standby that has everything and that the primary waits for, unless the cluster
// is asynchronous.
func (c *Cluster) AwaitHealthy(within time.Duration) error {
	for began := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		err := c.checkHealth()
		if err == nil || time.Since(began) > within {
			return err
		}
	}
}

func (c *Cluster) checkHealth() error {
	primary, err := c.Primary()
	if err != nil {
		return err
	}
	standby := c.Other(primary)
	for _, n := range c.Nodes {
		members, err := n.askMembers()
		if err != nil {
			return err
		}
		if m := members[primary.Name]; m.Role != "leader" || m.State != "running" {
			return fmt.Errorf("patroni: for %s the primary is %v", n.Name, m)
		}
		if m := members[standby.Name]; m.Role != c.standbyRole() || m.State != "running" || m.Timeline != members[primary.Name].Timeline {
			return fmt.Errorf("patroni: for %s the standby is %v", n.Name, m)
		}
	}
	const streaming = "SELECT string_agg(application_name || ' ' || state, ', ') FROM pg_stat_replication"
	if now, err := primary.Exec("postgres", streaming); err != nil || now != standby.Name+" streaming" {
		return fmt.Errorf("patroni: the primary sends to %q: %w", now, err)
	}
	return nil
}

func (c *Cluster) standbyRole() string {
	if c.options.Asynchronous {
		return "replica"
	}
	return "sync_standby"
}
