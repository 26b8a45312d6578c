package dbadmin

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"foyer/internal/store"
	"foyer/internal/store/alerts"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
	"foyer/internal/store/sqlite"
)

// Copy is a complete, verified copy of a database.
type Copy struct {
	Leads int64
	Bytes int64
}

// BackUp is the online backup: it copies a snapshot of a database into a new file while a service keeps writing to the database. The file gets its name
// only when it is complete, synced and verified. watch receives the progress.
func BackUp(ctx context.Context, database, file string, watch db.Watch) (Copy, error) {
	e, err := store.EngineFor(database)
	if err != nil {
		return Copy{}, err
	}
	from, ok := e.(*sqlite.File)
	if !ok {
		return Copy{}, errors.New("this copies SQLite databases only: use pg_dump for PostgreSQL, as docs/operations.md says")
	}
	if err := from.Exists(ctx); err != nil {
		return Copy{}, err
	}
	if err := checkBackupFile(from.Path(), file); err != nil {
		return Copy{}, err
	}
	if file, err = filepath.Abs(file); err != nil { // SQLite could read a relative name such as file:x as a URI
		return Copy{}, err
	}
	size, err := checkSpace(ctx, from, filepath.Dir(file))
	if err != nil {
		return Copy{}, err
	}
	made, err := writeBackup(ctx, from, file, backupProgress{watch, size})
	return made, backupError(ctx, err, filepath.Dir(file))
}

// checkBackupFile refuses to overwrite anything. SQLite would take a log beside the new file for the log of that file.
func checkBackupFile(path, file string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", "-serving"} {
		if sqlite.SamePath(path+suffix, file) {
			return fmt.Errorf("%s belongs to the database that is to be copied: name another file", file)
		}
	}
	if info, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrPermission) {
		return err
	} else if err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s", filepath.Dir(file))
	}
	for _, suffix := range []string{"", "-wal", "-journal"} {
		if pathExists(file + suffix) {
			return fmt.Errorf("%s is there already, and nothing is written over: name another file", file+suffix)
		}
	}
	if pathExists(file + partSuffix) {
		return fmt.Errorf("%s is there already: another backup is being made, or one was killed; remove it if none is", file+partSuffix)
	}
	return nil
}

// partSuffix ends the name of an unfinished copy.
const partSuffix = ".part"

// pathExists reports whether anything has this name.
func pathExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// checkSpace requires a tenth more space than the copy needs. If the copy shares a disk with the service and takes the last of
// its space, leads are refused. It returns the expected size of the copy.
func checkSpace(ctx context.Context, f *sqlite.File, folder string) (size uint64, err error) {
	pool, err := f.Read()
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	err = pool.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&size)
	if err != nil {
		return 0, fmt.Errorf("cannot read %s: %w", f, err)
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return 0, err
	}
	needed := size + size/10
	if free := disk.Bavail * uint64(disk.Bsize); disk.Blocks > 0 && free < needed { // some network disks report no sizes
		return 0, fmt.Errorf("there is no room in %s: the copy wants %d MB, and %d are free", folder, needed/1e6+1, free/1e6)
	}
	return size, nil
}

// backupProgress reports how much of a copy of a known size is written.
type backupProgress struct {
	watch db.Watch
	size  uint64
}

func (w backupProgress) update(part *os.File) {
	if info, err := part.Stat(); err == nil {
		w.watch.Report(db.Progress{What: "copying", Done: info.Size() / 1e6, Of: int64(w.size / 1e6), Unit: "MB"})
	}
}

