package main

import (
	"context"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// levelCategories are the categories that a level from 0 to 4 stands for. Source: contrib/epee/src/mlog.cpp, get_default_categories.
var levelCategories = [...]string{
	"*:WARNING,net:FATAL,net.http:FATAL,net.ssl:FATAL,net.p2p:FATAL,net.cn:FATAL,daemon.rpc:FATAL,global:INFO,verify:FATAL," +
		"serialization:FATAL,daemon.rpc.payment:ERROR,stacktrace:INFO,logging:INFO,msgwriter:INFO",
	"*:INFO,global:INFO,stacktrace:INFO,logging:INFO,msgwriter:INFO,perf.*:DEBUG",
	"*:DEBUG", "*:TRACE,*.dump:DEBUG", "*:TRACE",
}

// category is the attribute of a line that says what it is about: rpc (requests and logins), wallet (money, and the reading of the
// chain), daemon (those elsewhere), chain (our own), hook (commands and webhooks), global (the command itself).
const category = "category"

// logSwitch is how much is logged of which category, as a client reads and changes it: by a list.
type logSwitch struct {
	levels atomic.Pointer[map[string]slog.Level] // of each category

	mu   sync.Mutex
	text string
}

// rule is what a part of the list says.
type rule struct {
	pattern string // of categories, * stands for anything
	level   slog.Level
}

// categories are all there are.
var categories = [...]string{"", "rpc", "wallet", "daemon", "chain", "hook", "global"}

// level returns from which level on a category is logged.
func (l *logSwitch) level(name string) slog.Level {
	if levels := l.levels.Load(); levels != nil {
		if level, known := (*levels)[name]; known {
			return level
		}
	}
	return slog.LevelError
}

// levelOf returns what the last rule says that fits. Source: external/easylogging++/easylogging++.cc, VRegistry::allowed.
func levelOf(name string, rules []rule) slog.Level {
	for _, r := range slices.Backward(rules) {
		if fits, err := path.Match(r.pattern, name); err == nil && fits {
			return r.level
		}
	}
	return slog.LevelError
}

// switched is a log whose lines a logSwitch lets through.
type switched struct {
	slog.Handler
	now      *logSwitch
	category string
}

// Enabled reports whether a line of that level is let through.
func (h *switched) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.now.level(h.category)
}

// WithAttrs takes note of the category.
func (h *switched) WithAttrs(attrs []slog.Attr) slog.Handler {
	of := h.category
	for _, a := range attrs {
		if a.Key == category {
			of = a.Value.String()
		}
	}
	return &switched{h.Handler.WithAttrs(attrs), h.now, of}
}

// WithGroup groups what comes after.
func (h *switched) WithGroup(name string) slog.Handler {
	return &switched{h.Handler.WithGroup(name), h.now, h.category}
}

// set changes the list as the reference does: to a level's, with more behind a comma; with + before it the list is added to, with - taken
// from. What is no level is kept and switches nothing. It returns the list.
// Source: contrib/epee/src/mlog.cpp, mlog_set_log and mlog_set_categories.
func (l *logSwitch) set(s string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	number, more, listed := strings.Cut(s, ",")
	switch {
	case len(number) == 1 && number[0] >= '0' && number[0] <= '4':
		l.text = levelCategories[number[0]-'0']
		if listed {
			l.text += "," + more
		}
	case number != "" && strings.Trim(number, "0123456789") == "" && !listed:
		// no level there is: nothing changes
	case strings.HasPrefix(s, "+") && l.text != "" && s != "+":
		l.text += "," + s[1:]
	case strings.HasPrefix(s, "+"):
		l.text += s[1:]
	case strings.HasPrefix(s, "-"):
		for name := range strings.SplitSeq(s[1:], ",") {
			l.text = strings.Replace(l.text, name, "", 1)
		}
	default:
		l.text = s
	}
	l.text = l.text[:min(len(l.text), maxCategories)]
	rules, levels := rulesOf(l.text), map[string]slog.Level{}
	for _, name := range categories {
		levels[name] = levelOf(name, rules)
	}
	l.levels.Store(&levels)
	return l.text
}

// maxCategories bounds the list, in bytes, which can be added to without end.
const maxCategories = 1 << 12

// rulesOf reads a list. What is none is left out.
func rulesOf(list string) (rules []rule) {
	for part := range strings.SplitSeq(list, ",") {
		pattern, name, found := strings.Cut(part, ":")
		if level, known := levelNames[name]; found && known {
			rules = append(rules, rule{pattern, level})
		}
	}
	return rules
}
