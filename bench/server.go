package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// server is a process under load.
type server struct {
	name    string
	cmd     *exec.Cmd
	address string
	started time.Duration // from the start of the process to its first answer
}

// startFoyer starts the real binary on an empty database in a folder, or on the one that the flags name. Its log goes to a
// file, as an operator's would.
func startFoyer(binary, folder string, flags ...string) (*server, error) {
	log, err := os.Create(filepath.Join(folder, "foyer.log"))
	if err != nil {
		return nil, err
	}
	address := "127.0.0.1:" + freePort()
	args := append([]string{"--addr", address, "--database", sqliteIn(folder), "--rate-limit", "off"}, flags...)
	cmd := exec.Command(binary, args...)
	cmd.Stderr = log
	s, err := start("foyer", cmd, address)
	if err != nil {
		said, _ := os.ReadFile(log.Name())
		err = fmt.Errorf("%w: %s", err, said[max(0, len(said)-500):])
	}
	return s, err
}

// sqliteIn returns the URL of the database in a folder.
func sqliteIn(folder string) string { return "sqlite:" + filepath.Join(folder, "foyer.db") }

// startPeer starts this program again as one of the servers to compare with.
func startPeer(kind string, args ...string) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address := "127.0.0.1:" + freePort()
	return start(kind, exec.Command(self, append([]string{"serve-" + kind, address}, args...)...), address)
}

func start(name string, cmd *exec.Cmd, address string) (*server, error) {
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{name: name, cmd: cmd, address: address}
	for time.Since(began) < 10*time.Second {
		if _, err := s.ask("GET", "/health", ""); err == nil {
			s.started = time.Since(began)
			return s, nil
		}
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Kill()
	return nil, fmt.Errorf("%s does not answer", name)
}

// cpu returns the CPU time that the process has used so far.
func (s *server) cpu() time.Duration { return cpuOf(s.cmd.Process.Pid, false) }

// cpuOf returns the CPU time of a process, user and system, optionally with its children that have ended.
func cpuOf(process int, children bool) time.Duration {
	own := cpuClock(process)
	if !children {
		return own
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return own
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[13])
	system, _ := strconv.Atoi(fields[14])
	return own + time.Duration(user+system)*(time.Second/100)
}

// cpuClock reads the kernel's CPU clock of a process, as clock_getcpuclockid(3) finds it. The clock counts nanoseconds; the
// figures in /proc/PID/stat are hundredths of a second, too coarse for a short round.
func cpuClock(process int) time.Duration {
	const scheduled = 2 // CPUCLOCK_SCHED
	var at syscall.Timespec
	clock := uint32(^process<<3 | scheduled)
	if _, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&at)), 0); failed != 0 {
		return 0
	}
	return time.Duration(at.Nano())
}

// memory returns the process's RAM now and at its peak, in bytes.
func (s *server) memory() (now, most int64) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var kb int64
		if _, err := fmt.Sscanf(lines.Text(), "VmRSS: %d kB", &kb); err == nil {
			now = kb << 10
		}
		if _, err := fmt.Sscanf(lines.Text(), "VmHWM: %d kB", &kb); err == nil {
			most = kb << 10
		}
	}
	return now, most
}

// ask sends one request and returns the body of the answer.
func (s *server) ask(method, path, body string) ([]byte, error) {
	req, err := http.NewRequest(method, "http://"+s.address+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// page requests a page as a browser does, and returns it as transferred, compressed.
func (s *server) page(path string) ([]byte, error) {
	req, err := http.NewRequest("GET", "http://"+s.address+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/html")
	req.Header.Set("Accept-Encoding", "gzip")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// leadID submits a lead and returns its id.
func (s *server) leadID() (string, error) {
	body, err := s.ask("POST", "/v1/intake", lead)
	if err != nil {
		return "", err
	}
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	return receipt.LeadID, json.Unmarshal(body, &receipt)
}

func freePort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
