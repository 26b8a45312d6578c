package main

import (
	"container/heap"
	"time"
)

// sendQueue is a heap of the clients that have yet to send, the earliest first.
type sendQueue []*client

func (q sendQueue) Len() int           { return len(q) }
func (q sendQueue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }
func (q sendQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *sendQueue) Push(x any)        { *q = append(*q, x.(*client)) }
func (q *sendQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (q *sendQueue) add(cl *client, due time.Time) {
	cl.due = due
	heap.Push(q, cl)
}

// send makes every client whose time has come send a request.
func (q *sendQueue) send(now time.Time) (sent int, err error) {
	for ; len(*q) > 0 && !(*q)[0].due.After(now); sent++ {
		if err := heap.Pop(q).(*client).send(time.Now()); err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// wait returns how long until the next client is due.
func (q *sendQueue) wait(now time.Time) time.Duration {
	if len(*q) == 0 {
		return time.Minute
	}
	return max(0, (*q)[0].due.Sub(now))
}
