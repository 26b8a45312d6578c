package patroni

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"foyer/test/postgres"
)

// Node is a machine with a server and the Patroni that runs it.
type Node struct {
	Name     string
	cluster  *Cluster
	data     string
	settings string // of Patroni
	port     int    // of the server
	api      int    // of Patroni
	patroni  *program
	// Others reach the node, and the node reaches etcd, only over these.
	clients, replication, members, etcd *link
}

func (c *Cluster) newNode(name string) (n *Node, err error) {
	n = &Node{Name: name, cluster: c, settings: filepath.Join(c.home, name+".yml")}
	if n.data, err = c.folder(name); err != nil {
		return nil, err
	}
	if n.port, err = postgres.FreePort(); err != nil {
		return nil, err
	}
	if n.api, err = postgres.FreePort(); err != nil {
		return nil, err
	}
	for target, port := range map[**link]int{&n.clients: n.port, &n.replication: n.port, &n.members: n.api, &n.etcd: c.etcdPort} {
		if *target, err = newLink(port); err != nil {
			return nil, err
		}
	}
	text, err := json.MarshalIndent(n.config(), "", "  ") // JSON is YAML, too
	if err != nil {
		return nil, err
	}
	return n, os.WriteFile(n.settings, text, 0o644)
}

// Start starts Patroni, which starts the server.
func (n *Node) Start() (err error) {
	n.patroni, err = n.cluster.run(n.Name, "patroni", n.settings)
	return err
}

// URL returns the URL of a database on this node, over a link that nothing cuts.
func (n *Node) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s", n.port, database)
}

// Exec runs statements on this node.
func (n *Node) Exec(database, statements string) (string, error) {
	return postgres.Exec(n.cluster.binaries, n.URL(database)+"?connect_timeout=3", statements)
}

// Kill ends Patroni and the server at once, as a crash of the machine does.
func (n *Node) Kill() error {
	n.patroni.kill()
	if id := n.server(); id > 0 {
		return postgres.KillTree(id)
	}
	return nil
}

// Freeze makes Patroni and the server hang, until the returned function is called.
func (n *Node) Freeze() (thaw func(), err error) {
	n.patroni.signal(syscall.SIGSTOP)
	if id := n.server(); id > 0 {
		err = postgres.PauseTree(id)
	}
	return n.thaw, err
}

func (n *Node) thaw() {
	if id := n.server(); id > 0 {
		postgres.ResumeTree(id)
	}
	n.patroni.signal(syscall.SIGCONT)
}

// server returns the id of the server's first process, or 0. After a crash the file tells of a process that is gone, and its id may
// be that of another.
func (n *Node) server() int {
	text, _ := os.ReadFile(filepath.Join(n.data, "postmaster.pid"))
	first, _, _ := bytes.Cut(text, []byte("\n"))
	id, err := strconv.Atoi(string(first))
	if err != nil || id <= 0 {
		return 0
	}
	if folder, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", id)); err != nil || folder != n.data {
		return 0
	}
	return id
}

func (n *Node) close() {
	for _, l := range []*link{n.clients, n.replication, n.members, n.etcd} {
		l.close()
	}
}

// Isolate cuts a node off from the other one and from etcd, and from clients, too, if asked to. The returned function ends it.
func (c *Cluster) Isolate(n *Node, fromClients bool) (heal func()) {
	cut := []*link{n.etcd}
	for _, each := range c.Nodes {
		cut = append(cut, each.replication, each.members)
	}
	if fromClients {
		cut = append(cut, n.clients)
	}
	return cutAll(cut)
}

// HoldBack keeps everything that a node writes from the other one, which otherwise notices nothing. The returned function ends it.
func (n *Node) HoldBack() (release func()) { return cutAll([]*link{n.replication}) }

// FillLog makes a server whose disk is full need another file for its log. That ends it.
func (n *Node) FillLog() error {
	before := n.server()
	for range 1000 {
		if before == 0 || n.server() != before {
			return nil
		}
		_, _ = n.Exec("postgres", "SELECT pg_switch_wal()")
	}
	return errors.New("patroni: the server found room: the disk was not full")
}