// writeBackup writes the copy under a temporary name and renames it at the end. If anything fails, nothing is left behind.
func writeBackup(ctx context.Context, f *sqlite.File, file string, watch backupProgress) (made Copy, err error) {
	part, err := os.OpenFile(file+partSuffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return made, err
	}
	defer func() {
		part.Close()
		if err != nil {
			err = errors.Join(err, removeIfExists(file+partSuffix), removeIfExists(file+partSuffix+"-journal"))
		}
	}()
	if err := vacuumInto(ctx, f, part, watch); err != nil {
		return made, err
	}
	watch.watch.Report(db.Progress{What: "checking the copy"})
	if made, err = verifyBackup(ctx, sqlite.New(part.Name())); err != nil {
		return made, err
	}
	if pathExists(file) {
		return made, fmt.Errorf("%s was made by somebody else meanwhile, and nothing is written over", file)
	}
	if err := os.Rename(part.Name(), file); err != nil {
		return made, err
	}
	if err := syncFolder(filepath.Dir(file)); err != nil {
		return made, errors.Join(err, removeIfExists(file))
	}
	return made, nil
}

func removeIfExists(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// vacuumInto writes a snapshot of the database into an empty file. It uses VACUUM INTO instead of the backup API, which restarts
// at every commit of the service, possibly forever, or else copies pages with remains of erased data.
func vacuumInto(ctx context.Context, f *sqlite.File, part *os.File, watch backupProgress) error {
	pool, err := sql.Open("sqlite", sqlite.DSN(f.Path())) // not f.Read: VACUUM counts as writing, even to another file
	if err != nil {
		return err
	}
	copied, flushed := make(chan struct{}), make(chan error, 1)
	go func() { flushed <- syncWhileWriting(part, copied, watch) }()
	_, err = pool.ExecContext(ctx, `VACUUM INTO $1`, part.Name())
	err = errors.Join(err, pool.Close())
	close(copied)
	return errors.Join(err, <-flushed)
}

// syncWhileWriting syncs the file every 50 ms, and once more at the end. With a single sync at the end, a commit of the service
// would wait for it: 0.3 s with half a gigabyte, a third of that this way.
func syncWhileWriting(part *os.File, copied <-chan struct{}, watch backupProgress) error {
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		select {
		case <-tick.C:
			if err := part.Sync(); err != nil { // an error is reported only once: the next sync may succeed
				return err
			}
			watch.update(part)
		case <-copied:
			tick.Stop()
			return part.Sync()
		}
	}
}

// verifyBackup checks every page and every index of a copy.
func verifyBackup(ctx context.Context, f *sqlite.File) (made Copy, err error) {
	pool, err := f.Read()
	if err != nil {
		return made, err
	}
	defer pool.Close()
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return made, err
	}
	if verdict != "ok" {
		return made, fmt.Errorf("the copy is damaged, and so may be the database: %s", verdict)
	}
	if err := pool.QueryRowContext(ctx, "SELECT count(*) FROM leads").Scan(&made.Leads); err != nil {
		return made, err
	}
	made.Bytes, err = f.Size(ctx, pool)
	return made, err
}

// syncFolder makes the new name of a file survive a power cut.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// backupError explains why a copy failed.
func backupError(ctx context.Context, err error, folder string) error {
	var code int
	if e, ok := errors.AsType[*driver.Error](err); ok {
		code = e.Code() & 0xff
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("stopped before the copy was complete: %w", err)
	case code == sqlite3.SQLITE_FULL, errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the disk of %s is full: %w", folder, err)
	case code == sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("the database is damaged, and no copy was made; docs/operations.md says what to do: %w", err)
	}
	return fmt.Errorf("no copy was made: %w", err)
}

// NoteBackup notes in a database when a backup of it was made, for the alert about old backups. The tables may be those of an earlier
// version: then there is nothing to note.
func NoteBackup(ctx context.Context, database string, at time.Time) (err error) {
	e, err := store.EngineFor(database)
	if err != nil {
		return err
	}
	from, ok := e.(*sqlite.File)
	if !ok {
		return nil
	}
	pool, err := sql.Open("sqlite", sqlite.DSN(from.Path()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	var known int
	if err := pool.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'alert_facts'`).Scan(&known); err != nil || known == 0 {
		return err
	}
	_, err = pool.ExecContext(ctx, alerts.PutFact, alerts.FactBackup, "", rows.Micros(at), int64(0))
	return err
}
