// Package browser uses the pages of the built binary in Chromium, as people do: with a keyboard, on a phone, in dark mode,
// on a slow network, with and without scripts. axe-core checks every page.
//
// The tests find things as assistive technology does, by role and name, and the names come from the catalog and the field
// table; so a page can change its looks without a change here. They assert nothing about colors, classes or layout beyond
// what a person would miss.
//
// The tests run only with BROWSER=required, as in make test-browser: they are slow, and need the machine to themselves.
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

// chromium is the one browser, with a tab for each test.
var chromium context.Context

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
		crawl.PrintPending(os.Stdout)
		return code
	})
}

// start runs Chromium. It resolves only our host name, so that nothing on a page can reach the network by accident.
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
	quiet := func(string, ...any) {} // a newer Chromium has events that the library does not know
	ctx, cancel := chromedp.NewContext(allocated, chromedp.WithErrorf(quiet))
	chromium = ctx
	return func() { cancel(); end() }, chromedp.Run(ctx)
}

// findChromium looks for the names under which Chromium is installed; "" leaves that to chromedp.
func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
