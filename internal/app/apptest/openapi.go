package apptest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"foyer/internal/catalog"
	"foyer/internal/console"
)

// openAPIRouters holds, for each service, the router of its OpenAPI document.
var openAPIRouters sync.Map

// mustBeDocumented lists requests that the document must contain, or the check would check nothing.
var mustBeDocumented = map[string]bool{"POST /v1/intake": true, "GET /v1/services": true, "GET /health": true, "GET /openapi.json": true, "POST /v1/offers/offer_1/returned": true}

// checkOpenAPI validates a response against the document that describes it.
func checkOpenAPI(t *testing.T, s *Service, req *http.Request, r Reply) {
	t.Helper()
	operators := strings.HasPrefix(req.URL.Path, console.Prefix)
	route, params, err := openAPIRouter(t, s, operators).FindRoute(req)
	if err != nil {
		if mustBeDocumented[req.Method+" "+req.URL.Path] {
			t.Errorf("%s %s is in the OpenAPI document, but was not found there: %v", req.Method, req.URL.Path, err)
		}
		return // a path or a method that is not in the document, on purpose
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") || req.Method == http.MethodHead || r.Header.Get("Content-Encoding") != "" {
		return
	}
	err = openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 r.Status,
		Header:                 r.Header,
		Body:                   io.NopCloser(bytes.NewReader(r.Body)),
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	})
	if err != nil {
		t.Errorf("%s %s answered %d, which the OpenAPI document does not describe: %v", req.Method, req.URL.Path, r.Status, err)
	}
	answered, _ := s.answered.LoadOrStore(route.Operation.OperationID, new(sync.Map))
	answered.(*sync.Map).Store(r.Status, true)
}

// Answered reports whether an operation of one of the documents was answered with a status.
func (s *Service) Answered(operation string, status int) bool {
	answered, found := s.answered.Load(operation)
	if found {
		_, found = answered.(*sync.Map).Load(status)
	}
	return found
}

// operatorRouter is the router of the document of the operator's API, which is the same for every service: it is large, and read once.
var operatorRouter = sync.OnceValues(func() (routers.Router, error) {
	return newRouter(console.OpenAPI(catalog.Brand{Name: "Foyer", BaseURL: PublicURL}), nil)
})

func newRouter(text []byte, servers openapi3.Servers) (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("the OpenAPI document is not valid: %w", err)
	}
	doc.Servers = servers // the tests use the loopback address
	return gorillamux.NewRouter(doc)
}

func openAPIRouter(t *testing.T, s *Service, operators bool) routers.Router {
	t.Helper()
	if operators {
		router, err := operatorRouter()
		if err != nil {
			t.Fatal(err)
		}
		return router
	}
	if router, known := openAPIRouters.Load(s); known {
		return router.(routers.Router)
	}
	res, err := http.Get(s.URL + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	router, err := newRouter(text, openapi3.Servers{{URL: s.URL}})
	if err != nil {
		t.Fatal(err)
	}
	openAPIRouters.Store(s, router)
	return router
}
