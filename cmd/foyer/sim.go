package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/sim"
	"foyer/internal/webhook"
	"foyer/internal/wire"
)

type simulate struct {
	Buyer simBuyer `cmd:"" help:"Run a simulated buyer that checks signatures and behaves as told."`
	Month simMonth `cmd:"" help:"Fill a new database with a made-up month, for demonstrations."`
}

type simBuyer struct {
	Listen     string        `default:"127.0.0.1:9100" placeholder:"ADDRESS" help:"Listening address (default: ${default}); port 0 takes a free one."`
	Secret     []string      `placeholder:"SECRET" help:"The buyer's secret, whsec_…; two of them during a rotation."`
	NoVerify   bool          `name:"no-verify" help:"Accept every message, signed or not."`
	Behaviour  sim.Behaviour `name:"behavior" aliases:"behaviour" default:"accept" placeholder:"WAY" help:"What it does with an offer (default: ${default})."`
	OnDelivery sim.Behaviour `name:"on-delivery" placeholder:"WAY" help:"What it does with a delivery. Default: it takes what it accepted; a delivery without an offer (one step) is treated by --behavior."`
	Seed       uint64        `default:"1" placeholder:"NUMBER" help:"Seed for random choices (default: ${default})."`
	JSON       bool          `name:"json" help:"Print JSON lines for programs."`
}

// Help lists the possible behaviors.
func (*simBuyer) Help() string {
	return "A WAY is one of " + sim.Ways + ". A CODE is one of " + strings.Join(sim.Codes, ", ") + ". Of several ways, separated by commas, one is picked at random for each message. " +
		"A message that is repeated under its webhook-id gets the same decision again."
}

// Validate requires a secret to check signatures with.
func (c *simBuyer) Validate() error {
	if len(c.Secret) == 0 && !c.NoVerify {
		return errors.New("--secret is missing: foyer buyers add prints it once, when a buyer is added, and foyer buyers rotate-secret prints a new one; " +
			"with --no-verify signatures are not checked")
	}
	for _, secret := range c.Secret {
		if err := webhook.CheckSecret(secret); err != nil {
			return fmt.Errorf("--secret: %w", err)
		}
	}
	return nil
}

// Run serves until its context ends. Requests that hang at that time get no answer.
func (c *simBuyer) Run(e cli.Env) error {
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	lines := log.New(e.Stdout, "", 0) // messages arrive concurrently
	show := func(object any, text string) {
		if c.JSON {
			text = string(wire.Marshal(object))
		}
		lines.Print(text)
	}
	seen := func(m sim.Message) { show(m, messageLine(m)) }
	buyer := &sim.Buyer{Secrets: c.Secret, Trusting: c.NoVerify, Offer: c.Behaviour, Delivery: c.OnDelivery, Seed: c.Seed, Seen: seen}
	server := &http.Server{Handler: buyer, ReadHeaderTimeout: time.Minute, BaseContext: func(net.Listener) context.Context { return e.Ctx }}
	url := "http://" + reachable(listener.Addr().(*net.TCPAddr))
	show(wire.Object{{"url", url}}, fmt.Sprintf("The buyer listens on %s (GET shows the counts)", url))
	stopped := make(chan error, 1)
	context.AfterFunc(e.Ctx, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		stopped <- server.Shutdown(ctx)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// reachable returns an address that can be typed: a buyer on all interfaces is also on localhost.
func reachable(a *net.TCPAddr) string {
	if a.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", a.Port)
	}
	return a.String()
}

// messageLine describes a message on one line.
func messageLine(m sim.Message) string {
	return fmt.Sprintf("%s  %-14s  %-49s  %-41s  %s  →  %s",
		m.At.Format("15:04:05.000"), cmp.Or(m.Type, "?"), cmp.Or(m.WebhookID, "-"), cmp.Or(m.OfferID, "-"), remarks(m), m.Answer)
}

// remarks returns what is worth knowing about a message besides its ids.
func remarks(m sim.Message) string {
	text := "signature ok"
	switch {
	case !m.Signed:
		text = "signature bad: " + m.Problem
	case m.Problem != "":
		text += ", " + m.Problem
	}
	if m.Test {
		text += ", test"
	}
	if m.Contact {
		text += ", with contact"
	}
	if m.Duplicate {
		text += ", again"
	}
	return text
}
