package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLogCategories(t *testing.T) {
	l := &logSwitch{}
	for _, c := range []struct {
		set, text   string
		rpc, wallet slog.Level
	}{
		{"0", levelCategories[0], slog.LevelWarn, slog.LevelWarn},
		{"1", levelCategories[1], slog.LevelInfo, slog.LevelInfo},
		{"5", levelCategories[1], slog.LevelInfo, slog.LevelInfo},
		{"3", levelCategories[3], slog.LevelDebug, slog.LevelDebug},
		{"0,wallet:INFO", levelCategories[0] + ",wallet:INFO", slog.LevelWarn, slog.LevelInfo},
		{"-,wallet:INFO", levelCategories[0] + ",", slog.LevelWarn, slog.LevelWarn},
		{"*:ERROR", "*:ERROR", slog.LevelError, slog.LevelError},
		{"+rpc:DEBUG", "*:ERROR,rpc:DEBUG", slog.LevelDebug, slog.LevelError},
		{"+r*:INFO", "*:ERROR,rpc:DEBUG,r*:INFO", slog.LevelInfo, slog.LevelError},
		{"-rpc:DEBUG", "*:ERROR,,r*:INFO", slog.LevelInfo, slog.LevelError},
		{"", "", slog.LevelError, slog.LevelError},
		{"+*:INFO", "*:INFO", slog.LevelInfo, slog.LevelInfo},
		{"+", "*:INFO", slog.LevelInfo, slog.LevelInfo},
		{"wallet:DEBUG,*:INFO", "wallet:DEBUG,*:INFO", slog.LevelInfo, slog.LevelInfo},
		{"what is this", "what is this", slog.LevelError, slog.LevelError},
		{"[:INFO,rpc:LOUD", "[:INFO,rpc:LOUD", slog.LevelError, slog.LevelError},
	} {
		require.Equal(t, c.text, l.set(c.set), c.set)
		require.Equal(t, c.rpc, l.level("rpc"), c.set)
		require.Equal(t, c.wallet, l.level("wallet"), c.set)
	}
	require.Equal(t, slog.LevelError, l.level("no such category"))
	l.set("0")
	require.Equal(t, slog.LevelInfo, l.level("global"), "what people should see")
	for range 10 {
		l.set("+" + strings.Repeat("x", 1000))
	}
	require.Len(t, l.set("+"), maxCategories)
}

// TestLogForMachines checks that each line of a JSON log is an object with its category, and the levels by category.
func TestLogForMachines(t *testing.T) {
	var out bytes.Buffer
	now := &logSwitch{}
	now.set("*:WARNING,wallet:DEBUG,global:INFO")
	log := newLog(&out, formatJSON, now)
	wallet := log.With(category, "wallet").WithGroup("of").With("name", "a\nb")
	wallet.Debug("refreshed", "height", 7, "took", 1500*time.Millisecond)
	log.With(category, "rpc").Info("not logged")
	log.With(category, "rpc").Warn("wrong login")
	people := Logging{LogFormat: formatJSON}.messages(&out, log)
	_, err := people.Write([]byte("glim serves\n"))
	require.NoError(t, err)
	now.set("0")
	wallet.Info("no more")
	var lines []map[string]any
	for line := range strings.Lines(out.String()) {
		var o map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &o), line)
		delete(o, "time")
		lines = append(lines, o)
	}
	require.Equal(t, []map[string]any{
		{
			"level":    "DEBUG",
			"msg":      "refreshed",
			"category": "wallet",
			"of":       map[string]any{"name": "a\nb", "height": 7.0, "took": "1.5s"},
		},
		{"level": "WARN", "msg": "wrong login", "category": "rpc"},
		{"level": "INFO", "msg": "glim serves", "category": "global"},
	}, lines)
	require.Same(t, &out, Logging{LogFormat: formatText}.messages(&out, log))
}
