// Times in the reader's zone; the exact time stays on hover.
const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
function showTimes() {
  for (const each of document.querySelectorAll('time[datetime]:not([data-zoned])')) {
    each.textContent = zoned.format(new Date(each.dateTime))
    each.dataset.zoned = ''
  }
}
showTimes()

document.addEventListener('click', async event => {
  const button = event.target.closest('button[data-copy]')
  if (button === null) return
  await navigator.clipboard.writeText(button.dataset.copy)
  button.textContent = 'Copied'
})
