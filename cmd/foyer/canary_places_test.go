package main_test

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// databaseFiles are the files that may hold personal data.
var databaseFiles = []string{"foyer.db", "foyer.db-wal", "foyer.db-shm"}

// filesBeside returns the name and content of every file in the folder that is not the database. There should be none.
func filesBeside(t *testing.T, folder string) string {
	t.Helper()
	found := &strings.Builder{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Dir(path) == folder && slices.Contains(databaseFiles, entry.Name()) {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintln(found, entry.Name(), string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found.String()
}

// publicProcessInfo returns what other users can read about the process: its command line, its environment, the files it
// holds open.
func (p *process) publicProcessInfo() string {
	p.T.Helper()
	folder := fmt.Sprintf("/proc/%d/", p.Cmd.Process.Pid)
	told := &strings.Builder{}
	for _, name := range []string{"cmdline", "environ", "comm", "status"} {
		content, err := os.ReadFile(folder + name)
		if err != nil {
			p.T.Logf("not looked at: %v", err)
		}
		told.Write(content)
	}
	files, _ := os.ReadDir(folder + "fd")
	for _, f := range files {
		target, _ := os.Readlink(folder + "fd/" + f.Name())
		fmt.Fprintln(told, target)
	}
	return told.String()
}

// errorPages provokes every kind of error page that a browser can get, the standard library's own included, with canaries
// in the address, the query and the headers. The form that comes back with its input is no error page.
func (p *process) errorPages() string {
	p.T.Helper()
	name, note := url.PathEscape(canaries["customer_name"]), url.QueryEscape(canaries["notes"])
	seen := &strings.Builder{}
	for _, request := range []string{
		"GET /" + name + "?q=" + note + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html",
		"GET //" + name + "/../x HTTP/1.1\r\nHost: localhost\r\nAccept: text/html",
		"GET /v1/leads/" + name + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html",
		"GET /v1/" + name + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html",
		"PUT /privacy?q=" + note + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html",
		"Zebranek /privacy HTTP/1.1\r\nHost: localhost\r\nAccept: text/html",
		"GET /thanks?dry_run=" + note + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html",
		"POST /v1/intake?" + note + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nContent-Type: text/Zebranek",
		"POST /v1/intake HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nContent-Encoding: Zebranek",
		"POST /v1/intake HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99999999",
		"POST /mcp HTTP/1.1\r\nHost: Zebranek.example.com\r\nAccept: text/html",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: Zebranek",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nMCP-Protocol-Version: Zebranek",
		"GET /Zebranek%zz HTTP/1.1\r\nHost: localhost",
		"GET / HTTP/1.1\r\nHost: Zebranek marmalade",
		"GET / HTTP/1.1\r\nHost: localhost\r\nZebranek marmalade: 1",
		"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: Zebranek",
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: Zebranek",
		"POST / HTTP/1.1\r\nHost: localhost\r\nExpect: Zebranek",
		"GET / Zebranek/9.9\r\nHost: localhost",
	} {
		seen.WriteString(p.raw(request + "\r\nConnection: close\r\n\r\n"))
	}
	return seen.String()
}

// raw sends bytes and returns the whole answer, headers included.
func (p *process) raw(request string) string {
	p.T.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		p.T.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(conn, request); err != nil {
		p.T.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		p.T.Fatalf("%v after %.40q", err, request)
	}
	defer res.Body.Close()
	answer := &strings.Builder{}
	fmt.Fprintln(answer, res.Status)
	res.Header.Write(answer)
	if _, err := io.Copy(answer, res.Body); err != nil {
		p.T.Fatalf("%v after %.40q", err, request)
	}
	return answer.String()
}
