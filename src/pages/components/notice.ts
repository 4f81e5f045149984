import { type Content, type Html, html } from '../html.ts'
import type { Tone } from './badge.ts'
import { icon } from './icon.ts'

/** Explains why a list is empty, and what to do. */
export function emptyState(title: string, hint?: Content): Html {
  return html`<div class="empty">${icon('empty')}<p class="title">${title}</p>
${hint && html`<div>${hint}</div>`}</div>`
}

export function noticeBox(tone: Tone, content: Content): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${content}</div>`
}

/**
 * Shows the progress of long work. `at` is the index of the current step; the last step means that all is
 * done.
 */
export function steps(names: readonly string[], at: number): Html {
  const items = names.map((name, index) => {
    const isDone = index < at || (index === names.length - 1 && index === at)
    const current = index === at && html` aria-current="step"`
    return html`<li${isDone && html` class="done"`}${current}>${isDone && '✓ '}${name}</li>`
  })
  return html`<ol class="steps">${items}</ol>`
}
