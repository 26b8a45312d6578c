package store

import (
	"context"
	"errors"
	"time"

	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Job is work that one process, the leader, does for all processes on the database, such as retention. Leader election is a lease in table
// jobs. Its heartbeat is a renewal of that lease, by a transaction of the job once the lease is older than jobRenewal. If the process dies or
// hangs, another one takes the job over once the lease has ended, and the token refuses whatever the first one still wants to write.
type Job struct {
	store   *Store
	name    string
	token   int64
	now     func() time.Time
	renewed time.Time
}

const (
	jobLease   = 30 * time.Second
	jobRenewal = jobLease / 3 // how old a lease is when a transaction renews it
)

// ErrJobTaken means that another process took the job over, because this one did not renew its lease in time.
var ErrJobTaken = errors.New("another process took the job over")

const (
	// jobNotDue finds a job that another process has, or that was done so recently that it is not due. A process whose clock is far
	// ahead does not keep the others from it: its times do not count.
	jobNotDue = `SELECT token FROM jobs WHERE name = $1 AND (owner <> $2 AND until > $3 AND until < $4 OR finished_at > $5 AND finished_at < $6)`
	leaseJob  = `INSERT INTO jobs (name, owner, token, until, finished_at) VALUES ($1, $2, 1, $3, 0)
		ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, token = jobs.token + 1, until = excluded.until`
	jobToken  = `SELECT token FROM jobs WHERE name = $1`
	renewJob  = `UPDATE jobs SET until = $1 WHERE name = $2 AND token = $3`
	finishJob = `UPDATE jobs SET until = 0, finished_at = $1 WHERE name = $2 AND token = $3`
)

// StartJob leases a job for a process. It returns nil if another process has it, or if it was finished less than interval ago.
func (s *Store) StartJob(ctx context.Context, name, owner string, interval time.Duration, now func() time.Time) (*Job, error) {
	j := &Job{store: s, name: name, now: now}
	notDue := func(tx *Tx) (found bool, err error) {
		j.renewed = now()
		_, found, err = one(tx, db.FirstInt, jobNotDue, name, owner, rows.Micros(j.renewed), rows.Micros(j.renewed.Add(2*jobLease)),
			rows.Micros(j.renewed.Add(-interval)), rows.Micros(j.renewed.Add(interval)))
		return found, err
	}
	if not, err := read(ctx, s, notDue); err != nil || not { // most calls end here, and need no writer
		return nil, err
	}
	err := s.Update(ctx, func(tx *Tx) (err error) {
		j.token = 0
		if not, err := notDue(tx); err != nil || not {
			return err
		}
		if err := tx.exec(leaseJob, name, owner, rows.Micros(j.renewed.Add(jobLease))); err != nil {
			return err
		}
		j.token, err = tx.number(jobToken, name)
		return err
	})
	if err != nil || j.token == 0 {
		return nil, err
	}
	return j, nil
}

// Update is Store.Update for a transaction of the job. It returns ErrJobTaken if the job belongs to another process.
func (j *Job) Update(ctx context.Context, do func(*Tx) error) error {
	renewed := j.renewed
	err := j.store.Update(ctx, func(tx *Tx) error {
		renewed = j.renewed
		if token, err := tx.number(jobToken, j.name); err != nil {
			return err
		} else if token != j.token {
			return ErrJobTaken
		}
		if now := j.now(); now.Sub(j.renewed) > jobRenewal {
			renewed = now
			if err := tx.exec(renewJob, rows.Micros(now.Add(jobLease)), j.name, j.token); err != nil {
				return err
			}
		}
		return do(tx)
	})
	if err == nil {
		j.renewed = renewed
	}
	return err
}

// Finish records that the job is done, and ends its lease.
func (j *Job) Finish(ctx context.Context) error {
	return j.Update(ctx, func(tx *Tx) error { return tx.exec(finishJob, rows.Micros(j.now()), j.name, j.token) })
}

// steps are for a job that changes many rows.
func (j *Job) steps() *commit.Steps[*Tx] {
	return &commit.Steps[*Tx]{Update: j.Update, Busy: j.store.Busy, Checkpoint: j.store.engine.Checkpoint}
}
