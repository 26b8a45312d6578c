package stopwatch

import (
	"testing"
	"time"
)

func TestTookLeavesOutWaitingForTheMachine(t *testing.T) {
	s := Start()
	time.Sleep(100 * time.Millisecond)
	if took, elapsed := s.Stop(), time.Since(s.began); took > elapsed {
		t.Errorf("it took %v of %v", took, elapsed)
	}
	s.began = s.began.Add(-time.Hour)
	if took := s.Took(); took < 59*time.Minute {
		t.Errorf("an hour took %v", took)
	}
	s.late.Add(int64(50 * time.Minute))
	if took := s.Took(); took > 11*time.Minute {
		t.Errorf("ten minutes took %v", took)
	}
}
