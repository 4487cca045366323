package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"
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

// Logging is what the flags say about the log.
type Logging struct {
	LogLevel    slog.Level
	LogFile     string // empty for standard error
	MaxFileSize int64  // bytes after which another file is begun; 0 for never
	MaxFiles    int    // kept; 0 for all

	logLevel string
}

// defaultLogging is what holds where no flag says otherwise. Source: contrib/epee/include/misc_log_ex.h, MAX_LOG_FILE_SIZE, MAX_LOG_FILES.
func defaultLogging() Logging { return Logging{logLevel: "0", MaxFileSize: 104_850_000, MaxFiles: 50} }

// loggingFlags are the flags of monerod and monero-wallet-rpc about logs; of a configuration's Logging.
func loggingFlags[C any](of func(*C) *Logging) []flag[C] {
	return []flag[C]{
		{"log-level", "0-4", "how much to log (0), or of what: *:WARNING and the like", groupLog, text(func(c *C) *string { return &of(c).logLevel })},
		{"log-file", "FILE", "log to FILE, not to standard error", groupLog, text(func(c *C) *string { return &of(c).LogFile })},
		{"max-log-file-size", "BYTES", "begin another FILE when it has so many, the old one's name with the time (104850000; 0: never)", groupLog, number(func(c *C) *int64 { return &of(c).MaxFileSize }, 63)},
		{"max-log-files", "N", "keep N of them (50; 0: all)", groupLog, number(func(c *C) *int { return &of(c).MaxFiles }, 31)},
	}
}

func (l *Logging) finish() (err error) {
	l.LogLevel, err = logLevel(l.logLevel)
	return err
}

// open returns a log to the file or, without one, to say, and what changes how much it tells.
func (l Logging) open(say io.Writer) (log *slog.Logger, now *logSwitch, end func() error, err error) {
	end = func() error { return nil }
	if l.LogFile != "" {
		f, err := openLogFile(l.LogFile, l.MaxFileSize, l.MaxFiles, time.Now)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("--log-file: %w", err)
		}
		say, end = f, f.Close
	}
	now = &logSwitch{level: new(slog.LevelVar)}
	now.set(l.logLevel)
	now.level.Set(l.LogLevel)
	return newLog(say, now.level), now, end, nil
}

// orRefuse is set for who wants to be told that a list says nothing.
func (l *logSwitch) orRefuse(s string) error {
	_, err := logLevel(s)
	if err == nil {
		l.set(s)
	}
	return err
}
