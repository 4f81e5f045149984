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
