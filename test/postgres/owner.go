package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// findOwner says who runs the server. PostgreSQL refuses to be root; whoever else we are, we run it ourselves.
func findOwner() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, errU := strconv.ParseUint(u.Uid, 10, 32)
			gid, errG := strconv.ParseUint(u.Gid, 10, 32)
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(errU, errG)
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor a nobody")
}

// own gives a folder to whoever runs the server, and opens the way to it.
func (s *Server) own(folder string) error {
	if s.owner == nil {
		return nil
	}
	for above := filepath.Dir(folder); above != "/"; above = filepath.Dir(above) {
		if err := s.letIn(above); err != nil {
			return err
		}
	}
	return os.Chown(folder, int(s.owner.Uid), int(s.owner.Gid))
}

// letIn lets whoever runs the server pass through a folder. The temporary folders of a test are closed to all but us; those
// we open, and no others.
func (s *Server) letIn(folder string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if info.Mode().Perm()&0o001 != 0 || ok && stat.Uid == s.owner.Uid {
		return nil
	}
	if !strings.HasPrefix(folder, filepath.Clean(os.TempDir())+"/") {
		return fmt.Errorf("the user with the id %d, who runs the server, may not enter %s", s.owner.Uid, folder)
	}
	return os.Chmod(folder, info.Mode().Perm()|0o011)
}
