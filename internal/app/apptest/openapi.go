package apptest

import (
	"bytes"
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

// openAPIRouters holds the routers of the OpenAPI documents of each service.
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

// document is the OpenAPI document that the service serves: to anyone, or to holders of a token.
func (s *Service) document(t *testing.T, operators bool) []byte {
	t.Helper()
	if operators {
		return console.OpenAPI(catalog.Brand{Name: "Foyer", BaseURL: s.URL})
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
	return text
}

// routerOf names a document of a service.
type routerOf struct {
	service   *Service
	operators bool
}

func openAPIRouter(t *testing.T, s *Service, operators bool) routers.Router {
	t.Helper()
	if router, known := openAPIRouters.Load(routerOf{s, operators}); known {
		return router.(routers.Router)
	}
	doc, err := openapi3.NewLoader().LoadFromData(s.document(t, operators))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatalf("the OpenAPI document is not valid: %v", err)
	}
	doc.Servers = openapi3.Servers{{URL: s.URL}} // the tests use the loopback address
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	openAPIRouters.Store(routerOf{s, operators}, router)
	return router
}
