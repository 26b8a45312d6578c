package mcp

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/wire"
)

// maxBatch bounds the messages of one batch.
const maxBatch = 32

// handle answers a body: the HTTP status and, unless there is nothing to say, the answer. It fails where there is no room
// for a batch.
func (s *Server) handle(c *call, version string, body []byte) (int, []byte, error) {
	if isBatch(body) {
		return s.batch(c, version, body)
	}
	m, err := readMessage(body)
	if err != nil {
		return http.StatusBadRequest, errorResponse(m.id, err.code, err.text), nil
	}
	answer := s.answer(c, m)
	if answer == nil {
		return http.StatusAccepted, nil, nil
	}
	return http.StatusOK, answer, nil
}

// batch answers several messages in one go, as the oldest version allows. A batch that breaks a rule is refused before
// any of it is done, and so is one for which there is no room: it takes as many places at the gate as it has messages.
func (s *Server) batch(c *call, version string, body []byte) (int, []byte, error) {
	if version != impliedVersion {
		return http.StatusBadRequest, errorResponse(nil, codeRequest, "Batches exist only in version 2025-03-26. Send one message."), nil
	}
	messages, wrong := readBatch(body, len(c.keys) > 0)
	if wrong != nil {
		return http.StatusBadRequest, errorResponse(nil, wrong.code, wrong.text), nil
	}
	if more := int64(len(messages) - 1); s.Gate != nil && more > 0 { // the request itself has a place
		if !s.Gate.EnterMore(c.ctx, more) {
			return 0, nil, catalog.Busy()
		}
		defer s.Gate.LeaveMore(more)
	}
	var answers [][]byte
	for _, m := range messages {
		answer := s.answerUnless(m.wrong, c, m.message)
		if answer != nil {
			answers = append(answers, answer)
		}
	}
	if answers == nil {
		return http.StatusAccepted, nil, nil
	}
	return http.StatusOK, append(append([]byte("["), bytes.Join(answers, []byte(","))...), ']'), nil
}

// batched is one message of a batch, and what is wrong with it.
type batched struct {
	message
	wrong *rpcError
}

// readBatch takes a batch apart, or says which rule it breaks.
func readBatch(body []byte, keyed bool) ([]batched, *rpcError) {
	var messages []batched
	more, err := wire.Elements(body, maxBatch, func(value jsontext.Value) {
		m, wrong := readMessage(value)
		messages = append(messages, batched{m, wrong})
	})
	switch {
	case err != nil:
		return nil, &rpcError{codeParse, notJSON}
	case len(messages) == 0:
		return nil, &rpcError{codeRequest, "A batch is an array of at least one message."}
	case more:
		return nil, &rpcError{codeRequest, "A batch holds at most " + strconv.Itoa(maxBatch) + " messages."}
	case slices.ContainsFunc(messages, func(m batched) bool { return m.method == "initialize" }):
		return nil, &rpcError{codeRequest, "initialize cannot be part of a batch."}
	case keyed && len(messages) > 1:
		return nil, &rpcError{codeRequest, "An Idempotency-Key stands for one request. Send the messages one by one."}
	}
	return messages, nil
}

func (s *Server) answerUnless(wrong *rpcError, c *call, m message) []byte {
	if wrong != nil {
		return errorResponse(m.id, wrong.code, wrong.text)
	}
	return s.answer(c, m)
}

// answer answers one message. Notifications and responses get none. A bug in a tool is answered, not suffered.
func (s *Server) answer(c *call, m message) (answer []byte) {
	if m.isResponse() || m.isNotification() {
		return nil
	}
	defer func() {
		if recover() != nil {
			answer = errorResponse(m.id, codeInternal, s.log.LogPanic(c.ctx, route).Message)
		}
	}()
	if m.params != nil && m.params.Kind() != '{' {
		return errorResponse(m.id, codeParams, "The member params must be an object.")
	}
	switch m.method {
	case "initialize":
		return response(m.id, s.initialize(m.params))
	case "ping":
		return response(m.id, []byte("{}"))
	case "tools/list":
		return s.listTools(m)
	case "tools/call":
		return s.callTool(c, m)
	}
	return errorResponse(m.id, codeMethod, "This server offers tools only: initialize, ping, tools/list and tools/call.")
}

// initialize answers the version asked for where it is spoken, and the newest where it is not.
func (s *Server) initialize(params jsontext.Value) []byte {
	asked := ""
	if params != nil {
		_ = wire.Members(params, func(name string, value jsontext.Value) {
			if name == "protocolVersion" {
				asked, _ = wire.Text(value)
			}
		})
	}
	if result, spoken := s.initialized[asked]; spoken {
		return result
	}
	return s.initialized[versions[0]]
}

func initializeResult(b catalog.Brand, version string) []byte {
	return wire.Marshal(wire.Object{
		{"protocolVersion", version},
		{"capabilities", wire.Object{{"tools", wire.Object{{"listChanged", false}}}}},
		{"serverInfo", wire.Object{{"name", "foyer"}, {"title", b.Name}, {"version", catalog.Version}}},
		{"instructions", b.Instructions()},
	})
}

// listTools answers the whole list at once. No cursor was ever given out, so none can be right.
func (s *Server) listTools(m message) []byte {
	cursor := false
	if m.params != nil {
		_ = wire.Members(m.params, func(name string, value jsontext.Value) {
			cursor = cursor || name == "cursor" && value.Kind() != 'n'
		})
	}
	if cursor {
		return errorResponse(m.id, codeParams, "The list has one page: leave cursor out.")
	}
	return response(m.id, s.list)
}
