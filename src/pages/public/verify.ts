import { assets } from '../assets.ts'
import { field, noticeBox } from '../components/index.ts'
import { publicPage } from '../frame.ts'
import { type Html, html } from '../html.ts'

/** Draws the check of receipts. Its fields are in no form, so that nothing can be sent. */
export function verifyPage(keySet: string): Html {
  const view = { problem: null }
  return publicPage({
    title: 'Verify a receipt',
    body: html`<h1>Verify a receipt</h1>
<p class="lead">A receipt proves what was answered, when, and on which register files. Your browser checks it
here; nothing that you paste is sent. <a href="/docs/guides/prove-a-decision">What a receipt says</a></p>
<div>${noticeBox('warn', 'The check needs scripts. The command baize-api receipt does the same.')}</div>
<div class="card" data-verify hidden><div class="fields">
${field(view, {
  name: 'receipt',
  label: 'Receipt',
  rows: 5,
  hint: 'Its text, or the whole answer that has it.',
})}
${field(view, {
  name: 'answer',
  label: 'Answer (optional)',
  rows: 5,
  hint: 'JSON: the answer, or one verdict of a batch.',
})}
${field(view, {
  name: 'keys',
  label: 'Key set',
  rows: 3,
  value: keySet,
  hint: 'The keys of this service. Replace them by your saved jwks.json to check without trust in us.',
})}
<button type="button">Verify</button></div>
<div role="status"></div></div>
<script type="module" src="${assets.verify.path}"></script>`,
  })
}
