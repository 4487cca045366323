package terminal

import (
	"slices"
	"strings"

	"glim/core/walletrpc"
)

// Complete returns the words with which a shell can complete the last one of a command line, which follows `glim
// wallet`. The result is empty if the word is something else, such as the name of a file.
func Complete(line []string) []string {
	c := &call{}
	return c.candidates(line)
}

// candidates returns what can complete the last word of a line.
func (c *call) candidates(line []string) []string {
	if len(line) == 0 {
		return nil
	}
	begin, before := line[len(line)-1], line[:len(line)-1]
	var all []string
	if len(before) == 0 {
		for _, group := range groups() {
			for _, k := range group.commands {
				if c.opened == nil || !k.outside {
					all = append(all, k.name)
				}
			}
		}
		return starting(append(all, "help"), begin)
	}
	k := c.find(before[0])
	if k == nil {
		return nil
	}
	one := &call{command: k, opened: c.opened}
	args, open := one.positions(before[1:])
	switch {
	case open != nil:
		switch open.name {
		case "priority":
			all = priorities
		case "seed-type":
			all = walletrpc.SeedKinds
		}
	case strings.HasPrefix(begin, "-"):
		for _, o := range one.options() {
			if o.help != "" {
				all = append(all, "--"+o.name)
			}
		}
	case k.wallet && c.opened == nil && args == 0 && !strings.ContainsAny(begin, `/\`):
		if all = walletsIn("."); one.walletDir != "" {
			all = walletsIn(one.walletDir)
		}
	case k.name == "prove" && (args == 1 || c.opened != nil && args == 0), k.name == "check" && args == 0:
		all = []string{"payment", "reserve", "spend"}
	}
	return starting(all, begin)
}

// positions returns how many arguments a line has, and the flag at its end whose value is missing, or nil. It sets the
// folder of the wallets.
func (c *call) positions(line []string) (args int, open *option) {
	for i := 0; i < len(line); i++ {
		if !strings.HasPrefix(line[i], "--") {
			args++
			continue
		}
		name, value, joined := strings.Cut(line[i][2:], "=")
		o := find(c.options(), name)
		if o == nil || o.arg == "" {
			continue
		}
		if !joined {
			if i++; i == len(line) {
				return args, o
			}
			value = line[i]
		}
		if name == "wallet-dir" {
			c.walletDir = value
		}
	}
	return args, nil
}

// starting returns the words that begin with a text.
func starting(words []string, begin string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, begin) })
}
