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

// levelCategories are the categories that each log level from 0 to 4 selects.
// Source: contrib/epee/src/mlog.cpp, get_default_categories.
var levelCategories = [...]string{
	"*:WARNING,net:FATAL,net.http:FATAL,net.ssl:FATAL,net.p2p:FATAL,net.cn:FATAL,daemon.rpc:FATAL,global:INFO," +
		"verify:FATAL,serialization:FATAL,daemon.rpc.payment:ERROR,stacktrace:INFO,logging:INFO,msgwriter:INFO",
	"*:INFO,global:INFO,stacktrace:INFO,logging:INFO,msgwriter:INFO,perf.*:DEBUG",
	"*:DEBUG", "*:TRACE,*.dump:DEBUG", "*:TRACE",
}

// category is the log attribute that names the subject of a line: rpc (requests and logins), wallet (payments and
// refreshes), daemon (remote daemons), chain (the daemon's own chain), hook (commands and webhooks), global (the
// command).
const category = "category"

// logSwitch holds the log level of each category. Clients read and change it as a list of categories.
type logSwitch struct {
	levels atomic.Pointer[map[string]slog.Level] // by category

	mu   sync.Mutex
	text string
}

// rule is one element of the list.
type rule struct {
	pattern string // of category names; * matches any text
	level   slog.Level
}

// categories are all categories in use.
var categories = [...]string{"", "rpc", "wallet", "daemon", "chain", "hook", "global"}

// level returns the lowest level at which a category is logged.
func (l *logSwitch) level(name string) slog.Level {
	if levels := l.levels.Load(); levels != nil {
		if level, known := (*levels)[name]; known {
			return level
		}
	}
	return slog.LevelError
}

// levelOf returns the level of the last rule that matches.
// Source: external/easylogging++/easylogging++.cc, VRegistry::allowed.
func levelOf(name string, rules []rule) slog.Level {
	for _, r := range slices.Backward(rules) {
		if fits, err := path.Match(r.pattern, name); err == nil && fits {
			return r.level
		}
	}
	return slog.LevelError
}

// switchedHandler passes on the log lines that a logSwitch enables.
type switchedHandler struct {
	slog.Handler
	levels   *logSwitch
	category string
}

// Enabled reports whether a line of this level is logged.
func (h *switchedHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.levels.level(h.category)
}

// WithAttrs adds attributes and remembers the category if it is one of them.
func (h *switchedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	name := h.category
	for _, a := range attrs {
		if a.Key == category {
			name = a.Value.String()
		}
	}
	return &switchedHandler{h.Handler.WithAttrs(attrs), h.levels, name}
}

// WithGroup puts the attributes that follow into a group.
func (h *switchedHandler) WithGroup(name string) slog.Handler {
	return &switchedHandler{h.Handler.WithGroup(name), h.levels, h.category}
}

// set changes the list as the reference does. A level selects its list, to which categories after a comma are appended.
// A list that begins with + is appended and one that begins with - is removed. Elements that are not valid rules are
// kept without effect. It returns the new list.
// Source: contrib/epee/src/mlog.cpp, mlog_set_log and mlog_set_categories.
func (l *logSwitch) set(s string) string {
	s = s[:min(len(s), maxCategories)]
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
		// an unknown level changes nothing
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

// maxCategories limits the list and what is added to it or removed from it, in bytes, because clients set it.
const maxCategories = 1 << 12

// rulesOf parses a list and ignores invalid elements.
func rulesOf(list string) (rules []rule) {
	for part := range strings.SplitSeq(list, ",") {
		pattern, name, found := strings.Cut(part, ":")
		if level, known := levelNames[name]; found && known {
			rules = append(rules, rule{pattern, level})
		}
	}
	return rules
}
