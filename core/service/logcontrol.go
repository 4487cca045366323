package service

import (
	"context"
	"strconv"

	"glim/core/walletrpc"
)

// logControl sets what is logged.
type logControl struct {
	set func(level string) error // Config.SetLog
}

func (s *logControl) setLogLevel(_ context.Context, req walletrpc.SetLogLevelRequest) (empty, error) {
	if req.Level < 0 || req.Level > 4 {
		return empty{}, walletrpc.Fail(walletrpc.CodeInvalidLogLevel, "")
	}
	if s.set == nil {
		return empty{}, nil
	}
	return empty{}, s.set(strconv.Itoa(int(req.Level)))
}

func (s *logControl) setLogCategories(
	_ context.Context, req walletrpc.SetLogCategoriesRequest,
) (walletrpc.SetLogCategoriesResponse, error) {
	resp := walletrpc.SetLogCategoriesResponse(req)
	if s.set == nil || req.Categories == "" {
		return resp, nil
	}
	return resp, s.set(req.Categories)
}
