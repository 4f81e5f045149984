import { field, form, noticeBox } from '../components/index.ts'
import { cardPage } from '../frame.ts'
import { type Html, html } from '../html.ts'
import type { Problem } from '../page.ts'

/** Draws the form of §4.15. People do not see `fax`. If a bot fills it in, nothing is stored. */
export function requestListPage(problem: Problem | null): Html {
  const view = { problem }
  return cardPage({
    title: 'Request a list',
    body: html`<h1>Request a list</h1>
<p>Say what you sell and to whom. Somebody of ours reads it, prepares a list of companies and people that fit,
and answers by mail.</p>
${problem && noticeBox('bad', problem.message)}
${form(
  { action: '/prospect-list-requests', submit: 'Send the request', name: 'Request a list' },
  field(view, { name: 'name', label: 'Your name', autocomplete: 'name', required: true }),
  field(view, {
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'email',
    required: true,
  }),
  field(view, { name: 'company', label: 'Company', autocomplete: 'organization', required: true }),
  field(view, {
    name: 'request',
    label: 'What you sell, and to whom',
    rows: 6,
    required: true,
    hint: 'Markets, kinds of company, roles of people.',
  }),
  field(view, {
    name: 'cadence',
    label: 'How often',
    choices: [
      ['one_time', 'once'],
      ['weekly', 'every week'],
      ['continuous', 'as soon as something changes'],
    ],
  }),
  html`<div class="unseen" aria-hidden="true"><input name="fax" tabindex="-1" autocomplete="off"></div>`,
)}`,
  })
}

export const listRequestedPage = (): Html =>
  cardPage({
    title: 'Thank you',
    body: html`<h1>Thank you</h1>
<p>Your request has arrived. We answer by mail.</p>
<p><a href="/">Back to the start</a></p>`,
  })
