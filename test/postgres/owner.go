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

// FindOwner returns the user that runs servers, or nil if that is us. PostgreSQL refuses to run as root; any other user runs it
// directly.
func FindOwner() (*syscall.Credential, error) {
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

// Chown gives a folder to the user that runs servers, and makes it reachable.
func Chown(owner *syscall.Credential, folder string) error {
	if owner == nil {
		return nil
	}
	for above := filepath.Dir(folder); above != "/"; above = filepath.Dir(above) {
		if err := allowTraversal(owner, above); err != nil {
			return err
		}
	}
	return os.Chown(folder, int(owner.Uid), int(owner.Gid))
}

// allowTraversal lets the user that runs the server pass through a folder. It opens only the temporary folders of a test,
// which are otherwise private to us.
func allowTraversal(owner *syscall.Credential, folder string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if info.Mode().Perm()&0o001 != 0 || ok && stat.Uid == owner.Uid {
		return nil
	}
	if !strings.HasPrefix(folder, filepath.Clean(os.TempDir())+"/") {
		return fmt.Errorf("the user with the id %d, who runs the server, may not enter %s", owner.Uid, folder)
	}
	return os.Chmod(folder, info.Mode().Perm()|0o011)
}
