import { type Content, type Html, html } from '../html.ts'
import type { Tone } from './badge.ts'
import { icon } from './icon.ts'

/** Instead of a list without rows: why it is empty, and what to do. */
export function emptyState(title: string, hint?: Content): Html {
  return html`<div class="empty">${icon('empty')}<p class="title">${title}</p>
${hint && html`<div>${hint}</div>`}</div>`
}

export function notice(tone: Tone, content: Content): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${content}</div>`
}
