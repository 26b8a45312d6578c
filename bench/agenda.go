package main

import (
	"container/heap"
	"time"
)

// agenda has the clients that are to send something, the earliest first.
type agenda []*client

func (a agenda) Len() int           { return len(a) }
func (a agenda) Less(i, j int) bool { return a[i].due.Before(a[j].due) }
func (a agenda) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)        { *a = append(*a, x.(*client)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

func (a *agenda) add(x *client, due time.Time) {
	x.due = due
	heap.Push(a, x)
}

// send has everybody whose time has come send a request.
func (a *agenda) send(now time.Time) (sent int, err error) {
	for ; len(*a) > 0 && !(*a)[0].due.After(now); sent++ {
		if err := heap.Pop(a).(*client).send(time.Now()); err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// wait is how long nobody is to send anything.
func (a *agenda) wait(now time.Time) time.Duration {
	if len(*a) == 0 {
		return time.Minute
	}
	return max(0, (*a)[0].due.Sub(now))
}
