// Passkeys: asks the service for a challenge and the browser for the answer, which the form then sends. It is a
// module, so that its names are its own.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const base64url = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const withBytes = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }));

// create makes a passkey. Older browsers do not read the options from JSON.
function create(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: withBytes(options.excludeCredentials),
  };
  return navigator.credentials.create({ publicKey });
}

// get uses a passkey.
function get(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: withBytes(options.allowCredentials),
  };
  return navigator.credentials.get({ publicKey });
}

// toJSON writes an answer. Older browsers and some password managers do not.
function toJSON(credential) {
  if (credential.toJSON) return credential.toJSON();
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = base64url(credential.response[name]);
  }
  return { id: credential.id, rawId: base64url(credential.rawId), type: credential.type, response, clientExtensionResults: {} };
}

const texts = {
  InvalidStateError: "This device has a passkey of yours already.",
  NotAllowedError: "No passkey was used: it was canceled, or it took too long.",
};

async function ask(form, begin) {
  const response = await fetch(begin, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  const answer = await response.json().catch(() => ({ message: "You are not signed in any more, or the service cannot be reached. Load the page again." }));
  if (!response.ok) throw new Error(answer.message);
  const options = answer.publicKey;
  const credential = await (options.user ? create(options) : get(options));
  form.elements.credential.value = JSON.stringify(toJSON(credential));
  form.submit();
}

// show shows a form where its passkeys can be used: browsers have them for one origin, over https or on localhost.
function show(box) {
  if (!isSecureContext || !window.PublicKeyCredential || location.origin !== box.dataset.origin) return;
  const form = box.querySelector("form"), button = form.querySelector("button"), problem = form.querySelector("[role=alert]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    problem.hidden = true;
    try {
      await ask(form, box.dataset.begin);
    } catch (error) {
      problem.textContent = texts[error.name] ?? error.message;
      problem.hidden = false;
      button.disabled = false;
    }
  });
  box.hidden = false;
}
document.querySelectorAll("[data-passkey]").forEach(show);
