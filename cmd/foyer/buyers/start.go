package buyers

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

type buyersStart struct {
	buyerFlags
	config.Network
	Test bool   `help:"Test it first, offer and delivery, and start it only if that goes well."`
	Held string `placeholder:"none|all|DAYS" help:"Which of the leads held now it gets, too: none, all, or those of the last DAYS days. Asked for on a terminal; required elsewhere."`
}

// Help explains what starting does.
func (*buyersStart) Help() string {
	return "A new buyer is in test: foyer buyers test sends it made-up leads, and no real one is offered to it. Starting makes it active. " +
		"Leads that are held now and that it covers are offered to it only if you say so. Run it again with --held to change that."
}

// AfterApply validates --held before anything is opened.
func (c *buyersStart) AfterApply() error {
	if c.Held == "" {
		return nil
	}
	if _, err := entered.ParseHeld(c.Held); err != nil {
		return fmt.Errorf("--held: %w", err)
	}
	return nil
}

// Run makes a buyer active.
func (c *buyersStart) Run(e cli.Env) error {
	if c.Held == "" && !terminal.Is(e.Stdin) {
		return errors.New("--held is missing: standard input is not a terminal, so say which held leads the buyer gets: none, all, or a number of days")
	}
	return c.withBuyer(e, c.Network, func(op *operator.Operator) error {
		held, err := c.choose(e, op)
		if err != nil {
			return err
		}
		waiting, err := op.HeldFor(e.Ctx, c.ID, held)
		if err != nil {
			return err
		}
		start := op.Start
		if c.Test {
			start = op.StartTested
		}
		b, err := start(e.Ctx, e.By, c.ID, held)
		if err != nil {
			return err
		}
		sentence := fmt.Sprintf("%s (%s) is active. Held leads that match: %s.", b.ID, b.Terms.Name, terminal.Number(int64(waiting.Chosen)))
		if waiting.Chosen > 0 {
			sentence += " They are offered as its terms, caps and hours allow."
		}
		return printChanged(e, c.JSON, op, b.ID, sentence, wire.Member{"held_covered", waiting.Covered}, wire.Member{"held_matching", waiting.Chosen})
	})
}

// choose returns the --held flag, or prompts for it. If no lead is held, there is nothing to ask.
func (c *buyersStart) choose(e cli.Env, op *operator.Operator) (entered.Held, error) {
	if c.Held != "" {
		return entered.ParseHeld(c.Held)
	}
	all := entered.Held{All: true}
	waiting, err := op.HeldFor(e.Ctx, c.ID, all)
	if err != nil || waiting.Covered == 0 {
		return all, err
	}
	fmt.Fprintf(e.Stderr, "Held leads that match: %s, the oldest from %s. They are offered as its terms, caps and hours allow.\n", terminal.Number(int64(waiting.Covered)), terminal.Time(waiting.Oldest))
	return c.ask(e)
}

// ask prompts until the answer is valid. Enter alone is no answer: the operator has to decide what happens to the leads of
// people who are waiting.
func (*buyersStart) ask(e cli.Env) (entered.Held, error) {
	for in := bufio.NewReader(e.Stdin); ; {
		fmt.Fprint(e.Stderr, "Which held leads should it get? [none/all/DAYS, q to stop] ")
		line, err := in.ReadString('\n')
		if err != nil {
			fmt.Fprintln(e.Stderr)
			return entered.Held{}, terminal.ErrUnanswered
		}
		switch answer := strings.ToLower(strings.TrimSpace(line)); answer {
		case "":
		case "q":
			return entered.Held{}, errors.New("stopped: nothing was changed")
		default:
			held, err := entered.ParseHeld(answer)
			if err == nil {
				return held, nil
			}
			fmt.Fprintln(e.Stderr, terminal.Escape(err.Error()))
		}
	}
}

type buyersPractice struct {
	cli.OperatorFlags
}

// Help says what it is for.
func (*buyersPractice) Help() string {
	return "The practice buyer is for trying the service without another machine. It covers every service everywhere, but only for phone numbers that are reserved for fiction (555-0100 to 555-0199 in any area code), " +
		"so that no person's request goes to it and the public is told of no coverage. The service itself answers for it; nothing is sent. It is asked last, pays nothing, and is active at once. There is one at most."
}

// Run adds a practice buyer. Like add, it creates the database if there is none.
func (c *buyersPractice) Run(e cli.Env) error {
	return e.WithNewOperator(c.Data, config.Network{}, func(op *operator.Operator) error {
		b, err := op.StartPractice(e.Ctx, e.By)
		if err != nil {
			return err
		}
		return printChanged(e, c.JSON, op, b.ID, fmt.Sprintf("%s (%s) is active. Send a request with a phone number such as 305-555-0123, and it takes the lead. When you have seen enough: foyer buyers remove %s", b.ID, b.Terms.Name, b.ID))
	})
}
