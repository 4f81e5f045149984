import { plural } from '@baize/names'
import type { CheckShown, Explorer, LookedUp, VerdictLookedUp } from '../../../features/look-ups/index.ts'
import { answerTable, badge, credits, facts, number, steps } from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'
import { type License, licenseTable, type Verdict } from './evidence.ts'
import { checkForm, companyForm, licenseForm, verdictForm } from './forms.ts'
import { timelineOf, verdictAnswer } from './verdict.ts'

const within = '/dashboard/explorer'
const explorerOf = (domain: string) => `${within}?domain=${encodeURIComponent(domain)}`

const explorerPage: Page<Explorer> = {
  title: 'Explorer',
  lead: ({ available_credits: available }) =>
    html`${available === null ? 'Your account has no quota.' : html`${credits(available)} available.`}
Each button shows its price, and no look-up costs more than that.`,
  body(explorer, view) {
    const domain = typeof view.input.domain === 'string' ? view.input.domain : ''
    return html`<div class="cards">${verdictForm(view, explorer, domain)}${companyForm(view, explorer)}
${licenseForm(view, explorer)}${checkForm(view, explorer, domain)}</div>`
  },
}

const another = (domain?: string) =>
  html`<p><a href="${domain === undefined ? within : explorerOf(domain)}">Another look-up</a></p>`

const verdictPage: Page<VerdictLookedUp> = {
  title: 'Verdict',
  within,
  body(data) {
    const verdict = data.response as Verdict
    return html`${answerTable(data, verdictAnswer(verdict, data.sources))}${timelineOf(
      data.timeline,
    )}${another(verdict.domain)}`
  },
}

const companyPage: Page<LookedUp> = {
  title: 'Company',
  within,
  body: data => html`${answerTable(data, companyAnswer(data.response as Companies))}${another()}`,
}

const licensePage: Page<LookedUp> = {
  title: 'License',
  within,
  body: data => html`${answerTable(data, licenseAnswer(data.response as Licenses))}${another()}`,
}

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
  const path = `/dashboard/explorer/checks/${check.enrichment_id}`
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
<a href="${explorerOf(check.domain)}">See the values</a></p>`
}
</div>`
}

const checkPage: Page<CheckShown> = {
  title: 'Check of a site',
  within,
  body: check => checkState(check),
  fragments: { check: checkState },
}

export const explorerPages: Readonly<Record<string, Shown>> = {
  show_explorer: explorerPage,
  look_up_verdict: { ...verdictPage, form: 'show_explorer' },
  look_up_company: { ...companyPage, form: 'show_explorer' },
  look_up_license: { ...licensePage, form: 'show_explorer' },
  start_check: {
    next: ({ enrichment_id: id }: { enrichment_id: string }) => `/dashboard/explorer/checks/${id}`,
    form: 'show_explorer',
  },
  show_check: checkPage,
}

type Named = { company_name: string | null; licenses?: readonly License[]; [member: string]: unknown }

type Companies = { companies: readonly Named[]; matches: readonly unknown[]; matches_total: number }

/** Shows profiles, or the Companies that share the name. */
function companyAnswer({ companies, matches, matches_total: total }: Companies): Html {
  return html`${companies.map(
    ({ company_name: name, licenses = [], ...rest }) => html`<h2>${name ?? 'Without a name'}</h2>
${facts(rest)}${licenses.length > 0 && html`<h3>Licenses</h3>${licenseTable(licenses)}`}`,
  )}
${
  matches.length > 0 &&
  html`<h2>${number(total)} ${plural(total, 'Company has', 'Companies have')} this name</h2>
<p>Look one of them up by its Company ref.</p>${facts(matches)}`
}`
}

type Licenses = { licenses: readonly ({ license_number: string | null } & Record<string, unknown>)[] }

const licenseAnswer = ({ licenses }: Licenses): Html =>
  html`${licenses.map(
    ({ license_number: of, ...rest }) => html`<h2>${of ?? 'Without a number'}</h2>${facts(rest)}`,
  )}`
