// Package patroni runs temporary PostgreSQL clusters of two servers, of which Patroni has one take over from the other. The servers,
// Patroni and etcd are processes of this machine. What each would reach over the network goes through a link that can be cut.
// A cluster ends with the program that started it, however that ends.
//
// The package knows nothing about Foyer, installs nothing (make failover-tools does), and touches no server that it did not start.
package patroni

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"foyer/test/postgres"
)

// ErrMissing means that something a cluster consists of is not installed.
var ErrMissing = errors.New("PostgreSQL, Patroni or etcd is not installed here; make failover-tools installs them")

// Options configure a cluster.
type Options struct {
	Asynchronous bool              // commits do not wait for the standby, and a failover may lose some
	Folders      map[string]string // where etcd and the nodes have their data, by name; default: a temporary folder
}

// Names are the names of the nodes.
var Names = []string{"one", "two"}

// Cluster is two servers and the etcd that decides which of them is the primary. Only one goroutine at a time may break it.
type Cluster struct {
	Nodes    []*Node
	options  Options
	binaries string
	owner    *syscall.Credential // the user that runs everything; nil if that is us
	home     string              // settings, logs and sockets
	etcd     *program
	etcdPort int
	watchdog *postgres.Watchdog
}

// New starts a cluster, and waits until it is healthy.
func New(o Options) (*Cluster, error) {
	c := &Cluster{options: o}
	err := c.prepare()
	if err == nil {
		err = c.start()
	}
	if err != nil {
		err = fmt.Errorf("patroni: %w\n%s", err, c.LogTail())
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// prepare makes everything that a cluster needs before its first process.
func (c *Cluster) prepare() (err error) {
	for _, program := range []string{"etcd", "patroni", "patronictl"} {
		if _, err := exec.LookPath(program); err != nil {
			return ErrMissing
		}
	}
	if c.binaries, err = postgres.FindBinaries(""); errors.Is(err, postgres.ErrMissing) {
		return ErrMissing
	} else if err != nil {
		return err
	}
	if c.owner, err = postgres.FindOwner(); err != nil {
		return err
	}
	if c.home, err = os.MkdirTemp("", "foyer-patroni-"); err != nil {
		return err
	}
	if err := postgres.Chown(c.owner, c.home); err != nil {
		return err
	}
	if c.etcdPort, err = postgres.FreePort(); err != nil {
		return err
	}
	var data []string
	for _, name := range Names {
		n, err := c.newNode(name)
		if err != nil {
			return err
		}
		c.Nodes, data = append(c.Nodes, n), append(data, n.data)
	}
	c.watchdog, err = postgres.StartWatchdog(watchdogScript, append([]string{c.home}, data...)...)
	return err
}

// folder makes the folder for the data of etcd or a node. The data is in a folder in it, which Patroni may remove.
func (c *Cluster) folder(name string) (string, error) {
	folder := cmp.Or(c.options.Folders[name], filepath.Join(c.home, name))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return filepath.Join(folder, "data"), postgres.Chown(c.owner, folder)
}

func (c *Cluster) start() error {
	if err := c.startEtcd(); err != nil {
		return err
	}
	if err := c.awaitEtcd(postgres.Patience); err != nil {
		return err
	}
	for _, n := range c.Nodes {
		if err := n.Start(); err != nil {
			return err
		}
	}
	return c.AwaitHealthy(postgres.Patience)
}

// startEtcd starts the store that tells who is the primary. A single one is enough: it does not fail here.
func (c *Cluster) startEtcd() error {
	data, err := c.folder("etcd")
	if err != nil {
		return err
	}
	port, err := postgres.FreePort()
	if err != nil {
		return err
	}
	clients, peers := fmt.Sprintf("http://127.0.0.1:%d", c.etcdPort), fmt.Sprintf("http://127.0.0.1:%d", port)
	c.etcd, err = c.run("etcd", "etcd", "--name=etcd", "--data-dir="+data, "--listen-client-urls="+clients, "--advertise-client-urls="+clients,
		"--listen-peer-urls="+peers, "--initial-advertise-peer-urls="+peers, "--initial-cluster=etcd="+peers, "--logger=zap")
	return err
}

// Close kills everything, because nobody needs the data, and removes what is not in a caller's folder.
func (c *Cluster) Close() error {
	var all []error
	for _, n := range c.Nodes {
		all = append(all, n.Kill())
		n.close()
	}
	c.etcd.kill()
	all = append(all, c.watchdog.Finish())
	if c.home != "" {
		all = append(all, os.RemoveAll(c.home))
	}
	return errors.Join(all...)
}

// Node returns the node with a name.
func (c *Cluster) Node(name string) *Node {
	for _, n := range c.Nodes {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Other returns the node that a node is not.
func (c *Cluster) Other(than *Node) *Node {
	if c.Nodes[0] == than {
		return c.Nodes[1]
	}
	return c.Nodes[0]
}

// URL returns the URL of a database on whichever node is the primary, over the links that Isolate cuts.
func (c *Cluster) URL(database string) string {
	var hosts []string
	for _, n := range c.Nodes {
		hosts = append(hosts, n.clients.address())
	}
	return "postgres://postgres@" + strings.Join(hosts, ",") + "/" + database + "?target_session_attrs=read-write"
}
