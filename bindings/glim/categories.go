package main

import (
	"log/slog"
	"strings"
	"sync"
)

// levelCategories are the categories that a level from 0 to 4 stands for. Source: contrib/epee/src/mlog.cpp, get_default_categories.
var levelCategories = [...]string{
	"*:WARNING,net:FATAL,net.http:FATAL,net.ssl:FATAL,net.p2p:FATAL,net.cn:FATAL,daemon.rpc:FATAL,global:INFO,verify:FATAL," +
		"serialization:FATAL,daemon.rpc.payment:ERROR,stacktrace:INFO,logging:INFO,msgwriter:INFO",
	"*:INFO,global:INFO,stacktrace:INFO,logging:INFO,msgwriter:INFO,perf.*:DEBUG",
	"*:DEBUG", "*:TRACE,*.dump:DEBUG", "*:TRACE",
}

// logSwitch is how much is logged, as a client reads and changes it: by a list of categories. Of categories our lines have none, so the
// most talkative of a list counts, but that a level's own list is that level.
type logSwitch struct {
	level *slog.LevelVar

	mu   sync.Mutex
	text string
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
	l.level.Set(levelOf(l.text))
	return l.text
}

// maxCategories bounds the list, in bytes, which can be added to without end.
const maxCategories = 1 << 12

func levelOf(list string) slog.Level {
	most := slog.LevelError
	for n, own := range levelCategories {
		if rest, found := strings.CutPrefix(list, own); found && (rest == "" || rest[0] == ',') {
			level, err := logLevel(string(rune('0' + n)))
			if err == nil {
				most, list = level, rest
			}
			break
		}
	}
	for part := range strings.SplitSeq(list, ",") {
		if level, err := logLevel(part); err == nil && strings.Contains(part, ":") {
			most = min(most, level)
		}
	}
	return most
}
