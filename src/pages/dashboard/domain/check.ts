import type { CheckShown } from '../../../features/look-ups/index.ts'
import { badge, credits, domainPath, facts, steps } from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'

const checkStates = {
  queued: { tone: 'plain', text: 'waiting' },
  running: { tone: 'plain', text: 'running' },
  completed: { tone: 'good', text: '✓ completed' },
  failed: { tone: 'bad', text: '✕ failed' },
} as const

const stepNames = ['Requested', 'In the queue', 'Looking at the site', 'Completed']
const stepOf = { queued: 1, running: 2, completed: 3 } as const

/** The reasons why a check failed, or completed without finding a site of the domain. */
const reasons: Readonly<Record<string, string>> = {
  blocked: 'The site refused the check.',
  name_unresolved: 'The name of the site could not be resolved.',
  timeout: 'The site did not answer in time.',
  tls: 'The connection to the site is not secure.',
  server_error: 'The site answered with an error.',
  unreachable: 'The site could not be reached.',
  redirect_loop: 'The site redirects in a loop.',
  unreadable: 'The page could not be read.',
  interrupted: 'The service interrupted the check.',
  name_does_not_exist: 'The name does not exist, so there is no site.',
  redirects_to_another_domain: 'The address leads to another site.',
}

/** Shows a check. The page requests this part again while the check runs. */
export function checkState(check: CheckShown): Html {
  const { tone, text } = checkStates[check.status]
  const isOpen = check.status === 'queued' || check.status === 'running'
  const path = `/dashboard/checks/${check.enrichment_id}`
  const again =
    isOpen && html` hx-get="${path}" hx-trigger="load delay:2s" hx-swap="outerHTML" hx-target="#check"`
  return html`<div id="check" aria-live="polite"${again}>
<p>${badge(tone, text)} ${check.domain}</p>
${check.status !== 'failed' && steps(stepNames, stepOf[check.status])}
${isOpen && html`<p class="progress">The site is being checked. <a href="${path}">Look again</a></p>`}
${check.reason && html`<p>${reasons[check.reason] ?? check.reason}</p>`}
${check.status === 'failed' && html`<p>Nothing was charged.</p>`}
${check.found && html`<h2>Found</h2>${facts(check.found)}`}
${
  check.status === 'completed' &&
  html`<p>${credits(check.credits_charged)} charged.
<a href="${domainPath(check.domain)}">The page of the site</a></p>`
}
</div>`
}

const checkPage: Page<CheckShown> = {
  title: 'Check of a site',
  within: '/dashboard/domains',
  body: check => checkState(check),
  fragments: { check: checkState },
}

export const checkPages: Readonly<Record<string, Shown>> = {
  start_check: {
    next: ({ enrichment_id: id }: { enrichment_id: string }) => `/dashboard/checks/${id}`,
    form: 'search_everything',
  },
  show_check: checkPage,
}
