package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// consolePages are the pages of the console, with what makes them slow.
var consolePages = []string{
	"", "/leads", "/leads?service=hvac", "/leads?state=TX", "/leads?mark=source_unknown", "/leads/LEAD", "/buyers", "/sources", "/returns", "/returns?state=all",
	"/reports?from=365d", "/reports?from=365d&by=service", "/reports?report=buyers&from=365d", "/reports?report=sources&from=365d", "/reports?report=speed&from=365d",
	"/coverage", "/coverage?state=TX", "/route?service=hvac&zip=33139", "/statements", "/privacy", "/settings", "/settings/audit", "/health",
}

const (
	consoleGets = 40 // of each page
	liveFeeds   = 10
)

// benchConsole measures how long the server takes for each page of the console on large stores, and whether the intake notices open pages.
func benchConsole(w io.Writer, s settings, stores []*seededStore) error {
	for _, st := range stores {
		if err := st.benchConsole(w, s); err != nil {
			return fmt.Errorf("%s: %w", st.name(), err)
		}
	}
	return nil
}

func (st *seededStore) benchConsole(w io.Writer, s settings) error {
	srv, err := st.start(s.binary)
	if err != nil {
		return err
	}
	defer srv.quit()
	browser, err := st.signIn(s.binary, srv)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\npage of the console, %s leads\tp50, ms\tp95, ms\n", st.name())
	slowest := 0.0
	for _, path := range consolePages {
		times, err := getPage(browser, "http://"+srv.address+"/console"+strings.ReplaceAll(path, "LEAD", st.ids[len(st.ids)/2]))
		if err != nil {
			return err
		}
		slices.Sort(times)
		p95 := times[len(times)*95/100]
		fmt.Fprintf(table, "/console%s\t%.1f\t%.1f\n", path, times[len(times)/2], p95)
		slowest = max(slowest, p95)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "slowest p95: %.0f ms; asked for: 100 ms\n", slowest)
	return st.benchLive(w, s, srv, browser)
}

// signIn makes the first user of a store and returns a browser that is signed in.
func (st *seededStore) signIn(binary string, srv *server) (*http.Client, error) {
	out, err := exec.Command(binary, "operators", "add", fmt.Sprintf("bench-%d", time.Now().UnixNano()), "--role", "owner", "--database", st.database, "--base-url", "http://"+srv.address).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("operators add: %w: %s", err, out)
	}
	jar, _ := cookiejar.New(nil) // never fails
	browser := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	link := regexp.MustCompile(`http://\S+/console/link/\S+`).FindString(string(out))
	req, err := http.NewRequest("POST", link, strings.NewReader(url.Values{"password": {"a few plain words"}}.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := browser.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		return nil, fmt.Errorf("the link answers %d", res.StatusCode)
	}
	return browser, nil
}

// getPage asks for a page again and again, and returns how long the answers took, in milliseconds.
func getPage(browser *http.Client, address string) (times []float64, err error) {
	for i := range consoleGets + 3 {
		began := time.Now()
		res, err := browser.Get(address)
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(io.Discard, res.Body)
		if err = errors.Join(err, res.Body.Close()); err != nil || res.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s: %d %w", address, res.StatusCode, err)
		}
		if i >= 3 { // the first warm up
			times = append(times, 1000*time.Since(began).Seconds())
		}
	}
	return times, nil
}

// benchLive compares the intake with ten open pages that follow new leads, and without.
func (st *seededStore) benchLive(w io.Writer, s settings, srv *server, browser *http.Client) error {
	var ratios []float64
	for range s.rounds {
		without, err := st.measureLoad(srv, variedLead("/v1/intake", 202), s.duration)
		if err != nil {
			return err
		}
		ctx, leave := context.WithCancel(context.Background())
		for range liveFeeds {
			req, err := http.NewRequestWithContext(ctx, "GET", "http://"+srv.address+"/console/live", nil)
			if err != nil {
				leave()
				return err
			}
			go func() {
				if res, err := browser.Do(req); err == nil {
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}
			}()
		}
		with, err := st.measureLoad(srv, variedLead("/v1/intake", 202), s.duration)
		leave()
		if err != nil {
			return err
		}
		ratios = append(ratios, float64(with.done)/with.elapsed.Seconds()/(float64(without.done)/without.elapsed.Seconds()))
	}
	_, err := fmt.Fprintf(w, "%s: intake with %d live feeds / without: %s; asked for: 0.97\n", st.name(), liveFeeds, spreadOf(ratios))
	return err
}
