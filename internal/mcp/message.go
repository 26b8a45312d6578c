package mcp

import (
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/wire"
)

// The error codes of JSON-RPC, and one for an unsupported protocol version.
const (
	codeParse    = -32700
	codeRequest  = -32600
	codeMethod   = -32601
	codeParams   = -32602
	codeInternal = -32603
	codeVersion  = -32000
)

// message is one JSON-RPC message: a request, a notification (without id), or a response (without method).
type message struct {
	id     jsontext.Value
	method string
	params jsontext.Value
	err    *rpcError // what is wrong with the message, or nil
}

// rpcError says what is wrong with a message.
type rpcError struct {
	code int
	text string
}

const notJSON = "The body is not valid JSON."

// readMessage parses a message.
func readMessage(body []byte) (m message) {
	var version, method, result jsontext.Value
	err := wire.Members(body, func(name string, value jsontext.Value) {
		switch name {
		case "jsonrpc":
			version = value
		case "id":
			m.id = value
		case "method":
			method = value
		case "params":
			m.params = value
		case "result", "error":
			result = value
		}
	})
	if wire.Broken(err) {
		return message{err: &rpcError{codeParse, notJSON}}
	}
	if err != nil {
		return message{err: &rpcError{codeRequest, "A message is one JSON object without repeated members."}}
	}
	if m.id != nil && m.id.Kind() != '"' && m.id.Kind() != '0' {
		return message{err: &rpcError{codeRequest, "The id must be a string or a number."}}
	}
	if string(version) != `"2.0"` {
		m.err = &rpcError{codeRequest, `The member jsonrpc must be "2.0".`}
		return m
	}
	if result != nil && method == nil {
		return m
	}
	if m.method, _ = wire.Text(method); m.method == "" {
		m.err = &rpcError{codeRequest, "The member method must be a string."}
	}
	return m
}

// response wraps a result that is JSON already.
func response(id jsontext.Value, result []byte) []byte {
	out := make([]byte, 0, len(result)+len(id)+40)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, id...)
	out = append(out, `,"result":`...)
	out = append(out, result...)
	return append(out, '}')
}

func errorResponse(id jsontext.Value, code int, text string) []byte {
	if id == nil {
		id = jsontext.Value("null")
	}
	return wire.Marshal(wire.Object{
		{"jsonrpc", "2.0"}, {"id", id}, {"error", wire.Object{{"code", code}, {"message", text}}},
	})
}
