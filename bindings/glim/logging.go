package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// logLevel maps the reference's levels, 0 to 4, and its category lists, of which the most talkative level counts.
func logLevel(s string) (slog.Level, error) {
	switch s {
	case "0":
		return slog.LevelWarn, nil
	case "1":
		return slog.LevelInfo, nil
	case "2", "3", "4":
		return slog.LevelDebug, nil
	}
	most, found := slog.LevelError, false
	for part := range strings.SplitSeq(s, ",") {
		_, name, ok := strings.Cut(part, ":")
		level, known := map[string]slog.Level{
			"FATAL": slog.LevelError, "ERROR": slog.LevelError, "WARNING": slog.LevelWarn,
			"INFO": slog.LevelInfo, "DEBUG": slog.LevelDebug, "TRACE": slog.LevelDebug,
		}[name]
		if !ok || !known {
			return 0, fmt.Errorf("--log-level: 0 to 4, or categories such as *:WARNING")
		}
		most, found = min(most, level), true
	}
	if !found {
		return 0, fmt.Errorf("--log-level: 0 to 4, or categories such as *:WARNING")
	}
	return most, nil
}

// newLog returns a log of lines of name=value. Its level can change while it runs.
func newLog(w io.Writer, level *slog.LevelVar) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
