package hostile

import (
	"os/exec"
	"testing"
	"time"
)

// TestSlowHTTPTest runs a third-party tool that holds a thousand connections open in its three ways, and checks that other
// clients are served meanwhile.
func TestSlowHTTPTest(t *testing.T) {
	if !*withSlowHTTPTest {
		t.Skip("asked for by make hostile")
	}
	tool, err := exec.LookPath("slowhttptest")
	if err != nil {
		t.Skip("slowhttptest is not installed")
	}
	for name, attack := range map[string][]string{
		"slow headers": {"-H", "-i", "2"},
		"slow bodies":  {"-B", "-i", "2", "-s", "60000", "-t", "POST"},
		"slow reading": {"-X", "-w", "1", "-y", "2", "-n", "2", "-z", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			address := "http://" + s.address + map[string]string{"slow bodies": "/v1/intake"}[name]
			cmd := exec.Command(tool, append(attack, "-c", "1000", "-r", "500", "-l", "15", "-u", address)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
			s.wantPrompt(t)
			_ = cmd.Wait() // it ends after 15 seconds
		})
	}
}
