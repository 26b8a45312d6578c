// What a script adds to the request form. Without it everything works all the same: see form.html and formagain.go.
// No word that a person reads stands here; they come from the page and from the server's answers.
(() => {
  'use strict'
  const form = document.getElementById('request')
  if (!form || !window.fetch || !window.URLSearchParams) return
  const words = form.dataset
  const field = name => document.getElementById(name)
  const pause = ms => new Promise(done => setTimeout(done, ms))

  // Problems. Each stands above its input, which points to it already.

  function tell(name, text) {
    const input = field(name)
    if (!input) return
    const marked = input.closest('[role=radiogroup]') || input
    let problem = field(name + '-problem')
    if (!text) {
      problem?.remove()
      marked.removeAttribute('aria-invalid')
      return
    }
    if (!problem) {
      problem = document.createElement('p')
      problem.className = 'problem'
      problem.id = name + '-problem'
      const before = input.closest('.tiles, .consent') || input
      before.before(problem)
    }
    if (problem.textContent !== text) problem.textContent = text
    marked.setAttribute('aria-invalid', 'true')
    const fold = input.closest('details')
    if (fold) fold.open = true
  }

  const isWrong = input => (input.closest('[role=radiogroup]') || input).getAttribute('aria-invalid') === 'true'

  // Fields that follow the service. What is not asked is not sent either.

  const services = [...form.querySelectorAll('[name=service_type]')]
  const chosen = () => services.find(s => s.checked)?.value

  function follow(byHand) {
    const service = chosen()
    if (!service) return
    const often = field('frequency')
    if (byHand && service === 'recurring_cleaning' && often.value === 'one_time') often.value = 'biweekly'
    for (const box of form.querySelectorAll('[data-for]')) {
      const asked = box.dataset.for.split(' ').includes(service)
      box.hidden = !asked
      box.querySelector('input, select').disabled = !asked
    }
    for (const fold of form.querySelectorAll('details')) {
      const boxes = [...fold.querySelectorAll('.field')]
      fold.hidden = boxes.every(b => b.hidden)
      if (byHand && boxes.some(b => b.dataset.for && !b.hidden)) fold.open = true
    }
  }

  // Checks. One field at a time goes to the server, in a sample request that is never kept and claims no consent.

  const latest = {}
  async function check(input) {
    const { name, value } = input
    const turn = latest[name] = (latest[name] || 0) + 1
    if (!value.trim()) return tell(name, '')
    const body = new URLSearchParams(words.check)
    body.set(name, value)
    try {
      const answer = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'application/json' } })
      if (turn !== latest[name]) return
      if (answer.ok) return tell(name, '')
      if (answer.status === 422) tell(name, (await answer.json()).fields?.[name] || '')
    } catch { /* it is told when the request is sent */ }
  }

  const typed = input => input.matches('input:not([type=radio], [type=checkbox], [type=hidden]), textarea')
  let waiting
  form.addEventListener('input', event => {
    const input = event.target
    if (input.name === 'customer_phone') group(input, event)
    if (input.name === 'zip_code') namePlace(input)
    if (input.name === 'notes') count(input)
    clearTimeout(waiting)
    if (typed(input) && isWrong(input)) waiting = setTimeout(check, 400, input)
  })
  form.addEventListener('change', event => {
    const input = event.target
    if (services.includes(input)) follow(true)
    if (typed(input)) check(input)
    else tell(input.name, '')
  })

  // The phone number, in groups as it is typed. What is written in another way is left alone.

  function group(input, event) {
    const { value } = input
    const adding = event.inputType?.startsWith('insert') && !event.isComposing
    if (!adding || input.selectionEnd !== value.length || !/^[2-9][\d-]*$/.test(value)) return
    const digits = value.replaceAll('-', '')
    if (digits.length > 10) return
    let grouped = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].filter(Boolean).join('-')
    if (value.endsWith('-') && (digits.length === 3 || digits.length === 6)) grouped += '-'
    if (grouped !== value) input.value = grouped
  }

  // City and state of the ZIP code. One that is not known stays without a name.

  const place = form.querySelector('.place')
  const places = {}
  async function namePlace(input) {
    const zip = input.value.trim()
    place.textContent = ''
    if (!/^\d{5}$/.test(zip)) return
    try {
      places[zip] ||= fetch(words.places + zip).then(answer => answer.ok ? answer.json() : null)
      const found = await places[zip]
      if (found && input.value.trim() === zip) place.textContent = found.city + ', ' + found.state
    } catch { delete places[zip] }
  }

  // The characters of the notes, counted as the server counts them.

  function count(input) {
    const shown = field(input.name + '-left')
    const left = shown.dataset.max - [...input.value.trim().replaceAll('\r\n', '\n')].length
    shown.textContent = Math.abs(left).toLocaleString('en-US') + ' ' + (left < 0 ? shown.dataset.over : shown.dataset.left)
  }

  // Sending. The same request keeps its key however often it is sent, so it counts once.

  let key, keyed, sending = false
  const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), b => b.toString(16).padStart(2, '0')).join('')

  async function send(body) {
    if (body !== keyed) [key, keyed] = [newKey(), body]
    const status = form.querySelector('[role=status]')
    status.textContent = words.sending
    for (let attempt = 0; ; attempt++) {
      try {
        return await fetch(form.action, {
          method: 'POST', body, signal: AbortSignal.timeout?.(30000),
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', 'Idempotency-Key': key }
        })
      } catch (lost) {
        if (attempt === 2) throw lost
        status.textContent = words.trying
        await pause(1000 << attempt)
      }
    }
  }

  const here = new URL(form.action).origin === location.origin
  form.addEventListener('submit', async event => {
    if (!here) return // another origin sends a page that cannot be read from here
    event.preventDefault()
    if (sending) return
    const button = form.querySelector('[type=submit]'), status = form.querySelector('[role=status]'), ending = status.textContent
    sending = true
    button.setAttribute('aria-disabled', 'true')
    try {
      const answer = await send(new URLSearchParams(new FormData(form)).toString())
      const text = await answer.text()
      if (/html/.test(answer.headers.get('Content-Type'))) show(answer, new DOMParser().parseFromString(text, 'text/html'))
      else summarise(JSON.parse(text).message)
    } catch {
      summarise(words.lost)
    }
    sending = false
    button.removeAttribute('aria-disabled')
    status.textContent = ending
  })

  // show puts the server's page into this one: the thanks in place of the form, or each problem beside its field.
  function show(answer, page) {
    if (answer.ok) {
      const main = document.adoptNode(page.querySelector('main'))
      history.pushState(null, '', answer.url)
      const shown = location.pathname
      addEventListener('popstate', () => { if (location.pathname !== shown) location.reload() })
      document.title = page.title
      document.querySelector('main').replaceWith(main)
      const heading = document.querySelector('h1')
      heading.tabIndex = -1
      heading.focus()
      return scrollTo(0, 0)
    }
    for (const input of form.elements) if (input.name) tell(input.name, '')
    for (const problem of page.querySelectorAll('.problem')) tell(problem.id.slice(0, -'-problem'.length), problem.textContent)
    summarise(page.querySelector('.problems'))
  }

  function summarise(summary) {
    if (typeof summary === 'string') {
      const text = document.createElement('p')
      text.textContent = summary
      summary = document.createElement('div')
      summary.className = 'problems'
      summary.setAttribute('role', 'alert')
      summary.tabIndex = -1
      summary.append(text)
    }
    document.querySelector('.problems')?.remove()
    form.before(document.adoptNode(summary))
    summary.focus()
  }

  // What the browser filled in again, after a reload or on the way back, is treated as if it was typed.
  follow(false)
  addEventListener('pageshow', () => {
    if (!form.isConnected) return // it was sent, and its place was taken
    follow(false)
    count(field('notes'))
    namePlace(field('zip_code'))
  })
})()
