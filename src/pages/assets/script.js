// Everything works without this file: it shows times in the reader's zone, copies, and asks before dangers.
const zoned = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' })

/** Shows times with their zone. Days, which have no time, stay as they are. */
function showTimes(within) {
  for (const each of within.querySelectorAll('time[datetime*="T"]:not([data-zoned])')) {
    const at = new Date(each.dateTime)
    each.textContent = zoned.format(at)
    each.title = `${exact.format(at)} (${each.dateTime})`
    each.dataset.zoned = ''
  }
}

function announce(text) {
  const status = document.getElementById('announcement')
  if (status !== null) status.textContent = text
}

async function copy(button) {
  const label = button.textContent
  const code = button.parentElement.querySelector('code')
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
    announce('Copied')
  } catch {
    // Browsers refuse on plain http and by the reader's choice.
    selectText(code)
    announce('The text is selected: copy it by keyboard')
    return
  }
  setTimeout(() => {
    button.textContent = label
  }, 2_000)
}

function selectText(element) {
  const range = document.createRange()
  range.selectNodeContents(element)
  getSelection().removeAllRanges()
  getSelection().addRange(range)
}

const box = document.querySelector('div.search')

/** `/` leads to the search, arrows through its results, and Escape back. */
function moveInSearch(event) {
  const field = box.querySelector('input')
  const isTyping = event.target.closest('input, select, textarea') !== null
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    field.select()
    return
  }
  const results = document.getElementById('found')
  const isHere = event.target === field || results?.contains(event.target)
  if (!isHere) return
  if (event.key === 'Escape' && box.contains(results)) {
    results.replaceChildren()
    field.focus()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || results === null) return
  const places = [field, ...results.querySelectorAll('a, button')]
  const next = places[places.indexOf(event.target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

if (box !== null) document.addEventListener('keydown', moveInSearch)

showTimes(document)
document.addEventListener('htmx:after:swap', () => showTimes(document))

document.addEventListener('click', event => {
  const button = event.target.closest('button[data-copy]')
  if (button !== null) copy(button)
})

document.addEventListener('submit', event => {
  const question = event.target.dataset.confirm
  if (question !== undefined && !window.confirm(question)) event.preventDefault()
})

/** On a page with a list of items, j and k move, and other keys open the part of the item that names them. */
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select, textarea'))
    return
  const items = [...document.querySelectorAll('[data-item]')]
  const at = items.findIndex(item => item.contains(document.activeElement))
  const step = { j: 1, k: -1 }[event.key]
  if (step !== undefined) return items[Math.max(at + step, 0)]?.focus()
  const part = items[at]?.querySelector(`[data-key="${CSS.escape(event.key)}"]`)
  if (!part) return
  event.preventDefault()
  part.open = true
  part.querySelector('input:not([type="hidden"])')?.focus()
})

/** Fills a key into the examples of the docs. It stays in this tab, which forgets it when it is closed. */
function fillIn(key) {
  for (const code of document.querySelectorAll('.docs pre code')) {
    code.dataset.example ??= code.innerHTML
    if (!code.dataset.example.includes('client_demo')) continue
    code.innerHTML = code.dataset.example
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (key !== '' && texts.nextNode())
      texts.currentNode.data = texts.currentNode.data.replaceAll('client_demo', key)
  }
}

const newKey = document.querySelector('[data-new-key] code')
if (newKey !== null) sessionStorage.setItem('key', newKey.textContent)
const ownKey = document.querySelector('.own-key')
if (ownKey !== null) {
  const field = ownKey.querySelector('input')
  field.value = sessionStorage.getItem('key') ?? ''
  ownKey.hidden = false
  fillIn(field.value)
  field.addEventListener('input', () => {
    sessionStorage.setItem('key', field.value.trim())
    fillIn(field.value.trim())
  })
  ownKey.addEventListener('submit', event => event.preventDefault())
}
