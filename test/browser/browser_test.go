// Package browser uses the pages of the built binary in Chromium, as people do: with a keyboard, on a phone, in the dark, on
// a slow network, with and without scripts. axe-core looks at every page.
//
// Things are found as assistive technology finds them, by role and name, and the names come from the catalog and the field
// table; so the looks of a page can change without a word here. It asserts nothing about colours, classes or layout
// beyond what a person would miss.
//
// It runs where BROWSER=required asks for it, as make test-browser does: it is slow, and wants the machine to itself.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"

	"foyer/test/binary"
	"foyer/test/crawl"
)

var (
	program  string          // the path of the program, built once for all tests here
	chromium context.Context // the one browser, in which every test has a tab of its own
)

func TestMain(m *testing.M) {
	if os.Getenv("BROWSER") == "" {
		fmt.Println("browser: skipped; BROWSER=required runs it, make test-browser does so")
		return
	}
	binary.Main(func() int {
		stop, err := start()
		if err != nil {
			fmt.Fprintln(os.Stderr, "Chromium does not start; make browser-tools installs it:", err)
			return 1
		}
		defer stop()
		code := m.Run()
		crawl.TellPending(os.Stdout)
		return code
	}, func(path string) { program = path })
}

// start runs Chromium. It resolves no name but ours, so that nothing on a page can reach the network by accident.
func start() (stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(findChromium()),
		chromedp.WSURLReadTimeout(binary.Patience),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root in its sandbox
	}
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	quiet := func(string, ...any) {} // a younger Chromium has events that the library does not know
	ctx, cancel := chromedp.NewContext(allocated, chromedp.WithErrorf(quiet))
	chromium = ctx
	return func() { cancel(); end() }, chromedp.Run(ctx)
}

// findChromium looks for the names under which it is installed; "" leaves it to chromedp.
func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
