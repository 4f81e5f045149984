// Asks the browser for a passkey, puts its answer into the form and sends it.
const { startAuthentication, startRegistration } = window.SimpleWebAuthnBrowser

for (const part of document.querySelectorAll('[data-passkey]')) {
  if (window.PublicKeyCredential === undefined) continue
  part.hidden = false
  const form = part.querySelector('form')
  form.addEventListener('submit', event => {
    event.preventDefault()
    ask(part, form).catch(error => explain(part, error))
  })
}

async function ask(part, form) {
  const offered = await fetch(part.dataset.offer, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
  })
  const { data, message } = await offered.json()
  if (offered.status === 401) {
    // The sign-in is older than 15 minutes.
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`)
    return
  }
  if (!offered.ok) throw new Error(message)
  requireHost(data.options.rpId ?? data.options.rp.id)
  const start = part.dataset.passkey === 'register' ? startRegistration : startAuthentication
  form.elements.response.value = JSON.stringify(await start({ optionsJSON: data.options }))
  form.submit()
}

/** Browsers bind passkeys to one host name; the same service may be open by an address. */
function requireHost(host) {
  if (location.hostname === host) return
  const { protocol, port } = location
  throw new Error(`Passkeys work at ${protocol}//${host}${port && `:${port}`} only. Open this page there.`)
}

function explain(part, error) {
  const notice = part.querySelector('[role=alert]')
  notice.textContent =
    error.name === 'NotAllowedError' ? 'The passkey was not used: cancelled, or too late.' : error.message
  notice.hidden = false
}
